"""The two conversations of the README and the demo, with the default parts, on an embedded store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hitherto import Memory
from hitherto.demo import ReplayClock
from hitherto.kg.model import Belief
from hitherto.query.results import SearchResult
from hitherto.temporal.instants import format_bound


@pytest.fixture(params=["memory", "file"])
async def replay(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Memory, ReplayClock]]:
    url = ":memory:" if request.param == "memory" else str(tmp_path / "examples.db")
    clock = ReplayClock()
    async with Memory.open(url, tenant="acme", clock=clock) as memory:
        yield memory, clock


def objects(result: SearchResult) -> list[str]:
    return [h.belief.fact.object.name for h in result.facts if not hasattr(h.belief.fact.object, "text")]


def dates(belief: Belief) -> tuple[str | None, str | None]:
    start, end = belief.valid_from, belief.valid_to
    return (format_bound(start) if start else None, format_bound(end) if end else None)


async def _alice(memory: Memory, clock: ReplayClock) -> str:
    clock.moment = datetime(2023, 2, 1, tzinfo=UTC)
    await memory.add("Alice joined TechCorp in January 2023.", occurred_at="2023-02-01")
    clock.moment = datetime(2026, 3, 2, 9, tzinfo=UTC)
    report = await memory.add(
        "Alice left TechCorp and joined Anthropic as a research engineer.", occurred_at="2026-03-02"
    )
    clock.moment = None
    assert {(b.fact.text, dates(b)) for b in report.superseded} == {("Alice works at TechCorp", ("2023-01", None))}
    return report.episode_id


async def test_alice(replay: tuple[Memory, ReplayClock]) -> None:
    memory, clock = replay
    second = await _alice(memory, clock)
    question = "Where does Alice work?"

    now = await memory.search(question)
    assert objects(now)[0] == "Anthropic"
    assert "TechCorp" not in objects(now)
    assert now.facts[0].quote.startswith("Alice left TechCorp and joined Anthropic")

    then = await memory.at(valid="2024-04-01").search(question)
    assert objects(then)[0] == "TechCorp"
    assert then.facts[0].quote == "Alice joined TechCorp in January 2023."
    assert objects(await memory.search("Where did Alice work in April 2024?"))[0] == "TechCorp"

    periods = (await memory.timeline("Alice", "WORKS_AT")).items
    assert [(p.fact.text, *dates(p)) for p in periods] == [
        ("Alice works at TechCorp", "2023-01", "2026-03-02"),
        ("Alice works at Anthropic", "2026-03-02", None),
    ]
    assert [dates(c) for c in periods[0].corrections] == [("2023-01", None)]

    day_before = memory.at(known="2026-03-01")
    [only] = (await day_before.facts("Alice", "WORKS_AT")).items
    assert (only.fact.text, *dates(only)) == ("Alice works at TechCorp", "2023-01", None)
    assert objects(await day_before.search(question))[0] == "TechCorp"

    ever = await memory.search("Who ever worked at TechCorp?")
    assert ever.facts[0].belief.fact.text == "Alice works at TechCorp"
    assert ever.facts[0].dates == "2023-01 → 2026-03-02"

    await memory.retract(second)
    [only] = (await memory.facts("Alice", "WORKS_AT")).items
    assert (only.fact.text, *dates(only)) == ("Alice works at TechCorp", "2023-01", None)
    assert objects(await memory.search(question))[0] == "TechCorp"


async def test_the_answers_follow_the_input(replay: tuple[Memory, ReplayClock]) -> None:
    """Other names and dates than the README's."""
    memory, _ = replay
    await memory.add("Dmitri joined Globex in June 2019.", occurred_at="2019-07-01")
    await memory.add("Dmitri left Globex and joined Initech as a data analyst.", occurred_at="2021-11-15")
    assert objects(await memory.search("Where does Dmitri work?"))[0] == "Initech"
    assert objects(await memory.at(valid="2020-01-01").search("Where does Dmitri work?"))[0] == "Globex"
    [globex, initech] = (await memory.timeline("Dmitri", "WORKS_AT")).items
    assert (dates(globex), dates(initech)) == (("2019-06", "2021-11-15"), ("2021-11-15", None))


async def test_chinese(replay: tuple[Memory, ReplayClock]) -> None:
    memory, _ = replay
    await memory.add(
        "Alice 离开 TechCorp，加入 Anthropic 做 research engineer", occurred_at="2026-03-02", session="a"
    )
    await memory.add(
        "我是 Liang，住北京，做 AI 工程师，我喜欢冷咖啡", occurred_at="2026-03-03", actor="liang", session="b"
    )
    assert objects(await memory.search("Alice 现在在哪工作？"))[0] == "Anthropic"
    coffee = await memory.search("他喝什么咖啡？", session="b")
    assert "冷咖啡" in coffee.facts[0].belief.fact.text
    assert "冷咖啡" in coffee.facts[0].quote
    assert "冷咖啡" in (await memory.search("他喝什么咖啡？")).facts[0].belief.fact.text
    assert objects(await memory.search("Liang 住在哪？"))[0] == "北京"


async def test_a_speaker_is_found_by_the_name_they_gave(replay: tuple[Memory, ReplayClock]) -> None:
    memory, _ = replay
    await memory.add("我是 Liang，住北京。", occurred_at="2026-03-03", actor="crm:4711")
    assert objects(await memory.search("Liang 住在哪？"))[0] == "北京"
    [belief] = (await memory.facts("Liang", "LIVES_IN")).items
    assert belief.fact.subject.name == "crm:4711"
