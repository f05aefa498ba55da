"""A server that goes down in the middle of a write, and comes back."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from hitherto.kg.model import EpisodeStatus
from hitherto.kg.store import EpisodeFilter, Page, Transaction
from hitherto.kg.stores.neo4j import Neo4jStore, open_neo4j, server
from hitherto.neo4j_server import Machine, Server, start, stop
from hitherto.temporal.errors import Unavailable
from hitherto.testing.telling import DIMENSION, EMBEDDER, SetClock, Teller, Told
from tests.kg.conftest import QUICK

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]


async def pending(store: Neo4jStore, teller: Teller) -> list[str]:
    where = EpisodeFilter(status=EpisodeStatus.PENDING)
    return [episode.id for episode in (await store.episodes(teller.at(), where, Page())).items]


async def test_four_processes_open_a_new_database_at_once(running: Server) -> None:
    address = running.address
    stores = await asyncio.gather(
        *(open_neo4j(address.uri, clock=SetClock(), auth=address.auth) for _ in range(4))
    )
    await asyncio.gather(*(store.claim_embedder(EMBEDDER, DIMENSION) for store in stores))
    for number, store in enumerate(stores):
        await Teller(store, "new").tell(f"e{number}", Told("Ann", "LIKES", f"tea {number}"))
    assert len(await Teller(stores[0], "new").texts()) == len(stores)
    for store in stores:
        await store.close()


async def test_a_restart_during_a_write(
    own_machine: Machine, running: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The write fails as a whole, the episode stays pending, and the same store goes on afterwards."""
    monkeypatch.setattr(server, "_RETRY_S", 2.0)
    store = await open_neo4j(running.address.uri, clock=SetClock(), auth=running.address.auth)
    await store.claim_embedder(EMBEDDER, DIMENSION)
    teller = Teller(store, "restart")
    waiting = replace(teller.episode("e1"), status=EpisodeStatus.PENDING)
    await store.write("restart", lambda tx: tx.put_episode(waiting, None))
    received = await store.last_commit("restart")

    async def read_it(tx: Transaction) -> None:
        await tx.put_episode(replace(waiting, status=EpisodeStatus.DONE), None)
        await teller.put(tx, "e1", [Told("Ann", "LIKES", "tea")])
        await tx.claims_of("e1")
        if await asyncio.to_thread(stop, own_machine) != "not running":
            await tx.claims_of("e1")

    with pytest.raises(Unavailable) as raised:
        await store.write("restart", read_it)
    assert running.address.password not in str(raised.value)
    with pytest.raises(Unavailable):
        await store.last_commit("restart")

    port = int(running.address.uri.rpartition(":")[2])
    again = await asyncio.to_thread(start, own_machine, options=replace(QUICK, bolt_port=port))
    assert again.address == running.address
    assert await store.last_commit("restart") == received
    assert await pending(store, teller) == ["e1"]
    assert await teller.texts() == []
    await teller.tell("e1", Told("Ann", "LIKES", "tea"))
    assert await pending(store, teller) == []
    assert await teller.texts() == ["Ann likes tea"]
    await store.close()
