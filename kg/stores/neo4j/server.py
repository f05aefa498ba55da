"""The connection: opening, checking what is there, read and write transactions."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

import neo4j
from neo4j import AsyncDriver, AsyncGraphDatabase, AsyncManagedTransaction, exceptions

from ....temporal.errors import Conflict, Fault, Invalid, Unavailable
from ...migrations import outstanding
from ...store import Target
from .address import Address
from .errors import neo4j_errors
from .schema import MIGRATION_RULE, MIGRATIONS, Dialect, vector_index

T = TypeVar("T")
Row: TypeAlias = "dict[str, Any]"
"""A record as the driver gives it."""
Queries: TypeAlias = "AsyncManagedTransaction | neo4j.AsyncSession"
"""What runs queries: a transaction, or a session, where each is a transaction of its own."""

_OLDEST: Final = (5, 26)
_RETRY_S: Final = 15.0
"""How long the driver tries a transaction again after a lost connection or a conflict."""
_CONNECT_S: Final = 10.0
_TRIES: Final = 5
_INDEX_S: Final = 300.0
"""How long new indexes are waited for, looking every so often."""
_LOOK_S: Final = 0.05


@dataclass(frozen=True, slots=True)
class Server:
    """A checked connection pool to one database. ``version`` as the server reports it."""

    driver: AsyncDriver
    where: str
    database: str | None
    bookmarks: neo4j.AsyncBookmarkManager
    version: str
    dialect: Dialect

    async def read(self, work: Callable[[Queries], Awaitable[T]]) -> T:
        """``work``, which only reads and sees all commits of this store; it may run again.

        Each query is one exchange with the server, not three: the server reads what is committed whether a
        transaction is open or not, so one is opened only for the driver to try again what may yet succeed.
        """
        with neo4j_errors(self.where):
            async with self._session(neo4j.READ_ACCESS) as session:
                try:
                    return await work(session)
                except (exceptions.Neo4jError, exceptions.DriverError) as error:
                    if not error.is_retryable():
                        raise
            async with self._session(neo4j.READ_ACCESS) as session:
                return await session.execute_read(work)

    async def write(self, work: Callable[[AsyncManagedTransaction], Awaitable[T]]) -> T:
        """``work`` in a write transaction; what it raises rolls back. It may run again."""
        with neo4j_errors(self.where):
            async with self._session(neo4j.WRITE_ACCESS) as session:
                return await session.execute_write(work)

    async def rows(self, query: str, **params: object) -> list[Row]:
        """The rows of one reading query."""
        return await self.read(lambda tx: run(tx, query, params))

    def _session(self, mode: str) -> neo4j.AsyncSession:
        return self.driver.session(
            database=self.database, default_access_mode=mode, bookmark_manager=self.bookmarks
        )


async def run(tx: Queries, query: str, params: dict[str, Any]) -> list[Row]:
    result = await tx.run(query, params)
    # Not record.data(), which looks into every value for nodes: these queries return none.
    return [dict(record) for record in await result.fetch(_ALL)]


_ALL: Final = 2**62


async def connect(address: Address) -> Server:
    """Open a pool and look at the server. Raises ``Unavailable``, ``Forbidden``, ``NotFound`` or ``Invalid``."""
    with neo4j_errors(address.where):
        driver = AsyncGraphDatabase.driver(
            address.uri,
            auth=address.auth,
            max_transaction_retry_time=_RETRY_S,
            connection_timeout=_CONNECT_S,
            connection_acquisition_timeout=4 * _CONNECT_S,
            notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
            telemetry_disabled=True,
            user_agent="hitherto",
        )
        try:
            version = await _version(driver, address)
            dialect = await _dialect(driver, address.database)
        except BaseException:
            await driver.close()
            raise
    bookmarks = AsyncGraphDatabase.bookmark_manager()
    return Server(driver, address.where, address.database, bookmarks, version, dialect)


async def _version(driver: AsyncDriver, address: Address) -> str:
    async with driver.session(database=address.database, default_access_mode=neo4j.READ_ACCESS) as session:
        try:
            result = await session.run("CALL dbms.components() YIELD name, versions RETURN name, versions")
            found = {record["name"]: record["versions"][0] async for record in result}
        except exceptions.ClientError as error:
            if "ProcedureNotFound" in (error.code or ""):
                found = {}
            else:
                raise
    version = str(found.get("Neo4j Kernel", ""))
    check_version(version, address.where)
    return version


def check_version(version: str, where: str) -> None:
    """Raises ``Invalid`` for a server that is too old, or no Neo4j (no version)."""
    numbers = tuple(int(n) for n in re.findall(r"\d+", version)[:2])
    if not numbers:
        raise Invalid(f"the server at {where} is not Neo4j", code="not_neo4j")
    if numbers < _OLDEST:
        oldest = ".".join(map(str, _OLDEST))
        raise Invalid(f"neo4j at {where} is {version}; hitherto needs {oldest} or newer", code="too_old")


async def _dialect(driver: AsyncDriver, database: str | None) -> Dialect:
    """Asked of the server itself: which versions can, and with which settings, has changed more than once."""
    async with driver.session(database=database, default_access_mode=neo4j.READ_ACCESS) as session:
        try:
            await (await session.run("EXPLAIN " + vector_index(Target.FACT, 2, Dialect.FILTERING))).consume()
        except exceptions.ClientError as error:
            if ".Statement." in (error.code or ""):
                return Dialect.PLAIN
            raise
    return Dialect.FILTERING


async def applied(server: Server) -> dict[int, str]:
    """Names of the applied migrations by number."""
    found = await server.rows("MATCH (m:HithertoMigration) RETURN m.number AS number, m.name AS name")
    return {row["number"]: row["name"] for row in found}


async def upgrade(server: Server, *, read_only: bool) -> list[str]:
    """Bring the schema up to date, and give the names of the migrations that were missing. Raises ``Conflict`` for
    a newer schema, or an older one when read-only."""
    where = f"neo4j at {server.where}"
    missing = outstanding(MIGRATIONS, await applied(server), where)
    if not missing:
        return []
    if read_only:
        raise Conflict(f"{where} has an older schema; open it once for writing", code="older_schema")
    await change_schema(server, (MIGRATION_RULE,))
    for migration in missing:
        await change_schema(server, migration.step)
        params = {"number": migration.number, "name": migration.name}
        await server.write(partial(run, query=_RECORD, params=params))
    return [migration.name for migration in missing]


_RECORD: Final = (
    "MERGE (m:HithertoMigration {number: $number}) "
    "ON CREATE SET m.name = $name, m.applied_at = datetime.transaction()"
)


async def change_schema(server: Server, statements: tuple[str, ...]) -> None:
    """Run schema statements in one transaction, and wait until the indexes can be used."""

    async def work(tx: AsyncManagedTransaction) -> None:
        for statement in statements:
            await run(tx, statement, {})

    for attempt in range(_TRIES):
        try:
            await server.write(work)
            break
        except Conflict:
            raise
        except Exception as error:
            # Another process makes the same rules at this moment.
            code = getattr(error, "code", "")
            if attempt == _TRIES - 1 or "AlreadyExists" not in code:
                raise
    await _until_online(server)


async def _until_online(server: Server) -> None:
    """Wait for our indexes, asking again and again: a new index is only filled when the transactions that were
    open before it have ended, and ``db.awaitIndexes`` is one, so that two who make indexes would wait for each
    other. Raises ``Fault`` for an index that cannot be made, ``Unavailable`` after five minutes."""
    query = (
        "SHOW INDEXES YIELD name, state WHERE name STARTS WITH 'hitherto_' AND state <> 'ONLINE' "
        "RETURN name, state ORDER BY state, name"
    )
    for _ in range(int(_INDEX_S / _LOOK_S)):
        left = await server.rows(query)
        if not left:
            return
        if left[0]["state"] == "FAILED":
            raise Fault(f"neo4j at {server.where} cannot make the index {left[0]['name']}; see the server's log")
        await asyncio.sleep(_LOOK_S)
    raise Unavailable(f"neo4j at {server.where} is still making {len(left)} indexes; try again later")
