"""The Chinese lunar calendar, 1900 to 2100, by jionlp-time's table (the one place that imports it)."""

from __future__ import annotations

from datetime import date
from functools import cache

from .holidays import Rule


@cache
def solar(year: int, month: int, day: int) -> date | None:
    """The solar day of a lunar one, in the lunar year that begins in ``year``; None where there is none."""
    # Its package reads the clock when it is imported, so not before it is needed.
    from jionlp_time.lunar_solar_date import LunarSolarDate  # type: ignore[import-untyped]

    try:
        found = LunarSolarDate().to_solar_date(year, month, day)
    except (ValueError, IndexError):
        return None
    return date(found.year, found.month, found.day)


def lunar_day(month: int, day: int) -> Rule:
    return lambda year: solar(year, month, day)


def new_years_eve(year: int) -> date | None:
    """The eve of the lunar new year that falls in the solar ``year``."""
    first = solar(year, 1, 1)
    return None if first is None else date.fromordinal(first.toordinal() - 1)


def qingming(year: int) -> date | None:
    """The solar term Qingming, 4 or 5 April (the rule of thumb for 1900 to 2099)."""
    if not 1900 <= year < 2100:
        return None
    constant = 5.59 if year < 2000 else 4.81
    short = year % 100
    return date(year, 4, int(short * 0.2422 + constant) - (short - (1 if year == 1900 else 0)) // 4)
