from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hitherto.temporal.errors import Invalid
from hitherto.temporal.expressions import Direction, Shape, find_times, read_time
from hitherto.temporal.grains import Grain
from hitherto.temporal.instants import format_bound, format_interval

BASE = datetime(2026, 3, 3, 10, 30, tzinfo=UTC)
"""A Tuesday."""


def say(phrase: str, direction: Direction = Direction.PAST, base: datetime = BASE) -> str | None:
    """The reading as people write it: a point by its grain, the other shapes as intervals."""
    reading = read_time(phrase, base=base, zone=UTC, language="en", direction=direction)
    if reading is None:
        return None
    if reading.shape is Shape.POINT and reading.start is not None:
        return format_bound(reading.start)
    return format_interval(reading.start, reading.end)


@pytest.mark.parametrize(
    ("phrase", "meaning"),
    [
        ("in January 2023", "2023-01"),
        ("January 2023", "2023-01"),
        ("March 7, 2024", "2024-03-07"),
        ("the 7th of March, 2024", "2024-03-07"),
        ("2024-03-07", "2024-03-07"),
        ("03/04/2024", "2024-03-04"),
        ("13/04/2024", "2024-04-13"),
        ("23.04.2022", "2022-04-23"),
        ("05-Aug-2016", "2016-08-05"),
        ("2021", "2021"),
        ("the summer of 2022", "2022-summer"),
        ("Q2 2024", "2024-Q2"),
        ("first half of 2018", "2018-H1"),
        ("the 1990s", "1990s"),
        ("the nineties", "1990s"),
        ("21st century", "21st century"),
        ("week 31 of 2018", "2018-W31"),
        ("Easter 2018", "2018-04-01"),
        ("Thanksgiving 2024", "2024-11-28"),
        ("nineteen ninety six", "1996"),
        ("20240307", "2024-03-07"),
    ],
)
def test_whole_dates(phrase: str, meaning: str) -> None:
    assert say(phrase) == meaning


@pytest.mark.parametrize(
    ("phrase", "meaning"),
    [
        ("yesterday", "2026-03-02"),
        ("the day before yesterday", "2026-03-01"),
        ("tomorrow", "2026-03-04"),
        ("last Tuesday", "2026-02-24"),
        ("this Friday", "2026-03-06"),
        ("next Friday", "2026-03-13"),
        ("Monday of last week", "2026-02-23"),
        ("next week on Tuesday", "2026-03-10"),
        ("last week", "2026-W09"),
        ("the week before last", "2026-W08"),
        ("last month", "2026-02"),
        ("last year", "2025"),
        ("this quarter", "2026-Q1"),
        ("last summer", "2025-summer"),
        ("last March", "2025-03"),
        ("next Christmas", "2026-12-25"),
        ("two weeks ago", "2026-02-17"),
        ("three days ago", "2026-02-28"),
        ("a couple of days ago", "2026-03-01"),
        ("2 weeks and 2 days ago", "2026-02-15"),
        ("two months ago", "2026-01"),
        ("four years ago", "2022"),
        ("an hour ago", "2026-03-03T09:30Z"),
        ("in three days", "2026-03-06"),
        ("two days before Christmas", "2025-12-23"),
        ("3 weeks from tomorrow", "2026-03-25"),
        ("the first Monday of October 2025", "2025-10-06"),
        ("the last day of July 2025", "2025-07-31"),
        ("mid-2021", "mid 2021"),
        ("early March 2024", "early 2024-03"),
    ],
)
def test_counted_from_the_base(phrase: str, meaning: str) -> None:
    assert say(phrase) == meaning


@pytest.mark.parametrize(
    ("phrase", "past", "future"),
    [
        ("in March", "2026-03", "2026-03"),
        ("in June", "2025-06", "2026-06"),
        ("July 4th", "2025-07-04", "2026-07-04"),
        ("Friday", "2026-02-27", "2026-03-06"),
        ("Tuesday", "2026-02-24", "2026-03-10"),
        ("the 18th", "2026-02-18", "2026-03-18"),
        ("the 31st", "2026-01-31", "2026-03-31"),
        ("Christmas", "2025-12-25", "2026-12-25"),
        ("summer", "2025-summer", "2026-summer"),
        ("February 29", "2024-02-29", "2028-02-29"),
    ],
)
def test_what_is_left_out_is_past_unless_plans_are_made(phrase: str, past: str, future: str) -> None:
    assert (say(phrase), say(phrase, Direction.FUTURE)) == (past, future)


