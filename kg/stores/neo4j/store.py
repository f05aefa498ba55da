"""The server store: one database of a Neo4j server, shared by many processes and with other people's data."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from datetime import datetime
from typing import Final, TypeVar
from uuid import uuid4

from neo4j import AsyncManagedTransaction

from ....temporal.errors import Busy, Fault, Forbidden, HithertoError, Invalid
from ....temporal.instants import from_us, to_us
from ....temporal.intervals import Interval
from ...columns import check_dimension, check_embedder, check_vector
from ...embedding import Vectors
from ...keeping import Archived, Use
from ...model import Belief, Claim, Entity, Episode
from ...paging import check_page
from ...store import (
    BeliefChange,
    Clock,
    EpisodeFilter,
    FactFilter,
    Match,
    Neighbour,
    Page,
    Point,
    Slice,
    Target,
    TenantStatus,
    Transaction,
)
from . import changes, embedders, keeping, neighbours, reading, search, statements, vectors
from .address import parse_address
from .points import Instants
from .schema import wall_of
from .server import Queries, Server, connect, run, upgrade
from .texts import TextCache
from .transaction import TOTALS, Begun, Neo4jTransaction, Shared

T = TypeVar("T")

WAIT_S: Final = 30.0
"""How long a write waits for other writers before it gives up with ``Busy``."""

_writing: ContextVar[tuple[Neo4jTransaction, ...]] = ContextVar("hitherto_neo4j_writing", default=())


class _NothingWrittenError(Exception):
    """Leaves the driver's transaction by its way of rolling back."""


