"""Reading the listener's slate from start to end: the periods that show."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from heapq import heappop, heappush
from itertools import pairwise

from .changes import Change, Changes
from .extents import Extent, Extents
from .grains import Bound
from .intervals import EARLIEST, LATEST
from .listening import Slate, inferred


@dataclass(slots=True)
class Stretch:
    """``[start, end)`` of a fact, and the bounds of the period that it is. ``head`` or ``tail`` None, where the
    side is not open: to be taken from the neighbour."""

    fact: str
    start: datetime
    end: datetime
    head: Bound | None
    tail: Bound | None


def read(slate: Slate, since: datetime = EARLIEST) -> list[Stretch]:
    """What shows from ``since`` on, in order. What held before and goes on begins there, without a bound."""
    stretches = list(_line(slate.changes, since))
    if slate.extents:
        stretches = _lay_over(stretches, list(_visible(slate.extents, since)))
    joined = _joined([stretch for stretch in stretches if stretch.end > since])
    _infer(joined)
    if joined and joined[0].start < since:
        joined[0].start, joined[0].head = since, None
    return joined


def _line(changes: Changes, since: datetime) -> Iterator[Stretch]:
    """The stretches of the line alone, in order."""
    current: Stretch | None = None
    for change, begins in changes.in_order(since):
        if begins == (current is not None and current.fact == change.fact):
            continue
        if current:
            current.end = change.at
            current.tail = _taken_over(current, change, changes) if begins else change.bound
            if current.start < current.end:
                yield current
        current = Stretch(change.fact, change.at, LATEST, change.bound, None) if begins else None
    if current:
        yield current


def _taken_over(stretch: Stretch, taker: Change, changes: Changes) -> Bound | None:
    """The taker's bound, unless the fact was said to end at that very instant."""
    ends = changes.ends_of(stretch.fact)
    index = bisect_left(ends, (taker.at,))
    if index < len(ends) and ends[index].at == taker.at:
        return ends[index].bound
    return inferred(taker.bound)


def _visible(extents: Extents, since: datetime) -> Iterator[Stretch]:
    """What shows of the extents: at each instant the latest-said."""
    pieces = (piece for extent in extents.ending_after(since) for piece in extent.pieces())
    waiting = sorted((piece for piece in pieces if piece.end > since), reverse=True)
    instants = sorted({instant for extent in waiting for instant in (extent.start, extent.end)})
    heap: list[tuple[int, datetime, Extent]] = []
    for start, end in pairwise(instants):
        while waiting and waiting[-1].start == start:
            extent = waiting.pop()
            heappush(heap, (-extent.seq, extent.start, extent))
        while heap and heap[0][2].end <= start:
            heappop(heap)
        if heap:
            top = heap[0][2]
            head = top.head if top.start == start else None
            tail = top.tail if top.end == end else None
            yield Stretch(top.fact, start, end, head, tail)


def _lay_over(line: list[Stretch], tops: list[Stretch]) -> list[Stretch]:
    """``tops`` and what of ``line`` they leave to be seen, in order."""
    seen: list[Stretch] = list(tops)
    index = 0
    for stretch in line:
        while index < len(tops) and tops[index].end <= stretch.start:
            index += 1
        start, head, over = stretch.start, stretch.head, index
        while over < len(tops) and tops[over].start < stretch.end:
            if start < tops[over].start:
                seen.append(Stretch(stretch.fact, start, tops[over].start, head, None))
            start, head = tops[over].end, None
            over += 1
        if start < stretch.end:
            seen.append(Stretch(stretch.fact, start, stretch.end, head, stretch.tail))
    seen.sort(key=lambda stretch: stretch.start)
    return seen


def _joined(stretches: list[Stretch]) -> list[Stretch]:
    """Touching stretches of one fact made one."""
    joined: list[Stretch] = []
    for stretch in stretches:
        last = joined[-1] if joined else None
        if last and last.fact == stretch.fact and last.end == stretch.start:
            last.end, last.tail = stretch.end, stretch.tail
        else:
            joined.append(stretch)
    return joined


def _infer(stretches: list[Stretch]) -> None:
    """A bound that is nobody's own is its neighbour's: what was covered ends and begins again with what covers."""
    for left, right in pairwise(stretches):
        if left.tail is None:
            left.tail = inferred(right.head)
        elif right.head is None:
            right.head = inferred(left.tail)
