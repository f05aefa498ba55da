"""Illnesses by name, with how grave they are: "moderate fatty liver" and "mild fatty liver" are two facts of which
one holds at a time."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from ..kg.model import Mention
from .sayings import Polarity, Saying, Stance, Tense

CONDITION: Final = "Condition"
GRADES_EN: Final = ("mild", "moderate", "severe")
GRADES_ZH: Final = ("轻度", "中度", "重度")
_KIND_EN: Final = (
    r"chronic|acute|type (?:1|2|i|ii|one|two)|stage (?:[1-4]|i{1,3}|iv)|grade (?:[1-4]|i{1,3}|iv)|early[- ]stage"
)
_KIND_ZH: Final = "慢性|急性|早期|晚期|[12一二]型"
_LIGHT_ZH: Final = "(?:了|有|过|一种|一?个|一?点|一些|些|的)*"


def english_ailment(text: str, names: frozenset[str]) -> str | None:
    """The illness that the text ends in, with its grade; what the text says before them does not count."""
    match = _english(names).search(text)
    if match is None:
        return None
    name = match["name"].lower()
    plain = name.removesuffix(" disease")
    words = [w.lower() for w in (match["grade"], match["kind"]) if w]
    return " ".join([*words, plain if plain in names else name])


def names_ailment(text: str, names: frozenset[str]) -> bool:
    """Whether an illness is named anywhere in an English text."""
    return _named(names).search(text) is not None


def chinese_ailment(text: str, names: Collection[str]) -> str | None:
    """The illness that the text consists of, with its grade."""
    match = _chinese(tuple(names)).fullmatch(text)
    return None if match is None else f"{match['grade'] or ''}{match['kind'] or ''}{match['name']}"


@lru_cache(maxsize=4)
def _named(names: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b", re.IGNORECASE)


@lru_cache(maxsize=4)
def _english(names: frozenset[str]) -> re.Pattern[str]:
    either = "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True))
    return re.compile(
        rf"(?:\b(?P<grade>{'|'.join(GRADES_EN)})\s+)?(?:\b(?P<kind>{_KIND_EN})\s+)?\b(?P<name>{either})$",
        re.IGNORECASE,
    )


@lru_cache(maxsize=4)
def _chinese(names: tuple[str, ...]) -> re.Pattern[str]:
    either = "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True))
    return re.compile(
        rf"{_LIGHT_ZH}(?P<grade>{'|'.join(GRADES_ZH)})?(?:的)?(?P<kind>{_KIND_ZH})?(?P<name>{either})[了。!！]*"
    )


def regraded(saying: Saying, *, changed: bool = False) -> Iterator[Saying]:
    """What a saying about an illness takes back besides: when it is over, its grades are too; when it has become
    another (``changed``), the other grades are."""
    thing = saying.object
    if not isinstance(thing, Mention) or thing.kind != CONDITION:
        return
    over = saying.stance is Stance.ENDS or saying.polarity is Polarity.NO_LONGER
    name, grades, own = _split(thing.name)
    if (over and own is None and saying.tense is not Tense.FUTURE) or (changed and own is not None):
        for grade in grades:
            if grade != own:
                joint = " " if grade.isascii() else ""
                yield replace(
                    saying,
                    object=Mention(f"{grade}{joint}{name}", CONDITION),
                    stance=Stance.HOLDS,
                    polarity=Polarity.NEGATIVE,
                    tense=Tense.PRESENT,
                    reach=(),
                )


def without_grade(name: str) -> str:
    return _split(name)[0]


def _split(name: str) -> tuple[str, tuple[str, ...], str | None]:
    """An illness without its grade, the grades of its language, and its own."""
    for grades in (GRADES_EN, GRADES_ZH):
        for grade in grades:
            if name.startswith(grade):
                return name.removeprefix(grade).lstrip(), grades, grade
    return name, GRADES_EN if name.isascii() else GRADES_ZH, None
