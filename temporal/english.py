"""English time expressions: dates with times of day, ranges, since and until; a phrase or running text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .english_dates import Dates, Found
from .english_words import CUES, DAY_PARTS, MAY_HOLD_TIME, PARTS, cut, words
from .grains import Grain
from .stretches import (
    Clock,
    ClockRange,
    DayPart,
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
_DASHES = ("-", "–", "—", "~")
_AMBIGUOUS = frozenset(
    words(
        "may march mar sun sat fri wed mon dec jan second sec fall spring summer winter autumn now night noon"
        " lunch dinner breakfast morning afternoon evening mornings lunchtime dinnertime daytime valentine"
    )
)


def read(text: str, setting: Setting) -> Stretch | Extent | None:
    """The time that the whole phrase means."""
    if len(text) > 200 or (not MAY_HOLD_TIME.search(text) and "now" not in text):
        return None
    grammar = Grammar(cut(text.strip().rstrip(".,;!?")), setting)
    for start in range(3):
        found = grammar.expression(start)
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
        found = grammar.expression(i) if grammar.may_start(i) else None
        if found is None or not grammar.is_clear(i, found[1]):
            i += 1
            continue
        yield grammar.tokens[i].start, grammar.tokens[found[1] - 1].end, found[0]
        i = found[1]


class Grammar(Dates):
    def may_start(self, i: int) -> bool:
        # A rule that begins inside a hyphenated word ("post-2020" aside) or after a decimal point finds nonsense.
        return self.kind(i) != "sign" or self.word(i) in ("½", "¼")

    def is_clear(self, i: int, j: int) -> bool:
        """Whether tokens ``i`` to ``j`` can hardly be anything but a time."""
        if j - i > 2:
            return True
        token = self.tokens[i]
        cued = self.word(i - 1) in CUES or self.word(i) in CUES
        if j - i == 2:
            second = self.kind(i + 1)
            bare = token.kind == "word" and second == "number" and self.word(i) in _AMBIGUOUS
            if self.word(i) in CUES | {"the"} and second == "number":
                return self.is_year(i + 1)
            return not bare or cued or token.capital
        if token.kind == "number" or token.kind == "md":
            return cued and (token.kind == "md" or self.is_year(i))
        if token.kind in ("ym", "my", "colon"):
            return cued or token.kind == "colon"
        if self.word(i) == "may" or self.word(i) == "march":
            return token.capital and i > 0 and (cued or self.word(i - 1) not in ("", ".", "!", "?"))
        return self.word(i) not in _AMBIGUOUS or (cued and self.word(i) not in ("second", "now", "sec"))

    def expression(self, i: int) -> tuple[Stretch | Extent, int] | None:
        for rule in (self._range, self._since, self._until, self._within, self._and_later):
            found = rule(i)
            if found is not None:
                return found
        point = self.point(i)
        whole = None if point is None else resolve(point[0], self.setting)
        return None if point is None or whole is None else (whole, point[1])

    def point(self, i: int) -> Found:
        """A date, a time of day, or both in either order."""
        dated = self.date(i)
        best = self._with_clock(dated) if dated is not None else None
        clock = self.clock(i)
        if clock is not None:
            timed: Found = self._clock_with_date(clock)
            if timed is not None and (best is None or timed[1] > best[1]):
                best = timed
        return best

    def _with_clock(self, dated: tuple[Time, int]) -> Found:
        day, i = dated
        if not isinstance(day, Stretch | Partial) or day.grain is not Grain.DAY:
            return dated
        j = i
        for _ in range(2):
            j = self.skip(j, ",", "at", "@", "-", "for", "around", "in", "from", "between", "on", "about")
        clock = self.clock(self.skip(j, "the"), after_day=True)
        if clock is None:
            if self.word(i - 1) in ("tonight", "tonite"):
                return Timed(DayPart(20.0, 24.0), day), i
            return dated
        time, end = clock
        part = self._part_word(i - 1)
        if part is not None:
            time = lifted(time, part)
        return Timed(time, day), end

    def _clock_with_date(self, clock: tuple[Clock | DayPart | ClockRange, int]) -> Found:
        time, i = clock
        j = self.skip(self.skip(i, ",", "on", "of", "for"), "on")
        day = self.date(j)
        if day is None or not isinstance(day[0], Stretch | Partial) or day[0].grain is not Grain.DAY:
            return Timed(time), i
        end = day[1]
        part = self._part_word(end) or self._part_word(end - 1)
        if part is not None:
            time, end = lifted(time, part), end + (self.word(end) in DAY_PARTS)
        return Timed(time, day[0]), end

    def _part_word(self, i: int) -> DayPart | None:
        hours = DAY_PARTS.get(self.word(i))
        return None if hours is None or hours[0] == hours[1] else DayPart(*hours)

    def clock(self, i: int, *, after_day: bool = False) -> tuple[Clock | DayPart | ClockRange, int] | None:
        """3pm, 15:30, half past seven, noon, in the morning (at 7), 5 to 6pm, last night (at 8)."""
        between = self.word(i) in ("from", "between")
        first = self._single_clock(i + 1 if between else i, bare=after_day or between)
        if first is not None and isinstance(first[0], Clock):
            ranged = self._clock_range(first[0], first[1], between=between)
            if ranged is not None:
                return ranged
        if between:
            return None
        return first if first is not None else self._day_part(i)

    def _clock_range(self, first: Clock, i: int, *, between: bool) -> tuple[ClockRange, int] | None:
        words = ("to", "till", "until", "through", *_DASHES, *(("and",) if between else ()))
        if self.word(i) not in words:
            return None
        last = self._single_clock(i + 1, bare=True)
        if last is None or not isinstance(last[0], Clock):
            return None
        end = last[0]
        if end.sure and not first.sure and first.hour < 12 <= end.hour and first.hour + 12 <= end.hour:
            first = Clock(first.hour + 12, first.minute, first.second, first.grain)
        return ClockRange(first, end), last[1]

    def _day_part(self, i: int) -> tuple[Clock | DayPart, int] | None:
        j = self.skip(self.skip(i, "in", "at", "around"), "the", "this")
        part = DAY_PARTS.get(self.word(j))
        if part is None:
            j = self.skip(j, "early", "late", "later", "mid")
            part = DAY_PARTS.get(self.word(j))
        if part is None:
            return None
        if part[0] == part[1]:
            return Clock(int(part[0]), grain=Grain.HOUR), j + 1
        k = self.skip(self.skip(j + 1, "at", "around", ","), "at")
        clock = self._single_clock(k, bare=k > j + 1)
        if clock is not None and isinstance(clock[0], Clock):
            lifted_clock = lifted(clock[0], DayPart(*part))
            if isinstance(lifted_clock, Clock):
                return lifted_clock, clock[1]
        return DayPart(*part), j + 1

    def _single_clock(self, i: int, *, bare: bool) -> tuple[Clock, int] | None:
        at = self.word(i) in ("at", "around", "@", "about")
        i += at
        kind, text = self.kind(i), self.word(i)
        if kind == "clock":
            return self._digits(text, i + 1)
        if kind == "colon":
            return self._tail(self._digits(text, i + 1))
        spoken = self._spoken(i)
        if spoken is not None:
            return self._tail(spoken)
        if self.words(i, "12", "noon") or self.words(i, "twelve", "noon"):
            return Clock(12), i + 2
        number = self.integer(i)
        if number is None or not 0 <= number[0] <= 24:
            return None
        hour, j = number
        if self.word(j) in ("oclock",) or self.words(j, "o", "'", "clock") or self.words(j, "o", "’", "clock"):
            return self._tail((Clock(hour, sure=hour > 12), j + (1 if self.word(j) == "oclock" else 3)))
        meridiem = self._meridiem(j)
        if meridiem is not None:
            return _clock(hour, 0, 0, meridiem[0], Grain.HOUR), meridiem[1]
        minute = self.integer(self.skip(j, "-"))
        if kind == "word" and minute is not None and 10 <= minute[0] < 60 and hour <= 12:
            return self._tail((Clock(hour, minute[0], grain=Grain.MINUTE, sure=False), minute[1]))
        tail = self._tail((Clock(hour, sure=hour > 12), j))
        if (bare or at) and self.kind(j) != "word":
            return tail
        return tail if (tail is not None and tail[1] > j) or ((bare or at) and not self.unit(j)) else None

    def _tail(self, clock: tuple[Clock, int] | None) -> tuple[Clock, int] | None:
        """What follows a clock time and says which half of the day: in the evening, pm."""
        if clock is None:
            return None
        time, i = clock
        meridiem = self._meridiem(i)
        if meridiem is not None:
            return _clock(time.hour, time.minute, time.second, meridiem[0], time.grain), meridiem[1]
        j = i
        if self.words(i, "in", "the") and self.word(i + 2) in DAY_PARTS:
            j = i + 2
        elif (self.word(i) == "at" and self.word(i + 1) == "night") or self.word(i) in ("early", "late"):
            j = i + 1
        part = self._part_word(j)
        if part is None:
            return clock
        with_part = lifted(time, part)
        return (with_part, j + 1) if isinstance(with_part, Clock) else clock

    def _meridiem(self, i: int) -> tuple[str, int] | None:
        if self.word(i) in ("am", "pm"):
            return self.word(i)[0], i + 1
        if self.word(i) in ("a", "p") and (self.word(i + 1) in ("m", ".")):
            j = i + 1
            while self.word(j) in ("m", "."):
                j += 1
            return self.word(i), j
        return None

    def _digits(self, text: str, j: int) -> tuple[Clock, int] | None:
        numbers = [int(part) for part in re.findall(r"\d+", text)]
        meridiem = re.search(r"[ap]", text)
        if len(numbers) == 1 and numbers[0] > 99:
            numbers = [numbers[0] // 100, numbers[0] % 100]
        hour, minute, second = [*numbers, 0, 0][:3]
        if hour > 24 or minute > 59 or second > 59 or (hour == 24 and minute):
            return None
        grain = (Grain.HOUR, Grain.MINUTE, Grain.SECOND)[len(numbers) - 1]
        if meridiem is None:
            return Clock(hour, minute, second, grain, sure=hour > 12 or text.startswith("0")), j
        return _clock(hour, minute, second, meridiem.group(), grain), j

    def _spoken(self, i: int) -> tuple[Clock, int] | None:
        """Half past seven, quarter to three, ten (minutes) past nine."""
        named = {"half": 30, "quarter": 15}.get(self.word(self.skip(i, "a")))
        number = (named, self.skip(i, "a") + 1) if named else self.integer(i)
        if number is None:
            return None
        j = self.skip(number[1], "minutes", "minute", "min", "mins")
        if self.word(j) not in ("past", "after", "to", "till") or (self.word(j) != "past" and not named):
            return None
        hour = self.integer(j + 1)
        if hour is None or not 1 <= hour[0] <= 12 or not number[0] < 60:
            return None
        total = hour[0] * 60 + (number[0] if self.word(j) in ("past", "after") else -number[0])
        end = self.skip(hour[1], "oclock")
        if self.words(end, "o", "'", "clock"):
            end += 3
        return Clock(total // 60, total % 60, grain=Grain.MINUTE, sure=False), end

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
            words = ("to", "till", "until", "through", "thru", *_DASHES)
            if joined in words or (joined == "and" and word == "between"):
                found = self._range_end(start, self.skip(start[1], joined), opened=opened)
                if found is not None:
                    return found
        return None

    def _number_side(self, j: int) -> Found:
        number = self.day_number(j)
        return None if number is None else (Partial(Grain.DAY, day=number[0]), number[1])

    def _range_end(self, start: tuple[Time, int], k: int, *, opened: bool) -> tuple[Extent, int] | None:
        first = start[0]
        k = self.skip(k, "the")
        last = self.point(k)
        number = self._number_side(k)
        if isinstance(first, Partial) and first.day is not None and last is not None:
            first = self._lend_month(first, last[0])
        if number is not None and (last is None or last[1] <= number[1]):
            borrowed = self._borrow_month(first, number)
            last = borrowed if borrowed is not None else last
        if last is None or (
            _is_bare_day(first) and not _is_bare_day(last[0]) and not isinstance(last[0], Stretch)
        ):
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
        if self.words(i, "prior", "to") or self.words(i, "up", "to") or self.words(i, "no", "later", "than"):
            word, j = "before", i + (3 if self.word(i) == "no" else 2)
        elif self.words(i, "as", "late", "as"):
            word, j = "until", i + 3
        elif self.word(i) in ("until", "till", "til", "before", "by", "through"):
            word, j = self.word(i), i + 1
        else:
            return None
        point = self.point(self.skip(self.skip(j, "around", "about"), "the"))
        whole = None if point is None else resolve(point[0], self.setting)
        if point is None or not isinstance(whole, Stretch):
            return None
        at_end = PARTS.get(self.word(self.skip(j, "the"))) == 2
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


def _is_bare_day(time: Time) -> bool:
    return isinstance(time, Partial) and time.day is not None and time.month is None and time.weekday is None


def _clock(hour: int, minute: int, second: int, meridiem: str, grain: Grain) -> Clock:
    if hour <= 12:
        hour = hour % 12 + (12 if meridiem == "p" else 0)
    return Clock(hour, minute, second, grain)


def lifted(time: Clock | DayPart | ClockRange, part: DayPart) -> Clock | DayPart | ClockRange:
    """ "Seven" in the evening is 19:00, "one" at night 01:00."""
    match time:
        case Clock(hour, minute, second, grain, False):
            late = part.first >= 12 and hour < 12 and not (part.first >= 20 and hour <= 4)
            return Clock(hour + 12 if late else hour, minute, second, grain)
        case ClockRange(first, last):
            start, end = lifted(first, part), lifted(last, part)
            return ClockRange(start, end) if isinstance(start, Clock) and isinstance(end, Clock) else time
    return time
