"""Chinese time expressions, simplified and traditional: a phrase or running text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from .chinese_calendar import Found
from .chinese_dates import Dates
from .chinese_words import DAY_PARTS, MAY_HOLD_TIME, NUMBER, PART, number_of, simplified
from .grains import Grain
from .stretches import (
    OUT_OF_RANGE,
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
    before,
    resolve,
    spanning,
)

_CLOCK = re.compile(
    rf"(?:{PART}\s*的?)?\s*(?:"
    rf"(?P<h>{NUMBER})\s*(?:点钟?|时(?!候|间))\s*(?:(?P<quarter>[一三])刻|(?P<half>半)|零?(?P<m>{NUMBER})分?|(?P<sharp>整))?"
    rf"(?:(?<=分)\s*(?P<s>{NUMBER})秒)?"
    r"|(?P<h2>\d{1,2}):(?P<m2>\d{2})(?::(?P<s2>\d{2}))?(?!\d)\s*(?P<ap>[ap]\.?m\.?)?|(?P<h3>\d{1,2})\s*(?P<ap3>[ap]\.?m\.?))",
    re.IGNORECASE,
)
_PART = re.compile(PART)
_SHARED_CLOCK = re.compile(
    rf"{PART}\s*的?(?P<from>{NUMBER})\s*(?:到|至|~|-|—+|–)\s*(?P<to>{NUMBER})\s*点钟?(?P<ap>)(?P<ap3>)"
)
_JOIN = re.compile(r"\s*(?:到|至|~|-|—+|–|直到)\s*")
_SINCE = re.compile(
    r"\s*(?:以来|起(?![床来立码身飞草诉因])|开始|至今|到现在|到今天|或之后|或以后|及以后|及之后|或更晚)"
)
_AFTER = re.compile(r"\s*(?:之后|以后|后)")
_BEFORE = re.compile(r"\s*(?:之前|以前|前(?!后|[一二三四五六七八九十两\d]))")
_UNTIL = re.compile(r"\s*(?:为止|或之前|或以前|及以前|及之前|或更早)")
_LEAD = re.compile(r"(?:大约|大概|约|在|于|是|等|到了?|的)\s*")
_TRAIL = re.compile(r"(?:的?时候|期间|左右|里|间|内|的|，|。|！|!|\.|,|\s)+$")
_NUMBERED_DAY = re.compile(rf"{NUMBER}\s*[日号]")
_BARE_DAY = re.compile(rf"在?{NUMBER}\s*[日号]")
_NO_DAY = re.compile(
    r"(?<=号)(?:房|门|桌|位|文件|机|电池|选手|球|车|店|馆|厅|床|站|码|仓|井|舱|坑|台|病|座|街|宿|公寓|教|别墅|令)"
    r"|(?<=日)(?:报(?![名到告])|元|圆|均|薪|三餐|内|志|程)"
)
"""What makes a number before it the number of a thing (6号房) or a count of days (一日游)."""
_DAY_BEFORE = re.compile(
    r"(?:[天日号]|[周期拜][一二三四五六日天])\s*[和与及、，,（(]?\s*$|月\s*\d{1,2}\s*[、和]\s*$"
)
"""今天14号, 6月14日和20日: the day before it says more of which one it is."""
_EVERY = re.compile(r"每(?:个|一|隔)?(?:年|月|周|天|日|星期|礼拜)?的?$")
_SOMEWHAT = re.compile("(?:[差快慢有多大小好少高低近远长短]|(?<![今昨明前后])[早晚])一点$")
"""差一点, 早一点: a little, and not one o'clock."""
_AT_ALL = re.compile("(?<![早晚上午])一点[也都儿不没]")
"""一点也不: not at all."""
_GREETING = re.compile(r"(?:早上|早晨|上午|中午|下午|晚上|早|晚)(?:好|安)")


def read(text: str, setting: Setting) -> Stretch | Extent | None:
    """The time that the whole phrase means."""
    plain = simplified(text.strip())
    if len(plain) > 100 or not MAY_HOLD_TIME.search(plain):
        return None
    grammar = Grammar(plain, setting)
    starts = [0] + ([lead.end()] if (lead := _LEAD.match(plain)) else [])
    for start in starts:
        found = grammar.at(start)
        if found is not None and (found[1] == len(plain) or _TRAIL.fullmatch(plain, found[1])):
            return found[0]
    return None


def find(text: str, setting: Setting) -> Iterator[tuple[int, int, Stretch | Extent]]:
    """The times in running text, with their offsets."""
    if not MAY_HOLD_TIME.search(text):
        return
    plain = simplified(text)
    grammar = Grammar(plain, setting)
    place = 0
    while place < len(plain):
        found = grammar.at(place) if grammar.may_start(place) else None
        if found is None or not grammar.is_clear(place, found[1]):
            place += 1
            continue
        yield place, found[1], found[0]
        place = found[1]


