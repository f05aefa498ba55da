"""The words of English time expressions, and how a text is cut into them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from .grains import Grain
from .holidays import ENGLISH


def words(text: str) -> list[str]:
    return text.split()


def _numbered(text: str, start: int) -> dict[str, int]:
    """Names of the same number stand together, numbers are divided by bars."""
    groups = enumerate(text.split("|"), start)
    return {name: number for number, names in groups for name in names.split()}


MONTHS: Final = _numbered(
    "jan january|feb febr february|mar march|apr april|may|jun june|jul july|aug august"
    "|sep sept september|oct october|nov november|dec december",
    1,
)
WEEKDAYS: Final = _numbered(
    "mon monday|tue tues tuesday|wed weds wednesday|thu thur thurs thursday|fri friday|sat saturday|sun sunday", 0
)
UNITS: Final = {
    name: grain
    for grain, names in {
        Grain.SECOND: "second seconds sec secs",
        Grain.MINUTE: "minute minutes min mins",
        Grain.HOUR: "hour hours hr hrs",
        Grain.DAY: "day days night nights",
        Grain.WEEK: "week weeks wk wks",
        Grain.MONTH: "month months mo mos",
        Grain.QUARTER: "quarter quarters",
        Grain.YEAR: "year years yr yrs",
        Grain.DECADE: "decade decades",
        Grain.CENTURY: "century centuries",
    }.items()
    for name in names.split()
}
SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
SMALL: Final = _numbered(
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    "|seventeen|eighteen|nineteen",
    0,
)
TENS: Final = {
    name: 10 * number
    for name, number in _numbered("twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety", 2).items()
}
VAGUE: Final = {"couple": 2}
"""Counts that are numbers; "a few" and "several" are not."""
ORDINALS: Final = _numbered(
    "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth"
    "|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth",
    1,
) | {"thirtieth": 30}
DAY_PARTS: Final = {
    "morning": (8.0, 12.0),
    "afternoon": (12.0, 16.0),
    "evening": (16.0, 20.0),
    "night": (20.0, 24.0),
    "tonight": (20.0, 24.0),
    "tonite": (20.0, 24.0),
    "noon": (12.0, 12.0),
    "midday": (12.0, 12.0),
    "noonish": (12.0, 12.0),
    "midnight": (0.0, 0.0),
    "lunch": (11.0, 13.0),
    "lunchtime": (11.0, 13.0),
    "dinner": (16.0, 20.0),
    "dinnertime": (16.0, 20.0),
    "breakfast": (8.0, 12.0),
    "daytime": (8.0, 18.0),
}
LAST: Final = frozenset({"last", "past", "previous", "prior", "preceding"})
THIS: Final = frozenset({"this", "current", "that", "same"})
NEXT: Final = frozenset({"next", "coming", "upcoming", "following"})
PARTS: Final = {
    "early": 0, "beginning": 0, "start": 0, "earlier": 0,
    "mid": 1, "middle": 1,
    "late": 2, "later": 2, "end": 2,
}  # fmt: skip
"""Which third of a stretch."""
ENDS: Final = {"eom": Grain.MONTH, "eoq": Grain.QUARTER, "eoy": Grain.YEAR}

STARTERS: Final = frozenset(
    {
        *MONTHS,
        *WEEKDAYS,
        *UNITS,
        *SEASONS,
        *SMALL,
        *TENS,
        *ORDINALS,
        *DAY_PARTS,
        *LAST,
        *THIS,
        *NEXT,
        *PARTS,
        *ENDS,
    }
    | {word for name in ENGLISH for word in name.split()[:1]}
    | set(
        words(
            "today yesterday tomorrow tmrw tmr now right at the a an half couple about around approximately in"
            " from between during since ever starting beginning after following later as any until till til before"
            " by prior up no through within for twenties thirties forties fifties sixties seventies eighties"
            " nineties year calendar cy weekend circa fortnight w"
        )
    )
)
"""Words that a time can begin with."""

DASHES: Final = ("-", "–", "—", "~")

CUES: Final = frozenset(
    words(
        "in on at since until till by during before after from through between around about circa late early mid"
        " year last next this past"
    )
)
"""What has to stand before a bare number or an ambiguous word in running text, to make it a time."""

_MERIDIEM: Final = r"(?:\s?(?P<{}>[ap]\s?\.?\s?m\b\.?)|(?P<{}>[ap])\b)"
TOKEN: Final = re.compile(
    r"""
      (?P<iso>(?<![\w.])\d{4}-\d{1,2}-\d{1,2}T\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)(?!\w)
    | (?P<ymd>(?<![\w.])\d{4}[-/.]\d{1,2}[-/.]\d{1,2})(?!\w|[./]\d)
    | (?P<mdy>(?<![\w.])\d{1,2}(?P<gap>[-/.])\d{1,2}(?P=gap)(?:\d{4}|\d{2}))(?![\w]|[./]\d)
    | (?P<ym>(?<![\w./-])\d{4}[-/]\d{1,2})(?![\w/]|[.]\d)
    | (?P<my>(?<![\w./-])\d{1,2}[-/]\d{4})(?![\w/]|[.-]\d)
    | (?P<md>(?<![\w./])\d{1,2}/\d{1,2})(?![\w/]|[.]\d)
    | (?P<clock>(?<![\w.:])(?:\d{1,2}(?::\d{2}(?::\d{2})?|\.\d{2})?|\d{3,4}))"""
    + _MERIDIEM.format("m1", "m2")
    + r"""
    | (?P<colon>(?<![\w.:])\d{1,2}:\d{2}(?::\d{2})?)(?![\w:])
    | (?P<decade>(?<![\w.])(?:\d{3}0|'?\d0)\s?'?s)\b
    | (?P<ordinal>(?<![\w.])\d{1,2}(?:st|nd|rd|th))\b
    | (?P<quarter>\b[qh][1-4])\b
    | (?P<number>\d+(?:\.\d+)?(?=\D|$))
    | (?P<word>[^\W\d_]+(?:['’]s\b)?)
    | (?P<sign>\S)
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)

_NAMES: Final = sorted({*MONTHS, *WEEKDAYS, *UNITS, *SEASONS}, key=len, reverse=True)
MAY_HOLD_TIME: Final = re.compile(
    r"\d|\b(?:"
    + "|".join(_NAMES)
    + r"|yesterday|today|tomorrow|tmrw|tonight|tonite|weekend|fortnight|noon|mid-?night|nineteen|twenty"
    r"|christmas|easter|thanksgiving|halloween|new\ year|eve|valentine|\w+day|morning|afternoon|evening"
    r"|(?:to|till)\ date|w/c|workweek|eo[dmqy]|nineties|eighties|seventies|sixties"
    r"|o'?\ ?clock|past|quarter|hundred|thousand|lunch|dinner|moment|present)",
    re.IGNORECASE,
)
"""A cheap test before anything else is tried."""


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    """Lower case, without a possessive 's."""
    start: int
    end: int
    capital: bool = False


def cut(text: str) -> list[Token]:
    tokens = []
    for match in TOKEN.finditer(text):
        kind = match.lastgroup or "sign"
        if kind in ("m1", "m2"):
            kind = "clock"
        elif match["mdy"]:
            kind = "mdy"
        piece = match.group()
        plain = piece.lower()
        if kind == "word" and plain[-2:] in ("'s", "’s"):
            plain = plain[:-2]
        tokens.append(Token(kind, plain, match.start(), match.end(), piece[:1].isupper()))
    return tokens


def fraction(text: str) -> float | None:
    return {"½": 0.5, "¼": 0.25, "¾": 0.75}.get(text)
