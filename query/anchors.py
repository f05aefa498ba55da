"""The event by which a question dates itself ("before she moved"), looked up in the timeline."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from ..kg.model import Belief
from ..kg.ontology import SAME_AS, Ontology, Predicate
from ..kg.store import FactFilter, Point, Store
from ..kg.text import cut
from ..temporal.intervals import Interval
from .asking import Clause, Side
from .fetching import every_belief
from .history import as_known
from .names import NAMED
from .questions import event_words
from .wanted import Way, base_words, said_way, spoken_words, unspoken

_TICK: Final = timedelta(microseconds=1)
_ADDED: Final = frozenset(
    cut(
        "new old current whole back again away out over up off together finally recently eventually just first "
        "last start begin get go become time same own later still soon"
    )
)
"""Words that may be added to what happened without making it something else."""

_NO_EVENTS: Final = (NAMED, SAME_AS)
"""What somebody is called dates nothing: "before she was called"."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """The belief that dates a question, and the stretch that the question is about."""

    belief: Belief
    side: Side
    stretch: Interval


@dataclass(frozen=True, slots=True)
class Event:
    """What a clause says: its words, and of whom. ``groups``: one of each must be on a side of the fact.
    ``within``: when it is said to have been."""

    clause: Clause
    text: str
    groups: Sequence[Collection[str]]
    predicates: Sequence[str]
    within: Interval | None = None

    @property
    def names_something(self) -> bool:
        return len(self.groups) > 1 or bool(event_words(self.text)) or not self.text.isascii()


async def find_anchor(
    store: Store, ontology: Ontology, point: Point, event: Event, now: datetime
) -> Anchor | None:
    """None when nothing in the timeline is the event."""
    meant = [name for name in event.predicates if name not in _NO_EVENTS]
    if not event.groups:
        return None
    if found := await _found(store, ontology, point, replace(event, predicates=meant), now):
        return found
    # "Before Anthropic": whatever began with it.
    return await _found(store, ontology, point, replace(event, predicates=datable(ontology)), now, by_name=True)


async def _found(
    store: Store, ontology: Ontology, point: Point, event: Event, now: datetime, *, by_name: bool = False
) -> Anchor | None:
    """``by_name``: nothing but what the clause names."""
    if not event.predicates or (by_name and not event.names_something):
        return None
    side = event.clause.side
    held = await timeline_of(store, ontology, point, event.groups, event.predicates)
    for predicate in event.predicates:
        definition = ontology.predicate(predicate)
        beliefs = [b for b in held if b.fact.predicate == predicate and _is_all_said(event.text, b, definition)]
        if by_name and len(event.groups) == 1:
            beliefs = [b for b in beliefs if not _is_all_spoken(event.text, definition)]
        way = said_way(event.text, definition)
        dated = [(at, b) for b in beliefs if (at := _happened(b, way, side, now)) is not None]
        if event.within is not None:
            dated = [(at, b) for at, b in dated if event.within.contains(at)]
        if dated:
            at, belief = max(dated, key=lambda pair: (pair[0], pair[1].id))
            return Anchor(belief, side, _stretch(side, at, belief, way))
    return None


def datable(ontology: Ontology) -> list[str]:
    """The predicates whose facts have a time of their own: one at a time, or events."""
    found = [p for p in ontology.predicates if p.name not in _NO_EVENTS and not p.lasting]
    ones = [p.name for p in found if ontology.is_one_at_a_time(p.name)]
    return ones + [p.name for p in found if ontology.is_event(p.name)]


def _is_all_spoken(text: str, predicate: Predicate) -> bool:
    """Whether a clause has nothing that the predicate's words do not mean: "before work" names no job."""
    return not _words(text, predicate) and not unspoken(text, predicate)


def _words(text: str, predicate: Predicate) -> frozenset[str]:
    return base_words(" ".join(event_words(text))) - spoken_words(predicate) - _ADDED


def _is_all_said(text: str, belief: Belief, predicate: Predicate) -> bool:
    """Whether the belief has all that a clause says of the event: "she moved to Vienna" is no other move."""
    rest = _words(text, predicate) - set(cut(belief.fact.text))
    return not rest and all(part in belief.fact.text for part in unspoken(text, predicate))


async def timeline_of(
    store: Store, ontology: Ontology, point: Point, groups: Sequence[Collection[str]], predicates: Sequence[str]
) -> list[Belief]:
    """All periods, in order of their beginning, of facts that have one of each group on a side."""
    where = FactFilter(touching=set(groups[0]), predicates=predicates)
    rows = await every_belief(store, Point(point.tenant, None, point.known), where)
    assert point.known is not None
    seen = (as_known(row, point.known, ontology) for row in rows)
    return [b for b in seen if b is not None and _touches(b, groups)]


def _touches(belief: Belief, groups: Sequence[Collection[str]]) -> bool:
    ids = {e.id for e in belief.fact.entities}
    return all(not ids.isdisjoint(group) for group in groups)


def _happened(belief: Belief, way: Way | None, side: Side, now: datetime) -> datetime | None:
    """When the event was. After a state that is over is after its end: "after TechCorp"."""
    bound = belief.valid_to if way is Way.ENDS else belief.valid_from
    over = belief.valid_to
    if side is Side.AFTER and way in (None, Way.HOLDS) and not belief.is_event and over and over.at <= now:
        bound = over
    return None if bound is None or bound.at > now else bound.at


def _stretch(side: Side, at: datetime, belief: Belief, way: Way | None) -> Interval:
    if side is Side.BEFORE:
        return Interval(None, at)
    if side is Side.AFTER:
        return Interval(at, None)
    if way in (Way.BEGINS, Way.ENDS):
        bound = belief.valid_to if way is Way.ENDS else belief.valid_from
        assert bound is not None
        return Interval(at, max(bound.end_of_grain, at + _TICK))
    return belief.period
