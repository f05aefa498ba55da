"""People known only by what they are to somebody."""

from __future__ import annotations

import pytest

from hitherto.extraction.rules import RuleExtractor
from tests.extraction.reading import read, read_session

FACTS = {
    "My sister lives in Rome. She works at Acme.": [
        "liang SIBLING_OF liang's sister: observation ~",
        "liang's sister LIVES_IN Rome: observation ~",
        "liang's sister WORKS_AT Acme: observation ~",
    ],
    "My dad loves fishing.": [
        "liang's father PARENT_OF liang: observation ~",
        "liang's father LIKES fishing: observation ~",
    ],
    "My wife is a nurse.": ['liang\'s wife HAS_ROLE "nurse": observation ~'],
    "我妹妹住在上海，在腾讯工作。": [
        "liang SIBLING_OF liang的妹妹: observation ~",
        "liang的妹妹 LIVES_IN 上海: observation ~",
        "liang的妹妹 WORKS_AT 腾讯: observation ~",
    ],
    "My neighbor painted the old fence.": [],
    "My ex wife lives in Rome.": [],
    "My parents live in Rome.": [],
    "Does my sister live in Rome?": [],
}


@pytest.mark.parametrize("text", FACTS)
async def test_kin_without_a_name(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == FACTS[text]


@pytest.mark.parametrize(
    ("first", "then", "fact"),
    [
        (
            "My wife Sarah is a teacher.",
            "My wife moved to Oslo in 2020.",
            "Sarah LIVES_IN Oslo: dated_beginning 2020",
        ),
        ("我老婆叫小美。", "我老婆在百度工作。", "小美 WORKS_AT 百度: observation ~"),
    ],
)
async def test_a_name_that_was_told_is_kept(extractor: RuleExtractor, first: str, then: str, fact: str) -> None:
    _, second = await read_session(extractor, ("liang", first), ("liang", then))
    assert fact in second
    assert not any("wife" in line or "妻子" in line for line in second)
