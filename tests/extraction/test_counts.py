"""Counts, figures and ages: one value at a time of what is counted."""

from __future__ import annotations

import pytest

from hitherto import Memory
from hitherto.extraction.numbers import chinese_number, number
from hitherto.extraction.rules import RuleExtractor
from hitherto.kg.slots import what_is_counted
from tests.extraction.reading import read, read_session

FACTS = {
    "I have three cats now.": ['liang HAS_COUNT "3 cats": observation ~'],
    "We have two kids and a dog.": [
        'liang HAS_COUNT "2 kids": observation ~',
        'liang HAVE "dog": observation ~',
    ],
    "I had two dogs in 2019.": ['liang HAS_COUNT "2 dogs": extent 2019..2020'],
    "I've read 5 of the 10 chapters.": ['liang HAS_COUNT "read 5 of the 10 chapters": observation ~'],
    "I've tried four different Korean restaurants so far.": [
        'liang HAS_COUNT "tried 4 Korean restaurants": observation ~'
    ],
    "I've already got five tops from H&M so far.": ['liang HAS_COUNT "5 tops from H&M": observation ~'],
    "We've met up twice already.": ['liang HAS_COUNT "met up 2 times": observation ~'],
    "My highest score in Ticket to Ride is 132 points.": [
        'liang HAS_FIGURE "highest score in Ticket to Ride: 132 points": observation ~'
    ],
    "My commute is 45 minutes.": ['liang HAS_FIGURE "commute: 45 minutes": observation ~'],
    "I'm 32 years old.": ['liang HAS_AGE "32": observation ~'],
    "我养了两只猫。": ['liang HAS_COUNT "2只猫": observation ~'],
    "我一共看过五部电影。": ['liang HAS_COUNT "看过5部电影": observation ~'],
    "我今年三十岁。": ['liang HAS_AGE "30": observation ~'],
    # in passing, more of them, once, or asked
    "I have two questions.": [],
    "I have lost 3 kg.": [],
    "我看日志里有两条错序的记录。": [],
    "I have three meetings and two ideas.": ['liang HAVE "three meetings": observation ~'],
    "Do I have three cats?": [],
    "我有两个问题。": [],
    "我又养了两只猫。": ['liang 养 "猫": dated_beginning ~'],
}


@pytest.mark.parametrize("text", FACTS)
async def test_what_is_counted(extractor: RuleExtractor, text: str) -> None:
    assert await read(extractor, text) == FACTS[text]


@pytest.mark.parametrize(
    ("first", "then", "count"),
    [
        ("I have three cats.", "I have four now.", 'liang HAS_COUNT "4 cats": observation ~'),
        ("我养了两只猫。", "我现在有四只了。", 'liang HAS_COUNT "4只猫": observation ~'),
    ],
)
async def test_a_bare_number_is_of_what_was_counted_before(
    extractor: RuleExtractor, first: str, then: str, count: str
) -> None:
    assert await read(extractor, then) == []
    _, second = await read_session(extractor, ("liang", first), ("liang", then))
    assert second == [count]


async def test_a_new_count_takes_over_from_the_old_one_of_the_same() -> None:
    async with Memory.open(":memory:", tenant="t") as memory:
        for day, text in enumerate(("I have three cats.", "I have two dogs.", "I have one cat."), 1):
            await memory.add(text, actor="ann", occurred_at=f"2026-03-0{day}", session="s")
        assert [b.fact.text for b in (await memory.facts("ann", "HAS_COUNT")).items] == [
            "ann has 2 dogs",
            "ann has 1 cat",
        ]


def test_what_is_counted_has_no_number() -> None:
    assert what_is_counted("v:3 stories") == what_is_counted("v:1 story") == "v: story"
    assert what_is_counted("read 5 of the 10 boxes") == what_is_counted("read 6 of the 12 boxes")
    assert what_is_counted("v:3 glasses") != what_is_counted("v:3 cups")


@pytest.mark.parametrize(
    ("said", "digits"),
    [
        ("twelve", "12"),
        ("twenty-five", "25"),
        ("1,200", "1200"),
        ("many", None),
        ("twenty-many", None),
        ("1.5", None),
    ],
)
def test_english_numbers(said: str, digits: str | None) -> None:
    assert number(said) == digits


@pytest.mark.parametrize(
    ("said", "digits"), [("两", "2"), ("十五", "15"), ("一百二十", "120"), ("3万", "30000"), ("几", None)]
)
def test_chinese_numbers(said: str, digits: str | None) -> None:
    assert chinese_number(said) == digits
