"""The rules, for tests of what they read."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.support import rules


@pytest.fixture(scope="session")
def extractor() -> RuleExtractor:
    return rules()