@pytest.mark.parametrize(
    ("phrase", "meaning"),
    [
        ("from June to August 2023", "[2023-06, 2023-09)"),
        ("between 2015 and 2018", "[2015, 2019)"),
        ("2019-2021", "[2019, 2022)"),
        ("November 18-19, 2024", "[2024-11-18, 2024-11-20)"),
        ("Nov-Feb 2017", "[2016-11, 2017-03)"),
        ("from March 2020 to now", "[2020-03, 2026-03-03T10:30Z)"),
        ("the last three days", "[2026-02-28, 2026-03-03)"),
        ("the past five years", "[2021-03-03, 2026-03-03)"),
        ("the first two weeks of July 2025", "[2025-W27, 2025-W29)"),
        ("2 weeks starting May 20th", "[2025-05-20, 2025-06-03)"),
        ("since 2019", "[2019, )"),
        ("since last summer", "[2025-summer, )"),
        ("after March 2024", "[2024-04, )"),
        ("2012 or later", "[2012, )"),
        ("until 2019", "(, 2019)"),
        ("before March 2024", "(, 2024-03)"),
        ("through March 2024", "(, 2024-04)"),
        ("by the end of January 2024", "(, 2024-02)"),
    ],
)
def test_ranges_and_open_sides(phrase: str, meaning: str) -> None:
    assert say(phrase) == meaning


@pytest.mark.parametrize(
    ("phrase", "start", "end"),
    [
        ("tomorrow at 9am", "2026-03-04T09:00", "2026-03-04T10:00"),
        ("5:45 pm", "2026-03-03T17:45", "2026-03-03T17:46"),
        ("half past seven in the evening", "2026-03-03T19:30", "2026-03-03T19:31"),
        ("last night", "2026-03-02T20:00", "2026-03-03T00:00"),
        ("yesterday from 3-8pm", "2026-03-02T15:00", "2026-03-02T20:00"),
        ("between 4pm and 5pm", "2026-03-03T16:00", "2026-03-03T17:00"),
        ("Monday from 10pm to 2am", "2026-03-02T22:00", "2026-03-03T02:00"),
        ("from 10 am for 3 hours", "2026-03-03T10:00", "2026-03-03T13:00"),
    ],
)
def test_times_of_day(phrase: str, start: str, end: str) -> None:
    reading = read_time(phrase, base=BASE, zone=UTC, language="en")
    assert reading is not None
    assert reading.start is not None
    found = [reading.start.at, reading.start.end_of_grain if reading.end is None else reading.end.at]
    assert found == [datetime.fromisoformat(each).replace(tzinfo=UTC) for each in (start, end)]


@pytest.mark.parametrize(
    "phrase",
    [
        "30 February",
        "February 30, 2024",
        "February 29, 2023",
        "2019-02-30",
        "31/04/2024",
        "from 30 February to March 2024",
        "",
        "banana",
        "3 days",
        "for two weeks",
        "every Friday",
        "Fridays",
        "daily",
        "a few days ago",
        "soon",
        "recently",
        "the day it rained",
        "x" * 5000,
    ],
)
def test_what_is_not_known_is_not_guessed(phrase: str) -> None:
    assert say(phrase) is None


def test_a_point_keeps_its_grain_and_its_phrase() -> None:
    reading = read_time(" in March 2024. ", base=BASE, zone=UTC, language="en")
    assert reading is not None and reading.start is not None
    assert (reading.phrase, reading.shape, reading.end) == ("in March 2024.", Shape.POINT, None)
    assert reading.start.grain is Grain.MONTH
    assert reading.start.grain_end == datetime(2024, 4, 1, tzinfo=UTC)


def test_day_first_is_an_option() -> None:
    reading = read_time("03/04/2024", base=BASE, zone=UTC, language="en", month_first=False)
    assert reading is not None and reading.start is not None
    assert format_bound(reading.start) == "2024-04-03"


