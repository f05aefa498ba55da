"""Facts are a function of claims: what a careful listener believes who heard them in the order they were said."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import assert_never

from .claims import Claim, Period, Says, said_order
from .denials import hear_denial, spare
from .events import read_events
from .intervals import EARLIEST, LATEST
from .listening import Slate, hear_beginning, hear_end, hear_extent, hear_observation, hear_since
from .reading import Stretch, read
from .rules import Cardinality, PredicateKind, PredicateRule


def resolve(claims: Iterable[Claim], rule: PredicateRule) -> tuple[Period, ...]:
    """The periods believed of one slot, by beginning. Pure: any order of ``claims`` gives the same answer.

    A slot is what must be resolved together: with cardinality one all claims of a subject and predicate, with
    many those of one fact (several facts in one call do not touch each other). Facts are opaque keys here, so
    ``rule.excludes`` is not looked at: the caller, who knows which facts exclude each other (LIKES and DISLIKES
    of one object), gives their claims together under a rule of cardinality one, ``replace(rule,
    cardinality=Cardinality.ONE)``; the rule describes the slot. Kind event needs no such care: events never take
    over from one another, whatever the cardinality.

    A claim that comes twice with one id counts once. An assertion without ``valid_from`` begins at its
    ``stated_at``, derived; an extent without one is an end. An extent whose end is not after its beginning, or a
    denial of no time, says nothing.

    Bounds: as the claim has them, and INFERRED where a value ends or begins because another takes over or gives
    way (with the other's instant and grain) or because something that ended must have held before. A change that
    had to be moved within its grain keeps the grain: at the time of the statement it is DERIVED, at the grain's
    end ``grain_end`` equals ``at``, as for the end of a stated extent. About n log n in the number of claims.
    """
    return tuple(Listener(rule, claims).periods)


class Listener:
    """Hears the claims of a slot, and knows what is believed after each.

    Hearing one that was said after all others is a step, and only what shows from the instants it touches on is
    read again; one said earlier, a denial, or an event has its line heard from the beginning.
    """

    def __init__(self, rule: PredicateRule, claims: Iterable[Claim] = ()) -> None:
        self.rule = rule
        self.periods: list[Period] = []
        """What ``resolve`` answers for the claims heard so far."""
        self._ids: set[str] = set()
        self._lanes: dict[str, _Lane] = {}
        for claim in sorted(claims, key=said_order):
            if self._is_news(claim):
                self._lane_of(claim).claims.append(claim)
        for lane in self._lanes.values():
            lane.hear_all(rule)
        self._gather()

    def hear(self, claim: Claim) -> int:
        """Hear one more claim, said at any time. Gives how many of the first periods are as they were."""
        if not self._is_news(claim):
            return len(self.periods)
        lane = self._lane_of(claim)
        alone = self.rule.kind is PredicateKind.STATE and len(self._lanes) == 1
        if alone and lane.hear_last(claim):
            kept = lane.read_on()
            self.periods[kept:] = lane.periods_from(kept, self.rule)
            return kept
        insort(lane.claims, claim, key=said_order)
        lane.hear_all(self.rule)
        self._gather()
        return 0

    def _gather(self) -> None:
        found = [period for lane in self._lanes.values() for period in lane.periods_from(0, self.rule)]
        self.periods = sorted(found, key=_by_time)

    def _is_news(self, claim: Claim) -> bool:
        """Whether a claim is audible and was not heard before. Then it has been, from now on."""
        if claim.id in self._ids or claim.confidence < self.rule.threshold:
            return False
        spans = claim.says is Says.EXTENT or claim.says is Says.DENIAL
        if spans and claim.valid_from and claim.valid_to and claim.valid_to.at <= claim.valid_from.at:
            return False
        self._ids.add(claim.id)
        return True

    def _lane_of(self, claim: Claim) -> _Lane:
        """The line a claim is heard on; an event has its own however many there may be at a time."""
        shared = self.rule.cardinality is Cardinality.ONE and self.rule.kind is PredicateKind.STATE
        key = "" if shared else claim.fact
        if key not in self._lanes:
            self._lanes[key] = _Lane(Slate(one=self.rule.cardinality is Cardinality.ONE))
        return self._lanes[key]


@dataclass(slots=True)
class _Lane:
    """The claims that share a line, in the order they were said, and what the listener holds after them."""

    slate: Slate
    claims: list[Claim] = field(default_factory=list)
    shown: list[Stretch] = field(default_factory=list)

    def hear_all(self, rule: PredicateRule) -> None:
        if rule.kind is PredicateKind.EVENT:
            return
        self.slate = Slate(self.slate.one)
        for place, claim in enumerate(spare(self.claims)):
            if claim is not None:
                _step(self.slate, claim, place)
        self.shown = read(self.slate)

    def hear_last(self, claim: Claim) -> bool:
        """Hears it as a step, if that was said after all others. A denial reaches back to those."""
        if claim.says is Says.DENIAL or (self.claims and said_order(claim) <= said_order(self.claims[-1])):
            return False
        self.claims.append(claim)
        self.slate.untouched()
        _step(self.slate, claim, len(self.claims) - 1)
        return True

    def read_on(self) -> int:
        """Reads again what the last step touched. Gives how many of the first stretches are as they were."""
        # The stretch before may take its end's bound from the first that is touched.
        kept = max(bisect_left(self.shown, self.slate.touched, key=_end) - 1, 0)
        if kept:
            since = self.shown[kept]
            again = read(self.slate, since.start)
            again[0].head = since.head
            self.shown[kept:] = again
        else:
            self.shown = read(self.slate)
        return kept

    def periods_from(self, index: int, rule: PredicateRule) -> list[Period]:
        if rule.kind is PredicateKind.EVENT:
            return read_events(self.claims)
        return [Period(stretch.fact, stretch.head, stretch.tail) for stretch in self.shown[index:]]


def _end(stretch: Stretch) -> datetime:
    return stretch.end


def _by_time(period: Period) -> tuple[object, ...]:
    start, end = period.valid_from, period.valid_to
    return EARLIEST if start is None else start.at, LATEST if end is None else end.at, period.fact


def _step(slate: Slate, claim: Claim, place: int) -> None:
    match claim.says:
        case Says.OBSERVATION:
            hear_observation(slate, claim, place)
        case Says.DATED_BEGINNING:
            hear_beginning(slate, claim, place)
        case Says.SINCE:
            hear_since(slate, claim, place)
        case Says.EXTENT:
            hear_extent(slate, claim, place)
        case Says.END:
            hear_end(slate, claim, place)
        case Says.DENIAL:
            hear_denial(slate, claim, place)
        case _:
            assert_never(claim.says)
