from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from hitherto.kg.model import Entity
from hitherto.query.questions import (
    MAX_CHARACTERS,
    candidate_names,
    check_question,
    choose_names,
    content_words,
    first_persons,
    language_of,
    read_when,
    third_persons,
)
from hitherto.query.results import TimeSource
from hitherto.temporal.errors import Invalid

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)


def names(question: str, *known: str) -> list[str]:
    found = {name: [Entity(name, name)] for name in known}
    return [c.key for c, _ in choose_names(candidate_names(question), found)]


@pytest.mark.parametrize(
    ("question", "known", "expected"),
    [
        ("Where does Alice work?", ["alice"], ["alice"]),
        ("Where does Alice Smith work?", ["alice", "smith", "alice smith"], ["alice smith"]),
        ("Where is Alice's boss?", ["alice"], ["alice"]),
        ("Where is James' boss?", ["james"], ["james"]),
        ("Alice 现在在哪工作？", ["alice"], ["alice"]),
        ("王小明住在哪？", ["王小明", "小明"], ["王小明"]),
        ("小明和小红认识吗", ["小明", "小红"], ["小明", "小红"]),
        ("在字节跳动上班的Bob是谁", ["字节跳动", "bob"], ["字节跳动", "bob"]),
        ("Does ACME Inc. know Bob?", ["acme inc", "bob"], ["acme inc", "bob"]),
        ("Who is in  New   York?", ["new york"], ["new york"]),
        ("What is with ticket CN-10293?", ["cn-10293"], ["cn-10293"]),
        ("What did I tell Will about it?", ["will", "it", "i", "what"], ["will"]),
        ("Will it rain?", ["will", "it"], []),
        ("ＡＬＩＣＥ works where?", ["alice"], ["alice"]),
    ],
)
def test_the_longest_known_names_are_found(question: str, known: list[str], expected: list[str]) -> None:
    assert names(question, *known) == expected


def test_a_date_is_no_name() -> None:
    question = "Where did Bob work in April 2024?"
    start = question.index("April 2024")
    found = candidate_names(question, skip=(start, start + len("April 2024")))
    assert "april" not in {c.key for c in found}
    assert "bob" in {c.key for c in found}


@pytest.mark.parametrize(
    ("question", "valid"),
    [
        ("Where did Alice work in April 2024?", datetime(2024, 4, 30, 23, 59, 59, 999999, UTC)),
        ("Where did Alice work on 5 March 2024?", datetime(2024, 3, 5, 23, 59, 59, 999999, UTC)),
        ("Alice 2024年4月在哪工作？", datetime(2024, 4, 30, 23, 59, 59, 999999, UTC)),
        ("Alice 去年在哪工作？", datetime(2025, 12, 31, 23, 59, 59, 999999, UTC)),
        ("Where did Alice work in 2026?", NOW),
        ("Where did she live before 2020?", datetime(2019, 12, 31, 23, 59, 59, 999999, UTC)),
        ("Where has she worked since 2019?", NOW),
        ("Where did she live between 2019 and 2021?", datetime(2021, 12, 31, 23, 59, 59, 999999, UTC)),
        ("Where did she live by May 2024?", datetime(2024, 5, 31, 23, 59, 59, 999999, UTC)),
        ("Where did she live by the end of 2023?", datetime(2023, 12, 31, 23, 59, 59, 999999, UTC)),
        ("Where did she live until May 2024?", datetime(2024, 4, 30, 23, 59, 59, 999999, UTC)),
        ("她截至2024年5月住在哪里", datetime(2024, 5, 31, 23, 59, 59, 999999, UTC)),
        ("截止到2024年5月，她住在哪里", datetime(2024, 5, 31, 23, 59, 59, 999999, UTC)),
        ("她到2024年5月为止住在哪里", datetime(2024, 5, 31, 23, 59, 59, 999999, UTC)),
        ("Where did she live a year and a half ago?", datetime(2024, 9, 30, 23, 59, 59, 999999, UTC)),
        ("Where did she live before?", None),
        ("And where before that?", None),
        ("Where did she live until 2020?", datetime(2019, 12, 31, 23, 59, 59, 999999, UTC)),
        ("Since when does she live there?", None),
        ("Where does Alice work now?", NOW),
        ("Alice 现在在哪工作？", NOW),
        ("Who ever worked at TechCorp?", None),
        ("Where did Alice work previously?", None),
        ("When did Alice join Anthropic?", None),
        ("Alice 曾经在哪工作？", None),
        ("Alice 什么时候加入 TechCorp？", None),
        ("Who ever worked there in 2024?", datetime(2024, 12, 31, 23, 59, 59, 999999, UTC)),
    ],
)
def test_a_question_says_its_time(question: str, valid: datetime | None) -> None:
    when = read_when(question, now=NOW, zone=UTC, given=None)
    assert (when.valid, when.source) == (valid, TimeSource.QUESTION)


def test_a_time_is_meant_in_the_zone() -> None:
    when = read_when("Where did Alice work in April 2024?", now=NOW, zone=ZoneInfo("Asia/Shanghai"), given=None)
    assert when.valid == datetime(2024, 4, 30, 15, 59, 59, 999999, UTC)


def test_without_a_time_it_is_now() -> None:
    when = read_when("Where does Alice work?", now=NOW, zone=UTC, given=None)
    assert (when.valid, when.source, when.span) == (NOW, TimeSource.NOW, None)


@pytest.mark.parametrize("question", ["Where did Alice work in April 2024?", "Who ever worked here?", "现在呢？"])
def test_the_caller_has_the_last_word(question: str) -> None:
    given = datetime(2020, 1, 1, tzinfo=UTC)
    when = read_when(question, now=NOW, zone=UTC, given=given)
    assert (when.valid, when.source) == (given, TimeSource.CALLER)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where does she work?", ("she",)),
        ("He left. Who is with him?", ("He", "him")),
        ("他喝什么咖啡？", ("他",)),
        ("她们住在哪", ("她们",)),
        ("其他人呢？吉他呢？他人呢？", ()),
        ("TA住哪", ("TA",)),
        ("The theatre in Sheffield", ()),
    ],
)
def test_pronouns(question: str, expected: tuple[str, ...]) -> None:
    assert third_persons(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is my address, and who am I?", ("my", "I")),
        ("我住在哪？", ("我",)),
        ("我们住在哪？", ()),
        ("Is Mike in Iran?", ()),
    ],
)
def test_the_asker(question: str, expected: tuple[str, ...]) -> None:
    assert first_persons(question) == expected


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What does Alice drink?", ("alic", "drink")),
        ("Who? What?", ("who", "what")),
        ("他喝什么？", ("他", "喝", "他喝")),
        ("谁的？", ("谁", "的", "谁的")),
    ],
)
def test_words_that_only_ask_are_not_looked_for(question: str, words: tuple[str, ...]) -> None:
    assert set(content_words(question)) == set(words)


def test_language() -> None:
    assert [language_of(q) for q in ("Where?", "Alice 在哪", "Où ça ?")] == ["en", "zh", "en"]


@pytest.mark.parametrize("question", ["", "  \n\t", "x" * (MAX_CHARACTERS + 1)])
def test_what_is_no_question(question: str) -> None:
    with pytest.raises(Invalid) as caught:
        check_question(question)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 120


def test_space_around_a_question_is_nothing() -> None:
    assert check_question("  who? \n") == "who?"
