"""Neo4j stores on the run's server, and a way to look into it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import neo4j
import pytest

from hitherto.kg.stores.neo4j import Neo4jStore, open_neo4j
from hitherto.neo4j_server import Address, LocalJava, Machine, Options, Server, locate, start, stop
from hitherto.temporal.errors import Unavailable
from hitherto.testing.neo4j import skip_or_fail
from hitherto.testing.telling import DIMENSION, EMBEDDER, SetClock

QUICK = Options(bolt_port=0, http_port=0, heap="512m", jvm=("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"))
"""A server that starts fast and is not asked much."""

Cypher = Callable[..., Awaitable[list[dict[str, Any]]]]


@pytest.fixture
async def neo4j_store(neo4j_server: Address) -> AsyncIterator[Neo4jStore]:
    """A store on the shared server; take a tenant of your own."""
    store = await open_neo4j(neo4j_server.uri, clock=SetClock(), auth=neo4j_server.auth)
    await store.claim_embedder(EMBEDDER, DIMENSION)
    yield store
    await store.close()


@pytest.fixture
def own_machine(tmp_path: Path) -> Machine:
    """Where a test starts a server of its own, of a local Java, that nobody else uses."""
    machine = replace(Machine.from_environ(os.environ), given=None, data=tmp_path / "home")
    try:
        found = locate(machine)
    except Unavailable as error:
        skip_or_fail(machine, error)
    if not isinstance(found, LocalJava):
        pytest.skip("a Docker engine answers, and this test handles a server of a local Java")
    return machine


@pytest.fixture
async def running(own_machine: Machine) -> AsyncIterator[Server]:
    yield await asyncio.to_thread(start, own_machine, options=QUICK)
    await asyncio.to_thread(stop, own_machine)


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
