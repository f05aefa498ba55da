"""Chinese dates that are counted from today or found inside another: 上周三, 三天前, 十月的第一个星期一."""

from __future__ import annotations

import re
from dataclasses import replace

from .calendar import floor_local, shift_local
from .chinese_calendar import CalendarNames, Found, steps
from .chinese_words import (
    COUNT,
    DAYS_AWAY,
    NUMBER,
    UNITS,
    WEEKDAYS,
    number_of,
)
from .grains import Grain
from .stretches import (
    DAY,
    Direction,
    Extent,
    Partial,
    Stretch,
    Time,
    agreeing,
    around,
    moved,
    offset_point,
    pick,
    resolve,
    rolling,
    whole_grains,
)

_NEAR = re.compile(
    r"(?P<away>大前|大后|前|昨|寻|琴|今|本|明|听|翌|后)(?:天|日|儿个?)(?!头条)|(?P<part>今|昨|明|当|听|寻)(?=[晚早夜晨]|朝早)"
)
_WEEKDAY = re.compile(
    r"(?P<steps>上{1,4}|下{1,4}|这|本|今)?(?P<one>一)?个?(?:周|星期|礼拜)(?:的)?(?P<day>[一二三四五六日天末])(?!期|前|后|年|个)"
)
_WEEK = re.compile(r"(?P<steps>上{1,4}|下{1,4}|这|本|今)一?个?(?:周|星期|礼拜)(?![一二三四五六日天末])")
_AGO = re.compile(rf"{COUNT}\s*(?:(?P<ago>之前|以前|前)|(?P<later>之后|以后|后))(?!天|年|半)")
_SOON = re.compile(rf"再过{COUNT}(?![之以]?[前后])")
_ROLLING = re.compile(
    rf"(?:(?P<back>过去的?|最近的?|近|之前|此前|前|上)|(?P<ahead>还剩下?|未来的?|接下来的?|今后的?|之后|后|下)){COUNT}(?![一二三四五六末])"
)
_NTH = re.compile(
    rf"(?:的)?(?:第(?P<n>{NUMBER})|(?P<last>最后一))个?(?P<unit>天|日|周|星期|礼拜|月|季度)(?P<day>[一二三四五六日天])?"
)
_SEVERAL = re.compile(
    rf"\s*(?:的)?(?:(?P<first>前|头)|最后)\s*(?P<n>{NUMBER})\s*个?(?P<unit>天|日|周|星期|礼拜|月|季度)"
)
_NOW = re.compile(r"现在|此刻|此时|目前|眼下|当前|而家")


class Dates(CalendarNames):
    """All dates without a time of day."""

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
            self._last_or_next,
            self._season_or_quarter,
            self._decade,
            self._feast,
            self._now,
        ):
            found = rule(i)
            if found is not None and (best is None or found[1] > best[1]):
                best = found
        return best if best is None else self._with_weekday(self._nth(best))

    def _with_weekday(self, found: Found) -> Found:
        """10月12号, 星期一."""
        if found is None or not isinstance(found[0], Partial) or found[0].month is None:
            return found
        match = re.compile(r"\s*[,，(（]?\s*(?:周|星期|礼拜)([一二三四五六日天])[)）]?").match(self.text, found[1])
        if match is None or found[0].grain is not Grain.DAY:
            return found
        return agreeing(found[0], WEEKDAYS[match.group(1)], self.setting), match.end()

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
            back = self.setting.direction is Direction.PAST and self.setting.base.weekday() < 5
            n = steps(match["steps"]) if match["steps"] else -int(back)
            saturday = moved(self.setting.today, Grain.WEEK, n).start + 5 * DAY
            return Stretch(saturday, saturday + 2 * DAY, Grain.DAY), match.end()
        weekday = WEEKDAYS[match["day"]]
        dated = self._from_month(self._comma(match.end()))
        if dated is not None and isinstance(dated[0], Partial) and dated[0].grain is Grain.DAY:
            return agreeing(dated[0], weekday, self.setting), dated[1]
        numbered = self._from_day(self._comma(match.end()))
        if numbered is not None and isinstance(numbered[0], Partial):
            both = replace(numbered[0], weekday=weekday)
            if pick(both, self.setting.base, self.setting.direction) is not None:
                return both, numbered[1]
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

    def _last_or_next(self, i: int) -> Found:
        """上个小时, 下个半年."""
        match = re.compile(r"(?P<way>[上下])一?个(?P<unit>小时|钟头|半年)").match(self.text, i)
        if match is None:
            return None
        n = -1 if match["way"] == "上" else 1
        if match["unit"] == "半年":
            return moved(around(self.setting.base, Grain.HALF), Grain.HALF, n), match.end()
        return rolling(self.setting, Grain.HOUR, n), match.end()

    def _counted(self, i: int) -> Found:
        """三天前, 两个月后, 半年前; 再过两天; 过去三年, 未来五天, 前两周."""
        match = _AGO.match(self.text, i)
        if match is not None:
            counted = self._count(match)
            if counted is None:
                return None
            grain, n = counted
            return offset_point(self.setting, grain, -n if match["ago"] else n), match.end()
        match = _SOON.match(self.text, i)
        counted = None if match is None else self._count(match)
        if match is not None and counted is not None:
            return offset_point(self.setting, *counted), match.end()
        match = _ROLLING.match(self.text, i)
        counted = None if match is None else self._count(match)
        if match is None or counted is None or counted[1] != int(counted[1]):
            return None
        n = int(counted[1]) * (-1 if match["back"] else 1)
        if (match["back"] or match["ahead"]) in ("前", "上", "后", "下") and abs(n) > 1:
            return whole_grains(self.setting, counted[0], n), match.end()
        return rolling(self.setting, counted[0], n), match.end()

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

    def _nth(self, outer: tuple[Time, int]) -> Found:
        """2021年的第二周, 十月的第一个星期一, 去年的最后一天."""
        match = _NTH.match(self.text, outer[1])
        several = _SEVERAL.match(self.text, outer[1]) if match is None else None
        if match is None and several is None:
            return outer
        whole = resolve(outer[0], self.setting)
        if not isinstance(whole, Stretch) or whole.grain not in (Grain.YEAR, Grain.MONTH, Grain.QUARTER):
            return outer
        if match is None:
            assert several is not None
            return self._several(whole, several) or outer
        n = -1 if match["last"] else int(number_of(match["n"]) or 0)
        found = self._inside(whole, n, UNITS[match["unit"]], match["day"])
        return outer if found is None else (found, match.end())

    def _several(self, whole: Stretch, match: re.Match[str]) -> Found:
        """去年的前10天, 2021年的最后4个月."""
        count, grain = number_of(match["n"]), UNITS[match["unit"]]
        n = 1 if match["first"] else -1
        edge = self._inside(whole, n, grain, None)
        if edge is None or count is None or not 1 <= count <= 400:
            return None
        other = moved(edge, grain, n * (int(count) - 1))
        return Extent(*((edge, other) if n > 0 else (other, edge))), match.end()

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

    def _now(self, i: int) -> Found:
        match = _NOW.match(self.text, i)
        return (
            None if match is None else (Stretch(self.setting.base, self.setting.base, Grain.INSTANT), match.end())
        )
