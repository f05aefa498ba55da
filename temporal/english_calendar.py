"""English names of days, months, seasons and years, whole ("7 March 2024") or with parts left out ("March")."""

from __future__ import annotations

from abc import abstractmethod
from datetime import datetime

from .calendar import floor_local
from .english_numbers import Numbers
from .english_words import DASHES, LAST, MONTHS, NEXT, SEASONS, THIS, UNITS, WEEKDAYS, words
from .grains import Grain
from .holidays import ENGLISH, Rule
from .stretches import DAY, Direction, Partial, Stretch, Time, agreeing, around, in_year, pick, resolve

Found = tuple[Time, int] | None

_NOT_PLURAL = frozenset(
    words(
        "this does thus always perhaps afterwards besides unless across class less works sounds seems looks comes"
        " falls starts begins marks suits ends stays remains means feels"
    )
)


class CalendarNames(Numbers):
    """Each rule takes a token's place and answers the time found there and the place after it."""

    @abstractmethod
    def _modified(self, i: int) -> Found:
        """Last week, this month, next Friday."""

    def _written(self, i: int) -> Found:
        """2019-01-03, 20190103, 1/3/2019, 3.1.2019, 2019-01, 1/3."""
        kind, text = self.kind(i), self.word(i)
        if kind == "number" and len(text) == 8 and text.isdigit() and text[:2] in ("19", "20"):
            return self._whole(int(text[:4]), int(text[4:6]), int(text[6:]), i + 1)
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
        """The year that a month or a day names after itself: 2024; of 2024; '24; of last year."""
        k = self.skip(j, "of", "in", ",", "-", "/", "(")
        if self.words(k, "the", "year"):
            k += 2
        if (
            self.kind(k) == "number"
            and self.word(k).isdigit()
            and (self.is_year(k) or (self.word(j) in ("'", "of") and len(self.word(k)) == 2))
        ):
            return self.full_year(int(self.word(k))), k + 1
        named = self._shortened_year(k) or self.spelled_year(k)
        if named is not None:
            return named
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
                time = found[0]
                if isinstance(time, Partial) and time.day is not None:
                    time = agreeing(time, weekday, self.setting)
                return time, self.skip(found[1], ")")
        day = self.day_number(j)
        plain = self.kind(j) == "number"
        follower = "" if day is None else self.word(day[1])
        ranged = follower in (*DASHES, "to", "oclock", "o") or (day is not None and self.kind(day[1]) == "clock")
        if day is not None and not (plain and ranged) and (self.kind(j) == "ordinal" or self._is_after(i, j)):
            partial = Partial(Grain.DAY, day=day[0], weekday=weekday)
            if pick(partial, self.setting.base, self.setting.direction) is not None:
                return partial, day[1]
        week = self._modified(self.skip(i + 1, "of", ",", "in"))
        if week is not None and isinstance(week[0], Stretch) and week[0].grain is Grain.WEEK:
            return around(week[0].start + weekday * DAY, Grain.DAY), week[1]
        return Partial(Grain.DAY, weekday=weekday), i + 1

    def _is_after(self, i: int, j: int) -> bool:
        return j == i + 1 or self.word(j - 1) == "the"

    def _month(self, i: int) -> int | None:
        return MONTHS.get(self.word(i)) if self.kind(i) == "word" else None

    def _month_day(self, i: int) -> Found:
        """March; March 2024; March 7(th)(, 2024); Mar-7; March of last year."""
        month = self._month(i)
        if month is None:
            return None
        j = self.skip(i + 1, ".") if self.kind(i + 2) in ("number", "ordinal") else i + 1
        k = self.skip(j, ",", "/", "-", "the")
        day = None if self.spelled_year(k) is not None or self._counts_things(k) else self.day_number(k)
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
        if month is not None and self.kind(j + 1) == "ordinal":
            return None  # She turned 14 June 5th
        if month is not None:
            return self._yearly(Partial(Grain.DAY, month=month, day=day[0]), self._past_point(j))
        if self.kind(i) == "number" and j == i + 1:
            return None  # apartment 12 last month
        return self._day_of_month(day[0], j) or self._day_of_month(day[0], day[1])

    def _past_point(self, i: int) -> int:
        """The place after a month and the point of its abbreviation, which no full name has: 14 Jun."""
        return i + 1 if len(self.word(i)) > 4 or self.word(i) in ("may", "june", "july") else self.skip(i + 1, ".")

    def _counts_things(self, i: int) -> bool:
        """ "In April 3 people", "from June 5 miles": a plain number that belongs to the noun after it."""
        word = self.word(i + 1)
        if self.kind(i) != "number" or self.kind(i + 1) != "word" or self.word(i - 2) == "on":
            return False
        if self.tokens[i + 1].capital:
            return False
        return word in ("people", "children", "men", "women") or (
            word.endswith("s") and len(word) > 3 and word not in _NOT_PLURAL
        )

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
        j = self.skip(i, "the")
        day = self.day_number(j)
        if day is None or self.kind(j) == "number" or (j == i and self.kind(j) != "ordinal"):
            return None
        if self.kind(day[1]) == "word" and self.word(day[1]) in UNITS:
            return None
        return Partial(Grain.DAY, day=day[0]), day[1]

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

    def _feast_weekend(self, i: int) -> Found:
        """Labor Day weekend (2021), the weekend of Halloween: with the feast's own day where it is next to it."""
        i = self.skip(i, "the")
        leads = self.word(i) == "weekend" and self.word(i + 1) == "of"
        found = self._feast(i + 2 if leads else i)
        if found is None or not (leads or self.word(found[1]) == "weekend"):
            return None
        time, j = found
        if not leads:
            j += 1
            year = self._year_after(j) if isinstance(time, Partial) else None
            if year is not None and isinstance(time, Partial):
                time, j = in_year(time, year[0]) or time, year[1]
        day = resolve(time, self.setting)
        if not isinstance(day, Stretch):
            return None
        first = day.start if day.start.weekday() in (3, 4) else floor_local(day.start - DAY, Grain.WEEK) + 5 * DAY
        last = max(first + 2 * DAY, floor_local(first, Grain.WEEK) + 7 * DAY)
        return Stretch(first, day.end if day.start.weekday() == 0 else last, Grain.DAY), j

    def _year(self, i: int) -> Found:
        j = self.skip(self.skip(i, "the"), "calendar", "cy")
        j = self.skip(self.skip(j, "year"), "of")
        if self.is_year(j) and self.kind(j) == "number":
            return around(datetime(int(self.word(j)), 1, 1), Grain.YEAR), j + 1
        if (shortened := self._shortened_year(j)) is not None:
            return around(datetime(shortened[0], 1, 1), Grain.YEAR), shortened[1]
        spelled = self.spelled_year(j)
        return None if spelled is None else (around(datetime(spelled[0], 1, 1), Grain.YEAR), spelled[1])

    def _shortened_year(self, i: int) -> tuple[int, int] | None:
        """In '19."""
        number = self.word(i + 1)
        if self.word(i) not in ("'", "’", "‘") or not self.adjacent(i + 1) or self.word(i + 2) in ("'", "’"):
            return None
        if self.kind(i + 1) != "number" or not number.isdigit() or len(number) != 2:
            return None
        year = self.full_year(int(number))
        past = self.setting.direction is Direction.PAST and year > self.setting.base.year
        return (year - 100 if past else year), i + 2

    def _decade(self, i: int) -> Found:
        """1990s, the '90s, the nineties."""
        j = self.skip(i, "the")
        names = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60}
        names |= {"seventies": 70, "eighties": 80, "nineties": 90}
        if self.kind(j) == "decade":
            digits = int("".join(c for c in self.word(j) if c.isdigit()))
        elif self.word(j) in names and (j > i or len(self.tokens) == 1):
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
