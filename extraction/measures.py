"""Numbers with their units in running text, English and Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ..kg.model import Mention
from ..kg.ontology import Predicate, Unit
from .sayings import Referent

_SPELLED: Final = {
    Unit.MASS: {
        "kg": "kg kgs kilo kilos kilogram kilograms 公斤 千克",
        "lb": "lb lbs pound pounds 磅",
        "斤": "斤",
    },
    Unit.LENGTH: {
        "cm": "cm cms centimeter centimeters centimetre centimetres 厘米 公分",
        "m": "m meter meters metre metres 米",
        "in": "inch inches 英寸 寸",
    },
    Unit.TEMPERATURE: {
        "°C": "°c ℃ celsius degrees degree 度 摄氏度",
        "°F": "°f ℉ fahrenheit",
    },
    Unit.PRESSURE: {"mmHg": "mmhg 毫米汞柱"},
    Unit.PULSE: {"bpm": "bpm beats 次/分 次每分钟 次 下"},
    Unit.PERCENT: {"%": "% ％ percent"},
    Unit.CONCENTRATION: {
        "mmol/L": "mmol/l mmol mmol/L",
        "mg/dL": "mg/dl",
        "μmol/L": "μmol/l umol/l µmol/l",
        "g/L": "g/l",
    },
}  # fmt: skip
_UNITS: Final = {
    name: (unit, short)
    for unit, names in _SPELLED.items()
    for short, spelled in names.items()
    for name in spelled.lower().split()
}
_UNIT: Final = "|".join(re.escape(name) for name in sorted(_UNITS, key=len, reverse=True))
_MONEY_WORDS: Final = "dollars?|bucks|euros?|USD|EUR|GBP|RMB|CNY|yuan|元|块钱?|美元|欧元|人民币"
_PERIOD: Final = (
    r"(?:\s*(?:/|per|an?|every|each)\s*(?:hour|hr|day|week|month|mo|year|yr)\b|\s+(?:annually|monthly|yearly)\b"
    r"|\s*(?:每|一个?|/)(?:小时|天|周|月|年))"
)
_DIGITS: Final = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\d])"
_SCALE: Final = r"(?:\s?(?:k|K|million|m|M|万|千)(?![A-Za-z/]))?"
_NOT_INSIDE: Final = r"(?<![A-Za-z\d_.,/\-–~#:])(?<!\d\s-\s)(?<!\d-[$€£¥￥])"
_NUMBER: Final = re.compile(
    rf"""{_NOT_INSIDE}(?:
      (?P<feet>[3-8])\s?(?:'|’|′|ft\.?|feet|foot)\s?
        (?:(?P<inches>1[01]|\d)\s?(?:"|”|″|''|in\b|inch(?:es)?)?)?(?![A-Za-z\d_%])
    | (?P<tall>[一二两12])米(?P<rest>[零〇一二三四五六七八九]{{1,2}}|\d{{1,2}})(?![\d.米])
    | (?P<money>[$€£¥￥]\s?(?:{_DIGITS}){_SCALE}{_PERIOD}?
        |(?:{_DIGITS}){_SCALE}\s?(?:{_MONEY_WORDS})(?![A-Za-z]){_PERIOD}?)
        (?!\s?[-–~至]\s?[$€£¥￥]?\d)
    | (?P<pressure>\d{{2,3}}/\d{{2,3}})(?:\s?(?:mmHg|毫米汞柱))?(?![A-Za-z\d_/])
    | (?<![$€£¥￥])(?P<digits>{_DIGITS})(?:[\s-]?(?P<unit>{_UNIT})(?![A-Za-z\d/]))?
        (?![A-Za-z\d_])(?!\s?[-–~至]\s?\d)(?![.,:/]\d)
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_HAN_DIGITS: Final = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and its unit at ``start:end``; ``text`` in one spelling: "80 kg" for 80kg and 80 kilos."""

    start: int
    end: int
    text: str
    unit: Unit

    def fits(self, unit: Unit) -> bool:
        """Whether it can be a value of this unit: a number by itself is one of what has its unit in its name."""
        bare = (Unit.NUMBER, Unit.CONCENTRATION, Unit.PULSE, Unit.PERCENT)
        return self.unit is unit or (self.unit is Unit.NUMBER and unit in bare)


def figures(text: str) -> list[Figure]:
    """The numbers with units, and the bare ones, in order; ranges ("80-82 kg") are none."""
    return [_figure(match) for match in _NUMBER.finditer(text)]


def _figure(match: re.Match[str]) -> Figure:
    text, unit = _read(match)
    return Figure(match.start(), match.end(), text, unit)


def _read(match: re.Match[str]) -> tuple[str, Unit]:
    if match["feet"]:
        return f"{match['feet']} ft" + (f" {match['inches']} in" if match["inches"] else ""), Unit.LENGTH
    if match["tall"]:
        return f"{_tall(match['tall'], match['rest'])} cm", Unit.LENGTH
    if match["money"]:
        return re.sub(r"\s+", " ", match.group()).strip(), Unit.MONEY
    if match["pressure"]:
        return match["pressure"], Unit.PRESSURE
    if match["unit"] is None:
        return match["digits"], Unit.NUMBER
    unit, short = _UNITS[match["unit"].lower()]
    return f"{match['digits']}{'' if short == '%' else ' '}{short}", unit


def _tall(metres: str, rest: str) -> int:
    """ "一米八", "1米75" in centimetres."""
    digits = "".join(str(_HAN_DIGITS.get(c, c)) for c in rest)
    return 100 * int(_HAN_DIGITS.get(metres, metres)) + int(digits.ljust(2, "0"))


def may_own(predicate: Predicate, owner: Referent) -> bool:
    """Whether this somebody or something can have a measure of the predicate: a price is nobody's."""
    if not isinstance(owner, Mention):
        return predicate.subject == "Person"
    return predicate.subject == "Thing" or owner.kind in ("Person", "Thing")
