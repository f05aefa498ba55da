from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitherto.temporal.errors import Invalid
from hitherto.temporal.grains import Bound, Grain
from hitherto.temporal.instants import (
    format_bound,
    format_interval,
    from_us,
    parse_bound,
    parse_instant,
    to_us,
)

SHANGHAI = ZoneInfo("Asia/Shanghai")
NEW_YORK = ZoneInfo("America/New_York")


@given(st.datetimes(timezones=st.just(UTC)))
def test_microseconds_are_exact_over_all_years(moment: datetime) -> None:
    assert from_us(to_us(moment)) == moment
    assert to_us(from_us(to_us(moment)) + timedelta(microseconds=1)) == to_us(moment) + 1 or moment.year == 9999


def test_microseconds_count_from_1970() -> None:
    assert to_us(datetime(1970, 1, 1, tzinfo=UTC)) == 0
    assert to_us(datetime(1970, 1, 1, 8, tzinfo=SHANGHAI)) == 0
    assert to_us(datetime(1, 1, 1, tzinfo=UTC)) == -62_135_596_800_000_000


@pytest.mark.parametrize("us", [10**18, -(10**18), 253_402_300_800_000_000])
def test_microseconds_outside_the_years_are_refused(us: int) -> None:
    with pytest.raises(Invalid, match="outside the years 1 to 9999"):
        from_us(us)


def test_a_naive_datetime_has_no_microseconds() -> None:
    with pytest.raises(Invalid, match="no time zone"):
        to_us(datetime(2024, 1, 1))


@pytest.mark.parametrize(
    ("text", "start", "end", "grain"),
    [
        ("2024", "2024-01-01", "2025-01-01", Grain.YEAR),
        ("2024-03", "2024-03-01", "2024-04-01", Grain.MONTH),
        ("2024-02-29", "2024-02-29", "2024-03-01", Grain.DAY),
        ("2026-03-02T10", "2026-03-02T10:00", "2026-03-02T11:00", Grain.HOUR),
        ("2026-03-02T10:00", "2026-03-02T10:00", "2026-03-02T10:01", Grain.MINUTE),
        ("2026-03-02 10:00:05", "2026-03-02T10:00:05", "2026-03-02T10:00:06", Grain.SECOND),
        ("2026-03-02T10:00:05.5", "2026-03-02T10:00:05.500", "2026-03-02T10:00:05.500", Grain.INSTANT),
        ("2024-Q3", "2024-07-01", "2024-10-01", Grain.QUARTER),
        ("2024-H2", "2024-07-01", "2025-01-01", Grain.HALF),
        ("2024-W01", "2024-01-01", "2024-01-08", Grain.WEEK),
        ("2023-winter", "2023-12-01", "2024-03-01", Grain.SEASON),
        ("2010s", "2010-01-01", "2020-01-01", Grain.DECADE),
        ("20th century", "1900-01-01", "2000-01-01", Grain.CENTURY),
        (" 2024-03 ", "2024-03-01", "2024-04-01", Grain.MONTH),
    ],
)
def test_strings_keep_their_grain(text: str, start: str, end: str, grain: Grain) -> None:
    bound = parse_bound(text, zone=UTC)
    expected = [datetime.fromisoformat(each).replace(tzinfo=UTC) for each in (start, end)]
    assert [bound.at, bound.end_of_grain] == expected
    assert bound.grain is grain


def test_naive_values_are_meant_in_the_zone() -> None:
    assert parse_instant("2026-03-02", zone=SHANGHAI) == datetime(2026, 3, 1, 16, tzinfo=UTC)
    assert parse_instant(date(2026, 3, 2), zone=SHANGHAI) == datetime(2026, 3, 1, 16, tzinfo=UTC)
    assert parse_instant(datetime(2026, 3, 2, 10), zone=SHANGHAI) == datetime(2026, 3, 2, 2, tzinfo=UTC)
    assert parse_bound(date(2026, 3, 2), zone=UTC).grain is Grain.DAY


