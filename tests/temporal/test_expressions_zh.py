from __future__ import annotations

import subprocess
import sys
import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitherto.temporal.expressions import Direction, Shape, find_times, read_time
from hitherto.temporal.instants import format_bound, format_interval

BASE = datetime(2026, 3, 3, 10, 30, tzinfo=UTC)
"""A Tuesday."""


def say(phrase: str, direction: Direction = Direction.PAST) -> str | None:
    reading = read_time(phrase, base=BASE, zone=UTC, language="zh", direction=direction)
    if reading is None:
        return None
    if reading.shape is Shape.POINT and reading.start is not None:
        return format_bound(reading.start)
    return format_interval(reading.start, reading.end)


@pytest.mark.parametrize(
    ("phrase", "meaning"),
    [
        ("2023年1月", "2023-01"),
        ("二零二三年一月", "2023-01"),
        ("2024年3月5号", "2024-03-05"),
        ("2024-03-05", "2024-03-05"),
        ("12-11-10", "2012-11-10"),
        ("去年三月", "2025-03"),
        ("去年三月五日", "2025-03-05"),
        ("上个月", "2026-02"),
        ("上个月五号", "2026-02-05"),
        ("上上周", "2026-W08"),
        ("上周三", "2026-02-25"),
        ("下周五", "2026-03-13"),
        ("大前天", "2026-02-28"),
        ("昨天", "2026-03-02"),
        ("三天前", "2026-02-28"),
        ("两个月前", "2026-01"),
        ("十年前", "2016"),
        ("半年前", "2025-09"),
        ("去年夏天", "2025-summer"),
        ("2018年上半年", "2018-H1"),
        ("2024年第三季度", "2024-Q3"),
        ("十九世纪七十年代", "1870s"),
        ("90年代", "1990s"),
        ("十月的第一个星期一", "2025-10-06"),
        ("2021年的第二周", "2021-W02"),
        ("五月初", "early 2025-05"),
        ("民国三年", "1914"),
    ],
)
def test_dates(phrase: str, meaning: str) -> None:
    assert say(phrase) == meaning


@pytest.mark.parametrize(
    ("phrase", "meaning"),
    [
        ("2026年春节", "2026-02-17"),
        ("去年中秋节", "2025-10-06"),
        ("2024年除夕", "2024-02-09"),
        ("清明节", "2025-04-04"),
        ("正月初一", "2026-02-17"),
        ("农历八月十五日", "2025-10-06"),
        ("国庆节", "2025-10-01"),
        ("2018年复活节", "2018-04-01"),
    ],
)
def test_feasts_and_the_lunar_calendar(phrase: str, meaning: str) -> None:
    assert say(phrase) == meaning


@pytest.mark.parametrize(
    ("phrase", "meaning"),
    [
        ("2023年6月到8月", "[2023-06, 2023-09)"),
        ("从2020年到2022年", "[2020, 2023)"),
        ("1995-1997年", "[1995, 1998)"),
        ("一月十日到十二日", "[2026-01-10, 2026-01-13)"),
        ("从2019年到现在", "[2019, 2026-03-03T10:30Z)"),
        ("过去三年", "[2023-03-03, 2026-03-03)"),
        ("前两个月", "[2026-01-01, 2026-03-01)"),
        ("前1周", "[2026-02-24, 2026-03-03)"),
        ("上个半年", "2025-H2"),
        ("上个小时", "[2026-03-03T09:30Z, 2026-03-03T10:30Z)"),
        ("还剩5分钟", "[2026-03-03T10:30Z, 2026-03-03T10:35Z)"),
        ("今天早上五到六点", "[2026-03-03T05:00Z, 2026-03-03T06:00Z)"),
        ("二零零四年八月十五", "2004-08-15"),
        ("去年的前10天", "[2025-01-01, 2025-01-11)"),
        ("从2019年开始", "[2019, )"),
        ("自2019年以来", "[2019, )"),
        ("2018年之后", "[2019, )"),
        ("2018年以前", "(, 2018)"),
        ("2015年前", "(, 2015)"),
        ("直到去年", "(, 2025)"),
    ],
)
def test_ranges_and_open_sides(phrase: str, meaning: str) -> None:
    assert say(phrase) == meaning


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("昨天下午三点半", "2026-03-02T15:30", "2026-03-02T15:31"),
        ("今晚八点", "2026-03-03T20:00", "2026-03-03T21:00"),
        ("凌晨三点", "2026-03-03T03:00", "2026-03-03T04:00"),
        ("昨晚", "2026-03-02T16:00", "2026-03-02T20:00"),
        ("上周一上午10点到12点", "2026-02-23T10:00", "2026-02-23T12:00"),
        ("三个半小时前", "2026-03-03T07:00", "2026-03-03T07:01"),
    ],
)
def test_times_of_day(phrase: str, start: str, end: str) -> None:
    reading = read_time(phrase, base=BASE, zone=UTC, language="zh")
    assert reading is not None and reading.start is not None
    stop = reading.start.end_of_grain if reading.end is None else reading.end.at
    assert [reading.start.at, stop] == [datetime.fromisoformat(each).replace(tzinfo=UTC) for each in (start, end)]


