"""What is SQLite's own: threads, processes, query plans."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hitherto.kg.keeping import Use
from hitherto.kg.model import EpisodeStatus
from hitherto.kg.store import EpisodeFilter, FactFilter, Page, Store, Target, Transaction
from hitherto.kg.stores import open_store
from hitherto.kg.stores.sqlite import open_sqlite
from hitherto.kg.stores.sqlite.files import File
from hitherto.temporal.errors import Busy, Fault
from hitherto.temporal.intervals import Interval
from hitherto.testing.telling import DIMENSION, EMBEDDER, Snapshot, Teller, Told, day, vector_of


def clock() -> datetime:
    return datetime.now(UTC)


@pytest.fixture(params=["file", "memory"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    url = ":memory:" if request.param == "memory" else str(tmp_path / "a.db")
    store = await open_store(url, clock=clock)
    await store.claim_embedder(EMBEDDER, DIMENSION)
    yield store
    await store.close()


async def test_the_store_is_not_read_or_written_inside_a_write(store: Store) -> None:
    """Both would wait for the write that waits for them."""

    async def read(tx: Transaction) -> None:
        await store.status("t")

    async def write(tx: Transaction) -> None:
        await Teller(store, "t").tell("e")

    for work in (read, write):
        with pytest.raises(Fault, match="inside write"):
            await asyncio.wait_for(store.write("t", work), 5)
    await Teller(store, "t").tell("e")


async def test_another_store_may_be_used_inside_a_write(store: Store) -> None:
    other = await open_store(":memory:", clock=clock)

    async def work(tx: Transaction) -> int:
        await tx.put_episode(Teller(store, "t").episode("e"), None)
        await other.write("t", lambda tx: tx.put_episode(Teller(other, "t").episode("e"), None))
        return (await other.status("t")).episodes

    assert await store.write("t", work) == 1
    assert (await store.status("t")).episodes == 1
    await other.close()


async def test_a_task_begun_inside_a_write_may_read_after_it(store: Store) -> None:
    tasks: list[asyncio.Task[Any]] = []
    go = asyncio.Event()

    async def later() -> int:
        await go.wait()
        return (await store.status("t")).episodes

    async def work(tx: Transaction) -> None:
        tasks.append(asyncio.create_task(later()))
        await tx.put_episode(Teller(store, "t").episode("e"), None)

    await store.write("t", work)
    go.set()
    assert await tasks[0] == 1


async def test_writers_are_served_in_turn_and_wait_a_bounded_time(tmp_path: Path) -> None:
    store = await open_sqlite(str(tmp_path / "a.db"), clock=clock, wait_s=0.2)
    order: list[int] = []
    hold = asyncio.Event()

    async def block(tx: Transaction) -> None:
        await hold.wait()

    async def note(n: int) -> None:
        async def work(tx: Transaction) -> None:
            order.append(n)

        await store.write("t", work)

    blocked = asyncio.create_task(store.write("t", block))
    await asyncio.sleep(0.01)
    with pytest.raises(Busy):
        await note(-1)
    waiting = [asyncio.create_task(note(n)) for n in range(20)]
    await asyncio.sleep(0.01)
    hold.set()
    await asyncio.gather(blocked, *waiting)
    assert order == list(range(20))
    await store.close()


async def test_cancelling_at_any_step_frees_the_store(store: Store) -> None:
    teller = Teller(store, "t")
    done = 0
    for step in range(40):
        task = asyncio.create_task(teller.tell(f"e{step}", Told("Ann", "KNOWS", f"p{step}")))
        for _ in range(step):
            await asyncio.sleep(0.0002)
        task.cancel()
        done += not isinstance((await asyncio.gather(task, return_exceptions=True))[0], BaseException)
    await teller.tell("last", Told("Ann", "KNOWS", "last"))
    whole = await teller.beliefs()
    found = await store.episodes(teller.at(), EpisodeFilter(), Page(100))
    assert len(whole) == len(found.items) >= done + 1
    assert {claim.episode_id for belief in whole for claim in belief.evidence} == {e.id for e in found.items}


async def test_the_loop_is_never_blocked(tmp_path: Path) -> None:
    """While another process holds the file, and while much is written, the loop goes on."""
    store = await open_store(str(tmp_path / "a.db"), clock=clock)
    await store.claim_embedder(EMBEDDER, DIMENSION)
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    told = [Told("Ann", "KNOWS", f"p{n}") for n in range(200)]
    writing = asyncio.create_task(Teller(store, "t").tell("e", *told))
    slowest = 0.0
    for turn in range(100):
        before = time.perf_counter()
        await asyncio.sleep(0.001)
        slowest = max(slowest, time.perf_counter() - before)
        if turn == 50:
            other.execute("ROLLBACK")
    await writing
    other.close()
    await store.close()
    assert slowest < 0.4


_WRITER = """
import asyncio, json, sys, time
from datetime import UTC, datetime
from hitherto.kg.stores import open_store
from hitherto.testing.telling import DIMENSION, EMBEDDER, Snapshot, Teller, Told
async def main(path, name, count):
    store = await open_store(path, clock=lambda: datetime.now(UTC))
    await store.claim_embedder(EMBEDDER, DIMENSION)
    teller = Teller(store, "t")
    for n in range(int(count)):
        before = time.perf_counter()
        instant = await teller.tell(f"{name} {n}", Told("Ann", "KNOWS", f"p{n}", n), Told(name, "KNOWS", "Ann"))
        print(json.dumps([f"{name} {n}", instant.isoformat(), time.perf_counter() - before]), flush=True)
    await store.close()
