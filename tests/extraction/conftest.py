"""One rule extractor for all tests: its models load once."""

from __future__ import annotations

from datetime import UTC

import pytest

from hitherto.extraction.rules import RuleExtractor
from hitherto.kg.ontology import Ontology


@pytest.fixture(scope="session")
def extractor() -> RuleExtractor:
    return RuleExtractor(Ontology.starter(), UTC)
