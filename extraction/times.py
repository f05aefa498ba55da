"""Which time expression belongs to which saying."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

from ..temporal.calendar import closing
from ..temporal.expressions import Direction, Shape, TimeReading, find_times, read_time
from ..temporal.grains import Bound
from .sayings import Saying, Stance, Tense
from .sentences import Language

_ABOUT = r"(?:about |around |over |more than |almost |nearly |just |only |the (?:past|last) )?"
_SO_MANY = r"(?P<n>an?|one|\d+|two|three|four|five|six|seven|eight|nine|ten) (?P<unit>year|month|week|day)s?\b"
_FOR = re.compile(rf"\bfor {_ABOUT}{_SO_MANY}", re.IGNORECASE)
_AFTER = re.compile(
    rf"\bafter {_ABOUT}{_SO_MANY}(?! of\b)|\b{_SO_MANY.replace('<n>', '<m>').replace('<unit>', '<each>')} later\b",
    re.IGNORECASE,
)
"""So long after what was told before."""
_LEAP = 1.2
"""Months and years are not all as long."""
_FROM = re.compile(r"\bfrom $", re.IGNORECASE)
_WHOLE = re.compile(r"\bfor (?:all of |the whole of |just |only )?$", re.IGNORECASE)
_LE = re.compile(r"(?P<n>[\d一两二三四五六七八九十]+)个?(?P<unit>年|月|周|星期|天)了")


@dataclass(frozen=True, slots=True)
class Clock:
    """When and where something was said."""

    occurred_at: datetime
    zone: tzinfo


class Times:
    """The time expressions of one sentence, found when first asked for."""

    def __init__(self, text: str, language: Language, clock: Clock, told: Bound | None = None) -> None:
        """``told``: when what the sentences before have told happened."""
        self._text, self._language, self._clock, self._told = text, language, clock, told
        self._found: dict[Direction, list[tuple[int, int, TimeReading]]] = {}

    def of(self, saying: Saying) -> TimeReading | None:
        """The time that belongs to the saying, if one does."""
        if saying.tense in (Tense.PERFECT, Tense.PRESENT, Tense.UNMARKED):
            lasting = self._lasting(saying)
            if lasting is not None:
                return lasting
        after = self._after(saying)
        if after is not None:
            return self._later(after)
        future = saying.tense in (Tense.FUTURE, Tense.PROGRESSIVE)
        found = self._all(Direction.FUTURE if future else Direction.PAST)
        for stretches in saying.reach:
            for start, end, reading in found:
                if any(a < end and start < b for a, b in stretches):
                    exact = reading if reading.edge is None else replace(reading, start=reading.edge)
                    return self._whole(saying, exact, start)
        return None

    def elsewhere(self) -> bool:
        """Whether the sentence has a time at all: an undated change in it is then not one of now."""
        return bool(self._all(Direction.PAST))

    def _whole(self, saying: Saying, reading: TimeReading, start: int) -> TimeReading:
        """ "for May only" is the whole of May; "worked there from May" goes on until something ended it."""
        if reading.shape is not Shape.POINT or reading.start is None:
            return reading
        if _WHOLE.search(self._text[:start]):
            return TimeReading(reading.phrase, Shape.RANGE, reading.start, closing(reading.start))
        lasted = saying.stance is Stance.HOLDS and saying.tense is Tense.PAST
        if lasted and _FROM.search(self._text[:start]):
            return TimeReading(reading.phrase, Shape.RANGE, reading.start, None)
        return reading

    def _after(self, saying: Saying) -> re.Match[str] | None:
        if self._language != "en" or not saying.reach:
            return None
        found = _AFTER.finditer(self._text)
        return next((m for m in found if any(a <= m.start() < b for a, b in saying.reach[0])), None)

    def _later(self, after: re.Match[str]) -> TimeReading | None:
        """ "joined in 2020 and left **after two years**": counted from the time told last, if that is as exact."""
        before = [
            r.start for _, end, r in self._all(Direction.PAST) if end <= after.start() and r.start is not None
        ]
        base = before[-1] if before else self._told
        if base is None:
            return None
        n, unit = after["n"] or after["m"], after["unit"] or after["each"]
        later = read_time(f"{n} {unit}s later", base=base.at, zone=self._clock.zone, language=self._language)
        exact = later is not None and later.start is not None and _width(later.start) * _LEAP >= _width(base)
        return later if exact else None

    def _all(self, direction: Direction) -> list[tuple[int, int, TimeReading]]:
        if direction not in self._found:
            self._found[direction] = find_times(
                self._text,
                base=self._clock.occurred_at,
                zone=self._clock.zone,
                language=self._language,
                direction=direction,
            )
        return self._found[direction]

    def _lasting(self, saying: Saying) -> TimeReading | None:
        """ "for three years", "三年了": since then."""
        pattern, ago = (_LE, "{n}{unit}前") if self._language == "zh" else (_FOR, "{n} {unit}s ago")
        for match in pattern.finditer(self._text):
            if not any(a <= match.start() < b for stretch in saying.reach[:1] for a, b in stretch):
                continue
            unit = {"月": "个月", "年": "年"}.get(match["unit"], match["unit"])
            phrase = ago.format(n=match["n"], unit=unit)
            reading = read_time(
                phrase, base=self._clock.occurred_at, zone=self._clock.zone, language=self._language
            )
            if reading is not None and reading.start is not None:
                return TimeReading(match.group(), Shape.SINCE, reading.start, None)
        return None


def _width(bound: Bound) -> timedelta:
    return bound.end_of_grain - bound.at
