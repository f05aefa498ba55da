"""Many writers at once: nothing lost, nothing stuck, and the belief that one writer would have left."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from datetime import timedelta
from itertools import pairwise

import pytest

from hitherto.kg.commit import Effects, Embedded, commit, receive
from hitherto.kg.model import Draft, Episode, Mention, WriteReport
from hitherto.kg.ontology import Ontology
from hitherto.kg.preparation import prepare
from hitherto.kg.store import EpisodeFilter, FactFilter, Page, Point, Store
from hitherto.kg.stores import open_store
from hitherto.kg.stores.neo4j import Neo4jStore, open_neo4j
from hitherto.neo4j_server import Address
from hitherto.temporal.claims import Says
from hitherto.testing.telling import DIMENSION, EMBEDDER, SetClock, Teller, day, on, vector_of

from .conftest import Cypher

pytestmark = pytest.mark.neo4j

WRITERS = 8
EACH = 6
ONTOLOGY = Ontology.starter()


@pytest.fixture
async def stores(neo4j_server: Address) -> AsyncIterator[list[Neo4jStore]]:
    """As many as there are writers: each stands for a process of its own."""
    found = [await open_neo4j(neo4j_server.uri, clock=SetClock(), auth=neo4j_server.auth) for _ in range(WRITERS)]
    await found[0].claim_embedder(EMBEDDER, DIMENSION)
    yield found
    for store in found:
        await store.close()


def said(store: Store, tenant: str, number: int) -> tuple[Episode, Draft]:
    """Alice's employer number so-and-so: all are in one slot, where one value holds at a time."""
    episode = Teller(store, tenant).episode(f"e{number}", f"Alice joined Company {number}.", number)
    draft = Draft(
        says=Says.DATED_BEGINNING,
        subject=Mention("Alice", "Person"),
        predicate="WORKS_AT",
        object=Mention(f"Company {number}", "Organization"),
        valid_from=on(number),
        stated_at=day(number),
        position=0,
        quote_start=0,
        quote_end=len(episode.text),
    )
    return episode, draft


async def add(store: Store, tenant: str, number: int) -> WriteReport:
    episode, draft = said(store, tenant, number)
    prepared = prepare(tenant, episode, [draft], ONTOLOGY)
    vectors = Embedded(
        {row.fact.id: vector_of(row.fact.text) for row in prepared.facts},
        {id_: vector_of(name) for id_, name in prepared.entity_names.items()},
    )
    effects = Effects(prepared, vectors, vector_of(episode.text))
    await store.write(tenant, lambda tx: receive(tx, episode))
    return await store.write(tenant, lambda tx: commit(tx, [effects], ONTOLOGY))


async def believed(store: Store, tenant: str) -> list[tuple[object, ...]]:
    known = await store.last_commit(tenant)
    found = await store.beliefs(Point(tenant, None, known), FactFilter(), Page(limit=1000))
    return [(b.fact.text, b.valid_from, b.valid_to, len(b.evidence)) for b in found.items]


@pytest.mark.parametrize("tenants", [1, WRITERS])
async def test_eight_writers_leave_what_one_would_have(stores: list[Neo4jStore], tenants: int) -> None:
    names = [f"writers {uuid.uuid4()}" for _ in range(tenants)]

    async def writer(index: int) -> list[WriteReport]:
        mine = range(index, WRITERS * EACH, WRITERS)
        return [await add(stores[index], names[index % tenants], number) for number in mine]

    reports = [report for found in await asyncio.gather(*map(writer, range(WRITERS))) for report in found]
    assert len({(report.tx, report.episode_id) for report in reports}) == WRITERS * EACH

    alone = await open_store(":memory:", clock=SetClock())
    await alone.claim_embedder(EMBEDDER, DIMENSION)
    for place, tenant in enumerate(names):
        numbers = [n for n in range(WRITERS * EACH) if n % WRITERS % tenants == place]
        for number in numbers:
            await add(alone, tenant, number)
        assert await believed(stores[0], tenant) == await believed(alone, tenant)
        everything = await stores[0].episodes(Point(tenant), EpisodeFilter(), Page(limit=1000))
        assert [episode.id for episode in everything.items] == [f"e{number}" for number in numbers]
    await alone.close()


async def test_transaction_time_goes_on_whatever_the_clocks_say(stores: list[Neo4jStore], cypher: Cypher) -> None:
    """Eight clocks that stand still, apart from each other."""
    tenant = f"writers {uuid.uuid4()}"
    for number, store in enumerate(stores):
        clock = store._clock
        assert isinstance(clock, SetClock)
        clock.step = timedelta(0)
        clock.now += timedelta(hours=number * (-1) ** number)

    async def writer(index: int) -> None:
        for number in range(3):
            await Teller(stores[index], tenant).tell(f"e{index}-{number}")

    await asyncio.gather(*map(writer, range(WRITERS)))
    rows = await cypher("MATCH (c:Commit {tenant: $tenant}) RETURN c.tx_us AS us ORDER BY us", tenant=tenant)
    instants = [row["us"] for row in rows]
    assert len(instants) == 3 * WRITERS
    assert all(a < b for a, b in pairwise(instants))
    arrived = await stores[0].episodes(Point(tenant), EpisodeFilter(), Page(limit=100))
    assert len({episode.ingested_at for episode in arrived.items}) == 3 * WRITERS


async def test_a_store_reads_its_own_writes(stores: list[Neo4jStore]) -> None:
    """And another store sees them once it is told of a later commit."""
    tenant = f"writers {uuid.uuid4()}"
    for number in range(10):
        store = stores[number % 2]
        await Teller(store, tenant).tell(f"e{number}")
        found = await store.episodes(Point(tenant), EpisodeFilter(), Page(limit=100))
        assert len(found.items) == number + 1
