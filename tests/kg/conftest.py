"""Neo4j stores on the run's server, and a way to look into it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import neo4j
import pytest

from hitherto.kg.stores.neo4j import Neo4jStore, open_neo4j
from hitherto.neo4j_server import Address
from hitherto.testing.telling import DIMENSION, EMBEDDER, SetClock

Cypher = Callable[..., Awaitable[list[dict[str, Any]]]]


@pytest.fixture
async def neo4j_store(neo4j_server: Address) -> AsyncIterator[Neo4jStore]:
    """A store on the shared server; take a tenant of your own."""
    store = await open_neo4j(neo4j_server.uri, clock=SetClock(), auth=neo4j_server.auth)
    await store.claim_embedder(EMBEDDER, DIMENSION)
    yield store
    await store.close()


@pytest.fixture
async def cypher(neo4j_server: Address) -> AsyncIterator[Cypher]:
    """Asks the server beside the store."""
    driver = neo4j.AsyncGraphDatabase.driver(
        neo4j_server.uri, auth=neo4j_server.auth, notifications_min_severity="OFF"
    )

    async def ask(query: str, **params: object) -> list[dict[str, Any]]:
        async with driver.session() as session:
            result = await session.run(query, params)
            return [record.data() async for record in result]

    yield ask
    await driver.close()
