"""Open relations in Chinese: what is stated by a verb that the ontology does not know."""

from __future__ import annotations

from datetime import UTC

import pytest

from hitherto import Invalid, Memory
from hitherto.extraction.rules import RuleExtractor
from hitherto.kg.ontology import Ontology
from tests.extraction.reading import read

STATED = {
    "我在装修新房子。": ['liang 装修 "新房子": observation ~'],
    "我昨天修好了自行车。": ['liang 修好 "自行车": dated_beginning 2026-03-01'],
    "我把旧车卖了。": ['liang 卖 "旧车": dated_beginning ~'],
    "我上周末去爬了香山。": ["liang 爬 香山: dated_beginning 2026-02-28"],
    "我看完了《三体》。": ['liang 看完 "三体": dated_beginning ~'],
    "王芳正在装修新房子。": ['王芳 装修 "新房子": observation ~'],
    "我不抽烟。": ['liang 抽 "烟": denial ~'],
    "我不抽烟了。": ['liang 抽 "烟": end ~'],
    "我再也不吃肉了。": ['liang 吃 "肉": end ~'],
    "我每周三去打羽毛球。": ['liang 打 "羽毛球": observation ~'],
    "我戒了咖啡。": ['liang 戒 "咖啡": dated_beginning ~', 'liang 喝 "咖啡": end ~'],
    "我去年戒烟了。": ['liang 戒 "烟": dated_beginning 2025', 'liang 抽 "烟": end 2025'],
    "我在戒烟。": ['liang 戒 "烟": observation ~'],
    "我打算装修新房子。": ['liang 装修 "新房子": dated_beginning ~ (planned)'],
}


@pytest.mark.parametrize("text", STATED)
async def test_what_is_stated(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == STATED[text]


NOTHING = (
    "你在装修新房子吗？",
    "如果我装修新房子，就没钱了。",
    "请装修新房子。",
    "你装修了新房子。",
    "我没装修新房子。",
    "我说了一句话。",
    "我有一个问题。",
    "邻居装修了新房子。",
    "装修新房子很累。",
    "我找不到新房子了。",
    "我错过了。",
)


@pytest.mark.parametrize("text", NOTHING)
async def test_what_states_nothing(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == []


async def test_a_closed_ontology_takes_none() -> None:
    closed = RuleExtractor(Ontology.starter().extended((), closed=True), UTC)
    assert await read(closed, "我在装修新房子，我住在北京。") == ["liang LIVES_IN 北京: observation ~"]


async def test_the_verb_itself_is_the_predicate() -> None:
    async with Memory.open(":memory:", tenant="t") as memory:
        await memory.add("我在装修新房子。", actor="李雷", occurred_at="2026-03-02")
        [belief] = (await memory.facts("李雷", "装修")).items
        assert belief.fact.text == "李雷装修新房子"
        assert belief.confidence <= 0.7
        with pytest.raises(Invalid, match="SCREAMING_SNAKE"):
            await memory.facts("李雷", "装修 了")
