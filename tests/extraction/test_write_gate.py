"""Greetings, filler, questions and repeats cost no model and store no fact; the message itself is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from hitherto import Memory
from hitherto.extraction.english.parser import parse_english
from hitherto.extraction.rules import RuleExtractor
from hitherto.extraction.tokens import Token, Word
from tests.support import TinyEmbedder, day

ENGLISH = (
    "Hi there!", "Hello Anna,", "Good morning everyone.", "Hey, how's it going?", "Thanks a lot!",
    "Thank you so much.", "You're welcome.", "ok", "Okay, sounds good.", "Sure thing!", "Got it.", "lol",
    "haha that's hilarious", "Wow!", "Yes.", "No worries.", "See you tomorrow!", "Talk to you later.",
    "Have a nice weekend!", "Congrats!", "hmm...", "👍👍", "brb", "Happy birthday!", "Best regards",
    "Never mind.", "Oh no, sorry to hear that.", "Where does Alice work?", "What's your phone number?",
    "Did she move to Paris?", "Can you book a table for two?", "How old are you", "Who is your manager?",
    "Are you allergic to nuts?", "Do you live in Berlin",
)  # fmt: skip
CHINESE = (
    "你好！", "早上好", "大家早", "嗨～", "谢谢！", "非常感谢你的帮助", "不客气", "好的，收到", "嗯嗯",
    "哈哈哈", "没问题", "再见！", "晚安", "周末愉快！", "恭喜恭喜", "生日快乐！", "辛苦啦", "你好嗎？",
    "謝謝！", "没关系", "你在哪里工作？", "她搬到上海了吗？", "你的电话是多少", "谁是你的经理？",
    "你对花生过敏吗？", "能帮我订一张去北京的票吗？", "他什么时候加入百度的？", "你住在哪儿呢",
)  # fmt: skip


@pytest.fixture
def parsed(extractor: RuleExtractor, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The sentences that a model was asked to parse."""
    texts: list[str] = []
    rules = extractor._reader
    tag = rules._tagger.tag

    def english(wanted: Sequence[str]) -> Iterator[tuple[Token, ...]]:
        texts.extend(wanted)
        return parse_english(wanted)

    def chinese(wanted: Sequence[str]) -> Iterator[tuple[Word, ...]]:
        texts.extend(wanted)
        return tag(wanted)

    monkeypatch.setattr(rules, "_tokens", {})
    monkeypatch.setattr(rules, "_words", {})
    monkeypatch.setattr("hitherto.extraction.reader.parse_english", english)
    monkeypatch.setattr(rules._tagger, "tag", chinese)
    yield texts


async def test_talk_runs_no_model_and_stores_no_fact(extractor: RuleExtractor, parsed: list[str]) -> None:
    async with Memory.open(":memory:", tenant="t", extractor=extractor, embedder=TinyEmbedder()) as memory:
        for number, text in enumerate((*ENGLISH, *CHINESE)):
            report = await memory.add(text, occurred_at=day(number), actor="ann", session="s")
            assert report.added == (), text
        counts = await memory.status()
        assert (counts.episodes, counts.facts, counts.pending) == (len(ENGLISH) + len(CHINESE), 0, 0)
    assert parsed == []


@pytest.mark.parametrize("text", ["I live in Berlin.", "我住在北京。"])
async def test_what_is_said_again_is_not_read_again(
    extractor: RuleExtractor, parsed: list[str], text: str
) -> None:
    async with Memory.open(":memory:", tenant="t", extractor=extractor, embedder=TinyEmbedder()) as memory:
        first = await memory.add(text, occurred_at=day(0), actor="ann")
        assert (len(first.added), len(parsed)) == (1, 1)
        known = (await memory.status()).last_commit
        same = await memory.add(text, occurred_at=day(0), actor="ann")
        assert (same.status, (await memory.status()).last_commit) == ("duplicate", known)
        again = await memory.add(text, occurred_at=day(3), actor="ann")
        assert (again.added, again.superseded, len(parsed)) == ((), (), 1)
        [belief] = (await memory.facts("ann", during="ever")).items
        assert len({claim.episode_id for claim in belief.evidence}) == 2
