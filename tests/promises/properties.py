"""The promises of the design as properties, through the public API. ``suite`` makes a test class of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any, TypeAlias

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hitherto import Memory, WriteStatus
from hitherto.kg.model import Belief, Claim, Episode, EpisodeStatus, WriteReport
from hitherto.kg.store import EpisodeFilter, FactFilter, Page, Point
from tests.promises.conftest import Opener, believed, rows
from tests.support import ClaimsExtractor, SaidClaim, StepClock, day, said

Talk: TypeAlias = "list[tuple[list[SaidClaim], int]]"
"""Episodes: what each claims, and the day on which it was said."""

_ALL = Page(limit=1000)

_says = st.sampled_from(["observation", "dated_beginning", "since", "extent", "end", "denial"])


@st.composite
def claims(draw: st.DrawFn) -> SaidClaim:
    says = draw(_says)
    start = draw(st.integers(0, 40))
    end = draw(st.none() | st.integers(start + 1, 50)) if says in ("extent", "denial") else None
    if says == "denial" and draw(st.booleans()):
        start_or_none, end = None, draw(st.none() | st.integers(1, 50))
    else:
        start_or_none = start
    predicate = draw(st.sampled_from(["WORKS_AT", "LIKES", "DISLIKES", "VISITED"]))
    return SaidClaim(
        says=says,
        object=draw(st.sampled_from(["Acme", "Bolt"])),
        start=start_or_none,
        end=end,
        subject=draw(st.sampled_from(["Ann", "Ben"])),
        predicate=predicate,
        grain_days=draw(st.sampled_from([0, 1, 7])) if says in ("dated_beginning", "since", "end") else 0,
        authority=draw(st.sampled_from([0, 0, 1])),
        confidence=draw(st.sampled_from([1.0, 0.9, 0.2])),
    )


def talks(most: int) -> st.SearchStrategy[Talk]:
    episode = st.tuples(st.lists(claims(), min_size=1, max_size=3, unique=True), st.integers(0, 60))
    return st.lists(episode, min_size=1, max_size=most)


def told(fresh: Opener, talk: Talk) -> list[tuple[str, datetime]]:
    """(text, when) of each episode; no two at one time where ties are settled by ids that differ."""
    apart = timedelta(seconds=1 if fresh.own_tenants else 0)
    return [(said(*content), day(when) + number * apart) for number, (content, when) in enumerate(talk)]


async def tell(memory: Memory, episodes: Sequence[tuple[str, datetime]]) -> list[str]:
    return [(await memory.add(text, occurred_at=when)).episode_id for text, when in episodes]


async def log_of(memory: Memory) -> list[Episode]:
    """The episodes that stand, as they were before they were stored."""
    page = await memory.episodes(limit=1000)
    assert page.cursor is None
    return [replace(e, status=EpisodeStatus.PENDING, ingested_at=None) for e in page.items]


async def replay(episodes: Sequence[Episode], tenant: str) -> Memory:
    """An empty store in memory, of that tenant, that was told these episodes in this order."""
    memory = await Opener(lambda: ":memory:")(tenant=tenant)
    for episode in episodes:
        await memory._pipeline.add(episode)
    return memory


async def dump(memory: Memory) -> list[str]:
    """All that is held, with all ids that do not hang on when it was learned, in a fixed order."""
    view = memory.at()
    beliefs = (await view.facts(during="ever", limit=1000)).items
    texts = [repr((b.fact, b.valid_from, b.valid_to, b.is_event)) for b in beliefs]
    texts += [repr(_timeless(c)) for b in beliefs for c in (await view.claims(b, limit=1000)).items]
    texts += [repr(e) for e in await log_of(memory)]
    status = await memory.status()
    return [*sorted(set(texts)), repr((status.episodes, status.entities, status.facts, status.beliefs))]


def _timeless(claim: Claim) -> Claim:
    return replace(claim, recorded_at=None)


async def order_does_not_matter(fresh: Opener, talk: Talk, data: st.DataObject) -> None:
    episodes = told(fresh, talk)
    first, second = await fresh(), await fresh()
    await tell(first, episodes)
    await tell(second, data.draw(st.permutations(episodes)))
    assert await believed(first) == await believed(second)


async def retracting_is_never_having_come(fresh: Opener, talk: Talk, data: st.DataObject) -> None:
    episodes = told(fresh, talk)
    out = data.draw(st.sets(st.integers(0, len(episodes) - 1)))
    whole, part = await fresh(), await fresh()
    ids = await tell(whole, episodes)
    gone = {ids[number] for number in out}
    for episode_id in sorted(gone):
        await whole.retract(episode_id)
    await tell(part, [e for id_, e in zip(ids, episodes, strict=True) if id_ not in gone])
    assert await believed(whole) == await believed(part)
    again = [e for id_, e in zip(ids, episodes, strict=True) if id_ in gone]
    await tell(whole, again)
    await tell(part, again)
    assert await believed(whole) == await believed(part)


async def history_reads_back_exactly(fresh: Opener, talk: Talk) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    held: list[tuple[datetime, list[tuple[str, object, object]], tuple[Belief, ...]]] = []
    for number, (text, when) in enumerate(told(fresh, talk)):
        clock.now += timedelta(days=1)
        report = await memory.add(text, occurred_at=when)
        if number % 3 == 2:
            clock.now += timedelta(days=1)
            report = await memory.retract(report.episode_id)
        if report.tx is not None:
            now = (await memory.at().facts(during="ever", limit=1000)).items
            held.append((report.tx, await believed(memory), now))
    for known, then, beliefs in held:
        assert await believed(memory, known) == then
        assert (await memory.at(known=known).facts(during="ever", limit=1000)).items == beliefs


async def one_value_at_a_time(fresh: Opener, talk: Talk) -> None:
    memory = await fresh()
    await tell(memory, told(fresh, talk))
    _check_one_value_at_a_time((await memory.facts(predicate="WORKS_AT", during="ever", limit=1000)).items)


def _check_one_value_at_a_time(beliefs: Sequence[Belief]) -> None:
    for person in ("Ann", "Ben"):
        spans = sorted(
            (
                b.valid_from.at if b.valid_from else datetime.min.replace(tzinfo=UTC),
                b.valid_to.at if b.valid_to else datetime.max.replace(tzinfo=UTC),
            )
            for b in beliefs
            if (b.fact.subject.name, b.fact.predicate) == (person, "WORKS_AT")
        )
        assert all(start < end for start, end in spans)
        assert all(a[1] <= b[0] for a, b in pairwise(spans))


async def twice_is_once(fresh: Opener, talk: Talk) -> None:
    extractor = ClaimsExtractor()
    memory = await fresh(extractor)
    episodes = told(fresh, talk)
    await tell(memory, episodes)
    before, status, calls = await believed(memory), await memory.status(), extractor.calls
    for text, when in reversed(episodes):
        report = await memory.add(text, occurred_at=when)
        assert report.status is WriteStatus.DUPLICATE
    assert (await believed(memory), await memory.status(), extractor.calls) == (before, status, calls)


async def every_claim_has_its_verbatim_quote(fresh: Opener, talk: Talk) -> None:
    memory = await fresh()
    await tell(memory, told(fresh, talk))
    beliefs = (await memory.facts(during="ever", limit=1000)).items
    _check_quotes(beliefs, (await memory.episodes(limit=1000)).items)


def _check_quotes(beliefs: Sequence[Belief], episodes: Sequence[Episode]) -> None:
    texts = {e.id: e.text for e in episodes}
    for belief in beliefs:
        assert belief.evidence
        for claim in belief.evidence:
            assert texts[claim.episode_id][claim.quote_start : claim.quote_end] == claim.quote != ""


async def a_replay_rebuilds_the_same(fresh: Opener, talk: Talk, data: st.DataObject) -> None:
    """Also in another kind of store, in another order, and although episodes were retracted meanwhile."""
    memory = await fresh()
    ids = await tell(memory, told(fresh, talk))
    for number in data.draw(st.sets(st.integers(0, len(ids) - 1), max_size=2)):
        await memory.retract(ids[number])
    episodes = await log_of(memory)
    rebuilt = await replay(data.draw(st.permutations(episodes)), memory.tenant)
    try:
        assert await dump(rebuilt) == await dump(memory)
    finally:
        await rebuilt.close()


async def canon(memory: Memory) -> list[str]:
    """All that is held and stands, with all ids, in a fixed order: ``dump`` in four reads."""
    store, point = memory.at().store, Point(memory.tenant, None, (await memory.at().instants()).known)
    beliefs = (await store.beliefs(point, FactFilter(), _ALL)).items
    episodes = (await store.episodes(point, EpisodeFilter(), _ALL)).items
    claims = await store.episode_claims(point, [e.id for e in episodes])
    texts = [repr((b.fact, b.valid_from, b.valid_to, b.is_event)) for b in beliefs]
    texts += [repr(_timeless(c)) for said in claims.values() for c in said]
    return sorted(texts) + [repr(replace(e, ingested_at=None)) for e in episodes]


async def all_at_once(fresh: Opener, talk: Talk, data: st.DataObject) -> None:
    """Every promise above on one talk: what they have in common is told once, so that thousands fit in minutes."""
    clock, extractor = StepClock(), ClaimsExtractor()
    whole, part = await fresh(extractor, clock=clock), await fresh()
    episodes = told(fresh, talk)
    held: dict[datetime, tuple[Belief, ...]] = {}
    ids: list[str] = []

    async def learn(report: WriteReport) -> None:
        clock.now += timedelta(days=1)
        if report.tx is not None:
            assert report.tx > max(held, default=datetime.min.replace(tzinfo=UTC))
            held[report.tx] = (await whole.at().facts(during="ever", limit=1000)).items

    for text, when in episodes:
        report = await whole.add(text, occurred_at=when)
        ids.append(report.episode_id)
        await learn(report)
    believed_of_all = rows(held[max(held)])
    _check_one_value_at_a_time(held[max(held)])
    _check_quotes(held[max(held)], (await whole.episodes(limit=1000)).items)
    before = (await canon(whole), await whole.status(), extractor.calls)
    for text, when in reversed(episodes):
        assert (await whole.add(text, occurred_at=when)).status is WriteStatus.DUPLICATE
    assert (await canon(whole), await whole.status(), extractor.calls) == before
    numbers = list(dict(zip(ids, range(len(ids)), strict=True)).values())
    out = data.draw(st.sets(st.sampled_from(numbers), max_size=3))
    for number in sorted(out):
        await learn(await whole.retract(ids[number]))
    stay = data.draw(st.permutations([n for n in numbers if n not in out]))
    await tell(part, [episodes[n] for n in stay])
    assert rows(held[max(held)]) == await believed(part)
    _check_one_value_at_a_time(held[max(held)])
    # The rest comes to the one as it did, to the other in bulk.
    for number in sorted(out):
        await learn(await whole.add(episodes[number][0], occurred_at=episodes[number][1]))
    come = data.draw(st.permutations(sorted(out)))
    batch = data.draw(st.integers(1, 3))
    await part.add_many([{"content": episodes[n][0], "occurred_at": episodes[n][1]} for n in come], batch=batch)
    assert rows(held[max(held)]) == await believed(part) == believed_of_all
    if not fresh.own_tenants:
        assert await canon(part) == await canon(whole) == before[0]
    for known, beliefs in held.items():
        assert (await whole.at(known=known).facts(during="ever", limit=1000)).items == beliefs


def sized(examples: int, *, shrink: bool = True) -> settings:
    """So many examples in an ordinary run, fifty times as many with ``--hypothesis-profile=thorough``."""
    shared = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors, HealthCheck.too_slow]
    phases = [phase for phase in Phase if shrink or phase not in (Phase.shrink, Phase.explain)]
    return settings(
        max_examples=examples * settings().max_examples // 100,
        deadline=None,
        suppress_health_check=shared,
        phases=phases,
    )


def suite(examples: int, *, most: int = 6, shrink: bool = True) -> Any:
    """A test class with each promise tried on so many examples of up to ``most`` episodes. Its ``kind`` fixture
    says on which stores.

    ``shrink`` False: a counterexample is told as it was found; on a server, looking for a smaller one takes long.
    """
    sized_, talk_ = sized(examples, shrink=shrink), talks(most)

    class Promises:
        @sized_
        @given(talk=talk_, data=st.data())
        async def test_order_does_not_matter(self, fresh: Opener, talk: Talk, data: st.DataObject) -> None:
            await order_does_not_matter(fresh, talk, data)

        @sized_
        @given(talk=talk_, data=st.data())
        async def test_retracting_is_never_having_come(
            self, fresh: Opener, talk: Talk, data: st.DataObject
        ) -> None:
            await retracting_is_never_having_come(fresh, talk, data)

        @sized_
        @given(talk=talk_)
        async def test_history_reads_back_exactly(self, fresh: Opener, talk: Talk) -> None:
            await history_reads_back_exactly(fresh, talk)

        @sized_
        @given(talk=talk_)
        async def test_one_value_at_a_time(self, fresh: Opener, talk: Talk) -> None:
            await one_value_at_a_time(fresh, talk)

        @sized_
        @given(talk=talk_)
        async def test_twice_is_once(self, fresh: Opener, talk: Talk) -> None:
            await twice_is_once(fresh, talk)

        @sized_
        @given(talk=talk_)
        async def test_every_claim_has_its_verbatim_quote(self, fresh: Opener, talk: Talk) -> None:
            await every_claim_has_its_verbatim_quote(fresh, talk)

        @sized_
        @given(talk=talk_, data=st.data())
        async def test_a_replay_rebuilds_the_same(self, fresh: Opener, talk: Talk, data: st.DataObject) -> None:
            await a_replay_rebuilds_the_same(fresh, talk, data)

    return Promises


def at_length(examples: int, *, most: int, shrink: bool = True) -> Any:
    """The same with all promises in one test."""

    class AtLength:
        @sized(examples, shrink=shrink)
        @given(talk=talks(most), data=st.data())
        async def test_all_promises_at_once(self, fresh: Opener, talk: Talk, data: st.DataObject) -> None:
            await all_at_once(fresh, talk, data)

    return AtLength