@pytest.mark.parametrize(
    ("phrase", "past", "future"),
    [
        ("三月", "2026-03", "2026-03"),
        ("六月", "2025-06", "2026-06"),
        ("周五", "2026-02-27", "2026-03-06"),
        ("周二", "2026-02-24", "2026-03-10"),
        ("圣诞节", "2025-12-25", "2026-12-25"),
        ("18号", "2026-02-18", "2026-03-18"),
    ],
)
def test_what_is_left_out_is_past_unless_plans_are_made(phrase: str, past: str, future: str) -> None:
    assert (say(phrase), say(phrase, Direction.FUTURE)) == (past, future)


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("上個禮拜", "上个礼拜"),
        ("兩個月後", "两个月后"),
        ("去年聖誕節", "去年圣诞节"),
        ("昨天晚上八點", "昨天晚上八点"),
        ("２０２３年", "2023年"),
    ],
)
def test_traditional_and_full_width_are_the_same(traditional: str, simplified: str) -> None:
    assert say(traditional) == say(simplified) is not None


@pytest.mark.parametrize(
    "phrase",
    [
        "2月30日",
        "2023年2月30号",
        "2023年2月29日",
        "13月",
        "三天",
        "每周五",
        "最近",
        "以后",
        "",
        "苹果",
        "农历十三月",
    ],
)
def test_what_is_not_known_is_not_guessed(phrase: str) -> None:
    assert say(phrase) is None


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("我2023年1月加入公司，上个月离开了", ["2023年1月", "上个月"]),
        ("从2020年到2022年她住在上海😀，去年三月搬到北京", ["从2020年到2022年", "去年三月"]),
        ("2020年以前住上海", ["2020年以前"]),
        ("下周五下午三点开会", ["下周五下午三点"]),
        ("早上好，今天早上我七点起床", ["今天早上", "七点"]),
        ("我是 Liang，住北京，做 AI 工程师，我喜欢冷咖啡", []),
        ("2023年2月30日见，2月30号也行", []),
        ("单号CN-A10293，电话 138-0013-8000", []),
        ("今日头条，五角大楼，第三年级，他三十一岁", []),
        ("每周五开会，每天早上跑步，每个月5号发工资", []),
    ],
)
def test_times_are_found_in_running_text(text: str, phrases: list[str]) -> None:
    times = find_times(text, base=BASE, zone=UTC, language="zh")
    assert [text[start:end] for start, end, _ in times] == phrases
    assert [reading.phrase for _, _, reading in times] == phrases


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        ("六月十四号我搬到了柏林", ["2025-06-14"]),
        ("我5月1日搬家，2024年3月2号入职", ["2025-05-01", "2024-03-02"]),
        ("从五月一号到六月三号我在外地", ["[2025-05-01, 2025-06-04)"]),
        ("6月14-16日开会", ["[2025-06-14, 2025-06-17)"]),
        ("上个月14到16号开会", ["[2026-02-14, 2026-02-17)"]),
        ("6月14、15日开会，5月1号和2号休息", ["[2025-06-14, 2025-06-16)", "[2025-05-01, 2025-05-03)"]),
        ("6月14日和20日开会", ["2025-06-14"]),
        ("6月14日（周六）", ["2025-06-14"]),
        ("周五13号我去", ["2026-03-13"]),
        ("今天3号", ["2026-03-03"]),
        ("2025.6.14 体检", ["2025-06-14"]),
        ("13号线，5号楼，3号房间，6号电池，2号选手，1号文件", []),
        ("5月一日游，一日游，3日内", []),
    ],
)
def test_days_of_months_are_found(text: str, meanings: list[str]) -> None:
    times = find_times(text, base=BASE, zone=UTC, language="zh")
    assert [say(text[start:end]) for start, end, _ in times] == meanings


PIECES = st.sampled_from(
    list("上下前后个月年日号周三五十两2013晚点半到从以来起的春节农历初一第季度世纪每去今明天，-/:")
)


@given(st.lists(PIECES, max_size=12).map("".join) | st.text(), st.datetimes(timezones=st.just(UTC)))
def test_any_text_gives_ordered_bounds_and_true_offsets(text: str, base: datetime) -> None:
    last = 0
    for start, end, reading in find_times(text, base=base, zone=UTC, language="zh"):
        assert last <= start < end <= len(text)
        assert reading.phrase == text[start:end]
        if reading.start is not None and reading.end is not None:
            assert reading.start.at < reading.end.at
        last = end


def test_the_machine_s_zone_plays_no_part(monkeypatch: pytest.MonkeyPatch) -> None:
    phrases = ["昨天", "三小时前", "今晚八点", "春节", "上个月"]
    here = [say(phrase) for phrase in phrases]
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Pacific/Kiritimati")
        time.tzset()
        there = [say(phrase) for phrase in phrases]
    time.tzset()
    assert there == here


def test_importing_loads_no_library_that_reads_the_clock() -> None:
    code = "import sys, hitherto.temporal.expressions; sys.exit('jionlp_time' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("piece", ["上", "一", "2019", "第", "上个月", "到1", "2019年到", "农历", "每", "今"])
def test_repetition_neither_crashes_nor_stalls(piece: str) -> None:
    begun = time.perf_counter()
    find_times(piece * 400 + "2024", base=BASE, zone=UTC, language="zh")
    assert time.perf_counter() - begun < 10
