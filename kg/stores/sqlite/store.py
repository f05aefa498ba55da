"""The embedded store: one writer thread, readers beside it, one file in WAL mode (or memory)."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Final, TypeVar

from ....temporal.errors import Busy, Fault, Forbidden, Invalid
from ....temporal.instants import from_us, to_us
from ....temporal.intervals import Interval
from ...columns import check_dimension, check_embedder
from ...embedding import Vectors
from ...heard import HeardSlots
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
from . import changes, claims, entities, episodes, indexing, keeping, periods, search
from .errors import sqlite_errors
from .files import File, prepare, prepare_memory
from .points import Instants
from .status import status_of
from .transaction import Begun, SqliteTransaction
from .workers import Workers

T = TypeVar("T")

_READERS: Final = 3
WAIT_S: Final = 30.0
"""How long a write waits for other writers before it gives up with ``Busy``."""

_POLL_S: Final = (0.001, 0.004)
"""Between two tries for a lock that another process holds. SQLite's own handler waits longer the longer it has
waited, so that newcomers overtake; equal random pauses give everybody the same chance."""

_writing: ContextVar[tuple[SqliteTransaction, ...]] = ContextVar("hitherto_sqlite_writing", default=())
"""The transactions, of whatever stores, inside whose work this code runs."""


class SqliteStore:
    """See ``Store``. Made by ``open_sqlite``; used from one event loop."""

    def __init__(self, file: File, clock: Clock, wait_s: float) -> None:
        self._file = file
        self._clock = clock
        self._wait_s = wait_s
        self._turn = asyncio.Lock()
        self._heard = HeardSlots()
        self._embedder: tuple[str, int] | None = None
        self._legs = search.Legs()
        self._writer = Workers(self._connect_writer, 1, "writer")
        # Memory belongs to the connection that made it: its reads take turns with the writes.
        self._readers = (
            None if file.path is None else Workers(lambda: file.connect(reader=True), _READERS, "reader")
        )

    def _connect_writer(self) -> sqlite3.Connection:
        db = self._file.connect(reader=False)
        if not self._file.read_only:
            db.execute("PRAGMA busy_timeout = 0")  # _lock waits itself
        if self._file.path is None:
            prepare_memory(db, to_us(self._clock()))
        return db

    async def close(self) -> None:
        await self._writer.close()
        if self._readers is not None:
            await self._readers.close()

    async def write(self, tenant: str, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """See ``Store.write``. A commit survives the death of the process. The last commits before a power cut may
        be lost, whole; the file stays sound (``PRAGMA synchronous = NORMAL``)."""
        self._check_write()
        if not tenant:
            raise Invalid("a tenant id must not be empty", code="no_tenant")
        async with self._exclusive():
            tx = await self._begin(tenant)
            token = _writing.set((*_writing.get(), tx))
            try:
                result = await work(tx)
                tx.committed(wrote=await tx.finish(lambda db: self._commit(db, tx)))
                return result
            finally:
                _writing.reset(token)
                tx.close()
                # The one thread does it before anything later; after a commit there is nothing to do.
                self._writer.post(_roll_back)

    async def _begin(self, tenant: str) -> SqliteTransaction:
        given_up = threading.Event()

        def job(db: sqlite3.Connection) -> SqliteTransaction:
            with sqlite_errors(self._file.where):
                _lock(db, self._file.where, self._wait_s, given_up)
                self._check_embedder(db)
                found = db.execute(
                    "SELECT no, tx_us, has_identities, has_archive FROM tenant WHERE id = ?", (tenant,)
                ).fetchone()
                now = to_us(self._clock())
                if found is None:
                    number = db.execute("INSERT INTO tenant (id, tx_us) VALUES (?, ?)", (tenant, now)).lastrowid
                    assert number is not None
                    last, has = now - 1, (0, 0)
                else:
                    number, last, *has = found
                begun = Begun(tenant, number, max(now, last + 1), db.total_changes, last, *map(bool, has))
                return SqliteTransaction(self._writer, self._file.where, begun, self._heard.begin(tenant, last))

        try:
            return await self._writer.run(job)
        except asyncio.CancelledError:
            given_up.set()
            self._writer.post(_roll_back)
            raise
        except BaseException:
            self._writer.post(_roll_back)
            raise

    @staticmethod
    def _commit(db: sqlite3.Connection, tx: SqliteTransaction) -> bool:
        """Whether there was anything."""
        if not tx.wrote(db):
            return False
        db.execute("UPDATE tenant SET tx_us = ? WHERE id = ?", (to_us(tx.instant), tx.tenant))
        db.execute("COMMIT")
        return True

    @asynccontextmanager
    async def _exclusive(self) -> AsyncIterator[None]:
        """One at a time, first come first served."""
        try:
            async with asyncio.timeout(self._wait_s):
                await self._turn.acquire()
        except TimeoutError:
            raise Busy(f"{self._file.where}: waited {self._wait_s:g} s for other writes; try again") from None
        try:
            yield
        finally:
            self._turn.release()

    async def _read(self, tenant: str, job: Callable[[sqlite3.Connection, int], T], empty: T) -> T:
        """``job`` over one snapshot, given the tenant's number; ``empty`` for a tenant nobody wrote to."""

        def call(db: sqlite3.Connection) -> T:
            with sqlite_errors(self._file.where):
                db.execute("BEGIN")
                try:
                    found = db.execute("SELECT no FROM tenant WHERE id = ?", (tenant,)).fetchone()
                    return empty if found is None else job(db, found[0])
                finally:
                    db.execute("ROLLBACK")

        return await self._run_read(call)

    async def _run_read(self, call: Callable[[sqlite3.Connection], T]) -> T:
        self._check_outside("read with the transaction's own verbs")
        if self._readers is not None:
            return await self._readers.run(call)
        async with self._exclusive():
            return await self._writer.run(call)

    def _check_write(self) -> None:
        if self._file.read_only:
            raise Forbidden(f"{self._file.where} was opened read-only", code="read_only")
        self._check_outside("a second write() would wait for the first for ever")

    def _check_outside(self, advice: str) -> None:
        # A task begun inside a write inherits its context, and may outlive it.
        if any(tx.is_open and tx.is_of(self._writer) for tx in _writing.get()):
            raise Fault(f"inside write(), {advice}")

    async def last_commit(self, tenant: str) -> datetime | None:
        def job(db: sqlite3.Connection, number: int) -> datetime | None:
            return from_us(db.execute("SELECT tx_us FROM tenant WHERE no = ?", (number,)).fetchone()[0])

        return await self._read(tenant, job, None)

    async def beliefs(self, point: Point, where: FactFilter, page: Page) -> Slice[Belief]:
        check_page(page)
        at = Instants.of(point)
        return await self._read(point.tenant, lambda db, no: periods.page(db, no, at, where, page), Slice(()))

    async def changes(self, point: Point, where: FactFilter, stretch: Interval, page: Page) -> Slice[BeliefChange]:
        check_page(page)
        at = Instants.of(point)
        return await self._read(
            point.tenant, lambda db, no: changes.page(db, no, at, where, stretch, page), Slice(())
        )

    async def slot_claims(
        self, point: Point, slots: Collection[str], at: Collection[datetime] | None = None
    ) -> Mapping[str, list[Claim]]:
        then, instants = Instants.of(point), None if at is None else [to_us(moment) for moment in at]
        return await self._read(
            point.tenant, lambda db, no: claims.known_of_slots(db, no, then, slots, instants), {}
        )

    async def episode_claims(self, point: Point, episode_ids: Collection[str]) -> Mapping[str, list[Claim]]:
        at = Instants.of(point)
        return await self._read(point.tenant, lambda db, no: claims.known_of_episodes(db, no, at, episode_ids), {})

    async def episodes(self, point: Point, where: EpisodeFilter, page: Page) -> Slice[Episode]:
        check_page(page)
        at = Instants.of(point)
        return await self._read(point.tenant, lambda db, no: episodes.page(db, no, at, where, page), Slice(()))

    async def recent_episodes(
        self, point: Point, session: str | None, before: datetime, limit: int
    ) -> list[Episode]:
        at, before_us = Instants.of(point), to_us(before)
        return await self._read(
            point.tenant, lambda db, no: episodes.recent(db, no, at, session, before_us, limit), []
        )

    async def session_neighbours(
        self, point: Point, episode_ids: Collection[str], reach: int
    ) -> Mapping[str, list[Neighbour]]:
        at = Instants.of(point)
        return await self._read(
            point.tenant, lambda db, no: episodes.neighbours(db, no, at, episode_ids, reach), {}
        )

    async def entities(self, point: Point, ids: Collection[str]) -> Mapping[str, Entity]:
        at = Instants.of(point)
        return await self._read(point.tenant, lambda db, no: entities.visible(db, no, at, ids), {})

    async def find_entities(self, point: Point, names: Collection[str]) -> Mapping[str, list[Entity]]:
        at = Instants.of(point)
        return await self._read(point.tenant, lambda db, no: entities.named(db, no, at, names), {})

    async def match_text(self, point: Point, words: Sequence[str], target: Target, limit: int) -> list[Match]:
        at = Instants.of(point)
        return await self._read(
            point.tenant, lambda db, no: self._legs.match_text(db, no, at, words, (target, limit)), []
        )

    async def nearest(self, point: Point, vector: Vectors, target: Target, limit: int) -> list[Match]:
        at = Instants.of(point)

        def job(db: sqlite3.Connection, number: int) -> list[Match]:
            self._check_embedder(db)
            return self._legs.nearest(db, number, at, vector, (target, limit))

        return await self._read(point.tenant, job, [])

    async def unembedded(self, tenant: str, target: Target, after: str, limit: int) -> list[tuple[str, str]]:
        return await self._read(tenant, lambda db, no: indexing.unembedded(db, no, target, after, limit), [])

    async def uses(self, point: Point, fact_ids: Collection[str]) -> Mapping[str, Use]:
        at = Instants.of(point)
        return await self._read(point.tenant, lambda db, no: keeping.read_uses(db, no, at, fact_ids), {})

    async def archived(self, point: Point, page: Page, fact_ids: Collection[str] | None = None) -> Slice[Archived]:
        check_page(page)
        at = Instants.of(point)
        return await self._read(point.tenant, lambda db, no: keeping.page(db, no, at, page, fact_ids), Slice(()))

    async def status(self, tenant: str) -> TenantStatus:
        def call(db: sqlite3.Connection) -> TenantStatus:
            with sqlite_errors(self._file.where):
                db.execute("BEGIN")
                try:
                    return status_of(db, tenant)
                finally:
                    db.execute("ROLLBACK")

        return await self._run_read(call)

    async def embedder_name(self) -> str | None:
        def call(db: sqlite3.Connection) -> str | None:
            with sqlite_errors(self._file.where):
                found = db.execute("SELECT name FROM embedder").fetchone()
                return None if found is None else str(found[0])

        return await self._run_read(call)

    async def claim_embedder(self, name: str, dimension: int) -> None:
        """See ``Store``. A read-only store compares, and records nothing."""
        check_dimension(dimension)

        def call(db: sqlite3.Connection) -> None:
            with sqlite_errors(self._file.where):
                if not self._file.read_only:
                    _lock(db, self._file.where, self._wait_s, threading.Event())
                    db.execute("INSERT OR IGNORE INTO embedder VALUES (1, ?, ?)", (name, dimension))
                    db.execute("COMMIT")
                check_embedder(_recorded(db), (name, dimension), self._file.where)

        async with self._exclusive():
            await self._writer.run(call)
        self._embedder = (name, dimension)

    async def change_embedder(self, name: str, dimension: int) -> None:
        """See ``Store``: one transaction."""
        check_dimension(dimension)
        self._check_write()

        def call(db: sqlite3.Connection) -> None:
            with sqlite_errors(self._file.where):
                _lock(db, self._file.where, self._wait_s, threading.Event())
                try:
                    if _recorded(db) != (name, dimension):
                        db.execute("INSERT OR REPLACE INTO embedder VALUES (1, ?, ?)", (name, dimension))
                        db.execute("DELETE FROM vector")
                    db.execute("COMMIT")
                finally:
                    _roll_back(db)

        async with self._exclusive():
            await self._writer.run(call)
        self._embedder = (name, dimension)

    def _check_embedder(self, db: sqlite3.Connection) -> None:
        """Another process may have changed it since it was claimed."""
        if self._embedder is not None:
            check_embedder(_recorded(db), self._embedder, self._file.where)


