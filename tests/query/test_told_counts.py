"""How many somebody has, where the number was told and not its members."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC

import pytest

from hitherto.kg.model import Belief, Value
from hitherto.kg.ontology import Ontology
from hitherto.query.answers import Wanted, reckon
from hitherto.query.asking import Asks, asks
from hitherto.query.counted import is_asked
from hitherto.query.questions import said_words
from tests.query.builders import belief, fact, instant

TOM = fact("Tom", "HAS_COUNT", "2 kids")


def has(count: str, start: str, end: str | None = None) -> Belief:
    told = replace(TOM, id=count, object=Value(count))
    return replace(belief(TOM, (start, end), ("2026-01-01", None)), fact=told)


def how_many(question: str, *held: Belief) -> str | None:
    assert asks(question, None) is Asks.HOW_MANY
    wanted = Wanted(
        asks=Asks.HOW_MANY,
        text=question,
        language="en",
        predicates=["HAS_COUNT"],
        kin=[],
        words=frozenset(word for word in said_words(question) if word.isascii()),
        now=instant("2026-11-15"),
        zone=UTC,
    )
    answer = reckon(wanted, frozenset([TOM.subject.id]), held, Ontology.starter())
    return None if answer is None else answer.text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many kids does he have?", "2 kids"),
        ("How many children does he have?", "2 kids"),
        ("How many cars does he have?", "3 old cars"),
        ("How many old cars does he have?", "3 old cars"),
        ("How many boats does he have?", None),
        ("How many does he have?", None),
        ("How many times has he had kids?", None),
    ],
)
def test_the_count_that_was_told(question: str, answer: str | None) -> None:
    assert how_many(question, has("2 kids", "2024"), has("3 old cars", "2024")) == answer


def test_what_holds_now_or_held_last() -> None:
    before, now = has("1 kid", "2020", "2024"), has("2 kids", "2024")
    assert how_many("How many kids does he have?", before, now) == "2 kids"
    assert how_many("How many kids does he have?", before) is None
    assert how_many("How many kids did he have?", before) == "1 kid"
    assert how_many("How many kids does he have?", has("4 kids", "2027")) is None


@pytest.mark.parametrize(
    ("count", "question", "asked"),
    [
        ("2个孩子", "有几个孩子？", True),
        ("2辆车", "有几辆车？", True),
        ("3只猫", "有几辆车？", False),
        ("50名员工", "有多少名员工？", True),
    ],
)
def test_counts_in_chinese(count: str, question: str, asked: bool) -> None:
    assert is_asked(count, question, frozenset()) is asked
    assert asks(question, None) is Asks.HOW_MANY


@pytest.mark.parametrize("question", ["有多个项目", "How much is it?"])
def test_not_every_number_is_asked_for(question: str) -> None:
    assert asks(question, None) is None
