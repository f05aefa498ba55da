"""Small worlds to write into a store: episodes, facts, claims and periods without any language behind them."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Final

import numpy as np
from hypothesis import HealthCheck, settings

from ..kg.embedding import Vectors
from ..kg.ids import entity_id, entity_key, fact_id, make_id, value_key
from ..kg.model import (
    Belief,
    Claim,
    Entity,
    Episode,
    EpisodeStatus,
    Fact,
    Mention,
    StoredPeriod,
    Turn,
    Value,
)
from ..kg.store import (
    EpisodeFilter,
    FactFilter,
    FactRow,
    Match,
    Page,
    Point,
    Sighting,
    Slice,
    Store,
    Target,
    Transaction,
)
from ..kg.text import cut
from ..temporal.claims import Says
from ..temporal.grains import Basis, Bound, Grain

EMBEDDER: Final = "contract"
DIMENSION: Final = 8
START: Final = datetime(2024, 1, 1, tzinfo=UTC)
EVERYTHING: Final = Page(limit=10_000)


fresh = count()
"""Numbers for names that no other example of a property uses."""


def examples(number: int) -> settings:
    """Settings of a property that shares its store among examples (they write into tenants of their own)."""
    shared = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors, HealthCheck.too_slow]
    return settings(deadline=None, max_examples=number, suppress_health_check=shared)


class SetClock:
    """A clock that goes on by ``step`` with every look, from what it was set to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.step = timedelta(seconds=1)

    def __call__(self) -> datetime:
        self.now += self.step
        return self.now


def day(n: int) -> datetime:
    """The start of day ``n`` after the first of 2024."""
    return START + timedelta(days=n)


def on(n: int, basis: Basis = Basis.STATED) -> Bound:
    """Day ``n`` as a bound, said to the day."""
    return Bound(day(n), Grain.DAY, day(n + 1), basis)


def vector_of(text: str) -> Vectors:
    """A unit vector that is always the same for a text, and another one for another."""
    numbers = np.random.default_rng(zlib.crc32(text.encode())).normal(size=DIMENSION)
    return (numbers / np.linalg.norm(numbers)).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Told:
    """One fact to tell: ``object`` an entity's name, or a ``Value``; days count from the first of 2024."""

    subject: str
    predicate: str
    object: str | Value
    start: int | None = 0
    end: int | None = None
    is_event: bool = False
    text: str | None = None

    @property
    def bounds(self) -> tuple[Bound | None, Bound | None]:
        return (
            None if self.start is None else on(self.start),
            None if self.end is None else on(self.end),
        )


