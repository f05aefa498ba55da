"""The SQLite store keeps the contract, in a file and in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hitherto.kg.store import Clock, Store
from hitherto.kg.stores import open_store
from hitherto.testing.contract import StoreContract


class TestSqliteFile(StoreContract):
    @pytest.fixture
    async def store(self, clock: Clock, tmp_path: Path) -> AsyncIterator[Store]:
        store = await open_store(str(tmp_path / "memory.db"), clock=clock)
        yield store
        await store.close()


class TestSqliteMemory(StoreContract):
    @pytest.fixture
    async def store(self, clock: Clock) -> AsyncIterator[Store]:
        store = await open_store(":memory:", clock=clock)
        yield store
        await store.close()
