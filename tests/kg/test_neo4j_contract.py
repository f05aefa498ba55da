"""The Neo4j store keeps the contract, on the version that HITHERTO_NEO4J_VERSION names."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from hitherto.kg.store import Clock, Store
from hitherto.kg.stores.neo4j import open_neo4j
from hitherto.neo4j_server import Address
from hitherto.testing.contract import StoreContract

pytestmark = pytest.mark.neo4j


class TestNeo4j(StoreContract):
    @pytest.fixture
    async def store(self, clock: Clock, neo4j_server: Address) -> AsyncIterator[Store]:
        store = await open_neo4j(neo4j_server.uri, clock=clock, auth=neo4j_server.auth)
        yield store
        await store.close()
