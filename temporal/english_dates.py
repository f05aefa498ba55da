"""English names of days, months, years and what is counted from today: the dates without a time of day."""

from __future__ import annotations

from datetime import datetime

from .calendar import floor_local, shift_local
from .english_numbers import Numbers
from .english_words import LAST, MONTHS, NEXT, PARTS, SEASONS, THIS, UNITS, WEEKDAYS
from .grains import Grain
from .holidays import ENGLISH, Rule
from .stretches import (
    DAY,
    Partial,
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
    third,
)

Found = tuple[Time, int] | None
_DAYS_AWAY = {"today": 0, "tonight": 0, "tonite": 0, "yesterday": -1, "tomorrow": 1, "tmrw": 1, "tmr": 1}
_FINE = (Grain.HOUR, Grain.MINUTE, Grain.SECOND)


class Dates(Numbers):
    """Each rule takes a token's place and answers the time found there and the place after it."""

    def date(self, i: int) -> Found:
        """The longest date at ``i``."""
        best: Found = None
        for rule in (
            self._written,
            self._weekday,
            self._month_day,
            self._day_month,
            self._near_day,
            self._modified,
            self._counted,
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

    def _written(self, i: int) -> Found:
        """2019-01-03, 1/3/2019, 3.1.2019, 2019-01, 1/3."""
        kind, text = self.kind(i), self.word(i)
        if kind not in ("ymd", "mdy", "ym", "my", "md", "iso"):
            return None
        if kind == "iso":
            return self._iso(text, i)
        a, b, *rest = (int(part) for part in text.replace(".", "-").replace("/", "-").split("-"))
        match kind:
            case "ymd":
                return self._whole(a, b, rest[0], i + 1)
            case "ym":
                return self._whole(a, b, None, i + 1)
            case "my":
                return self._whole(b, a, None, i + 1)
        day_first = not self.setting.month_first or "." in text or a > 12
        day, month = (a, b) if day_first and b <= 12 else (b, a)
        if kind == "mdy":
            return self._whole(self.full_year(rest[0]), month, day, i + 1)
        return self._yearly(Partial(Grain.DAY, month=month, day=day), i + 1)

    def _iso(self, text: str, i: int) -> Found:
        try:
            moment = datetime.fromisoformat(text.upper())
        except ValueError:
            return None
        if moment.tzinfo is not None:
            moment = moment.astimezone(self.setting.zone).replace(tzinfo=None)
        return around(moment, Grain.SECOND if text.count(":") > 1 and "+" not in text else Grain.MINUTE), i + 1

    def _whole(self, year: int, month: int, day: int | None, j: int) -> Found:
        grain = Grain.MONTH if day is None else Grain.DAY
        stretch = in_year(Partial(grain, month=month, day=day), year)
        return None if stretch is None else (stretch, j)

    def _yearly(self, partial: Partial, j: int) -> Found:
        """A date without a year, if it has one in some year; a year or "this year" may follow."""
        year = self._year_after(j)
        if year is not None:
            stretch = in_year(partial, year[0])
            return None if stretch is None else (stretch, year[1])
        if pick(partial, self.setting.base, self.setting.direction) is None:
            return None
        return partial, j

    def _year_after(self, j: int) -> tuple[int, int] | None:
        k = self.skip(j, "of", "in", ",", "-", "/", "(")
        if self.words(k, "the", "year"):
            k += 2
        if (
            self.kind(k) == "number"
            and self.word(k).isdigit()
            and (self.is_year(k) or (self.word(j) == "'" and len(self.word(k)) == 2))
        ):
            return self.full_year(int(self.word(k))), k + 1
        spelled = self.spelled_year(k)
        if spelled is not None:
            return spelled
        found = self._modified(k) if self.word(k) in LAST | THIS | NEXT else None
        if found is not None and isinstance(found[0], Stretch) and found[0].grain is Grain.YEAR:
            return found[0].start.year, found[1]
        return None

    def _weekday(self, i: int) -> Found:
        """Friday; Friday the 13th; Tuesday, March 7; next week on Tuesday; Monday of last week."""
        weekday = WEEKDAYS.get(self.word(i))
        if weekday is None:
            return None
        j = self.skip(i + 1, ".", ",", "-", "(")
        j = self.skip(j, "the")
        for rule in (self._written, self._month_day, self._day_month):
            found = rule(j)
            if found is not None:
                return found[0], self.skip(found[1], ")")
        if (day := self.day_number(j)) and (self.kind(j) == "ordinal" or j == i + 1 or self.word(j - 1) == "the"):
            partial = Partial(Grain.DAY, day=day[0], weekday=weekday)
            if pick(partial, self.setting.base, self.setting.direction) is not None:
                return partial, day[1]
        week = self._modified(self.skip(i + 1, "of", ",", "in"))
        if week is not None and isinstance(week[0], Stretch) and week[0].grain is Grain.WEEK:
            return around(week[0].start + weekday * DAY, Grain.DAY), week[1]
        return Partial(Grain.DAY, weekday=weekday), i + 1

    def _month(self, i: int) -> int | None:
        return MONTHS.get(self.word(i)) if self.kind(i) == "word" else None

    def _month_day(self, i: int) -> Found:
        """March; March 2024; March 7(th)(, 2024); Mar-7; March of last year."""
        month = self._month(i)
        if month is None:
            return None
        j = self.skip(i + 1, ".") if self.kind(i + 2) in ("number", "ordinal") else i + 1
        k = self.skip(j, ",", "/", "-", "the")
        day = self.day_number(k)
        if day is not None and not (self.is_year(k) and self.kind(k) == "number"):
            found = self._yearly(Partial(Grain.DAY, month=month, day=day[0]), day[1])
            if found is not None or self.kind(k) == "ordinal" or self.kind(day[1]) == "number":
                return found
            if self.kind(k) == "number" and day[0] > 28:
                return None
        return self._yearly(Partial(Grain.MONTH, month=month), j)

    def _day_month(self, i: int) -> Found:
        """7 March; the 7th of March, 2024; 2017 April; 05-Aug-2016."""
        i = self.skip(i, "the")
        if self.is_year(i) and (month := self._month(self.skip(i + 1, "-", "/", ","))):
            j = self.skip(i + 1, "-", "/", ",") + 1
            day = self.day_number(self.skip(j, "-", "/"))
            if day is not None:
                return self._whole(int(self.word(i)), month, day[0], day[1])
            return self._whole(int(self.word(i)), month, None, j)
        day = self.day_number(i)
        if day is None:
            return None
        j = self.skip(day[1], "day")
        j = self.skip(j, "of", "-", "/")
        month = self._month(j)
        if month is not None:
            return self._yearly(Partial(Grain.DAY, month=month, day=day[0]), self.skip(j + 1, "."))
        return self._day_of_month(day[0], j) or self._day_of_month(day[0], day[1])

    def _day_of_month(self, day: int, j: int) -> Found:
        """The 21st of this month; the 15th day of next month."""
        found = self._modified(j)
        if found is None and self.words(j, "the", "month"):
            found = around(self.setting.base, Grain.MONTH), j + 2
        if found is None or not isinstance(found[0], Stretch) or found[0].grain is not Grain.MONTH:
            return None
        return self._whole(found[0].start.year, found[0].start.month, day, found[1])

    def _bare_day(self, i: int) -> Found:
        """The 18th."""
        if self.word(i) != "the" or (day := self.day_number(i + 1)) is None or self.kind(i + 1) == "number":
            return None
        if self.kind(day[1]) == "word" and self.word(day[1]) in UNITS:
            return None
        return Partial(Grain.DAY, day=day[0]), day[1]

    def _near_day(self, i: int) -> Found:
        """Today, yesterday, the day before yesterday; now."""
        j = self.skip(i, "the", "very")
        if self.words(j, "day", "before", "yesterday"):
            return self._days(-2), j + 3
        if self.words(j, "day", "after", "tomorrow"):
            return self._days(2), j + 3
        if self.word(i) in _DAYS_AWAY:
            return self._days(_DAYS_AWAY[self.word(i)]), i + 1
        if self.word(i) == "now" or self.words(i, "right", "now"):
            now = self.setting.base
            return Stretch(now, now, Grain.INSTANT), i + (1 if self.word(i) == "now" else 2)
        return None

    def _days(self, n: int) -> Stretch:
        return around(floor_local(self.setting.base, Grain.DAY) + n * DAY, Grain.DAY)

    def _modified(self, i: int) -> Found:
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
        if word in ("night", "morning", "afternoon", "evening") or word in ("minute", "second", "hour"):
            return None
        if (grain := UNITS.get(word)) is not None and not word.endswith("s"):
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
        number = self.count(i + 1 if ahead else self.skip(i, "about", "around", "approximately"))
        if number is None:
            return None
        n, j = number
        if self.word(j) in ("past", "last", "previous", "next", "upcoming", "coming"):
            sign, j = (-1 if self.word(j) in LAST else 1), j + 1
            grain = UNITS.get(self.word(j))
            return None if grain is None or n != int(n) else (rolling(self.setting, grain, sign * int(n)), j + 1)
        unit = self.unit(j)
        if unit is None:
            return None
        grain, n, j = unit[0], n * unit[1], unit[2]
        if ahead:
            j = self.skip(j, "time")
            return offset_point(self.setting, grain, n), j
        if self.word(j) in ("ago", "earlier") or self.words(j, "back"):
            return offset_point(self.setting, grain, -n), j + 1
        if self.word(j) in ("later", "hence") or self.words(j, "from", "now"):
            return offset_point(self.setting, grain, n), j + (2 if self.word(j) == "from" else 1)
        if self.word(j) in ("before", "after", "from"):
            return self._counted_from(grain, -n if self.word(j) == "before" else n, j + 1)
        return None

    def _counted_from(self, grain: Grain, n: float, j: int) -> Found:
        anchor = self.date(j)
        if anchor is None or grain in _FINE:
            return None
        whole = resolve(anchor[0], self.setting)
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
            first = around(whole.start + 3 * DAY * (whole.start.weekday() > 3) * 2, Grain.WEEK)
            last = around(whole.end - DAY - 6 * DAY * ((whole.end - DAY).weekday() < 3), Grain.WEEK)
            found = last if n < 0 else moved(first, Grain.WEEK, n - 1)
            return found if found.start <= last.start else None
        assert grain is not None
        start = floor_local(whole.end - DAY, grain) if n < 0 else shift_local(whole.start, grain, n - 1)
        found = around(start, grain)
        return found if whole.start <= found.start and found.end <= whole.end else None

    def _part_of(self, i: int) -> Found:
        """Early March, mid-2007, the end of 2008, late last year, later this month, end of the week."""
        i = self.skip(i, "the")
        part = PARTS.get(self.word(i))
        if part is None:
            return None
        j = self.skip(self.skip(i + 1, "of", "in", "-"), "-")
        found = self.date(j)
        if found is None and UNITS.get(self.word(k := self.skip(j, "the"))) is not None:
            found = around(self.setting.base, UNITS[self.word(k)]), k + 1
        whole = None if found is None else resolve(found[0], self.setting)
        if found is None or not isinstance(whole, Stretch):
            return None
        if self.word(i) in ("earlier", "later"):
            return self._so_far(whole, self.word(i)), found[1]
        piece = third(whole, part)
        return None if piece is None else (piece, found[1])

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
        if grain is None:
            return None
        if self.words(i + 1, "before", "last") or self.words(i + 1, "after", "next"):
            return moved(around(self.setting.base, grain), grain, -2 if self.word(i + 1) == "before" else 2), i + 3
        if grain is not Grain.WEEK:
            return None
        if self.word(i + 1) == "of":
            found = self.date(i + 2)
            whole = None if found is None else resolve(found[0], self.setting)
            if found is None or not isinstance(whole, Stretch):
                return None
            return around(whole.start, Grain.WEEK), found[1]
        number = self.integer(i + 1)
        if number is None or not 1 <= number[0] <= 53:
            return None
        year = self._year_after(number[1])
        place, j = (self.setting.base.year, number[1]) if year is None else year
        try:
            return around(datetime.fromisocalendar(place, number[0], 1), Grain.WEEK), j
        except ValueError:
            return None

    def _season_or_quarter(self, i: int) -> Found:
        """Summer 2023, the winter of last year, Q1 2017, 2017 Q1, 2019-H2."""
        i = self.skip(i, "the")
        if self.word(i) in SEASONS:
            return self._yearly(Partial(Grain.SEASON, month=SEASONS[self.word(i)]), i + 1)
        after_year = self.skip(i + 1, "-", ",") if self.is_year(i) else i
        if self.kind(after_year) != "quarter":
            return None
        letter, n = self.word(after_year)[0], int(self.word(after_year)[1])
        if letter == "h" and n > 2:
            return None
        grain, width = (Grain.QUARTER, 3) if letter == "q" else (Grain.HALF, 6)
        partial = Partial(grain, month=1 + (n - 1) * width)
        if after_year != i:
            stretch = in_year(partial, int(self.word(i)))
            return None if stretch is None else (stretch, after_year + 1)
        return self._yearly(partial, i + 1)

    def _feast(self, i: int) -> Found:
        rule, j = self._feast_name(i)
        return None if rule is None else self._yearly(Partial(Grain.DAY, rule=rule), j)

    def _feast_name(self, i: int) -> tuple[Rule | None, int]:
        for length in (4, 3, 2, 1):
            name = " ".join(self.word(k).strip("'’") for k in range(i, i + length))
            if name in ENGLISH:
                return ENGLISH[name], i + length
        return None, i

    def _year(self, i: int) -> Found:
        j = self.skip(self.skip(i, "the"), "calendar", "cy")
        j = self.skip(self.skip(j, "year"), "of")
        if self.is_year(j) and self.kind(j) == "number":
            return around(datetime(int(self.word(j)), 1, 1), Grain.YEAR), j + 1
        return None

    def _decade(self, i: int) -> Found:
        """1990s, the '90s, the nineties."""
        j = self.skip(i, "the")
        names = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60}
        names |= {"seventies": 70, "eighties": 80, "nineties": 90}
        if self.kind(j) == "decade":
            digits = int("".join(c for c in self.word(j) if c.isdigit()))
        elif self.word(j) in names and j > i:
            digits = names[self.word(j)]
        else:
            return None
        year = digits if digits > 99 else self.full_year(digits)
        return around(datetime(year, 1, 1), Grain.DECADE), j + 1

    def _century(self, i: int) -> Found:
        number = self.ordinal(self.skip(i, "the"))
        if number is None or self.word(number[1]) != "century" or number[0] < 2:
            return None
        return around(datetime(number[0] * 100 - 100, 1, 1), Grain.CENTURY), number[1] + 1
