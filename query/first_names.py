"""First names: "Priya" in one message, "Priya Sharma" in another.

Nothing is joined: two messages that nobody said belong together are too little to put what one says upon the
other, where it would end what holds. A read by either name sees both, while only one person is known whose full
name begins so and the first name is not somebody's of their own. That is a function of what is known at the read's
point, whatever came first: as soon as a second Priya is known, or a ``split`` says that they are two, each name
is its own again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from ..kg.ids import entity_id, entity_key, normalise
from ..kg.model import PERSON, THING, Entity, Mention, Value, text_of
from ..kg.naming import first_name_in, may_be_first_name
from ..kg.ontology import SAME_AS, Ontology
from ..kg.preparation import sides_in_order
from ..kg.slots import slot_key
from ..kg.store import FactFilter, Match, Page, Point, Store, Target
from ..kg.text import cut
from ..temporal.claims import Says, said_order
from .fetching import episodes_by_id
from .names import NAMED, entities_by_name, in_order
from .people import speaker_of

_MOST: Final = 30
"""Names and facts with the first name that are looked at: with more there is no telling that it is one's alone."""
_SHOWN: Final = Page(limit=20)
_ONTOLOGY: Final = Ontology()
"""Of sameness all say the same."""


@dataclass(frozen=True, slots=True)
class Meant:
    """Entities by normalised name. ``by_first_name``, of a name: the id of the one who is there only because a
    first name is short for theirs, or theirs for the name."""

    found: Mapping[str, list[Entity]]
    by_first_name: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Same:
    """The one whose full name begins with a first name, and who is called by that alone (None: nobody)."""

    full: Entity
    short: Entity | None


async def entities_meant(
    store: Store, point: Point, names: Collection[str], first: Collection[str] | None = None
) -> Meant:
    """Whom names mean, first names read as what they are short for. ``names`` are normalised; ``first``: those of
    them that may be first names, unless all may."""
    alone = {name for name in (names if first is None else first) if may_be_first_name(name)}
    mentioned, begun = await asyncio.gather(entities_by_name(store, point, names), _with_word(store, point, alone))
    found = {name: list(some) for name, some in mentioned.items()}
    people = [name for name, some in found.items() if any(e.kind == PERSON for e in some)]
    within = {name: word for name in people if (word := first_name_in(name))}
    called = found
    if more := {*within.values()} - {*names}:
        called = found | dict(await entities_by_name(store, point, more))
    words = [w for w in sorted(alone | {*within.values()}) if all(_is_bare(e, w) for e in _others(called, w))]
    begun |= await _with_word(store, point, {*words} - begun.keys())
    known = await asyncio.gather(
        *(_same(store, point, word, _others(called, word), begun[word]) for word in words)
    )
    same = dict(zip(words, known, strict=True))
    added: dict[str, str] = {}
    for name in names:
        one = same.get(name if name in alone else within.get(name, ""))
        if one is None:
            continue
        here = {e.id for e in found.get(name, ())}
        also = one.full if name in alone else one.short if one.full.id in here else None
        if also is not None and also.id not in here:
            found[name] = [*found.get(name, ()), also]
            added[name] = also.id
    return Meant(found, added)


async def entities_called(store: Store, point: Point, name: str) -> list[Entity]:
    """Those of one name (``names.entities_of``), and whom it means as a first name."""
    key = normalise(name)
    return in_order((await entities_meant(store, point, [key])).found.get(key, []), key)


def _others(called: Mapping[str, list[Entity]], word: str) -> list[Entity]:
    """Who is called by this word, but for one whose full name begins with it as well."""
    return [e for e in called.get(word, ()) if not _is_full(e, word)]


def _is_full(entity: Entity, word: str) -> bool:
    return entity.kind in (PERSON, THING) and any(first_name_in(name) == word for name in _names(entity))


async def _with_word(store: Store, point: Point, words: Collection[str]) -> dict[str, list[Match]]:
    """Entities that have it in one of their names, by word."""
    looks = (store.match_text(replace(point, valid=None), cut(word), Target.ENTITY, _MOST) for word in words)
    return dict(zip(words, await asyncio.gather(*looks), strict=True))


async def _same(
    store: Store, point: Point, word: str, others: list[Entity], matches: Sequence[Match]
) -> _Same | None:
    """None: nobody, or more than one, may be meant by this first name, which ``matches`` have in theirs."""
    ever = replace(point, valid=None)
    ids = {match.id for match in matches} - {e.id for e in others}
    if not ids or len(matches) == _MOST or len(others) > 1:
        return None
    known = await store.entities(ever, ids)
    full = [e for e in known.values() if _is_full(e, word)]
    if len(full) != 1 or full[0].kind != PERSON:
        return None
    one = _Same(full[0], others[0] if others else None)
    return None if await _is_another(store, ever, word, one) else one


def _names(entity: Entity) -> tuple[str, ...]:
    return entity.name, *entity.aliases


def _is_bare(entity: Entity, word: str) -> bool:
    """Whether no more is known of who it is than the first name."""
    return entity.kind == PERSON and not entity.aliases and normalise(entity.name) == word


async def _is_another(store: Store, point: Point, word: str, one: _Same) -> bool:
    """Whether the first name is known to be somebody else's: of an actor, by what an actor said of themselves, or
    as a split says."""
    checks = [_is_given(store, point, word, one)]
    if one.short is not None:
        checks += [_speaks(store, point, one.short), _is_denied(store, point, one.full, one.short)]
    return any(await asyncio.gather(*checks))


async def _is_given(store: Store, point: Point, word: str, one: _Same) -> bool:
    matches = await store.match_text(point, cut(f"named {word}"), Target.FACT, _MOST)
    where = FactFilter(fact_ids=[match.id for match in matches], predicates=[NAMED])
    told = (await store.beliefs(point, where, _SHOWN)).items if matches else ()
    meant = {one.full.id, *([one.short.id] if one.short else [])}
    return any(
        b.fact.subject.id not in meant and first_name_in(text_of(b.fact.object)) == word
        for b in told
        if isinstance(b.fact.object, Value)
    )


async def _speaks(store: Store, point: Point, entity: Entity) -> bool:
    """Whether it is an actor: an actor's id is nobody else's."""
    told = (await store.beliefs(point, FactFilter(subject_ids=[entity.id]), _SHOWN)).items
    claims = [claim for belief in told for claim in belief.evidence]
    episodes = await episodes_by_id(store, point, {claim.episode_id for claim in claims})
    key = normalise(entity.name)
    spoke = (speaker_of(episodes[c.episode_id], c.quote_start) for c in claims if c.episode_id in episodes)
    return any(actor is not None and normalise(actor) == key for actor in spoke)


async def _is_denied(store: Store, point: Point, one: Entity, other: Entity) -> bool:
    slots = list(_slots(point.tenant, one, other))
    said = (await store.slot_claims(point, slots)).values()
    return any(max(claims, key=said_order).says is Says.DENIAL for claims in said if claims)


def _slots(tenant: str, one: Entity, other: Entity) -> Iterator[str]:
    """Where it is decided whether they are the same, by any two of their names."""
    for name, short in product(_names(one), _names(other)):
        sides = sides_in_order(Mention(name, one.kind), Mention(short, other.kind))
        subject, target = (entity_id(tenant, side.name, side.kind) for side in sides)
        yield slot_key(tenant, _ONTOLOGY, subject, SAME_AS, entity_key(target))
