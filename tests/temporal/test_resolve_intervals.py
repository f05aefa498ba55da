"""Half-open stretches and their unions."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitherto.temporal.intervals import EARLIEST, LATEST, Interval, Union, between
from tests.temporal.saying import exact, when

ORIGIN = when("2024")


def at(hour: int) -> datetime:
    return ORIGIN + timedelta(hours=hour)


def span(start: int | None, end: int | None) -> Interval:
    return Interval(None if start is None else at(start), None if end is None else at(end))


def test_an_interval_is_half_open() -> None:
    assert [span(1, 3).contains(at(hour)) for hour in range(5)] == [False, True, True, False, False]
    assert [span(None, 3).contains(at(hour)) for hour in (2, 3)] == [True, False]
    assert [span(1, None).contains(at(hour)) for hour in (0, 1)] == [False, True]
    assert span(None, None).contains(LATEST)
    assert span(None, None).contains(EARLIEST)


def test_empty() -> None:
    assert [span(1, end).empty for end in (0, 1, 2, None)] == [True, True, False, False]
    assert not span(None, 1).empty


def test_touching() -> None:
    assert [span(2, 4).touches(span(start, start + 1)) for start in range(7)] == [
        False,
        True,
        True,
        True,
        True,
        False,
        False,
    ]
    assert span(None, 2).touches(span(1, None))
    assert not span(2, 2).touches(span(1, 3))
    assert not span(1, 3).touches(span(2, 2))


def test_between_bounds() -> None:
    assert between(exact("2024"), exact("2025")) == Interval(when("2024"), when("2025"))
    assert between(None, None) == Interval()


hours = st.integers(0, 9)
spans = st.builds(span, st.none() | hours, st.none() | hours)


@given(st.lists(spans, max_size=6), spans)
def test_a_union_is_what_is_in_any(added: list[Interval], looked_for: Interval) -> None:
    union = Union()
    for interval in added:
        union.add(interval)
    stretches = union.within(Interval())
    for hour in range(-1, 11):
        around = union.around(at(hour))
        assert (around is not None) == any(interval.contains(at(hour)) for interval in added)
        assert around is None or around in [(stretch.low, stretch.high) for stretch in stretches]
    for left, right in pairwise(stretches):
        assert left.high < right.low
    if not looked_for.empty:
        overlapping = [s for s in stretches if max(s.low, looked_for.low) < min(s.high, looked_for.high)]
        assert union.within(looked_for) == overlapping


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (0, 2, 1)])
def test_meeting_stretches_are_one(order: tuple[int, ...]) -> None:
    union = Union()
    for index in order:
        union.add(span(index, index + 1))
    assert union.around(at(1)) == (at(0), at(3))
