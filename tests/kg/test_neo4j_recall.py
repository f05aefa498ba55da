"""What the vector leg finds, compared with all vectors compared exactly (by the SQLite store)."""

from __future__ import annotations

import random
import uuid
from collections.abc import AsyncIterator
from datetime import datetime

import pytest

from hitherto.kg.store import Point, Store, Target
from hitherto.kg.stores import open_store
from hitherto.kg.stores.neo4j import Neo4jStore, vectors
from hitherto.testing.telling import DIMENSION, EMBEDDER, SetClock, Teller, Told, day, vector_of

pytestmark = pytest.mark.neo4j

K = 20
QUESTIONS = [f"question {number}" for number in range(12)]


@pytest.fixture
async def exact() -> AsyncIterator[Store]:
    store = await open_store(":memory:", clock=SetClock())
    await store.claim_embedder(EMBEDDER, DIMENSION)
    yield store
    await store.close()


def facts(count: int, times: int, seed: int) -> list[Told]:
    """So many facts, each in so many stretches."""
    chance = random.Random(seed)
    told = []
    for number in range(count):
        start = chance.randrange(100)
        for stretch in range(times):
            begin = start + stretch * 20
            end = begin + chance.randrange(5, 20) if stretch < times - 1 or chance.random() < 0.5 else None
            told.append(Told(f"Ticket {number % 40}", "STATUS", f"state {number}", begin, end))
    return told


async def fill(teller: Teller, told: list[Told]) -> datetime:
    """Tell it in portions; the instant after the first half. Every third fact is given up again at the end."""
    portions = [told[start : start + 400] for start in range(0, len(told), 400)]
    half = None
    for number, portion in enumerate(portions):
        instant = await teller.tell(f"e{number}", *portion)
        half = instant if number <= len(portions) // 2 else half
    found = sorted(await teller.beliefs(), key=lambda belief: (belief.fact.text, str(belief.valid_from)))
    gone = [belief.id for belief in found[::3]]
    await teller.supersede(gone)
    assert half is not None
    return half


async def recall(stores: tuple[Store, Store], tenant: str, points: dict[Store, list[Point]]) -> float:
    """The least of the points' mean recalls."""
    found, wanted = stores
    means = []
    for at, then in zip(points[found], points[wanted], strict=True):
        shares = []
        for question in QUESTIONS:
            right = {m.id for m in await wanted.nearest(then, vector_of(question), Target.FACT, K)}
            got = {m.id for m in await found.nearest(at, vector_of(question), Target.FACT, K)}
            shares.append(len(right & got) / len(right) if right else 1.0)
            assert len(got) == len(right)
        means.append(sum(shares) / len(shares))
    return min(means)


@pytest.mark.parametrize(("count", "times"), [(100, 1), (1500, 1), (300, 6)])
@pytest.mark.parametrize("fetching", [False, True])
async def test_filtered_recall(
    neo4j_store: Neo4jStore, exact: Store, count: int, times: int, fetching: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where an index without filters is asked for ever more, which else only large tenants need."""
    if fetching:
        monkeypatch.setattr(vectors, "SMALL", 0)
    tenant = f"recall {uuid.uuid4()}"
    points: dict[Store, list[Point]] = {}
    for store in (neo4j_store, exact):
        teller = Teller(store, tenant)
        half = await fill(teller, facts(count, times, 7))
        now = await store.last_commit(tenant)
        points[store] = [
            teller.at(day(150), now),
            teller.at(day(60), now),
            teller.at(None, now),
            teller.at(day(60), half),
            teller.at(),
        ]
    assert await recall((neo4j_store, exact), tenant, points) >= 0.99