asyncio.run(main(*sys.argv[1:]))
"""


def _writers(path: Path, names: list[str], count: int) -> list[subprocess.Popen[str]]:
    return [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), name, str(count)], stdout=subprocess.PIPE, text=True
        )
        for name in names
    ]


async def test_several_processes_make_and_share_one_file(tmp_path: Path) -> None:
    """They all open the new file at once; no update is lost and time still strictly increases."""
    processes = _writers(tmp_path / "a.db", ["A", "B", "C"], 25)
    lines = [json.loads(line) for p in processes for line in p.communicate(timeout=100)[0].splitlines()]
    assert [p.returncode for p in processes] == [0, 0, 0]
    assert len(lines) == 75
    by_time = sorted(lines, key=lambda line: str(line[1]))
    assert all(a[1] < b[1] for a, b in pairwise(by_time))
    store = await open_store(str(tmp_path / "a.db"), clock=clock)
    teller = Teller(store, "t")
    found = await store.episodes(teller.at(), EpisodeFilter(), Page(100))
    stored = {(e.id, e.ingested_at.isoformat()) for e in found.items if e.ingested_at}
    assert stored == {(line[0], line[1]) for line in lines}
    assert len((await store.find_entities(teller.at(), ["ann"]))["ann"]) == 1
    assert (await store.status("t")).facts == 25 + 3
    (belief, *_) = await teller.beliefs(where=FactFilter(fact_ids=[teller.fact(Told("Ann", "KNOWS", "p0")).id]))
    assert len(belief.evidence) == 3
    await store.close()


async def test_a_killed_process_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    acknowledged: set[str] = set()
    for round_ in range(3):
        (process,) = _writers(tmp_path / "a.db", [f"K{round_}"], 10_000)
        assert process.stdout is not None
        for _ in range(5 + 9 * round_):
            acknowledged.add(json.loads(process.stdout.readline())[0])
        process.send_signal(signal.SIGKILL)
        for line in process.communicate()[0].splitlines():
            if line.endswith("]"):
                acknowledged.add(json.loads(line)[0])
    store = await open_store(str(tmp_path / "a.db"), clock=clock)
    teller = Teller(store, "t")
    found = {e.id for e in (await store.episodes(teller.at(), EpisodeFilter(), Page(10_000))).items}
    assert acknowledged <= found
    # Whole ones only: each episode has both its claims.
    claims = {(c.episode_id, c.id) for b in await teller.beliefs() for c in b.evidence}
    assert len(claims) == 2 * len(found)
    await store.close()


_SMALL = {"json_each", "embedder", "migration", "sqlite_master", "chosen", "posting", "inst", "j", "i"}


async def test_no_verb_scans_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every statement that the contract's verbs run is planned with look-ups only."""
    statements: dict[str, None] = {}
    connect = File.connect

    def traced(self: File, *, reader: bool) -> sqlite3.Connection:
        db = connect(self, reader=reader)
        db.set_trace_callback(statements.setdefault)
        return db

    monkeypatch.setattr(File, "connect", traced)
    store = await open_store(str(tmp_path / "a.db"), clock=clock)
    await store.claim_embedder(EMBEDDER, DIMENSION)
    await _every_verb(store)
    await store.close()
    db = sqlite3.connect(tmp_path / "a.db")
    checked = 0
    for sql in statements:
        if not re.match(r"\s*(SELECT|WITH|INSERT|UPDATE|DELETE)", sql) or "'doc_words_" in sql:
            continue  # the latter are of FTS5 itself
        plan = [row[3] for row in db.execute("EXPLAIN QUERY PLAN " + sql)]
        scans = [step for step in plan if (m := re.match(r"SCAN (\w+)", step)) and m[1] not in _SMALL]
        assert not scans, f"{scans} in {sql}"
        assert not [step for step in plan if "AUTOMATIC" in step or "BLOOM" in step], f"{plan} in {sql}"
        checked += 1
    assert checked > 80
    assert db.execute("SELECT count(*) FROM sqlite_master WHERE name LIKE 'sqlite_stat%'").fetchone() == (0,)
    db.close()


