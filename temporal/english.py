"""English time expressions: dates with times of day, ranges, since and until; a phrase or running text."""

from __future__ import annotations

from collections.abc import Iterator

from .english_calendar import Found
from .english_clarity import is_clear
from .english_clock import Clocks
from .english_words import DASHES, MAY_HOLD_TIME, PARTS, STARTERS, cut, words
from .grains import Grain
from .stretches import (
    DAY,
    OUT_OF_RANGE,
    Extent,
    Partial,
    Setting,
    Stretch,
    Time,
    Timed,
    after,
    around,
    before,
    displaced,
    resolve,
    rolling,
    spanning,
)

_FILLER = frozenset(words("in on at during around about approximately circa by the of for sometime exactly"))


_ALONE = {
    "the day": Grain.DAY,
    "the week": Grain.WEEK,
    "the month": Grain.MONTH,
    "the year": Grain.YEAR,
    "at this time": Grain.INSTANT,
    "at the present time": Grain.INSTANT,
    "at the minute": Grain.INSTANT,
}
"""The present, when they are a whole phrase; in running text they are too often another."""
_BESIDE = {"the day before": -1, "the day after": 1}


def read(text: str, setting: Setting) -> Stretch | Extent | None:
    """The time that the whole phrase means."""
    grain = _ALONE.get(text.strip().lower())
    if grain is not None:
        now = Stretch(setting.base, setting.base, grain)
        return now if grain is Grain.INSTANT else around(setting.base, grain)
    if text.strip().lower() in _BESIDE:
        return around(setting.today.start + _BESIDE[text.strip().lower()] * DAY, Grain.DAY)
    if len(text) > 200 or (not MAY_HOLD_TIME.search(text) and "now" not in text):
        return None
    grammar = Grammar(cut(text.strip().rstrip(".,;!?")), setting)
    for start in range(3):
        found = grammar.at(start)
        if found is not None and found[1] == len(grammar.tokens):
            return found[0]
        if grammar.word(start) not in _FILLER:
            break
    return None


def find(text: str, setting: Setting) -> Iterator[tuple[int, int, Stretch | Extent]]:
    """The times in running text, with their offsets."""
    if not MAY_HOLD_TIME.search(text):
        return
    grammar = Grammar(cut(text), setting)
    i = 0
    while i < len(grammar.tokens):
        found = grammar.at(i) if grammar.may_start(i) else None
        if found is None or not is_clear(grammar, i, found[1]):
            i += 1
            continue
        yield grammar.tokens[i].start, grammar.tokens[found[1] - 1].end, found[0]
        i = found[1]


