"""Chinese names of days, months, years and what is counted from today: the dates without a time of day."""

from __future__ import annotations

import re
from datetime import datetime

from .calendar import floor_local, shift_local
from .chinese_words import (
    COUNT,
    DAYS_AWAY,
    EDGES,
    FEAST,
    FEASTS,
    NUMBER,
    SEASONS,
    UNITS,
    WEEKDAYS,
    YEARS_AWAY,
    number_of,
)
from .grains import Grain
from .lunar import lunar_day
from .stretches import (
    DAY,
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
    third,
)

Found = tuple[Time, int] | None

_NUMERIC = re.compile(
    r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})(?:[-/.](?P<d>\d{1,2}))?(?!\d)"
    r"|(?P<m2>\d{1,2})/(?P<d2>\d{1,2})/(?P<y2>\d{4})(?!\d)"
    r"|(?P<y3>\d{2})-(?P<m3>\d{1,2})-(?P<d3>\d{1,2})(?!\d)"
    r"|(?P<m4>\d{1,2})/(?P<d4>\d{1,2})(?![\d/])"
)
_YEAR = re.compile(
    rf"(?P<away>大前|前|去|今|本|明|后)年|(?P<step>上|下|这)一?个?年(?!\s*{NUMBER}?级)"
    rf"|(?P<number>[12]\d{{3}}|[零〇一二两三四五六七八九]{{4}}|\d{{2}}|[零〇一二三四五六七八九]{{2}})\s*年(?![级代前后])(?:的|份)?"
)
_MONTH = re.compile(
    rf"(?P<steps>上+|下+|这|本|当|今)一?个?月(?!{NUMBER})|(?P<number>{NUMBER})\s*月份?(?:的)?|(?P<first>正|腊|冬)月"
)
_DAY = re.compile(rf"(?P<number>{NUMBER})\s*[日号](?!线|楼|院|公路)|(?P<lunar>初[一二三四五六七八九十])")
_NEAR = re.compile(
    r"(?P<away>大前|大后|前|昨|寻|琴|今|本|明|听|翌|后)(?:天|日|儿个?)(?!头条)|(?P<part>今|昨|明|当|听|寻)(?=[晚早夜]|朝早)"
)
_WEEKDAY = re.compile(
    r"(?P<steps>上+|下+|这|本|今)?(?P<one>一)?个?(?:周|星期|礼拜)(?:的)?(?P<day>[一二三四五六日天末])(?!期|前|后|年|个)"
)
_WEEK = re.compile(r"(?P<steps>上+|下+|这|本|今)一?个?(?:周|星期|礼拜)(?![一二三四五六日天末])")
_SEASON = re.compile(r"(?P<season>[春夏秋冬])(?:天|季)")
_QUARTER = re.compile(
    rf"第?(?P<n>[一二三四1-4])(?:个)?季度|[qQ](?P<q>[1-4])|(?P<half>上|下|前|后)半(?P<of>年|月|周)"
)
_EDGE = re.compile(r"(?P<edge>[初头中底末尾])")
_AGO = re.compile(rf"{COUNT}\s*(?:(?P<ago>之前|以前|前)|(?P<later>之后|以后|后))(?!天|年|半)")
_ROLLING = re.compile(
    rf"(?:(?P<back>过去的?|最近的?|近|前|上)|(?P<ahead>未来的?|接下来的?|今后的?|之后|后|下)){COUNT}(?![一二三四五六末])"
)
_DECADE = re.compile(r"(?:(?P<century>\d{1,2}|[一二十]+)世纪)?(?P<tens>[1-9]0|[一二三四五六七八九]十)年代")
_CENTURY = re.compile(r"(?P<n>\d{1,2}|[一二十]+)世纪")
_NTH = re.compile(
    rf"(?:的)?(?:第(?P<n>{NUMBER})|(?P<last>最后一))个?(?P<unit>天|日|周|星期|礼拜|月|季度)(?P<day>[一二三四五六日天])?"
)
_FEAST = re.compile(FEAST)
_NOW = re.compile(r"现在|此刻|此时|目前|眼下|当前|而家")
_SPACE = re.compile(r"\s*的?\s*")


