"""Chinese names of days, months, seasons, feasts and years, whole (2024年3月7日) or with parts left out (三月)."""

from __future__ import annotations

import re
from datetime import datetime
from functools import partial

from .chinese_words import (
    EDGES,
    FEAST,
    FEASTS,
    NUMBER,
    SEASONS,
    YEARS_AWAY,
    number_of,
)
from .grains import Grain
from .lunar import lunar_day
from .parts import third
from .stretches import (
    DAY,
    Partial,
    Setting,
    Stretch,
    Time,
    around,
    in_year,
    moved,
    pick,
    resolve,
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
    rf"|(?P<number>[12]\d{{3}}|[零〇一二两三四五六七八九]{{4}}|\d{{2}}|[零〇一二三四五六七八九]{{2}})\s*年(?![级代])(?:的|份)?"
)
_MONTH = re.compile(
    rf"(?P<steps>上{{1,4}}|下{{1,4}}|这|本|当|今)一?个?月|(?P<number>{NUMBER})\s*月份?(?:的)?|(?P<first>正|腊|冬)月"
)
_DAY = re.compile(rf"(?P<number>{NUMBER})\s*[日号](?!线|楼|院|公路)|(?P<lunar>初[一二三四五六七八九十])")
_SHARED_DAY = re.compile(rf"(?P<number>{NUMBER})(?=\s*(?:[-~—–到至、和与]|直到)\s*{NUMBER}\s*[日号])")
_OPEN_DAY = re.compile(rf"{NUMBER}(?=\s*$)")
"""二零零四年八月十五: after a year in figures the day goes without its 日."""
_DIGITS = "0123456789零〇一二三四五六七八九"
_SEASON = re.compile(r"(?P<season>[春夏秋冬])(?:天|季)")
_QUARTER = re.compile(
    r"第?(?P<n>[一二三四1-4])(?:个)?季度|[qQ](?P<q>[1-4])|(?P<half>上|下|前|后)半(?P<of>年|月|周)"
)
_EDGE = re.compile(r"(?P<edge>[初头中底末尾])")
_DECADE = re.compile(
    r"(?:(?P<century>\d{1,2}|[一二三四五六七八九十]+)世纪)?(?P<tens>[1-9]0|[一二三四五六七八九]十)年代"
)
_CENTURY = re.compile(r"(?P<n>\d{1,2}|[一二三四五六七八九十]+)世纪")
_FEAST = re.compile(FEAST)
_SPACE = re.compile(r"\s*的?\s*")

_NUMBERED_DAY = re.compile(rf"{NUMBER}\s*月份?的?\s*{NUMBER}\s*[日号]")


def third_of(whole: Stretch, edge: str) -> Stretch | None:
    """The third that 初, 中 or 底 names."""
    return third(whole, EDGES[edge], edge=EDGES[edge] == 2)


