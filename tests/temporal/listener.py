"""The slow listener: rules 1 to 8 of the design's "careful listener", sentence by sentence. Part of the oracle.

Changes and extents sit in plain lists; whatever is asked is answered by looking at all of them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from hitherto.temporal.claims import Claim, Says
from tests.temporal.said import (
    AFTER_ALL,
    BEFORE_ALL,
    TICK,
    Change,
    Extent,
    Hole,
    Stretch,
    behind,
    denied_stretch,
    first_mention,
    rule_1_what_is_left,
    said_order,
    vouched_stretch,
)


@dataclass
class Listener:
    """What he holds after the claims heard so far. ``order`` is all of them, in the order they were said."""

    order: list[Claim]
    one_value: bool
    changes: list[Change] = field(default_factory=list)
    extents: list[Extent] = field(default_factory=list)

    def hear(self, index: int) -> None:
        claim = self.order[index]
        if claim.says is Says.DENIAL:
            self.rule_1_denial(claim, index)
        elif claim.says is Says.END:
            self.rule_5_end(claim, index)
        else:
            left = rule_1_what_is_left(claim, index, self.order)
            if not left:
                return
            if claim.says is Says.OBSERVATION:
                self.rule_2_observation(claim, index)
            elif claim.says is Says.DATED_BEGINNING:
                self.rule_3_beginning(claim, index, left[0][0], stated=True)
            elif claim.says is Says.SINCE:
                self.rule_3_since(claim, index, left)
            else:
                self.rule_4_extent(claim, index, left)
        self.changes = [change for change in self.changes if not self.is_void(change)]

    def line(self) -> list[Change]:
        """The changes from first to last."""
        return sorted(self.changes, key=Change.order)

    def is_void(self, change: Change) -> bool:
        """ "Resumes at the denial's ``to``, *unless another change lies between*"; nor is there anything to resume
        when its fact turns out not to have held before the gap."""
        if change.gap is None or not change.begins:
            return False
        before = self.last_beginning(change.gap[0] - TICK)
        if before is None or before.fact != change.fact:
            return True
        for other in self.changes:
            matters = (other.begins and not other.inferred) or other.fact == change.fact
            if matters and other.gap != change.gap and change.gap[0] <= other.at <= change.gap[1]:
                return True
        return False

    def last_beginning(self, instant: datetime) -> Change | None:
        """The beginning whose fact the line alone shows at ``instant``."""
        showing: Change | None = None
        for change in self.line():
            if change.at > instant:
                break
            if change.begins:
                showing = change
            elif showing is not None and showing.fact == change.fact:
                showing = None
        return showing

    def shown_at(self, instant: datetime) -> str | None:
        """The latest-said extent that covers it, else what the last change before it left."""
        beginning = self.last_beginning(instant)
        line = beginning.fact if beginning else None
        covering = [extent for extent in self.extents if extent.covers(instant) or self.blank(extent, instant)]
        if covering:
            last = max(covering, key=lambda extent: extent.heard)
            own = any(extent.covers(instant) for extent in covering if extent.fact == last.fact)
            return last.fact if own or line == last.fact else None
        return line

    def blank(self, extent: Extent, instant: datetime) -> bool:
        """An extent told without an end took over for good: when it is ended or denied, nothing comes back, until
        something else is said to begin."""
        holes = [hole for hole in extent.holes if extent.start < hole.start < extent.end]
        ends = [hole.start for hole in holes if hole.spans(instant)]
        ends += [extent.end] if extent.start < extent.end and not extent.cut_by else []
        if not extent.told_open or not ends:
            return False
        since = min(ends)
        begun = [c.at for c in self.changes if c.begins] + [e.start for e in self.extents if e is not extent]
        return since <= instant and not any(since <= start <= instant for start in begun)

    def shown_just_before(self, instant: datetime) -> str | None:
        return None if instant == BEFORE_ALL else self.shown_at(instant - TICK)

    def rule_1_denial(self, denial: Claim, index: int) -> None:
        """The fact ends at its ``from`` and resumes at its ``to``; open-ended, it is an end, but it never makes
        the fact held before. A beginning inside, which no assertion vouches for, waits for the denial's end."""
        start, end = denied_stretch(denial)
        for change in list(self.changes):
            if change.begins and change.fact == denial.fact and start <= change.at < end:
                self.put_off(change, denial, (start, end))
        for extent in self.extents:
            if extent.fact == denial.fact and extent.claim.authority <= denial.authority:
                extent.holes.append(Hole(start, end, index))
        if end == AFTER_ALL:
            if denial.valid_from is not None:
                self.rule_5_end(denial, index)
            return
        if start == BEFORE_ALL or start >= end:
            return
        held, still = self.last_beginning(start - TICK), self.last_beginning(start)
        if held is None or held.fact != denial.fact or (still and still is not held and still.fact == held.fact):
            return
        supports = [c for c in self.changes if c.fact == denial.fact and c.at == held.at]
        own_ends = [c for c in self.changes if c.fact == denial.fact and c.claim.says is Says.END and not c.begins]
        supports += [c for c in own_ends if start <= c.at <= end]
        if any(c.claim.authority > denial.authority for c in supports):
            return
        gap, resumes = (start, end), still is held
        for earlier in list(self.changes):
            if earlier.gap and earlier.fact == denial.fact and start <= earlier.gap[0] <= end:
                gap, resumes = (start, max(gap[1], earlier.gap[1])), resumes or earlier.begins
                self.changes.remove(earlier)
        self.changes.append(Change(False, denial.fact, gap[0], index, denial, gap[0], gap=gap))
        if resumes:
            self.changes.append(Change(True, denial.fact, gap[1], index, denial, gap[1], stated=False, gap=gap))

    def put_off(self, beginning: Change, denial: Claim, denied: Stretch) -> None:
        if beginning.claim.authority > denial.authority:
            return
        if denied[1] == AFTER_ALL or self.last_beginning(denied[1]) is not beginning:
            self.changes.remove(beginning)
            return
        beginning.at, beginning.at_grain_end = denied[1], False
        if beginning.gap:
            old, new = beginning.gap, (beginning.gap[0], denied[1])
            for change in self.changes:
                if change.gap == old and change.fact == beginning.fact:
                    change.gap = new

    def rule_2_observation(self, claim: Claim, index: int) -> None:
        """If its fact shows at that instant, nothing changes: a re-mention is no news. Else it begins there."""
        at = vouched_stretch(claim)[0]
        if self.shown_at(at) == claim.fact:
            return
        self.rule_3_beginning(claim, index, at, stated=False)

    def rule_3_since(self, claim: Claim, index: int, vouched: list[Stretch]) -> None:
        """The same; and if something else shows at the time it was said, it clears the changes in between and ends
        another fact's extent that covers that time. (A denial may have left several stretches: each vouches up to
        its own end.)"""
        change = self.rule_3_beginning(claim, index, vouched[0][0], stated=True)
        said = vouched[-1][1] - TICK
        if change is None or change.at > said or self.shown_at(said) == claim.fact:
            return
        self.clear_between(change, vouched[0][1] - TICK)
        for (_, denied), (start, end) in pairwise(vouched):
            until = [c for c in self.line() if c.at <= start]
            interrupted = until[-1].at >= denied and until[-1].claim.authority <= claim.authority
            if interrupted and self.shown_at(end - TICK) != claim.fact:
                again = self.rule_3_beginning(claim, index, start, stated=True)
                if again is not None:
                    self.clear_between(again, end - TICK)

    def clear_between(self, since: Change, last: datetime) -> None:
        for other in list(self.changes):
            between = since.order() < other.order() and other.at <= last
            if between and other.claim.authority <= since.claim.authority:
                self.changes.remove(other)
        for extent in self.extents:
            if extent.fact != since.fact and extent.spans(last):
                self.cut(extent, max(extent.start, since.at), since)
            elif since.at < extent.end <= last and (extent.end_authority or 0) <= since.claim.authority:
                extent.cut_by, extent.uncut = since, (extent.end, extent.end_authority)

    def rule_3_beginning(self, claim: Claim, index: int, at: datetime, *, stated: bool) -> Change | None:
        """Its fact begins there and goes on to the next change. If stated, it replaces beginnings of other facts
        at the very same instant. None: not heard (rule 7)."""
        at, at_grain_end, grain_end = self.rule_6_place_beginning(claim, at)
        new = Change(True, claim.fact, at, index, claim, grain_end, at_grain_end, stated)
        opposed = self.opposed(new)
        if any(other.claim.authority > claim.authority for other in opposed):
            return None
        if stated:
            self.changes = [c for c in self.changes if c not in opposed or not c.begins]
        self.rule_6_move_ends_behind(new)
        if stated:
            self.replace_inferred_beginning(claim.fact, new.order())
        for extent in list(self.extents):
            inside = extent.spans(at) and not (at_grain_end and extent.start == at)
            if extent.fact != claim.fact and inside:
                self.cut(extent, at, new)
        self.changes.append(new)
        return new

    def opposed(self, new: Change) -> list[Change]:
        """The changes at the very same instant that cannot stand beside it: another fact's beginning beside a
        beginning, a beginning and an end of one fact."""
        return [
            other
            for other in self.changes
            if (other.at, other.at_grain_end) == (new.at, new.at_grain_end)
            and not (other.begins and other.gap)
            and (other.begins or new.begins)
            and (other.fact == new.fact) == (other.begins != new.begins)
        ]

    def replace_inferred_beginning(self, fact: str, stated: tuple[datetime, int, int]) -> None:
        """An end made the fact held before; now the beginning of that stint is heard."""
        for guess in [c for c in self.line() if c.begins and c.inferred and c.fact == fact]:
            later = [c for c in self.line() if c.fact == fact and c.order() > guess.order() and not c.gap]
            ends = [c for c in later if not c.begins]
            same_stint = not any(c.order() < stated if not c.begins else c.at < stated[0] for c in later)
            if guess.order() < stated and same_stint and ends:
                self.changes.remove(guess)

    def rule_4_extent(self, claim: Claim, index: int, left: list[Stretch]) -> None:
        """Laid over the line for its stretch. When one value holds at a time it replaces the former extent of its
        fact with the same beginning. Its end also ends an open beginning of its own fact."""
        start, end = left[0][0], left[-1][1]
        former = [e for e in self.extents if e.fact == claim.fact and e.start == start < e.end]
        if self.one_value and former:
            if any(extent.claim.authority > claim.authority for extent in former):
                self.end_open_extents(former, end, claim)
                return
            self.extents = [extent for extent in self.extents if extent not in former]
            replaced = [extent.claim for extent in former]
            self.changes = [change for change in self.changes if change.claim not in replaced]
        authority = None if end == AFTER_ALL else claim.authority
        extent = Extent(claim.fact, start, end, index, claim, authority, claim.valid_to is None)
        extent.holes = [Hole(start, end, len(self.order)) for (_, start), (end, _) in pairwise(left)]
        self.extents.append(extent)
        self.rule_6_move_ends_behind(Change(True, claim.fact, start, index, claim, start), extent)
        if claim.valid_from is not None:
            self.replace_inferred_beginning(claim.fact, (start, 1, index))
        held = self.last_beginning(end - TICK)
        if end != AFTER_ALL and held and held.fact == claim.fact:
            ends = self.ends_of_stint(claim.fact, (end, 0, index))
            if not any(other.claim.authority > claim.authority for other in ends):
                self.changes = [change for change in self.changes if change not in ends]
                self.changes.append(Change(False, claim.fact, end, index, claim, end, at_grain_end=True))

    def end_open_extents(self, extents: list[Extent], end: datetime, claim: Claim) -> None:
        """What a higher authority left open may be ended, not replaced."""
        for extent in extents:
            if extent.end == AFTER_ALL:
                extent.end, extent.end_authority, extent.told_open = end, claim.authority, False

    def cut(self, extent: Extent, at: datetime, by: Change) -> None:
        """A beginning or observation of another fact ends the extent where it falls inside. (Rule 7: not where a
        higher authority said when it ends; to end it at its very start is to take it away.)"""
        said_by_higher = extent.end_authority is not None and extent.end_authority > by.claim.authority
        if said_by_higher or (extent.start == at and extent.claim.authority > by.claim.authority):
            return
        extent.cut_by, extent.uncut = by, (extent.end, extent.end_authority)
        extent.end = at

    def rule_5_end(self, claim: Claim, index: int) -> None:
        """ "f ends at t" matters only where f shows, and brings nothing back. (An open denial: only that.)"""
        at, at_grain_end, grain_end = self.rule_6_place_end(claim)
        new = Change(False, claim.fact, at, index, claim, grain_end, at_grain_end)
        is_end = claim.says is Says.END
        own = [e for e in self.extents if e.fact == claim.fact]
        shortened = [e for e in own if e.spans(at) and not (at_grain_end and e.start == at)]
        lengthened = self.lapsed_extent(claim.fact, at) if is_end and not shortened else None
        touched = shortened + ([lengthened] if lengthened else [])
        if not is_end:
            touched = [e for e in touched if (e.end_authority or 0) <= claim.authority]
        if self.rule_7_higher_end(new, touched):
            return
        began_there = any(e.start == at for e in shortened) or any(c.stated for c in self.opposed(new))
        if is_end:
            self.drop_stale_first_mention(claim, index, at)
        for end in self.ends_of_stint(claim.fact, new.order()):
            if is_end or end.order() > new.order():
                self.changes.remove(end)
        for extent in touched:
            extent.holes = [hole for hole in extent.holes if hole.heard > index or not hole.spans(at - TICK)]
            extent.end, extent.end_authority = at, claim.authority
        denied_later = any(hole.spans(at - TICK) for extent in touched for hole in extent.holes)
        if is_end and not denied_later and not began_there and self.shown_just_before(at) is None:
            self.held_before(new)
        self.changes.append(new)

    def ends_of_stint(self, fact: str, order: tuple[datetime, int, int]) -> list[Change]:
        """The ends between the fact's neighbouring beginnings."""
        own = [change for change in self.line() if change.fact == fact]
        begun = [change.order() for change in own if change.begins]
        begun += [(e.start, 1, e.heard) for e in self.extents if e.fact == fact and e.start < e.end]
        before = [start for start in begun if start < order]
        after = [start for start in begun if start > order]
        return [
            change
            for change in own
            if not change.begins
            and (not before or max(before) < change.order())
            and (not after or change.order() < min(after))
        ]

    def lapsed_extent(self, fact: str, at: datetime) -> Extent | None:
        """An end lengthens an extent that had lapsed, if nothing of any fact was said to begin since."""
        lapsed = [extent for extent in self.extents if extent.fact == fact and extent.end < at]
        if not lapsed:
            return None
        last = max(lapsed, key=lambda extent: (extent.end, extent.heard))
        begun = [c.at for c in self.line() if c.begins and not c.inferred] + [e.start for e in self.extents]
        return None if any(last.end <= start < at for start in begun) else last

    def held_before(self, end: Change) -> None:
        """Nothing shows just before: f held before, back to the previous change, or with unknown beginning."""
        previous = [c.at for c in self.changes] + [e.end for e in self.extents]
        previous += [hole.start for extent in self.extents for hole in extent.holes if extent.spans(hole.start)]
        start = max((instant for instant in previous if instant < end.at), default=BEFORE_ALL)
        self.changes.append(Change(True, end.fact, start, end.heard, end.claim, start, inferred=True))

    def drop_stale_first_mention(self, claim: Claim, index: int, at: datetime) -> None:
        """A first-ever mention of f, if an observation dated after t and said before this end, is dropped."""
        heard = first_mention(claim.fact, self.order)
        first = self.order[heard]
        if heard >= index or first.says is not Says.OBSERVATION:
            return
        if vouched_stretch(first)[0] <= at or first.authority > claim.authority:
            return
        for extent in self.extents:
            if extent.cut_by and extent.cut_by.heard == heard:
                (extent.end, extent.end_authority), extent.cut_by = extent.uncut, None
        self.changes = [change for change in self.changes if change.heard != heard]
        self.changes = [change for change in self.changes if not self.is_void(change)]

    def rule_6_place_beginning(self, claim: Claim, at: datetime) -> tuple[datetime, bool, datetime]:
        """At the start of its grain; but behind another fact's beginning that was heard earlier and lies after the
        grain's start, inside the grain. Returns where, whether in the grain's last moment, and the grain's end."""
        if claim.valid_from is None or claim.valid_from.at != at:
            return (at, False, at)
        grain_end = claim.valid_from.end_of_grain
        begun = [c.at for c in self.line() if c.begins and c.fact != claim.fact]
        begun += [e.start for e in self.extents if e.told_open and e.fact != claim.fact and e.start < e.end]
        inside = [start for start in begun if at < start < grain_end]
        return behind(inside, at, grain_end, claim.stated_at)

    def rule_6_place_end(self, claim: Claim) -> tuple[datetime, bool, datetime]:
        """The same for an end, behind a beginning of its own fact at or after the grain's start."""
        assert claim.valid_from is not None
        at, grain_end = claim.valid_from.at, claim.valid_from.end_of_grain
        begun = [c.at for c in self.line() if c.begins and c.fact == claim.fact]
        begun += [e.start for e in self.extents if e.fact == claim.fact and e.start < e.end]
        inside = [start for start in begun if at <= start < grain_end]
        return behind(inside, at, grain_end, claim.stated_at)

    def rule_6_move_ends_behind(self, beginning: Change, opened: Extent | None = None) -> None:
        """A coarse end likewise moves behind a beginning inside its grain that is heard later."""
        for end in self.changes:
            if end.begins or end.fact != beginning.fact or end.claim.authority > beginning.claim.authority:
                continue
            first = end.claim.valid_from.at if end.claim.valid_from else end.at
            if first <= beginning.at < end.grain_end and end.at <= beginning.at:
                end.at, end.at_grain_end, _ = behind([beginning.at], first, end.grain_end, end.claim.stated_at)
                if opened is not None and opened.end == AFTER_ALL:
                    opened.end, opened.end_authority = end.at, end.claim.authority

    def rule_7_higher_end(self, new: Change, touched: list[Extent]) -> bool:
        """An end whose stint has an end of higher authority is not heard (nor one at the very instant at which a
        higher authority has it begin)."""
        authorities = [end.claim.authority for end in self.ends_of_stint(new.fact, new.order())]
        authorities += [extent.end_authority for extent in touched if extent.end_authority is not None]
        authorities += [beginning.claim.authority for beginning in self.opposed(new)]
        authorities += [extent.claim.authority for extent in touched if extent.start == new.at]
        return any(authority > new.claim.authority for authority in authorities)


def listen(claims: Sequence[Claim], *, one_value: bool) -> Listener:
    """Hear the claims of one line one after the other."""
    listener = Listener(said_order(claims), one_value)
    for index in range(len(listener.order)):
        listener.hear(index)
    return listener
