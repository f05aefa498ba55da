"""The careful listener: what each kind of claim does to the line and to the extents laid over it.

Each ``hear_*`` takes one claim, said after all that went before, and changes the slate in place. The rules are
those of the design page ("A careful listener"), by number.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from datetime import datetime

from .changes import AS_SAID, AT_GRAIN_END, Change, Changes, Role, after
from .claims import Claim
from .extents import NOBODY, Extent, Extents
from .grains import Basis, Bound
from .intervals import EARLIEST, LATEST


@dataclass(slots=True)
class Slate:
    """What the listener holds of facts that share one line.

    ``one``: one value holds at a time (else the line is of one fact alone). ``first`` has, for each fact ever
    mentioned, the beginning that its first mention put on the line if that was an observation.
    """

    one: bool
    changes: Changes = field(default_factory=Changes)
    extents: Extents = field(default_factory=Extents)
    first: dict[str, Change | None] = field(default_factory=dict)

    @property
    def touched(self) -> datetime:
        """Before this instant the same shows as when ``untouched`` was called last."""
        return min(self.changes.touched, self.extents.touched)

    def untouched(self) -> None:
        self.changes.touched = self.extents.touched = LATEST

    def shows_at(self, instant: datetime) -> str | None:
        top = self.extents.top_at(instant) if self.extents else None
        return top.fact if top else self.changes.fact_at(after(instant))

    def shows_before(self, instant: datetime) -> str | None:
        top = self.extents.top_before(instant) if self.extents else None
        return top.fact if top else self.changes.fact_at((instant,))

    def stint(self, end: Change) -> list[Change]:
        """The ends of a fact between its neighbouring beginnings; an extent begins something too."""
        return self.changes.stint(end, *self.extents.starts_around(end))


def inferred(bound: Bound | None) -> Bound | None:
    return bound and replace(bound, basis=Basis.INFERRED)


def beginning_of(claim: Claim) -> Bound:
    """A statement without a date begins at its episode's time."""
    return claim.valid_from or Bound(claim.stated_at, basis=Basis.DERIVED)


def change_of(claim: Claim, seq: int, bound: Bound) -> Change:
    return Change(bound.at, AS_SAID, claim.authority, seq, claim.fact, bound, claim.stated_at)


def hear_observation(slate: Slate, claim: Claim, seq: int) -> None:
    """Rule 2. A re-mention is no news."""
    if slate.shows_at(beginning_of(claim).at) == claim.fact:
        return
    begin = _place_begin(slate, change_of(claim, seq, beginning_of(claim))._replace(role=Role.MENTION))
    if _overruled(slate, begin):
        return
    _begin(slate, begin)
    slate.first.setdefault(claim.fact, begin)


def hear_beginning(slate: Slate, claim: Claim, seq: int) -> Change | None:
    """Rule 3, dated beginning. None: it is not heard, because a higher authority has that very instant."""
    slate.first.setdefault(claim.fact, None)
    begin = _place_begin(slate, change_of(claim, seq, beginning_of(claim)))
    if _overruled(slate, begin):
        return None
    _begin(slate, begin)
    _replace_beginnings(slate, begin)
    if slate.changes.fact_at(after(begin.at)) == begin.fact:
        _forget_guess(slate, begin)
    return begin


def hear_since(slate: Slate, claim: Claim, seq: int) -> None:
    """Rule 3, since. ``valid_to`` is where a denial cuts short what it vouches for; it then stands for the time
    when it was said, itself left out."""
    begin = hear_beginning(slate, claim, seq)
    cut = claim.valid_to
    said = cut.at if cut else claim.stated_at
    shows = slate.shows_before(said) if cut else slate.shows_at(said)
    if begin is None or said < begin.at or shows == claim.fact:
        return
    changes, last = slate.changes, (said,) if cut else after(said)
    for change in changes.begins[bisect_right(changes.begins, begin) : bisect_left(changes.begins, last)]:
        if change.authority <= claim.authority:
            changes.drop_begin(change)
    for change in changes.ends[bisect_right(changes.ends, begin) : bisect_left(changes.ends, last)]:
        if change.authority <= claim.authority:
            changes.drop_end(change)
    for extent in slate.extents.covering(said - said.resolution if cut else said, but=claim.fact):
        _cut(slate, extent, begin)


def hear_extent(slate: Slate, claim: Claim, seq: int) -> None:
    """Rule 4. One without an end takes over as a beginning does: it ends the extents of other facts that cover its
    start, and ends itself where its fact was said to end within its grain."""
    if claim.valid_from is None:
        _hear_open_start(slate, claim, seq)
        return
    slate.first.setdefault(claim.fact, None)
    begin = change_of(claim, seq, claim.valid_from)
    end = claim.valid_to
    if slate.one and not _replace_extents(slate, begin, end):
        return
    moved = _move_ends(slate, begin)
    _forget_guess(slate, begin)
    if end is None:
        _cut_extents(slate, begin)
    extent = Extent(
        start=begin.at,
        seq=seq,
        end=end.at if end else LATEST,
        fact=claim.fact,
        head=claim.valid_from,
        tail=end,
        authority=claim.authority,
        end_authority=claim.authority if end else NOBODY,
        open_said=end is None,
    )
    slate.extents.add(extent)
    if end is None and moved:
        set_end(slate, extent, moved[-1])
    elif end and slate.changes.fact_at((end.at,)) == claim.fact:
        put_end(slate, change_of(claim, seq, end)._replace(rank=AT_GRAIN_END))


