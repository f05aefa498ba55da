"""What the English and the Chinese grammar have in common: times on the wall clock, whole or with parts left
out, and how the parts left out are found from the base time.

All datetimes here are naive and local; ``expressions`` makes instants of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from enum import StrEnum
from functools import lru_cache

from .calendar import add_months, floor_local, shift, shift_local, to_local, to_utc
from .errors import Invalid
from .grains import Grain

DAY = timedelta(days=1)
OUT_OF_RANGE = (Invalid, OverflowError, ValueError)
"""What datetime and ``calendar`` raise beyond the years 1 to 9999: such a time is not read."""
_FINE = frozenset({Grain.HOUR, Grain.MINUTE, Grain.SECOND})


class Direction(StrEnum):
    """Which of the possible times a phrase without a year (or week) means: the last one up to the base, the
    first one from the base on, or the nearest."""

    PAST = "past"
    FUTURE = "future"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Setting:
    """What a phrase is read against. ``base`` is the wall clock in ``zone`` when it was said.
    ``month_first`` reads 03/04/2024 as 4 March."""

    base: datetime
    zone: tzinfo
    direction: Direction = Direction.PAST
    month_first: bool = True

    @property
    def today(self) -> Stretch:
        return around(self.base, Grain.DAY)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A whole time ``[start, end)``, said with ``grain``."""

    start: datetime
    end: datetime
    grain: Grain
    edge: bool = False
    """Said as the very end of a whole: "the end of June", unlike "late June"."""


@dataclass(frozen=True, slots=True)
class Extent:
    """From the start of ``first`` to the end of ``last``; None leaves the side open."""

    first: Stretch | None
    last: Stretch | None


@dataclass(frozen=True, slots=True)
class Partial:
    """A time whose year, month or week was left out: "March", "the 18th", "Friday", "Christmas".

    ``month`` with grain QUARTER, HALF or SEASON is the first month of one. ``rule`` gives the day of a feast
    in a year (None: it has none that year).
    """

    grain: Grain
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    rule: Callable[[int], date | None] | None = None

    @property
    def has_yearly_place(self) -> bool:
        return self.month is not None or self.rule is not None


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day. ``hour`` may be 24 and more (the small hours of the next day). ``sure`` is False
    when the hour could also be meant twelve hours later."""

    hour: int
    minute: int = 0
    second: int = 0
    grain: Grain = Grain.HOUR
    sure: bool = True

    @property
    def offset(self) -> timedelta:
        return timedelta(hours=self.hour, minutes=self.minute, seconds=self.second)


@dataclass(frozen=True, slots=True)
class DayPart:
    """A named part of a day, in hours from midnight: morning is 8 to 12."""

    first: float
    last: float


@dataclass(frozen=True, slots=True)
class ClockRange:
    first: Clock
    last: Clock


@dataclass(frozen=True, slots=True)
class Timed:
    """A time of day on a day; without a day, on the base's day."""

    clock: Clock | DayPart | ClockRange
    day: Stretch | Partial | None = None


Time = Stretch | Extent | Partial | Timed


def around(moment: datetime, grain: Grain) -> Stretch:
    """The grain that ``moment`` lies in."""
    start = floor_local(moment, grain)
    return Stretch(start, _later(start, grain), grain)


def _later(start: datetime, grain: Grain) -> datetime:
    widths = {
        Grain.HOUR: timedelta(hours=1),
        Grain.MINUTE: timedelta(minutes=1),
        Grain.SECOND: timedelta(seconds=1),
    }
    if grain in widths:
        return start + widths[grain]
    try:
        return shift_local(start, grain, 1)
    except Invalid:
        return datetime.max


def moved(stretch: Stretch, grain: Grain, n: int) -> Stretch:
    """The whole grain ``n`` grains after the one around the stretch's start."""
    return around(shift_local(floor_local(stretch.start, grain), grain, n), grain)


def displaced(setting: Setting, moment: datetime, grain: Grain, n: float) -> datetime:
    """``moment`` plus ``n`` grains: hours and finer are real durations, days and more calendar steps."""
    whole = int(n)
    if grain in _FINE:
        seconds = n * {Grain.HOUR: 3600, Grain.MINUTE: 60, Grain.SECOND: 1}[grain]
        instant = shift(to_utc(moment, setting.zone), Grain.SECOND, round(seconds), zone=setting.zone)
        return to_local(instant, setting.zone)
    result = shift_local(moment, grain, whole)
    if n != whole:
        finer = {Grain.YEAR: (Grain.MONTH, 12), Grain.MONTH: (Grain.DAY, 30), Grain.WEEK: (Grain.DAY, 7)}
        if grain is Grain.DAY:
            return result + timedelta(days=n - whole)
        step, count = finer.get(grain, (Grain.YEAR, 10))
        result = shift_local(result, step, round((n - whole) * count))
    return result


