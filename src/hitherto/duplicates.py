"""``Memory.duplicates``: entities that may be one, for somebody to decide."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Final

from .extraction.candidates import Found, Known, best, candidates, translations
from .extraction.likeness import has_han
from .kg.embedding import Purpose, Vectors
from .kg.ids import entity_id, entity_ids, entity_key
from .kg.model import Belief, Entity, Mention, Value
from .kg.ontology import SAME_AS
from .kg.preparation import sides_in_order
from .kg.slots import slot_key
from .kg.store import FactFilter, Point
from .pipeline import Pipeline
from .query.fetching import every
from .query.names import NAMED
from .temporal.claims import Says, said_order
from .temporal.errors import Invalid

_MANY: Final = 1_000
_MOST_EMBEDDED: Final = 20_000
"""Names of entities; with more of them only their letters are compared."""
_HANDLE: Final = re.compile(r"[^\s:]+:\S+")


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two entities that may be one: how likely (0 to 1), and why. ``memory.merge(d.a, d.b, reason=d.reason)``."""

    a: Entity
    b: Entity
    score: float
    reason: str

    def __str__(self) -> str:
        return f"{self.a.name} ~ {self.b.name} · {self.score:.2f} · {self.reason}"


@dataclass(slots=True)
class _Seen:
    """What is gathered about one entity."""

    entity: Entity
    given: set[str] = field(default_factory=set)
    """Names it gave as its own."""
    identifiers: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Finder:
    pipeline: Pipeline

    async def find(self, limit: int, at_least: float) -> list[Duplicate]:
        """See ``Memory.duplicates``."""
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            raise Invalid(f"limit={limit!r}; give at least 1")
        if isinstance(at_least, bool) or not isinstance(at_least, int | float) or math.isnan(at_least):
            raise Invalid(f"at_least={at_least!r}; give a number from 0 to 1")
        tenant = self.pipeline.tenant
        now = Point(tenant, None, await self.pipeline.store.last_commit(tenant))
        known = await self._known(now)
        entities = {one.entity.id: one.entity for one in known}
        found = best((await asyncio.to_thread(candidates, known), await self._translations(known)))
        proposed = [
            Duplicate(*_in_order(entities[a], entities[b]), score=likeness.score, reason=likeness.reason)
            for (a, b), likeness in found.items()
            if likeness.score >= at_least
        ]
        ranked = sorted(proposed, key=lambda d: (-d.score, d.a.name, d.b.name, d.a.id))
        return await self._undecided(now, ranked, limit)

    async def _known(self, now: Point) -> list[Known]:
        """The entities that facts are believed about."""
        seen: dict[str, _Seen] = {}
        async for belief in every(partial(self.pipeline.store.beliefs, now, FactFilter())):
            self._see(belief, seen)
        return [_known(one) for one in seen.values()]

    def _see(self, belief: Belief, seen: dict[str, _Seen]) -> None:
        fact = belief.fact
        if fact.predicate == SAME_AS:
            return
        for side in fact.entities:
            seen.setdefault(side.id, _Seen(side))
        if isinstance(fact.object, Value):
            if fact.predicate == NAMED:
                seen[fact.subject.id].given.add(fact.object.text)
            elif self.pipeline.ontology.predicate(fact.predicate).literal in ("email", "phone"):
                seen[fact.subject.id].identifiers.add(fact.object.text)

    async def _translations(self, known: Sequence[Known]) -> Found:
        names = sorted({name for one in known for name in one.names})
        chinese = [name for name in names if has_han(name)]
        if not 0 < len(chinese) < len(names) <= _MOST_EMBEDDED:
            return {}
        rows = await self.pipeline.embedder.embed(names, Purpose.PASSAGE)
        vectors: dict[str, Vectors] = dict(zip(names, rows, strict=True))
        return await asyncio.to_thread(translations, known, vectors)

    async def _undecided(self, now: Point, ranked: Sequence[Duplicate], limit: int) -> list[Duplicate]:
        """The first ones of whom nobody said that they are two."""
        left: list[Duplicate] = []
        for start in range(0, len(ranked), _MANY):
            some = ranked[start : start + _MANY]
            slots = {slot: number for number, d in enumerate(some) for slot in self._slots(d)}
            denied: set[int] = set()
            for slot, claims in (await self.pipeline.store.slot_claims(now, slots)).items():
                if max(claims, key=said_order).says is Says.DENIAL:
                    denied.add(slots[slot])
            left += [d for number, d in enumerate(some) if number not in denied]
            if len(left) >= limit:
                break
        return left[:limit]

    def _slots(self, duplicate: Duplicate) -> list[str]:
        """Where it is decided whether they are the same, by any two of their names."""
        tenant, ontology = self.pipeline.tenant, self.pipeline.ontology
        slots = []
        for one, other in product(*(_mentions(tenant, e) for e in (duplicate.a, duplicate.b))):
            sides = (entity_id(tenant, side.name, side.kind) for side in sides_in_order(one, other))
            subject, target = sides
            slots.append(slot_key(tenant, ontology, subject, SAME_AS, entity_key(target)))
        return slots


def _mentions(tenant: str, entity: Entity) -> list[Mention]:
    """All that it may be decided by."""
    return [
        Mention(name, kind)
        for name in (entity.name, *entity.aliases)
        for kind in entity_ids(tenant, name, entity.kind).values()
    ]


def _in_order(a: Entity, b: Entity) -> tuple[Entity, Entity]:
    return (a, b) if (a.name, a.id) <= (b.name, b.id) else (b, a)


def _known(seen: _Seen) -> Known:
    entity = seen.entity
    names = (entity.name, *entity.aliases)
    said = [name for name in names if not _HANDLE.fullmatch(name)]
    is_handle = len(said) < len(names)
    return Known(
        entity, tuple(dict.fromkeys((*said, *sorted(seen.given)))), frozenset(seen.identifiers), is_handle
    )
