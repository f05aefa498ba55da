"""What merges and splits promise, as properties through the public API. ``suite`` makes a test class of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from hitherto import Invalid, Memory, NotFound, WriteReport
from hitherto.kg.model import Belief, Entity
from hitherto.kg.store import Point
from tests.promises.conftest import Opener, believed
from tests.promises.properties import claims, dump, log_of, replay, sized
from tests.support import SaidClaim, StepClock, day, said

PEOPLE = ["Ann", "Annie", "Ann Lee"]
PLACES = ["Acme", "Acme Inc", "Bolt"]
NAMES = [*PEOPLE, *PLACES]


@dataclass(frozen=True)
class Tell:
    claims: tuple[SaidClaim, ...]
    day: int


@dataclass(frozen=True)
class Judge:
    """A merge or a split."""

    same: bool
    a: str
    b: str


@dataclass(frozen=True)
class TakeBack:
    """Of what was said or judged so far, the one at this place, counted round and round."""

    place: int


Step: TypeAlias = "Tell | Judge | TakeBack"

_names = st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))


@st.composite
def _claims(draw: st.DrawFn) -> SaidClaim:
    claim = draw(claims())
    subject, object_ = draw(st.sampled_from(PEOPLE)), draw(st.sampled_from(PLACES))
    return replace(claim, subject=subject, object=object_)


_tells = st.builds(Tell, st.lists(_claims(), min_size=1, max_size=3, unique=True).map(tuple), st.integers(0, 60))
_judges = st.builds(lambda same, pair: Judge(same, *pair), st.sampled_from([True, True, False]), _names)
_steps = _tells | _judges | st.builds(TakeBack, st.integers(0, 20))


def stories(most: int) -> st.SearchStrategy[list[Step]]:
    """What happens to a memory; it begins with something told, so that there is somebody to judge about."""
    return st.tuples(_tells, _tells, st.lists(_steps, min_size=1, max_size=most)).map(lambda s: [*s[:2], *s[2]])


async def judge(memory: Memory, step: Judge) -> WriteReport | None:
    """None: refused, since nobody is called so (yet), or it is one name."""
    try:
        return await (memory.merge if step.same else memory.split)(step.a, step.b, reason="why not")
    except (NotFound, Invalid):
        return None


async def live(memory: Memory, story: Sequence[Step], apart: timedelta) -> None:
    done: list[WriteReport] = []
    for number, step in enumerate(story):
        await take(memory, step, number * apart, done)


async def take(memory: Memory, step: Step, later: timedelta, done: list[WriteReport]) -> WriteReport | None:
    """One step. ``done`` are the reports so far, this one's included afterwards."""
    report: WriteReport | None = None
    if isinstance(step, Tell):
        report = await memory.add(said(*step.claims), occurred_at=day(step.day) + later)
    elif isinstance(step, Judge):
        report = await judge(memory, step)
    elif done:
        report = await memory.retract(done[step.place % len(done)].episode_id)
    if report is not None and report.episode_id:
        done.append(report)
    return report


def apart_of(fresh: Opener) -> timedelta:
    """No two claims at one time where ties are settled by ids that differ between the memories."""
    return timedelta(seconds=1 if fresh.own_tenants else 0)


async def held(memory: Memory) -> list[str]:
    """All that is held but merges and splits: facts, entities and claims with all ids that do not hang on when."""
    episodes = {repr(e) for e in await log_of(memory)}
    *texts, _ = await dump(memory)
    status = await memory.status()
    return [*(t for t in texts if t not in episodes), repr((status.entities, status.facts, status.beliefs))]


