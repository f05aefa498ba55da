"""Where other memories fail, by name: each case on every store."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hitherto import Memory
from hitherto.kg.ontology import Ontology, Predicate
from hitherto.temporal.grains import Basis
from hitherto.temporal.rules import Cardinality
from tests.promises.conftest import Opener, believed, lines
from tests.support import DAY_ZERO, SaidClaim, StepClock, rules, said


def days(date: str) -> int:
    """The day's number; a month or year stands for its first."""
    return (datetime.fromisoformat((date + "-01-01")[:10]).replace(tzinfo=UTC) - DAY_ZERO).days


def claim(says: str, object_: str, start: str | None = None, end: str | None = None, **more: Any) -> SaidClaim:
    return SaidClaim(says, object_, start and days(start), end and days(end), **more)  # type: ignore[arg-type]


async def add(memory: Memory, when: str, *claims: SaidClaim) -> str:
    return (await memory.add(said(*claims), occurred_at=when)).episode_id


async def test_a_b_a_gives_three_periods(fresh: Opener) -> None:
    memory = await fresh()
    for when, where in (("2021", "Acme"), ("2022", "Bolt"), ("2023", "Acme")):
        await add(memory, when, claim("dated_beginning", where, when))
    assert await lines(memory) == [
        "Ann works at Acme · 2021-01-01 → 2022-01-01",
        "Ann works at Bolt · 2022-01-01 → 2023-01-01",
        "Ann works at Acme · 2023-01-01 →",
    ]


async def test_a_b_a_gives_three_periods_when_the_third_is_reworded(fresh: Opener) -> None:
    memory = await fresh(rules())
    await memory.add("Alice works at TechCorp.", occurred_at="2021-02-01")
    await memory.add("Alice joined Anthropic in March 2022.", occurred_at="2022-03-15")
    await memory.add("In May 2023 Alice started working at TechCorp.", occurred_at="2023-06-01")
    assert [line for line in await lines(memory) if "works at" in line] == [
        "Alice works at TechCorp · 2021-02-01 → 2022-03",
        "Alice works at Anthropic · 2022-03 → 2023-05",
        "Alice works at TechCorp · 2023-05 →",
    ]


async def test_of_two_states_dated_the_same_day_the_later_in_the_text_wins(fresh: Opener) -> None:
    for first, last in (("Acme", "Bolt"), ("Bolt", "Acme")):
        memory = await fresh()
        both = [claim("dated_beginning", where, "2022-05-01", grain_days=1) for where in (first, last)]
        await add(memory, "2022-05-02", *both)
        assert [b.fact.text for b in (await memory.facts("Ann")).items] == [f"Ann works at {last}"]


async def test_an_undated_side_begins_when_it_was_said_and_says_so(fresh: Opener) -> None:
    memory = await fresh()
    await add(memory, "2021-06-01", SaidClaim("observation", "Acme", None))
    await add(memory, "2022-03-01", claim("dated_beginning", "Bolt", "2022-02-01"))
    first, second = (await memory.facts("Ann", during="ever")).items
    assert [str(first), str(second)] == [
        "Ann works at Acme · 2021-06-01 → 2022-02-01",
        "Ann works at Bolt · 2022-02-01 →",
    ]
    bounds = (first.valid_from, first.valid_to, second.valid_from)
    assert [b and b.basis for b in bounds] == [Basis.DERIVED, Basis.INFERRED, Basis.STATED]


async def test_an_end_in_the_future_stays_believed(fresh: Opener) -> None:
    memory = await fresh()
    await add(memory, "2022-01-01", claim("dated_beginning", "Acme", "2021-01-01"))
    await add(memory, "2022-02-01", claim("end", "Acme", "2035-06-30"))
    await add(memory, "2022-03-01", SaidClaim("observation", "Acme", days("2022-03-01")))
    assert await lines(memory) == ["Ann works at Acme · 2021-01-01 → 2035-06-30"]
    assert await lines(memory, valid="2034") == ["Ann works at Acme · 2021-01-01 → 2035-06-30"]
    assert await lines(memory, valid="2036") == []


