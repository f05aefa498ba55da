"""What may go wrong with a server: one line of the right kind, nothing half-written, no password anywhere."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import pytest

from hitherto.kg.store import EpisodeFilter, Page, Transaction
from hitherto.kg.stores.neo4j import Neo4jStore, open_neo4j
from hitherto.kg.stores.neo4j.schema import MIGRATIONS, VECTOR_INDEX, Dialect, vector_index
from hitherto.kg.stores.neo4j.server import check_version
from hitherto.neo4j_server import Address
from hitherto.temporal.errors import (
    Busy,
    Conflict,
    Fault,
    Forbidden,
    HithertoError,
    Invalid,
    NotFound,
    Unavailable,
)
from hitherto.testing.telling import DIMENSION, EMBEDDER, SetClock, Teller, Told

from .conftest import Cypher

SECRET = "s3cr3t-pass"


@contextmanager
def refused(kind: type[HithertoError], *words: str) -> Iterator[None]:
    with pytest.raises(kind) as raised:
        yield
    message = str(raised.value)
    assert "\n" not in message
    assert all(word in message for word in words), message
    shown: BaseException | None = raised.value
    while shown is not None:
        assert SECRET not in f"{shown} {shown!r}"
        shown = shown.__cause__ or shown.__context__


@asynccontextmanager
async def opened(address: Address, uri: str = "", **options: object) -> AsyncIterator[Neo4jStore]:
    store = await open_neo4j(uri or address.uri, clock=SetClock(), auth=address.auth, **options)  # type: ignore[arg-type]
    try:
        yield store
    finally:
        await store.close()


@pytest.mark.neo4j
async def test_a_wrong_password(neo4j_server: Address) -> None:
    where = neo4j_server.uri.partition("://")[2]
    with refused(Forbidden, where, "password"):
        await open_neo4j(f"bolt://neo4j:{SECRET}@{where}", clock=SetClock())


@pytest.mark.neo4j
async def test_no_such_database(neo4j_server: Address) -> None:
    with refused(NotFound, "nosuch", "database"):
        await open_neo4j(f"{neo4j_server.uri}/nosuch", clock=SetClock(), auth=neo4j_server.auth)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j", "bolt+ssc"])
async def test_nobody_answers(scheme: str) -> None:
    with refused(Unavailable, "127.0.0.1:9", "reached"):
        await open_neo4j(f"{scheme}://neo4j:{SECRET}@127.0.0.1:9/db", clock=SetClock())


async def test_somebody_else_answers() -> None:
    async def rude(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH\r\n")
        writer.close()

    server = await asyncio.start_server(rude, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        with refused(Invalid, f"127.0.0.1:{port}", "no Neo4j"):
            await open_neo4j(f"bolt://neo4j:{SECRET}@127.0.0.1:{port}", clock=SetClock())


def test_versions_and_products() -> None:
    for version in ("5.26.0", "5.26.30", "5.27-aura", "2025.06.0", "2026.08.1"):
        check_version(version, "h:1")
    for version in ("4.4.44", "5.25.1"):
        with refused(Invalid, "h:1", version, "5.26"):
            check_version(version, "h:1")
    with refused(Invalid, "not Neo4j"):
        check_version("", "h:1")


@pytest.mark.neo4j
async def test_a_newer_schema_is_refused_and_left_as_it_is(
    neo4j_server: Address, neo4j_store: Neo4jStore, cypher: Cypher
) -> None:
    await cypher("CREATE (:HithertoMigration {number: 999, name: 'from the future'})")
    try:
        with refused(Conflict, "999", "from the future", "upgrade"):
            await open_neo4j(neo4j_server.uri, clock=SetClock(), auth=neo4j_server.auth)
    finally:
        await cypher("MATCH (m:HithertoMigration {number: 999}) DELETE m")


@pytest.mark.neo4j
async def test_migrations_are_recorded_and_applied_once(neo4j_store: Neo4jStore, cypher: Cypher) -> None:
    query = "MATCH (m:HithertoMigration) RETURN m.number AS number, m.name AS name ORDER BY number"
    rows = await cypher(query)
    assert [(row["number"], row["name"]) for row in rows] == [(m.number, m.name) for m in MIGRATIONS]
    rules = await cypher("SHOW INDEXES YIELD name, type, state WHERE type <> 'LOOKUP' RETURN name, state")
    assert all(rule["name"].startswith("hitherto_") for rule in rules)
    assert {rule["state"] for rule in rules} == {"ONLINE"}


@pytest.mark.neo4j
async def test_two_processes_may_open_a_database_at_once(neo4j_server: Address) -> None:
    stores = await asyncio.gather(
        *(open_neo4j(neo4j_server.uri, clock=SetClock(), auth=neo4j_server.auth) for _ in range(4))
    )
    await asyncio.gather(*(store.claim_embedder(EMBEDDER, DIMENSION) for store in stores))
    assert {await store.embedder_name() for store in stores} == {EMBEDDER}
    for store in stores:
        await store.close()


@pytest.mark.neo4j
async def test_a_read_only_store_reads(neo4j_server: Address, neo4j_store: Neo4jStore) -> None:
    teller = Teller(neo4j_store, f"trouble {uuid.uuid4()}")
    await teller.tell("e1", Told("Ann", "LIKES", "tea"))
    async with opened(neo4j_server, read_only=True) as store:
        await store.claim_embedder(EMBEDDER, DIMENSION)
        reader = Teller(store, teller.tenant)
        assert await reader.texts() == ["Ann likes tea"]
        with refused(Forbidden, "read-only"):
            await reader.tell("e2", Told("Ann", "LIKES", "rain"))


@pytest.mark.neo4j
async def test_indexes_of_an_older_server_are_made_anew(neo4j_store: Neo4jStore, cypher: Cypher) -> None:
    if neo4j_store._server.dialect is not Dialect.FILTERING:
        pytest.skip("this server's vector indexes cannot filter")
    for target, name in VECTOR_INDEX.items():
        await cypher(f"DROP INDEX {name}")
        await cypher(vector_index(target, DIMENSION, Dialect.PLAIN))
    await neo4j_store.claim_embedder(EMBEDDER, DIMENSION)
    query = "SHOW VECTOR INDEXES YIELD name, properties, state RETURN name, size(properties) AS width, state"
    found = {row["name"]: (row["width"], row["state"]) for row in await cypher(query)}
    assert found == {name: (width, "ONLINE") for name, width in zip(VECTOR_INDEX.values(), (6, 4, 4), strict=True)}


@pytest.mark.neo4j
async def test_texts_that_no_index_takes(neo4j_store: Neo4jStore) -> None:
    teller = Teller(neo4j_store, f"trouble {uuid.uuid4()}")
    with refused(Invalid, "index", "characters"):
        await teller.tell("x" * 20_000, Told("Ann", "LIKES", "tea"))
    assert (await neo4j_store.episodes(teller.at(), EpisodeFilter(), Page())).items == ()
    # Names and literals of any length are fine.
    await teller.tell("e1", Told("Ann" * 10_000, "LIKES", "tea" * 10_000))
    (belief,) = await teller.beliefs()
    assert belief.fact.subject.name == "Ann" * 10_000
    assert list(await neo4j_store.find_entities(teller.at(), ["tea" * 10_000])) == ["tea" * 10_000]


@pytest.mark.neo4j
async def test_a_writer_waits_a_bounded_time(neo4j_server: Address, neo4j_store: Neo4jStore) -> None:
    """For a process that holds the tenant, and for tasks of its own."""
    tenant = f"trouble {uuid.uuid4()}"
    held, release = asyncio.Event(), asyncio.Event()

    async def hold(tx: Transaction) -> None:
        await tx.put_episode(Teller(neo4j_store, tenant).episode("held"), None)
        await tx.claims_of("held")
        held.set()
        await release.wait()

    holding = asyncio.create_task(neo4j_store.write(tenant, hold))
    await held.wait()
    async with opened(neo4j_server, wait_s=0.3) as other:
        with refused(Busy, "0.3 s", "try again"):
            await Teller(other, tenant).tell("late", Told("Ann", "LIKES", "tea"))
        await Teller(other, f"{tenant} 2").tell("elsewhere", Told("Ann", "LIKES", "tea"))
        release.set()
        await holding
        await Teller(other, tenant).tell("late", Told("Ann", "LIKES", "tea"))
    assert len((await neo4j_store.episodes(Teller(neo4j_store, tenant).at(), EpisodeFilter(), Page())).items) == 2


@pytest.mark.neo4j
async def test_a_write_inside_a_write_is_refused(neo4j_store: Neo4jStore) -> None:
    tenant = f"trouble {uuid.uuid4()}"

    async def work(tx: Transaction) -> None:
        await neo4j_store.write(tenant, work)

    with refused(Fault, "inside write()"):
        await neo4j_store.write(tenant, work)


@pytest.mark.neo4j
async def test_a_cancelled_write_leaves_nothing(neo4j_store: Neo4jStore) -> None:
    teller = Teller(neo4j_store, f"trouble {uuid.uuid4()}")
    begun = asyncio.Event()

    async def work(tx: Transaction) -> None:
        await tx.put_episode(teller.episode("e1"), None)
        await tx.claims_of("e1")
        begun.set()
        await asyncio.sleep(60)

    task = asyncio.create_task(neo4j_store.write(teller.tenant, work))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await neo4j_store.last_commit(teller.tenant) is None
    await teller.tell("e2", Told("Ann", "LIKES", "tea"))
    assert await teller.texts() == ["Ann likes tea"]