def test_days_are_days_of_the_zone() -> None:
    shanghai = ZoneInfo("Asia/Shanghai")
    late = datetime(2026, 3, 2, 20, tzinfo=UTC)  # already 3 March in Shanghai
    reading = read_time("yesterday", base=late, zone=shanghai, language="en")
    assert reading is not None and reading.start is not None
    assert reading.start.at == datetime(2026, 3, 2, tzinfo=shanghai)


def test_hours_ago_are_hours_over_a_change_of_clocks() -> None:
    zone = ZoneInfo("America/New_York")
    reading = read_time("3 hours ago", base=datetime(2024, 3, 10, 4, tzinfo=zone), zone=zone, language="en")
    assert reading is not None and reading.start is not None
    assert reading.start.at == datetime(2024, 3, 10, 0, tzinfo=zone)


def test_a_base_without_a_zone_is_refused() -> None:
    with pytest.raises(Invalid, match="no time zone"):
        read_time("yesterday", base=datetime(2024, 1, 1), zone=UTC, language="en")


def found(
    text: str,
) -> list[
    tuple[
        str,
        str | None,
    ]
]:
    times = find_times(text, base=BASE, zone=UTC, language="en")
    assert [reading.phrase for _, _, reading in times] == [text[start:end] for start, end, _ in times]
    return [(text[start:end], say(text[start:end])) for start, end, _ in times]


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("Alice joined TechCorp in January 2023.", [("January 2023", "2023-01")]),
        (
            "😀 We met on Monday; from June to August 2023 she lived in Rome, then left two weeks ago.",
            [
                ("Monday", "2026-03-02"),
                ("from June to August 2023", "[2023-06, 2023-09)"),
                ("two weeks ago", "2026-02-17"),
            ],
        ),
        ("There since 2019, until last May.", [("since 2019", "[2019, )"), ("until last May", "(, 2025-05)")]),
        ("I turned 40 last week.", [("last week", "2026-W09")]),
        ("We moved to apartment 12 last month.", [("last month", "2026-02")]),
        ("There in '19, and in the summer of ’24.", [("'19", "2019"), ("the summer of ’24", "2024-summer")]),
        ("I may march to the May fair in May.", [("May", "2025-05")]),
        ("She met me on the 18th.", [("the 18th", "2026-02-18")]),
    ],
)
def test_times_are_found_in_running_text(text: str, times: list[tuple[str, str]]) -> None:
    assert found(text) == times


@pytest.mark.parametrize(
    "text",
    [
        "The 2019 or 2020 model, he said '19'.",
        "Room 2019 is free and 1/2 of it is mine.",
        "Version 2.3.4 with 2000 users",
        "Call 555-1234-2019 or 192.168.1.10",
        "I sat there for a second. The sun was up.",
        "She was the first on the 3rd floor",
        "Every Friday, each day at 5pm",
        "April said she may spring up",
        "Good morning! Good night!",
        "At the end of the day it is fine",
        "2,000 people came from 1500 to 2500",
        "She is now here",
        "30 February was not a day, nor February 30, 2024 or the 30th of February 2024",
        "open 24/7",
        "a Christmas tree",
    ],
)
def test_what_may_be_no_time_is_left_alone(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("I moved to Berlin on June 14th.", [("June 14th", "2025-06-14")]),
        ("on February 5th I left", [("February 5th", "2026-02-05")]),
        ("We met May 1st", [("May 1st", "2025-05-01")]),
        ("june 14 was fine, march 1st was not", [("june 14", "2025-06-14"), ("march 1st", "2026-03-01")]),
        (
            "Started Aug. 3rd; ended on the 4th of Sept.",
            [("Aug. 3rd", "2025-08-03"), ("the 4th of Sept.", "2025-09-04")],
        ),
        ("We met 14th June.", [("14th June", "2025-06-14")]),
        ("on April first I left", [("April first", "2025-04-01")]),
        ("June 14th 2023, and May 2nd, 2024", [("June 14th 2023", "2023-06-14"), ("May 2nd, 2024", "2024-05-02")]),
        ("I leave on Saturday, March 7th.", [("Saturday, March 7th", "2026-03-07")]),
        ("See you Friday the 13th", [("Friday the 13th", "2026-03-13")]),
        ("June 14th to 16th", [("June 14th to 16th", "[2025-06-14, 2025-06-17)")]),
        ("from May 1st until June 3rd I was ill", [("from May 1st until June 3rd", "[2025-05-01, 2025-06-04)")]),
        ("on June 14th and 15th", [("June 14th and 15th", "[2025-06-14, 2025-06-16)")]),
        ("14th and 15th June", [("14th and 15th June", "[2025-06-14, 2025-06-16)")]),
        ("June 14th and 20th", [("June 14th", "2025-06-14")]),
        ("since June 14th", [("since June 14th", "[2025-06-14, )")]),
        ("over the July 4th weekend", [("July 4th", "2025-07-04")]),
        ("She turned 14 June 5th", [("June 5th", "2025-06-05")]),
    ],
)
def test_days_of_months_are_found_with_ordinals_and_with_numbers(text: str, times: list[tuple[str, str]]) -> None:
    assert found(text) == times


