"""English phrases that the calendar around the base decides."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from hitherto.temporal.expressions import Shape, read_time
from hitherto.temporal.instants import format_bound, format_interval

BASE = datetime(2026, 3, 3, 10, 30, tzinfo=UTC)
"""A Tuesday."""


def say(phrase: str) -> str | None:
    reading = read_time(phrase, base=BASE, zone=UTC, language="en")
    if reading is None:
        return None
    if reading.shape is Shape.POINT and reading.start is not None:
        return format_bound(reading.start)
    return format_interval(reading.start, reading.end)


@pytest.mark.parametrize(
    ("phrase", "meaning"),
    [
        ("in 2019 or 2020", "[2019, 2021)"),
        ("in 2019/2020", "[2019, 2021)"),
        ("May or June", "[2025-05, 2025-07)"),
        ("May/June", "[2025-05, 2025-07)"),
        ("since '19", "[2019, )"),
        ("the year", "2026"),
        ("the week", "2026-W10"),
        ("the day before", "2026-03-02"),
        ("year to date", "[2026, 2026-03-03)"),
        ("from January to date", "[2026-01, 2026-03-04)"),
        ("to date", "(, 2026-03-03)"),
        ("past fortnight", "2026-W08"),
        ("this working week", "2026-W10"),
        ("w/c 9 February", "2026-W07"),
        ("Monday two weeks from now", "2026-03-16"),
        ("in 3 days on Friday", "2026-03-06"),
        ("Labor Day weekend 2021", "2021-09-04"),
        ("the weekend of Halloween", "2025-10-31"),
        ("Thanksgiving weekend 2023", "2023-11-23"),
    ],
)
def test_by_calendar(phrase: str, meaning: str) -> None:
    assert say(phrase) == meaning
