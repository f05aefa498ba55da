"""One write: the ``Transaction`` verbs over the writer's connection."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from ....temporal.errors import Fault, Invalid
from ....temporal.instants import from_us
from ...embedding import Vectors
from ...heard import Hearing
from ...keeping import Use
from ...model import Claim, Entity, Episode, Fact, StoredPeriod
from ...store import FactRow, Identity, Sighting, Target
from . import claims, episodes, facts, identities, keeping, periods
from .entities import Sightings, ensured, entities_now
from .errors import sqlite_errors
from .indexing import put_vectors
from .workers import Job, Workers

T = TypeVar("T")

_MANY = 64
"""So many unsent writes are sent without waiting for the next read."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What was found when the transaction began: the tenant's row, its new instant, the connection's count of
    changes so far, the last commit, and whether there are identities and archived facts."""

    tenant: str
    number: int
    instant_us: int
    changes_before: int
    last_us: int
    has_identities: bool = False
    has_archive: bool = False


class SqliteTransaction:
    """Writes are collected and sent to the writer's thread together with the next read, so that an episode costs
    a handful of hand-overs between threads; an error of a write appears at the next read, or at the commit."""

    def __init__(self, writer: Workers, where: str, begun: Begun, hearing: Hearing) -> None:
        self.hearing = hearing
        self._writer = writer
        self._where = where
        self._tenant = begun.tenant
        self._number = number = begun.number
        self._instant_us = instant_us = begun.instant_us
        self._last_us = begun.last_us
        self._changes_before = begun.changes_before
        self._has_identities = begun.has_identities
        self._has_archive = begun.has_archive
        self._unsent: list[Job[None]] = []
        self._sightings = Sightings(number, instant_us)
        self._open = True

    @property
    def tenant(self) -> str:
        return self._tenant

    @property
    def instant(self) -> datetime:
        return from_us(self._instant_us)

    @property
    def is_open(self) -> bool:
        return self._open

    def is_of(self, writer: Workers) -> bool:
        return self._writer is writer

    def wrote(self, db: sqlite3.Connection) -> bool:
        return db.total_changes != self._changes_before

    def close(self) -> None:
        self._open = False
        self._unsent.clear()

    def committed(self, *, wrote: bool) -> None:
        self.hearing.committed(self._instant_us if wrote else self._last_us)

    async def finish(self, last: Job[T]) -> T:
        """Send what is left, then ``last``."""

        def job(db: sqlite3.Connection) -> T:
            self._sightings.settle(db, index=True)
            return last(db)

        return await self._read(job)

    async def episodes(self, ids: Collection[str]) -> Mapping[str, Episode]:
        wanted = tuple(ids)
        return await self._read(lambda db: episodes.stored(db, self._number, wanted))

    async def put_episode(self, episode: Episode, vector: Vectors | None) -> None:
        if "\0" in episode.id:
            raise Invalid(f"episode id {episode.id!r} holds a NUL character; use another id", code="bad_id")

        def job(db: sqlite3.Connection) -> None:
            owner = episodes.put(db, self._number, episode, self._instant_us)
            if vector is not None:
                put_vectors(db, self._number, Target.EPISODE, {owner: vector})

        await self._write(job)

    async def put_sightings(self, sightings: Sequence[Sighting]) -> None:
        rows = tuple(sightings)
        await self._write(lambda db: self._sightings.add(db, rows))

    async def put_entity_vectors(self, vectors: Mapping[str, Vectors]) -> None:
        wanted = dict(vectors)

        def job(db: sqlite3.Connection) -> None:
            numbers = ensured(db, self._number, wanted)
            put_vectors(db, self._number, Target.ENTITY, {numbers[id_]: v for id_, v in wanted.items()})

        await self._write(job)

    async def put_fact_vectors(self, vectors: Mapping[str, Vectors]) -> None:
        wanted = dict(vectors)
        await self._write(lambda db: facts.fill_vectors(db, self._number, wanted))

    async def entities(self, ids: Collection[str]) -> Mapping[str, Entity]:
        wanted = tuple(ids)

        def job(db: sqlite3.Connection) -> Mapping[str, Entity]:
            self._sightings.settle(db, index=False)
            return entities_now(db, self._number, wanted)

        return await self._read(job)

    @property
    def has_identities(self) -> bool:
        return self._has_identities

    async def identities(self, ids: Collection[str]) -> Mapping[str, Identity]:
        if not self._has_identities:
            return {}
        wanted = tuple(ids)
        return await self._read(lambda db: identities.group(db, self._number, wanted))

    async def put_identities(self, rows: Sequence[Identity]) -> None:
        wanted = tuple(rows)
        if wanted:
            self._has_identities = True
            await self._write(lambda db: identities.put(db, self._number, wanted))

    async def entity_claims(self, ids: Collection[str], predicate: str | None = None) -> list[tuple[str, Claim]]:
        wanted = tuple(ids)
        return await self._read(lambda db: identities.claims(db, self._number, wanted, predicate))

    async def put_facts(self, rows: Sequence[FactRow]) -> None:
        wanted = tuple(rows)
        await self._write(lambda db: facts.put(db, self._number, wanted, self._instant_us))

    async def facts(self, ids: Collection[str]) -> Mapping[str, Fact]:
        wanted = tuple(ids)

        def job(db: sqlite3.Connection) -> Mapping[str, Fact]:
            self._sightings.settle(db, index=False)
            return facts.stored(db, self._number, wanted)

        return await self._read(job)

    async def claim_rules(self, rules: Mapping[str, str]) -> None:
        wanted = dict(rules)
        await self._write(lambda db: claims.claim_rules(db, self._number, wanted))

    async def put_claims(self, pairs: Sequence[tuple[str, Claim]]) -> None:
        rows = tuple(pairs)
        await self._write(lambda db: claims.put(db, self._number, rows, self._instant_us))

    async def claims_of(self, episode_id: str) -> list[tuple[str, Claim]]:
        return await self._read(lambda db: claims.of_episode(db, self._number, episode_id))

    async def retract_claims(self, claim_ids: Collection[str]) -> None:
        wanted = tuple(claim_ids)
        await self._write(lambda db: claims.retract(db, self._number, wanted, self._instant_us))

    async def slot_claims(self, slots: Collection[str]) -> Mapping[str, list[Claim]]:
        wanted = tuple(slots)
        return await self._read(lambda db: claims.of_slots(db, self._number, wanted))

    async def slot_periods(self, slots: Collection[str]) -> Mapping[str, list[StoredPeriod]]:
        wanted = tuple(slots)
        return await self._read(lambda db: periods.of_slots(db, self._number, wanted))

    async def supersede(self, period_ids: Collection[str]) -> None:
        wanted = tuple(period_ids)
        await self._write(lambda db: periods.supersede(db, self._number, wanted, self._instant_us))

    async def put_periods(self, rows: Sequence[StoredPeriod]) -> None:
        wanted = tuple(rows)
        await self._write(lambda db: periods.put(db, self._number, wanted, self._instant_us))

    async def put_uses(self, uses: Mapping[str, Use]) -> None:
        wanted = dict(uses)
        if wanted:
            await self._write(lambda db: keeping.put_uses(db, self._number, wanted, self._instant_us))

    @property
    def has_archive(self) -> bool:
        return self._has_archive

    async def archive(self, fact_ids: Collection[str], policy: str, digest: str | None = None) -> None:
        wanted, why = tuple(fact_ids), (policy, digest)
        if wanted:
            self._has_archive = True
            await self._write(lambda db: keeping.archive(db, self._number, wanted, why, self._instant_us))

    async def restore(self, fact_ids: Collection[str]) -> None:
        wanted = tuple(fact_ids)
        await self._write(lambda db: keeping.restore(db, self._number, wanted, self._instant_us))

    async def digests(self, fact_ids: Collection[str]) -> Mapping[str, Collection[str]]:
        wanted = tuple(fact_ids)
        return await self._read(lambda db: keeping.digests(db, self._number, wanted))

    async def _write(self, job: Job[None]) -> None:
        self._require_open()
        self._unsent.append(job)
        if len(self._unsent) >= _MANY:
            await self._read(_nothing)

    async def _read(self, job: Callable[[sqlite3.Connection], T]) -> T:
        self._require_open()
        unsent, self._unsent = self._unsent, []

        def call(db: sqlite3.Connection) -> T:
            with sqlite_errors(self._where):
                for write in unsent:
                    write(db)
                return job(db)

        return await self._writer.run(call)

    def _require_open(self) -> None:
        if not self._open:
            raise Fault("a transaction was used after its write() had ended")


def _nothing(_: sqlite3.Connection) -> None:
    pass
