"""English times of day, alone ("half past seven") and on a day ("last Tuesday at 3pm")."""

from __future__ import annotations

import re

from .english_calendar import Found
from .english_dates import Dates
from .english_words import DASHES, DAY_PARTS, LAST, NEXT, THIS, Token
from .grains import Grain
from .stretches import Clock, ClockRange, DayPart, Partial, Setting, Stretch, Time, Timed


class Clocks(Dates):
    """Dates with and without times of day."""

    def __init__(self, tokens: list[Token], setting: Setting) -> None:
        super().__init__(tokens, setting)
        self._points: dict[int, Found] = {}

    def point(self, i: int) -> Found:
        """A date, a time of day, or both in either order."""
        if i not in self._points:
            self._points[i] = self._longest_point(i)
        return self._points[i]

    def _longest_point(self, i: int) -> Found:
        dated = self.date(i)
        best = self._with_clock(dated) if dated is not None else None
        parts = ("night", "evening", "morning", "afternoon")
        if self.word(i) in LAST | NEXT and self.word(i + 1) in parts and (part := self._day_part(i + 1)):
            return Timed(part[0], self._days(-1 if self.word(i) in LAST else 1)), part[1]
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
            j = self.skip(j, ",", "at", "@", "for", "around", "in", "on", "about")
        if self.word(j) == "-" and self.kind(j + 1) in ("clock", "colon"):
            j += 1
        clock = self.clock(self.skip(j, "the"), after_day=True)
        if clock is None and self.word(i) in ("am", "pm"):
            return Timed(DayPart(*DAY_PARTS["morning" if self.word(i) == "am" else "afternoon"]), day), i + 1
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
        if self.word(j) in LAST | NEXT | THIS and (part := self._part_word(j + 1)) is not None:
            n = -1 if self.word(j) in LAST else 1 if self.word(j) in NEXT else 0
            return Timed(lifted(time, part), self._days(n)), j + 2
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
        bare = after_day or between or self._has_meridiem_range(i)
        first = self._single_clock(i + 1 if between else i, bare=bare)
        if first is not None and isinstance(first[0], Clock):
            ranged = self._clock_range(first[0], first[1], between=between)
            if ranged is not None:
                return ranged
        if between:
            return None
        return first if first is not None else self._day_part(i)

    def _has_meridiem_range(self, i: int) -> bool:
        """5 to 6pm, 5-6 pm, 5 to seven in the morning: a bare number that its partner makes a time."""
        number = self.integer(i)
        if number is None or self.word(number[1]) not in ("to", "till", "until", *DASHES):
            return False
        j = number[1] + 1
        last = self._single_clock(j, bare=False)
        return last is not None and (self.kind(j) in ("clock", "colon") or last[1] > j + 1)

    def _clock_range(self, first: Clock, i: int, *, between: bool) -> tuple[ClockRange, int] | None:
        words = ("to", "till", "until", "through", *DASHES, *(("and",) if between else ()))
        if self.word(i) not in words:
            return None
        last = self._single_clock(i + 1, bare=True)
        if last is None or not isinstance(last[0], Clock):
            return None
        end = last[0]
        lifted_first = Clock(first.hour + 12, first.minute, first.second, first.grain)
        if end.sure and not first.sure and first.hour < 12 <= end.hour and lifted_first.offset < end.offset:
            first = lifted_first
        return ClockRange(first, end), last[1]

    def _day_part(self, i: int) -> tuple[Clock | DayPart | ClockRange, int] | None:
        j = self.skip(self.skip(i, "in", "at", "around"), "the", "this")
        part = DAY_PARTS.get(self.word(j))
        if part is None:
            if self.words(j, "mid", "night"):
                return Clock(0), j + 2
            edge, k = self.word(j), self.skip(j + 1, "in", "the", "this")
            k = self.skip(k, "the")
            part = DAY_PARTS.get(self.word(k)) if edge in ("early", "late", "later") else None
            if part is not None:
                middle, j = (part[0] + part[1]) / 2, k
                part = (part[0], middle) if edge == "early" else (middle, part[1])
        if part is None:
            return None
        if part[0] == part[1]:
            return Clock(int(part[0]), grain=Grain.HOUR), j + 1
        k = self.skip(self.skip(j + 1, "at", "around", ","), "at")
        clock = self.clock(k) if self.word(k) in ("from", "between") else self._single_clock(k, bare=k > j + 1)
        if clock is not None and not isinstance(clock[0], DayPart):
            return lifted(clock[0], DayPart(*part)), clock[1]
        return DayPart(*part), j + 1

    def _single_clock(self, i: int, *, bare: bool) -> tuple[Clock, int] | None:
        at = self.word(i) in ("at", "around", "@", "about")
        i += at
        at = at or self.word(i - 1) in ("at", "@")
        kind, text = self.kind(i), self.word(i)
        if kind == "clock":
            return self._digits(text, i + 1)
        if kind == "colon":
            return self._tail(self._digits(text, i + 1))
        spoken = self._spoken(i)
        if spoken is not None:
            return self._tail(spoken)
        if at and kind == "number" and re.fullmatch(r"\d{1,2}\.\d\d", text):
            return self._digits(text, i + 1)
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
        if part is None or (j == i and time.grain is Grain.HOUR):
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