def offset_point(setting: Setting, grain: Grain, n: float) -> Stretch:
    """ "Three days ago", "in two months": the day for days and weeks, else the grain it was counted in."""
    moment = displaced(setting, setting.base, grain, n)
    if grain in _FINE:
        finest = Grain.SECOND if grain is Grain.SECOND else Grain.MINUTE
        start = moment.replace(microsecond=0) if grain is Grain.SECOND else moment
        return Stretch(start, _later(start, finest), finest)
    if n != int(n) and grain in (Grain.YEAR, Grain.MONTH):
        return around(moment, Grain.MONTH)
    return around(moment, Grain.DAY if grain is Grain.WEEK else grain)


def rolling(setting: Setting, grain: Grain, n: int) -> Extent:
    """ "The last three months" (n = -3), up to now; "the next three days", from tomorrow (from now for hours)."""
    if grain in _FINE:
        now, other = setting.base, displaced(setting, setting.base, grain, n)
    elif grain is Grain.QUARTER:
        return whole_grains(setting, grain, n)
    else:
        now = floor_local(setting.base, Grain.DAY) + (DAY if n > 0 else timedelta())
        other = shift_local(now, grain, n)
    first, last = min(now, other), max(now, other)
    return extent_between(first, last, grain)


def whole_grains(setting: Setting, grain: Grain, n: int) -> Extent:
    """The n whole grains after the current one (n > 0) or before it."""
    here = around(setting.base, grain)
    edge = _later(here.start, grain) if n > 0 else here.start
    other = displaced(replace(setting, base=edge), edge, grain, n)
    return extent_between(min(edge, other), max(edge, other), grain)


def extent_between(first: datetime, last: datetime, grain: Grain) -> Extent:
    fine = Grain.MINUTE if grain in _FINE else Grain.DAY
    return Extent(Stretch(first, min(_later(first, fine), last), fine), Stretch(first, last, fine))


def resolve(time: Time, setting: Setting) -> Stretch | Extent | None:
    """Fill in what was left out. None when there is no such time (30 February)."""
    match time:
        case Stretch() | Extent():
            return time
        case Partial():
            return pick(time, setting.base, setting.direction)
        case Timed(clock, day):
            whole = setting.today if day is None else resolve(day, setting)
            return None if not isinstance(whole, Stretch) else on_day(clock, whole)


def on_day(clock: Clock | DayPart | ClockRange, day: Stretch) -> Stretch | Extent | None:
    if day.grain is not Grain.DAY:
        return None
    midnight = floor_local(day.start, Grain.DAY)
    match clock:
        case Clock():
            return around(midnight + clock.offset, clock.grain)
        case DayPart(first, last):
            return Stretch(midnight + timedelta(hours=first), midnight + timedelta(hours=last), Grain.HOUR)
        case ClockRange(first, last):
            start, end = around(midnight + first.offset, first.grain), midnight + last.offset
            if end <= start.start:
                end += DAY if last.sure or last.hour > 12 or first.hour >= 12 else DAY / 2
            return Extent(start, Stretch(start.start, end, last.grain)) if end > start.start else None


def in_year(partial: Partial, year: int) -> Stretch | None:
    """The partial time in a given year; None when there is none."""
    try:
        if partial.rule is not None:
            day = partial.rule(year)
            return None if day is None else around(datetime(day.year, day.month, day.day), Grain.DAY)
        if partial.month is None:
            return None
        found = datetime(year, partial.month, partial.day or 1)
    except ValueError:
        return None
    return around(found, partial.grain)


def in_month(partial: Partial, year: int, month: int) -> Stretch | None:
    """A bare day of the month ("the 18th", "Friday the 13th") in a given month."""
    try:
        found = datetime(year, month, partial.day or 1)
    except ValueError:
        return None
    return around(found, Grain.DAY) if partial.weekday in (None, found.weekday()) else None


def candidates(partial: Partial, base: datetime) -> Iterator[Stretch]:
    """Every such time in the years (months, weeks) around the base, in order."""
    if partial.has_yearly_place:
        years = range(max(base.year - 8, 1), min(base.year + 8, 9998) + 1)
        found = (in_year(partial, year) for year in years)
    elif partial.day is not None:
        reach = 12 if partial.weekday is None else 40
        months = (_month_from(base, n) for n in range(-reach, reach + 1))
        found = (in_month(partial, *month) for month in months)
    else:
        weekday = partial.weekday or 0
        first = floor_local(base, Grain.DAY) + DAY * ((weekday - base.weekday()) % 7 - 7)
        found = (around(first + 7 * DAY * n, Grain.DAY) for n in range(3))
    yield from (stretch for stretch in found if stretch is not None)


