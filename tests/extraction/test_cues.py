"""The look before the parse lets everything through that a trigger could match."""

from __future__ import annotations

import pytest

from hitherto.extraction.cues import chinese_cues, english_cues
from hitherto.extraction.lexicon import lexicon
from hitherto.extraction.rules import RuleExtractor
from hitherto.kg.ontology import Ontology
from tests.extraction.test_rules import CHINESE, ENGLISH

EN = english_cues(Ontology.starter(), lexicon())
ZH = chinese_cues(Ontology.starter(), lexicon())


FORMS = (
    "She left Acme",
    "He quitting",
    "We're relocating",
    "Tom married Ann",
    "I was hired",
    "I’m Liang",
    "studied",
)
MORE_FORMS = ("studies", "two CEOs", "it was shipped", "They flew to Oslo", "my wife’s")


@pytest.mark.parametrize("text", [*FORMS, *MORE_FORMS])
def test_forms_of_triggers(text: str) -> None:
    assert EN.search(text)


@pytest.mark.parametrize("text", ["Good morning!", "Thanks a lot.", "ok 👍", "See the attached file"])
def test_talk_is_not_parsed(text: str) -> None:
    assert not EN.search(text)


def test_chinese_talk_is_not_parsed() -> None:
    assert not ZH.search("大家早")
    assert not ZH.search("收到，谢谢")


async def test_nothing_is_lost(extractor: RuleExtractor, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.extraction.reading import read

    looked = [await read(extractor, text) for text in (*ENGLISH, *CHINESE)]
    monkeypatch.setattr("hitherto.extraction.reader.Reader.may_tell", lambda *_: True)
    assert [await read(extractor, text) for text in (*ENGLISH, *CHINESE)] == looked
