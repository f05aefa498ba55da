"""``resolve`` and the oracle, which share no code, agree at every cell of a small calendar.

``pytest --hypothesis-profile=thorough`` tries some fifty times as many slots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from hitherto.temporal.claims import Claim, Period, Says
from hitherto.temporal.resolution import resolve
from hitherto.temporal.rules import Cardinality, PredicateKind, PredicateRule
from tests.temporal.oracle import listening, mentioned_instants
from tests.temporal.said import AFTER_ALL, BEFORE_ALL, TICK
from tests.temporal.strategies import slots

ONE = PredicateRule("WORKS_AT", Cardinality.ONE)
MANY = PredicateRule("LIKES", Cardinality.MANY)
EVENT = PredicateRule("MET", Cardinality.MANY, PredicateKind.EVENT)

BEGINNINGS = (Says.OBSERVATION, Says.DATED_BEGINNING, Says.SINCE)

Resolve = Callable[[Sequence[Claim], PredicateRule], tuple[Period, ...]]


def start_of(period: Period) -> datetime:
    return BEFORE_ALL if period.valid_from is None else period.valid_from.at


def end_of(period: Period) -> datetime:
    return AFTER_ALL if period.valid_to is None else period.valid_to.at


def disagreements(resolver: Resolve, claims: Sequence[Claim], rule: PredicateRule) -> list[str]:
    """Every instant at which anything could change and the two differ, as lines a person can read."""
    periods = resolver(claims, rule)
    expected = listening(claims, rule)
    edges = {start_of(p) for p in periods} | {end_of(p) for p in periods} - {AFTER_ALL}
    edges |= {edge - TICK for edge in edges if edge != BEFORE_ALL}
    found = []
    for instant in sorted(edges | set(mentioned_instants(claims))):
        resolved = frozenset(p.fact for p in periods if start_of(p) <= instant < end_of(p))
        if resolved != expected(instant):
            found.append(
                f"{instant:%Y-%m-%d %H:%M:%S.%f}: resolve {set(resolved)}, oracle {set(expected(instant))}"
            )
    return found


def told(claims: Sequence[Claim]) -> str:
    """The claims in the order they were said."""
    lines = []
    for c in sorted(claims, key=lambda c: (c.stated_at, c.position)):
        start = "-" if c.valid_from is None else f"{c.valid_from.at:%Y-%m-%dT%H} {c.valid_from.grain}"
        end = "" if c.valid_to is None else f" to {c.valid_to.at:%Y-%m-%dT%H}"
        rank = f" authority {c.authority}" if c.authority else ""
        doubt = " doubtful" if c.confidence < 0.5 else ""
        lines.append(f"{c.says} {c.fact} {start}{end} said {c.stated_at:%Y-%m-%dT%H} #{c.position}{rank}{doubt}")
    return "\n".join(lines)


def compare(claims: Sequence[Claim], rule: PredicateRule) -> None:
    found = disagreements(resolve, claims, rule)
    note(told(claims))
    assert not found, "\n".join(found)


def more(factor: int) -> settings:
    return settings(max_examples=factor * settings().max_examples)


@more(3)
@given(slots())
def test_one_value_at_a_time(claims: list[Claim]) -> None:
    compare(claims, ONE)


@more(2)
@given(slots(facts=("A", "B"), most=4))
def test_one_value_two_facts(claims: list[Claim]) -> None:
    compare(claims, ONE)


@pytest.mark.parametrize(
    "kinds",
    [
        (*BEGINNINGS, Says.END),
        (*BEGINNINGS, Says.EXTENT),
        (*BEGINNINGS, Says.DENIAL),
        (Says.EXTENT, Says.END, Says.OBSERVATION),
        (Says.SINCE, Says.DENIAL, Says.END),
    ],
    ids="+".join,
)
@more(2)
@given(data=st.data())
def test_some_ways_of_speaking_only(kinds: tuple[Says, ...], data: st.DataObject) -> None:
    compare(data.draw(slots(facts=("A", "B"), kinds=kinds, most=5)), ONE)


@more(2)
@given(slots(facts=("A", "B"), kinds=(*BEGINNINGS, Says.EXTENT, Says.END), most=3, open_ended=True))
def test_extents_without_an_end(claims: list[Claim]) -> None:
    """Tables have them. What a talk of many claims does to one is not said by the rules, so few are told here."""
    compare(claims, ONE)


@more(2)
@given(slots())
def test_many_values(claims: list[Claim]) -> None:
    compare(claims, MANY)


@given(slots())
def test_events(claims: list[Claim]) -> None:
    compare(claims, EVENT)


@given(slots())
def test_periods_of_one_value_do_not_overlap_or_touch_themselves(claims: list[Claim]) -> None:
    periods = sorted(resolve(claims, ONE), key=start_of)
    for former, later in pairwise(periods):
        assert end_of(former) <= start_of(later)
        assert former.fact != later.fact or end_of(former) < start_of(later)


@given(slots(), st.randoms(use_true_random=False))
def test_ties_in_the_said_order_are_broken_by_content(claims: list[Claim], chance: Random) -> None:
    """Said at one moment in one place: neither arrival nor ids may decide."""
    together = [replace(c, stated_at=claims[0].stated_at, position=0) for c in claims]
    names = [c.id for c in claims]
    chance.shuffle(names)
    renamed = [replace(c, id=name) for c, name in zip(together, names, strict=True)]
    chance.shuffle(renamed)
    for rule in (ONE, MANY, EVENT):
        assert resolve(renamed, rule) == resolve(together, rule)