class CalendarNames:
    """Each rule takes a place in the text and answers the time found there and the place after it."""

    def __init__(self, text: str, setting: Setting) -> None:
        self.text = text
        self.setting = setting

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
            return self._edge_of_now(i)
        y, end = year
        rest = self.gap(end)
        for rule in (partial(self._from_month, whole=True), self._season_or_quarter, self._feast):
            inner = rule(rest)
            if inner is not None and isinstance(inner[0], Partial) and inner[0].has_yearly_place:
                day = _OPEN_DAY.match(self.text, inner[1]) if inner[0].grain is Grain.MONTH else None
                if day is not None and self.text[end - 2] in _DIGITS:
                    return self._whole(y, inner[0].month or 0, int(number_of(day.group()) or 0), day.end())
                stretch = in_year(inner[0], y)
                return None if stretch is None else self._edge_of(stretch, inner[1])
        if _NUMBERED_DAY.match(self.text, rest):
            return None  # 2023年2月30日
        edge = self._edge_of_year(y, end)
        if edge is not None:
            return edge
        return around(datetime(y, 1, 1), Grain.YEAR), end

    def _edge_of_year(self, year: int, end: int) -> Found:
        """2024年底, 去年年初: the year ends at ``end``."""
        edge = _EDGE.match(self.text, end) if self.text[end - 1] == "年" else None
        edge = edge or re.compile(r"年(?P<edge>[初中底末尾])").match(self.text, end)
        piece = None if edge is None else third_of(around(datetime(year, 1, 1), Grain.YEAR), edge["edge"])
        return None if piece is None or edge is None else (piece, edge.end())

    def _edge_of_now(self, i: int) -> Found:
        """年底, 月初: of the base's own year and month."""
        match = re.compile(r"(?P<of>[年月])(?P<edge>[初中底末])").match(self.text, i)
        if match is None or (
            i and self.text[i - 1] in "0123456789零一二三四五六七八九十每去今明前后这上下个半几多"
        ):
            return None
        whole = around(self.setting.base, Grain.YEAR if match["of"] == "年" else Grain.MONTH)
        piece = third_of(whole, match["edge"])
        return None if piece is None else (piece, match.end())

    def _year(self, i: int) -> tuple[int, int] | None:
        republic = re.compile(rf"民国({NUMBER})年").match(self.text, i)
        if republic is not None and (count := number_of(republic.group(1))) is not None:
            return 1911 + int(count), republic.end()
        match = _YEAR.match(self.text, i)
        if match is None:
            bare = re.compile(r"(?:19|20)\d\d(?=\s*$)").match(self.text, i)
            return None if bare is None else (int(bare.group()), bare.end())
        away = match["away"] or match["step"]
        if away:
            return self.setting.base.year + YEARS_AWAY[away], match.end()
        value = number_of(match["number"])
        if value is None:
            return None
        return self.full_year(int(value)), match.end()

    def _from_month(self, i: int, *, whole: bool = False) -> Found:
        """三月, 三月五号, 上个月, 上个月五号, 正月初一; 三月底 unless it shall be ``whole``."""
        match = _MONTH.match(self.text, i)
        lunar = re.compile(r"农历|阴历|旧历").match(self.text, i)
        if lunar is not None:
            match = _MONTH.match(self.text, lunar.end())
        if match is None:
            return None
        rest = self.gap(match.end())
        day = _DAY.match(self.text, rest)
        if day is None and (shared := _SHARED_DAY.match(self.text, rest)) is not None:
            found = self._shared_day(match, shared)
            if found is not None:
                return found
        if match["steps"]:
            return self._stepped_month(match, day)
        number = {"正": 1, "冬": 11, "腊": 12}.get(match["first"] or "") or number_of(match["number"] or "")
        if number is None or not 1 <= number <= 12:
            return None
        month = int(number)
        if lunar is not None or match["first"] or (day is not None and day["lunar"]):
            return self._lunar(month, day)
        if day is None:
            partial_month = Partial(Grain.MONTH, month=month)
            return (partial_month, match.end()) if whole else self._edge_of(partial_month, match.end())
        value = number_of(day["number"])
        if value is None or not 1 <= value <= 31:
            return None
        return self._checked(Partial(Grain.DAY, month=month, day=int(value)), day.end())

    def _shared_day(self, match: re.Match[str], shared: re.Match[str]) -> Found:
        """6月14-16日, 六月十四、十五号: the first day goes without its 日."""
        if match["steps"]:
            return self._stepped_month(match, shared)
        month, value = number_of(match["number"] or ""), number_of(shared["number"])
        if month is None or value is None or not (1 <= month <= 12 and 1 <= value <= 31):
            return None
        return self._checked(Partial(Grain.DAY, month=int(month), day=int(value)), shared.end())

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
            return None
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
        if not isinstance(whole, Stretch):
            return time, j
        piece = third_of(whole, edge["edge"]) if edge["edge"] else third(whole, "上中下".index(edge["ten"]))
        return (time, j) if piece is None else (piece, edge.end())

    def _from_day(self, i: int) -> Found:
        """29日."""
        match = _DAY.match(self.text, i)
        value = number_of(match["number"]) if match and match["number"] else None
        if match is None or value is None or not 1 <= value <= 31:
            return None
        return Partial(Grain.DAY, day=int(value)), match.end()

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


def steps(word: str) -> int:
    """上 -1, 上上 -2, 下 1, 这 0."""
    return len(word) * (-1 if word[0] == "上" else 1 if word[0] == "下" else 0)
