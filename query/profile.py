"""Whom a block is about: what must be heeded of them, and what else is believed of them, whatever is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from ..kg.model import PERSON, Belief, Entity
from ..kg.store import FactFilter, Page, Point
from .fetching import every_belief
from .history import as_known
from .names import NAMED
from .understanding import Library

_SUBJECTS: Final = 3
"""People a profile is about."""
_MOST: Final = Page(limit=200)
_WEIGHTY: Final = 0.6
"""Importance of predicates that are asked for by themselves where more is believed than that."""
_CONSTRAINTS: Final = frozenset({"ALLERGIC_TO", "CANNOT_EAT"})
"""Predicates whose facts are constraints: harm comes of forgetting them."""


async def read_constraints(library: Library, point: Point, entities: Sequence[Entity]) -> list[Belief]:
    """What must be heeded of all of them at the point, however many they are."""
    if not entities:
        return []
    where = FactFilter(subject_ids=[e.id for e in entities], predicates=_CONSTRAINTS, archived=False)
    seen = _seen(await every_belief(library.store, point, where), library, point)
    return sorted(seen, key=_place)


async def read_profile(library: Library, point: Point, entities: Sequence[Entity]) -> list[Belief]:
    """The states of the likeliest of them at the point, without constraints; the most important first, in an order
    that does not depend on how a question is put. People go before all else."""
    people = [e for e in entities if e.kind == PERSON] or list(entities)
    if not people:
        return []
    where = FactFilter(subject_ids=[e.id for e in people[:_SUBJECTS]], archived=False)
    found = await library.store.beliefs(point, where, _MOST)
    rows = {row.id: row for row in found.items}
    if found.cursor is not None:
        weighty = [p.name for p in library.ontology.predicates if p.importance >= _WEIGHTY]
        more = await library.store.beliefs(point, replace(where, predicates=weighty), _MOST)
        rows |= {row.id: row for row in more.items}
    seen = _seen(rows.values(), library, point)
    states = [b for b in seen if not b.is_event and b.fact.predicate not in _CONSTRAINTS | {NAMED}]
    return sorted(states, key=lambda b: (-library.ontology.importance_of(b.fact.predicate), *_place(b)))


def _place(belief: Belief) -> tuple[str, ...]:
    fact = belief.fact
    return fact.subject.name, fact.subject.id, fact.predicate, fact.text, belief.id


def _seen(found: Iterable[Belief], library: Library, point: Point) -> list[Belief]:
    if point.known is None:
        return []
    seen = (as_known(belief, point.known, library.ontology) for belief in found)
    return [belief for belief in seen if belief is not None]
