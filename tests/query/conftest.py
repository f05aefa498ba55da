from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, tzinfo

import pytest

from hitherto.extraction.embedders import default_embedder
from hitherto.kg.store import Store
from hitherto.kg.stores import open_store
from hitherto.query.view import View
from tests.query.scribe import ONTOLOGY, TENANT, Scribe

EMBEDDER = default_embedder()


class Wall:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = datetime(2020, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
async def store(wall: Wall) -> AsyncIterator[Store]:
    store = await open_store(":memory:", clock=wall)
    await store.claim_embedder(EMBEDDER.name, EMBEDDER.dimension)
    yield store
    await store.close()


@pytest.fixture
def scribe(store: Store, wall: Wall) -> Scribe:
    def set_clock(now: datetime) -> None:
        wall.now = now

    return Scribe(store, EMBEDDER, set_clock)


ViewAt = Callable[..., View]


@pytest.fixture
def at(store: Store, wall: Wall) -> ViewAt:
    def make(
        valid: datetime | None = None,
        known: datetime | None = None,
        *,
        tenant: str = TENANT,
        zone: tzinfo = UTC,
    ) -> View:
        return View(
            store=store,
            tenant=tenant,
            ontology=ONTOLOGY,
            embedder=EMBEDDER,
            zone=zone,
            clock=wall,
            valid=valid,
            known=known,
        )

    return make