def _hear_open_start(slate: Slate, claim: Claim, seq: int) -> None:
    """An extent without a beginning says no more than that its fact ended; without both, that it holds."""
    if claim.valid_to is None:
        hear_observation(slate, claim, seq)
    else:
        hear_end(slate, replace(claim, valid_from=claim.valid_to, valid_to=None), seq)


def hear_end(slate: Slate, claim: Claim, seq: int) -> None:
    """Rule 5."""
    first = slate.first.setdefault(claim.fact, None)
    end = _place_end(slate, change_of(claim, seq, beginning_of(claim)))
    stretches = [
        extent
        for extent in slate.extents.covering(end.at)
        if extent.fact == claim.fact and (extent.start < end.at or end.rank == AS_SAID)
    ]
    lapsed = None if stretches else _lapsed(slate, end)
    if lapsed:
        stretches = [lapsed]
    if any(old.authority > claim.authority for old in slate.stint(end)):
        return
    if any(extent.end_authority > claim.authority or _begun_by_higher(extent, end) for extent in stretches):
        return
    if first and first.at > end.at and first.authority <= claim.authority:
        _drop_first_mention(slate, first)
    for extent in stretches:
        set_end(slate, extent, end)
    for old in slate.stint(end):
        if old.authority <= claim.authority:
            slate.changes.drop_end(old)
    opening = slate.changes.nearest_begin(claim.fact, after(end.at))
    begun_there = opening is not None and opening.at == end.at and opening.role is not Role.MENTION
    if not begun_there and not stretches and slate.shows_before(end.at) is None:
        slate.changes.add_begin(_guess(slate, end))
    slate.changes.add_end(end)


def put_end(slate: Slate, end: Change) -> None:
    """Ends the stint there if that is earlier than it ended so far; never makes the fact hold longer or before."""
    earlier = slate.stint(end)
    if any(old.authority > end.authority for old in earlier):
        return
    for old in earlier:
        if old > end:
            slate.changes.drop_end(old)
    slate.changes.add_end(end)


def set_end(slate: Slate, extent: Extent, end: Change) -> None:
    """Moves the end of an extent. At its very start that leaves an empty one, which may yet be lengthened."""
    ended = extent._replace(end=end.at, tail=end.bound, end_authority=end.authority, uncut=None)
    slate.extents.exchange(extent, ended, min(extent.end, ended.end))
    end_under(slate, extent, end)


def end_under(slate: Slate, extent: Extent, end: Change) -> None:
    """Where an extent ends whose claim gave no end, what the line has under it ends too: nothing comes back."""
    under = slate.changes.fact_at((end.at,))
    if extent.open_said and under is not None and under != end.fact:
        put_end(slate, end._replace(fact=under, role=Role.STATED))


def _begin(slate: Slate, begin: Change) -> None:
    _cut_extents(slate, begin)
    slate.changes.add_begin(begin)
    if slate.changes.fact_at(after(begin.at)) == begin.fact:
        _move_ends(slate, begin)


def _overruled(slate: Slate, begin: Change) -> bool:
    """Rule 7: whether a claim of higher authority put the end of this fact, or the beginning of another, exactly
    there."""
    at, last = (begin.at,), after(begin.at)
    begins, ends = slate.changes.begins, slate.changes.ends_of(begin.fact)
    there = [old for old in begins[bisect_left(begins, at) : bisect_left(begins, last)] if old.fact != begin.fact]
    there += ends[bisect_left(ends, at) : bisect_left(ends, last)]
    return any(old.authority > begin.authority and old.rank == begin.rank for old in there)


def _begun_by_higher(extent: Extent, end: Change) -> bool:
    return extent.start == end.at and extent.authority > end.authority


def _place_begin(slate: Slate, begin: Change) -> Change:
    """Rule 6, for a beginning: behind the last beginning of another fact inside its grain."""
    grain = begin.grain
    if grain.empty:
        return begin
    row = slate.changes.begins
    index = bisect_left(row, (grain.high,)) - 1
    while index >= 0 and row[index].fact == begin.fact:
        index -= 1
    last = row[index] if index >= 0 and row[index].at > grain.low else None
    for extent in slate.extents.starting_between(grain.low, grain.high):
        if extent.open_said and extent.fact != begin.fact and extent.start > grain.low:
            if last is None or extent.start > last.at:
                last = begin._replace(at=extent.start)
            break
    return begin.behind(last) if last else begin


def _place_end(slate: Slate, end: Change) -> Change:
    """Rule 6, for an end: behind the last beginning of its own fact inside its grain."""
    grain = end.grain
    if grain.empty:
        return end
    row = slate.changes.begins_of(end.fact)
    index = bisect_left(row, (grain.high,)) - 1
    last = row[index] if index >= 0 and row[index].at >= grain.low else None
    for extent in slate.extents.starting_between(grain.low, grain.high):
        if extent.fact == end.fact:
            if last is None or extent.start > last.at:
                last = end._replace(at=extent.start)
            break
    return end.behind(last) if last else end


