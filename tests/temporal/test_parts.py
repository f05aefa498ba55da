"""Early, mid and late: what they cover, how they are written, where a change at an end stands."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from hitherto.temporal.expressions import Language, find_times, read_time
from hitherto.temporal.grains import Bound, Grain
from hitherto.temporal.instants import format_bound, format_interval

BASE = datetime(2025, 11, 18, 12, tzinfo=UTC)


def covered(phrase: str, language: Language = "en") -> tuple[str, str, str]:
    """As it is written, its first day and the day after its last."""
    reading = read_time(phrase, base=BASE, zone=UTC, language=language)
    assert reading is not None and reading.start is not None
    start = reading.start
    return format_bound(start), start.at.date().isoformat(), start.end_of_grain.date().isoformat()


@pytest.mark.parametrize(
    ("phrase", "language", "written", "first", "after"),
    [
        ("at the end of June 2025", "en", "late 2025-06", "2025-06-21", "2025-07-01"),
        ("late June", "en", "late 2025-06", "2025-06-21", "2025-07-01"),
        ("mid-June", "en", "mid 2025-06", "2025-06-11", "2025-06-21"),
        ("in the middle of March", "en", "mid 2025-03", "2025-03-11", "2025-03-21"),
        ("at the beginning of 2024", "en", "early 2024", "2024-01-01", "2024-05-01"),
        ("early 2023", "en", "early 2023", "2023-01-01", "2023-05-01"),
        ("at the end of Q3", "en", "late 2025-Q3", "2025-09-01", "2025-10-01"),
        ("month end", "en", "late 2025-11", "2025-11-21", "2025-12-01"),
        ("at year-end", "en", "late 2025", "2025-09-01", "2026-01-01"),
        ("六月底", "zh", "late 2025-06", "2025-06-21", "2025-07-01"),
        ("2025年6月底", "zh", "late 2025-06", "2025-06-21", "2025-07-01"),
        ("年初", "zh", "early 2025", "2025-01-01", "2025-05-01"),
        ("月中", "zh", "mid 2025-11", "2025-11-11", "2025-11-21"),
        ("年底", "zh", "late 2025", "2025-09-01", "2026-01-01"),
        ("去年年初", "zh", "early 2024", "2024-01-01", "2024-05-01"),
        ("今年年底", "zh", "late 2025", "2025-09-01", "2026-01-01"),
    ],
)
def test_a_part_is_a_third_said_with_the_grain_of_its_whole(
    phrase: str, language: Language, written: str, first: str, after: str
) -> None:
    assert covered(phrase, language) == (written, first, after)


@pytest.mark.parametrize(
    ("phrase", "language", "until"),
    [
        ("by the end of the year", "en", "(, 2026)"),
        ("by year end", "en", "(, 2026)"),
        ("until the end of June 2025", "en", "(, 2025-07)"),
        ("年底前", "zh", "(, 2026)"),
        ("到六月底", "zh", "(, 2025-07)"),
    ],
)
def test_up_to_the_end_of_something_is_up_to_all_of_it(phrase: str, language: Language, until: str) -> None:
    reading = read_time(phrase, base=BASE, zone=UTC, language=language)
    assert reading is not None
    assert format_interval(reading.start, reading.end) == until


@pytest.mark.parametrize(
    ("phrase", "language", "first"),
    [
        ("at the end of 2024", "en", "2024-12-01"),
        ("2024年底", "zh", "2024-12-01"),
        ("the end of June", "en", "2025-06-21"),
    ],
)
def test_a_change_at_the_end_of_a_year_stands_in_its_last_month(
    phrase: str, language: Language, first: str
) -> None:
    reading = read_time(phrase, base=BASE, zone=UTC, language=language)
    assert reading is not None and reading.edge is not None
    assert reading.edge.at.date().isoformat() == first


@pytest.mark.parametrize("phrase", ["late 2024", "early 2024", "2024", "since late 2024"])
def test_only_an_end_has_an_edge(phrase: str) -> None:
    reading = read_time(phrase, base=BASE, zone=UTC, language="en")
    assert reading is not None and reading.edge is None


def test_parts_are_found_in_running_text() -> None:
    text = "The renewal is due at the end of June 2025, the audit mid-July, the offsite by year-end."
    found = find_times(text, base=BASE, zone=UTC, language="en", direction="future")
    assert [r.phrase for _, _, r in found] == ["the end of June 2025", "mid-July", "by year-end"]


def test_parts_are_named_in_the_zone_they_were_meant_in() -> None:
    zone = ZoneInfo("Asia/Shanghai")
    reading = read_time("六月底", base=BASE, zone=zone, language="zh")
    assert reading is not None and reading.start is not None
    assert format_bound(reading.start, zone) == "late 2025-06"


def test_what_is_no_part_of_its_grain_is_written_as_a_day() -> None:
    start = datetime(2025, 6, 21, tzinfo=UTC)
    closing = Bound(start, Grain.MONTH, start)
    beyond = Bound(start, Grain.MONTH, start + timedelta(days=40))
    elsewhere = Bound(datetime(2025, 6, 1, tzinfo=timezone(timedelta(hours=5))), Grain.MONTH)
    assert [format_bound(b) for b in (closing, beyond, elsewhere)] == [
        "2025-06-21",
        "2025-06-21",
        "2025-05-31T19:00Z",
    ]
