"""``Memory.correct``: what was asked is what reads, and taking it back brings back what was, in any order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hitherto import Belief, Conflict, Entity, Invalid, Memory, NotFound, Value
from hitherto.correcting import Correction
from hitherto.kg.model import Format
from hitherto.temporal.claims import Says
from hitherto.temporal.corrections import HIGHEST_AUTHORITY
from hitherto.temporal.intervals import Interval, between
from tests.promises.conftest import Opener, believed, lines
from tests.promises.properties import Talk, log_of, replay, sized, talks, tell, told
from tests.support import SaidClaim, StepClock, day, said

TABLE = (("Acme", "2018", "2019"), ("Bolt", "2021-03", None))


async def employed(memory: Memory, *rows: tuple[str, str | None, str | None]) -> None:
    for where, start, end in rows or TABLE:
        await memory.assert_fact("Ann", "WORKS_AT", where, valid_from=start, valid_to=end, authority=7)


async def only(memory: Memory, object_: str, predicate: str = "WORKS_AT") -> Belief:
    (belief,) = (await memory.facts("Ann", predicate, object_, during="ever")).items
    return belief


CASES: dict[str, tuple[str, Correction, list[str]]] = {
    "a later beginning": ("Bolt", {"valid_from": "2021-06"}, ["Acme · 2018 → 2020", "Bolt · 2021-06 →"]),
    "an earlier beginning": ("Bolt", {"valid_from": "2020-02"}, ["Acme · 2018 → 2020", "Bolt · 2020-02 →"]),
    "an earlier beginning, over another": (
        "Bolt", {"valid_from": "2019-05"}, ["Acme · 2018 → 2019-05", "Bolt · 2019-05 →"],
    ),
    "an earlier end": ("Acme", {"valid_to": "2018-09"}, ["Acme · 2018 → 2018-10", "Bolt · 2021-03 →"]),
    "a later end": ("Acme", {"valid_to": "2020-09"}, ["Acme · 2018 → 2020-10", "Bolt · 2021-03 →"]),
    "a later end, over another": (
        "Acme", {"valid_to": "2021-09"}, ["Acme · 2018 → 2021-10", "Bolt · 2021-10 →"],
    ),
    "an end where there was none": ("Bolt", {"valid_to": "2023"}, ["Acme · 2018 → 2020", "Bolt · 2021-03 → 2024"]),
    "no end, up to the next": ("Acme", {"valid_to": None}, ["Acme · 2018 → 2021-03", "Bolt · 2021-03 →"]),
    "another object": ("Bolt", {"object": "Core"}, ["Acme · 2018 → 2020", "Core · 2021-03 →"]),
    "another object over a closed period": (
        "Acme", {"object": "Core"}, ["Core · 2018 → 2020", "Bolt · 2021-03 →"],
    ),
    "the object of another period": ("Bolt", {"object": "Acme"}, ["Acme · 2018 → 2020", "Acme · 2021-03 →"]),
    "all at once": (
        "Bolt",
        {"object": "Core", "valid_from": "2022", "valid_to": "2023"},
        ["Acme · 2018 → 2020", "Core · 2022 → 2024"],
    ),
    "never": ("Bolt", {"never": True}, ["Acme · 2018 → 2020"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
async def test_each_correction(fresh: Opener, name: str) -> None:
    which, correction, wanted = CASES[name]
    memory = await fresh()
    await employed(memory)
    before = await believed(memory)
    report = await memory.correct(await only(memory, which), **correction)
    assert await lines(memory) == [f"Ann works at {line}" for line in wanted]
    assert {str(b) for b in report.added} <= {f"Ann works at {line}" for line in wanted}
    await memory.retract(report.episode_id)
    assert await believed(memory) == before


async def test_a_correction_is_an_episode_with_its_words_as_the_quote(fresh: Opener) -> None:
    memory = await fresh()
    await employed(memory)
    report = await memory.correct(
        await only(memory, "Bolt"), valid_from="2021-06", reason="Her contract says June.", author="liang"
    )
    episode = (await memory.episodes(actor="liang")).items[0]
    assert (episode.id, episode.format, episode.source) == (report.episode_id, Format.CORRECTION, "correction")
    assert episode.occurred_at == StepClock().now
    (belief,) = report.added
    words = "Not “Ann works at Bolt · 2021-03 →” but “Ann works at Bolt · 2021-06 →”. Her contract says June."
    claims = [c for c in (await memory.claims(belief)).items if c.episode_id == episode.id]
    assert [(c.says, c.quote, c.authority) for c in claims] == [
        (Says.DENIAL, words, HIGHEST_AUTHORITY),
        (Says.DATED_BEGINNING, words, HIGHEST_AUTHORITY),
    ]
    assert all(episode.text[c.quote_start : c.quote_end] == c.quote for c in claims)
    changes = (await memory.changes(entity="Ann")).items[-2:]
    assert [(c.added, c.episode_ids) for c in changes] == [(False, (episode.id,)), (True, (episode.id,))]


async def test_many_values_at_a_time(fresh: Opener) -> None:
    memory = await fresh()
    await memory.assert_fact("Ann", "MEMBER_OF", "Acme", valid_from="2020")
    await memory.assert_fact("Ann", "MEMBER_OF", "Bolt", valid_from="2021", valid_to="2022")
    report = await memory.correct(await only(memory, "Bolt", "MEMBER_OF"), object="Core", valid_to="2023")
    assert await lines(memory) == ["Ann is a member of Acme · 2020 →", "Ann is a member of Core · 2021 → 2024"]
    await memory.correct(report.added[0], never=True)
    assert await lines(memory) == ["Ann is a member of Acme · 2020 →"]


async def test_a_literal_stays_one(fresh: Opener) -> None:
    memory = await fresh()
    await memory.assert_fact("Ann", "HAS_ROLE", "cook", valid_from="2020")
    report = await memory.correct(await only(memory, "cook", "HAS_ROLE"), object="chef")
    assert report.added[0].fact.object == Value("chef")


async def test_events(fresh: Opener) -> None:
    memory = await fresh()
    await memory.add(
        said(SaidClaim("dated_beginning", "Rome", 10, predicate="VISITED", grain_days=1)), occurred_at=day(20)
    )
    first = await memory.correct(await only(memory, "Rome", "VISITED"), valid_from="2024-03-05")
    (belief,) = first.added
    assert [str(b) for b in first.superseded] == ["Ann visited Rome · 2024-01-11"]
    assert (str(belief), belief.valid_to and belief.valid_to.at) == (
        "Ann visited Rome · 2024-03-05", datetime(2024, 3, 6, tzinfo=UTC),
    )  # fmt: skip
    moved = await memory.correct(belief, object="Oslo")
    assert await lines(memory) == ["Ann visited Oslo · 2024-03-05"]
    with pytest.raises(Invalid, match="cannot go on for ever"):
        await memory.correct(moved.added[0], valid_to=None)
    await memory.correct(moved.added[0], never=True)
    assert await lines(memory) == []


async def test_unknown_bounds(fresh: Opener) -> None:
    memory = await fresh()
    await memory.add(said(SaidClaim("end", "Acme", 100)), occurred_at=day(120))
    belief = await only(memory, "Acme")
    assert (belief.valid_from, str(belief)) == (None, "Ann works at Acme · → 2024-04-10")
    later = await memory.correct(belief, valid_to="2024-04-20")
    assert await lines(memory) == ["Ann works at Acme · → 2024-04-21"]
    begun = await memory.correct(later.added[0], valid_from="2023")
    assert await lines(memory) == ["Ann works at Acme · 2023 → 2024-04-21"]
    await memory.retract(begun.episode_id)
    await memory.correct(await only(memory, "Acme"), never=True)
    assert await lines(memory) == []


async def test_it_beats_what_is_dated_in_the_future(fresh: Opener) -> None:
    """A row of a table counts as said when it begins: the correction is said just after it."""
    clock = StepClock()
    memory = await fresh(clock=clock)
    await employed(memory, ("Acme", "2040", None))
    report = await memory.correct(await only(memory, "Acme"), valid_from="2041")
    assert await lines(memory) == ["Ann works at Acme · 2041 →"]
    (claim, *_) = (await memory.claims(report.added[0])).items[1:]
    assert claim.stated_at == datetime(2040, 1, 1, microsecond=1, tzinfo=UTC)


async def test_news_is_heard_but_does_not_undo_what_it_states(fresh: Opener) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    await employed(memory)
    first = await memory.correct(await only(memory, "Bolt"), valid_to="2023")
    clock.now += timedelta(days=10)
    news = "2030-01-05"
    for end in (SaidClaim("end", "Bolt", -300), SaidClaim("end", "Bolt", 300)):
        await memory.add(said(end), occurred_at=news)
    assert await lines(memory) == ["Ann works at Acme · 2018 → 2020", "Ann works at Bolt · 2021-03 → 2024"]
    await memory.add(said(SaidClaim("observation", "Acme", 2190)), occurred_at=news)
    assert await lines(memory, valid="2031") == ["Ann works at Acme · 2029-12-30 →"]
    await memory.correct(first.added[0], valid_to="2022")
    assert "Ann works at Bolt · 2021-03 → 2023" in await lines(memory)


async def test_what_is_no_longer_believed_cannot_be_corrected(fresh: Opener) -> None:
    memory = await fresh()
    await employed(memory)
    belief = await only(memory, "Bolt")
    await memory.correct(belief, valid_from="2021-06")
    before = await memory.status()
    with pytest.raises(Conflict, match="no longer believed, since 2030-01-01T"):
        await memory.correct(belief, valid_from="2021-07")
    with pytest.raises(NotFound, match="'nothing'"):
        await memory.correct("nothing", never=True)
    assert await memory.status() == before


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({}, Invalid, "nothing is corrected"),
    ({"never": False, "reason": "x"}, Invalid, "nothing is corrected"),
    ({"never": True, "object": "Core"}, Invalid, "never=True says all"),
    ({"valid_from": None}, Invalid, "a beginning cannot be taken away"),
    ({"valid_from": "2021-02-30"}, Invalid, "valid_from: '2021-02-30' is not a date"),
    ({"valid_to": "soon"}, Invalid, "valid_to: 'soon' is not a date"),
    ({"valid_to": "2020"}, Invalid, "in which nothing lies"),
    ({"valid_from": "2023", "valid_to": "2022"}, Invalid, "in which nothing lies"),
    ({"valid_from": "12024"}, Invalid, "is not a date"),
    ({"valid_from": "0000"}, Invalid, "is not a date"),
    ({"object": "  "}, Invalid, "object is empty"),
    ({"object": "bolt"}, Invalid, "is what is believed already"),
    ({"valid_from": "2021-03"}, Invalid, "is what is believed already"),
    ({"valid_from": "2021-03-01T00:00:00Z"}, Invalid, "is what is believed already"),
    ({"valid_to": None}, Invalid, "has no end to take away"),
]


@pytest.mark.parametrize("kind", ["memory"])
@pytest.mark.parametrize(("wanted", "error", "message"), WRONG, ids=lambda w: str(w)[:40])
async def test_a_wrong_correction_changes_nothing(
    fresh: Opener, wanted: dict[str, Any], error: type[Exception], message: str
) -> None:
    memory = await fresh()
    await employed(memory)
    belief = await only(memory, "Bolt")
    before = await memory.status()
    with pytest.raises(error, match=message) as raised:
        await memory.correct(belief, **wanted)
    assert "\n" not in str(raised.value)
    assert await memory.status() == before


async def test_an_end_that_only_the_next_value_set_is_not_taken_away(fresh: Opener) -> None:
    memory = await fresh()
    await memory.assert_fact("Ann", "WORKS_AT", "Acme", valid_from="2020")
    await memory.assert_fact("Ann", "WORKS_AT", "Bolt", valid_from="2022")
    with pytest.raises(Conflict, match="something else takes over then"):
        await memory.correct(await only(memory, "Acme"), valid_to=None)


@st.composite
def corrections(draw: st.DrawFn) -> Correction:
    wanted = Correction()
    for name in draw(st.sets(st.sampled_from(["valid_from", "valid_to", "object"]))):
        if name == "valid_from":
            wanted["valid_from"] = day(draw(st.integers(-5, 60)))
        elif name == "valid_to":
            wanted["valid_to"] = draw(st.none() | st.integers(-5, 60).map(day))
        else:
            wanted["object"] = draw(st.sampled_from(["Acme", "Bolt", "Core"]))
    return wanted or Correction(never=True)


def asked(belief: Belief, wanted: Correction) -> Interval:
    """Where the corrected fact is to show; a fact that did not end, at least as far as it had."""
    stretch = between(belief.valid_from, belief.valid_to)
    start, end = stretch.start, stretch.end
    if isinstance(moved := wanted.get("valid_from"), datetime):
        start = moved
        if belief.is_event and "valid_to" not in wanted and is_moment(belief):
            end = start + timedelta(microseconds=1)
    if isinstance(ended := wanted.get("valid_to"), datetime):
        end = ended
    return Interval(start, end)


def is_moment(belief: Belief) -> bool:
    """Whether an event's stretch is the grain of its time."""
    start, end = belief.valid_from, belief.valid_to
    return (
        start is not None
        and end is not None
        and end.at <= max(start.end_of_grain, start.at + timedelta(microseconds=1))
    )


