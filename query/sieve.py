"""Which hits pass a filter: what it takes is looked up once, then each hit is judged on its own."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Final, Protocol

from ..kg.ids import normalise
from ..kg.model import Belief, Claim, Entity, Episode, Json
from ..kg.ontology import Ontology
from ..kg.store import EpisodeFilter, FactFilter, Page, Point, Store, Target
from ..temporal.intervals import Interval
from .fetching import chunks, episodes_by_id, every_belief
from .filters import AllOf, Filter, Not, Where, holds, leaves
from .history import as_known
from .names import entities_by_name
from .people import speaker_of
from .results import EntityHit, EpisodeHit, FactHit, Hit, Question, target_of, weighed
from .stretches import read_during

_DEEPER: Final = 8
_ENDED: Final = 0.8
_PAGE: Final = Page(limit=1_000)


@dataclass(frozen=True, slots=True)
class Conditions:
    """A ``Where`` with names looked up and times read."""

    predicates: frozenset[str] | None
    entity_ids: frozenset[str] | None
    entity_kinds: frozenset[str] | None
    actors: frozenset[str] | None
    sessions: frozenset[str] | None
    sources: frozenset[str] | None
    metadata: Mapping[str, Json] | None
    during: Interval | None
    min_confidence: float

    @property
    def of_the_message(self) -> bool:
        """Whether it takes the messages that tell a fact."""
        return not all(x is None for x in (self.actors, self.sessions, self.sources, self.metadata))

    @property
    def of_the_claim(self) -> bool:
        """Whether it takes the claims of a message."""
        return not all(x is None for x in (self.predicates, self.entity_ids, self.entity_kinds))

    @property
    def of_the_fact(self) -> bool:
        """Whether, of an entity, it takes its facts."""
        return (
            self.of_the_message
            or self.predicates is not None
            or self.during is not None
            or self.min_confidence > 0
        )


@dataclass(slots=True)
class _Material:
    """What was looked up about hits."""

    episodes: dict[str, Episode] = field(default_factory=dict)
    claims: dict[str, Sequence[Claim]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    beliefs: Mapping[str, list[Belief]] = field(default_factory=dict)
    """By entity."""


@dataclass(frozen=True, slots=True)
class Sieve:
    """A filter at a point of a store."""

    store: Store
    point: Point
    ontology: Ontology
    filter: Filter
    conditions: Mapping[Where, Conditions]

    async def keep(self, hits: Sequence[Hit]) -> list[Hit]:
        """Those that pass, in their order."""
        if not hits:
            return []
        material = await self._looked_up(hits)
        return [hit for hit in hits if self._passes(hit, material)]

    async def only_facts(self) -> frozenset[str] | None:
        """The facts that can pass, if the store can tell and they are not many; None: any may."""
        pushed = await self._pushed(self.filter)
        if pushed is None:
            return None
        found: set[str] = set()
        for point, where in pushed:
            rows = await self.store.beliefs(point, where, _PAGE)
            if rows.cursor is not None:
                return None
            found |= {belief.fact.id for belief in rows.items}
        return frozenset(found)

    async def _pushed(self, filter_: Filter) -> list[tuple[Point, FactFilter]] | None:
        """What the store can select by, one or another of which holds for all that passes."""
        if isinstance(filter_, Where):
            return await self._pushed_leaf(self.conditions[filter_])
        if isinstance(filter_, Not):
            return None
        parts = [await self._pushed(part) for part in filter_.parts]
        if isinstance(filter_, AllOf):
            return next((part for part in parts if part is not None), None)
        return None if None in parts else [where for part in parts for where in part or ()]

    async def _pushed_leaf(self, wanted: Conditions) -> list[tuple[Point, FactFilter]] | None:
        said_in = await self._said_in(wanted.sessions)
        if wanted.predicates is None and wanted.entity_ids is None and said_in is None:
            return None
        point = self.point if self.point.during else replace(self.point, during=wanted.during)
        touching = wanted.entity_ids
        where = FactFilter(predicates=wanted.predicates, touching=touching, episode_ids=said_in, archived=False)
        return [(point, where)]

    async def _said_in(self, sessions: Collection[str] | None) -> list[str] | None:
        if sessions is None:
            return None
        ids: list[str] = []
        for session in sessions:
            found = await self.store.episodes(self.point, EpisodeFilter(session=session), _PAGE)
            if found.cursor is not None:
                return None
            ids += [episode.id for episode in found.items]
        return ids

    async def _looked_up(self, hits: Sequence[Hit]) -> _Material:
        wanted = list(self.conditions.values())
        material = _Material()
        entities = [h.entity for h in hits if isinstance(h, EntityHit)]
        if entities and any(c.of_the_fact for c in wanted):
            material.beliefs = await self._beliefs_about({e.id for e in entities})
        episodes = [h.episode for h in hits if isinstance(h, EpisodeHit)]
        if episodes and any(c.of_the_claim for c in wanted):
            ids = [e.id for e in episodes]
            material.claims = dict(await self.store.episode_claims(self.point, ids))
            if any(c.entity_kinds for c in wanted):
                material.kinds = await self._kinds_of(material.claims.values())
        if any(c.of_the_message for c in wanted):
            beliefs = [h.belief for h in hits if isinstance(h, FactHit)]
            beliefs += [b for found in material.beliefs.values() for b in found]
            material.episodes = await self._episodes_of(beliefs)
        return material

    async def _beliefs_about(self, entities: Collection[str]) -> dict[str, list[Belief]]:
        predicates = {p for c in self.conditions.values() for p in c.predicates or ()}
        everything = any(c.predicates is None for c in self.conditions.values())
        where = FactFilter(touching=entities, predicates=None if everything else predicates)
        about: defaultdict[str, list[Belief]] = defaultdict(list)
        for row in await every_belief(self.store, self.point, where):
            if (belief := self._seen(row)) is not None:
                for side in {e.id for e in belief.fact.entities}:
                    about[side].append(belief)
        return about

    def _seen(self, belief: Belief) -> Belief | None:
        return None if self.point.known is None else as_known(belief, self.point.known, self.ontology)

    async def _kinds_of(self, claims: Iterable[Sequence[Claim]]) -> dict[str, str]:
        ids = {side for said in claims for c in said for side in (c.subject_id, c.object_id) if side is not None}
        return (
            {id_: normalise(e.kind) for id_, e in (await self.store.entities(self.point, ids)).items()}
            if ids
            else {}
        )

    async def _episodes_of(self, beliefs: Iterable[Belief]) -> dict[str, Episode]:
        return await episodes_by_id(self.store, self.point, {c.episode_id for b in beliefs for c in telling(b)})

    def _passes(self, hit: Hit, material: _Material) -> bool:
        def test(where: Where) -> bool:
            wanted = self.conditions[where]
            if isinstance(hit, FactHit):
                return _of_fact(wanted, hit.belief, material)
            if isinstance(hit, EpisodeHit):
                return _of_episode(wanted, hit.episode, material)
            return _of_entity(wanted, hit.entity, material)

        return holds(self.filter, test)


@dataclass(frozen=True, slots=True)
class Sources:
    """What filters are looked up in, and from when times in them are seen."""

    store: Store
    ontology: Ontology
    zone: tzinfo
    now: datetime


@dataclass(frozen=True, slots=True)
class Found:
    """Ranked hits; ``done`` are the kinds of which there are no more."""

    hits: Sequence[Hit]
    done: frozenset[Target]


class Look(Protocol):
    """Ranked hits, more than ``limit`` where there are so many; of facts only those given, unless None."""

    async def __call__(self, limit: int, only: Collection[str] | None) -> Found: ...


async def sifted(sieve: Sieve, look: Look, kinds: Collection[Target], limit: int) -> list[Hit]:
    """The hits that pass, ranked as without a filter: looks deeper until ``limit`` of each kind are there, or no
    more of it can be found."""
    only = await sieve.only_facts()
    depth = limit
    while True:
        found = await look(depth, only)
        kept = await sieve.keep(found.hits)
        counts = Counter(map(target_of, kept))
        if all(kind in found.done or counts[kind] >= limit for kind in kinds):
            return kept
        depth *= _DEEPER


async def sieve_for(sources: Sources, point: Point, filter_: Filter) -> Sieve:
    """Names are looked up, and times read, once. Raises ``Invalid`` for a predicate or a time that is none."""
    store, ontology, zone, now = sources.store, sources.ontology, sources.zone, sources.now
    conditions: dict[Where, Conditions] = {}
    for where in leaves(filter_):
        conditions[where] = Conditions(
            predicates=None if where.predicates is None else frozenset(map(ontology.forward, where.predicates)),
            entity_ids=None if where.entities is None else await _ids(store, point, where.entities),
            entity_kinds=_set(map(normalise, where.entity_kinds)) if where.entity_kinds else None,
            actors=_set(where.actors),
            sessions=_set(where.sessions),
            sources=_set(where.sources),
            metadata=where.metadata,
            during=None if where.during is None else read_during(where.during, zone, now),
            min_confidence=where.min_confidence or 0.0,
        )
    return Sieve(store, point, ontology, filter_, conditions)


def last_first(hits: Sequence[Hit], question: Question) -> list[Hit]:
    """Ranked hits for a question about a stretch: what held at its end goes a little before what did not."""
    end = question.valid
    if question.during is None or end is None:
        return list(hits)
    scored = [
        weighed(h, _ENDED, "did not hold at the end of that time")
        if isinstance(h, FactHit) and not (h.belief.is_event or h.belief.period.contains(end))
        else h
        for h in hits
    ]
    return sorted(scored, key=lambda h: -h.score)


def shares(belief: Belief, stretch: Interval) -> bool:
    """Whether the period has an instant in common with the stretch."""
    period = belief.period
    return not stretch.empty and period.low < stretch.high and period.high > stretch.low


def telling(belief: Belief) -> list[Claim]:
    """The claims by which a fact was told: those that support it, else those that end it."""
    supporting = [c for c in belief.evidence if c.supports]
    return supporting or list(belief.evidence)


def _of_fact(wanted: Conditions, belief: Belief, material: _Material) -> bool:
    sides = belief.fact.entities
    return (
        (wanted.predicates is None or belief.fact.predicate in wanted.predicates)
        and (wanted.entity_ids is None or any(e.id in wanted.entity_ids for e in sides))
        and (wanted.entity_kinds is None or any(normalise(e.kind) in wanted.entity_kinds for e in sides))
        and _told(wanted, belief, material)
    )


def _told(wanted: Conditions, belief: Belief, material: _Material) -> bool:
    """What a fact must meet whatever it is about."""
    if belief.confidence < wanted.min_confidence or (wanted.during and not shares(belief, wanted.during)):
        return False
    return not wanted.of_the_message or any(
        episode is not None and _from_message(wanted, episode, [speaker_of(episode, claim.quote_start)])
        for claim in telling(belief)
        for episode in (material.episodes.get(claim.episode_id),)
    )


def _from_message(wanted: Conditions, episode: Episode, speakers: Sequence[str | None]) -> bool:
    return (
        (wanted.actors is None or any(s in wanted.actors for s in speakers))
        and (wanted.sessions is None or episode.session in wanted.sessions)
        and (wanted.sources is None or episode.source in wanted.sources)
        and all(_has(episode.metadata, key, value) for key, value in (wanted.metadata or {}).items())
    )


def _has(metadata: Mapping[str, Json], key: str, value: Json) -> bool:
    if key not in metadata:
        return False
    there = metadata[key]
    return there == value or (isinstance(there, list) and value in there)


def _of_episode(wanted: Conditions, episode: Episode, material: _Material) -> bool:
    speakers = [episode.actor, *(turn.actor for turn in episode.turns)]
    if not _from_message(wanted, episode, speakers):
        return False
    if wanted.during is not None and not wanted.during.contains(episode.occurred_at):
        return False
    said = material.claims.get(episode.id, ())
    return not wanted.of_the_claim or any(_of_claim(wanted, claim, material.kinds) for claim in said)


def _of_claim(wanted: Conditions, claim: Claim, kinds: Mapping[str, str]) -> bool:
    sides = [side for side in (claim.subject_id, claim.object_id) if side is not None]
    return (
        (wanted.predicates is None or claim.predicate in wanted.predicates)
        and (wanted.entity_ids is None or any(side in wanted.entity_ids for side in sides))
        and (wanted.entity_kinds is None or any(kinds.get(side) in wanted.entity_kinds for side in sides))
        and claim.confidence >= wanted.min_confidence
    )


def _of_entity(wanted: Conditions, entity: Entity, material: _Material) -> bool:
    if wanted.entity_ids is not None and entity.id not in wanted.entity_ids:
        return False
    if wanted.entity_kinds is not None and normalise(entity.kind) not in wanted.entity_kinds:
        return False
    return not wanted.of_the_fact or any(
        (wanted.predicates is None or belief.fact.predicate in wanted.predicates)
        and _told(wanted, belief, material)
        for belief in material.beliefs.get(entity.id, ())
    )


async def _ids(store: Store, point: Point, given: Collection[str | Entity]) -> frozenset[str]:
    """Of each name, the entities that bear it; of what is no name, that id."""
    ids = {one.id for one in given if isinstance(one, Entity)}
    for names in chunks(sorted({one for one in given if isinstance(one, str)})):
        found = await entities_by_name(store, point, {normalise(name) for name in names})
        for name in names:
            ids |= {e.id for e in found.get(normalise(name), ())} or {name}
    return frozenset(ids)


def _set(values: Iterable[str] | None) -> frozenset[str] | None:
    return None if values is None else frozenset(values)
