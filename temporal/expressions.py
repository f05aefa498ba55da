"""Time expressions, English and Chinese: what a phrase means, seen from a base time.

The answer depends on the arguments alone; the machine's clock and zone are never read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import Literal, Protocol

from .calendar import to_local, to_utc
from .errors import Invalid
from .grains import Bound
from .parts import last
from .stretches import Direction, Extent, Setting, Stretch

Language = Literal["en", "zh"]

__all__ = ["Direction", "Language", "Shape", "TimeReading", "find_times", "read_time"]


class Shape(StrEnum):
    POINT = "point"
    """One time: ``start`` is set, and its ``grain_end`` tells how wide it is. "March 2024", "yesterday"."""
    RANGE = "range"
    """``[start, end)``, both set: "from June to August 2023", "the last three days"."""
    SINCE = "since"
    """Only ``start``: "since 2019", "after March" (from the end of March on)."""
    UNTIL = "until"
    """Only ``end``: "until 2019", "before March" end where it starts; "through March" where it ends."""


@dataclass(frozen=True, slots=True)
class TimeReading:
    """What ``phrase`` (verbatim) means."""

    phrase: str
    shape: Shape
    start: Bound | None
    end: Bound | None
    edge: Bound | None = None
    """Of "the end of 2024", which is a third of the year: its last month, where a change stands that happened
    then. None for every other time."""


def read_time(
    text: str,
    *,
    base: datetime,
    zone: tzinfo,
    language: Language,
    direction: Direction | Literal["past", "future", "none"] = Direction.PAST,
    month_first: bool = True,
) -> TimeReading | None:
    """Read one phrase that is a time and nothing else, such as a DATE span of a language pipeline.

    ``base`` (aware) is when it was said, ``zone`` where. None: not understood, or no such day (30 February).
    Durations ("three days") and recurrences ("every Friday") are not times and give None.
    """
    setting = _setting(base, zone, direction, month_first)
    try:
        found = _grammar(language).read(text, setting)
        return None if found is None else _reading(text.strip(), found, zone)
    except (Invalid, OverflowError):
        return None


def find_times(
    text: str,
    *,
    base: datetime,
    zone: tzinfo,
    language: Language,
    direction: Direction | Literal["past", "future", "none"] = Direction.PAST,
    month_first: bool = True,
) -> list[tuple[int, int, TimeReading]]:
    """Find the times in running text: ``(start, end, reading)`` in order, without overlap, offsets into
    ``text``. Careful rather than complete: what could as well be no time ("may", "2000", "1/2") needs a word
    such as "in" before it."""
    setting = _setting(base, zone, direction, month_first)
    found = []
    for start, end, time in _grammar(language).find(text, setting):
        try:
            found.append((start, end, _reading(text[start:end], time, zone)))
        except (Invalid, OverflowError):
            continue
    return found


class _Grammar(Protocol):
    def read(self, text: str, setting: Setting) -> Stretch | Extent | None: ...
    def find(self, text: str, setting: Setting) -> Iterator[tuple[int, int, Stretch | Extent]]: ...


def _grammar(language: Language) -> _Grammar:
    # Compiling their patterns takes longer than all other imports of this package together.
    if language == "zh":
        from . import chinese

        return chinese
    from . import english

    return english


def _setting(base: datetime, zone: tzinfo, direction: str, month_first: bool) -> Setting:
    if base.utcoffset() is None:
        raise Invalid(f"the base time {base} has no time zone; give an aware datetime", code="naive_datetime")
    return Setting(to_local(base, zone), zone, Direction(direction), month_first)


def _reading(phrase: str, found: Stretch | Extent, zone: tzinfo) -> TimeReading:
    if isinstance(found, Stretch):
        return TimeReading(phrase, Shape.POINT, _opening(found, zone), None, _edge(found, zone))
    start = None if found.first is None else _opening(found.first, zone)
    end = None if found.last is None else _closing(found.last, zone)
    shape = Shape.UNTIL if start is None else Shape.SINCE if end is None else Shape.RANGE
    return TimeReading(phrase, shape, start, end, _edge(found.first, zone))


def _edge(stretch: Stretch | None, zone: tzinfo) -> Bound | None:
    return _opening(last(stretch), zone) if stretch is not None and stretch.edge else None


def _opening(stretch: Stretch, zone: tzinfo) -> Bound:
    return Bound(to_utc(stretch.start, zone), stretch.grain, to_utc(stretch.end, zone))


def _closing(stretch: Stretch, zone: tzinfo) -> Bound:
    end = to_utc(stretch.end, zone)
    return Bound(end, stretch.grain, end)
