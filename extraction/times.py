"""Which time expression belongs to which saying."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

from ..temporal.calendar import bound_at, closing, end_of, to_local
from ..temporal.expressions import Direction, Shape, TimeReading, find_times, read_time
from ..temporal.grains import Bound, Grain
from .english.times import (
    goes_on_up_to,
    is_one_of,
    is_some_time,
    is_weekly,
    lies_between,
    looks_back,
    says_when,
    some_ago,
    takes_effect,
)
from .sayings import Polarity, Saying, Stance, Tense
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
_DONE = frozenset({Tense.PAST, Tense.PERFECT})
_AHEAD = frozenset({Tense.FUTURE, Tense.PROGRESSIVE})
_WITHIN_DAYS = frozenset({Grain.HOUR, Grain.MINUTE, Grain.SECOND})
_WEEK = timedelta(days=7)
_COARSER = {
    Grain.DAY: (Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.YEAR),
    Grain.WEEK: (Grain.MONTH, Grain.YEAR),
    Grain.MONTH: (Grain.QUARTER, Grain.YEAR),
    Grain.QUARTER: (Grain.YEAR,),
    Grain.SEASON: (Grain.YEAR,),
    Grain.HALF: (Grain.YEAR,),
    Grain.YEAR: (Grain.DECADE,),
}
"""What may hold two times of a grain between which one cannot tell."""


@dataclass(frozen=True, slots=True)
class Clock:
    """When and where something was said."""

    occurred_at: datetime
    zone: tzinfo


class Times:
    """The time expressions of one sentence, found when first asked for."""

    def __init__(
        self, text: str, language: Language, clock: Clock, undated: re.Pattern[str], told: Bound | None = None
    ) -> None:
        """``undated``: English words for a time in the past that nobody can date; ``told``: when what the
        sentences before have told happened."""
        self._text, self._language, self._clock, self._told = text, language, clock, told
        self._undated = undated
        self._found: dict[Direction, list[tuple[int, int, TimeReading]]] = {}

    def of(self, saying: Saying) -> TimeReading | None:
        """The time that belongs to the saying, if one does."""
        if saying.tense in (Tense.PERFECT, Tense.PRESENT, Tense.UNMARKED):
            lasting = self._lasting(saying)
            if lasting is not None and not (saying.tense is Tense.PRESENT and _changes(saying)):
                return lasting
        after = self._after(saying)
        if after is not None:
            return self._later(after)
        loosely = self._some_ago(saying)
        if loosely is not None:
            return loosely[0]
        direction = Direction.FUTURE if _looks_ahead(saying) else Direction.PAST
        for start, _, found in self._reached(saying, direction):
            reading = self._certain(saying, self._turned(saying, start, found), start)
            if reading is None or _recurs(saying, reading) or _is_by_then(saying, reading):
                return None
            exact = reading if reading.edge is None else replace(reading, start=reading.edge)
            return self._whole(saying, self._without_deadline(exact), start)
        return None

    def _without_deadline(self, reading: TimeReading) -> TimeReading:
        """ "By June", 六月前: a state may well go on after it."""
        lasts = goes_on_up_to(reading.phrase) if self._language == "en" else not reading.phrase.endswith("前")
        return reading if lasts or reading.shape is not Shape.UNTIL else replace(reading, end=None)

    def announced(self, saying: Saying) -> Saying:
        """The saying as one of the future, if it told of a change to come: "cancelled it effective May 1"."""
        told = saying.tense in _DONE if _changes(saying) else saying.tense is Tense.PRESENT
        if self._language != "en" or not told or saying.polarity is not Polarity.POSITIVE:
            return saying
        for start, end, back in self._reached(saying, Direction.PAST):
            if takes_effect(self._text, start, saying.at):
                tense = Tense.FUTURE if self._nearer(start, back) else saying.tense
                return replace(saying, tense=tense, reach=(((start, end),),))
        return saying

    def elsewhere(self, saying: Saying) -> bool:
        """Whether the sentence has a time at all: an undated change in it is then not one of now."""
        return bool(self._all(Direction.PAST)) or (saying.tense in _DONE and self._is_undated(saying))

    def _is_undated(self, saying: Saying) -> bool:
        """Whether it was at a time that nobody can date, told in its own clause or in one with "when"."""
        own = [stretch for stretches in saying.reach for stretch in stretches]
        found = [(m.start(), m.end(), m.group()) for m in self._undated.finditer(self._text)]
        return any(says_when(told) or any(a < end and at < b for a, b in own) for at, end, told in found)

    def _reached(self, saying: Saying, direction: Direction) -> Iterator[tuple[int, int, TimeReading]]:
        """The times within the saying's reach, best first."""
        found = self._all(direction)
        for stretches in saying.reach:
            yield from (f for f in found if any(a < f[1] and f[0] < b for a, b in stretches))

    def _at(self, start: int, direction: Direction) -> TimeReading | None:
        return next((reading for at, _, reading in self._all(direction) if at == start), None)

    def _nearer(self, start: int, back: TimeReading) -> bool:
        """Whether a time from which something holds is rather the coming one; of weekdays it always is."""
        front, now = self._at(start, Direction.FUTURE), self._clock.occurred_at
        if front is None or front.start is None or back.start is None or front.start.at <= now:
            return False
        if back.start.at > now:
            return True
        return front.start.at - now <= max(now - back.start.at, _WEEK)

    def _turned(self, saying: Saying, start: int, reading: TimeReading) -> TimeReading:
        """ "Since June" is never one to come, "lives there until June" or "from June to August" always."""
        state = saying.tense is Tense.PRESENT and not _changes(saying)
        if looks_back(reading.phrase):
            return self._at(start, Direction.PAST) or reading
        over = (
            reading.shape is Shape.RANGE and reading.end is not None and reading.end.at <= self._clock.occurred_at
        )
        if state and (over or reading.shape is Shape.UNTIL):
            return self._at(start, Direction.FUTURE) or reading
        return reading

    def _certain(self, saying: Saying, reading: TimeReading, start: int) -> TimeReading | None:
        """One of two times is not more exact than what holds both: a quarter, a year, a decade, or nothing."""
        either, some = is_one_of(reading.phrase), is_some_time(self._text, start)
        between = lies_between(reading.phrase) and (some or _changes(saying))
        denied = saying.polarity is not Polarity.POSITIVE
        if denied or reading.start is None or reading.end is None or not (either or between):
            return reading
        whole = self._holding(reading.start, reading.end.at) if _changes(saying) else None
        if whole is None or (_looks_ahead(saying) and whole.at <= self._clock.occurred_at):
            return None
        return TimeReading(reading.phrase, Shape.POINT, whole, None)

    def _some_ago(self, saying: Saying) -> tuple[TimeReading | None] | None:
        """Of a change "a few weeks ago" the quarter, say, in which it lies however many they were, if one does;
        None if it was not told so."""
        told = saying.tense in _DONE and saying.polarity is Polarity.POSITIVE
        if self._language != "en" or not told or not _changes(saying):
            return None
        for at, least, most in some_ago(self._text):
            if any(a <= at < b for stretches in saying.reach for a, b in stretches):
                near, far = self._read(least), self._read(most)
                if near is None or far is None or near.start is None or far.start is None:
                    return (None,)
                whole = self._holding(far.start, near.start.end_of_grain)
                return (None if whole is None else TimeReading(least, Shape.POINT, whole, None),)
        return None

    def _read(self, phrase: str) -> TimeReading | None:
        return read_time(phrase, base=self._clock.occurred_at, zone=self._clock.zone, language=self._language)

    def _holding(self, start: Bound, end: datetime) -> Bound | None:
        zone = self._clock.zone
        fits = (g for g in _COARSER.get(start.grain, ()) if end_of(start.at, g, zone=zone) >= end)
        grain = next(fits, None)
        return None if grain is None else bound_at(to_local(start.at, zone), grain, zone=zone)

    def _whole(self, saying: Saying, reading: TimeReading, start: int) -> TimeReading:
        """ "for May only" is the whole of May; "worked there from May" goes on until something ended it;
        what is so "effective May 1" goes on."""
        if reading.shape is not Shape.POINT or reading.start is None:
            return reading
        if saying.tense is Tense.PRESENT and not _changes(saying) and takes_effect(self._text, start, saying.at):
            return TimeReading(reading.phrase, Shape.SINCE, reading.start, None)
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
            reading = self._read(phrase)
            if reading is not None and reading.start is not None:
                return TimeReading(match.group(), Shape.SINCE, reading.start, None)
        return None


def _changes(saying: Saying) -> bool:
    return saying.event or saying.stance is not Stance.HOLDS


def _is_by_then(saying: Saying, reading: TimeReading) -> bool:
    """ "Joined **before 2019**": nobody knows when."""
    told = saying.tense in _DONE and saying.polarity is Polarity.POSITIVE
    return reading.shape is Shape.UNTIL and _changes(saying) and told


def _looks_ahead(saying: Saying) -> bool:
    """A change told in the present is one to come: "she starts in May"."""
    return saying.tense in _AHEAD or (saying.tense is Tense.PRESENT and _changes(saying))


def _recurs(saying: Saying, reading: TimeReading) -> bool:
    """ "Works from Monday to Friday", "until 5 pm": of every week or day, and no end."""
    if saying.tense is not Tense.PRESENT or _changes(saying) or reading.end is None:
        return False
    return is_weekly(reading.phrase) or reading.end.grain in _WITHIN_DAYS


def _width(bound: Bound) -> timedelta:
    return bound.end_of_grain - bound.at
