"""``Admin`` on both stores: above the tenants, and without a way to write but ``migrate``."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, time, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from hitherto import Admin, Busy, Conflict, Forbidden, HithertoError, Invalid, Memory, NotFound, Unavailable
from hitherto.kg.admin import Tenant
from hitherto.memory import Parts
from hitherto.neo4j_server import Address
from hitherto.testing.telling import DIMENSION, EMBEDDER

from .support import ClaimsExtractor, SaidClaim, StepClock, TinyEmbedder, said

Auth = tuple[str, str] | None


class ContractEmbedder(TinyEmbedder):
    """Bears the name of the contract's: a server has one embedder, and this one is shared."""

    name = EMBEDDER
    dimension = DIMENSION


@pytest.fixture(params=["sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Auth]:
    """A database on each store, and how to log in."""
    if request.param == "sqlite":
        return str(tmp_path / "crm.db"), None
    server: Address = request.getfixturevalue("neo4j_server")
    return server.uri, server.auth


@pytest.fixture
async def admin(neo4j_server: Address) -> AsyncIterator[Admin]:
    async with Admin.open(neo4j_server.uri, auth=neo4j_server.auth) as admin:
        yield admin


async def remember(url: str, auth: Auth, tenant: str, clock: StepClock) -> None:
    parts = Parts(clock=clock, auth=auth, extractor=ClaimsExtractor(), embedder=ContractEmbedder())
    async with Memory.open(url, tenant=tenant, **parts) as memory:
        await memory.add(said(SaidClaim("dated_beginning", "Acme", 0)), occurred_at="2024-01-01")


async def test_tenants_come_by_id_in_pages_with_their_last_commit(place: tuple[str, Auth]) -> None:
    url, auth = place
    mark = f"admin-{uuid.uuid4()}"
    clock = StepClock()
    for number in (2, 0, 1):
        clock.now = datetime(2030, 1, 1 + number, tzinfo=UTC)
        await remember(url, auth, f"{mark}-{number}", clock)
    async with Admin.open(url, auth) as admin:
        found: list[Tenant] = []
        cursor, pages = None, 0
        while pages == 0 or cursor is not None:
            page = await admin.tenants(limit=2, cursor=cursor)
            assert len(page.items) <= 2
            found += page.items
            cursor, pages = page.cursor, pages + 1
        assert [t.id for t in found] == sorted(t.id for t in found)
        ours = [t for t in found if t.id.startswith(mark)]
        assert [(t.id, t.last_commit.date()) for t in ours] == [
            (f"{mark}-{number}", date(2030, 1, 1 + number)) for number in range(3)
        ]
        with pytest.raises(Invalid, match="cursor"):
            await admin.tenants(cursor="nonsense")
        with pytest.raises(Invalid, match="at least 1"):
            await admin.tenants(limit=0)


async def test_migrate_says_what_it_applied(place: tuple[str, Auth]) -> None:
    url, auth = place
    async with Admin.open(url, auth) as admin:
        first = await admin.migrate()
        again = await admin.migrate()
    assert again.applied == () and again.schema == first.schema >= 1
    if auth is None:  # a new file; the shared server may have its schema already
        assert first.applied[0] == "first tables"


async def test_sqlite_is_looked_at_and_left_alone(tmp_path: Path) -> None:
    async with Admin.open(str(tmp_path / "none.db")) as admin:
        for _ in range(2):  # the first look has made nothing
            with pytest.raises(NotFound, match=r"none\.db does not exist"):
                await admin.tenants()
    path = tmp_path / "crm.db"
    await remember(str(path), None, "acme", StepClock())
    before = path.read_bytes()
    async with Admin.open(f"sqlite:///{path}") as admin:
        assert [t.id for t in (await admin.tenants()).items] == ["acme"]
        with pytest.raises(Invalid, match="has no Cypher; open a neo4j:// address"):
            await admin.cypher("MATCH (n) RETURN n")
    assert path.read_bytes() == before


async def test_migrate_refuses_a_newer_schema(tmp_path: Path) -> None:
    path = tmp_path / "crm.db"
    await remember(str(path), None, "acme", StepClock())
    db = sqlite3.connect(path)
    db.execute("INSERT INTO migration VALUES (999, 'from the future', 0)")
    db.commit()
    db.close()
    async with Admin.open(str(path)) as admin:
        with pytest.raises(Conflict, match="upgrade hitherto"):
            await admin.migrate()


@pytest.mark.parametrize(
    ("url", "auth", "error", "says"),
    [
        (":memory:", None, Invalid, "memory has no administration"),
        ("crm.db", ("neo4j", "secret-1"), Invalid, "SQLite file has no user"),
        ("mongodb://host/x", None, Invalid, "no store for mongodb"),
        ("neo4j://user:secret-1@", None, Invalid, "has no host"),
        ("bolt://user:secret-1@127.0.0.1:1", None, Unavailable, "cannot be reached"),
    ],
)
async def test_a_wrong_address_is_one_line_without_the_password(
    url: str, auth: Auth, error: type[HithertoError], says: str
) -> None:
    with pytest.raises(error, match=says) as caught:
        await Admin.open(url, auth=auth)
    assert "secret" not in str(caught.value) and "\n" not in str(caught.value)


async def test_memory_takes_auth_too(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="SQLite file has no user"):
        await Memory.open(str(tmp_path / "crm.db"), tenant="acme", auth=("neo4j", "secret-1"))


@pytest.mark.neo4j
async def test_a_wrong_password_is_forbidden(neo4j_server: Address) -> None:
    with pytest.raises(Forbidden, match="does not accept this user and password") as caught:
        await Admin.open(neo4j_server.uri, auth=(neo4j_server.user, "wrong-secret"))
    assert "secret" not in str(caught.value)


@pytest.mark.neo4j
@pytest.mark.parametrize(
    "query",
    [
        "CREATE (n:Intruder)",
        "MERGE (n:Intruder {id: 1})",
        "MATCH (n:Tenant) SET n.id = 'stolen'",
        "MATCH (n:Tenant) REMOVE n.id",
        "MATCH (n) DETACH DELETE n",
        "CALL { CREATE (n:Intruder) RETURN n } RETURN n",
        "UNWIND [1, 2] AS i CALL (i) { CREATE (:Intruder {id: i}) } IN TRANSACTIONS RETURN i",
        "FOREACH (i IN [1] | CREATE (:Intruder))",
        "MATCH (t:Tenant) WITH t LIMIT 1 CALL db.create.setNodeVectorProperty(t, 'x', [1.0]) RETURN t",
        "CALL db.createLabel('Intruder')",
        "CREATE INDEX intruder FOR (n:Intruder) ON (n.id)",
        "CREATE USER intruder SET PASSWORD 'intruder-1'",
    ],
)
async def test_the_server_itself_refuses_to_write(admin: Admin, query: str) -> None:
    await admin.migrate()
    state = "MATCH (n) RETURN count(n) AS nodes, count(n.id) AS ids"
    before = await admin.cypher(state)
    with pytest.raises(Forbidden, match="does not write in a read-only session") as caught:
        await admin.cypher(query)
    assert caught.value.code == "Neo.ClientError.Statement.AccessMode"
    assert await admin.cypher(state) == before


@pytest.mark.neo4j
async def test_rows_are_pythons_own_values(admin: Admin, neo4j_server: Address) -> None:
    tenant = f"rows-{uuid.uuid4()}"
    await remember(neo4j_server.uri, neo4j_server.auth, tenant, StepClock())
    [row] = await admin.cypher(
        "MATCH path = (who:Person {tenant: $tenant})-[works:WORKS_AT]->(o) "
        "RETURN who, works, path, o.name AS name",
        tenant=tenant,
    )
    who, works, path = row["who"], row["works"], row["path"]
    assert isinstance(who, dict) and isinstance(works, dict) and isinstance(path, list)
    assert (who["name"], who["<labels>"]) == ("Ann", ["Entity", "Person"])
    assert (works["<type>"], works["<from>"]) == ("WORKS_AT", who["<id>"])
    assert works["valid_from"] == datetime(2024, 1, 1, tzinfo=UTC)
    assert works["ingested_at"] == datetime(2030, 1, 1, 0, 0, 0, 1, tzinfo=UTC)
    assert path[:2] == [who, works] and row["name"] == "Acme"
    assert isinstance(path[2], dict) and path[2]["<id>"] == works["<to>"]


@pytest.mark.neo4j
async def test_every_kind_of_value_comes_and_goes(admin: Admin) -> None:
    [row] = await admin.cypher(
        """
        RETURN datetime('2024-01-01T00:00:00.123456789[Europe/Berlin]') AS zoned, date('2024-02-29') AS day,
          localdatetime('2024-01-01T10:00') AS local, localtime('10:30') AS hour,
          duration('P1M2DT3.5S') AS span, point({x: 1, y: 2, z: 3}) AS spot,
          [1, [null, {a: datetime({epochSeconds: 0})}]] AS nested
        """
    )
    assert row == {
        "zoned": datetime(2023, 12, 31, 23, 0, 0, 123456, tzinfo=UTC),
        "day": date(2024, 2, 29),
        "local": datetime(2024, 1, 1, 10),
        "hour": time(10, 30),
        "span": "P1M2DT3.5S",
        "spot": {"srid": 9157, "x": 1.0, "y": 2.0, "z": 3.0},
        "nested": [1, [None, {"a": datetime(1970, 1, 1, tzinfo=UTC)}]],
    }
    zoned = row["zoned"]
    assert isinstance(zoned, datetime) and zoned.tzinfo is UTC


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("given", "back"),
    [
        (datetime(2024, 5, 1, tzinfo=ZoneInfo("Asia/Shanghai")), datetime(2024, 4, 30, 16, tzinfo=UTC)),
        (datetime(2024, 5, 1, tzinfo=timezone(timedelta(hours=2))), datetime(2024, 4, 30, 22, tzinfo=UTC)),
        (date(2024, 5, 1), date(2024, 5, 1)),
        (("a", 1, 2.5, None, True, b"x"), ["a", 1, 2.5, None, True, b"x"]),
        ({"when": [datetime(2024, 1, 1, tzinfo=ZoneInfo("UTC"))]}, {"when": [datetime(2024, 1, 1, tzinfo=UTC)]}),
        ("'; MATCH (n) DETACH DELETE n //", "'; MATCH (n) DETACH DELETE n //"),
    ],
)
async def test_parameters_are_values_never_text(admin: Admin, given: object, back: object) -> None:
    assert await admin.cypher("RETURN $query AS back", query=given) == [{"back": back}]


@pytest.mark.neo4j
async def test_the_server_ends_what_takes_too_long(admin: Admin) -> None:
    endless = "UNWIND range(1, 100000000) AS x UNWIND range(1, 1000000) AS y RETURN count(*)"
    with pytest.raises(Busy, match=r"stopped the query after 0\.2 s"):
        await admin.cypher(endless, timeout_s=0.2)
    assert await admin.cypher("SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery CONTAINS '1000000' "
                              "AND NOT currentQuery CONTAINS 'SHOW' RETURN currentQuery") == []  # fmt: skip


@pytest.mark.neo4j
async def test_more_rows_than_asked_for_are_an_error(admin: Admin) -> None:
    assert len(await admin.cypher("UNWIND range(1, 1000) AS x RETURN x")) == 1000
    with pytest.raises(Invalid, match="more than 3 rows") as caught:
        await admin.cypher("UNWIND range(1, 100000000) AS x RETURN x", limit=3)
    assert caught.value.code == "too_many_rows"
    assert await admin.cypher("UNWIND range(1, 9) AS x RETURN x LIMIT $limit", limit=2) == [{"x": 1}, {"x": 2}]


@pytest.mark.neo4j
@pytest.mark.parametrize(
    ("query", "options", "says"),
    [
        (" ", {}, "query is empty"),
        ("RETURN", {}, "does not take this query: Invalid input"),
        ("RETURN $missing", {}, "missing"),
        ("RETURN 1 / 0", {}, "by zero"),
        ("RETURN 1; RETURN 2", {}, "one statement"),
        ("CALL no.such()", {}, "no.such"),
        (":style x", {}, "does not take this query"),
        ("RETURN $x", {"x": object()}, "the parameter x holds a object"),
        ("RETURN $x", {"x": [time(1, tzinfo=UTC)]}, "the parameter x holds a time"),
        ("RETURN $x", {"x": 2**63}, "too large"),
        ("RETURN $x", {"x": "\ud800"}, "lone surrogate"),
        ("RETURN 1", {"timeout_s": 0}, "timeout_s must be"),
        ("RETURN 1", {"timeout_s": float("nan")}, "timeout_s must be"),
        ("RETURN 1", {"limit": 0}, "limit must be"),
        ("RETURN datetime('9999-12-31T23:00-05:00') AS x", {}, r"outside the years 1 to 9999; .* toString\(\)"),
    ],
)
async def test_bad_input_is_one_line(admin: Admin, query: str, options: dict[str, object], says: str) -> None:
    with pytest.raises(Invalid, match=says) as caught:
        await admin.cypher(query, **options)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


@pytest.mark.neo4j
async def test_other_peoples_tenant_nodes_are_not_ours(admin: Admin, neo4j_server: Address) -> None:
    import neo4j

    label = f"admin-{uuid.uuid4()}"
    async with neo4j.AsyncGraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as driver:
        await driver.execute_query("CREATE (:Tenant {id: $label})", label=label)
        try:
            page = await admin.tenants(limit=1000)
            assert label not in [tenant.id for tenant in page.items]
        finally:
            await driver.execute_query("MATCH (t:Tenant {id: $label}) DELETE t", label=label)