async def objects(memory: Memory, belief: Belief, at: datetime) -> set[str]:
    """What is believed at an instant of the belief's subject and predicate; events by when they happened."""
    page = await memory.facts(belief.fact.subject.name, belief.fact.predicate, during=at)
    return {b.fact.object.name for b in page.items if isinstance(b.fact.object, Entity)}


async def a_correction_reads_as_asked(fresh: Opener, talk: Talk, data: st.DataObject) -> None:
    memory = await fresh()
    await tell(memory, told(fresh, talk))
    before = await believed(memory)
    beliefs = (await memory.facts(during="ever", limit=1000)).items
    assume(beliefs)
    belief, wanted = data.draw(st.sampled_from(beliefs)), data.draw(corrections())
    assert isinstance(belief.fact.object, Entity)
    try:
        report = await memory.correct(belief, **wanted)
    except (Invalid, Conflict):
        assert await believed(memory) == before
        return
    is_one = belief.fact.predicate == "WORKS_AT"
    was, now, old = between(belief.valid_from, belief.valid_to), asked(belief, wanted), belief.fact.object.name
    new = str(wanted.get("object", old))
    for at in sorted({*(day(n) for n in range(-6, 62, 4)), *(edge for edge in (was.start, now.start) if edge)}):
        shown = await objects(memory, belief, at)
        if "never" not in wanted and now.contains(at):
            assert new in shown
            assert not is_one or shown == {new}
        elif was.contains(at) and not ("valid_to" in wanted and wanted["valid_to"] is None):
            assert old not in shown
    again = await replay(data.draw(st.permutations(await log_of(memory))), memory.tenant)
    try:
        assert await believed(again) == await believed(memory)
    finally:
        await again.close()
    await memory.retract(report.episode_id)
    assert await believed(memory) == before


def suite(examples: int, *, shrink: bool = True) -> Any:
    class Corrections:
        @sized(examples, shrink=shrink)
        @given(talk=talks(4), data=st.data())
        async def test_a_correction_reads_as_asked(self, fresh: Opener, talk: Talk, data: st.DataObject) -> None:
            await a_correction_reads_as_asked(fresh, talk, data)

    return Corrections


class TestInMemory(suite(60)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "memory"


@pytest.mark.slow
class TestInMemoryAtLength(suite(200)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "memory"


@pytest.mark.neo4j
class TestOnNeo4j(suite(4, shrink=False)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "neo4j"


@pytest.mark.neo4j
@pytest.mark.slow
class TestOnNeo4jAtLength(suite(25, shrink=False)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "neo4j"
