"""The promises of the design, through the public API, on every store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hitherto import Conflict, NotFound, WriteStatus
from hitherto.kg.store import EpisodeFilter, Page, Point
from tests.promises.conftest import Opener, believed
from tests.support import ClaimsExtractor, SaidClaim, StepClock, day, said

SHARED = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

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
    predicate = draw(st.sampled_from(["WORKS_AT", "LIKES", "DISLIKES"]))
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


_episodes = st.lists(
    st.tuples(st.lists(claims(), min_size=1, max_size=3, unique=True), st.integers(0, 60)), min_size=1, max_size=6
)


@SHARED
@given(episodes=_episodes, data=st.data())
async def test_order_does_not_matter(
    fresh: Opener, episodes: list[tuple[list[SaidClaim], int]], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(episodes))
    first, second = await fresh(), await fresh()
    for memory, order in ((first, episodes), (second, shuffled)):
        for content, when in order:
            await memory.add(said(*content), occurred_at=day(when))
    assert await believed(first) == await believed(second)


@SHARED
@given(episodes=_episodes, taken=st.data())
async def test_retracting_is_never_having_come(
    fresh: Opener, episodes: list[tuple[list[SaidClaim], int]], taken: st.DataObject
) -> None:
    out = taken.draw(st.sets(st.integers(0, len(episodes) - 1)))
    whole, part = await fresh(), await fresh()
    ids = [(await whole.add(said(*c), occurred_at=day(w))).episode_id for c, w in episodes]
    gone = {ids[i] for i in out}
    for episode_id in sorted(gone):
        await whole.retract(episode_id)
    for episode_id, (content, when) in zip(ids, episodes, strict=True):
        if episode_id not in gone:
            await part.add(said(*content), occurred_at=day(when))
    assert await believed(whole) == await believed(part)
    for episode_id, (content, when) in zip(ids, episodes, strict=True):
        if episode_id in gone:
            await whole.add(said(*content), occurred_at=day(when))
            await part.add(said(*content), occurred_at=day(when))
    assert await believed(whole) == await believed(part)


@SHARED
@given(episodes=_episodes)
async def test_history_reads_back_exactly(fresh: Opener, episodes: list[tuple[list[SaidClaim], int]]) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    held: list[tuple[datetime, list[tuple[str, object, object]]]] = []
    for number, (content, when) in enumerate(episodes):
        clock.now += timedelta(days=1)
        report = await memory.add(said(*content), occurred_at=day(when))
        if number % 3 == 2:
            clock.now += timedelta(days=1)
            report = await memory.retract(report.episode_id)
        if report.tx is not None:
            held.append((report.tx, await believed(memory)))
    for known, then in held:
        assert await believed(memory, known) == then


@SHARED
@given(episodes=_episodes)
async def test_one_value_at_a_time(fresh: Opener, episodes: list[tuple[list[SaidClaim], int]]) -> None:
    memory = await fresh()
    for content, when in episodes:
        await memory.add(said(*content), occurred_at=day(when))
    for person in ("Ann", "Ben"):
        page = await memory.at().facts(person, "WORKS_AT", during="ever", limit=1000)
        spans = sorted(
            (
                b.valid_from.at if b.valid_from else datetime.min.replace(tzinfo=UTC),
                b.valid_to.at if b.valid_to else datetime.max.replace(tzinfo=UTC),
            )
            for b in page.items
        )
        assert all(start < end for start, end in spans)
        assert all(a[1] <= b[0] for a, b in pairwise(spans))


@SHARED
@given(episodes=_episodes)
async def test_twice_is_once(fresh: Opener, episodes: list[tuple[list[SaidClaim], int]]) -> None:
    extractor = ClaimsExtractor()
    memory = await fresh(extractor)
    for content, when in episodes:
        await memory.add(said(*content), occurred_at=day(when))
    before, status, calls = await believed(memory), await memory.status(), extractor.calls
    for content, when in reversed(episodes):
        report = await memory.add(said(*content), occurred_at=day(when))
        assert report.status is WriteStatus.DUPLICATE
    assert (await believed(memory), await memory.status(), extractor.calls) == (before, status, calls)


@SHARED
@given(episodes=_episodes)
async def test_every_claim_has_its_verbatim_quote(
    fresh: Opener, episodes: list[tuple[list[SaidClaim], int]]
) -> None:
    memory = await fresh()
    for content, when in episodes:
        await memory.add(said(*content), occurred_at=day(when))
    texts = {e.id: e.text for e in (await memory.episodes(limit=1000)).items}
    for belief in (await memory.at().facts(during="ever", limit=1000)).items:
        assert belief.evidence
        for claim in belief.evidence:
            assert texts[claim.episode_id][claim.quote_start : claim.quote_end] == claim.quote != ""


async def test_a_failed_reading_leaves_the_episode_pending_and_it_is_taken_up_again(fresh: Opener) -> None:
    extractor = ClaimsExtractor(broken=True)
    memory = await fresh(extractor)
    text = said(SaidClaim("observation", "Acme", 0))
    with pytest.raises(RuntimeError, match="broken on purpose"):
        await memory.add(text, occurred_at=day(0), id="note")
    assert (await memory.status()).pending == 1
    assert await believed(memory) == []
    extractor.broken = False
    [report] = await memory.resume()
    assert (report.episode_id, report.status) == ("note", WriteStatus.ADDED)
    assert [r[0] for r in await believed(memory)] == ["Ann works at Acme"]
    assert await memory.resume() == []


async def test_adding_a_pending_episode_again_reads_it(fresh: Opener) -> None:
    extractor = ClaimsExtractor(broken=True)
    memory = await fresh(extractor)
    text = said(SaidClaim("observation", "Acme", 0))
    with pytest.raises(RuntimeError, match="broken on purpose"):
        await memory.add(text, occurred_at=day(0))
    extractor.broken = False
    report = await memory.add(text, occurred_at=day(0))
    assert report.status is WriteStatus.ADDED
    assert [b.fact.text for b in report.added] == ["Ann works at Acme"]


async def test_the_same_id_with_other_content_is_a_conflict(fresh: Opener) -> None:
    memory = await fresh()
    await memory.add(said(SaidClaim("observation", "Acme", 0)), occurred_at=day(0), id="note")
    before = await memory.status()
    with pytest.raises(Conflict, match="'note' is stored with other content"):
        await memory.add(said(SaidClaim("observation", "Bolt", 0)), occurred_at=day(0), id="note")
    assert await memory.status() == before


async def test_retracting_an_unknown_episode_is_not_found(fresh: Opener) -> None:
    memory = await fresh()
    with pytest.raises(NotFound, match="'nowhere'"):
        await memory.retract("nowhere")


async def test_a_late_message_has_its_sessions_next_ones_read_again(fresh: Opener) -> None:
    extractor = ClaimsExtractor()
    memory = await fresh(extractor)
    texts = [said(SaidClaim("observation", "Acme", n)) for n in range(3)]
    await memory.add(texts[0], occurred_at=day(0), session="s")
    await memory.add(texts[2], occurred_at=day(2), session="s")
    extractor.seen.clear()
    await memory.add(texts[1], occurred_at=day(1), session="s")
    assert extractor.seen == [texts[1], texts[2]]


async def test_every_episode_is_durable_before_it_is_read(fresh: Opener) -> None:
    """The extractor finds the episode stored, pending, when it is asked to read it."""
    found: list[int] = []

    class Looking(ClaimsExtractor):
        async def extract(self, readings):  # type: ignore[no-untyped-def]
            store = memory._pipeline.store
            page = await store.episodes(Point(memory.tenant), EpisodeFilter(), Page())
            found.append(len(page.items))
            return await super().extract(readings)

    memory = await fresh(Looking())
    await memory.add(said(SaidClaim("observation", "Acme", 0)), occurred_at=day(0))
    assert found == [1]
