"""Facts are a function of claims: what a careful listener believes who heard them in the order they were said."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import assert_never

from .claims import Claim, Period, Says, said_order
from .denials import hear_denial, spare
from .events import read_events
from .intervals import EARLIEST, LATEST
from .listening import Slate, hear_beginning, hear_end, hear_extent, hear_observation, hear_since
from .reading import read
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
    heard: dict[str, Claim] = {}
    for claim in sorted(claims, key=said_order):
        if _audible(claim, rule):
            heard.setdefault(claim.id, claim)
    lanes: dict[str, list[Claim]] = {}
    for claim in heard.values():
        lanes.setdefault(_lane_of(claim, rule), []).append(claim)
    return periods(Line(rule, {key: Lane(tuple(lane), _fold(lane, rule)) for key, lane in lanes.items()}))


@dataclass(frozen=True, slots=True)
class Lane:
    """The claims that share a line, in the order they were said, and what the listener holds after them."""

    claims: tuple[Claim, ...]
    slate: Slate


@dataclass(frozen=True, slots=True)
class Line:
    """What the listener holds of a slot. A value: hearing one more claim gives another line."""

    rule: PredicateRule
    lanes: Mapping[str, Lane] = field(default_factory=lambda: MappingProxyType({}))
    ids: frozenset[str] = frozenset()


def empty_line(rule: PredicateRule) -> Line:
    return Line(rule)


def hear(line: Line, claim: Claim) -> Line:
    """The line after one more claim. One that was said after all others is a step on a copy of the line; one said
    earlier, or a denial that takes something out of what was said before, has its lane's claims heard again.

    ``periods(hear(line, claim))`` equals ``resolve`` of all claims, in whatever order they are heard.
    """
    rule = line.rule
    if claim.id in line.ids or not _audible(claim, rule):
        return line
    key = _lane_of(claim, rule)
    lane = line.lanes.get(key) or Lane((), _fold((), rule))
    claims = list(lane.claims)
    place = bisect_left(claims, said_order(claim), key=said_order)
    claims.insert(place, claim)
    if place == len(lane.claims) and spare(claims)[:-1] == spare(lane.claims):
        slate = lane.slate.copy()
        _step(slate, claim, place)
    else:
        slate = _fold(claims, rule)
    lanes = {**line.lanes, key: Lane(tuple(claims), slate)}
    return replace(line, lanes=MappingProxyType(lanes), ids=line.ids | {claim.id})


def periods(line: Line) -> tuple[Period, ...]:
    """What the line shows, by beginning (none first), end and fact."""
    found: list[Period] = []
    for lane in line.lanes.values():
        if line.rule.kind is PredicateKind.EVENT:
            found.extend(read_events(lane.claims))
        else:
            found.extend(read(lane.slate))
    return tuple(sorted(found, key=_by_time))


def _by_time(period: Period) -> tuple[object, ...]:
    start, end = period.valid_from, period.valid_to
    return EARLIEST if start is None else start.at, LATEST if end is None else end.at, period.fact


def _lane_of(claim: Claim, rule: PredicateRule) -> str:
    """Which line a claim is heard on; an event has its own however many there may be at a time."""
    shared = rule.cardinality is Cardinality.ONE and rule.kind is PredicateKind.STATE
    return "" if shared else claim.fact


def _audible(claim: Claim, rule: PredicateRule) -> bool:
    if claim.confidence < rule.threshold:
        return False
    spans = claim.says is Says.EXTENT or claim.says is Says.DENIAL
    return not (spans and claim.valid_from and claim.valid_to and claim.valid_to.at <= claim.valid_from.at)


def _fold(claims: Sequence[Claim], rule: PredicateRule) -> Slate:
    slate = Slate(one=rule.cardinality is Cardinality.ONE)
    if rule.kind is PredicateKind.STATE:
        for place, claim in enumerate(spare(claims)):
            if claim is not None:
                _step(slate, claim, place)
    return slate


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
