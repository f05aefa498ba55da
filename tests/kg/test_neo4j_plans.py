"""No verb scans all nodes or relationships, and what others store costs a tenant nothing (by PROFILE)."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.neo4j_plans import (
    VERBS,
    Profile,
    beside,
    every_write_verb,
    grown,
    profiling,
    reading,
    scanning,
    small_world,
)
from neo4j import AsyncManagedTransaction

from hitherto.kg.commit import receive_many
from hitherto.kg.model import Episode, EpisodeStatus
from hitherto.kg.store import Store, Transaction
from hitherto.kg.stores.neo4j import Neo4jStore
from hitherto.neo4j_server import Address, Machine, Options, passing_server
from hitherto.temporal.errors import Unavailable
from hitherto.testing.neo4j import skip_or_fail
from hitherto.testing.telling import Teller, Told, vector_of

pytestmark = pytest.mark.neo4j

UNMEASURED = {"close", "write", "claim_embedder", "change_embedder"}
"""Verbs of a store that touch no tenant's rows, all tenants', or whatever they are given."""


@pytest.fixture
def profile() -> Iterator[Profile]:
    with profiling() as found:
        yield found


def verbs_of(protocol: type) -> set[str]:
    parts = [part for part in protocol.__mro__ if part.__module__.startswith("hitherto")]
    things = {name: thing for part in parts for name, thing in vars(part).items()}
    return {name for name, thing in things.items() if callable(thing) and not name.startswith("_")}


def test_every_verb_of_a_store_is_measured() -> None:
    assert {name.partition(" ")[0] for name in VERBS} == verbs_of(Store) - UNMEASURED


async def test_every_verb_of_a_transaction_is_measured(neo4j_store: Neo4jStore) -> None:
    used: set[str] = set()

    class Watched:
        def __init__(self, tx: Transaction) -> None:
            self._tx = tx

        def __getattr__(self, name: str) -> object:
            used.add(name)
            return getattr(self._tx, name)

    teller = await small_world(neo4j_store)
    await neo4j_store.write(teller.tenant, lambda tx: every_write_verb(Watched(tx), teller))  # type: ignore[arg-type]
    assert used >= verbs_of(Transaction)


async def test_no_verb_scans(neo4j_server: Address) -> None:
    [found] = await beside(neo4j_server, [1_000])
    assert scanning(found) == {}
    assert found["beliefs, as of"].hits > 0


@pytest.fixture
def empty_server(tmp_path: Path) -> Iterator[Address]:
    """Nothing is there yet, so that the server makes its plans without statistics."""
    machine = Machine.from_environ(os.environ)
    if machine.given is not None:
        pytest.skip("the server that NEO4J_URI names need not be empty")
    try:
        with passing_server(machine, tmp_path / "home", options=Options(bolt_port=0, http_port=0)) as address:
            yield address
    except Unavailable as error:
        skip_or_fail(machine, error)


@pytest.mark.slow
async def test_plans_made_beside_nothing_stay_flat_beside_20_000_facts(empty_server: Address) -> None:
    none, many = await beside(empty_server, [0, 20_000])
    assert (scanning(none), scanning(many)) == ({}, {})
    assert grown(none, many) == {}


PAGES = (
    "beliefs",
    "beliefs of a predicate",
    "changes",
    "slot_claims",
    "episode_claims",
    "episodes",
    "episodes since",
    "recent_episodes",
    "recent_episodes of a session",
    "session_neighbours",
    "entities",
    "find_entities",
    "uses",
    "archived",
    "last_commit",
)


async def test_a_page_costs_a_page(neo4j_store: Neo4jStore, profile: Profile) -> None:
    """However much the tenant itself holds."""
    teller = await small_world(neo4j_store)

    async def more(numbers: range) -> dict[str, Profile]:
        for n in numbers:
            await teller.tell(f"more{n}", Told("Person 1", "WORKS_AT", f"Place {n}", 20 + n), n=n)
        return await reading(neo4j_store, teller, profile)

    few, many = await more(range(15)), await more(range(15, 75))
    for name in PAGES:
        assert many[f"{name}, ever"].hits <= 1.2 * few[f"{name}, ever"].hits + 10, name


async def test_many_episodes_are_few_statements(neo4j_store: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A statement costs the server far more to plan than to run."""
    sent: list[int] = []
    real = AsyncManagedTransaction.run

    async def run(self: AsyncManagedTransaction, query: str, params: dict[str, object]) -> object:
        sent.append(len(query))
        return await real(self, query, params)

    monkeypatch.setattr(AsyncManagedTransaction, "run", run)
    teller = Teller(neo4j_store, f"many {uuid.uuid4()}")
    found: list[int] = []
    for size in (2, 60):
        episodes = [teller.episode(f"{size} {number}", f"tea {number}") for number in range(size)]

        async def put(tx: Transaction, episodes: list[Episode] = episodes) -> None:
            await receive_many(tx, episodes)
            for episode in episodes:
                await tx.put_episode(replace(episode, status=EpisodeStatus.DONE), vector_of(episode.text))

        sent.clear()
        await neo4j_store.write(teller.tenant, put)
        found.append(sum(sent))
    assert found[0] == found[1]
