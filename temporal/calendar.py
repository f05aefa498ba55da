"""Grain arithmetic on the wall clock of a time zone.

Grains of a day and more live on the local calendar (a day may have 23 or 25 hours); finer ones are plain
durations. Seasons are the meteorological ones of the northern half: spring is March to May, and the winter of
a year begins in its December. Weeks begin on Monday, centuries and decades in a year divisible by 100 and 10.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from .errors import Invalid
from .grains import Basis, Bound, Grain

FIRST_INSTANT: Final = datetime(1, 1, 1, tzinfo=UTC)
LAST_INSTANT: Final = datetime.max.replace(tzinfo=UTC)

_MONTHS: Final = {
    Grain.CENTURY: 1200,
    Grain.DECADE: 120,
    Grain.YEAR: 12,
    Grain.HALF: 6,
    Grain.SEASON: 3,
    Grain.QUARTER: 3,
    Grain.MONTH: 1,
}
_DAYS: Final = {Grain.WEEK: 7, Grain.DAY: 1}
_SECONDS: Final = {Grain.HOUR: 3600, Grain.MINUTE: 60, Grain.SECOND: 1}


def to_utc(local: datetime, zone: tzinfo) -> datetime:
    """The instant at which the clocks of ``zone`` show ``local`` (its own tzinfo is ignored).

    A time that the clocks skip is read with the offset before the skip; of one they show twice ``local.fold``
    says which.
    Raises ``Invalid`` when the instant leaves the years 1 to 9999.
    """
    try:
        return local.replace(tzinfo=zone).astimezone(UTC)
    except OverflowError:
        raise Invalid(f"{local.isoformat()} in {zone} is outside the years 1 to 9999", code="date_range") from None


def to_local(moment: datetime, zone: tzinfo) -> datetime:
    """What the clocks of ``zone`` show at ``moment``, without tzinfo; stops at the ends of year 1 and 9999."""
    try:
        return moment.astimezone(zone).replace(tzinfo=None)
    except OverflowError:
        return datetime.min if moment.astimezone(UTC).year == 1 else datetime.max


def add_months(local: datetime, months: int) -> datetime:
    """``local`` so many months later; a day the month does not have becomes its last (31 January + 1 is 28
    February). Raises ``Invalid`` outside the years 1 to 9999."""
    year, month = divmod(local.year * 12 + local.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise Invalid(f"{local.date()} and {months} months is outside the years 1 to 9999", code="date_range")
    return local.replace(year=year, month=month + 1, day=min(local.day, days_in_month(year, month + 1)))


def days_in_month(year: int, month: int) -> int:
    if month == 12:
        return 31
    return (datetime(year, month + 1, 1) - timedelta(days=1)).day


def shift_local(local: datetime, grain: Grain, n: int) -> datetime:
    """``local`` moved by ``n`` grains of a day or more, on the calendar."""
    if grain in _MONTHS:
        return add_months(local, n * _MONTHS[grain])
    try:
        return local + timedelta(days=n * _DAYS[grain])
    except OverflowError:
        raise Invalid(
            f"{local.date()} and {n} {grain}s is outside the years 1 to 9999", code="date_range"
        ) from None


def shift(moment: datetime, grain: Grain, n: int, *, zone: tzinfo) -> datetime:
    """``moment`` moved by ``n`` grains. "Three days later" keeps the wall clock, "72 hours later" does not.

    Raises ``Invalid`` outside the years 1 to 9999, and for ``Grain.INSTANT``, which has no width.
    """
    if grain is Grain.INSTANT:
        raise Invalid("an instant has no width; shift by a grain from second to century", code="grain")
    if grain in _SECONDS:
        try:
            return moment.astimezone(UTC) + timedelta(seconds=n * _SECONDS[grain])
        except OverflowError:
            raise Invalid(f"{moment} and {n} {grain}s is outside the years 1 to 9999", code="date_range") from None
    return to_utc(shift_local(to_local(moment, zone), grain, n), zone)


def floor_local(local: datetime, grain: Grain) -> datetime:
    """The first wall-clock moment of the grain that ``local`` lies in."""
    if grain is Grain.INSTANT:
        return local
    if grain in _SECONDS:
        return local.replace(
            minute=0 if grain is Grain.HOUR else local.minute,
            second=local.second if grain is Grain.SECOND else 0,
            microsecond=0,
        )
    day = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    if grain is Grain.DAY:
        return day
    if grain is Grain.WEEK:
        return day - timedelta(days=day.weekday()) if day.toordinal() > day.weekday() else datetime.min
    width = _MONTHS[grain]
    offset = -1 if grain is Grain.SEASON else 0
    months = day.year * 12 + day.month - 1 - offset
    first = months - months % width + offset
    return datetime(max(first // 12, 1), first % 12 + 1 if first >= 12 else 1, 1)


def start_of(moment: datetime, grain: Grain, *, zone: tzinfo) -> datetime:
    """The first instant of the grain around ``moment``."""
    if grain is Grain.INSTANT:
        return moment.astimezone(UTC)
    local = to_local(moment, zone)
    if grain in _SECONDS:
        return moment.astimezone(UTC) - (local - floor_local(local, grain))
    return to_utc(floor_local(local, grain), zone)


def end_of(moment: datetime, grain: Grain, *, zone: tzinfo) -> datetime:
    """The first instant after the grain around ``moment`` (half-open); the last instant there is, if the
    grain reaches past year 9999."""
    if grain is Grain.INSTANT:
        return moment.astimezone(UTC)
    try:
        if grain in _SECONDS:
            return shift(start_of(moment, grain, zone=zone), grain, 1, zone=zone)
        return to_utc(shift_local(floor_local(to_local(moment, zone), grain), grain, 1), zone)
    except Invalid:
        return LAST_INSTANT


def bound_at(local: datetime, grain: Grain, *, zone: tzinfo, basis: Basis = Basis.STATED) -> Bound:
    """The grain around the wall-clock time ``local``, as the bound of a beginning or of a single time."""
    start = to_utc(floor_local(local, grain), zone)
    return Bound(start, grain, end_of(start, grain, zone=zone), basis)


def closing(bound: Bound) -> Bound:
    """The same grain as the end of a stated extent: ``at`` and ``grain_end`` are the grain's end."""
    end = bound.end_of_grain
    return Bound(end, bound.grain, end, bound.basis)
