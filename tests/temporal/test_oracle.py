"""The oracle answers every published expectation, in any order of arrival, and a few sentences said aloud."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given

from hitherto.temporal.claims import Claim, Says
from hitherto.temporal.grains import Bound, Grain
from hitherto.temporal.rules import Cardinality, PredicateKind, PredicateRule
from tests.temporal.oracle import holds, painted
from tests.temporal.said import AFTER_ALL, BEFORE_ALL, TICK
from tests.temporal.strategies import day, instant, month, slots, year

ONE = PredicateRule("WORKS_AT", Cardinality.ONE)
MANY = PredicateRule("LIKES", Cardinality.MANY)
EVENT = PredicateRule("MET", Cardinality.MANY, PredicateKind.EVENT)


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    why: str
    rule: PredicateRule
    claims: tuple[Claim, ...]
    expect: tuple[tuple[datetime, frozenset[str]], ...]


def read_cases(path: Path) -> list[Case]:
    return [
        Case(
            name=raw["name"],
            why=raw["why"],
            rule=PredicateRule("P", Cardinality(raw["cardinality"])),
            claims=tuple(read_claim(f"{i}", said) for i, said in enumerate(raw["claims"])),
            expect=tuple((read_instant(e["at"]), frozenset(e["holds"])) for e in raw["expect"]),
        )
        for raw in json.loads(path.read_text(encoding="utf-8"))
    ]


def read_claim(claim_id: str, said: dict[str, str]) -> Claim:
    grain_end = said.get("from_grain_end")
    start, end = said.get("from"), said.get("to")
    return Claim(
        id=claim_id,
        fact=said["fact"],
        says=Says(said["says"]),
        valid_from=Bound(
            read_instant(start),
            Grain.DAY if grain_end else Grain.INSTANT,
            read_instant(grain_end) if grain_end else None,
        )
        if start
        else None,
        valid_to=Bound(read_instant(end)) if end else None,
        stated_at=read_instant(said["stated_at"]),
        position=int(said["position"]),
        authority=int(said.get("authority", 0)),
        confidence=float(said.get("confidence", 1.0)),
    )


def read_instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


CASES = read_cases(Path(__file__).parent.parent / "data" / "resolve_cases.json")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_all_published_cases_are_read() -> None:
    assert len(CASES) == 122
    assert sum(len(case.expect) for case in CASES) > 300


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    shuffled = list(case.claims)
    for seed in range(5):
        random.Random(seed).shuffle(shuffled)
        for instant_asked, expected in case.expect:
            assert holds(shuffled, case.rule, instant_asked) == expected, (case.why, instant_asked)


@given(slots())
def test_arrival_does_not_matter(claims: list[Claim]) -> None:
    by_id = sorted(claims, key=lambda claim: claim.id)
    for rule in (ONE, MANY, EVENT):
        assert painted(claims, rule) == painted(by_id, rule)


@given(slots())
def test_the_cells_cover_all_time_and_say_what_holds(claims: list[Claim]) -> None:
    for rule in (ONE, MANY, EVENT):
        cells = painted(claims, rule)
        assert cells[0][0] == BEFORE_ALL
        assert cells[-1][1] == AFTER_ALL
        assert [end for _, end, _ in cells[:-1]] == [start for start, _, _ in cells[1:]]
        assert all(holds(claims, rule, start) == shown for start, _, shown in cells)
        assert all(left[2] != right[2] for left, right in pairwise(cells))
        assert rule is not ONE or all(len(shown) <= 1 for _, _, shown in cells)


def claim(
    says: Says,
    fact: str,
    valid_from: Bound | None,
    said: str,
    *,
    valid_to: Bound | None = None,
    confidence: float = 1.0,
) -> Claim:
    return Claim(
        id=f"{fact}{said}",
        says=says,
        fact=fact,
        valid_from=valid_from,
        valid_to=valid_to,
        stated_at=at(said),
        confidence=confidence,
    )


def test_under_the_threshold_is_not_heard() -> None:
    joined = claim(Says.DATED_BEGINNING, "A", month(at("2024-03-01")), "2024-03-05")
    doubtful = claim(Says.DENIAL, "A", None, "2024-04-01", confidence=0.3)
    believed = claim(Says.DENIAL, "A", None, "2024-04-01", confidence=0.5)
    assert holds([joined, doubtful], ONE, at("2024-05-01")) == {"A"}
    assert holds([joined, believed], ONE, at("2024-05-01")) == frozenset()


def test_an_event_takes_its_grain_and_supersedes_nothing() -> None:
    fair = claim(Says.OBSERVATION, "fair", day(at("2024-03-05")), "2024-03-06")
    call = claim(Says.DATED_BEGINNING, "call", instant(at("2024-03-05T10:00")), "2024-03-06")
    stay = claim(Says.EXTENT, "stay", month(at("2024-03-01")), "2024-03-06", valid_to=Bound(at("2024-04-01")))
    told = [fair, call, stay]
    assert holds(told, EVENT, at("2024-03-05T10:00")) == {"fair", "call", "stay"}
    assert holds(told, EVENT, at("2024-03-05T10:00") + TICK) == {"fair", "stay"}
    assert holds(told, EVENT, at("2024-03-06")) == {"stay"}
    never = claim(Says.DENIAL, "fair", None, "2024-03-07")
    assert holds([*told, never], EVENT, at("2024-03-05T11:00")) == {"stay"}


def test_an_end_never_heard_of_and_its_beginning_told_later() -> None:
    left = claim(Says.END, "A", year(at("2024-01-01")), "2024-06-01")
    joined = claim(Says.DATED_BEGINNING, "A", year(at("2020-01-01")), "2024-07-01")
    assert painted([left], ONE)[0][2] == {"A"}
    assert painted([left, joined], ONE)[0][2] == frozenset()
    assert holds([left, joined], ONE, at("2022-01-01")) == {"A"}


def test_a_first_mention_that_an_end_shows_to_be_stale_is_dropped_with_what_repeated_it() -> None:
    seen = claim(Says.OBSERVATION, "A", instant(at("2024-06-01")), "2024-06-01")
    again = claim(Says.OBSERVATION, "A", instant(at("2024-07-01")), "2024-07-01")
    left = claim(Says.END, "A", month(at("2024-03-01")), "2024-08-01")
    assert [shown for _, _, shown in painted([seen, again, left], ONE)] == [{"A"}, frozenset()]


def test_a_denied_stretch_leaves_a_gap_unless_something_came_in_between() -> None:
    there = claim(Says.DATED_BEGINNING, "A", year(at("2020-01-01")), "2020-02-01")
    away = claim(Says.DENIAL, "A", Bound(at("2022-01-01")), "2023-02-01", valid_to=Bound(at("2023-01-01")))
    other = claim(Says.DATED_BEGINNING, "B", month(at("2022-06-01")), "2023-03-01")
    assert [s for _, _, s in painted([there, away], ONE)] == [frozenset(), {"A"}, frozenset(), {"A"}]
    assert [s for _, _, s in painted([there, away, other], ONE)] == [
        frozenset(),
        {"A"},
        frozenset(),
        {"B"},
    ]