def test_a_zone_of_its_own_wins() -> None:
    assert parse_instant("2026-03-02T10:00Z", zone=SHANGHAI) == datetime(2026, 3, 2, 10, tzinfo=UTC)
    assert parse_instant("2026-03-02T10:00+0530", zone=UTC) == datetime(2026, 3, 2, 4, 30, tzinfo=UTC)
    aware = datetime(2026, 3, 2, 10, tzinfo=timezone(timedelta(hours=-3)))
    assert parse_bound(aware, zone=SHANGHAI) == Bound(datetime(2026, 3, 2, 13, tzinfo=UTC))


@pytest.mark.parametrize(
    "value",
    [
        "",
        "  ",
        "30 February",
        "2024-02-30",
        "2023-02-29",
        "2024-13",
        "0000",
        "10000",
        "2024-W54",
        "2024-Q5",
        "yesterday",
        "2026-03-02T25:00",
        "2026-03-02T10:60",
        "2026-03-02Z",
        "２０２４",
        "2024-3-1",
        True,
        2024,
        1.5,
        None,
    ],
)
def test_what_is_no_date_is_refused_in_one_line(value: object) -> None:
    with pytest.raises(Invalid) as raised:
        parse_bound(value, zone=UTC)  # type: ignore[arg-type]
    assert repr(value)[:20] in str(raised.value)
    assert "write it like" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_long_refusal_is_cut() -> None:
    with pytest.raises(Invalid) as raised:
        parse_bound("x" * 10_000, zone=UTC)
    assert len(str(raised.value)) < 250


def test_the_first_hours_of_year_1_lie_outside_in_the_east() -> None:
    assert parse_instant("0001-01-01", zone=UTC).year == 1
    with pytest.raises(Invalid, match="outside the years"):
        parse_instant("0001-01-01", zone=SHANGHAI)


def test_the_last_grain_ends_with_time() -> None:
    assert parse_bound("9999", zone=UTC).end_of_grain == datetime.max.replace(tzinfo=UTC)


@pytest.mark.parametrize("zone", [UTC, SHANGHAI, NEW_YORK, ZoneInfo("America/Sao_Paulo")], ids=str)
@pytest.mark.parametrize(
    "text",
    [
        "2024",
        "2023-01",
        "2026-03-02",
        "2018-11-04",
        "2024-Q1",
        "2024-Q2",
        "2024-Q3",
        "2024-Q4",
        "2024-H1",
        "2024-H2",
        "2020-W53",
        "2021-spring",
        "2021-summer",
        "2021-autumn",
        "2021-winter",
        "1990s",
        "19th century",
        "21st century",
    ],
)
def test_formatting_reads_back(text: str, zone: ZoneInfo) -> None:
    bound = parse_bound(text, zone=zone)
    assert format_bound(bound, zone) == text
    assert parse_bound(format_bound(bound, zone), zone=zone) == bound


def test_clock_times_show_their_zone() -> None:
    bound = parse_bound("2026-03-02T10:00", zone=SHANGHAI)
    assert format_bound(bound, SHANGHAI) == "2026-03-02T10:00+08:00"
    assert format_bound(bound) == "2026-03-02T02:00Z"
    assert format_bound(Bound(datetime(2026, 3, 2, 2, 0, 1, 5, tzinfo=UTC))) == "2026-03-02T02:00:01.000005Z"


def test_a_bound_that_is_not_at_its_grain_s_start_is_written_out() -> None:
    moved = Bound(datetime(2024, 3, 15, tzinfo=UTC), Grain.MONTH)
    assert format_bound(moved) == "2024-03-15"
    assert format_bound(parse_bound("2024-03", zone=SHANGHAI)) == "2024-02-29T16:00Z"


def test_intervals_are_half_open_and_leave_open_sides_empty() -> None:
    start, end = parse_bound("2023-01", zone=UTC), parse_bound("2026-03-02", zone=UTC)
    assert format_interval(start, end) == "[2023-01, 2026-03-02)"
    assert format_interval(end, None) == "[2026-03-02, )"
    assert format_interval(None, start) == "(, 2023-01)"
    assert format_interval(None, None) == "(, )"
