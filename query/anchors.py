"""The event by which a question dates itself ("before she moved"), looked up in the timeline."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from ..kg.model import Belief
from ..kg.ontology import Ontology
from ..kg.store import FactFilter, Point, Store
from ..temporal.intervals import Interval
from .asking import Clause, Side
from .fetching import every_belief
from .history import as_known
from .wanted import Way, said_way

_TICK: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Anchor:
    """The belief that dates a question, and the stretch that the question is about."""

    belief: Belief
    side: Side
    stretch: Interval


@dataclass(frozen=True, slots=True)
class Event:
    """What a clause says: its words, and of whom. ``groups``: one of each must be on a side of the fact."""

    clause: Clause
    text: str
    groups: Sequence[Collection[str]]
    predicates: Sequence[str]


async def find_anchor(
    store: Store, ontology: Ontology, point: Point, event: Event, now: datetime
) -> Anchor | None:
    """None when nothing in the timeline is the event."""
    if not event.groups or not event.predicates:
        return None
    held = await timeline_of(store, ontology, point, event.groups, event.predicates)
    for predicate in event.predicates:
        beliefs = [b for b in held if b.fact.predicate == predicate]
        way = said_way(event.text, ontology.predicate(predicate))
        dated = [(at, b) for b in beliefs if (at := _happened(b, way)) is not None and at <= now]
        if dated:
            at, belief = max(dated, key=lambda pair: (pair[0], pair[1].id))
            return Anchor(belief, event.clause.side, _stretch(event.clause.side, at, belief, way))
    return None


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


def _happened(belief: Belief, way: Way | None) -> datetime | None:
    bound = belief.valid_to if way is Way.ENDS else belief.valid_from
    return None if bound is None else bound.at


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
