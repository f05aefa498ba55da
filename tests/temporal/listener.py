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
    Stretch,
    denied_stretch,
    rule_1_what_is_left,
    said_order,
    vouched_stretch,
    without,
)


class DropMentionsError(Exception):
    """An end shows that these mentions were out of date: hear everything again without them."""

    def __init__(self, claims: set[int]) -> None:
        super().__init__()
        self.claims = claims


@dataclass
class Listener:
    """What he holds after the claims heard so far. ``order`` is all of them, in the order they were said."""

    order: list[Claim]
    one_value: bool
    dropped: set[int] = field(default_factory=set)
    changes: list[Change] = field(default_factory=list)
    extents: list[Extent] = field(default_factory=list)
    no_news: dict[int, Change] = field(default_factory=dict)
    """Mentions that told nothing new, with the beginning that was showing already."""

    def hear(self, index: int) -> None:
        claim = self.order[index]
        if claim.says is Says.DENIAL:
            self.rule_1_denial(claim, index)
        elif claim.says is Says.END:
            self.rule_5_end(claim, index)
        else:
            left = rule_1_what_is_left(claim, index, self.order)
            if not left or index in self.dropped:
                return
            if claim.says is Says.OBSERVATION:
                self.rule_2_observation(claim, index)
            elif claim.says is Says.DATED_BEGINNING:
                self.rule_3_beginning(claim, index, left[0][0])
            elif claim.says is Says.SINCE:
                self.rule_3_since(claim, index, left)
            else:
                self.rule_4_extent(claim, index, left)

    # ------------------------------------------------------------ what shows

    def line(self) -> list[Change]:
        """The changes from first to last, leaving out resumptions that something else came in between of."""
        return sorted((c for c in self.changes if not self.is_void(c)), key=Change.order)

    def is_void(self, change: Change) -> bool:
        """ "Resumes at the denial's ``to``, *unless another change lies between*"."""
        if change.gap is None or not change.begins:
            return False
        for other in self.changes:
            matters = other.begins or other.fact == change.fact
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
        covering = [extent for extent in self.extents if extent.covers(instant)]
        if covering:
            return max(covering, key=lambda extent: extent.heard).fact
        beginning = self.last_beginning(instant)
        return beginning.fact if beginning else None

    def shown_just_before(self, instant: datetime) -> str | None:
        return None if instant == BEFORE_ALL else self.shown_at(instant - TICK)

    # ------------------------------------------------------------ rule 1, when the denial itself is heard

    def rule_1_denial(self, denial: Claim, index: int) -> None:
        """The fact ends at its ``from`` and resumes at its ``to``; open-ended, it is an end, but it never makes
        the fact held before. A beginning inside, which no assertion vouches for, waits for the denial's end."""
        start, end = denied_stretch(denial)
        for change in list(self.changes):
            if change.begins and change.fact == denial.fact and start <= change.at < end:
                self.put_off(change, denial, (start, end))
        for extent in self.extents:
            if extent.fact == denial.fact and extent.claim.authority <= denial.authority:
                extent.holes.append((start, end))
        if end == AFTER_ALL:
            if denial.valid_from is not None:
                self.rule_5_end(denial, index)
            return
        if start == BEFORE_ALL:
            return
        held = self.last_beginning(start - TICK)
        if held is None or held.fact != denial.fact or held.claim.authority > denial.authority:
            return
        gap = (start, end)
        for earlier in list(self.changes):
            if earlier.gap and earlier.fact == denial.fact and start <= earlier.gap[0] <= end:
                gap = (start, max(gap[1], earlier.gap[1]))
                self.changes.remove(earlier)
        self.changes.append(Change(False, denial.fact, gap[0], index, denial, gap[0], gap=gap))
        self.changes.append(Change(True, denial.fact, gap[1], index, denial, gap[1], gap=gap))

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

    # ------------------------------------------------------------ rules 2 and 3: beginnings

    def rule_2_observation(self, claim: Claim, index: int) -> None:
        """If its fact shows at that instant, nothing changes: a re-mention is no news. Else it begins there."""
        at = vouched_stretch(claim)[0]
        if self.shown_at(at) == claim.fact:
            beginning = self.last_beginning(at)
            if beginning and beginning.fact == claim.fact:
                self.no_news[index] = beginning
            return
        self.begin(claim, index, at, stated=False)

    def rule_3_beginning(self, claim: Claim, index: int, at: datetime) -> Change | None:
        """Its fact begins there and goes on to the next change. It replaces beginnings of other facts at the very
        same instant."""
        return self.begin(claim, index, at, stated=True)

    def rule_3_since(self, claim: Claim, index: int, vouched: list[Stretch]) -> None:
        """The same; and if something else shows at the time it was said, it clears the changes in between and ends
        another fact's extent that covers that time. (A denial may have left several stretches: each vouches up to
        its own end.)"""
        for start, end in vouched:
            last = end - TICK
            if start != vouched[0][0] and self.shown_at(last) == claim.fact:
                continue
            change = self.rule_3_beginning(claim, index, start)
            if change is None or change.at > last or self.shown_at(last) == claim.fact:
                continue
            for other in list(self.changes):
                between = change.order() < other.order() and other.at <= last
                if between and other.claim.authority <= claim.authority:
                    self.changes.remove(other)
            until = claim.stated_at if last == claim.stated_at else end
            for extent in list(self.extents):
                if extent.fact != claim.fact and extent.spans(last):
                    self.cut(extent, until, claim)

    def begin(self, claim: Claim, index: int, at: datetime, *, stated: bool) -> Change | None:
        at, at_grain_end, grain_end = self.rule_6_place_beginning(claim, at)
        new = Change(True, claim.fact, at, index, claim, grain_end, at_grain_end)
        for other in list(self.changes):
            same_instant = other.at == at and not other.at_grain_end and not at_grain_end
            if other.begins and other.fact != claim.fact and same_instant:
                if other.claim.authority > claim.authority:
                    return None
                if stated:
                    self.changes.remove(other)
        self.rule_6_move_ends_behind(new)
        if stated:
            self.replace_inferred_beginning(claim.fact, new.order())
        for extent in list(self.extents):
            inside = extent.spans(at) and not (at_grain_end and extent.start == at)
            if extent.fact != claim.fact and inside:
                self.cut(extent, at, claim)
        self.changes.append(new)
        return new

    def replace_inferred_beginning(self, fact: str, stated: tuple[datetime, int, int]) -> None:
        """An end made the fact held before; now the beginning of that stint is heard."""
        for guess in [c for c in self.line() if c.begins and c.inferred and c.fact == fact]:
            later = [c for c in self.line() if c.fact == fact and c.order() > guess.order()]
            if guess.order() < stated and later and not later[0].begins and stated < later[0].order():
                self.changes.remove(guess)

    # ------------------------------------------------------------ rule 4: extents

    def rule_4_extent(self, claim: Claim, index: int, left: list[Stretch]) -> None:
        """Laid over the line for its stretch. When one value holds at a time it replaces the former extent of its
        fact with the same beginning. Its end also ends an open beginning of its own fact."""
        former = [e for e in self.extents if e.fact == claim.fact and e.start == left[0][0]]
        if self.one_value and former:
            if any(extent.claim.authority > claim.authority for extent in former):
                return
            self.extents = [extent for extent in self.extents if extent not in former]
        start, end = left[0][0], left[-1][1]
        extent = Extent(claim.fact, start, end, index, claim, None if end == AFTER_ALL else claim.authority)
        extent.holes = [(hole, ends) for (_, hole), (ends, _) in pairwise(left)]
        self.extents.append(extent)
        if claim.valid_from is not None:
            self.replace_inferred_beginning(claim.fact, (start, 1, index))
        if end == AFTER_ALL:
            return
        held = self.last_beginning(end - TICK)
        if held and held.fact == claim.fact and not self.ends_of_stint(claim.fact, (end, 1, index)):
            self.changes.append(Change(False, claim.fact, end, index, claim, end))

    def cut(self, extent: Extent, at: datetime, by: Claim) -> None:
        """A beginning or observation of another fact ends the extent where it falls inside. (Rule 7: not where a
        higher authority said when it ends; to end it at its very start is to take it away.)"""
        said_by_higher = extent.end_authority is not None and extent.end_authority > by.authority
        if said_by_higher or (extent.start == at and extent.claim.authority > by.authority):
            return
        extent.end, extent.end_authority, extent.ended_by = at, by.authority, None
        if extent.end <= extent.start:
            self.extents.remove(extent)

    # ------------------------------------------------------------ rule 5: ends

    def rule_5_end(self, claim: Claim, index: int) -> None:
        """ "f ends at t" matters only where f shows, and brings nothing back. (An open denial: only that.)"""
        at, at_grain_end, grain_end = self.rule_6_place_end(claim)
        new = Change(False, claim.fact, at, index, claim, grain_end, at_grain_end)
        is_end = claim.says is Says.END
        shortened = [e for e in self.extents if e.fact == claim.fact and e.spans(at)]
        lengthened = self.lapsed_extent(claim.fact, at) if is_end else None
        touched = shortened + ([lengthened] if lengthened else [])
        if self.rule_7_higher_end(new, touched):
            return
        if is_end:
            self.drop_stale_first_mention(claim, index, at)
        for end in self.ends_of_stint(claim.fact, new.order()):
            if is_end or end.order() > new.order():
                self.changes.remove(end)
        for extent in touched:
            extent.holes = without(extent.holes, (extent.end, at))
            extent.end, extent.end_authority, extent.ended_by = at, claim.authority, new
            if extent.end <= extent.start:
                self.extents.remove(extent)
        if is_end and self.shown_just_before(at) is None:
            self.held_before(new)
        self.changes.append(new)

    def ends_of_stint(self, fact: str, order: tuple[datetime, int, int]) -> list[Change]:
        """The ends between the fact's neighbouring beginnings."""
        own = [change for change in self.line() if change.fact == fact]
        before = [change.order() for change in own if change.begins and change.order() < order]
        after = [change.order() for change in own if change.begins and change.order() > order]
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
        previous = [c.at for c in self.line() if c.at < end.at] + [e.end for e in self.extents if e.end < end.at]
        start = max(previous, default=BEFORE_ALL)
        self.changes.append(Change(True, end.fact, start, end.heard, end.claim, start, inferred=True))

    def drop_stale_first_mention(self, claim: Claim, index: int, at: datetime) -> None:
        """A first-ever mention of f, if it is an observation dated after t and said before this end, is dropped
        (and with it the mentions that only repeated it)."""
        mentions = [
            i
            for i, other in enumerate(self.order)
            if other.fact == claim.fact
            and other.says is not Says.DENIAL
            and (other.says is Says.END or rule_1_what_is_left(other, i, self.order))
        ]
        first = mentions[0]
        mention = self.order[first]
        if first >= index or first in self.dropped or mention.says is not Says.OBSERVATION:
            return
        if vouched_stretch(mention)[0] <= at or mention.authority > claim.authority:
            return
        repeated = {i for i, beginning in self.no_news.items() if beginning.heard == first}
        raise DropMentionsError({first} | repeated)

    # ------------------------------------------------------------ rule 6: grain

    def rule_6_place_beginning(self, claim: Claim, at: datetime) -> tuple[datetime, bool, datetime]:
        """At the start of its grain; but behind another fact's beginning that was heard earlier and lies after the
        grain's start, inside the grain. Returns where, whether in the grain's last moment, and the grain's end."""
        if claim.valid_from is None or claim.valid_from.at != at:
            return (at, False, at)
        grain_end = claim.valid_from.end_of_grain
        inside = [c.at for c in self.line() if c.begins and c.fact != claim.fact and at < c.at < grain_end]
        return self.behind(inside, at, grain_end, claim.stated_at)

    def rule_6_place_end(self, claim: Claim) -> tuple[datetime, bool, datetime]:
        """The same for an end, behind a beginning of its own fact at or after the grain's start."""
        assert claim.valid_from is not None
        at, grain_end = claim.valid_from.at, claim.valid_from.end_of_grain
        begun = [c.at for c in self.line() if c.begins and c.fact == claim.fact]
        begun += [extent.start for extent in self.extents if extent.fact == claim.fact]
        inside = [start for start in begun if at <= start < grain_end]
        return self.behind(inside, at, grain_end, claim.stated_at)

    @staticmethod
    def behind(
        inside: list[datetime], at: datetime, grain_end: datetime, said: datetime
    ) -> tuple[datetime, bool, datetime]:
        """At the time it was said if that lies inside the grain and later than that change, else at the end."""
        if not inside:
            return (at, False, grain_end)
        if max(inside) < said < grain_end:
            return (said, False, grain_end)
        return (grain_end, True, grain_end)

    def rule_6_move_ends_behind(self, beginning: Change) -> None:
        """A coarse end likewise moves behind a beginning inside its grain that is heard later."""
        for end in self.changes:
            if end.begins or end.fact != beginning.fact or end.claim.authority > beginning.claim.authority:
                continue
            first = end.claim.valid_from.at if end.claim.valid_from else end.at
            if first <= beginning.at < end.grain_end and end.order() < beginning.order():
                end.at, end.at_grain_end, _ = self.behind(
                    [beginning.at], first, end.grain_end, end.claim.stated_at
                )
                for extent in self.extents:
                    if extent.ended_by is end:
                        extent.end = end.at

    # ------------------------------------------------------------ rule 7: authority

    def rule_7_higher_end(self, new: Change, touched: list[Extent]) -> bool:
        """An end whose stint has an end of higher authority is not heard."""
        authorities = [end.claim.authority for end in self.ends_of_stint(new.fact, new.order())]
        authorities += [extent.end_authority for extent in touched if extent.end_authority is not None]
        return any(authority > new.claim.authority for authority in authorities)


def listen(claims: Sequence[Claim], *, one_value: bool) -> Listener:
    """Hear the claims of one line one after the other."""
    order = said_order(claims)
    dropped: set[int] = set()
    while True:
        listener = Listener(order, one_value, dropped)
        try:
            for index in range(len(order)):
                listener.hear(index)
        except DropMentionsError as stale:
            dropped = dropped | stale.claims
        else:
            return listener
