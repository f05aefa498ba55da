"""What English words around a time say about it, beyond the time itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...temporal.english_words import SMALL

_DAY: Final = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"
_WEEKLY: Final = re.compile(
    rf"(?:from |between )?{_DAY} ?(?:to|through|thru|till|until|and|-|–|—) ?{_DAY}", re.IGNORECASE
)
_EFFECTIVE: Final = re.compile(
    r"\b(?:effective(?: as of| from| on)?|with effect from|as of|(?:starting|beginning)(?: from| on| in)?)"
    r" (?:the )?$",
    re.IGNORECASE,
)
_STARTING: Final = re.compile(r"(?:starting|beginning)\b", re.IGNORECASE)
_FOR: Final = re.compile(r"\bfor (?:the )?$", re.IGNORECASE)
_BOOKED: Final = re.compile(r"(?:re)?(?:booked|booking|scheduled|scheduling|reserved|reserving)\b", re.IGNORECASE)
_EITHER: Final = re.compile(r"\bor\b|^(?:in |during )?[a-z\d]+/[a-z\d]+$", re.IGNORECASE)
_ROLLING: Final = re.compile(r"(?:within )?(?:the )?(?:last|past|previous)\b", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"between\b", re.IGNORECASE)
_SOME_TIME: Final = re.compile(r"\b(?:some ?time|at some point) $", re.IGNORECASE)
_WHEN: Final = re.compile(r"when\b", re.IGNORECASE)
_SINCE: Final = re.compile(r"(?:ever )?since\b", re.IGNORECASE)
_NOT_UP_TO: Final = re.compile(r"(?:by|before|prior|no later)\b", re.IGNORECASE)
_NUMBERS: Final = {name: number for name, number in SMALL.items() if 0 < number <= 12}
_NUMBER: Final = rf"\d{{1,2}}|{'|'.join(_NUMBERS)}"
_SOME: Final = re.compile(
    r"\b(?:(?P<many>few|several|some) (?P<unit>day|week|month|year)s (?:ago|back)|the other (?:day|night)"
    rf"|(?P<least>{_NUMBER})(?: or | to | ?[-–—] ?)(?P<most>{_NUMBER}) (?P<units>day|week|month|year)s"
    r" (?:ago|back)"
    r"|(?:an?|one) (?P<one>day|week|month|year) or two (?:ago|back))\b",
    re.IGNORECASE,
)
_MANY: Final = {"few": (2, 6), "some": (2, 10), "several": (3, 10)}
_LATELY: Final = 10
"""Days since "the other day", at most."""


def some_ago(text: str) -> Iterator[tuple[int, str, str]]:
    """Times ago that are counted loosely, as the shortest and the longest they can be: "a few weeks ago"."""
    for found in _SOME.finditer(text):
        least, most = _MANY[found["many"].lower()] if found["many"] else (1, _LATELY)
        if found["least"]:
            least, most = _number(found["least"]), _number(found["most"])
        elif found["one"]:
            most = 2
        unit = found["unit"] or found["units"] or found["one"] or "day"
        yield found.start(), f"{least} {unit}s ago", f"{most} {unit}s ago"


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def is_weekly(phrase: str) -> bool:
    """ "From Monday to Friday" is a time that comes every week, of what is so now."""
    return _WEEKLY.fullmatch(phrase) is not None


def takes_effect(text: str, start: int, verb: int) -> bool:
    """Whether the time at ``start`` is one from which an announced change holds ("cancelled it **effective** May
    1"), or for which something was booked; ``verb``: where the verb begins."""
    before = text[:start]
    if _EFFECTIVE.search(before) or _STARTING.match(text, start):
        return True
    return _BOOKED.match(text, verb) is not None and _FOR.search(before) is not None


def is_one_of(phrase: str) -> bool:
    """ "In 2019 or 2020"."""
    return _EITHER.search(phrase) is not None


def lies_between(phrase: str) -> bool:
    """ "Between 2019 and 2021", "within the last two months"."""
    return _ROLLING.match(phrase) is not None or _BETWEEN.match(phrase) is not None


def is_some_time(text: str, start: int) -> bool:
    """ "**sometime** between May and July"."""
    return _SOME_TIME.search(text[:start]) is not None


def looks_back(phrase: str) -> bool:
    return _SINCE.match(phrase) is not None


def says_when(phrase: str) -> bool:
    """ "When I was 25"."""
    return _WHEN.match(phrase) is not None


def goes_on_up_to(phrase: str) -> bool:
    """ "Until June", unlike "by June"."""
    return _NOT_UP_TO.match(phrase) is None
