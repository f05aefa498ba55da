"""A database file above its tenants."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import TypeVar

from ....temporal.errors import Invalid
from ....temporal.instants import from_us, to_us
from ...admin import Migrated, Plain, Question, Tenant
from ...paging import check_page, cursor_position, paged
from ...store import Clock, Page, Slice
from .errors import sqlite_errors
from .files import File, applied, prepare

T = TypeVar("T")


class SqliteAdmin:
    """See ``StoreAdmin``. Holds nothing open between two calls."""

    def __init__(self, path: str, clock: Clock) -> None:
        self._path = path
        self._clock = clock

    async def close(self) -> None:
        """Nothing is open."""

    async def tenants(self, page: Page) -> Slice[Tenant]:
        check_page(page)
        after = cursor_position(page.cursor, (str,))
        sql = "SELECT id, tx_us FROM tenant WHERE id > ? ORDER BY id LIMIT ?"
        values = (after[0] if after else "", page.limit + 1)
        rows = await self._read(lambda db: db.execute(sql, values).fetchall())
        return paged([Tenant(id_, from_us(tx_us)) for id_, tx_us in rows], page.limit, lambda t: (t.id,))

    async def migrate(self) -> Migrated:
        """See ``StoreAdmin``. Makes the file when there is none."""
        names = await asyncio.to_thread(prepare, File.of(self._path, read_only=False), to_us(self._clock()))
        return Migrated(max(await self._read(applied)), tuple(names))

    async def ask(self, question: Question) -> list[dict[str, Plain]]:  # noqa: ARG002 (the protocol's)
        raise Invalid(
            f"{self._path} is a SQLite file, which has no Cypher; open a neo4j:// address", code="no_cypher"
        )

    async def _read(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """``job`` on a connection that cannot write, to a file that is ours and up to date."""
        return await asyncio.to_thread(self._job, job)

    def _job(self, job: Callable[[sqlite3.Connection], T]) -> T:
        file = File.of(self._path, read_only=True)
        prepare(file, to_us(self._clock()))
        with sqlite_errors(file.where), closing(file.connect(reader=True)) as db:
            return job(db)


async def open_sqlite_admin(path: str, *, clock: Clock) -> SqliteAdmin:
    """Name a file; it is looked at when it is asked. Raises ``Invalid`` for memory, which nobody else can see."""
    if File.of(path, read_only=True).path is None:
        raise Invalid("a database in memory has no administration; give a file or a server", code="no_path")
    return SqliteAdmin(path, clock)
