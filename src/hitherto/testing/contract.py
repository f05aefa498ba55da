"""What every store must do, as tests. A store's own test is a subclass with a fixture:

    class TestMyStore(StoreContract):
        @pytest.fixture
        async def store(self, clock):
            store = await open_store("mine://...", clock=clock)
            yield store
            await store.close()

Needs pytest, pytest-asyncio (``asyncio_mode = "auto"``) and hypothesis. Every test writes into tenants of its own,
so the tests may share one server.
"""

from __future__ import annotations

import uuid

import pytest

_PARTS = ("writes", "history", "reads", "changes", "search", "tenants", "identity", "keeping")
pytest.register_assert_rewrite(*(f"{__package__}.contract_{part}" for part in _PARTS))

# Only after that, so that a failing assert shows its values.
from ..kg.store import Store  # noqa: E402
from .contract_changes import ChangeContract  # noqa: E402
from .contract_history import HistoryContract  # noqa: E402
from .contract_identity import IdentityContract  # noqa: E402
from .contract_keeping import KeepingContract  # noqa: E402
from .contract_reads import ReadContract  # noqa: E402
from .contract_search import SearchContract  # noqa: E402
from .contract_tenants import TenantContract  # noqa: E402
from .contract_writes import WriteContract  # noqa: E402
from .telling import DIMENSION, EMBEDDER, SetClock  # noqa: E402

__all__ = ["StoreContract"]


class StoreContract(
    WriteContract,
    HistoryContract,
    ReadContract,
    ChangeContract,
    SearchContract,
    TenantContract,
    IdentityContract,
    KeepingContract,
):
    """Subclass it and give it a ``store`` fixture, made with the ``clock`` fixture's clock."""

    @pytest.fixture
    def clock(self) -> SetClock:
        return SetClock()

    @pytest.fixture
    def tenant(self) -> str:
        """A tenant that no other test uses."""
        return f"contract {uuid.uuid4()}"

    @pytest.fixture(autouse=True)
    async def _embedder(self, store: Store) -> None:
        await store.claim_embedder(EMBEDDER, DIMENSION)
