"""Opening SQLite files: whose they are, which schema they have, and that a refused one is left alone."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hitherto.kg.migrations import Migration, outstanding
from hitherto.kg.store import FactFilter, Identity, Page, Point, Target, Transaction
from hitherto.kg.stores import open_store
from hitherto.kg.stores.sqlite import files, open_sqlite, schema
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
from hitherto.temporal.intervals import Interval
from hitherto.testing.telling import DIMENSION, EMBEDDER, Teller, Told


def clock() -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC)


def state(folder: Path) -> dict[str, bytes]:
    """Every file's bytes."""
    return {str(p): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


async def make(path: Path) -> None:
    store = await open_store(str(path), clock=clock)
    await store.claim_embedder(EMBEDDER, DIMENSION)
    await Teller(store, "t").tell("e", Told("Ann", "LIKES", "tea"))
    await store.close()


def foreign(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("CREATE TABLE theirs (a)")
    db.commit()
    db.close()


def newer(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    db.execute(schema.MIGRATION_TABLE)
    db.execute("INSERT INTO migration VALUES (999, 'from the future', 0)")
    db.commit()
    db.close()


def other_branch(path: Path) -> None:
    newer(path)
    db = sqlite3.connect(path)
    db.execute("UPDATE migration SET number = 1")
    db.commit()
    db.close()


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    ("name", "prepare", "error", "says"),
    [
        ("a.db", lambda p: p.write_bytes(b"not a database" * 99), Invalid, "not a SQLite file"),
        ("a.db", lambda p: p.write_bytes(b"short"), Invalid, "not a SQLite file"),
        ("a.db", foreign, Invalid, "another program"),
        ("a.db", newer, Conflict, "999.*upgrade"),
        ("a.db", other_branch, Conflict, "from the future"),
        ("a.db", Path.mkdir, Invalid, "folder"),
        ("none/a.db", lambda p: None, NotFound, "none"),
    ],
)
async def test_a_refused_file_is_left_alone(
    tmp_path: Path,
    name: str,
    prepare: Callable[[Path], None],
    error: type[HithertoError],
    says: str,
    read_only: bool,
) -> None:
    prepare(tmp_path / name)
    before = state(tmp_path)
    with pytest.raises(error, match=says) as caught:
        await open_store(str(tmp_path / name), clock=clock, read_only=read_only)
    assert "\n" not in str(caught.value)
    assert state(tmp_path) == before


@pytest.mark.parametrize("url", ["", "neo5j://host", "http://host/a.db", "a\0b"])
async def test_no_such_store(url: str) -> None:
    with pytest.raises(Invalid) as caught:
        await open_store(url, clock=clock)
    if "://" in url:
        assert "sqlite://" in str(caught.value)


@pytest.mark.parametrize("form", ["{path}", "sqlite:///{path}", "SQLITE:///{path}", "sqlite:///{quoted}"])
async def test_ways_to_name_a_file(tmp_path: Path, form: str) -> None:
    path = tmp_path / "my memory #1?.db"
    await make(path)
    url = form.format(path=path, quoted=str(path).replace(" ", "%20").replace("#", "%23").replace("?", "%3F"))
    store = await open_store(url, clock=clock, read_only=True)
    assert (await store.status("t")).facts == 1
    await store.close()


@pytest.mark.parametrize("url", [":memory:", "sqlite://", "sqlite:///:memory:"])
async def test_memories_are_apart(url: str) -> None:
    one, other = await open_store(url, clock=clock), await open_store(url, clock=clock)
    await one.claim_embedder(EMBEDDER, DIMENSION)
    await Teller(one, "t").tell("e", Told("Ann", "LIKES", "tea"))
    assert (await one.status("t")).facts == 1
    assert (await other.status("t")).facts == 0
    assert await other.embedder_name() is None
    await one.close()
    await other.close()


async def test_read_only_reads_and_does_not_write(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        await open_store(str(tmp_path / "a.db"), clock=clock, read_only=True)
    assert state(tmp_path) == {}
    await make(tmp_path / "a.db")
    store = await open_store(str(tmp_path / "a.db"), clock=clock, read_only=True)
    assert await Teller(store, "t").texts() == ["Ann likes tea"]
    with pytest.raises(Forbidden):
        await Teller(store, "t").tell("e2", Told("Bob", "LIKES", "tea"))
    await store.claim_embedder(EMBEDDER, DIMENSION)
    with pytest.raises(Conflict):
        await store.claim_embedder("other", DIMENSION)
    await store.close()


_IN_A_READ_ONLY_FOLDER = """
import asyncio, os, sys
from datetime import UTC, datetime
from hitherto.kg.stores import open_store
from hitherto.temporal.errors import Forbidden
async def main():
    # Loads every module, while this user may still read the interpreter's folder.
    await (await open_store(":memory:", clock=lambda: datetime.now(UTC))).close()
    if os.getuid() == 0:  # to whom every folder is open
        os.setuid(65534)
    for path in sys.argv[1:]:
        try:
            await open_store(path, clock=lambda: datetime.now(UTC))
        except Forbidden as error:
            print("forbidden:", error)
    store = await open_store(sys.argv[1], clock=lambda: datetime.now(UTC), read_only=True)
    print("facts:", (await store.status("t")).facts)
    await store.close()
asyncio.run(main())
"""


def test_a_read_only_folder() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        asyncio.run(make(folder / "a.db"))
        (folder / "a.db").chmod(0o444)
        folder.chmod(0o555)
        before = state(folder)
        done = subprocess.run(
            [sys.executable, "-c", _IN_A_READ_ONLY_FOLDER, str(folder / "a.db"), str(folder / "new.db")],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        lines = done.stdout.splitlines()
        assert [line.split(":")[0] for line in lines] == ["forbidden", "forbidden", "facts"], done.stderr
        assert lines[-1] == "facts: 1"
        assert state(folder) == before
        folder.chmod(0o755)


async def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "a.db").touch()
    await make(tmp_path / "a.db")
    assert (tmp_path / "a.db").stat().st_size > 0


async def test_a_half_made_file_is_finished(tmp_path: Path) -> None:
    """Killed between marking the file as ours and making its tables."""
    db = sqlite3.connect(tmp_path / "a.db")
    db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    db.close()
    await make(tmp_path / "a.db")


def _add_a_column(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE fact ADD COLUMN weight REAL NOT NULL DEFAULT 1.0")


def _fail(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE half (a)")
    raise sqlite3.OperationalError("on purpose")


async def test_an_older_file_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.db"
    await make(path)
    newest = schema.MIGRATIONS[-1].number + 1
    added = Migration(newest, "facts have a weight", _add_a_column)
    monkeypatch.setattr(files, "MIGRATIONS", (*schema.MIGRATIONS, added))
    with pytest.raises(Conflict, match="older"):
        await open_store(str(path), clock=clock, read_only=True)
    for _ in range(2):
        store = await open_store(str(path), clock=clock)
        assert (await store.status("t")).schema == newest
        assert await Teller(store, "t").texts() == ["Ann likes tea"]
        await store.close()
    db = sqlite3.connect(path)
    applied = db.execute("SELECT number, name FROM migration").fetchall()
    assert applied == [*((m.number, m.name) for m in schema.MIGRATIONS), (newest, "facts have a weight")]
    assert db.execute("SELECT weight FROM fact").fetchall() == [(1.0,)]
    db.close()


async def test_a_failing_migration_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.db"
    await make(path)
    newest = schema.MIGRATIONS[-1].number
    bad = (Migration(newest + 1, "good", _add_a_column), Migration(newest + 2, "bad", _fail))
    monkeypatch.setattr(files, "MIGRATIONS", (*schema.MIGRATIONS, *bad))
    with pytest.raises(Fault, match="on purpose"):
        await open_store(str(path), clock=clock)
    monkeypatch.undo()
    store = await open_store(str(path), clock=clock)
    assert (await store.status("t")).schema == newest
    await store.close()


_BACK_TO_THE_FOURTH = (
    "DROP TABLE archive",
    "DROP TABLE fact_use",
    "ALTER TABLE tenant DROP COLUMN has_archive",
    "DELETE FROM migration WHERE number > 4",
)
_BACK_TO_THE_FIRST = (
    *_BACK_TO_THE_FOURTH,
    "DROP TABLE identity",
    "ALTER TABLE tenant DROP COLUMN has_identities",
    "DROP TABLE rule",
    "DROP INDEX period_came",
    "DROP INDEX period_went",
    "DROP INDEX claim_gone",
    "DELETE FROM migration WHERE number > 1",
)


async def test_a_file_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await make(path)
    db = sqlite3.connect(path)
    for statement in _BACK_TO_THE_FIRST:
        db.execute(statement)
    db.commit()
    first = {row[0] for row in db.execute("SELECT name FROM sqlite_schema")}
    db.close()
    assert not first & {"identity", "identity_canonical", "rule", "period_came"}
    store = await open_store(str(path), clock=clock)
    teller = Teller(store, "t")
    found = await store.changes(teller.at(), FactFilter(), Interval(), Page())
    assert [(c.belief.fact.text, c.added) for c in found.items] == [("Ann likes tea", True)]
    assert (await store.status("t")).schema == schema.MIGRATIONS[-1].number
    ann, annie = Identity(teller.entity("Ann"), "Ann", teller.entity("Ann")), teller.entity("Annie")

    async def work(tx: Transaction) -> None:
        assert not tx.has_identities
        await tx.put_identities([ann, Identity(annie, "Annie", ann.entity_id)])

    await store.write("t", work)
    assert set(await store.write("t", lambda tx: tx.identities([annie]))) == {ann.entity_id, annie}
    await store.close()


async def test_a_file_without_an_archive_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await make(path)
    db = sqlite3.connect(path)
    for statement in _BACK_TO_THE_FOURTH:
        db.execute(statement)
    db.commit()
    assert not {"archive", "fact_use"} & {row[0] for row in db.execute("SELECT name FROM sqlite_schema")}
    db.close()
    store = await open_store(str(path), clock=clock)
    teller = Teller(store, "t")
    [belief] = await teller.beliefs()

    async def work(tx: Transaction) -> None:
        assert not tx.has_archive
        await tx.archive([belief.fact.id], "by hand")

    await store.write("t", work)
    now = teller.at(known=await store.last_commit("t"))
    assert await store.match_text(now, ["tea"], Target.FACT, 5) == []
    assert [a.fact_id for a in (await store.archived(now, Page())).items] == [belief.fact.id]
    assert (await store.status("t")).schema == schema.MIGRATIONS[-1].number
    await store.close()


def test_migrations_are_taken_in_order_and_once() -> None:
    known = [Migration(1, "one", "a"), Migration(2, "two", "b")]
    assert outstanding(known, {}, "x") == known
    assert outstanding(known, {1: "one"}, "x") == known[1:]
    assert outstanding(known, {1: "one", 2: "two"}, "x") == []
    with pytest.raises(Conflict, match=r"^x has schema 3 \('three'\).* knows 2; upgrade"):
        outstanding(known, {1: "one", 2: "two", 3: "three"}, "x")


async def test_a_damaged_file_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await make(path)
    content = bytearray(path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises((Fault, Invalid)) as caught:
        store = await open_store(str(path), clock=clock)
        await store.beliefs(Point("t"), FactFilter(), Page())
    assert "\n" not in str(caught.value)


async def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = await open_store(str(tmp_path / "a.db"), clock=clock)
    await store.close()
    await store.close()
    with pytest.raises(Unavailable, match="closed"):
        await store.status("t")
    with pytest.raises(Unavailable, match="closed"):
        await Teller(store, "t").tell("e")
    assert list(state(tmp_path)) == [str(tmp_path / "a.db")]


async def test_another_process_that_writes_is_waited_for(tmp_path: Path) -> None:
    await make(tmp_path / "a.db")
    store = await open_sqlite(str(tmp_path / "a.db"), clock=clock, wait_s=0.2)
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Busy, match="another process"):
        await Teller(store, "t").tell("e2")
    assert await Teller(store, "t").texts() == ["Ann likes tea"]
    other.execute("ROLLBACK")
    other.close()
    await Teller(store, "t").tell("e2")
    await store.close()
