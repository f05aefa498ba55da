"""English dates that are counted from today or from another date: "last week", "two days before Christmas"."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from .calendar import floor_local, shift_local
from .english_calendar import CalendarNames, Found
from .english_words import ENDS, LAST, MONTHS, NEXT, PARTS, SEASONS, THIS, UNITS, WEEKDAYS, Token
from .grains import Grain
from .parts import third
from .stretches import (
    DAY,
    Direction,
    Extent,
    Partial,
    Setting,
    Stretch,
    Time,
    around,
    displaced,
    in_year,
    moved,
    offset_point,
    pick,
    resolve,
    rolling,
    strictly,
)

_DAYS_AWAY = {"today": 0, "tonight": 0, "tonite": 0, "yesterday": -1, "tomorrow": 1, "tmrw": 1, "tmr": 1}
_FINE = (Grain.HOUR, Grain.MINUTE, Grain.SECOND)


class Dates(CalendarNames):
    """All dates without a time of day. What stands at a place is found once."""

    def __init__(self, tokens: list[Token], setting: Setting) -> None:
        super().__init__(tokens, setting)
        self._dates: dict[int, Found] = {}

    def date(self, i: int) -> Found:
        """The longest date at ``i``."""
        if i not in self._dates:
            with self.deeper() as deep_enough:
                if deep_enough:
                    return None
                self._dates[i] = self._longest_date(i)
        return self._dates[i]

    def _longest_date(self, i: int) -> Found:
        best: Found = None
        for rule in (
            self._written,
            self._weekday,
            self._month_day,
            self._day_month,
            self._near_day,
            self._modified,
            self._counted,
            self._counted_weekday,
            self._feast_weekend,
            self._nth_of,
            self._part_of,
            self._named_week,
            self._season_or_quarter,
            self._feast,
            self._year,
            self._decade,
            self._century,
            self._bare_day,
        ):
            found = rule(i)
            if found is not None and (best is None or found[1] > best[1]):
                best = found
        return best

    def _near_day(self, i: int) -> Found:
        """Today, yesterday, the day before yesterday; now."""
        j = self.skip(i, "the", "very")
        if self.words(j, "day", "before", "yesterday"):
            return self._days(-2), j + 3
        if self.words(j, "day", "after", "tomorrow"):
            return self._days(2), j + 3
        if self.word(i) in _DAYS_AWAY:
            return self._days(_DAYS_AWAY[self.word(i)]), i + 1
        j = self.skip(self.skip(i, "right", "at"), "the")
        if self.word(j) == "now" or (j > i and self.word(j) in ("moment", "present")):
            now = self.setting.base
            return Stretch(now, now, Grain.INSTANT), j + 1
        return None

    def _days(self, n: int) -> Stretch:
        return around(floor_local(self.setting.base, Grain.DAY) + n * DAY, Grain.DAY)

    def _modified(self, i: int) -> Found:
        with self.deeper() as deep_enough:
            return None if deep_enough else self._modifier(i)

    def _modifier(self, i: int) -> Found:
        """Last week, this month, next Friday, the past three years, last summer, next Christmas, last March."""
        i = self.skip(i, "the", "my", "our")
        if self.words(i, "this", "past") or self.words(i, "this", "last"):
            i, modifier = i + 1, "past"
        elif self.word(i) == "this" and self.word(i + 1) in NEXT:
            i, modifier = i + 1, "coming"
        else:
            modifier = self.word(i)
        n = -1 if modifier in LAST else 0 if modifier in THIS else 1 if modifier in NEXT else None
        if n is None:
            return None
        if self.word(i + 1) == "calendar":
            i += 1
        return self._modified_count(i + 1, n) or self._modified_name(i + 1, n, modifier)

    def _modified_count(self, i: int, n: int) -> Found:
        number = self.count(i)
        if number is None or n == 0:
            return None
        grain = UNITS.get(self.word(number[1]))
        if grain is None or number[0] != int(number[0]):
            return None
        return rolling(self.setting, grain, n * int(number[0])), number[1] + 1

    def _modified_name(self, i: int, n: int, modifier: str) -> Found:
        word, base = self.word(i), self.setting.base
        if word in ("weekend", "wkend"):
            return self.weekend(moved(self.setting.today, Grain.WEEK, n)), i + 1
        if word in ("night", "morning", "afternoon", "evening"):
            return None
        week = around(base, Grain.WEEK).start
        if word == "fortnight":
            return Stretch(week + 14 * n * DAY, week + (14 * n + 14) * DAY, Grain.WEEK), i + 1
        if word == "workweek" or (word in ("working", "work") and self.word(i + 1) == "week"):
            return Stretch(week + 7 * n * DAY, week + (7 * n + 5) * DAY, Grain.WEEK), i + 1 + (word != "workweek")
        grain = UNITS.get(word)
        if grain in _FINE and not word.endswith("s"):
            return None if n == 0 else (rolling(self.setting, grain, n), i + 1)
        if grain is not None and not word.endswith("s"):
            here = around(base, grain)
            whole = here if n == 0 else moved(here, grain, n)
            return self._further(whole, i + 1)
        if word in WEEKDAYS and modifier != "same":
            return self._modified_weekday(i, n, modifier)
        if word in MONTHS and self.kind(i) == "word":
            found = self._month_day(i)
            if found is None or isinstance(found[0], Stretch):
                return found
            return self._nearest(found[0], n, found[1])
        if word in SEASONS:
            return self._nearest(Partial(Grain.SEASON, month=SEASONS[word]), n, i + 1)
        found = self._feast(i) or self._written(i) or self._day_month(i)
        return (
            found if found is None or not isinstance(found[0], Partial) else self._nearest(found[0], n, found[1])
        )

    def _further(self, whole: Stretch, j: int) -> Found:
        """The week after next, the year before last; this week Monday, next week on Tuesday."""
        if whole.grain is Grain.WEEK:
            k = self.skip(j, "on", "-", ",")
            if self.word(k) in WEEKDAYS:
                return around(whole.start + WEEKDAYS[self.word(k)] * DAY, Grain.DAY), k + 1
        return whole, j

    def _modified_weekday(self, i: int, n: int, modifier: str) -> Found:
        written = self._weekday(i)
        if written is not None and not (isinstance(written[0], Partial) and written[0].day is None):
            return written
        weekday = Partial(Grain.DAY, weekday=WEEKDAYS[self.word(i)])
        if n < 0 or modifier in ("coming", "upcoming"):
            return self._nearest(weekday, n, i + 1)
        week = moved(self.setting.today, Grain.WEEK, n)
        return around(week.start + (weekday.weekday or 0) * DAY, Grain.DAY), i + 1

    def _nearest(self, partial: Time, n: int, j: int) -> Found:
        if not isinstance(partial, Partial):
            return None
        if n == 0:
            year = self.setting.base.year
            stretch = (
                in_year(partial, year)
                if partial.has_yearly_place
                else pick(partial, self.setting.base, self.setting.direction)
            )
        else:
            stretch = strictly(partial, self.setting, n)
        return None if stretch is None else (stretch, j)

    def weekend(self, week: Stretch) -> Stretch:
        saturday = floor_local(week.start, Grain.WEEK) + 5 * DAY
        return Stretch(saturday, saturday + 2 * DAY, Grain.DAY)

    def _counted(self, i: int) -> Found:
        """Two weeks ago; in three days; a month later; two days before Christmas; 3 weeks from today."""
        ahead = self.word(i) == "in"
        start = i + 1 if ahead else self.skip(i, "about", "around", "approximately")
        counts = self.counts(start)
        if counts is None:
            return self._count_inside(start)
        steps, j = counts
        if ahead:
            return self._displaced(steps, 1), self.skip(j, "time")
        if self.word(j) in ("ago", "earlier", "back"):
            return self._displaced(steps, -1), j + 1
        if self.word(j) in ("later", "hence"):
            return self._displaced(steps, 1), j + 1
        if self.words(j, "from", "now"):
            return self._displaced(steps, 1), j + 2
        if self.word(j) in ("before", "after", "from") and len(steps) == 1:
            return self._counted_from(steps[0], self.word(j), j + 1)
        return None

    def _counted_weekday(self, i: int) -> Found:
        """Monday two weeks from now; in three days on Friday: that day of the week which is counted to."""
        if self.word(i) in WEEKDAYS:
            weekday, found = WEEKDAYS[self.word(i)], self._counted(self.skip(i + 1, ","))
            end = 0 if found is None else found[1]
        else:
            found = self._counted(i)
            k = 0 if found is None else self.skip(found[1], "on")
            if found is None or k == found[1] or self.word(k) not in WEEKDAYS:
                return None
            weekday, end = WEEKDAYS[self.word(k)], k + 1
        if found is None or not isinstance(found[0], Stretch) or found[0].grain in _FINE:
            return None
        return around(floor_local(found[0].start, Grain.WEEK) + weekday * DAY, Grain.DAY), end

    def _count_inside(self, i: int) -> Found:
        """5 past years, 2 upcoming months."""
        number = self.count(i)
        if number is None or self.word(number[1]) not in LAST | NEXT or number[0] != int(number[0]):
            return None
        sign = -1 if self.word(number[1]) in LAST else 1
        unit = self.word(number[1] + 1)
        if unit not in UNITS or not unit.endswith("s"):
            return None  # I turned 40 last week
        return rolling(self.setting, UNITS[unit], sign * int(number[0])), number[1] + 2

    def _displaced(self, steps: list[tuple[Grain, float]], sign: int) -> Stretch:
        setting = self.setting
        for grain, n in steps[:-1]:
            setting = replace(setting, base=displaced(setting, setting.base, grain, sign * n))
        return offset_point(setting, steps[-1][0], sign * steps[-1][1])

    def _counted_from(self, step: tuple[Grain, float], word: str, j: int) -> Found:
        """Two days before Christmas; 3 weeks from Tuesday, which looks ahead."""
        anchor = self.date(j)
        grain, n = step[0], -step[1] if word == "before" else step[1]
        if anchor is None or grain in _FINE:
            return None
        ahead = replace(self.setting, direction=Direction.FUTURE)
        whole = resolve(anchor[0], ahead if word == "from" else self.setting)
        if not isinstance(whole, Stretch) or whole.grain is not Grain.DAY:
            return None
        return around(displaced(self.setting, whole.start, grain, n), Grain.DAY), anchor[1]

    def _nth_of(self, i: int) -> Found:
        """The first Monday of October, the last week of July, the third month of 2021, first half of 2018."""
        i = self.skip(i, "the")
        number = (-1, i + 1) if self.word(i) == "last" else self.ordinal(i)
        if number is None:
            return None
        n, j = number
        if n in (-1, 1) and (several := self._several_of(n, j)) is not None:
            return several
        word = self.word(j)
        grain = Grain.HALF if word == "half" else UNITS.get(word)
        weekday = WEEKDAYS.get(word)
        k = self.skip(j + 1, "of", "in")
        if (grain is None and weekday is None) or grain in _FINE:
            return None
        outer = self._container(k)
        if outer is None:
            return None
        whole, end = outer
        found = self._inside(whole, n, grain, weekday)
        return None if found is None else (found, end)

    def _several_of(self, n: int, j: int) -> Found:
        """The first ten days of last year, the last two weeks of July."""
        number = self.integer(j)
        grain = None if number is None else UNITS.get(self.word(number[1]))
        if number is None or grain is None or grain in _FINE or self.word(number[1] + 1) not in ("of", "in"):
            return None
        outer = self._container(number[1] + 2)
        edge = None if outer is None else self._inside(outer[0], n, grain, None)
        if outer is None or edge is None or number[0] < 1:
            return None
        other = moved(edge, grain, n * (number[0] - 1))
        first, last = (edge, other) if n > 0 else (other, edge)
        return (Extent(first, last), outer[1]) if outer[0].end > first.start else None

    def _container(self, k: int) -> tuple[Stretch, int] | None:
        found = self.date(k)
        if found is None and self.word(k) == "the" and self.word(k + 1) in ("year", "month"):
            found = around(self.setting.base, UNITS[self.word(k + 1)]), k + 2
        if found is None:
            return None
        whole = resolve(found[0], self.setting)
        if not isinstance(whole, Stretch) or whole.grain in (Grain.DAY, Grain.INSTANT, *_FINE):
            return None
        return whole, found[1]

    def _inside(self, whole: Stretch, n: int, grain: Grain | None, weekday: int | None) -> Stretch | None:
        if weekday is not None:
            first = whole.start + DAY * ((weekday - whole.start.weekday()) % 7)
            count = ((whole.end - first).days + 6) // 7
            place = n - 1 if n > 0 else count - 1
            return around(first + 7 * DAY * place, Grain.DAY) if 0 <= place < count else None
        if grain is Grain.WEEK:
            # ISO 8601: the week belongs to where its Thursday lies.
            opening = around(whole.start + (6 * DAY if whole.start.weekday() > 3 else 0 * DAY), Grain.WEEK)
            closing = around(
                whole.end - DAY - (6 * DAY if (whole.end - DAY).weekday() < 3 else 0 * DAY), Grain.WEEK
            )
            chosen = closing if n < 0 else moved(opening, Grain.WEEK, n - 1)
            return chosen if chosen.start <= closing.start else None
        assert grain is not None
        start = floor_local(whole.end - DAY, grain) if n < 0 else shift_local(whole.start, grain, n - 1)
        found = around(start, grain)
        return found if whole.start <= found.start and found.end <= whole.end else None

    def _part_of(self, i: int) -> Found:
        """Early March, mid-2007, the end of 2008, late last year, later this month, end of the week."""
        i = self.skip(i, "the")
        part = PARTS.get(self.word(i))
        if part is None:
            return self._end_named(i)
        j = self.skip(self.skip(i + 1, "of", "in", "-"), "-")
        found = self.date(j)
        k = self.skip(j, "the")
        if found is None and self.word(k) in UNITS and self.word(k) not in ("night", "nights"):
            found = around(self.setting.base, UNITS[self.word(k)]), k + 1
        whole = None if found is None else resolve(found[0], self.setting)
        if found is None or not isinstance(whole, Stretch):
            return None
        if self.word(i) in ("earlier", "later"):
            return self._so_far(whole, self.word(i)), found[1]
        piece = third(whole, part, edge=self.word(i) == "end")
        return None if piece is None else (piece, found[1])

    def _end_named(self, i: int) -> Found:
        """Year end, month-end, EOY."""
        j = i + 1 if self.word(i) in ENDS else self.skip(i + 1, "-")
        grain = ENDS.get(self.word(i)) or (UNITS.get(self.word(i)) if self.word(j) == "end" else None)
        if grain not in (Grain.MONTH, Grain.QUARTER, Grain.YEAR):
            return None
        piece = third(around(self.setting.base, grain), 2, edge=True)
        return None if piece is None else (piece, j + (self.word(i) not in ENDS))

    def _so_far(self, whole: Stretch, word: str) -> Stretch:
        today = floor_local(self.setting.base, Grain.DAY)
        if whole.start < today < whole.end and word == "earlier":
            return Stretch(whole.start, today, whole.grain)
        if whole.start <= today < whole.end and word == "later":
            return Stretch(today, whole.end, whole.grain)
        return whole

    def _named_week(self, i: int) -> Found:
        """Week 31 (of 2018); the week of April 10th; the week after next, the year before last."""
        i = self.skip(i, "the")
        grain = UNITS.get(self.word(i))
        if self.word(i) == "weekend":
            back = self.setting.direction is Direction.PAST and self.setting.base.weekday() < 5
            return self.weekend(moved(self.setting.today, Grain.WEEK, -1 if back else 0)), i + 1
        if self.words(i, "w", "/", "c"):
            return self._week_of(i + 3)
        if grain is None:
            return None
        if self.words(i + 1, "before", "last") or self.words(i + 1, "after", "next"):
            return moved(around(self.setting.base, grain), grain, -2 if self.word(i + 1) == "before" else 2), i + 3
        if grain is not Grain.WEEK:
            return None
        if self.word(i + 1) in ("of", "beginning", "starting", "commencing"):
            return self._week_of(self.skip(i + 2, "on"))
        number = self.integer(i + 1)
        if number is None or not 1 <= number[0] <= 53:
            return None
        year = self._year_after(number[1])
        place, j = (self.setting.base.year, number[1]) if year is None else year
        try:
            return around(datetime.fromisocalendar(place, number[0], 1), Grain.WEEK), j
        except ValueError:
            return None

    def _week_of(self, i: int) -> Found:
        """The week that the date at ``i`` lies in."""
        found = self.date(i)
        whole = None if found is None else resolve(found[0], self.setting)
        if found is None or not isinstance(whole, Stretch):
            return None
        return around(whole.start, Grain.WEEK), found[1]
