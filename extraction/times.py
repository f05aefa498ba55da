"""Which time expression belongs to which saying."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from ..temporal.calendar import closing
from ..temporal.expressions import Direction, Shape, TimeReading, find_times, read_time
from .sayings import Saying, Tense
from .sentences import Language

_FOR = re.compile(
    r"\bfor (?:about |around |over |more than |almost |nearly |the (?:past|last) )?"
    r"(?P<n>an?|\d+|two|three|four|five|six|seven|eight|nine|ten) (?P<unit>year|month|week|day)s?\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"\bfor (?:all of |the whole of |just |only )?$", re.IGNORECASE)
_LE = re.compile(r"(?P<n>[\d一两二三四五六七八九十]+)个?(?P<unit>年|月|周|星期|天)了")


@dataclass(frozen=True, slots=True)
class Clock:
    """When and where something was said."""

    occurred_at: datetime
    zone: tzinfo


class Times:
    """The time expressions of one sentence, found when first asked for."""

    def __init__(self, text: str, language: Language, clock: Clock) -> None:
        self._text, self._language, self._clock = text, language, clock
        self._found: dict[Direction, list[tuple[int, int, TimeReading]]] = {}

    def of(self, saying: Saying) -> TimeReading | None:
        """The time that belongs to the saying, if one does."""
        if saying.tense in (Tense.PERFECT, Tense.PRESENT, Tense.UNMARKED):
            lasting = self._lasting(saying)
            if lasting is not None:
                return lasting
        future = saying.tense in (Tense.FUTURE, Tense.PROGRESSIVE)
        found = self._all(Direction.FUTURE if future else Direction.PAST)
        for stretches in saying.reach:
            for start, end, reading in found:
                if any(a < end and start < b for a, b in stretches):
                    exact = reading if reading.edge is None else replace(reading, start=reading.edge)
                    return self._only(exact, start)
        return None

    def elsewhere(self) -> bool:
        """Whether the sentence has a time at all: an undated change in it is then not one of now."""
        return bool(self._all(Direction.PAST))

    def _only(self, reading: TimeReading, start: int) -> TimeReading:
        """ "for May only" is the whole of May."""
        if reading.shape is Shape.POINT and reading.start is not None and _WHOLE.search(self._text[:start]):
            return TimeReading(reading.phrase, Shape.RANGE, reading.start, closing(reading.start))
        return reading

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
            if not any(a <= match.start() < b for a, b in saying.reach[0]):
                continue
            unit = {"月": "个月", "年": "年"}.get(match["unit"], match["unit"])
            phrase = ago.format(n=match["n"], unit=unit)
            reading = read_time(
                phrase, base=self._clock.occurred_at, zone=self._clock.zone, language=self._language
            )
            if reading is not None and reading.start is not None:
                return TimeReading(match.group(), Shape.SINCE, reading.start, None)
        return None