async def parted_again_is_never_merged(fresh: Opener, story: list[Step], data: st.DataObject) -> None:
    memory = await fresh()
    await live(memory, [s for s in story if isinstance(s, Tell)], apart_of(fresh))
    before = await held(memory)
    by_name = await find(memory)
    merged = []
    for a, b in data.draw(st.lists(_names, min_size=1, max_size=3)):
        if (report := await judge(memory, Judge(True, a, b))) is not None and report.tx is not None:
            merged.append((a, b, report))
    for a, b, report in data.draw(st.permutations(merged)):
        if data.draw(st.booleans()):
            await memory.retract(report.episode_id)
        else:
            await memory.split(a, b)
    assert await held(memory) == before
    assert await find(memory) == by_name


async def find(memory: Memory, known: datetime | None = None) -> list[tuple[str, list[Entity]]]:
    """Who is found by each name."""
    store = memory._pipeline.store
    point = Point(memory.tenant, None, known or await store.last_commit(memory.tenant))
    return sorted((await store.find_entities(point, NAMES)).items())


async def a_rebuild_in_another_order_is_the_same(fresh: Opener, story: list[Step], data: st.DataObject) -> None:
    """So it is the same whether a merge comes before or after the facts."""
    memory = await fresh()
    await live(memory, story, apart_of(fresh))
    episodes = await log_of(memory)
    rebuilt = await replay(data.draw(st.permutations(episodes)), memory.tenant)
    try:
        assert await dump(rebuilt) == await dump(memory)
        assert await find(rebuilt) == await find(memory)
    finally:
        await rebuilt.close()


async def past_views_stay(fresh: Opener, story: list[Step]) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    seen: list[tuple[datetime, list[Any], tuple[Belief, ...], list[tuple[str, list[Entity]]]]] = []
    done: list[WriteReport] = []
    for number, step in enumerate(story):
        clock.now += timedelta(days=1)
        report = await take(memory, step, timedelta(seconds=number), done)
        if report is not None and report.tx is not None:
            now = (await memory.at(known=report.tx).facts(during="ever", limit=1000)).items
            seen.append((report.tx, await believed(memory, report.tx), now, await find(memory, report.tx)))
    for known, rows, beliefs, names in seen:
        assert await believed(memory, known) == rows
        assert (await memory.at(known=known).facts(during="ever", limit=1000)).items == beliefs
        assert await find(memory, known) == names


async def one_value_stays_one(fresh: Opener, story: list[Step]) -> None:
    memory = await fresh()
    await live(memory, story, apart_of(fresh))
    for _, entities in await find(memory):
        assert len(entities) == 1
        page = await memory.at().facts(entities[0].name, "WORKS_AT", during="ever", limit=1000)
        spans = sorted(
            (
                b.valid_from.at if b.valid_from else datetime.min.replace(tzinfo=UTC),
                b.valid_to.at if b.valid_to else datetime.max.replace(tzinfo=UTC),
            )
            for b in page.items
            if b.fact.subject == entities[0]
        )
        assert all(a[1] <= b[0] for a, b in pairwise(spans))


def suite(examples: int, *, most: int = 6, shrink: bool = True) -> Any:
    """A test class with each property tried on so many examples. Its ``kind`` fixture says on which stores."""
    sized_, story_ = sized(examples, shrink=shrink), stories(most)

    class Identities:
        @sized_
        @given(story=story_, data=st.data())
        async def test_parted_again_is_never_merged(
            self, fresh: Opener, story: list[Step], data: st.DataObject
        ) -> None:
            await parted_again_is_never_merged(fresh, story, data)

        @sized_
        @given(story=story_, data=st.data())
        async def test_a_rebuild_in_another_order_is_the_same(
            self, fresh: Opener, story: list[Step], data: st.DataObject
        ) -> None:
            await a_rebuild_in_another_order_is_the_same(fresh, story, data)

        @sized_
        @given(story=story_)
        async def test_past_views_stay(self, fresh: Opener, story: list[Step]) -> None:
            await past_views_stay(fresh, story)

        @sized_
        @given(story=story_)
        async def test_one_value_stays_one(self, fresh: Opener, story: list[Step]) -> None:
            await one_value_stays_one(fresh, story)

    return Identities
