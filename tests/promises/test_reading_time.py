"""Reading over stretches, through the public API: during, changes, history, claims, diff."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest

from hitherto import Belief, Invalid, Memory, NotFound
from hitherto.query.results import Change
from hitherto.query.view import View
from tests.promises.conftest import Opener, lines, row
from tests.support import SaidClaim, StepClock, day, said


@dataclass
class World:
    """Ann moved from Acme to Bolt; then it was learned that Acme ended earlier, and that she likes tea; the last
    message was taken back."""

    memory: Memory
    clock: StepClock
    ids: list[str]
    learned: list[datetime]


@pytest.fixture
async def world(fresh: Opener) -> World:
    clock = StepClock()
    memory = await fresh(clock=clock)
    ids, learned = [], []
    for number, claims in enumerate(
        (
            [SaidClaim("dated_beginning", "Acme", 0)],
            [SaidClaim("dated_beginning", "Bolt", 100)],
            [SaidClaim("end", "Acme", 80), SaidClaim("observation", "tea", 82, predicate="LIKES")],
        )
    ):
        clock.now += timedelta(days=1)
        report = await memory.add(said(*claims), occurred_at=day(110 + number), id=f"note-{number}")
        ids.append(report.episode_id)
        assert report.tx is not None
        learned.append(report.tx)
    clock.now += timedelta(days=1)
    report = await memory.retract(ids[2])
    assert report.tx is not None
    return World(memory, clock, ids, [*learned, report.tx])


ACME = "Ann works at Acme · 2024-01-01 →"
ACME_CLOSED = "Ann works at Acme · 2024-01-01 → 2024-04-10"
ACME_SHORT = "Ann works at Acme · 2024-01-01 → 2024-03-21"
BOLT = "Ann works at Bolt · 2024-04-10 →"
TEA = "Ann likes tea · 2024-03-23 →"


@pytest.mark.parametrize(
    ("during", "texts"),
    [
        ("ever", {ACME_CLOSED, BOLT}),
        ("2023", set()),
        ("2024", {ACME_CLOSED, BOLT}),
        ("2024-03", {ACME_CLOSED}),
        ("2024-04", {ACME_CLOSED, BOLT}),
        ("2024-04-09", {ACME_CLOSED}),
        ("2024-04-10", {BOLT}),
        (day(100), {BOLT}),
        (day(100) - timedelta(microseconds=1), {ACME_CLOSED}),
        (day(100).replace(tzinfo=None), {BOLT}),
        (day(100).date(), {BOLT}),
        (("2023", "2024-03"), {ACME_CLOSED}),
        ((None, "2023"), set()),
        ((None, "2024-01-01"), {ACME_CLOSED}),
        (("2024-05", None), {BOLT}),
        ((day(99), day(100)), {ACME_CLOSED}),
        ([day(100), day(101)], {BOLT}),
        (("9999", None), {BOLT}),
    ],
    ids=lambda given: "+".join(sorted(given)) or "none" if isinstance(given, set) else str(given),
)
async def test_facts_during(world: World, during: Any, texts: set[str]) -> None:
    assert {str(b) for b in (await world.memory.facts("Ann", during=during)).items} == texts


async def test_an_event_counts_by_when_it_happened(fresh: Opener) -> None:
    memory = await fresh()
    visit = SaidClaim("dated_beginning", "Rome", 10, predicate="VISITED", grain_days=1)
    await memory.add(said(visit), occurred_at=day(20))
    assert len((await memory.facts("Ann", during="2024-01-11")).items) == 1
    assert (await memory.facts("Ann", during="2024-01-12")).items == ()
    assert len((await memory.at("2024-01-12").facts("Ann")).items) == 1


async def test_during_as_it_was_known_and_with_other_conditions(world: World) -> None:
    third = world.memory.at(known=world.learned[2])
    assert {str(b) for b in (await third.facts(during="2024-03")).items} == {ACME_SHORT, TEA}
    assert {str(b) for b in (await third.facts(object="tea", during="2024")).items} == {TEA}
    assert {str(b) for b in (await third.facts(predicate="WORKS_AT", during=("2024-04", None))).items} == {BOLT}
    first = world.memory.at(known=world.learned[0])
    assert {str(b) for b in (await first.facts(during="2031")).items} == {ACME}


def told(changes: tuple[Change, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(("+ " if c.added else "- ") + str(c.belief), c.episode_ids) for c in changes]


async def test_changes_in_order_each_with_what_made_it(world: World) -> None:
    page = await world.memory.changes()
    assert page.cursor is None
    assert [c.at for c in page.items] == sorted(c.at for c in page.items)
    by_time: dict[datetime, set[tuple[str, tuple[str, ...]]]] = {}
    for change, line in zip(page.items, told(page.items), strict=True):
        by_time.setdefault(change.at, set()).add(line)
    first, second, third, fourth = world.learned
    note = [(f"note-{n}",) for n in range(3)]
    assert by_time == {
        first: {("+ " + ACME, note[0])},
        second: {("- " + ACME, note[1]), ("+ " + ACME_CLOSED, note[1]), ("+ " + BOLT, note[1])},
        third: {("- " + ACME_CLOSED, note[2]), ("+ " + ACME_SHORT, note[2]), ("+ " + TEA, note[2])},
        fourth: {("- " + ACME_SHORT, note[2]), ("- " + TEA, note[2]), ("+ " + ACME_CLOSED, note[2])},
    }
    gone = page.items[1]
    assert str(gone) == f"2030-01-03 00:00:00+00:00 - {ACME} · because of note-1"
    assert (gone.belief.superseded_at, gone.belief.ingested_at) == (second, first)
    assert [c.episode_id for c in gone.belief.evidence] == ["note-0"]
    came = page.items[0]
    assert (came.belief.superseded_at, [c.quote for c in came.because]) == (
        None, [said(SaidClaim("dated_beginning", "Acme", 0))],
    )  # fmt: skip


async def test_changes_of_a_stretch_of_an_entity_and_as_known(world: World) -> None:
    memory = world.memory
    first, second, third, _ = world.learned

    async def of(view: View, *stretch: Any, **more: Any) -> list[str]:
        return [text for text, _ in told((await view.changes(*stretch, **more)).items)]

    assert await of(memory.at(), first, second) == ["+ " + ACME]
    assert await of(memory.at(), "2030-01-03", "2030-01-03") == await of(memory.at(), second, third)
    assert set(await of(memory.at(), third, entity="tea")) == {"+ " + TEA, "- " + TEA}
    assert await of(memory.at(known=second), third) == []
    assert await of(memory.at(known=third), third, entity="tea") == ["+ " + TEA]
    assert await of(memory.at(), entity="Zoe") == []
    assert await of(memory.at(known=first - timedelta(days=9))) == []


async def test_changes_come_in_pages(world: World) -> None:
    view = world.memory.at()
    whole = (await view.changes()).items
    for limit in (1, 2, 3):
        items: list[Change] = []
        cursor = None
        while True:
            page = await view.changes(limit=limit, cursor=cursor)
            items += page.items
            cursor = page.cursor
            if cursor is None:
                break
        assert tuple(items) == whole


async def test_history_has_every_belief_with_its_claims_as_they_stood(world: World) -> None:
    acme = next(b for b in (await world.memory.facts(during="ever")).items if "Acme" in b.fact.text)
    first, second, third, fourth = world.learned
    for which in (acme, acme.fact, acme.id, acme.fact.id):
        held = (await world.memory.history(which)).items
        assert [(str(b), b.ingested_at, b.superseded_at) for b in held] == [
            (ACME, first, second),
            (ACME_CLOSED, second, third),
            (ACME_SHORT, third, fourth),
            (ACME_CLOSED, fourth, None),
        ]
        assert [[c.episode_id for c in b.evidence] for b in held] == [
            ["note-0"], ["note-0"], ["note-0", "note-2"], ["note-0"],
        ]  # fmt: skip
    then = (await world.memory.at(known=second).history(acme)).items
    assert [(str(b), b.superseded_at) for b in then] == [(ACME, second), (ACME_CLOSED, None)]
    one = await world.memory.history(acme, limit=3)
    rest = await world.memory.history(acme, limit=3, cursor=one.cursor)
    assert (*one.items, *rest.items) == held
    assert rest.cursor is None
    with pytest.raises(NotFound, match="'nothing'"):
        await world.memory.history("nothing")


async def test_history_of_what_was_taken_back_and_came_again(world: World) -> None:
    """The former stretch keeps the claims it had."""
    tea = (await world.memory.at(known=world.learned[2]).facts(object="tea")).items[0]
    claims = said(SaidClaim("end", "Acme", 80), SaidClaim("observation", "tea", 82, predicate="LIKES"))
    await world.memory.add(claims, occurred_at=day(112), id="note-2")
    held = (await world.memory.history(tea)).items
    assert [(str(b), [c.episode_id for c in b.evidence]) for b in held] == [(TEA, ["note-2"]), (TEA, ["note-2"])]
    assert [b.evidence[0].retracted_at for b in held] == [world.learned[3], None]


async def test_claims_are_all_that_a_belief_was_weighed_by(world: World) -> None:
    memory = world.memory
    acme = next(b for b in (await memory.facts(during="ever")).items if "Acme" in b.fact.text)
    held = (await memory.history(acme)).items
    views = {n: [(c.episode_id, c.says.value) for c in (await memory.claims(b)).items] for n, b in enumerate(held)}
    started, moved, ended = ("note-0", "dated_beginning"), ("note-1", "dated_beginning"), ("note-2", "end")
    assert views == {0: [started], 1: [started, moved], 2: [started, moved, ended], 3: [started, moved]}
    then = await memory.at(known=world.learned[0]).claims(held[0])
    assert [c.episode_id for c in then.items] == ["note-0"]
    one = await memory.claims(held[2].id, limit=2)
    rest = await memory.claims(held[2].id, limit=2, cursor=one.cursor)
    assert [c.episode_id for c in (*one.items, *rest.items)] == ["note-0", "note-1", "note-2"]
    with pytest.raises(NotFound, match="'nothing'"):
        await memory.claims("nothing")
    with pytest.raises(NotFound):
        await memory.at(known=world.learned[0]).claims(held[3])


async def test_diff_of_two_views(world: World) -> None:
    memory = world.memory
    second, third, fourth = world.learned[1:]

    def shown(beliefs: tuple[Belief, ...]) -> set[str]:
        return {str(b) for b in beliefs}

    in_time = await memory.diff(memory.at("2024-02-01"), memory.at("2024-05-01"))
    assert (shown(in_time.true_only_a), shown(in_time.true_only_b)) == ({ACME_CLOSED}, {BOLT})
    assert (in_time.believed_only_a, in_time.believed_only_b) == ((), ())
    assert str(in_time) == f"- true: {ACME_CLOSED}\n+ true: {BOLT}"
    in_belief = await memory.diff(memory.at("2024-04-01", known=second), memory.at("2024-04-01", known=third))
    assert (shown(in_belief.true_only_a), shown(in_belief.true_only_b)) == ({ACME_CLOSED}, {TEA})
    assert (shown(in_belief.believed_only_a), shown(in_belief.believed_only_b)) == (
        {ACME_CLOSED}, {ACME_SHORT, TEA},
    )  # fmt: skip
    both = await memory.diff(memory.at("2024-02-01", known=third), memory.at("2024-05-01", known=fourth))
    assert (shown(both.true_only_a), shown(both.true_only_b)) == ({ACME_SHORT}, {BOLT})
    same = await memory.diff(memory.at("2024-02-01", known=second), memory.at("2024-02-01", known=fourth))
    assert not same, "taken back: the same periods are believed, in rows of their own"
    assert not await memory.diff(memory.at(), memory.at())


async def test_a_diff_comes_in_pages(fresh: Opener) -> None:
    memory = await fresh()
    first = await memory.add_facts(
        [{"subject": f"P{n}", "predicate": "LIKES", "object": "tea", "valid_from": "2020"} for n in range(5)]
    )
    await memory.add_facts(
        [{"subject": f"Q{n}", "predicate": "LIKES", "object": "tea", "valid_from": "2021"} for n in range(4)]
    )
    a, b = memory.at("2022", known=first.tx), memory.at("2022")
    whole = await memory.diff(a, b)
    assert (len(whole.true_only_b), len(whole.believed_only_b), whole.cursor) == (4, 4, None)
    for limit in (1, 3, 4, 5):
        true_b: list[Any] = []
        believed_b: list[Any] = []
        cursor, pages = None, 0
        while True:
            page = await memory.diff(a, b, limit=limit, cursor=cursor)
            assert len(page.true_only_b) + len(page.believed_only_b) <= limit
            true_b += page.true_only_b
            believed_b += page.believed_only_b
            cursor, pages = page.cursor, pages + 1
            if cursor is None:
                break
            assert pages < 12
        assert (tuple(true_b), tuple(believed_b)) == (whole.true_only_b, whole.believed_only_b)


async def test_views_of_two_memories_are_not_compared(fresh: Opener) -> None:
    one, other = await fresh(), await fresh()
    with pytest.raises(Invalid, match="views of one memory"):
        await one.diff(one.at(), other.at())


async def test_a_view_answers_alike_later(world: World) -> None:
    view, memory = world.memory.at(), world.memory
    (bolt,) = (await view.facts("Ann")).items

    async def all_of() -> object:
        reads = (view.changes(), view.history(bolt), view.claims(bolt), view.facts(during="2024"))
        return await asyncio.gather(*reads)

    before = await all_of()
    await memory.correct(bolt, valid_from="2024-05")
    assert await all_of() == before
    assert await lines(memory, valid="2024-05-02") == ["Ann works at Bolt · 2024-05 →"]
    assert row(bolt) not in [row(b) for b in (await memory.facts("Ann")).items]
