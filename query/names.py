"""From names to entities."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from ..kg.ids import normalise, value_key
from ..kg.model import Entity, Value
from ..kg.store import FactFilter, Page, Point, Store

NAMED: Final = "NAMED"
"""The predicate by which an actor's own name is known: ``NAMED(crm:4711, "Liang")``."""

_MOST: Final = Page(limit=1_000)


async def entities_by_name(store: Store, point: Point, names: Collection[str]) -> Mapping[str, list[Entity]]:
    """Entities by normalised name: those mentioned so, then actors who ever gave it as theirs."""
    found = {name: list(entities) for name, entities in (await store.find_entities(point, names)).items()}
    keys = {value_key(name) for name in names}
    named = await store.beliefs(
        replace(point, valid=None), FactFilter(predicates=[NAMED], object_keys=keys), _MOST
    )
    for belief in named.items:
        fact = belief.fact
        if isinstance(fact.object, Value):
            entities = found.setdefault(normalise(fact.object.text), [])
            if fact.subject.id not in {e.id for e in entities}:
                entities.append(fact.subject)
    return found


async def entities_of(store: Store, point: Point, name: str) -> list[Entity]:
    """Those of one name, the one whose main name it is first."""
    key = normalise(name)
    found = (await entities_by_name(store, point, [key])).get(key, [])
    return sorted(found, key=lambda e: (normalise(e.name) != key, e.id))
