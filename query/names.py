"""From names to entities."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final

from ..kg.identifiers import identifier
from ..kg.identity import sameness, spelled, who_is_who
from ..kg.ids import entity_ids, family, normalise, value_key
from ..kg.model import Belief, Claim, Entity, Fact, Value
from ..kg.ontology import SAME_AS
from ..kg.store import FactFilter, Page, Point, Store

NAMED: Final = "NAMED"
"""The predicate by which an actor's own name is known: ``NAMED(crm:4711, "Liang")``."""

_MOST: Final = Page(limit=1_000)


async def entities_by_name(store: Store, point: Point, names: Collection[str]) -> Mapping[str, list[Entity]]:
    """Entities by normalised name: those mentioned so, then those of the identifiers that people of this name (or
    the identifier, otherwise written) have, then actors who ever gave it as theirs."""
    ever = replace(point, valid=None)
    keys = {value_key(name) for name in names}
    mentioned, told, links = await asyncio.gather(
        store.find_entities(point, names),
        store.beliefs(ever, FactFilter(predicates=[NAMED], object_keys=keys), _MOST),
        _links(store, ever, {id_ for name in names for id_ in own_ids(point.tenant, name)}),
    )
    found = {name: list(entities) for name, entities in mentioned.items()}
    if links:
        await _add_related(store, point, found, {name: _related(point.tenant, name, links) for name in names})
    for belief in told.items:
        if isinstance(belief.fact.object, Value):
            _join(found, normalise(belief.fact.object.text), [belief.fact.subject])
    return found


async def _add_related(
    store: Store, point: Point, found: dict[str, list[Entity]], related: Mapping[str, Collection[str]]
) -> None:
    known = await store.find_entities(point, {other for others in related.values() for other in others})
    for name, others in related.items():
        for other in sorted(others):
            _join(found, name, known.get(other, ()))


def _join(found: dict[str, list[Entity]], name: str, more: Iterable[Entity]) -> None:
    entities = found.setdefault(name, [])
    entities += [entity for entity in more if entity.id not in {e.id for e in entities}]
    if not entities:
        del found[name]


async def as_called(store: Store, point: Point, beliefs: Collection[Belief]) -> list[Belief]:
    """The beliefs with their entities called as at ``point.known``: a read of everything ever known calls them as
    they were called last, which later writes change."""
    sides = {e.id for b in beliefs for e in (b.fact.subject, b.fact.object) if isinstance(e, Entity)}
    called = await store.entities(replace(point, valid=None), sides) if sides else {}
    return [replace(b, fact=_called(b.fact, called)) for b in beliefs]


def _called(fact: Fact, called: Mapping[str, Entity]) -> Fact:
    target = fact.object
    return replace(
        fact,
        subject=called.get(fact.subject.id, fact.subject),
        object=called.get(target.id, target) if isinstance(target, Entity) else target,
    )


def own_ids(tenant: str, name: str) -> set[str]:
    """Of all that a name could mean by itself."""
    return {id_ for written in (name, identifier(name)) if written for id_ in entity_ids(tenant, written)}


async def _links(store: Store, ever: Point, ids: set[str]) -> dict[str, Belief]:
    """All that is believed about sameness around these ids, by fact."""
    links: dict[str, Belief] = {}
    seen: set[str] = set()
    while ids:
        page = await store.beliefs(ever, FactFilter(predicates=[SAME_AS], touching=ids), _MOST)
        links |= {belief.fact.id: belief for belief in page.items}
        seen |= ids
        ids = spelled(_claims(links)).keys() - seen
    return links


def _claims(links: Mapping[str, Belief]) -> list[Claim]:
    return [claim for belief in links.values() for claim in belief.evidence]


def _related(tenant: str, name: str, links: Mapping[str, Belief]) -> set[str]:
    """What else whoever is meant by a name is called, normalised; by a name that several have, all of them."""
    claims = _claims(links)
    names = spelled(claims)
    same, of_names = sameness(claims)
    groups: defaultdict[str, set[str]] = defaultdict(set)
    who = who_is_who(names, same, of_names)
    for id_, identity in who.items():
        groups[identity.canonical_id].add(id_)
    own = own_ids(tenant, name)
    meant = own | {key for called, key in of_names if called in own}
    return {normalise(names[n]) for id_ in meant if id_ in who for n in groups[who[id_].canonical_id]} - {name}


async def entities_of(store: Store, point: Point, name: str) -> list[Entity]:
    """Those of one name, the one whose main name it is first, and of two such the one that is no skill."""
    key = normalise(name)
    return in_order((await entities_by_name(store, point, [key])).get(key, []), key)


def in_order(found: Iterable[Entity], key: str) -> list[Entity]:
    return sorted(found, key=lambda e: (normalise(e.name) != key, family(e.kind), e.id))