class Grammar(Dates):
    def may_start(self, i: int) -> bool:
        """Not inside a number or a Latin word, nor at the day of a date (2月30日) that is none."""
        here, prior = self.text[i], self.text[i - 1] if i else ""
        if prior == "月" and _NUMBERED_DAY.match(self.text, i):
            return False
        if here.isspace() or (here.isascii() and not here.isdigit()):
            return False
        inside_number = bool(prior) and prior.isascii() and (prior.isalnum() or prior in ".-/_")
        return not (here.isdigit() and inside_number) and not (
            re.match(NUMBER, here) is not None and prior != "" and prior in "零〇一二三四五六七八九十百千万第"
        )

    def is_clear(self, i: int, j: int) -> bool:
        """Whether the text from ``i`` to ``j`` can hardly be anything but a time."""
        piece = self.text[i:j]
        if _EVERY.search(self.text, max(i - 6, 0), i) or _GREETING.match(self.text, i):
            return False
        if self.text.startswith("日游", j - 1):
            return False
        if _BARE_DAY.fullmatch(piece) and (_NO_DAY.match(self.text, j) or _DAY_BEFORE.search(self.text, 0, i)):
            return False
        if _SOMEWHAT.search(self.text[:j]) or _AT_ALL.match(self.text, j - 2):
            return False
        if piece in ("现在", "目前", "此刻", "十一", "五一", "六一", "早", "晚", "中午", "半夜") or j - i < 2:
            return False
        return not re.fullmatch(r"\d{1,4}|\d{1,2}[-/.]\d{1,2}|\d{4}\s*-\s*\d{4}|\d*\.?\d*", piece)

    def at(self, i: int) -> tuple[Stretch | Extent, int] | None:
        """The longest time at ``i`` that lies in the years 1 to 9999."""
        try:
            return self.expression(i)
        except OUT_OF_RANGE:
            return None

    def expression(self, i: int) -> tuple[Stretch | Extent, int] | None:
        opened = re.compile(r"(?:自从|从|自|打|由|在)\s*").match(self.text, i)
        start = opened.end() if opened else i
        ranged = self._range(start)
        if ranged is not None:
            return ranged
        until = re.compile(r"(?:直到|截至|截止到?|到|不晚于)\s*").match(self.text, i)
        if until is not None:
            return self._until(until.end())
        point = self.point(start)
        whole = None if point is None else resolve(point[0], self.setting)
        if point is None or whole is None:
            return None
        return self._with_side(
            whole, point[1], since=opened is not None and opened.group().strip() in ("自从", "自")
        )

    def _with_side(self, whole: Stretch | Extent, i: int, *, since: bool) -> tuple[Stretch | Extent, int] | None:
        """Since, after, before, until: what follows a time."""
        if not isinstance(whole, Stretch):
            return whole, i
        if side := _SINCE.match(self.text, i):
            return Extent(whole, None), side.end()
        if side := _UNTIL.match(self.text, i):
            return Extent(None, whole), side.end()
        if since:
            return Extent(whole, None), i
        if whole.grain is Grain.INSTANT:
            return whole, i
        if side := _AFTER.match(self.text, i):
            return after(whole), side.end()
        if side := _BEFORE.match(self.text, i):
            return _up_to(whole), side.end()
        return whole, i

    def _until(self, i: int) -> tuple[Stretch | Extent, int] | None:
        point = self.point(i)
        whole = None if point is None else resolve(point[0], self.setting)
        if point is None or not isinstance(whole, Stretch):
            return None
        end = re.compile(r"\s*(?:为止|之前|以前|前)?").match(self.text, point[1])
        return _up_to(whole), end.end() if end else point[1]

    def _range(self, i: int) -> tuple[Extent, int] | None:
        """2023年6月到8月, 一月十日到十二日, 1995-1997年, 10月和5月间, 周一上午10点到12点."""
        first = self.point(i) or self._bare(i)
        if first is None:
            return None
        joined = _JOIN.match(self.text, first[1])
        pair = re.compile(r"\s*[和与、]\s*").match(self.text, first[1]) if joined is None else None
        link = joined or pair
        if link is None:
            return None
        options = [found for found in (self._borrowed(first[0], link.end()), self.point(link.end())) if found]
        last = max(options, key=lambda found: found[1], default=None)
        if last is None:
            return None
        closed = re.compile(r"\s*(?:之?间|期间)").match(self.text, last[1])
        extent = spanning(first[0], last[0], self.setting)
        if pair is not None and closed is None and not _are_neighbours(extent):
            return None
        return None if extent is None else (extent, closed.end() if closed else last[1])

    def _bare(self, i: int) -> Found:
        """A number whose unit comes after the other end: 1995-1997年, 5-10月, 3到5号."""
        match = re.compile(rf"({NUMBER})\s*(?:到|至|~|-|—+|–)\s*(?:{NUMBER})\s*([年月日号])").match(self.text, i)
        if match is None:
            return None
        end = match.end(1)
        unit = match.group(2)
        return self.named(match.group(1), unit, end)

    def _borrowed(self, first: Time, i: int) -> Found:
        """The end of a range takes year and month from its beginning: 2023年6月到8月, 1月10日到12日."""
        match = re.compile(rf"({NUMBER})\s*([月日号])").match(self.text, i)
        if match is None:
            return None
        number = number_of(match.group(1))
        if number is None:
            return None
        if match.group(2) == "月" and isinstance(first, Stretch) and first.grain is Grain.MONTH:
            month = self.in_year_of(first, int(number))
            return None if month is None or month.start < first.start else (month, match.end())
        if match.group(2) != "月":
            if isinstance(first, Stretch) and first.grain is Grain.DAY:
                try:
                    day = first.start.replace(day=int(number))
                except ValueError:
                    return None
                return replace(first, start=day, end=day + timedelta(days=1)), match.end()
            if isinstance(first, Partial) and first.month is not None:
                return replace(first, day=int(number)), match.end()
        return None

    def point(self, i: int) -> Found:
        """A date, a time of day, or both."""
        clock = self.clock(i)
        dated = self.date(i)
        if dated is None or (clock is not None and clock[1] > dated[1]):
            return None if clock is None else (Timed(clock[0]), clock[1])
        day, end = dated
        if isinstance(day, Stretch | Partial) and day.grain is Grain.DAY:
            gap = re.compile(r"\s*[的,，]?\s*").match(self.text, end)
            timed = self.clock(gap.end() if gap else end)
            if timed is not None:
                return Timed(timed[0], day), timed[1]
        return dated

    def clock(self, i: int) -> tuple[Clock | DayPart | ClockRange, int] | None:
        """下午三点一刻, 15:30, 晚上; 上午10点到12点, 早上五到六点."""
        shared = _SHARED_CLOCK.match(self.text, i)
        if shared is not None:
            hours = [number_of(shared["from"]), number_of(shared["to"])]
            if all(h is not None and h <= 24 for h in hours):
                start, end = (_placed(shared, Clock(int(h or 0), 0, 0, Grain.HOUR)) for h in hours)
                return ClockRange(start, end), shared.end()
        first = self._one_clock(i)
        if first is None or not isinstance(first[0], Clock):
            return first
        joined = _JOIN.match(self.text, first[1])
        last = None if joined is None else self._one_clock(joined.end())
        if last is None or not isinstance(last[0], Clock):
            return first
        end = last[0]
        if not end.sure and first[0].hour >= 12 > end.hour and end.hour + 12 > first[0].hour:
            end = replace(end, hour=end.hour + 12)
        return ClockRange(first[0], end), last[1]

    def _one_clock(self, i: int) -> tuple[Clock | DayPart, int] | None:
        match = _CLOCK.match(self.text, i)
        if match is None:
            part = _PART.match(self.text, i)
            if part is None:
                return None
            hours = DAY_PARTS[part["part"]]
            if hours[0] == hours[1]:
                return Clock(int(hours[0])), part.end()
            return DayPart(*hours), part.end()
        hour = number_of(match["h"] or match["h2"] or match["h3"])
        minute, grain = _minutes(match)
        second = number_of(match["s"] or match["s2"] or "零")
        if hour is None or minute is None or second is None or hour > 24 or minute > 59 or second > 59:
            return None
        if match["s"] or match["s2"]:
            grain = Grain.SECOND
        return _placed(match, Clock(int(hour), int(minute), int(second), grain)), match.end()