def _move_ends(slate: Slate, begin: Change) -> list[Change]:
    """Rule 6, last sentence: coarse ends of the fact with this beginning inside their grain move behind it."""
    changes = slate.changes
    row = changes.ends_of(begin.fact)
    index = bisect_left(row, after(begin.at)) - 1
    behind: list[Change] = []
    while index >= 0 and begin.at - row[index].at < changes.widest:
        if row[index].grain.contains(begin.at) and row[index].authority <= begin.authority:
            behind.append(row[index])
        index -= 1
    moved = [end.behind(begin) for end in behind]
    for old, new in zip(behind, moved, strict=True):
        changes.drop_end(old)
        changes.add_end(new)
    return sorted(moved)


def _replace_beginnings(slate: Slate, begin: Change) -> None:
    """A correction: what was said to begin at the very same instant gives way."""
    row = slate.changes.begins
    for old in row[bisect_left(row, (begin.at, AS_SAID)) : bisect_left(row, begin)]:
        slate.changes.drop_begin(old)


def _forget_guess(slate: Slate, begin: Change) -> None:
    """A stated beginning takes the place of an unknown one, if what is known to have ended ended after it."""
    row, ends = slate.changes.begins_of(begin.fact), slate.changes.ends_of(begin.fact)
    index = bisect_left(row, begin) - 1
    while index >= 0 and row[index].role is Role.GAP:
        index -= 1
    if index < 0 or row[index].role is not Role.GUESS:
        return
    ended = (end for end in ends[bisect_right(ends, row[index]) :] if end.role is not Role.GAP)
    end = next(ended, None)
    if end and end > after(begin.at):
        slate.changes.drop_begin(row[index])


def _guess(slate: Slate, end: Change) -> Change:
    """What ended had held before: back to the previous change, or nobody knows since when."""
    guess = end._replace(role=Role.GUESS)
    change = slate.changes.last_before((end.at,))
    since: tuple[datetime, Bound | None] = (change.at, change.bound) if change else (EARLIEST, None)
    if slate.extents:
        since = max(since, slate.extents.last_shown_before(end.at), key=lambda shown: shown[0])
    return guess._replace(at=since[0], source=inferred(since[1]))


def _lapsed(slate: Slate, end: Change) -> Extent | None:
    """The extent that ``end`` lengthens: the last of its fact before it, if nothing was said to begin since."""
    extent = slate.extents.lapsed(end.fact, end.at)
    if extent is None or (extent.end == end.at and extent.end_authority > end.authority):
        return None
    begun = any(
        change.role not in (Role.GUESS, Role.GAP) for change in slate.changes.begun_between(extent.end, end.at)
    )
    begun = begun or any(True for _ in slate.extents.starting_between(extent.end, end.at))
    return None if begun else extent


def _drop_first_mention(slate: Slate, first: Change) -> None:
    """Rule 5, last sentence. Extents that it had cut go on."""
    slate.changes.drop_begin(first)
    for extent in slate.extents.ending_at(first.at):
        if extent.cut_by == first.seq and extent.uncut:
            slate.extents.exchange(extent, extent.uncut, extent.start)


def _cut_extents(slate: Slate, begin: Change) -> None:
    """Rule 4: a beginning of another fact, said later and falling inside, ends an extent there."""
    for extent in slate.extents.covering(begin.at, but=begin.fact):
        if extent.start < begin.at or begin.rank == AS_SAID:
            _cut(slate, extent, begin)


def _cut(slate: Slate, extent: Extent, begin: Change) -> None:
    """An extent of higher authority stands; an end that nobody stated may be set by anybody."""
    whole = extent.start >= begin.at
    if (extent.authority if whole else extent.end_authority) > begin.authority:
        return
    if whole:
        slate.extents.drop(extent)
    else:
        before = extent._replace(cut_by=-1, uncut=None)
        cut = extent._replace(end=begin.at, tail=inferred(begin.bound), cut_by=begin.seq, uncut=before)
        slate.extents.exchange(extent, cut, begin.at)


def _replace_extents(slate: Slate, begin: Change, end: Bound | None) -> bool:
    """Rule 4: a later-said extent of the same fact with the same beginning replaces the former. False: a former of
    higher authority stands (with the new end, if it had none), and the new one is not laid."""
    former = [
        extent
        for extent in slate.extents.starting_between(begin.at, begin.at + begin.at.resolution)
        if extent.fact == begin.fact
    ]
    higher = [extent for extent in former if extent.authority > begin.authority]
    if higher:
        for extent in higher:
            if end and extent.end_authority <= begin.authority:
                set_end(slate, extent, begin._replace(at=end.at, source=end))
        return False
    for extent in former:
        slate.extents.drop(extent)
        for old in [old for old in slate.changes.ends_of(extent.fact) if old.seq == extent.seq]:
            slate.changes.drop_end(old)
    return True
