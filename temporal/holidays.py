"""Feasts that both languages name: the day of a year, or None where there is none."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

Rule = Callable[[int], date | None]


def fixed(month: int, day: int) -> Rule:
    return lambda year: date(year, month, day)


def nth_weekday(month: int, weekday: int, n: int) -> Rule:
    """The n-th such weekday of the month (Monday is 0); -1 is the last one."""

    def rule(year: int) -> date:
        if n > 0:
            first = date(year, month, 1)
            return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (n - 1))
        last = date(year, month, 31) if month == 12 else date(year, month + 1, 1) - timedelta(days=1)
        return last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-n - 1))

    return rule


def easter(year: int) -> date:
    """Western Easter Sunday (the anonymous Gregorian algorithm, Nature 1876)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    el = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 19 * el) // 433
    month = (h + el - 7 * m + 90) // 25
    day = (h + el - 7 * m + 33 * month + 19) % 32
    return date(year, month, day)


def around_easter(days: int) -> Rule:
    return lambda year: easter(year) + timedelta(days=days)


def after(rule: Rule, days: int) -> Rule:
    def shifted(year: int) -> date | None:
        day = rule(year)
        return None if day is None else day + timedelta(days=days)

    return shifted


NEW_YEAR = fixed(1, 1)
NEW_YEARS_EVE = fixed(12, 31)
VALENTINE = fixed(2, 14)
WOMENS_DAY = fixed(3, 8)
LABOUR_DAY = fixed(5, 1)
CHILDRENS_DAY = fixed(6, 1)
FOOLS_DAY = fixed(4, 1)
HALLOWEEN = fixed(10, 31)
CHRISTMAS = fixed(12, 25)
CHRISTMAS_EVE = fixed(12, 24)
MOTHERS_DAY = nth_weekday(5, 6, 2)
FATHERS_DAY = nth_weekday(6, 6, 3)
THANKSGIVING = nth_weekday(11, 3, 4)
BLACK_FRIDAY = after(THANKSGIVING, 1)
GOOD_FRIDAY = around_easter(-2)
EASTER_MONDAY = around_easter(1)
PALM_SUNDAY = around_easter(-7)
ASH_WEDNESDAY = around_easter(-46)
PENTECOST = around_easter(49)

ENGLISH: dict[str, Rule] = {
    "new year": NEW_YEAR,
    "new years": NEW_YEAR,
    "new year day": NEW_YEAR,
    "new years day": NEW_YEAR,
    "new year eve": NEW_YEARS_EVE,
    "new years eve": NEW_YEARS_EVE,
    "valentine": VALENTINE,
    "valentines day": VALENTINE,
    "valentine day": VALENTINE,
    "saint patrick": fixed(3, 17),
    "saint patrick day": fixed(3, 17),
    "st patrick day": fixed(3, 17),
    "women day": WOMENS_DAY,
    "april fools day": FOOLS_DAY,
    "april fool day": FOOLS_DAY,
    "earth day": fixed(4, 22),
    "may day": LABOUR_DAY,
    "workers day": LABOUR_DAY,
    "international workers day": LABOUR_DAY,
    "international women day": WOMENS_DAY,
    "womens day": WOMENS_DAY,
    "saint patricks day": fixed(3, 17),
    "st patricks day": fixed(3, 17),
    "freedom day": fixed(6, 19),
    "mother day": MOTHERS_DAY,
    "mothers day": MOTHERS_DAY,
    "father day": FATHERS_DAY,
    "fathers day": FATHERS_DAY,
    "memorial day": nth_weekday(5, 0, -1),
    "juneteenth": fixed(6, 19),
    "independence day": fixed(7, 4),
    "labor day": nth_weekday(9, 0, 1),
    "columbus day": nth_weekday(10, 0, 2),
    "halloween": HALLOWEEN,
    "veterans day": fixed(11, 11),
    "thanksgiving": THANKSGIVING,
    "thanksgiving day": THANKSGIVING,
    "black friday": BLACK_FRIDAY,
    "cyber monday": after(THANKSGIVING, 4),
    "christmas": CHRISTMAS,
    "christmas day": CHRISTMAS,
    "xmas": CHRISTMAS,
    "christmas eve": CHRISTMAS_EVE,
    "boxing day": fixed(12, 26),
    "easter": easter,
    "easter sunday": easter,
    "good friday": GOOD_FRIDAY,
    "easter monday": EASTER_MONDAY,
    "palm sunday": PALM_SUNDAY,
    "ash wednesday": ASH_WEDNESDAY,
    "martin luther king day": nth_weekday(1, 0, 3),
    "mlk day": nth_weekday(1, 0, 3),
    "presidents day": nth_weekday(2, 0, 3),
    "groundhog day": fixed(2, 2),
}
