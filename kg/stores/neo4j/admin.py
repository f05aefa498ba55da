"""The server above its tenants: who is there, the schema, and Cypher that cannot write."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

import neo4j
from neo4j import exceptions

from ....temporal.errors import Busy, HithertoError, Invalid
from ....temporal.instants import from_us
from ...admin import Migrated, Plain, Question, Tenant
from ...paging import check_page, cursor_position, paged
from ...store import Page, Slice
from .address import parse_address
from .errors import neo4j_errors
from .plain import given, plain
from .server import Server, applied, connect, run, upgrade

_TENANTS: Final = """
MATCH (t:Tenant)
WHERE t.wall IS NOT NULL AND t.tx_us IS NOT NULL AND ($after IS NULL OR t.id > $after)
RETURN t.id AS id, t.tx_us AS tx_us ORDER BY id LIMIT $limit
"""
_FAULT_OF_THE_QUERY: Final = re.compile(r"Neo\.ClientError\.(?:Statement|Procedure)\.(?!AccessMode)\w+")
_TIMED_OUT: Final = "Neo.ClientError.Transaction.TransactionTimedOut"
_FETCH: Final = 1000


class Neo4jAdmin:
    """See ``StoreAdmin``. Made by ``open_neo4j_admin``; used from one event loop."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def close(self) -> None:
        await self._server.driver.close()

    async def tenants(self, page: Page) -> Slice[Tenant]:
        check_page(page)
        after = cursor_position(page.cursor, (str,))
        params = {"after": after and after[0], "limit": page.limit + 1}
        found = await self._server.read(partial(run, query=_TENANTS, params=params))
        tenants = [Tenant(row["id"], from_us(row["tx_us"])) for row in found]
        return paged(tenants, page.limit, lambda tenant: (tenant.id,))

    async def migrate(self) -> Migrated:
        names = await upgrade(self._server, read_only=False)
        return Migrated(max(await applied(self._server)), tuple(names))

    async def ask(self, question: Question) -> list[dict[str, Plain]]:
        params = {name: given(value, name) for name, value in question.params.items()}
        query = neo4j.Query(question.query, timeout=question.timeout_s)
        with neo4j_errors(self._server.where):
            try:
                async with self._server.driver.session(
                    database=self._server.database,
                    default_access_mode=neo4j.READ_ACCESS,
                    fetch_size=min(question.limit + 1, _FETCH),
                ) as session:
                    result = await session.run(query, params)
                    names = result.keys()
                    records = await result.fetch(question.limit + 1)
            except exceptions.Neo4jError as error:
                raise self._explained(error, question) from error
        if len(records) > question.limit:
            raise Invalid(
                f"the query gives more than {question.limit} rows; end it with LIMIT, or ask with a higher limit=",
                code="too_many_rows",
            )
        try:
            return [dict(zip(names, map(plain, record), strict=True)) for record in records]
        except (exceptions.BrokenRecordError, OverflowError, ValueError) as error:
            raise Invalid(
                "a row holds a date that Python has no value for, outside the years 1 to 9999; ask for it with "
                "toString()",
                code="no_value",
            ) from error

    def _explained(
        self, error: exceptions.Neo4jError, question: Question
    ) -> HithertoError | exceptions.Neo4jError:
        code = error.code or ""
        if _FAULT_OF_THE_QUERY.fullmatch(code):
            reason = " ".join((error.message or "").split())
            return Invalid(f"neo4j at {self._server.where} does not take this query: {reason[:300]}", code=code)
        if code.startswith(_TIMED_OUT):
            return Busy(
                f"neo4j at {self._server.where} stopped the query after {question.timeout_s:g} s; ask for "
                "less, or with a higher timeout_s=",
                code=code,
            )
        return error


async def open_neo4j_admin(url: str, *, auth: tuple[str, str] | None = None) -> Neo4jAdmin:
    """Connect, and change nothing. Raises what ``open_neo4j`` raises, except about the schema."""
    return Neo4jAdmin(await connect(parse_address(url, auth)))