def _month_from(base: datetime, n: int) -> tuple[int, int]:
    moved_base = add_months(base.replace(day=1), n)
    return moved_base.year, moved_base.month


@lru_cache(maxsize=1024)
def pick(partial: Partial, base: datetime, direction: Direction) -> Stretch | None:
    """The one that is meant. Looking back, a bare weekday is never the base's own day ("on Friday", said on a
    Friday, is a week ago or ahead); everything else that has begun counts."""
    days = list(candidates(partial, base))
    bare_weekday = partial.weekday is not None and partial.day is None and not partial.has_yearly_place
    today = floor_local(base, Grain.DAY)
    back = [day for day in days if day.start < today or (day.start == today and not bare_weekday)]
    ahead = [day for day in days if day.start > today or (day.end > base and not bare_weekday)]
    if partial.weekday is not None and partial.day is not None:
        # "Friday the 13th" comes about twice a year: the nearest is meant.
        direction = Direction.NONE
    match direction:
        case Direction.PAST:
            return back[-1] if back else None
        case Direction.FUTURE:
            return ahead[0] if ahead else None
        case Direction.NONE:
            return min(days, key=lambda day: abs(day.start - today), default=None)


def agreeing(partial: Partial, weekday: int, setting: Setting) -> Stretch | Partial:
    """ "Sunday, 10 February": where the nearest such day is a Sunday, it is meant; else the weekday is a slip."""
    nearest = pick(partial, setting.base, Direction.NONE)
    return nearest if nearest is not None and nearest.start.weekday() == weekday else partial


def strictly(partial: Partial, setting: Setting, n: int) -> Stretch | None:
    """ "Last March" (n = -1), "next Christmas" (n = 1): the nearest one that does not hold the base's day."""
    today = floor_local(setting.base, Grain.DAY)
    found = list(candidates(partial, setting.base))
    if n < 0:
        return next((one for one in reversed(found) if one.end <= today), None)
    return next((one for one in found if one.start > today), None)


def spanning(first: Time, last: Time, setting: Setting) -> Extent | None:
    """ "From ... to ...": each side fills in what the other leaves out; the end comes after the start."""
    first, last = _share_day(first, last)
    if isinstance(first, Partial) and isinstance(last, Partial):
        end = pick(last, setting.base, setting.direction)
        start = None if end is None else pick(first, end.start, Direction.PAST)
        if setting.direction is Direction.FUTURE:
            start = pick(first, setting.base, Direction.FUTURE)
            end = None if start is None else pick(last, start.start, Direction.FUTURE)
    elif isinstance(first, Partial):
        end = _single(resolve(last, setting))
        start = None if end is None else pick(first, end.start, Direction.PAST)
    else:
        start = _single(resolve(first, setting))
        end = None if start is None else _after(start, last, setting)
    if start is None or end is None or end.end <= start.start or end.start < start.start:
        return None
    if isinstance(first, Partial) and end.start - start.start > 366 * DAY:
        return None
    if isinstance(last, Timed) and isinstance(last.clock, Clock):
        # "From 2pm to 4pm" ends at four, unlike "from June to August".
        end = Stretch(end.start, end.start, end.grain)
    return Extent(start, end)


def _share_day(first: Time, last: Time) -> tuple[Time, Time]:
    """ "Monday 8pm to 10pm", "8pm to 10pm on Monday": one day serves both clock times."""
    if isinstance(first, Timed) and isinstance(last, Timed) and first.day and not last.day:
        return first, replace(last, day=first.day)
    if isinstance(first, Timed) and isinstance(last, Timed) and last.day and not first.day:
        return replace(first, day=last.day), last
    return first, last


def _single(time: Stretch | Extent | None) -> Stretch | None:
    return time if isinstance(time, Stretch) else None


def _after(start: Stretch, last: Time, setting: Setting) -> Stretch | None:
    later = replace(setting, base=start.start, direction=Direction.FUTURE)
    if isinstance(last, Partial):
        return pick(last, start.start, Direction.FUTURE)
    return _single(resolve(last, later if isinstance(last, Timed) else setting))


def after(stretch: Stretch) -> Extent:
    """ "After March": from the grain that follows."""
    end, grain = stretch.end, stretch.grain
    if end - stretch.start > timedelta(hours=1) and grain is Grain.HOUR:
        return Extent(around(end, Grain.HOUR), None)
    if grain in _FINE or grain is Grain.INSTANT:
        return Extent(stretch, None)
    following = around(end, grain) if floor_local(end, grain) == end else Stretch(end, end, Grain.INSTANT)
    return Extent(following, None)


def before(stretch: Stretch) -> Extent:
    return Extent(None, Stretch(stretch.start, stretch.start, stretch.grain))
