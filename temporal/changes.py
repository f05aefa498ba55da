"""The listener's line: dated changes ("f begins", "f ends"), in order, of all facts of a slot."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from enum import Enum
from heapq import merge
from itertools import islice
from typing import NamedTuple, TypeAlias

from .grains import Basis, Bound
from .intervals import LATEST, Interval

AT_GRAIN_END = 0
"""Rank of a change that was moved to the end of its grain, and of the end of an extent: it comes before whatever
stands at that instant."""
AS_SAID = 1


class Role(Enum):
    """What put a change on the line."""

    STATED = "stated"
    MENTION = "mention"
    """A beginning by an observation."""
    GUESS = "guess"
    """A beginning that no claim states: something that ended had held before."""
    GAP = "gap"
    """An end or a beginning by a bounded denial: the fact is only away, so that it stays away if anything else
    changes meanwhile or the stretch before turns out to end earlier."""


class Change(NamedTuple):
    """A beginning or an end of ``fact``. A tuple, because its order is the line's order.

    At one instant the claim of lower authority comes first, then the one said earlier: the last word shows.
    ``seq`` numbers the claims in the order they were said. ``source`` is the bound as it was said, None for an
    unknown beginning.
    """

    at: datetime
    rank: int
    authority: int
    seq: int
    fact: str
    source: Bound | None
    said: datetime
    role: Role = Role.STATED

    @property
    def grain(self) -> Interval:
        """The stretch in which the change was said to lie; empty for an instant."""
        source = self.source or Bound(self.at)
        return Interval(source.at, source.end_of_grain)

    @property
    def bound(self) -> Bound | None:
        """What a period's bound says of this change.

        As it was said; when moved to the end of its grain, that end in the same grain (as for the end of a
        stated extent: ``grain_end`` equals ``at``); when moved to the time of the statement, that time, derived,
        still within the grain.
        """
        if self.source is None or self.at == self.source.at:
            return self.source
        if self.rank == AT_GRAIN_END:
            return replace(self.source, at=self.at)
        return replace(self.source, at=self.at, basis=Basis.DERIVED)

    def behind(self, other: Change) -> Change:
        """This change moved so that it comes after one that lies inside its grain."""
        grain = self.grain
        if grain.contains(self.said) and self.said > other.at:
            return self._replace(at=self.said)
        return self._replace(at=grain.high, rank=AT_GRAIN_END)


Place: TypeAlias = tuple[datetime, int] | tuple[datetime]
"""``(instant,)`` is before all changes at that instant, ``after(instant)`` behind them."""


def after(instant: datetime) -> Place:
    return (instant, 9)


class Changes:
    """Beginnings and ends, each sorted; every look-up is a bisection."""

    __slots__ = ("_stint_begins", "_stint_ends", "begins", "ends", "own_begins", "own_ends", "touched", "widest")

    def __init__(self) -> None:
        self.begins: list[Change] = []
        self.ends: list[Change] = []
        self.own_begins: dict[str, list[Change]] = {}
        self.own_ends: dict[str, list[Change]] = {}
        self._stint_begins: dict[str, list[Change]] = {}
        self._stint_ends: dict[str, list[Change]] = {}
        self.widest = timedelta(0)
        """The widest grain of any end, which bounds how far back an end can be that has to move."""
        self.touched = LATEST
        """The earliest instant at which anything came or went, since this was last set to ``LATEST``."""

    def begins_of(self, fact: str) -> list[Change]:
        return self.own_begins.get(fact, [])

    def ends_of(self, fact: str) -> list[Change]:
        return self.own_ends.get(fact, [])

    def add_begin(self, change: Change) -> None:
        self.touched = min(self.touched, change.at)
        insort(self.begins, change)
        insort(self.own_begins.setdefault(change.fact, []), change)
        if change.role is not Role.GAP:
            insort(self._stint_begins.setdefault(change.fact, []), change)
        self._settle(change)

    def add_end(self, change: Change) -> None:
        self.touched = min(self.touched, change.at)
        insort(self.ends, change)
        insort(self.own_ends.setdefault(change.fact, []), change)
        if change.role is not Role.GAP:
            insort(self._stint_ends.setdefault(change.fact, []), change)
        grain = change.grain
        self.widest = max(self.widest, grain.high - grain.low)
        self._settle(change)

    def drop_begin(self, change: Change) -> None:
        self.touched = min(self.touched, change.at)
        _discard(self.begins, change)
        _discard(self.own_begins[change.fact], change)
        _discard(self._stint_begins.get(change.fact, []), change)
        self._settle(change)

    def drop_end(self, change: Change) -> None:
        self.touched = min(self.touched, change.at)
        _discard(self.ends, change)
        _discard(self.own_ends[change.fact], change)
        _discard(self._stint_ends.get(change.fact, []), change)

    def _settle(self, change: Change) -> None:
        """Takes away what would resume after a gap, where the change leaves nothing to be resumed."""
        index = bisect_right(self.begins, change)
        while index < len(self.begins) and self.begins[index].role is Role.GAP and not self._resumes(index):
            _discard(self.own_begins[self.begins[index].fact], self.begins[index])
            del self.begins[index]

    def _resumes(self, index: int) -> bool:
        back, place = self.begins[index], index - 1
        while place >= 0 and self.begins[place].role is Role.GUESS and self.begins[place].fact != back.fact:
            place -= 1
        if place < 0 or self.begins[place].fact != back.fact:
            return False
        before = self.begins[place]
        ends = self.ends_of(back.fact)
        away = ends[bisect_right(ends, before) : bisect_left(ends, back)]
        return all(end.role is Role.GAP for end in away)

    def fact_at(self, place: Place | Change) -> str | None:
        """The fact the line shows just before ``place``."""
        index = bisect_left(self.begins, place)
        if not index:
            return None
        begin = self.begins[index - 1]
        ends = self.own_ends.get(begin.fact)
        if ends:
            last = bisect_left(ends, place)
            if last and ends[last - 1] > begin:
                return None
        return begin.fact

    def last_before(self, place: Place) -> Change | None:
        """The last change of any kind before ``place``."""
        found = [row[index - 1] for row in (self.begins, self.ends) if (index := bisect_left(row, place))]
        return max(found, default=None)

    def stint(self, end: Change, low: Place | None = None, high: Place | None = None) -> list[Change]:
        """The ends of a fact between its last beginning before ``end`` and its next one, and between ``low`` and
        ``high`` where given. A gap does not begin anything; of the ends that make gaps there is only the one that
        ``end`` lies in."""
        stint = _around(self._stint_ends.get(end.fact, []), self._stint_begins.get(end.fact, []), end, low, high)
        near = _around(self.ends_of(end.fact), self.begins_of(end.fact), end, low, high)
        return sorted([*stint, *(old for old in near if old.role is Role.GAP)])

    def nearest_begin(self, fact: str, place: Place) -> Change | None:
        begins = self.begins_of(fact)
        index = bisect_left(begins, place)
        return begins[index - 1] if index else None

    def begun_between(self, low: datetime, high: datetime) -> list[Change]:
        """The beginnings in ``[low, high)``."""
        return self.begins[bisect_left(self.begins, (low,)) : bisect_left(self.begins, (high,))]

    def in_order(self, since: datetime) -> Iterator[tuple[Change, bool]]:
        """The changes from the last beginning at or before ``since`` on; True marks a beginning."""
        first = max(bisect_left(self.begins, after(since)) - 1, 0)
        last = bisect_left(self.ends, self.begins[first]) if first < len(self.begins) else len(self.ends)
        begins, ends = islice(self.begins, first, None), islice(self.ends, last, None)
        return merge(((change, True) for change in begins), ((change, False) for change in ends))


def _around(
    ends: list[Change], begins: list[Change], place: Change, low: Place | None, high: Place | None
) -> list[Change]:
    """The ends between the neighbouring beginnings of ``place``, and between ``low`` and ``high``."""
    index = bisect_left(begins, place)
    first = bisect_right(ends, begins[index - 1]) if index else 0
    last = bisect_left(ends, begins[index]) if index < len(begins) else len(ends)
    if low:
        first = max(first, bisect_right(ends, low))
    if high:
        last = min(last, bisect_left(ends, high))
    return ends[first:last]


def _discard(row: list[Change], change: Change) -> None:
    index = bisect_left(row, change)
    if index < len(row) and row[index] == change:
        del row[index]
