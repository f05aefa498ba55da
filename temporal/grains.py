"""Grains: how exactly an instant was said ("2024", "March 2024", "yesterday at noon")."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Grain(StrEnum):
    """The unit an instant was said in, coarse to fine. ``INSTANT`` has no width."""

    CENTURY = "century"
    DECADE = "decade"
    YEAR = "year"
    HALF = "half"
    SEASON = "season"
    QUARTER = "quarter"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"
    HOUR = "hour"
    MINUTE = "minute"
    SECOND = "second"
    INSTANT = "instant"


class Basis(StrEnum):
    """Where a bound comes from: ``STATED`` in the text, ``DERIVED`` from the episode's own time,
    ``INFERRED`` because the next value took over (only on periods, never on claims)."""

    STATED = "stated"
    DERIVED = "derived"
    INFERRED = "inferred"


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a stretch of valid time.

    ``at`` is the instant itself (UTC, microseconds). ``grain_end`` is the exclusive end of the grain it was
    said with, so that "March 2024" is ``at=2024-03-01, grain_end=2024-04-01, grain=MONTH`` (in the time zone it
    was meant in, which is why it cannot be computed from ``at`` later). For ``Grain.INSTANT`` it equals ``at``.
    For the *end of a stated extent* ("in 2019-2021") ``at`` is already the end of the grain (2022-01-01) and
    ``grain_end`` equals ``at``.
    """

    at: datetime
    grain: Grain = Grain.INSTANT
    grain_end: datetime | None = None
    basis: Basis = Basis.STATED

    @property
    def end_of_grain(self) -> datetime:
        return self.at if self.grain_end is None else self.grain_end
