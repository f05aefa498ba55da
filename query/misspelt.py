"""Names in a filter that nothing has, and that look like a misspelt one of the ontology."""

from __future__ import annotations

from typing import Final

from ..kg.ids import normalise
from ..kg.ontology import Ontology
from ..kg.store import FactFilter, Page, Point, Store
from ..temporal.errors import Invalid
from .arguments import nearest
from .filters import Filter, leaves

_NEAR: Final = 0.8
"""Likeness of two names from which one is taken for the other, misspelt."""


async def check_predicates(store: Store, tenant: str, ontology: Ontology, filter_: Filter) -> None:
    """Raises ``Invalid`` for a predicate that no fact of the tenant ever had and that looks like one the ontology
    has; any other may come with the next message."""
    given = dict.fromkeys(name for where in leaves(filter_) for name in where.predicates or ())
    for name in given:
        if ontology.forward(name) in ontology.names or (near := nearest(name, ontology.names, _NEAR)) is None:
            continue
        if not (await store.beliefs(Point(tenant), FactFilter(predicates=[name]), Page(limit=1))).items:
            raise Invalid(f"where: no fact has the predicate {name!r}; did you mean {near!r}?")


def check_kinds(ontology: Ontology, filter_: Filter) -> None:
    """Raises ``Invalid`` for a kind that looks like one of the ontology's: of a filter that nothing passed."""
    kinds = {kind for p in ontology.predicates for kind in (p.subject, p.object)}
    plain = {normalise(kind): kind for kind in kinds}
    for where in leaves(filter_):
        for kind in where.entity_kinds or ():
            if normalise(kind) not in plain and (near := nearest(normalise(kind), plain, _NEAR)) is not None:
                raise Invalid(f"where: nothing of the kind {kind!r}; did you mean {plain[near]!r}?")
