"""Plain facts in the ways people put them."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.extraction.reading import read

FACTS = {
    "I switched from Gmail to Proton Mail.": [
        "liang USES Gmail: end ~",
        "liang USES Proton Mail: dated_beginning ~",
    ],
    "Bob left Acme in March 2025 and joined Globex as CTO.": [
        "Bob WORKS_AT Acme: end 2025-03",
        "Bob WORKS_AT Globex: dated_beginning 2025-03",
        'Bob HAS_ROLE "CTO": dated_beginning 2025-03',
    ],
    "I work as a nurse at St. Mary's Hospital.": [
        'liang HAS_ROLE "nurse": observation ~',
        "liang WORKS_AT St. Mary's Hospital: observation ~",
    ],
    "We moved to Oslo in 2020.": ["liang LIVES_IN Oslo: dated_beginning 2020"],
    "We are engineers.": [],
    "My mom Helen lives in Leeds.": ["Helen LIVES_IN Leeds: observation ~"],
    "John hates cilantro.": ["John DISLIKES cilantro: observation ~"],
    "I'm a vegetarian.": ['liang HAS_DIET "vegetarian": observation ~'],
    "I'm single.": ['liang HAS_MARITAL_STATUS "single": observation ~'],
}


@pytest.mark.parametrize("text", FACTS)
async def test_plain_facts(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == FACTS[text]