class Dates:
    """Each rule takes a place in the text and answers the time found there and the place after it."""

    def __init__(self, text: str, setting: Setting) -> None:
        self.text = text
        self.setting = setting

    def date(self, i: int) -> Found:
        """The longest date at ``i``."""
        best: Found = None
        for rule in (
            self._numeric,
            self._from_year,
            self._from_month,
            self._from_day,
            self._near_day,
            self._weekday,
            self._week,
            self._counted,
            self._season_or_quarter,
            self._decade,
            self._feast,
            self._now,
        ):
            found = rule(i)
            if found is not None and (best is None or found[1] > best[1]):
                best = found
        return best if best is None else self._nth(best)

    def gap(self, i: int) -> int:
        space = _SPACE.match(self.text, i)
        return space.end() if space else i

    def named(self, number: str, unit: str, end: int) -> Found:
        """A number as the year, month or day that ``unit`` says."""
        value = number_of(number)
        if value is None:
            return None
        n = int(value)
        if unit == "年":
            return around(datetime(self.full_year(n), 1, 1), Grain.YEAR), end
        partial = Partial(Grain.MONTH, month=n) if unit == "月" else Partial(Grain.DAY, day=n)
        return (partial, end) if 1 <= n <= (12 if unit == "月" else 31) else None

    def full_year(self, year: int) -> int:
        if year > 99:
            return year
        full = self.setting.base.year // 100 * 100 + year
        return full - 100 if full > self.setting.base.year + 20 else full

    def in_year_of(self, stretch: Stretch, month: int) -> Stretch | None:
        return in_year(Partial(Grain.MONTH, month=month), stretch.start.year)

    def _whole(self, year: int, month: int, day: int | None, j: int) -> Found:
        grain = Grain.MONTH if day is None else Grain.DAY
        stretch = in_year(Partial(grain, month=month, day=day), year)
        return None if stretch is None else (stretch, j)

    def _numeric(self, i: int) -> Found:
        match = _NUMERIC.match(self.text, i)
        if match is None:
            return None
        if match["y"]:
            return self._whole(
                int(match["y"]), int(match["m"]), int(match["d"]) if match["d"] else None, match.end()
            )
        if match["y2"]:
            return self._whole(int(match["y2"]), int(match["m2"]), int(match["d2"]), match.end())
        if match["y3"]:
            return self._whole(self.full_year(int(match["y3"])), int(match["m3"]), int(match["d3"]), match.end())
        return self._checked(Partial(Grain.DAY, month=int(match["m4"]), day=int(match["d4"])), match.end())

    def _checked(self, partial: Partial, j: int) -> Found:
        if pick(partial, self.setting.base, self.setting.direction) is None:
            return None
        return partial, j

    def _from_year(self, i: int) -> Found:
        """2023年, 去年, 2023年6月, 去年三月五号, 今年夏天, 2018年上半年, 明年春节, 年底."""
        year = self._year(i)
        if year is None:
            return None
        y, end = year
        rest = self.gap(end)
        if (edge := _EDGE.match(self.text, end)) and self.text[end - 1] == "年":
            piece = third(around(datetime(y, 1, 1), Grain.YEAR), EDGES[edge["edge"]])
            return None if piece is None else (piece, edge.end())
        for rule in (self._from_month, self._season_or_quarter, self._feast):
            inner = rule(rest)
            if inner is not None and isinstance(inner[0], Partial) and inner[0].has_yearly_place:
                stretch = in_year(inner[0], y)
                return None if stretch is None else self._edge_of(stretch, inner[1])
        return around(datetime(y, 1, 1), Grain.YEAR), end

    def _year(self, i: int) -> tuple[int, int] | None:
        match = _YEAR.match(self.text, i)
        if match is None:
            bare = re.compile(r"(19|20)\d\d(?!\d)").match(self.text, i)
            return (int(bare.group()), bare.end()) if bare and not self.text[bare.end() :].strip() else None
        away = match["away"] or match["step"]
        if away:
            return self.setting.base.year + YEARS_AWAY[away], match.end()
        value = number_of(match["number"])
        if value is None:
            return None
        return self.full_year(int(value)), match.end()

    def _from_month(self, i: int) -> Found:
        """三月, 三月五号, 上个月, 上个月五号, 正月初一."""
        match = _MONTH.match(self.text, i)
        lunar = re.compile(r"农历|阴历|旧历").match(self.text, i)
        if lunar is not None:
            match = _MONTH.match(self.text, lunar.end())
        if match is None:
            return None
        rest = self.gap(match.end())
        day = _DAY.match(self.text, rest)
        if match["steps"]:
            return self._stepped_month(match, day)
        number = {"正": 1, "冬": 11, "腊": 12}.get(match["first"] or "") or number_of(match["number"] or "")
        if number is None or not 1 <= number <= 12:
            return None
        month = int(number)
        if lunar is not None or match["first"] or (day is not None and day["lunar"]):
            return self._lunar(month, day)
        if day is None:
            return self._edge_of(Partial(Grain.MONTH, month=month), match.end())
        value = number_of(day["number"])
        if value is None or not 1 <= value <= 31:
            return None
        return self._checked(Partial(Grain.DAY, month=month, day=int(value)), day.end())

    def _stepped_month(self, match: re.Match[str], day: re.Match[str] | None) -> Found:
        whole = moved(around(self.setting.base, Grain.MONTH), Grain.MONTH, steps(match["steps"]))
        if day is not None and day["number"]:
            value = number_of(day["number"])
            if value is None:
                return None
            return self._whole(whole.start.year, whole.start.month, int(value), day.end())
        return self._edge_of(whole, match.end())

    def _lunar(self, month: int, day: re.Match[str] | None) -> Found:
        if day is None:
            thirty = None
            return thirty
        value = number_of(day["number"] or day["lunar"][1:])
        if value is None or not 1 <= value <= 30:
            return None
        return self._checked(Partial(Grain.DAY, rule=lunar_day(month, int(value))), day.end())

    def _edge_of(self, time: Stretch | Partial, j: int) -> Found:
        """月初, 月底 after a month."""
        edge = re.compile(r"(?P<edge>[初中底末])(?!旬)|(?P<ten>[上中下])旬").match(self.text, j)
        if edge is None or time.grain is not Grain.MONTH:
            return time, j
        if edge["edge"] and self.text[j - 1] not in "月份":
            return time, j
        whole = resolve(time, self.setting)
        part = EDGES[edge["edge"]] if edge["edge"] else "上中下".index(edge["ten"])
        piece = third(whole, part) if isinstance(whole, Stretch) else None
        return (time, j) if piece is None else (piece, edge.end())

    def _from_day(self, i: int) -> Found:
        """29日."""
        match = _DAY.match(self.text, i)
        value = number_of(match["number"]) if match and match["number"] else None
        if match is None or value is None or not 1 <= value <= 31:
            return None
        return Partial(Grain.DAY, day=int(value)), match.end()

    def _near_day(self, i: int) -> Found:
        match = _NEAR.match(self.text, i)
        if match is None:
            return None
        n = DAYS_AWAY.get(match["away"] or match["part"], 0)
        return around(floor_local(self.setting.base, Grain.DAY) + n * DAY, Grain.DAY), match.end()

    def _weekday(self, i: int) -> Found:
        """周三, 上周三, 下下周末, 这个星期天."""
        match = _WEEKDAY.match(self.text, i)
        if match is None or (match["one"] and not match["steps"]):
            return None
        if match["day"] == "末":
            n = steps(match["steps"]) if match["steps"] else 0
            saturday = moved(self.setting.today, Grain.WEEK, n).start + 5 * DAY
            return Stretch(saturday, saturday + 2 * DAY, Grain.DAY), match.end()
        weekday = WEEKDAYS[match["day"]]
        dated = self._from_month(after_comma := self._comma(match.end()))
        if dated is not None and after_comma > match.end():
            return dated
        if not match["steps"]:
            return Partial(Grain.DAY, weekday=weekday), match.end()
        week = moved(self.setting.today, Grain.WEEK, steps(match["steps"]))
        return around(week.start + weekday * DAY, Grain.DAY), match.end()

    def _comma(self, i: int) -> int:
        comma = re.compile(r"\s*[,，]\s*").match(self.text, i)
        return comma.end() if comma else i

    def _week(self, i: int) -> Found:
        match = _WEEK.match(self.text, i)
        if match is None:
            return None
        return moved(self.setting.today, Grain.WEEK, steps(match["steps"])), match.end()

    def _counted(self, i: int) -> Found:
        """三天前, 两个月后, 半年前; 过去三年, 未来五天, 前两周."""
        match = _AGO.match(self.text, i)
        if match is not None:
            counted = self._count(match)
            if counted is None:
                return None
            grain, n = counted
            return offset_point(self.setting, grain, -n if match["ago"] else n), match.end()
        match = _ROLLING.match(self.text, i)
        counted = None if match is None else self._count(match)
        if match is None or counted is None or counted[1] != int(counted[1]):
            return None
        return rolling(self.setting, counted[0], int(counted[1]) * (-1 if match["back"] else 1)), match.end()

    def _count(self, match: re.Match[str]) -> tuple[Grain, float] | None:
        n = number_of(match["count"])
        if n is None or n > 9999:
            return None
        grain = UNITS[match["unit"]]
        # 9年前 counts; 2015年前 and 08年前 name the year.
        if (
            grain is Grain.YEAR
            and match["unit"] == "年"
            and (n > 1000 or match["count"].startswith(("0", "零", "〇")))
        ):
            return None
        return grain, n + (0.5 if match["half"] or match["more"] else 0)

    def _season_or_quarter(self, i: int) -> Found:
        if season := _SEASON.match(self.text, i):
            return Partial(Grain.SEASON, month=SEASONS[season["season"]]), season.end()
        match = _QUARTER.match(self.text, i)
        if match is None:
            return None
        if match["half"]:
            return self._half(match)
        n = int(number_of(match["n"] or match["q"]) or 1)
        return Partial(Grain.QUARTER, month=3 * n - 2), match.end()

    def _half(self, match: re.Match[str]) -> Found:
        second = match["half"] in "下后"
        if match["of"] == "年":
            return Partial(Grain.HALF, month=7 if second else 1), match.end()
        grain = Grain.MONTH if match["of"] == "月" else Grain.WEEK
        whole = around(self.setting.base, grain)
        middle = whole.start + (15 if grain is Grain.MONTH else 3) * DAY
        return Stretch(*((middle, whole.end) if second else (whole.start, middle)), Grain.DAY), match.end()

    def _decade(self, i: int) -> Found:
        if match := _DECADE.match(self.text, i):
            tens, century = number_of(match["tens"]), number_of(match["century"] or "")
            if tens is None:
                return None
            year = int((century - 1) * 100 + tens) if century else self.full_year(int(tens))
            return around(datetime(year, 1, 1), Grain.DECADE), match.end()
        match = _CENTURY.match(self.text, i)
        n = None if match is None else number_of(match["n"])
        if match is None or n is None or not 2 <= n <= 30:
            return None
        return around(datetime(int(n) * 100 - 100, 1, 1), Grain.CENTURY), match.end()

    def _feast(self, i: int) -> Found:
        match = _FEAST.match(self.text, i)
        return (
            None if match is None else self._checked(Partial(Grain.DAY, rule=FEASTS[match["feast"]]), match.end())
        )

    def _now(self, i: int) -> Found:
        match = _NOW.match(self.text, i)
        return (
            None if match is None else (Stretch(self.setting.base, self.setting.base, Grain.INSTANT), match.end())
        )

    def _nth(self, outer: tuple[Time, int]) -> Found:
        """2021年的第二周, 十月的第一个星期一, 去年的最后一天."""
        match = _NTH.match(self.text, outer[1])
        if match is None:
            return outer
        whole = resolve(outer[0], self.setting)
        if not isinstance(whole, Stretch) or whole.grain not in (Grain.YEAR, Grain.MONTH, Grain.QUARTER):
            return outer
        n = -1 if match["last"] else int(number_of(match["n"]) or 0)
        found = self._inside(whole, n, UNITS[match["unit"]], match["day"])
        return outer if found is None else (found, match.end())

    def _inside(self, whole: Stretch, n: int, grain: Grain, day: str | None) -> Stretch | None:
        if grain is Grain.WEEK and day:
            first = whole.start + DAY * ((WEEKDAYS[day] - whole.start.weekday()) % 7)
            found = around(first + 7 * DAY * (n - 1), Grain.DAY)
        elif grain is Grain.WEEK:
            # ISO 8601: the first week is the one with the first Thursday.
            first = around(whole.start + (7 * DAY if whole.start.weekday() > 3 else 0 * DAY), Grain.WEEK).start
            last = floor_local(whole.end - DAY, Grain.WEEK)
            found = around(last if n < 0 else first + 7 * DAY * (n - 1), Grain.WEEK)
        else:
            start = floor_local(whole.end - DAY, grain) if n < 0 else shift_local(whole.start, grain, n - 1)
            found = around(start, grain)
        return found if whole.start - 7 * DAY < found.start < whole.end else None

    def displaced_day(self, stretch: Stretch, grain: Grain, n: float) -> Stretch:
        return around(displaced(self.setting, stretch.start, grain, n), Grain.DAY)


def steps(word: str) -> int:
    """上 -1, 上上 -2, 下 1, 这 0."""
    return len(word) * (-1 if word[0] == "上" else 1 if word[0] == "下" else 0)