async def _keep(tx: Transaction, fact_ids: list[str]) -> None:
    await tx.put_uses(dict.fromkeys(fact_ids, Use(shown=1)))
    await tx.archive(fact_ids, "by hand", "e0")
    await tx.digests(fact_ids)
    await tx.restore(fact_ids)


async def _every_verb(store: Store) -> None:
    teller = Teller(store, "t")
    told = Told("Ann", "LIKES", "tea")
    await teller.tell("e0", told, Told("Ann", "MET", "Bob", is_event=True))
    await teller.retract("e0")
    await teller.reinstate("e0", told)
    pending = replace(teller.episode("e1", session="s"), actor="ann", status=EpisodeStatus.PENDING)

    async def work(tx: Transaction) -> None:
        await tx.put_episode(pending, vector_of("x"))
        await tx.put_episode(replace(pending, status=EpisodeStatus.DONE), vector_of("y"))

    await store.write("t", work)
    (belief, *_) = await teller.beliefs()
    ids = [belief.id]
    await store.write("t", partial(_keep, fact_ids=[belief.fact.id]))
    filters = [
        FactFilter(),
        FactFilter(fact_ids=ids),
        FactFilter(period_ids=ids),
        FactFilter(subject_ids=ids),
        FactFilter(predicates=ids),
        FactFilter(object_keys=ids),
        FactFilter(touching=ids),
        FactFilter(episode_ids=ids),
    ]
    filters += [
        FactFilter(fact_ids=ids, period_ids=ids, subject_ids=ids, predicates=ids),
        FactFilter(object_keys=ids, episode_ids=ids, touching=ids, period_ids=ids),
        FactFilter(touching=ids, predicates=ids),
        FactFilter(subject_ids=ids, touching=ids),
        FactFilter(predicates=["LIKES"], object_keys=ids),
        FactFilter(missing_at=teller.at(day(3), clock()), subject_ids=ids),
        FactFilter(archived=False),
        FactFilter(archived=True, touching=ids),
    ]
    of_episodes = [EpisodeFilter(), EpisodeFilter(ids=ids), EpisodeFilter(session="s"), EpisodeFilter(actor="a")]
    of_episodes += [EpisodeFilter(since=day(0)), EpisodeFilter(session="s", actor="a", ids=ids)]
    of_episodes += [EpisodeFilter(status=status) for status in EpisodeStatus]
    shortly = replace(teller.at(), during=Interval(day(1), day(2)))
    for point in (teller.at(), teller.at(day(3), clock()), teller.at(None, clock()), teller.at(day(3)), shortly):
        await Snapshot.of(store, point)
        for where in filters:
            await store.beliefs(point, where, Page(2))
            await store.changes(point, where, Interval(None, day(3)), Page(2))
        for moments in (None, [day(1)]):
            await store.slot_claims(point, [teller.slot(told)], moments)
        for which in of_episodes:
            await store.episodes(point, which, Page(2))
        for session in (None, "s"):
            await store.recent_episodes(point, session, day(9), 3)
        await store.session_neighbours(point, ids, 2)
        await store.entities(point, ids)
        for target in Target:
            await store.match_text(point, ["ann"], target, 3)
        await store.uses(point, ids)
        for some in (None, ids):
            await store.archived(point, Page(2), some)
    await store.status("t")
    await store.last_commit("t")


@pytest.mark.parametrize("tokens", ["tea", "don't", "c++", "c#", "x.y/z", "a@b.c", "a_b", "10:30", "a-b", "a&b"])
async def test_words_stay_whole_in_the_index(store: Store, tokens: str) -> None:
    """The full-text tokenizer must not cut again what ``cut`` left whole."""
    teller = Teller(store, "t")
    await teller.tell("e", Told("Ann", "SAID", "x", text=tokens))
    found = await store.match_text(teller.at(), [tokens], Target.FACT, 5)
    assert len(found) == 1