async def test_history_that_arrives_late_is_believed_and_visible(fresh: Opener) -> None:
    memory = await fresh()
    await add(memory, "2024-05-01", claim("dated_beginning", "Acme", "2024-01-01"))
    report = await memory.add(said(claim("extent", "Bolt", "2018", "2020")), occurred_at="2024-06-01")
    assert [str(b) for b in report.added] == ["Ann works at Bolt · 2018-01-01 → 2020-01-01"]
    assert report.superseded == ()
    assert await lines(memory, valid="2019") == ["Ann works at Bolt · 2018-01-01 → 2020-01-01"]
    assert await lines(memory, valid="2024-07-01") == ["Ann works at Acme · 2024-01-01 →"]
    assert [str(e) for e in (await memory.timeline("Bolt")).items] == await lines(memory, valid="2019")


async def test_what_was_believed_then_about_a_time_before(fresh: Opener) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    clock.now = datetime(2023, 1, 1, tzinfo=UTC)
    text = said(claim("dated_beginning", "Acme", "2021-01-01"))
    k1 = (await memory.add(text, occurred_at="2022-12-31")).tx
    clock.now += timedelta(days=100)
    await add(memory, "2023-04-01", claim("extent", "Bolt", "2021-05-01", "2021-09-01"))
    clock.now += timedelta(days=100)
    await add(memory, "2023-07-01", claim("denial", "Acme"))
    mid_2021 = "2021-06-30"
    assert await lines(memory, valid=mid_2021, known=k1) == ["Ann works at Acme · 2021-01-01 →"]
    assert await lines(memory, valid=mid_2021, known="2023-05-01") == [
        "Ann works at Bolt · 2021-05-01 → 2021-09-01"
    ]
    assert await lines(memory, valid="2022", known="2023-05-01") == ["Ann works at Acme · 2021-09-01 →"]
    assert await lines(memory, valid=mid_2021) == ["Ann works at Bolt · 2021-05-01 → 2021-09-01"]
    assert await lines(memory, valid="2022") == []


async def test_a_changed_end_keeps_both_ends_with_when_each_was_learned(fresh: Opener) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    await add(memory, "2023-01-01", claim("dated_beginning", "Acme", "2021-01-01"))
    learned = []
    for end in ("2023-06-01", "2023-09-01"):
        clock.now += timedelta(days=1)
        learned.append((await memory.add(said(claim("end", "Acme", end)), occurred_at=end)).tx)
    (belief,) = (await memory.facts("Ann", during="ever")).items
    held = (await memory.history(belief)).items
    assert [(b.dates(), b.superseded_at) for b in held] == [
        ("2021-01-01 →", learned[0]),
        ("2021-01-01 → 2023-06-01", learned[1]),
        ("2021-01-01 → 2023-09-01", None),
    ]
    assert [b.ingested_at for b in held[1:]] == learned
    assert [len(b.evidence) for b in held] == [1, 2, 3]
    (entry,) = (await memory.timeline("Ann")).items
    assert [b.dates() for b in entry.corrections] == ["2021-01-01 →", "2021-01-01 → 2023-06-01"]


TABLE: list[Mapping[str, str]] = [
    {"subject": "Ann", "predicate": "WORKS_AT", "object": "Acme", "valid_from": "2018", "valid_to": "2019"},
    {"subject": "Ann", "predicate": "WORKS_AT", "object": "Bolt", "valid_from": "2020"},
    {"subject": "Ann", "predicate": "WORKS_AT", "object": "Core", "valid_from": "2022-03", "valid_to": "2022-05"},
    {"subject": "Ann", "predicate": "LIVES_IN", "object": "Rome", "valid_from": "2021"},
]


async def test_bulk_equals_serial_in_any_order(fresh: Opener) -> None:
    serial = await fresh()
    for fact in TABLE:
        await serial.assert_fact(**fact)  # type: ignore[arg-type]
    wanted = await believed(serial)
    assert len(wanted) == 5
    for order in itertools.islice(itertools.permutations(TABLE), 0, 24, 5):
        bulk, batches = await fresh(), await fresh()
        await bulk.add_facts(order)
        await batches.add_facts(order, batch=3)
        assert await believed(bulk) == await believed(batches) == wanted


