"""Talks whose pronouns need the messages before them: one by one in any order, in bulk, and after taking back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitherto import Memory
from hitherto.backload import Item
from hitherto.extraction.extractor import Reading
from hitherto.kg.model import Draft
from hitherto.sessions import CONTEXT_EPISODES
from tests.promises.conftest import Opener, believed
from tests.promises.properties import claims, dump, sized
from tests.support import ClaimsExtractor, day, said

THEY = "they"

Said = tuple[str, int, str | None]
"""Text, day and session of an episode."""


class PronounExtractor(ClaimsExtractor):
    """ "they" is the last one named before in the session, if there is one in sight."""

    def _read(self, reading: Reading) -> list[Draft]:
        named = [
            draft.subject
            for episode in (*reading.earlier, reading.episode)
            for draft in super(PronounExtractor, self)._read(Reading(episode))
        ]
        before = [one for one in named if one.name != THEY]
        drafts = super()._read(reading)
        return [replace(d, subject=before[-1]) if d.subject.name == THEY and before else d for d in drafts]


@st.composite
def talks(draw: st.DrawFn) -> list[Said]:
    """Ever so long that what is said at the beginning is out of the last ones' sight."""
    pronoun = claims().map(lambda c: replace(c, subject=THEY))
    content = st.lists(st.one_of(claims(), pronoun, pronoun, pronoun), min_size=1, max_size=2, unique=True)
    one = st.tuples(content, st.integers(0, 12), st.sampled_from(["s", "s", "t", None]))
    found = draw(st.lists(one, min_size=1, max_size=CONTEXT_EPISODES + 6))
    return list(dict.fromkeys((said(*content), when, session) for content, when, session in found))


def told(fresh: Opener, talk: Sequence[Said]) -> list[dict[str, Any]]:
    """What ``add_many`` takes; no two at one time where ties are settled by ids that differ."""
    apart = timedelta(seconds=1 if fresh.own_tenants else 0)
    return [
        {"content": text, "occurred_at": day(when) + number * apart, "session": session}
        for number, (text, when, session) in enumerate(talk)
    ]


async def tell(memory: Memory, items: Sequence[dict[str, Any]]) -> list[str]:
    found = []
    for item in items:
        details = {name: value for name, value in item.items() if name != "content"}
        found.append((await memory.add(item["content"], **details)).episode_id)
    return found


def in_order(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(items, key=lambda item: item["occurred_at"])


async def stream(items: Sequence[Item]) -> AsyncIterator[Item]:
    for item in items:
        yield item


async def same(fresh: Opener, first: Memory, second: Memory) -> None:
    assert await believed(first) == await believed(second)
    if not fresh.own_tenants:
        assert await dump(first) == await dump(second)


def suite(examples: int, *, shrink: bool = True) -> Any:
    sized_ = sized(examples, shrink=shrink)

    class Sessions:
        @sized_
        @given(talk=talks(), data=st.data())
        async def test_one_by_one_in_any_order(self, fresh: Opener, talk: list[Said], data: st.DataObject) -> None:
            items = told(fresh, talk)
            first, second = await fresh(PronounExtractor()), await fresh(PronounExtractor())
            await tell(first, in_order(items))
            await tell(second, data.draw(st.permutations(items)))
            await same(fresh, first, second)

        @sized_
        @given(talk=talks(), data=st.data())
        async def test_in_bulk(self, fresh: Opener, talk: list[Said], data: st.DataObject) -> None:
            """In any order and batches, some of it there already, the rest told in two goes."""
            items = told(fresh, talk)
            first, second = await fresh(PronounExtractor()), await fresh(PronounExtractor())
            await tell(first, in_order(items))
            mixed = data.draw(st.permutations(items))
            there = data.draw(st.integers(0, len(items)))
            await tell(second, mixed[:there])
            batch = data.draw(st.integers(1, 5))
            report = await second.add_many(mixed, batch=batch)
            assert (report.episodes, report.duplicates) == (len(items), there)
            await same(fresh, first, second)
            assert (await second.add_many(stream(items), batch=batch)).duplicates == len(items)
            await same(fresh, first, second)

        @sized_
        @given(talk=talks(), data=st.data())
        async def test_taken_back(self, fresh: Opener, talk: list[Said], data: st.DataObject) -> None:
            items = told(fresh, talk)
            out = data.draw(st.sets(st.integers(0, len(items) - 1)))
            whole, part = await fresh(PronounExtractor()), await fresh(PronounExtractor())
            ids = await tell(whole, items)
            for number in sorted(out):
                await whole.retract(ids[number])
            await tell(part, in_order([item for number, item in enumerate(items) if number not in out]))
            assert await believed(whole) == await believed(part)
            await tell(whole, [items[number] for number in sorted(out)])
            await tell(part, [items[number] for number in sorted(out)])
            assert await believed(whole) == await believed(part)

    return Sessions


class TestInMemory(suite(40)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "memory"


class TestInAFile(suite(5)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "file"


@pytest.mark.neo4j
class TestOnNeo4j(suite(2, shrink=False)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "neo4j"
