"""``Admin``: one database above its tenants. Apart from ``Memory``, so that no tenant's code can reach it."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from functools import partial
from types import TracebackType
from typing import Self

from .kg.admin import Migrated, Plain, Question, StoreAdmin, Tenant
from .kg.embedding import Embedder, Purpose
from .kg.store import Page, Slice, Store
from .opening import Opening, system_clock
from .reembedding import check_batch, embed_missing
from .temporal.errors import Invalid


class Admin:
    """A database without a tenant. Open it with ``Admin.open``."""

    def __init__(self, store: StoreAdmin, open_store: Callable[[], Awaitable[Store]]) -> None:
        self._store = store
        self._open_store = open_store

    @classmethod
    def open(cls, url: str, auth: tuple[str, str] | None = None) -> Opening[Admin]:
        """Open a database: ``async with Admin.open("neo4j://user:password@host:7687") as admin:`` (or ``await`` it
        and ``close`` it yourself). ``auth``: user and password, instead of those in the address. Opening changes
        nothing, the schema included.

        Raises ``Invalid`` (unknown kind of address, ``:memory:``), ``Forbidden`` (wrong password), ``NotFound``
        (no such database), ``Unavailable``.
        """
        return Opening(partial(cls._open, url, auth))

    @classmethod
    async def _open(cls, url: str, auth: tuple[str, str] | None) -> Admin:
        from .kg.stores import open_admin, open_store

        opens = partial(open_store, url, clock=system_clock, auth=auth)
        return cls(await open_admin(url, clock=system_clock, auth=auth), opens)

    async def tenants(self, *, limit: int = 100, cursor: str | None = None) -> Slice[Tenant]:
        """Those that have committed something, by id, each with its last commit; in pages."""
        return await self._store.tenants(Page(limit, cursor))

    async def migrate(self) -> Migrated:
        """Bring the schema up to date: ``applied`` names what that took, ``schema`` is the number it now has.
        (``Memory.open`` does the same by itself.) Makes a SQLite file that is not there.

        Raises ``Conflict`` when a newer version made the schema.
        """
        return await self._store.migrate()

    async def change_embedder(self, embedder: Embedder | str, *, batch: int = 512) -> int:
        """Change the database's embedder ("use", "e5" or an object) and embed again what is stored, all tenants';
        how many texts that took. The former vectors are removed first: until it is done, search finds by words
        what it does not find by meaning yet. It may be stopped at any time and called again. Memories that are
        open with the former embedder raise ``Conflict`` when they write or search.

        Raises ``Invalid`` for an unknown name, and what the embedder raises.
        """
        from .extraction.embedder_names import embedder_named

        check_batch(batch)
        chosen = embedder_named(embedder) if isinstance(embedder, str) else embedder
        await chosen.embed(["."], Purpose.PASSAGE)  # one that does not work must not cost the vectors there are
        store = await self._open_store()
        try:
            await store.change_embedder(chosen.name, chosen.dimension)
            total, cursor = 0, None
            while True:
                page = await self.tenants(cursor=cursor)
                for tenant in page.items:
                    total += await embed_missing(store, tenant.id, chosen, batch)
                if page.cursor is None:
                    return total
                cursor = page.cursor
        finally:
            await store.close()

    async def cypher(
        self, query: str, /, *, timeout_s: float = 30, limit: int = 1000, **params: object
    ) -> list[dict[str, Plain]]:
        """Ask a Neo4j server in Cypher, over all tenants. The query runs in a session that reads: the server
        itself refuses whatever writes. It also ends the query after ``timeout_s`` seconds.

        Rows are dicts by column. Instants are aware datetimes in UTC; a node is the dict of its properties, with
        ``<id>`` and ``<labels>``; a relationship likewise, with ``<id>``, ``<type>``, ``<from>`` and ``<to>``; a
        path is a list of both in turn. More than ``limit`` rows are an error, never a part that looks like the
        whole; the query may use ``$limit`` itself, as in ``... LIMIT $limit``.

        Raises ``Forbidden`` (it writes), ``Busy`` (it takes too long), ``Invalid`` (the query, a parameter, too
        many rows; or the database is a SQLite file, which has no Cypher).
        """
        if not query.strip():
            raise Invalid("the query is empty; write Cypher, such as MATCH (n) RETURN count(n)")
        # The server takes 0 for "no limit", and cannot count less than a millisecond.
        if not (math.isfinite(timeout_s) and timeout_s >= 0.001):
            raise Invalid(f"timeout_s must be a number of seconds from 0.001 on, not {timeout_s}")
        if limit < 1:
            raise Invalid(f"limit must be at least 1, not {limit}", code="bad_limit")
        return await self._store.ask(Question(query, {**params, "limit": limit}, timeout_s, limit))

    async def close(self) -> None:
        await self._store.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
