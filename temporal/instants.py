"""Instants: how dates get in and out. Inside they are aware UTC datetimes, or integer microseconds."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final, TypeAlias

from .calendar import LAST_INSTANT, bound_at, end_of, floor_local, to_local, to_utc
from .errors import Invalid
from .grains import Bound, Grain
from .intervals import Interval

When: TypeAlias = str | date | datetime
"""An instant as users give it: ISO text (whole or partial), a date, or a datetime. Without a zone of its own it
is meant in the memory's time zone."""

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_SEASONS: Final = {3: "spring", 6: "summer", 9: "autumn", 12: "winter"}
_SEASON_MONTHS: Final = {name: month for month, name in _SEASONS.items()}

_COARSE: Final = re.compile(
    r"(?P<century>[0-9]{1,2})(?:st|nd|rd|th)\ century | (?P<decade>[0-9]{3})0s | (?P<year>[0-9]{4})"
    r"(?: -(?P<month>[0-9]{2}) (?: -(?P<day>[0-9]{2}) )?"
    r"  | -W(?P<week>[0-9]{2}) | -Q(?P<quarter>[1-4]) | -H(?P<half>[12])"
    r"  | -(?P<season>spring|summer|autumn|winter) )?",
    re.VERBOSE | re.ASCII,
)
_CLOCK: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]"
    r"[0-9]{2} (?P<minute>:[0-9]{2})? (?P<second>:[0-9]{2})? (?P<fraction>[.,][0-9]+)?"
    r"\s?(?P<zone>Z|[+-][0-9]{2}(?::?[0-9]{2})?)?",
    re.VERBOSE | re.ASCII,
)
_HINT: Final = 'write it like "2026-03-02", "2026-03-02T10:00+01:00", "2024-03" or "2024"'


def to_us(moment: datetime) -> int:
    """Microseconds since 1970-01-01 UTC, exact. Raises ``Invalid`` for a datetime without a time zone."""
    if moment.utcoffset() is None:
        raise Invalid(f"{moment.isoformat()} has no time zone; give an aware datetime", code="naive_datetime")
    return (moment - EPOCH) // _MICROSECOND


def from_us(us: int) -> datetime:
    """The inverse of ``to_us``. Raises ``Invalid`` outside the years 1 to 9999."""
    try:
        return EPOCH + us * _MICROSECOND
    except OverflowError:
        raise Invalid(f"{us} microseconds since 1970 is outside the years 1 to 9999", code="date_range") from None


def parse_instant(value: str | date | datetime, *, zone: tzinfo) -> datetime:
    """The first instant of what ``parse_bound`` reads."""
    return parse_bound(value, zone=zone).at


def parse_bound(value: str | date | datetime, *, zone: tzinfo) -> Bound:
    """Read an ISO date or time, whole or partial, keeping the grain it was written with.

    Without a zone of its own the value is meant in ``zone``. Accepts datetimes, dates and strings: ``2024``,
    ``2024-03``, ``2026-03-02``, ``2026-03-02T10:00``, with seconds, fraction, ``Z`` or ``+01:00``; also what
    ``format_bound`` writes (``2024-Q1``, ``2024-H2``, ``2024-W09``, ``2023-summer``, ``2010s``,
    ``20th century``).
    Raises ``Invalid`` for everything else, also for days that do not exist.
    """
    if isinstance(value, datetime):
        return Bound(_aware(value, zone))
    if isinstance(value, date):
        return bound_at(datetime(value.year, value.month, value.day), Grain.DAY, zone=zone)
    if not isinstance(value, str):
        raise _not_a_date(value)
    text = value.strip()
    if match := _COARSE.fullmatch(text):
        return _coarse(match, text, zone)
    if match := _CLOCK.fullmatch(text):
        return _clock(match, text, zone)
    raise _not_a_date(value)


def _aware(value: datetime, zone: tzinfo) -> datetime:
    if value.utcoffset() is None:
        # The caller's fold says which of two equal wall-clock times is meant.
        value = value.replace(tzinfo=zone)
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise Invalid(f"{value.isoformat()} is outside the years 1 to 9999", code="date_range") from None


def _coarse(match: re.Match[str], text: str, zone: tzinfo) -> Bound:
    part = match.groupdict()
    try:
        if part["century"]:
            local, grain = datetime(max(int(part["century"]) * 100 - 100, 1), 1, 1), Grain.CENTURY
        elif part["decade"]:
            local, grain = datetime(max(int(part["decade"]) * 10, 1), 1, 1), Grain.DECADE
        elif part["week"]:
            local, grain = datetime.fromisocalendar(int(part["year"]), int(part["week"]), 1), Grain.WEEK
        else:
            local, grain = _dated(part)
    except ValueError:
        raise _not_a_date(text) from None
    return bound_at(local, grain, zone=zone)


def _dated(part: dict[str, str | None]) -> tuple[datetime, Grain]:
    month, grain = 1, Grain.YEAR
    if quarter := part["quarter"]:
        month, grain = int(quarter) * 3 - 2, Grain.QUARTER
    elif half := part["half"]:
        month, grain = int(half) * 6 - 5, Grain.HALF
    elif season := part["season"]:
        month, grain = _SEASON_MONTHS[season], Grain.SEASON
    elif part["month"]:
        month, grain = int(part["month"]), Grain.DAY if part["day"] else Grain.MONTH
    return datetime(int(part["year"] or 0), month, int(part["day"] or 1)), grain