async def test_two_facts_of_one_episode_are_compared_with_each_other(fresh: Opener) -> None:
    memory = await fresh()
    await add(
        memory,
        "2024-01-01",
        claim("dated_beginning", "Acme", "2019-03-01"),
        claim("dated_beginning", "Bolt", "2021-09-01"),
    )
    assert await lines(memory) == [
        "Ann works at Acme · 2019-03-01 → 2021-09-01",
        "Ann works at Bolt · 2021-09-01 →",
    ]


async def test_the_same_sentence_in_two_episodes_is_one_fact_with_two_sources(fresh: Opener) -> None:
    memory = await fresh()
    same = claim("dated_beginning", "Acme", "2022-01-01")
    ids = [await add(memory, when, same) for when in ("2022-02-01", "2022-03-01")]
    (belief,) = (await memory.facts("Ann", during="ever")).items
    assert [c.episode_id for c in belief.evidence] == ids
    assert (await memory.status()).facts == 1
    await memory.retract(ids[0])
    (belief,) = (await memory.facts("Ann", during="ever")).items
    assert [c.episode_id for c in belief.evidence] == ids[1:]


async def test_removing_the_episode_that_closed_a_fact_reopens_it(fresh: Opener) -> None:
    memory = await fresh()
    await add(memory, "2021-01-01", claim("dated_beginning", "Acme", "2021-01-01"))
    closing = await add(memory, "2022-01-01", claim("dated_beginning", "Bolt", "2022-01-01"))
    report = await memory.retract(closing)
    assert [str(b) for b in report.added] == ["Ann works at Acme · 2021-01-01 →"]
    assert await lines(memory) == ["Ann works at Acme · 2021-01-01 →"]


async def test_a_fact_that_was_ended_and_is_said_again_lives_again(fresh: Opener) -> None:
    memory = await fresh()
    await add(memory, "2021-01-01", claim("dated_beginning", "Acme", "2021-01-01"))
    await add(memory, "2022-01-01", claim("end", "Acme", "2022-01-01"))
    assert await lines(memory, valid="2023") == []
    await add(memory, "2023-05-01", SaidClaim("observation", "Acme", days("2023-05-01")))
    assert await lines(memory) == [
        "Ann works at Acme · 2021-01-01 → 2022-01-01",
        "Ann works at Acme · 2023-05-01 →",
    ]


@pytest.mark.parametrize("first", [True, False])
async def test_a_backdated_supersession_closes_the_old_one_where_it_was_dated(fresh: Opener, first: bool) -> None:
    memory = await fresh()
    episodes = [
        ("2023-01-01", claim("observation", "Acme", "2020-01-01")),
        ("2024-01-01", claim("dated_beginning", "Bolt", "2021-07-01")),
    ]
    for when, said_ in episodes if first else reversed(episodes):
        await add(memory, when, said_)
    assert await lines(memory) == [
        "Ann works at Acme · 2020-01-01 → 2021-07-01",
        "Ann works at Bolt · 2021-07-01 →",
    ]


async def test_rome_for_may_only_splits_an_open_period_in_three(fresh: Opener) -> None:
    memory = await fresh()
    home = {"predicate": "LIVES_IN"}
    await add(memory, "2024-01-10", claim("dated_beginning", "London", "2023-01-01", **home))
    await add(memory, "2024-04-20", claim("extent", "Rome", "2024-05-01", "2024-06-01", **home))
    assert await lines(memory) == [
        "Ann lives in London · 2023-01-01 → 2024-05-01",
        "Ann lives in Rome · 2024-05-01 → 2024-06-01",
        "Ann lives in London · 2024-06-01 →",
    ]


async def test_a_former_ceo_who_arrives_later_leaves_the_present_one(fresh: Opener) -> None:
    led_by = Predicate(name="LED_BY", cardinality=Cardinality.ONE, subject="Organization", object="Person")
    memory = await fresh(ontology=Ontology.starter().extended([led_by]))
    await memory.assert_fact("Acme", "LED_BY", "Bob", valid_from="2024")
    await memory.assert_fact("Acme", "LED_BY", "Alice", valid_from="2019", valid_to="2023")
    assert await lines(memory, valid="2026") == ["Acme led by Bob · 2024 →"]
    assert await lines(memory, valid="2022") == ["Acme led by Alice · 2019 → 2024"]
