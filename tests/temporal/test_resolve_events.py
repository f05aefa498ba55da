"""Kind event: facts that happen, and never take over from one another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hitherto.temporal.rules import Cardinality
from tests.temporal.saying import EVENT, Talk, shown


@pytest.fixture
def t() -> Talk:
    return Talk()


def test_no_event_takes_over_from_another(t: Talk) -> None:
    claims = [
        t.seen("A", "2024-03-01T10:00"),
        t.began("B", "2024-03-01", "2024-03-02"),
        t.began("A", "2024-05", "2024-06"),
    ]
    expected = ["A 2024-03-01T10:00..2024-03-01T10:00:00.000001", "B 2024-03..2024-03-02", "A 2024-05..2024-06"]
    assert shown(claims, EVENT) == ["B 2024-03..2024-03-02", expected[0], expected[2]]
    assert shown(claims, replace(EVENT, cardinality=Cardinality.ONE)) == shown(claims, EVENT)


def test_an_extent_is_its_stretch(t: Talk) -> None:
    assert shown([t.lasted("A", "2024-03-01", "2024-03-05", "2024-04")], EVENT) == ["A 2024-03..2024-03-05"]
    assert shown([t.lasted("A", None, "2024-03-05", "2024-04")], EVENT) == ["A ..2024-03-05"]


def test_an_extent_without_an_end_is_its_grain(t: Talk) -> None:
    day = t.lasted("A", "2024-03-01", None, "2024-04")
    assert shown([day], EVENT) == ["A 2024-03..2024-03-02"]
    assert shown([day, t.denied("A", "2024-03-01T10:00", None, "2024-05")], EVENT) == [
        "A 2024-03..2024-03-01T10:00"
    ]


def test_an_end_says_nothing(t: Talk) -> None:
    claims = [t.began("A", "2024", "2024"), t.ended("A", "2024-03", "2024-04"), t.ended("B", "2024-03", "2024-04")]
    assert shown(claims, EVENT) == ["A 2024..2025"]


def test_same_and_touching_times_are_one(t: Talk) -> None:
    claims = [
        t.began("A", "2024-03-01", "2024-04"),
        t.since("A", "2024-03-01", "2024-05"),
        t.began("A", "2024-03-02", "2024-05"),
    ]
    assert shown(claims, EVENT) == ["A 2024-03..2024-03-03"]
    assert shown([*claims, t.began("A", "2024-03-04", "2024-05")], EVENT) == [
        "A 2024-03..2024-03-03",
        "A 2024-03-04..2024-03-05",
    ]
    assert shown([t.began("A", "2024", "2025"), t.began("A", "2024-03", "2025")], EVENT) == ["A 2024..2025"]


def test_a_denial_takes_away_what_it_overlaps_and_was_said_before(t: Talk) -> None:
    day = t.began("A", "2024-03-01", "2024-04")
    assert shown([day, t.denied("A", None, None, "2024-05")], EVENT) == []
    night = t.denied("A", "2024-03-01T23:00", "2024-04", "2024-05")
    assert shown([day, night], EVENT) == ["A 2024-03..2024-03-01T23:00"]
    assert shown([day, t.denied("A", "2024-03-02", None, "2024-05")], EVENT) == ["A 2024-03..2024-03-02"]
    assert shown([day, t.denied("A", None, "2024-03-01", "2024-05")], EVENT) == ["A 2024-03..2024-03-02"]
    assert shown([day, t.denied("B", None, None, "2024-05")], EVENT) == ["A 2024-03..2024-03-02"]
    assert shown([t.denied("A", None, None, "2024-03"), day], EVENT) == ["A 2024-03..2024-03-02"]


def test_a_denial_takes_its_interval_out_of_an_extent(t: Talk) -> None:
    extent = t.lasted("A", "2024-03-01", "2024-03-09", "2024-04")
    middle = t.denied("A", "2024-03-03", "2024-03-05", "2024-05")
    assert shown([extent, middle], EVENT) == ["A 2024-03..2024-03-03", "A 2024-03-05..2024-03-09"]
    assert shown([extent, t.denied("A", "2024-03-05", None, "2024-05")], EVENT) == ["A 2024-03..2024-03-05"]
    assert shown([extent, t.denied("A", None, "2024-03-05", "2024-05")], EVENT) == ["A 2024-03-05..2024-03-09"]
    assert shown([extent, t.denied("A", "2024-03-01", "2024-03-09", "2024-05")], EVENT) == []


def test_a_denial_of_lower_authority_is_not_heard(t: Talk) -> None:
    day = t.began("A", "2024-03-01", "2024-04", authority=1)
    assert shown([day, t.denied("A", None, None, "2024-05")], EVENT) == ["A 2024-03..2024-03-02"]
    assert shown([day, t.denied("A", None, None, "2024-05", authority=1)], EVENT) == []
    assert shown([day, t.denied("A", None, None, "2024-05", authority=2)], EVENT) == []
