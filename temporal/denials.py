"""Denials (rule 1): what they leave of the assertions said before them, and the gap they make in the line."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from .changes import Role, after
from .claims import Claim, Says
from .extents import Extent, Gap
from .grains import Bound
from .intervals import EARLIEST, LATEST, Interval, Union, between
from .listening import Slate, beginning_of, change_of, end_under, put_end, set_end


def denied(claim: Claim) -> Interval:
    return between(claim.valid_from, claim.valid_to)


def spare(claims: Sequence[Claim]) -> list[Claim | None]:
    """What later denials leave of each claim, in the same order; None: it was never said. ``claims`` are in the
    order they were said. Gaps are not made here but when the denial itself is heard."""
    levels: dict[str, set[int]] = {}
    for claim in claims:
        levels.setdefault(claim.fact, set()).add(claim.authority)
    denials: dict[str, Denials] = {}
    spared: list[Claim | None] = []
    for claim in reversed(claims):
        left: Claim | None = claim
        if claim.says is Says.DENIAL:
            denials.setdefault(claim.fact, Denials(levels[claim.fact])).add(claim)
        elif claim.fact in denials and claim.says is not Says.END:
            left = denials[claim.fact].leave(claim)
        spared.append(left)
    spared.reverse()
    return spared


class Denials:
    """Denials of one fact gathered from the last said on: at any claim, those said after it."""

    __slots__ = ("_levels", "_unions", "begun", "ended")

    def __init__(self, levels: Iterable[int]) -> None:
        """``levels``: the authorities of the fact's assertions; a denial touches those up to its own."""
        self._levels = frozenset(levels)
        self._unions: dict[int, Union] = {}
        self.begun: dict[datetime, Bound] = {}
        """By instant, the bounds at which denials begin."""
        self.ended: dict[datetime, Bound] = {}
        """By instant, the bounds at which they end."""

    def add(self, denial: Claim) -> None:
        for level in self._levels:
            if level <= denial.authority:
                self._unions.setdefault(level, Union()).add(denied(denial))
        if denial.valid_from:
            self.begun.setdefault(denial.valid_from.at, denial.valid_from)
        if denial.valid_to:
            self.ended.setdefault(denial.valid_to.at, replace(denial.valid_to, grain_end=None))

    def of(self, authority: int) -> Union | None:
        """What is denied to an assertion of that authority; None: nothing."""
        return self._unions.get(authority)

    def leave(self, claim: Claim) -> Claim | None:
        """The claim with a later beginning if it loses that; None if it loses all it vouches for."""
        union = self.of(claim.authority)
        if union is None:
            return claim
        start, last = _vouched(claim)
        lost = union.around(start)
        if lost:
            if lost[1] > last or lost[1] == LATEST:
                return None
            claim = replace(claim, valid_from=self.ended[lost[1]])
        cut = union.around(last) if claim.says is Says.SINCE else None
        return replace(claim, valid_to=self.begun[cut[0]]) if cut else claim


def _vouched(claim: Claim) -> tuple[datetime, datetime]:
    """The first and the last instant that an assertion vouches for."""
    start = beginning_of(claim).at
    if claim.says is Says.SINCE:
        return start, max(start, claim.stated_at)
    if claim.says is Says.EXTENT:
        start = claim.valid_from.at if claim.valid_from else EARLIEST
        return start, (claim.valid_to.at - start.resolution) if claim.valid_to else LATEST
    return start, start


def hear_denial(slate: Slate, claim: Claim, seq: int) -> None:
    """Takes the interval out of what the slate shows of the fact, as far as it began before. Where a claim of
    higher authority began it, only an open denial is heard, as any end is."""
    if claim.valid_from and claim.valid_to is None:
        slate.first.setdefault(claim.fact, None)  # it is an end, which tells of a stint before
    gap = denied(claim)
    _part_line(slate, claim, seq, gap)
    for extent in slate.extents.covering(gap.low):
        if extent.fact == claim.fact and extent.start < gap.low:
            _part_extent(slate, extent, claim, seq)


def _part_line(slate: Slate, claim: Claim, seq: int, gap: Interval) -> None:
    changes, fact, start, end = slate.changes, claim.fact, claim.valid_from, claim.valid_to
    running = changes.nearest_begin(fact, (gap.low,)) if changes.fact_at((gap.low,)) == fact else None
    if running and running.authority > claim.authority:
        running = None
    begins = changes.begins_of(fact)
    inside = begins[bisect_left(begins, (gap.low,)) : bisect_left(begins, (gap.high,))]
    lost = [begin for begin in inside if begin.authority <= claim.authority]
    held_after = changes.nearest_begin(fact, after(gap.high)) if changes.fact_at(after(gap.high)) == fact else None
    if start and end is None:
        put_end(slate, change_of(claim, seq, start))
    elif start and running:
        cut = change_of(claim, seq, start)
        if not any(old.authority > claim.authority and old.at < gap.high for old in slate.stint(cut)):
            changes.add_end(cut._replace(role=Role.GAP))
    if end and held_after and held_after in (running, *lost):
        role = Role.GAP if held_after is running else held_after.role
        changes.add_begin(change_of(claim, seq, end)._replace(role=role))
    for begin in lost:
        changes.drop_begin(begin)


def _part_extent(slate: Slate, extent: Extent, claim: Claim, seq: int) -> None:
    start, end = claim.valid_from, claim.valid_to
    if start is None:
        return
    cut = change_of(claim, seq, start)
    if end is None or extent.end <= end.at:
        if extent.end_authority <= claim.authority:
            set_end(slate, extent, cut)
    elif extent.authority <= claim.authority:
        parted = extent.without(Gap(start.at, end.at, start, replace(end, grain_end=None)))
        slate.extents.exchange(extent, parted, start.at)
        end_under(slate, extent, cut)