class Grammar(Clocks):
    def may_start(self, i: int) -> bool:
        """A number or a word that times begin with; not the later part of a number like 555-1234-2019."""
        if self.kind(i) == "word":
            return self.word(i) in STARTERS
        if self.kind(i) == "sign":
            return self.word(i) in ("½", "¼", "'", "’", "‘")
        return not (self.kind(i - 1) == "sign" and self.word(i - 1) in "-/._" and self.adjacent(i))

    def at(self, i: int) -> tuple[Stretch | Extent, int] | None:
        """The longest time at ``i`` that lies in the years 1 to 9999."""
        try:
            return self.expression(i)
        except OUT_OF_RANGE:
            return None

    def expression(self, i: int) -> tuple[Stretch | Extent, int] | None:
        """The longest time at ``i``; of two as long, the simpler one."""
        point = self.point(i)
        whole = None if point is None else resolve(point[0], self.setting)
        best = None if point is None or whole is None else (whole, point[1])
        rules = (
            self._range,
            self._either,
            self._since,
            self._until,
            self._within,
            self._lasting,
            self._and_later,
            self._sided,
        )
        for rule in rules:
            found = rule(i)
            if found is not None and (best is None or found[1] > best[1]):
                best = found
        return best

    def _range(self, i: int) -> tuple[Extent, int] | None:
        """From June to August 2023, between 2015 and 2018, 2014-2018, Nov 18-19, from 4-23 in next month."""
        opened = self.word(i) in ("from", "between", "in", "during")
        word = self.word(i)
        j = self.skip(i + 1, "the") if opened else i
        first = self.point(j)
        for start in (first, self._number_side(j)):
            if start is None:
                continue
            joined = self.word(start[1])
            words = ("to", "till", "until", "through", "thru", *DASHES)
            if joined in words or (joined == "and" and word == "between"):
                found = self._range_end(start, start[1] + 1)
                if found is not None:
                    return found
            elif joined == "and" and self.kind(start[1] - 1) in ("ordinal", "number"):
                found = self._range_end(start, start[1] + 1)
                if found is not None and _are_neighbours(found[0]):
                    return found
        return None

    def _either(self, i: int) -> tuple[Extent, int] | None:
        """In 2019 or 2020, Monday or Tuesday, in June or in May, May/June."""
        first = self.point(self.skip(i, "in", "during"))
        if first is None or self.word(first[1]) not in ("or", "/"):
            return None
        last = self.point(self.skip(self.skip(first[1] + 1, "in", "on", "during"), "the"))
        one = resolve(first[0], self.setting)
        other = None if last is None else resolve(last[0], self.setting)
        if last is None or not isinstance(one, Stretch) or not isinstance(other, Stretch):
            return None
        if one.grain is not other.grain or one.grain is Grain.INSTANT or one.start == other.start:
            return None
        return (Extent(one, other) if one.start < other.start else Extent(other, one)), last[1]

    def _number_side(self, j: int) -> Found:
        number = self.day_number(j)
        return None if number is None else (Partial(Grain.DAY, day=number[0]), number[1])

    def _range_end(self, start: tuple[Time, int], k: int) -> tuple[Extent, int] | None:
        first = start[0]
        k = self.skip(k, "the")
        last = self.point(k)
        if self.word(self.skip(k, "current")) == "date":
            last = self.setting.today, self.skip(k, "current") + 1
        if isinstance(first, Timed) and first.day is None and self.date(k) is not None:
            # "From 2pm till tomorrow 4pm": the day belongs to the end alone.
            first = resolve(first, self.setting) or first
        number = self._number_side(k)
        if isinstance(first, Partial) and first.day is not None and last is not None:
            first = self._lend_month(first, last[0])
        if number is not None and (last is None or last[1] <= number[1]):
            borrowed = self._borrow_month(first, number)
            last = borrowed if borrowed is not None else last
        if last is None or (_is_bare_day(first) and not _is_bare_day(last[0])):
            return None
        extent = spanning(first, last[0], self.setting)
        return None if extent is None else (extent, last[1])

    def _lend_month(self, first: Partial, last: Time) -> Time:
        """Between 3 and 12 of September: the month of the end serves the beginning."""
        if not _is_bare_day(first):
            return first
        if isinstance(last, Partial) and last.month is not None:
            return Partial(Grain.DAY, month=last.month, day=first.day)
        if isinstance(last, Stretch) and last.grain is Grain.DAY:
            try:
                return around(last.start.replace(day=first.day or 1), Grain.DAY)
            except ValueError:
                return first
        return first

    def _borrow_month(self, first: Time, number: tuple[Time, int]) -> Found:
        """November 18-19; the year may follow."""
        day = number[0].day if isinstance(number[0], Partial) else None
        if isinstance(first, Partial) and first.month is not None and first.day is not None:
            return self._yearly(Partial(Grain.DAY, month=first.month, day=day), number[1])
        if isinstance(first, Stretch) and first.grain is Grain.DAY:
            return self._whole(first.start.year, first.start.month, day, number[1])
        return None

    def _since(self, i: int) -> tuple[Extent, int] | None:
        """Since 2019, starting January 7th, after March, from May on."""
        words = ("since", "starting", "beginning", "after", "from", "following")
        j = self.skip(i, "ever", "anytime", "as")
        if (
            self.words(i, "later", "than")
            or self.words(i, "as", "early", "as")
            or self.words(i, "any", "time", "from")
        ):
            j, word = i + (2 if self.word(i) == "later" else 3), "after" if self.word(i) == "later" else "since"
        elif self.word(j) in words:
            word, j = self.word(j), j + 1
        else:
            return None
        point = self.point(self.skip(self.skip(j, "on", "from", "at", "in", "around"), "the"))
        whole = None if point is None else resolve(point[0], self.setting)
        if point is None or not isinstance(whole, Stretch):
            return None
        end = point[1]
        if word in ("from", "beginning"):
            onwards = self.skip(end, "on", "onwards", "onward")
            if onwards == end and word == "from":
                return None
            end = onwards
        return (after(whole) if word in ("after", "following") else Extent(whole, None)), end

    def _until(self, i: int) -> tuple[Extent, int] | None:
        """Until 2019, before March, by Friday, through March, by the end of the month."""
        if self.words(i, "year", "to", "date"):
            year = around(self.setting.base, Grain.YEAR)
            return Extent(year, Stretch(year.start, self.setting.today.start, Grain.DAY)), i + 3
        if self.words(i, "prior", "to") or self.words(i, "up", "to") or self.words(i, "no", "later", "than"):
            word, j = "before", i + (3 if self.word(i) == "no" else 2)
        elif self.words(i, "as", "late", "as"):
            word, j = "until", i + 3
        elif self.words(i, "to", "date"):
            word, j = "until", i + 1
        elif self.word(i) in ("until", "till", "til", "before", "by", "through"):
            word, j = self.word(i), i + 1
        else:
            return None
        point = self.point(self.skip(self.skip(j, "around", "about"), "the"))
        if point is None and word in ("until", "till") and self.word(j) == "date":
            return before(self.setting.today), j + 1
        whole = None if point is None else resolve(point[0], self.setting)
        if point is None or not isinstance(whole, Stretch):
            return None
        at_end = whole.edge or PARTS.get(self.word(self.skip(j, "the"))) == 2
        return (Extent(None, whole) if at_end or word == "through" else before(whole)), point[1]

    def _within(self, i: int) -> tuple[Extent, int] | None:
        """Within 9 months, within the next two days."""
        if self.word(i) != "within":
            return None
        j = self.skip(self.skip(i + 1, "the"), "next")
        number = self.count(j)
        unit = None if number is None else self.unit(number[1])
        if number is None or unit is None:
            return None
        if unit[0] in (Grain.HOUR, Grain.MINUTE, Grain.SECOND):
            return rolling(self.setting, unit[0], int(number[0])), unit[2]
        today = self.setting.today
        end = displaced(self.setting, today.start, unit[0], number[0] * unit[1])
        return Extent(today, Stretch(today.start, end, Grain.DAY)), unit[2]

    def _lasting(self, i: int) -> tuple[Extent, int] | None:
        """For 3 days from today; from 10 am for 3 hours; 14th Feb from 9:30am for 7 hours."""
        if self.word(i) == "for":
            counts = self.counts(i + 1)
            if counts is None:
                return None
            j = self.skip(counts[1], ",")
            if self.word(j) not in ("from", "starting", "beginning"):
                return None
            point = self._beginning(self.skip(j + 1, "on", "from", "at"), bare=True)
        else:
            if (counted := self._counted_start(i)) is not None:
                return counted
            start = self.skip(i, "from", "starting")
            point = self._beginning(start, bare=start > i)
            counts = None if point is None or self.word(point[1]) != "for" else self.counts(point[1] + 1)
        if point is None or counts is None:
            return None
        return self._from_for(point[0], counts[0], max(point[1], counts[1]))

    def _counted_start(self, i: int) -> tuple[Extent, int] | None:
        """2 weeks starting May 20th."""
        counts = self.counts(i)
        if counts is None or self.word(counts[1]) not in ("starting", "beginning"):
            return None
        point = self.point(self.skip(counts[1] + 1, "on", "from", "at"))
        return None if point is None else self._from_for(point[0], counts[0], point[1])

    def _from_for(self, time: Time, counts: list[tuple[Grain, float]], j: int) -> tuple[Extent, int] | None:
        first = resolve(time, self.setting)
        if not isinstance(first, Stretch):
            return None
        end = first.start
        for grain, n in counts:
            end = displaced(self.setting, end, grain, n)
        return Extent(first, Stretch(first.start, end, first.grain)), j

    def _beginning(self, i: int, *, bare: bool) -> Found:
        point = self.point(i)
        clock = self._single_clock(i, bare=bare) if point is None else None
        return point if clock is None else (Timed(clock[0]), clock[1])

    def _sided(self, i: int) -> tuple[Extent, int] | None:
        """A day and one side of a time of day: tomorrow before 5pm, Tuesday after 1pm."""
        dated = self.date(i)
        if dated is None or not isinstance(dated[0], Stretch | Partial) or dated[0].grain is not Grain.DAY:
            return None
        j = dated[1]
        later = self.word(j) in ("after", "since") or self.words(j, "later", "than")
        earlier = self.word(j) in ("before", "by", "until", "till") or self.words(j, "no", "later", "than")
        j += 3 if self.word(j) == "no" else 2 if self.word(j) == "later" else 1
        clock = self._single_clock(j, bare=True) if later or earlier else None
        whole = None if clock is None else resolve(Timed(clock[0], dated[0]), self.setting)
        if clock is None or not isinstance(whole, Stretch):
            return None
        return (Extent(whole, None) if later else before(whole)), clock[1]

    def _and_later(self, i: int) -> tuple[Extent, int] | None:
        """2012 or later, 1/1/2016 and after, 2018 or before."""
        point = self.point(i)
        if point is None or self.word(point[1]) not in ("or", "and", "onwards", "onward"):
            return None
        j = point[1] + (self.word(point[1]) in ("or", "and"))
        whole = resolve(point[0], self.setting)
        if not isinstance(whole, Stretch):
            return None
        if self.word(j) in ("later", "after", "greater", "onwards", "onward"):
            return Extent(whole, None), j + 1
        return (Extent(None, whole), j + 1) if self.word(j) in ("before", "earlier") else None


def _are_neighbours(extent: Extent) -> bool:
    """ "June 14th and 15th" is a range of two days, "June 14th and 20th" is not one."""
    first, last = extent.first, extent.last
    return first is not None and last is not None and first.grain is Grain.DAY and first.end == last.start


def _is_bare_day(time: Time) -> bool:
    return isinstance(time, Partial) and time.day is not None and time.month is None and time.weekday is None