def _lock(db: sqlite3.Connection, where: str, wait_s: float, given_up: threading.Event) -> None:
    """BEGIN IMMEDIATE, waiting for other processes a bounded time."""
    deadline = time.monotonic() + wait_s
    while True:
        try:
            db.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
        if given_up.is_set() or time.monotonic() > deadline:
            raise Busy(f"{where}: waited {wait_s:g} s for another process to finish writing; try again")
        time.sleep(random.uniform(*_POLL_S))


def _recorded(db: sqlite3.Connection) -> tuple[str, int] | None:
    found: tuple[str, int] | None = db.execute("SELECT name, dimension FROM embedder").fetchone()
    return found


def _roll_back(db: sqlite3.Connection) -> None:
    if db.in_transaction:
        db.execute("ROLLBACK")


async def open_sqlite(path: str, *, clock: Clock, read_only: bool = False, wait_s: float = WAIT_S) -> SqliteStore:
    """Open or create the file; ``:memory:`` is a database of its own that ends with the store.

    Raises the errors of ``files.prepare``.
    """
    file = File.of(path, read_only)
    if file.path is not None:
        now_us = to_us(clock())
        await asyncio.to_thread(prepare, file, now_us)
    store = SqliteStore(file, clock, wait_s)
    if file.path is None:
        await store.embedder_name()
    return store
