"""Promises of ``resolve`` on small random slots: instants, grains and statements that meet all the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from time import process_time
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitherto.temporal import extents, resolution
from hitherto.temporal.claims import Claim, Period, Says, said_order
from hitherto.temporal.grains import Bound, Grain
from hitherto.temporal.intervals import Interval, between
from hitherto.temporal.resolution import Listener, resolve
from hitherto.temporal.rules import PredicateRule
from tests.temporal.saying import EVENT, MANY, ONE, Talk, shown, when, written

ORIGIN = when("2024")
HOUR = timedelta(hours=1)
WIDTHS = {0: Grain.INSTANT, 6: Grain.HALF, 12: Grain.SEASON, 24: Grain.DAY}
RULES = st.sampled_from([ONE, MANY, EVENT])


def instants(last: int = 48) -> st.SearchStrategy[int]:
    return st.integers(0, last // 2).map(lambda half: 2 * half)


@st.composite
def bounds(draw: st.DrawFn) -> Bound:
    width = draw(st.sampled_from(list(WIDTHS)))
    hour = draw(instants())
    hour -= hour % width if width else 0
    start = ORIGIN + hour * HOUR
    return Bound(start, WIDTHS[width], start + width * HOUR)


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    says = draw(st.sampled_from(list(Says)))
    start: Bound | None = draw(bounds())
    end: Bound | None = None
    if says in (Says.EXTENT, Says.DENIAL):
        end = draw(st.none() | bounds())
        start = draw(st.none() | st.just(start))
    return Claim(
        id=f"{draw(st.integers(0, 10**9))}",
        fact=draw(st.sampled_from("ABC")),
        says=says,
        valid_from=start,
        valid_to=end,
        stated_at=ORIGIN + draw(instants()) * HOUR,
        position=draw(st.integers(0, 2)),
        authority=draw(st.sampled_from([0, 0, 0, 1, 2])),
        confidence=draw(st.sampled_from([1.0, 1.0, 0.5, 0.4])),
    )


def slots(most: int = 9) -> st.SearchStrategy[list[Claim]]:
    return st.lists(claims(), max_size=most, unique_by=lambda claim: claim.id)


def stretch(period: Period) -> Interval:
    return between(period.valid_from, period.valid_to)


@given(slots(), RULES, st.data())
def test_the_order_of_arrival_is_irrelevant(slot: list[Claim], rule: PredicateRule, data: st.DataObject) -> None:
    assert resolve(data.draw(st.permutations(slot)), rule) == resolve(slot, rule)


@given(slots(14))
def test_no_two_values_hold_at_a_time(slot: list[Claim]) -> None:
    for before, after in pairwise(resolve(slot, ONE)):
        assert stretch(before).high <= stretch(after).low


@given(slots(14), RULES)
def test_periods_of_a_fact_are_wide_and_apart(slot: list[Claim], rule: PredicateRule) -> None:
    found = resolve(slot, rule)
    assert not any(stretch(period).empty for period in found)
    for fact in "ABC":
        for before, after in pairwise(period for period in found if period.fact == fact):
            assert stretch(before).high < stretch(after).low


@given(slots(), RULES)
def test_they_come_sorted(slot: list[Claim], rule: PredicateRule) -> None:
    found = [(stretch(period).low, stretch(period).high, period.fact) for period in resolve(slot, rule)]
    assert found == sorted(found)


@given(slots(), RULES)
def test_a_claim_that_comes_twice_counts_once(slot: list[Claim], rule: PredicateRule) -> None:
    assert resolve([*slot, *slot], rule) == resolve(slot, rule)


@given(slots(), st.sampled_from([MANY, EVENT]))
def test_facts_do_not_touch_each_other(slot: list[Claim], rule: PredicateRule) -> None:
    apart = [p for fact in "ABC" for p in resolve([claim for claim in slot if claim.fact == fact], rule)]
    assert set(apart) == set(resolve(slot, rule))


@given(slots(), RULES)
def test_what_is_below_the_threshold_is_not_heard(slot: list[Claim], rule: PredicateRule) -> None:
    assert resolve(slot, rule) == resolve([claim for claim in slot if claim.confidence >= 0.5], rule)


@given(slots(), RULES, st.sampled_from("ABC"), st.integers(0, 2))
def test_after_a_denial_of_everything_nothing_of_its_authority_is_left(
    slot: list[Claim], rule: PredicateRule, fact: str, authority: int
) -> None:
    slot = [claim for claim in slot if claim.authority <= authority]
    last = Claim(id="last", fact=fact, says=Says.DENIAL, stated_at=ORIGIN + 99 * HOUR, authority=authority)
    assert fact not in {period.fact for period in resolve([*slot, last], rule)}


@given(slots(), st.sampled_from([ONE, MANY]), st.sampled_from("ABC"))
def test_the_last_word_on_the_present_holds(slot: list[Claim], rule: PredicateRule, fact: str) -> None:
    now = ORIGIN + 99 * HOUR
    start = Bound(now)
    seen = Claim(id="last", fact=fact, says=Says.OBSERVATION, valid_from=start, stated_at=now, authority=2)
    shows = {period.fact for period in resolve([*slot, seen], rule) if stretch(period).contains(now)}
    assert fact in shows
    ended = replace(seen, says=Says.END)
    shows = {period.fact for period in resolve([*slot, ended], rule) if stretch(period).contains(now)}
    assert fact not in shows


@given(slots(), RULES, st.data())
def test_heard_one_by_one_in_any_order(slot: list[Claim], rule: PredicateRule, data: st.DataObject) -> None:
    listener = Listener(rule)
    heard: list[Claim] = []
    for claim in data.draw(st.permutations(slot)):
        hear(listener, claim)
        heard.append(claim)
        assert tuple(listener.periods) == resolve(heard, rule)


def hear(listener: Listener, claim: Claim) -> None:
    """Checks what it is said to have kept."""
    before = list(listener.periods)
    kept = listener.hear(claim)
    assert listener.periods[:kept] == before[:kept]


@given(slots(14), RULES, st.data())
def test_heard_in_the_order_said(slot: list[Claim], rule: PredicateRule, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(slot)))
    said = sorted(slot, key=said_order)
    listener = Listener(rule, said[:first])
    for place, claim in enumerate(said[first:], first + 1):
        hear(listener, claim)
        hear(listener, claim)
        assert tuple(listener.periods) == resolve(said[:place], rule)


@given(slots(14), RULES)
def test_how_extents_are_kept_is_irrelevant(slot: list[Claim], rule: PredicateRule) -> None:
    with patch.object(extents, "_BLOCK", 1):
        found = resolve(slot, rule)
    assert found == resolve(slot, rule)


def test_a_denial_said_last_has_what_was_said_before_heard_again() -> None:
    talk = Talk()
    claims = [talk.lasted("A", "2024-01", "2024-12", "2024-01-05"), talk.seen("B", "2024-02-01")]
    claims.append(talk.denied("A", "2024", "2024-03", "2025"))
    listener = Listener(ONE)
    for claim in claims:
        listener.hear(claim)
    assert [written(period) for period in listener.periods] == [
        "B 2024-02..2024-03",
        "A 2024-03..2024-12",
        "B 2024-12..",
    ]


def test_hearing_what_is_known_or_doubtful_is_hearing_nothing() -> None:
    first, second = _statuses(2)
    listener = Listener(ONE, [first])
    assert listener.hear(first) == 1
    assert listener.hear(replace(second, confidence=0.49)) == 1
    assert len(listener.periods) == 1
    assert listener.hear(replace(second, confidence=0.5)) == 0
    assert len(listener.periods) == 2


def test_facts_with_the_same_stretch_come_by_name() -> None:
    rows = [_claim(index, fact, Says.EXTENT, Bound(ORIGIN), None) for index, fact in enumerate("BA")]
    for order in (rows, rows[::-1]):
        listener = Listener(MANY)
        for claim in order:
            listener.hear(claim)
        assert [period.fact for period in listener.periods] == ["A", "B"]


def test_a_denial_that_ends_before_it_begins_says_nothing() -> None:
    talk = Talk()
    claims = [talk.since("A", "2020", "2023"), talk.denied("A", "2022", "2021", "2024")]
    assert shown(claims) == ["A 2020.."]


def test_what_is_said_last_is_one_step() -> None:
    statuses = _statuses(50)
    listener = Listener(ONE, statuses[:1])
    with patch.object(resolution, "spare", side_effect=AssertionError("heard again")):
        kept = [listener.hear(claim) for claim in statuses[1:]]
    assert kept == [max(place - 2, 0) for place in range(1, 50)], "only the last stretches are read again"
    assert tuple(listener.periods) == resolve(statuses, ONE)


def _statuses(count: int) -> list[Claim]:
    return [
        _claim(index, f"s{index % 7}", Says.OBSERVATION, Bound(ORIGIN + index * HOUR), None)
        for index in range(count)
    ]


def _rows(count: int, facts: int) -> list[Claim]:
    """Rows that overlap the next few, so that hundreds of blocks of extents are split and merged."""
    return [
        _claim(
            index,
            f"f{index % facts}",
            Says.EXTENT,
            Bound(ORIGIN + index * HOUR),
            Bound(ORIGIN + (index + 5) * HOUR),
        )
        for index in range(count)
    ]


def _stays(count: int) -> list[Claim]:
    """An extent and its end by turns."""
    ways = (Says.EXTENT, Says.END)
    ends = (Bound(ORIGIN + 9 * count * HOUR), None)
    return [_claim(i, "f", ways[i % 2], Bound(ORIGIN + i * HOUR), ends[i % 2]) for i in range(count)]


def _gaps(count: int) -> list[Claim]:
    """One stint with a gap every other hour."""
    spans = [(Bound(ORIGIN + i * HOUR), Bound(ORIGIN + (i + 1) * HOUR)) for i in range(0, 2 * count, 2)]
    first = _claim(0, "f", Says.DATED_BEGINNING, Bound(ORIGIN - HOUR), None)
    return [first, *(_claim(i, "f", Says.DENIAL, *span) for i, span in enumerate(spans[1:], 1))]


def _claim(index: int, fact: str, says: Says, start: Bound, end: Bound | None) -> Claim:
    return Claim(
        id=f"{index * 7919 % 10007}", fact=fact, says=says, valid_from=start, valid_to=end, stated_at=start.at
    )


@pytest.mark.parametrize("rule", [ONE, MANY], ids=["one", "many"])
@pytest.mark.parametrize(
    "slot",
    [_statuses(10_000), _rows(10_000, 1), _rows(10_000, 10_000), _stays(10_000), _gaps(10_000)],
    ids=["status", "fact", "facts", "stays", "gaps"],
)
def test_ten_thousand_claims_in_a_slot_take_no_rescans(slot: Sequence[Claim], rule: PredicateRule) -> None:
    """Some .2 s of this process's own time; with a scan for each claim it would be tens of seconds."""
    start = process_time()
    resolve(slot, rule)
    assert process_time() - start < 4


def test_ten_thousand_rows_each_take_over() -> None:
    found = resolve(_rows(10_000, 10_000), ONE)
    assert [period.fact for period in found] == [f"f{index}" for index in range(10_000)]
    assert all(stretch(period).high - stretch(period).low == HOUR for period in found[:-1])
