"""What a period's bounds say: stated, derived or inferred, with the grain of whoever said it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hitherto.temporal.claims import Claim
from hitherto.temporal.grains import Basis, Bound, Grain
from hitherto.temporal.resolution import resolve
from hitherto.temporal.rules import PredicateRule
from tests.temporal.saying import EVENT, MANY, ONE, Talk, bound, exact, when

Said = tuple[str, Bound | None, Bound | None]


@pytest.fixture
def t() -> Talk:
    return Talk()


def bounds(*claims: Claim, rule: PredicateRule = ONE) -> list[Said]:
    return [(period.fact, period.valid_from, period.valid_to) for period in resolve(claims, rule)]


def inferred(text: str) -> Bound | None:
    return bound(text, Basis.INFERRED)


def test_a_mention_is_derived_and_its_taker_inferred(t: Talk) -> None:
    first, second = (bound(f"{year}-02-01T00:00", Basis.DERIVED) for year in (2023, 2024))
    assert bounds(t.seen("A", "2023-02-01"), t.seen("B", "2024-02-01")) == [
        ("A", first, inferred("2024-02-01T00:00")),
        ("B", second, None),
    ]


def test_a_change_keeps_its_grain_and_the_taker_lends_it(t: Talk) -> None:
    assert bounds(
        t.began("A", "2023", "2023"), t.began("B", "2024-03", "2024-04"), t.ended("B", "2025", "2025")
    ) == [
        ("A", bound("2023"), inferred("2024-03")),
        ("B", bound("2024-03"), bound("2025")),
    ]


def test_a_stated_end_at_the_instant_of_the_take_over_stays_stated(t: Talk) -> None:
    day = "2024-03-02"
    expected = [("A", bound("2020"), bound(day)), ("B", bound(day), None)]
    assert bounds(t.since("A", "2020", "2020"), t.ended("A", day, day), t.began("B", day, day)) == expected
    assert bounds(t.since("A", "2020", "2020"), t.began("B", day, day), t.ended("A", day, day)) == expected


def test_an_undated_end_is_derived(t: Talk) -> None:
    end = replace(t.ended("A", "2024", "2024-05-05"), valid_from=None)
    ((_, start, stop),) = bounds(t.since("A", "2020", "2020"), end)
    assert (start, stop) == (bound("2020"), Bound(when("2024-05-05"), basis=Basis.DERIVED))


def test_an_extent_has_its_own_bounds_and_lends_them_to_what_it_covers(t: Talk) -> None:
    assert bounds(t.since("A", "2024-01", "2024-01"), t.lasted("B", "2024-05", "2024-06", "2024-04")) == [
        ("A", bound("2024-01"), inferred("2024-05")),
        ("B", bound("2024-05"), exact("2024-06")),
        ("A", Bound(when("2024-06"), basis=Basis.INFERRED), None),
    ]


def test_extent_over_extent(t: Talk) -> None:
    outer, inner = t.lasted("A", "2024-01", "2024-12", "2024"), t.lasted("B", "2024-05", "2024-06", "2024")
    assert bounds(outer, inner) == [
        ("A", bound("2024-01"), inferred("2024-05")),
        ("B", bound("2024-05"), exact("2024-06")),
        ("A", Bound(when("2024-06"), basis=Basis.INFERRED), exact("2024-12")),
    ]


def test_an_extent_cut_by_another_fact_ends_inferred(t: Talk) -> None:
    extent = t.lasted("A", "2024-01", "2024-12", "2024")
    assert bounds(extent, t.began("B", "2024-06", "2024-08"))[0] == ("A", bound("2024-01"), inferred("2024-06"))
    assert bounds(extent, t.ended("A", "2024-06", "2024-08")) == [("A", bound("2024-01"), bound("2024-06"))]


def test_touching_stretches_have_the_first_ones_beginning_and_the_last_ones_end(t: Talk) -> None:
    claims = [
        t.lasted("A", "2020", "2022", "2022"),
        t.began("A", "2022-01-01", "2022"),
        t.ended("A", "2023-05", "2023-06"),
    ]
    assert bounds(*claims) == [("A", bound("2020"), bound("2023-05"))]


def test_what_is_only_known_to_have_ended(t: Talk) -> None:
    assert bounds(t.ended("A", "2015-03", "2015-04")) == [("A", None, bound("2015-03"))]
    claims = [t.began("B", "2010", "2010"), t.ended("B", "2012-05", "2012-06"), t.ended("A", "2015", "2015")]
    assert bounds(*claims)[1] == ("A", inferred("2012-05"), bound("2015"))
    trip = [t.lasted("B", "2010", "2012-05", "2013"), t.ended("A", "2015", "2015")]
    assert bounds(*trip)[1] == ("A", Bound(when("2012-05"), basis=Basis.INFERRED), bound("2015"))


def test_denials_give_the_bounds_of_the_gap(t: Talk) -> None:
    claims = [t.since("A", "2020", "2023"), t.denied("A", "2021-02", "2021-05", "2024")]
    assert bounds(*claims) == [("A", bound("2020"), exact("2021-02")), ("A", exact("2021-05"), None)]
    claims = [t.since("A", "2020", "2023"), t.denied("A", "2019", "2021-05", "2024")]
    assert bounds(*claims) == [("A", exact("2021-05"), None)]
    claims = [t.lasted("A", "2020", "2023", "2023"), t.denied("A", "2021-02", "2021-05", "2024")]
    assert bounds(*claims) == [("A", bound("2020"), exact("2021-02")), ("A", exact("2021-05"), exact("2023"))]


def test_moved_to_the_time_of_the_statement_it_is_derived_and_keeps_its_grain(t: Talk) -> None:
    moved = Bound(when("2024-05-20"), Grain.MONTH, when("2024-06"), Basis.DERIVED)
    claims = [t.seen("A", "2024-05-10"), t.began("B", "2024-05", "2024-05-20")]
    assert bounds(*claims)[1] == ("B", moved, None)
    claims = [t.began("A", "2024-05-10", "2024-05-11"), t.ended("A", "2024-05", "2024-05-20")]
    assert bounds(*claims) == [("A", bound("2024-05-10"), moved)]


def test_moved_to_the_end_of_its_grain_it_says_that_end(t: Talk) -> None:
    moved = Bound(when("2024-06"), Grain.MONTH, when("2024-06"))
    claims = [t.seen("A", "2024-05-10"), t.began("B", "2024-05", "2024-07")]
    assert bounds(*claims)[1] == ("B", moved, None)
    claims = [
        t.ended("A", "2024-05", "2024-05-05"),
        t.began("A", "2024-05-03", "2024-07"),
        t.began("A", "2024-05-09", "2024-08"),
    ]
    assert bounds(*claims) == [("A", bound("2024-05-03"), moved)]


def test_an_event_lasts_its_grain(t: Talk) -> None:
    (period,) = bounds(t.began("A", "2024-03", "2024-04"), rule=EVENT)
    assert period == ("A", bound("2024-03"), Bound(when("2024-04"), Grain.MONTH, when("2024-04")))


def test_an_event_without_a_grain_lasts_a_microsecond(t: Talk) -> None:
    ((_, start, end),) = bounds(t.seen("A", "2024-03-01"), rule=EVENT)
    tick = when("2024-03-01").resolution
    assert start == bound("2024-03-01T00:00", Basis.DERIVED)
    assert end == Bound(when("2024-03-01") + tick, Grain.INSTANT, when("2024-03-01") + tick, Basis.DERIVED)


def test_many_keeps_them_too(t: Talk) -> None:
    claims = [t.since("A", "2020", "2020"), t.ended("A", "2024-06", "2024-07")]
    assert bounds(*claims, rule=MANY) == [("A", bound("2020"), bound("2024-06"))]
