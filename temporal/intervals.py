"""Half-open stretches of time ``[start, end)`` with open ends, and unions of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from datetime import UTC, datetime

from .grains import Bound

EARLIEST = datetime.min.replace(tzinfo=UTC)
"""Stands for "unbounded before" where instants must be compared."""
LATEST = datetime.max.replace(tzinfo=UTC)
"""Stands for "unbounded after" where instants must be compared."""


@dataclass(frozen=True, slots=True)
class Interval:
    """``[start, end)``; None leaves that side open. One whose end is not after its start is empty."""

    start: datetime | None = None
    end: datetime | None = None

    @property
    def low(self) -> datetime:
        return EARLIEST if self.start is None else self.start

    @property
    def high(self) -> datetime:
        return LATEST if self.end is None else self.end

    @property
    def empty(self) -> bool:
        return self.high <= self.low

    def contains(self, instant: datetime) -> bool:
        return self.low <= instant and (self.end is None or instant < self.end)

    def touches(self, other: Interval) -> bool:
        """Whether the two overlap or meet, so that together they are one stretch. Empty ones touch nothing."""
        if self.empty or other.empty:
            return False
        return self.low <= other.high and other.low <= self.high


def between(start: Bound | None, end: Bound | None) -> Interval:
    return Interval(start.at if start else None, end.at if end else None)


class Union:
    """The union of the intervals added so far, as disjoint stretches that do not meet."""

    __slots__ = ("_ends", "_starts")

    def __init__(self) -> None:
        self._starts: list[datetime] = []
        self._ends: list[datetime] = []

    def add(self, interval: Interval) -> None:
        if interval.empty:
            return
        first = bisect_left(self._ends, interval.low)
        last = bisect_right(self._starts, interval.high)
        low, high = interval.low, interval.high
        if first < last:
            low, high = min(low, self._starts[first]), max(high, self._ends[last - 1])
        self._starts[first:last] = [low]
        self._ends[first:last] = [high]

    def around(self, instant: datetime) -> tuple[datetime, datetime] | None:
        """Start and end of the stretch that contains ``instant``; ``EARLIEST``, ``LATEST`` where it has none."""
        index = bisect_right(self._starts, instant) - 1
        if index < 0 or self._ends[index] <= instant:
            return None
        return self._starts[index], self._ends[index]

    def within(self, interval: Interval) -> list[Interval]:
        """The stretches that overlap ``interval``, in order; unbounded sides as ``EARLIEST`` and ``LATEST``."""
        first = bisect_right(self._ends, interval.low)
        last = bisect_left(self._starts, interval.high)
        return [Interval(*ends) for ends in zip(self._starts[first:last], self._ends[first:last], strict=True)]
