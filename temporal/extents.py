"""Stated extents, laid over the line: which of them cover an instant, which have lapsed, what began when."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from .changes import AS_SAID, Change, Place
from .grains import Bound
from .intervals import EARLIEST, LATEST

NOBODY = -(2**63)
"""The authority of an end that nobody stated."""
_BLOCK = 64


class Gap(NamedTuple):
    """``[start, end)`` taken out of an extent; ``tail`` and ``head`` are the bounds of what is left beside it."""

    start: datetime
    end: datetime
    tail: Bound
    head: Bound


class Extent(NamedTuple):
    """``[start, end)`` of ``fact`` less its ``gaps``. A tuple, because extents are kept by ``(start, seq)``, which
    is unique.

    ``seq`` numbers the claims as they were said: of two that cover an instant the higher one shows. ``start``,
    ``end``, ``head`` and ``tail`` are as they stand now; ``open_said`` tells that the claim itself gave no end.
    ``end_authority`` is that of whoever set the end. ``cut_by`` is the ``seq`` of the beginning of another fact
    that ended it, ``uncut`` the extent before. ``gaps`` are sorted and apart; some may lie behind the end.
    """

    start: datetime
    seq: int
    end: datetime
    fact: str
    head: Bound | None
    tail: Bound | None
    authority: int
    end_authority: int
    open_said: bool
    gaps: tuple[Gap, ...] = ()
    cut_by: int = -1
    uncut: Extent | None = None

    def shows(self, instant: datetime, *, before: bool = False) -> bool:
        """Whether it covers ``instant`` (or the time just before it), outside its gaps."""
        if before:
            instant -= instant.resolution
        if not self.start <= instant < self.end:
            return False
        index = bisect_left(self.gaps, (instant, LATEST)) - 1
        return index < 0 or self.gaps[index].end <= instant

    def without(self, gap: Gap) -> Extent:
        first = bisect_left(self.gaps, gap.start, key=lambda old: old.end)
        last = bisect_right(self.gaps, gap.end, key=lambda old: old.start)
        merged = self.gaps[first:last]
        if merged and merged[0].start < gap.start:
            gap = gap._replace(start=merged[0].start, tail=merged[0].tail)
        if merged and merged[-1].end > gap.end:
            gap = gap._replace(end=merged[-1].end, head=merged[-1].head)
        return self._replace(gaps=(*self.gaps[:first], gap, *self.gaps[last:]))

    def pieces(self) -> Iterator[Extent]:
        """The stretches between its gaps, each as an extent."""
        piece = self._replace(gaps=())
        for gap in self.gaps:
            if gap.start >= self.end:
                break
            if piece.start < gap.start:
                yield piece._replace(end=gap.start, tail=gap.tail)
            piece = piece._replace(start=gap.end, head=gap.head)
        if piece.start < self.end:
            yield piece


class Extents:
    """Kept in blocks sorted by start, each with its latest end, its latest-said member and its fact (None:
    several), so that looking for what covers an instant skips most blocks; a sorted row per fact, and one over
    all, go by end."""

    __slots__ = (
        "_blocks", "_by_end", "_facts", "_latest_ends", "_latest_said", "_lows", "_own", "_starts", "touched",
    )  # fmt: skip

    def __init__(self) -> None:
        self._blocks: list[list[Extent]] = []
        self._lows: list[tuple[datetime, int]] = []
        self._latest_ends: list[datetime] = []
        self._latest_said: list[int] = []
        self._facts: list[str | None] = []
        self._by_end: list[tuple[datetime, datetime, int, Extent]] = []
        self._own: dict[str, list[tuple[datetime, datetime, int, Extent]]] = {}
        self._starts: dict[str, list[Place]] = {}
        self.touched = LATEST
        """The earliest instant at which what they cover changed, since this was last set to ``LATEST``."""

    def ending_after(self, instant: datetime) -> Iterator[Extent]:
        """By end."""
        return (entry[3] for entry in islice(self._by_end, bisect_right(self._by_end, (instant, LATEST)), None))

    def __bool__(self) -> bool:
        return bool(self._blocks)

    def exchange(self, old: Extent, new: Extent, since: datetime) -> None:
        """For one that covers the same before ``since``."""
        touched = min(self.touched, since)
        self.drop(old)
        self.add(new)
        self.touched = touched

    def add(self, extent: Extent) -> None:
        self.touched = min(self.touched, extent.start)
        entry = (extent.end, extent.start, extent.seq, extent)
        insort(self._by_end, entry)
        insort(self._own.setdefault(extent.fact, []), entry)
        insort(self._starts.setdefault(extent.fact, []), (extent.start, AS_SAID))
        if not self._blocks:
            self._insert_block(0, [extent])
            return
        index = max(bisect_right(self._lows, extent[:2]) - 1, 0)
        block = self._blocks[index]
        insort(block, extent)
        if len(block) > 2 * _BLOCK:
            self._delete_block(index)
            self._insert_block(index, block[_BLOCK:])
            self._insert_block(index, block[:_BLOCK])
            return
        self._lows[index] = block[0][:2]
        self._latest_ends[index] = max(self._latest_ends[index], extent.end)
        self._latest_said[index] = max(self._latest_said[index], extent.seq)
        if self._facts[index] != extent.fact:
            self._facts[index] = None

    def drop(self, extent: Extent) -> None:
        self.touched = min(self.touched, extent.start)
        entry = (extent.end, extent.start, extent.seq, extent)
        for row in (self._by_end, self._own[extent.fact]):
            del row[bisect_left(row, entry)]
        starts = self._starts[extent.fact]
        del starts[bisect_left(starts, (extent.start, AS_SAID))]
        index = bisect_right(self._lows, extent[:2]) - 1
        block = self._blocks[index]
        del block[bisect_left(block, extent)]
        self._delete_block(index)
        if block:
            self._insert_block(index, block)

    def _insert_block(self, index: int, block: list[Extent]) -> None:
        self._blocks.insert(index, block)
        self._lows.insert(index, block[0][:2])
        self._latest_ends.insert(index, max([extent.end for extent in block]))
        self._latest_said.insert(index, max([extent.seq for extent in block]))
        facts = {extent.fact for extent in block}
        self._facts.insert(index, block[0].fact if len(facts) == 1 else None)

    def _delete_block(self, index: int) -> None:
        for part in (self._blocks, self._lows, self._latest_ends, self._latest_said, self._facts):
            del part[index]

    def covering(self, instant: datetime, *, but: str | None = None) -> list[Extent]:
        """Those with ``start <= instant < end``, gaps or not, except of the fact ``but``."""
        reach = bisect_left(self._lows, (instant, 2**63))
        return [
            extent
            for index in range(reach)
            if self._latest_ends[index] > instant and (but is None or self._facts[index] != but)
            for extent in self._blocks[index]
            if extent.start <= instant < extent.end and extent.fact != but
        ]

    def top_at(self, instant: datetime) -> Extent | None:
        """The latest-said one that covers ``instant``."""
        return self._top(instant, before=False)

    def top_before(self, instant: datetime) -> Extent | None:
        """The latest-said one that covers the time just before ``instant``."""
        return self._top(instant, before=True)

    def _top(self, instant: datetime, *, before: bool) -> Extent | None:
        reach = bisect_left(self._lows, (instant, -1 if before else 2**63))
        hopeful = [index for index in range(reach) if self._latest_ends[index] >= instant]
        hopeful.sort(key=self._latest_said.__getitem__, reverse=True)
        best: Extent | None = None
        for index in hopeful:
            if best and best.seq > self._latest_said[index]:
                break
            for extent in self._blocks[index]:
                if (best is None or extent.seq > best.seq) and extent.shows(instant, before=before):
                    best = extent
        return best

    def lapsed(self, fact: str, instant: datetime) -> Extent | None:
        """The one of ``fact`` that ended last at or before ``instant``."""
        row = self._own.get(fact, [])
        index = bisect_left(row, (instant, LATEST))
        return row[index - 1][3] if index else None

    def starts_around(self, change: Change) -> tuple[Place | None, Place | None]:
        """Where the last extent of the change's fact before it starts, and the first one after it."""
        row = self._starts.get(change.fact, [])
        index = bisect_left(row, change)
        return row[index - 1] if index else None, row[index] if index < len(row) else None

    def starting_between(self, low: datetime, high: datetime) -> Iterator[Extent]:
        """Those with a start in ``[low, high)``, latest first."""
        index = bisect_left(self._lows, (high, -1)) - 1
        while index >= 0:
            for extent in reversed(self._blocks[index]):
                if extent.start < low:
                    return
                if extent.start < high:
                    yield extent
            index -= 1

    def last_shown_before(self, instant: datetime) -> tuple[datetime, Bound | None]:
        """Where one last stopped to show, given that none shows just before ``instant``; else ``EARLIEST``."""
        index = bisect_left(self._by_end, (instant,))
        stops: list[tuple[datetime, Bound | None]] = [(EARLIEST, None)]
        stops += [(last.end, last.tail) for *_, last in self._by_end[max(index - 1, 0) : index]]
        for extent in self.covering(instant - instant.resolution):
            gap = extent.gaps[bisect_left(extent.gaps, (instant,)) - 1]
            stops.append((gap.start, gap.tail))
        return max(stops, key=lambda stop: stop[0])

    def ending_at(self, instant: datetime) -> list[Extent]:
        index = bisect_left(self._by_end, (instant,))
        found: list[Extent] = []
        while index < len(self._by_end) and self._by_end[index][0] == instant:
            found.append(self._by_end[index][3])
            index += 1
        return found
