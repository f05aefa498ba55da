"""Whole numbers as people write them, in digits."""

from __future__ import annotations

import re
from typing import Final

_SMALL: Final = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORDS: Final = (
    {w: i for i, w in enumerate(_SMALL)} | {w: 20 + 10 * i for i, w in enumerate(_TENS)} | {"dozen": 12}
)
_DIGITS: Final = re.compile(r"\d{1,3}(?:,\d{3})+|\d+")
_HAN: Final = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "兩": 2, "〇": 0, "俩": 2, "仨": 3}
_HAN_UNITS: Final = {"十": 10, "百": 100, "千": 1000, "万": 10000, "萬": 10000}
COUNT, FIGURE, AGE = "HAS_COUNT", "HAS_FIGURE", "HAS_AGE"
"""The predicates that hold them, where the ontology has these."""
HAN_NUMERAL: Final = r"[零〇一二两兩三四五六七八九十百千万萬\d]"


def number(text: str) -> str | None:
    """ "four", "1,200", "twenty-five" in digits; None for what is no whole number."""
    if _DIGITS.fullmatch(text):
        return text.replace(",", "")
    tens, _, ones = text.lower().partition("-")
    if ones:
        whole = _WORDS.get(tens, -1) >= 20 and 0 < _WORDS.get(ones, 0) < 10
        return str(_WORDS[tens] + _WORDS[ones]) if whole else None
    found = _WORDS.get(tens)
    return None if found is None else str(found)


def chinese_number(text: str) -> str | None:
    """ "两", "十五", "一百二十", "3万" in digits; None for what is no whole number."""
    if _DIGITS.fullmatch(text):
        return text.replace(",", "")
    total = current = 0
    digits = ""
    for char in text:
        if char.isdigit():
            digits += char
            current = int(digits)
        elif char in _HAN:
            current, digits = _HAN[char], ""
        elif char in _HAN_UNITS:
            unit = _HAN_UNITS[char]
            total = (total + current) * unit if unit == 10000 else total + (current or 1) * unit
            current, digits = 0, ""
        else:
            return None
    return str(total + current) if text else None
