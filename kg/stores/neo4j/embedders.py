"""Whose vectors a database holds: one embedder's, and how it is changed for another.

Neo4j takes schema changes only in transactions of their own, so a change is several steps; ``changing`` marks it
until the last is done, and whoever opens the database meanwhile is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from ....temporal.errors import Conflict
from ...columns import check_embedder
from .schema import VECTOR_INDEX, Dialect, vector_index
from .server import Queries, Server, change_schema, run

_CARRIERS: Final = ("Fact", "Period", "Episode", "Entity")
_BATCH: Final = 2_000


@dataclass(frozen=True, slots=True)
class Recorded:
    name: str
    dimension: int
    changing: bool


RECORDED: Final = "COLLECT { MATCH (m:HithertoEmbedder {one: true}) RETURN [m.name, m.dimension] }"
"""Name and dimension of the one embedder, if any, as an expression."""


async def recorded(tx: Queries) -> Recorded | None:
    query = (
        "MATCH (m:HithertoEmbedder {one: true}) "
        "RETURN m.name AS name, m.dimension AS dimension, coalesce(m.changing, false) AS changing"
    )
    found = await run(tx, query, {})
    return Recorded(**found[0]) if found else None


async def claim(server: Server, name: str, dimension: int, *, read_only: bool) -> None:
    """Record the embedder where there is none, and make the vector indexes. Raises ``Conflict``."""
    found = await server.read(recorded)
    if found is None and not read_only:
        query = "MERGE (m:HithertoEmbedder {one: true}) ON CREATE SET m.name = $name, m.dimension = $dimension"
        await server.write(partial(run, query=query, params={"name": name, "dimension": dimension}))
        found = await server.read(recorded)
    if found is not None:
        check_embedder((found.name, found.dimension), (name, dimension), f"neo4j at {server.where}")
        if found.changing:
            raise Conflict(
                f"neo4j at {server.where} is being changed to the embedder {name}; if that was interrupted, "
                "finish it (`hitherto embed --embedder NAME`)",
                code="embedder_changes",
            )
    if not read_only:
        await _index_vectors(server, dimension)


async def change(server: Server, name: str, dimension: int) -> None:
    """See ``Store.change_embedder``. Every step may be done again."""
    found = await server.read(recorded)
    if found == Recorded(name, dimension, False):
        return
    query = (
        "MERGE (m:HithertoEmbedder {one: true}) SET m.name = $name, m.dimension = $dimension, m.changing = true"
    )
    await server.write(partial(run, query=query, params={"name": name, "dimension": dimension}))
    # Those who are writing hold their tenant's lock and are waited for; those who come later see the new name.
    await server.write(partial(run, query="MATCH (t:Tenant) SET t.writer = t.writer", params={}))
    await change_schema(server, tuple(f"DROP INDEX {index} IF EXISTS" for index in VECTOR_INDEX.values()))
    for label in _CARRIERS:
        await _remove_vectors(server, label)
    await _index_vectors(server, dimension)
    await server.write(partial(run, query="MATCH (m:HithertoEmbedder {one: true}) REMOVE m.changing", params={}))


async def _remove_vectors(server: Server, label: str) -> None:
    removed = (
        f"MATCH (n:{label}) WHERE n.tenant IS NOT NULL AND n.id IS NOT NULL AND n.embedding IS NOT NULL "
        f"WITH n LIMIT {_BATCH} REMOVE n.embedding, n.embedding_key RETURN count(*) AS removed"
    )
    while (await server.write(partial(run, query=removed, params={})))[0]["removed"]:
        pass


async def _index_vectors(server: Server, dimension: int) -> None:
    """Make the vector indexes that are missing; anew where the server has learned to filter since."""
    query = "SHOW VECTOR INDEXES YIELD name, properties RETURN name, size(properties) AS width"
    width = {row["name"]: row["width"] for row in await server.rows(query)}
    for name in VECTOR_INDEX.values():
        if width.get(name) == 1 and server.dialect is Dialect.FILTERING:
            await change_schema(server, (f"DROP INDEX {name} IF EXISTS",))
            del width[name]
    missing = [target for target, name in VECTOR_INDEX.items() if name not in width]
    if missing:
        await change_schema(server, tuple(vector_index(target, dimension, server.dialect) for target in missing))