def _clock(match: re.Match[str], text: str, zone: tzinfo) -> Bound:
    try:
        moment = _aware(datetime.fromisoformat(text.replace(",", ".").replace(" Z", "Z")), zone)
    except ValueError:
        raise _not_a_date(text) from None
    if match["fraction"]:
        return Bound(moment)
    grain = Grain.SECOND if match["second"] else Grain.MINUTE if match["minute"] else Grain.HOUR
    width = {Grain.HOUR: 3600, Grain.MINUTE: 60, Grain.SECOND: 1}[grain]
    return Bound(moment, grain, from_us(to_us(moment) + width * 1_000_000))


def _not_a_date(value: object) -> Invalid:
    if isinstance(value, str) and len(value) > 60:
        value = value[:57] + "..."
    return Invalid(f"{value!r} is not a date; {_HINT}", code="not_a_date")


def parse_stretch(start: When | None, end: When | None, *, zone: tzinfo) -> Interval:
    """From the first instant of ``start`` to the end of ``end``, which includes its grain: ("2019", "2021") is
    three years; the end of a datetime is itself. None leaves a side open.

    Raises ``Invalid`` for what is no date, and where nothing lies between the two.
    """
    low = None if start is None else parse_instant(start, zone=zone)
    high = None if end is None else parse_bound(end, zone=zone).end_of_grain
    stretch = Interval(low, high)
    if stretch.empty:
        raise Invalid(f"nothing lies between {start} and {end}; give the earlier one first", code="empty_interval")
    return stretch


def parse_time(value: When, *, zone: tzinfo) -> Interval:
    """The whole of one time: "2021" is that year, a datetime its microsecond. Raises ``Invalid`` for no date."""
    bound = parse_bound(value, zone=zone)
    if bound.at == LAST_INSTANT:
        return Interval(bound.at, None)
    return Interval(bound.at, max(bound.end_of_grain, bound.at + _MICROSECOND))


def format_bound(bound: Bound, zone: tzinfo = UTC) -> str:
    """The bound as it was said: ``2023-01`` for a month, ``2026-03-02T10:00Z`` for a minute.

    ``zone`` should be the one it was meant in: a bound that does not stand at the start of its grain there is
    written out as far as its clock time needs. Midnight is written as its day. Parts are named: ``late 2023-01``.
    """
    local = to_local(bound.at, zone)
    grain = bound.grain
    if (part := _part(bound, local, zone)) is not None:
        return f"{part} {_calendar_text(floor_local(local, grain), grain)}"
    if not _stands_at_start(bound.at, local, grain, zone):
        grain = Grain.INSTANT
    if grain is Grain.INSTANT and _stands_at_start(bound.at, local, Grain.DAY, zone):
        grain = Grain.DAY
    text = _calendar_text(floor_local(local, grain), grain)
    return _clock_text(bound.at, local, zone, grain) if text is None else text


_IN_PARTS: Final = {g: {1} for g in (Grain.YEAR, Grain.HALF, Grain.SEASON, Grain.QUARTER)} | {
    Grain.MONTH: {1, 11, 21}
}
"""Days of the month on which the parts of these grains begin and end."""


def _part(bound: Bound, local: datetime, zone: tzinfo) -> str | None:
    """Which part of its grain it was said to be; None for the whole, for what has no parts, and for a bound that
    was moved within its grain."""
    days = _IN_PARTS.get(bound.grain)
    if days is None or bound.end_of_grain <= bound.at:
        return None
    start, end = floor_local(local, bound.grain), end_of(bound.at, bound.grain, zone=zone)
    if bound.end_of_grain > end or (local == start and bound.end_of_grain == end):
        return None
    sides = (local, to_local(bound.end_of_grain, zone))
    if any(
        side.day not in days or not _stands_at_start(to_utc(side, zone), side, Grain.DAY, zone) for side in sides
    ):
        return None
    return "early" if local == start else "late" if bound.end_of_grain == end else "mid"


def _stands_at_start(moment: datetime, local: datetime, grain: Grain, zone: tzinfo) -> bool:
    floor = floor_local(local, grain)
    # A day can begin at 01:00, where clocks skip midnight.
    return floor == local or (local - floor < timedelta(hours=3) and to_utc(floor, zone) == moment)


def _calendar_text(start: datetime, grain: Grain) -> str | None:
    year = f"{start.year:04}"
    week_year, week, _ = start.isocalendar()
    texts = {
        Grain.CENTURY: f"{_ordinal(start.year // 100 + 1)} century",
        Grain.DECADE: f"{start.year // 10:03}0s",
        Grain.YEAR: year,
        Grain.HALF: f"{year}-H{1 + start.month // 7}",
        Grain.SEASON: f"{year}-{_SEASONS.get(start.month, 'winter')}",
        Grain.QUARTER: f"{year}-Q{(start.month + 2) // 3}",
        Grain.MONTH: f"{year}-{start.month:02}",
        Grain.WEEK: f"{week_year:04}-W{week:02}",
        Grain.DAY: start.date().isoformat(),
    }
    return texts.get(grain)


def _ordinal(n: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{'th' if n % 100 in (11, 12, 13) else ending}"


def _clock_text(moment: datetime, local: datetime, zone: tzinfo, grain: Grain) -> str:
    units = {Grain.HOUR: "minutes", Grain.MINUTE: "minutes", Grain.SECOND: "seconds"}
    unit = units.get(grain) or ("minutes" if local == floor_local(local, Grain.MINUTE) else "auto")
    offset = moment.astimezone(zone).strftime("%z")
    return local.isoformat(timespec=unit) + ("Z" if offset == "+0000" else f"{offset[:3]}:{offset[3:]}")


def format_interval(start: Bound | None, end: Bound | None, zone: tzinfo = UTC) -> str:
    """Half-open, as ``[2023-01, 2026-03-02)``; an open side stays empty: ``[2026-03-02, )``, ``(, 2024)``."""
    left = "(" if start is None else f"[{format_bound(start, zone)}"
    return f"{left}, {'' if end is None else format_bound(end, zone)})"