class Neo4jStore:
    """See ``Store``. Made by ``open_neo4j``; used from one event loop."""

    def __init__(self, server: Server, clock: Clock, *, read_only: bool = False, wait_s: float = WAIT_S) -> None:
        self._server = server
        self._clock = clock
        self._read_only = read_only
        self._wait_s = wait_s
        self._writer = str(uuid4())
        self._shared = Shared(server.dialect)
        self._texts = TextCache()
        self._claimed: tuple[str, int] | None = None
        self._turns: dict[str, tuple[asyncio.Lock, int]] = {}

    @property
    def server_version(self) -> str:
        """As the server reports it."""
        return self._server.version

    async def close(self) -> None:
        await self._server.driver.close()

    async def write(self, tenant: str, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """See ``Store.write``. Writers of one tenant in this process take turns, first come first served; those of
        other processes wait at the tenant's node, where the server picks the next one as it likes."""
        self._check_write()
        if not tenant:
            raise Invalid("a tenant id must not be empty", code="no_tenant")
        last: list[tuple[Neo4jTransaction, T]] = []

        async def attempt(tx: AsyncManagedTransaction) -> None:
            last.clear()
            begun = await self._lock(tx, tenant)
            transaction = Neo4jTransaction(tx, begun, self._shared)
            token = _writing.set((*_writing.get(), transaction))
            try:
                result = await work(transaction)
                wrote = await transaction.finish()
            finally:
                _writing.reset(token)
                transaction.close()
            last.append((transaction, result))
            if not wrote:
                raise _NothingWrittenError

        async with self._turn(tenant):
            with suppress(_NothingWrittenError):
                await self._server.write(attempt)
            [(transaction, result)] = last
            transaction.committed()
            return result

    async def _lock(self, tx: AsyncManagedTransaction, tenant: str) -> Begun:
        params = {"wall": wall_of(tenant), "tenant": tenant, "writer": self._writer}
        try:
            async with asyncio.timeout(self._wait_s):
                found = (await run(tx, statements.LOCK, params))[0]
        except TimeoutError:
            raise self._busy() from None
        self._check_embedder(found["embedder"], found["dimension"])
        instant_us = max(to_us(self._clock()), found["tx_us"] + 1)
        totals = {name: found[name] or 0 for name in TOTALS}
        flags = (bool(found["has_identities"]), bool(found["has_archive"]))
        return Begun(tenant, found["tx_us"], instant_us, totals, *flags)

    @asynccontextmanager
    async def _turn(self, tenant: str) -> AsyncIterator[None]:
        lock, waiting = self._turns.get(tenant, (asyncio.Lock(), 0))
        self._turns[tenant] = (lock, waiting + 1)
        try:
            try:
                async with asyncio.timeout(self._wait_s):
                    await lock.acquire()
            except TimeoutError:
                raise self._busy() from None
            try:
                yield
            finally:
                lock.release()
        finally:
            lock, waiting = self._turns[tenant]
            if waiting == 1:
                del self._turns[tenant]
            else:
                self._turns[tenant] = (lock, waiting - 1)

    def _busy(self) -> Busy:
        return Busy(f"neo4j at {self._server.where}: waited {self._wait_s:g} s for other writes; try again")

    def _check_write(self) -> None:
        if self._read_only:
            raise Forbidden(f"neo4j at {self._server.where} was opened read-only", code="read_only")
        if self._is_writing():
            raise Fault("inside write(), a second write() would wait for the first for ever")

    def _is_writing(self) -> bool:
        """Whether the caller stands inside a write of this store."""
        return any(tx.is_open and tx.is_of(self._shared) for tx in _writing.get())

    async def _read(self, work: Callable[[Queries], Awaitable[T]]) -> T:
        if self._is_writing():
            raise Fault("inside write(), read with the transaction's own verbs")
        return await self._server.read(work)

    async def last_commit(self, tenant: str) -> datetime | None:
        query = "MATCH (t:Tenant {wall: $wall}) RETURN t.tx_us AS tx_us"
        found = await self._read(lambda tx: run(tx, query, {"wall": wall_of(tenant)}))
        return from_us(found[0]["tx_us"]) if found else None

    async def beliefs(self, point: Point, where: FactFilter, page: Page) -> Slice[Belief]:
        check_page(page)
        at = Instants.of(point)
        return await self._read(lambda tx: reading.beliefs(tx, at, where, page))

    async def changes(self, point: Point, where: FactFilter, stretch: Interval, page: Page) -> Slice[BeliefChange]:
        check_page(page)
        at = Instants.of(point)
        return await self._read(lambda tx: changes.changes(tx, at, where, stretch, page))

    async def slot_claims(
        self, point: Point, slots: Collection[str], at: Collection[datetime] | None = None
    ) -> Mapping[str, list[Claim]]:
        then, instants = Instants.of(point), None if at is None else {to_us(moment) for moment in at}
        return await self._read(lambda tx: changes.slot_claims(tx, then, slots, instants))

    async def episode_claims(self, point: Point, episode_ids: Collection[str]) -> Mapping[str, list[Claim]]:
        at = Instants.of(point)
        return await self._read(lambda tx: changes.episode_claims(tx, at, episode_ids))

    async def episodes(self, point: Point, where: EpisodeFilter, page: Page) -> Slice[Episode]:
        check_page(page)
        at = Instants.of(point)
        return await self._read(lambda tx: reading.episodes(tx, at, where, page))

    async def recent_episodes(
        self, point: Point, session: str | None, before: datetime, limit: int
    ) -> list[Episode]:
        at, before_us = Instants.of(point), to_us(before)
        return await self._read(lambda tx: reading.recent(tx, at, session, before_us, limit))

    async def session_neighbours(
        self, point: Point, episode_ids: Collection[str], reach: int
    ) -> Mapping[str, list[Neighbour]]:
        at = Instants.of(point)
        return await self._read(lambda tx: neighbours.around(tx, at, episode_ids, reach))

    async def entities(self, point: Point, ids: Collection[str]) -> Mapping[str, Entity]:
        at = Instants.of(point)
        return await self._read(lambda tx: reading.entities(tx, at, ids))

    async def find_entities(self, point: Point, names: Collection[str]) -> Mapping[str, list[Entity]]:
        at = Instants.of(point)
        return await self._read(lambda tx: reading.named(tx, at, names))

    async def match_text(self, point: Point, words: Sequence[str], target: Target, limit: int) -> list[Match]:
        at = Instants.of(point)
        return await self._read(lambda tx: search.match_text(tx, self._texts, at, words, (target, limit)))

    async def nearest(self, point: Point, vector: Vectors, target: Target, limit: int) -> list[Match]:
        at = Instants.of(point)
        dimension = await self._dimension()
        if dimension is None:
            return []
        check_vector(vector, dimension)
        way = vectors.Way(self._server.dialect, self._check_embedder)
        try:
            return await self._read(lambda tx: vectors.nearest(tx, at, vector, (target, limit), way))
        except HithertoError:
            # While it is being changed there is no index, and then one of vectors of another length.
            self._check_embedder(*(await self._embedder() or (None, None)))
            raise

    def _check_embedder(self, name: str | None, dimension: int | None) -> None:
        """Another process may have changed it since it was claimed."""
        if self._claimed is not None and name is not None and dimension is not None:
            check_embedder((name, dimension), self._claimed, f"neo4j at {self._server.where}")

    async def unembedded(self, tenant: str, target: Target, after: str, limit: int) -> list[tuple[str, str]]:
        return await self._read(lambda tx: vectors.unembedded(tx, tenant, target, after, limit))

    async def uses(self, point: Point, fact_ids: Collection[str]) -> Mapping[str, Use]:
        at = Instants.of(point)
        return await self._read(lambda tx: keeping.uses(tx, at, fact_ids))

    async def archived(self, point: Point, page: Page, fact_ids: Collection[str] | None = None) -> Slice[Archived]:
        check_page(page)
        at = Instants.of(point)
        return await self._read(lambda tx: keeping.archived(tx, at, page, fact_ids))

    async def status(self, tenant: str) -> TenantStatus:
        params = {"tenant": tenant, "wall": wall_of(tenant)}
        found = (await self._read(lambda tx: run(tx, reading.STATUS, params)))[0]
        tx_us = found.pop("tx_us")
        return TenantStatus(tenant=tenant, last_commit=None if tx_us is None else from_us(tx_us), **found)

    async def embedder_name(self) -> str | None:
        found = await self._embedder()
        return None if found is None else found[0]

    async def claim_embedder(self, name: str, dimension: int) -> None:
        """See ``Store``. Makes the vector indexes. A read-only store compares, and records nothing."""
        check_dimension(dimension)
        await embedders.claim(self._server, name, dimension, read_only=self._read_only)
        self._claimed, self._shared.dimension = (name, dimension), dimension

    async def change_embedder(self, name: str, dimension: int) -> None:
        """See ``Store``. Makes the vector indexes anew, since their dimension is fixed."""
        check_dimension(dimension)
        self._check_write()
        await embedders.change(self._server, name, dimension)
        self._claimed, self._shared.dimension = (name, dimension), dimension

    async def _embedder(self) -> tuple[str, int] | None:
        found = await self._read(embedders.recorded)
        return None if found is None else (found.name, found.dimension)

    async def _dimension(self) -> int | None:
        if self._shared.dimension is None:
            found = await self._embedder()
            self._shared.dimension = None if found is None else found[1]
        return self._shared.dimension


async def open_neo4j(
    url: str, *, clock: Clock, auth: tuple[str, str] | None = None, read_only: bool = False, wait_s: float = WAIT_S
) -> Neo4jStore:
    """Open a database of a server, making or upgrading its schema where needed.

    Raises ``Invalid`` (an address that is none; a server too old), ``Forbidden`` (wrong password), ``NotFound``
    (no such database), ``Unavailable`` (no answer), ``Conflict`` (a newer schema, or an older one
    that may not be changed).
    """
    server = await connect(parse_address(url, auth))
    try:
        await upgrade(server, read_only=read_only)
    except BaseException:
        await server.driver.close()
        raise
    return Neo4jStore(server, clock, read_only=read_only, wait_s=wait_s)