def _up_to(whole: Stretch) -> Extent:
    """到六月底, 年底前 hold to the end's end; 到六月 holds to its beginning."""
    return Extent(None, whole) if whole.edge else before(whole)


def _are_neighbours(extent: Extent | None) -> bool:
    """6月14日和15日 are two days on end; 6月14日和20日 are not."""
    if extent is None or extent.first is None or extent.last is None:
        return False
    return extent.first.grain is Grain.DAY and extent.first.end == extent.last.start


def _minutes(match: re.Match[str]) -> tuple[float | None, Grain]:
    if match["quarter"]:
        return (15 if match["quarter"] == "一" else 45), Grain.MINUTE
    if match["half"]:
        return 30, Grain.MINUTE
    text = match["m"] or match["m2"]
    return (number_of(text), Grain.MINUTE) if text else (0, Grain.HOUR)


def _placed(match: re.Match[str], clock: Clock) -> Clock:
    """In the half of the day that its word or am/pm names."""
    half = match["ap"] or match["ap3"]
    if half:
        late = half[0] in "pP"
        return replace(clock, hour=clock.hour % 12 + 12 * late) if clock.hour <= 12 else clock
    if not match["part"]:
        return replace(clock, sure=clock.hour > 12 or clock.hour == 0)
    start = DAY_PARTS[match["part"]][0]
    late = start >= 11 and clock.hour < 12 and not (start >= 16 and clock.hour < 5)
    if match["part"] == "中午":
        late = clock.hour < 10
    if match["part"] in ("凌晨", "半夜", "午夜") and clock.hour == 12:
        return replace(clock, hour=0)
    if start >= 16 and clock.hour == 12:
        return replace(clock, hour=24)
    return replace(clock, hour=clock.hour + 12 * late)