@pytest.mark.parametrize(
    "text",
    [
        "May said 5 things and April had 3 apples.",
        "I may 1st go home",
        "May first said no; April second it.",
        "June's 3rd child",
        "April, 3rd in line, left.",
        "In room 12 May slept, and on page 3 March ended. No. 3 March Street",
        "May 3 people come? April 3 times went there.",
        "I sat 3rd in the mar 5 rover",
        "1st and 2nd place; between the 1st and 2nd floor",
        "She works from 9 to 5, between 14 and 15 hours",
    ],
)
def test_names_and_numbers_are_not_days_of_months(text: str) -> None:
    assert found(text) == []


VOCABULARY = """last next this the of in on from to until since March 2024 Friday week day 5 pm at 3 7th 2/29
30 Feb - , ago two months before after end mid 9999 1 now first 10:30 quarter year night for every"""
WORDS = st.sampled_from(VOCABULARY.split())
EDGES = [datetime(1, 1, 1, tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]
BASES = st.datetimes(timezones=st.just(UTC)) | st.sampled_from(EDGES)


@given(st.lists(WORDS, max_size=9).map(" ".join) | st.text(), BASES, st.sampled_from(Direction))
@example("last min", BASE, Direction.PAST)
def test_any_text_gives_ordered_bounds_and_true_offsets(text: str, base: datetime, direction: Direction) -> None:
    last = 0
    for start, end, reading in find_times(text, base=base, zone=UTC, language="en", direction=direction):
        assert last <= start < end <= len(text)
        assert reading.phrase == text[start:end]
        assert (reading.start is None) == (reading.shape is Shape.UNTIL)
        assert (reading.end is None) == (reading.shape in (Shape.SINCE, Shape.POINT))
        if reading.start is not None:
            assert reading.start.at <= reading.start.end_of_grain
        if reading.start is not None and reading.end is not None:
            assert reading.start.at < reading.end.at
        last = end


@pytest.mark.parametrize("machine", ["Pacific/Kiritimati", "America/Los_Angeles"])
def test_the_machine_s_zone_plays_no_part(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    phrases = ["yesterday", "last night", "5pm", "an hour ago", "2024-03-01T10:00", "in June"]
    here = [read_time(phrase, base=BASE, zone=UTC, language="en") for phrase in phrases]
    with monkeypatch.context() as patch:
        patch.setenv("TZ", machine)
        time.tzset()
        there = [read_time(phrase, base=BASE, zone=UTC, language="en") for phrase in phrases]
    time.tzset()
    assert there == here


def test_temporal_reads_no_clock() -> None:
    folder = Path(__file__).parents[2] / "temporal"
    for path in folder.glob("*.py"):
        source = path.read_text(encoding="utf-8")
        for call in ("datetime.now(", "utcnow(", "date.today(", "datetime.today(", "time.time(", "localtime("):
            assert call not in source, f"{path.name} calls {call}"


@pytest.mark.parametrize(
    "piece",
    [
        "last week of ",
        "2 days and ",
        "two days before ",
        "last march ",
        "one hundred ",
        "the first of the ",
        "1-",
        "from 5 to ",
        "end of the ",
        "a ",
        "Friday the 13th ",
    ],
)
def test_repetition_neither_crashes_nor_stalls(piece: str) -> None:
    begun = time.perf_counter()
    find_times(piece * 400 + "2024", base=BASE, zone=UTC, language="en")
    assert time.perf_counter() - begun < 10
