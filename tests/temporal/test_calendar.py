from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitherto.temporal.calendar import (
    LAST_INSTANT,
    add_months,
    bound_at,
    closing,
    end_of,
    shift,
    start_of,
    to_local,
    to_utc,
)
from hitherto.temporal.errors import Invalid
from hitherto.temporal.grains import Grain

NEW_YORK = ZoneInfo("America/New_York")
SAO_PAULO = ZoneInfo("America/Sao_Paulo")
ZONES = st.sampled_from([UTC, NEW_YORK, SAO_PAULO, ZoneInfo("Asia/Shanghai"), ZoneInfo("Australia/Lord_Howe")])
WIDE = [grain for grain in Grain if grain is not Grain.INSTANT]
MOMENTS = st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2100, 1, 1), timezones=st.just(UTC))


@given(MOMENTS, ZONES, st.sampled_from(WIDE))
def test_a_grain_holds_its_moment_and_meets_the_next(moment: datetime, zone: ZoneInfo, grain: Grain) -> None:
    start, end = start_of(moment, grain, zone=zone), end_of(moment, grain, zone=zone)
    assert start <= moment < end
    assert start_of(start, grain, zone=zone) == start
    assert start_of(end, grain, zone=zone) == end


@given(MOMENTS, ZONES)
def test_local_and_back_is_the_same_instant(moment: datetime, zone: ZoneInfo) -> None:
    assert to_utc(to_local(moment, zone), zone) == moment


@pytest.mark.parametrize(("day", "hours"), [((2024, 3, 10), 23), ((2024, 11, 3), 25), ((2024, 6, 1), 24)])
def test_days_are_as_long_as_the_clocks_make_them(day: tuple[int, int, int], hours: int) -> None:
    noon = datetime(*day, 12, tzinfo=NEW_YORK)
    length = end_of(noon, Grain.DAY, zone=NEW_YORK) - start_of(noon, Grain.DAY, zone=NEW_YORK)
    assert length == timedelta(hours=hours)


def test_a_day_without_midnight_begins_at_one() -> None:
    noon = datetime(2018, 11, 4, 12, tzinfo=SAO_PAULO)
    assert start_of(noon, Grain.DAY, zone=SAO_PAULO) == datetime(2018, 11, 4, 3, tzinfo=UTC)
    assert end_of(noon, Grain.DAY, zone=SAO_PAULO) - start_of(noon, Grain.DAY, zone=SAO_PAULO) == timedelta(
        hours=23
    )


def test_the_hour_that_comes_twice_is_two_hours() -> None:
    first = datetime(2024, 11, 3, 1, 30, tzinfo=NEW_YORK)
    second = first.replace(fold=1)
    starts = [start_of(each, Grain.HOUR, zone=NEW_YORK) for each in (first, second)]
    assert starts == [datetime(2024, 11, 3, 5, tzinfo=UTC), datetime(2024, 11, 3, 6, tzinfo=UTC)]


def test_days_keep_the_wall_clock_and_hours_do_not() -> None:
    before = datetime(2024, 3, 9, 12, tzinfo=NEW_YORK)
    assert shift(before, Grain.DAY, 1, zone=NEW_YORK) == datetime(2024, 3, 10, 12, tzinfo=NEW_YORK)
    assert shift(before, Grain.HOUR, 24, zone=NEW_YORK) == datetime(2024, 3, 10, 13, tzinfo=NEW_YORK)


@pytest.mark.parametrize(
    ("grain", "n", "expected"),
    [
        (Grain.MONTH, 1, "2024-02-29"),
        (Grain.MONTH, -11, "2023-02-28"),
        (Grain.YEAR, -1, "2023-01-31"),
        (Grain.QUARTER, 1, "2024-04-30"),
        (Grain.HALF, -1, "2023-07-31"),
        (Grain.WEEK, 2, "2024-02-14"),
        (Grain.DECADE, 1, "2034-01-31"),
        (Grain.CENTURY, -1, "1924-01-31"),
        (Grain.MINUTE, -1, "2024-01-30T23:59"),
    ],
)
def test_shifts(grain: Grain, n: int, expected: str) -> None:
    moment = datetime(2024, 1, 31, tzinfo=UTC)
    assert shift(moment, grain, n, zone=UTC) == datetime.fromisoformat(expected).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("grain", "start", "end"),
    [
        (Grain.WEEK, "2024-02-26", "2024-03-04"),
        (Grain.SEASON, "2023-12-01", "2024-03-01"),
        (Grain.QUARTER, "2024-01-01", "2024-04-01"),
        (Grain.HALF, "2024-01-01", "2024-07-01"),
        (Grain.DECADE, "2020-01-01", "2030-01-01"),
        (Grain.CENTURY, "2000-01-01", "2100-01-01"),
    ],
)
def test_grains_around_a_leap_day(grain: Grain, start: str, end: str) -> None:
    bound = bound_at(datetime(2024, 2, 29), grain, zone=UTC)
    assert [bound.at, bound.grain_end] == [
        datetime.fromisoformat(each).replace(tzinfo=UTC) for each in (start, end)
    ]


def test_the_end_of_an_extent_stands_at_the_end_of_its_grain() -> None:
    end = closing(bound_at(datetime(2021, 1, 1), Grain.YEAR, zone=UTC))
    assert end.at == end.grain_end == datetime(2022, 1, 1, tzinfo=UTC)
    assert end.grain is Grain.YEAR


def test_nothing_lies_outside_the_years() -> None:
    last = datetime(9999, 12, 31, 12, tzinfo=UTC)
    assert end_of(last, Grain.DAY, zone=UTC) == LAST_INSTANT
    assert start_of(datetime(1, 1, 3, tzinfo=UTC), Grain.WEEK, zone=UTC) == datetime(1, 1, 1, tzinfo=UTC)
    for grain in (Grain.HOUR, Grain.DAY, Grain.YEAR):
        with pytest.raises(Invalid, match="outside the years 1 to 9999"):
            shift(last, grain, 10_000, zone=UTC)
    with pytest.raises(Invalid, match="outside the years"):
        add_months(datetime(1, 1, 1), -1)


def test_an_instant_has_no_width() -> None:
    with pytest.raises(Invalid, match="no width"):
        shift(datetime(2024, 1, 1, tzinfo=UTC), Grain.INSTANT, 1, zone=UTC)
