"""Bare answers to an assistant's question say what the question asks."""

from __future__ import annotations

import pytest

from hitherto.extraction.extractor import Reading
from hitherto.extraction.rules import RuleExtractor
from hitherto.kg.model import Episode, Role, Turn
from tests.extraction.reading import SAID, episode, line

ANSWERS = (
    ("请问您住在哪里？", "杭州。", ["liang LIVES_IN 杭州: observation ~"]),
    ("您住在哪裡？", "臺中", ["liang LIVES_IN 臺中: observation ~"]),
    ("好的。请问，您目前在哪家公司工作呢？", "字节跳动。", ["liang WORKS_AT 字节跳动: observation ~"]),
    ("您对花生过敏吗？", "是的。", ["liang ALLERGIC_TO 花生: observation ~"]),
    ("您对花生过敏吗？", "不过敏。", ["liang ALLERGIC_TO 花生: denial ~"]),
    ("您对哪些药物过敏？", "青霉素", ["liang ALLERGIC_TO 青霉素: observation ~"]),
    ("请问您有高血压吗？", "没有。", ["liang HAS_CONDITION 高血压: denial ~"]),
    ("您是产品经理吗？", "不是", ['liang HAS_ROLE "产品经理": denial ~']),
    ("您叫什么名字？", "李明", ['liang NAMED "李明": observation ~']),
    ("您的猫叫什么名字？", "年糕", ["liang HAS_PET 年糕: observation ~"]),
    ("您是做什么工作的？", "老师", ['liang HAS_ROLE "老师": observation ~']),
    ("您平时喜欢什么运动？", "跑步", ["liang LIKES 跑步: observation ~"]),
)
OTHER = (
    ("请问您住在哪里？", "不知道"),
    ("请问您住在哪里？", "谢谢"),
    ("请问您住在哪里？", "家里"),
    ("请问您住在哪里？", "你猜"),
    ("您想去哪里？", "北京"),
    ("您需要发票吗？", "是的"),
    ("您不吃辣对吗？", "对"),
    ("您喜欢什么颜色的车？", "红色"),
    ("附近有什么好吃的？", "火锅"),
    ("您可以住在酒店吗？", "是的"),
    ("他住在哪里？", "杭州"),
)


async def _lines(extractor: RuleExtractor, question: str, answer: str) -> list[str]:
    asked = episode(question, actor="bot", role=Role.ASSISTANT)
    [drafts] = await extractor.extract([Reading(episode(answer), (asked,))])
    assert all(answer[d.quote_start : d.quote_end] == answer for d in drafts)
    return [line(d) for d in drafts]


@pytest.mark.parametrize(("question", "answer", "lines"), ANSWERS)
async def test_a_bare_answer(extractor: RuleExtractor, question: str, answer: str, lines: list[str]) -> None:
    assert await _lines(extractor, question, answer) == lines


@pytest.mark.parametrize(("question", "answer"), OTHER)
async def test_what_is_no_answer_of_that_kind(extractor: RuleExtractor, question: str, answer: str) -> None:
    assert await _lines(extractor, question, answer) == []


async def test_the_question_may_stand_in_the_same_episode(extractor: RuleExtractor) -> None:
    question, answer = "请问您住在哪里？", "杭州。"
    text = f"{question}\n{answer}"
    turns = (
        Turn(0, len(question), SAID, Role.ASSISTANT, "bot"),
        Turn(len(question) + 1, len(text), SAID, Role.USER, "liang"),
    )
    both = Episode(id="both", text=text, occurred_at=SAID, turns=turns, actor="liang")
    [drafts] = await extractor.extract([Reading(both)])
    assert [line(d) for d in drafts] == ["liang LIVES_IN 杭州: observation ~"]
    assert [text[d.quote_start : d.quote_end] for d in drafts] == [answer]


async def test_a_users_question_is_not_answered_by_another(extractor: RuleExtractor) -> None:
    asked = episode("你住在哪里？", actor="wang")
    [drafts] = await extractor.extract([Reading(episode("杭州。"), (asked,))])
    assert drafts == []