@dataclass(frozen=True, slots=True)
class Teller:
    """Writes into one tenant of a store as the engine does, one transaction a call."""

    store: Store
    tenant: str

    def entity(self, name: str) -> str:
        """The entity's id."""
        return entity_id(self.tenant, name)

    def episode(self, id_: str, text: str = "", n: int = 0, session: str | None = None) -> Episode:
        """An episode said on day ``n``, not yet stored, its claims taken as read."""
        text = text or f"episode {id_}"
        turns = (Turn(0, len(text), day(n)),)
        return Episode(
            id=id_, text=text, occurred_at=day(n), turns=turns, session=session, status=EpisodeStatus.DONE
        )

    def fact(self, told: Told) -> Fact:
        subject = Entity(self.entity(told.subject), told.subject)
        if isinstance(told.object, Value):
            target: Entity | Value = told.object
            name, key = told.object.text, value_key(told.object.text)
        else:
            target = Entity(self.entity(told.object), told.object)
            name, key = told.object, entity_key(target.id)
        text = told.text or f"{told.subject} {told.predicate.replace('_', ' ').lower()} {name}"
        return Fact(fact_id(self.tenant, subject.id, told.predicate, key), subject, told.predicate, target, text)

    def claim(self, told: Told, episode_id: str, position: int = 0) -> Claim:
        fact = self.fact(told)
        target = fact.object
        return Claim(
            id=make_id(self.tenant, "claim", episode_id, fact.id, position),
            fact=fact.id,
            says=Says.EXTENT,
            valid_from=told.bounds[0],
            valid_to=told.bounds[1],
            stated_at=day(told.start or 0),
            position=position,
            confidence=0.9,
            episode_id=episode_id,
            subject_id=fact.subject.id,
            subject=Mention(told.subject, "Person"),
            predicate=told.predicate,
            object_id=None if isinstance(target, Value) else target.id,
            object=target if isinstance(target, Value) else Mention(target.name),
            quote=fact.text,
            quote_start=0,
            quote_end=len(fact.text),
        )

    def slot(self, told: Told) -> str:
        return make_id(self.tenant, "slot", self.fact(told).id)

    def period(self, told: Told, instant: datetime) -> StoredPeriod:
        start, end = told.bounds
        fact = self.fact(told)
        id_ = make_id(self.tenant, "period", fact.id, repr(start), repr(end), instant.isoformat())
        return StoredPeriod(id_, self.slot(told), fact.id, start, end, instant)

    async def tell(
        self, episode_id: str, *told: Told, text: str = "", n: int = 0, session: str | None = None
    ) -> datetime:
        """An episode that says these facts, each of which is then believed for its stretch; the instant."""
        episode = self.episode(episode_id, text, n, session)

        async def work(tx: Transaction) -> datetime:
            await tx.put_episode(episode, vector_of(episode.text))
            await self.put(tx, episode_id, told)
            await tx.put_periods([self.period(one, tx.instant) for one in told])
            return tx.instant

        return await self.store.write(self.tenant, work)

    async def put(self, tx: Transaction, episode_id: str, told: Sequence[Told]) -> None:
        """The facts with their claims and entities, without believing them."""
        facts = [self.fact(one) for one in told]
        claims = [self.claim(one, episode_id, position) for position, one in enumerate(told)]
        rows = zip(facts, told, strict=True)
        await tx.put_facts([FactRow(fact, one.is_event, vector_of(fact.text)) for fact, one in rows])
        await tx.put_sightings(sightings(claims))
        names = {one.id: one.name for f in facts for one in (f.subject, f.object) if isinstance(one, Entity)}
        await tx.put_entity_vectors({id_: vector_of(name) for id_, name in names.items()})
        await tx.put_claims([(self.slot(one), claim) for one, claim in zip(told, claims, strict=True)])

    async def retract(self, episode_id: str) -> datetime:
        """Take an episode back, with its claims and mentions and what is believed of its facts."""

        async def work(tx: Transaction) -> datetime:
            episode = (await tx.episodes([episode_id]))[episode_id]
            pairs = await tx.claims_of(episode_id)
            await tx.put_episode(replace(episode, status=EpisodeStatus.RETRACTED), None)
            live = [claim for _, claim in pairs if claim.retracted_at is None]
            await tx.retract_claims([claim.id for claim in live])
            await tx.put_sightings(sightings(live, -1))
            for periods in (await tx.slot_periods({slot for slot, _ in pairs})).values():
                await tx.supersede([period.id for period in periods])
            return tx.instant

        return await self.store.write(self.tenant, work)

    async def reinstate(self, episode_id: str, *told: Told) -> datetime:
        """The retracted episode comes back, and with it what it says."""

        async def work(tx: Transaction) -> datetime:
            episode = (await tx.episodes([episode_id]))[episode_id]
            await tx.put_episode(replace(episode, status=EpisodeStatus.DONE), None)
            await self.put(tx, episode_id, told)
            await tx.put_periods([self.period(one, tx.instant) for one in told])
            return tx.instant

        return await self.store.write(self.tenant, work)

    async def supersede(self, period_ids: Collection[str]) -> datetime:
        async def work(tx: Transaction) -> datetime:
            await tx.supersede(period_ids)
            return tx.instant

        return await self.store.write(self.tenant, work)

    def at(self, valid: datetime | None = None, known: datetime | None = None) -> Point:
        return Point(self.tenant, valid, known)

    async def beliefs(self, point: Point | None = None, where: FactFilter | None = None) -> tuple[Belief, ...]:
        """All beliefs at the point (None: everything ever believed)."""
        found: Slice[Belief] = await self.store.beliefs(point or self.at(), where or FactFilter(), EVERYTHING)
        assert found.cursor is None
        return found.items

    async def texts(self, point: Point | None = None, where: FactFilter | None = None) -> list[str]:
        """The facts' texts of all beliefs at the point, in the store's order."""
        return [belief.fact.text for belief in await self.beliefs(point, where)]


def sightings(claims: Collection[Claim], sign: int = 1) -> list[Sighting]:
    """One mention of each entity for each claim."""
    found = []
    for claim in claims:
        found.append(Sighting(claim.subject_id, claim.subject.name, claim.subject.kind, sign))
        if claim.object_id is not None and isinstance(claim.object, Mention):
            found.append(Sighting(claim.object_id, claim.object.name, claim.object.kind, sign))
    return found


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a view shows of the small worlds of the contract's tests."""

    beliefs: tuple[Belief, ...]
    episodes: tuple[Episode, ...]
    named: tuple[tuple[str, tuple[Entity, ...]], ...]
    matches: tuple[tuple[Match, ...], ...]

    @classmethod
    async def of(cls, store: Store, point: Point) -> Snapshot:
        words = cut("Ann Bob likes tea coffee episode e0 e1 e2")
        named = await store.find_entities(point, ["Ann", "Annie", "Bob", "tea", "coffee"])
        matches = [await store.match_text(point, words, target, 50) for target in Target]
        matches += [await store.nearest(point, vector_of("probe"), target, 50) for target in Target]
        return cls(
            (await store.beliefs(point, FactFilter(), EVERYTHING)).items,
            (await store.episodes(point, EpisodeFilter(), EVERYTHING)).items,
            tuple(sorted((name, tuple(found)) for name, found in named.items())),
            tuple(map(tuple, matches)),
        )
