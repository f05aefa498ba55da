"""Many tasks and several processes that write to one tenant at once leave what one writer would have left."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
import uuid
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from benchmarks.writers import Place, rows_of

from hitherto import Memory
from hitherto.neo4j_server import Address
from hitherto.testing.telling import DIMENSION, EMBEDDER
from tests.promises.conftest import Opener, believed
from tests.promises.test_sessions import THEY, PronounExtractor, tell
from tests.support import SaidClaim, StepClock, day, said

ROOT = Path(__file__).resolve().parents[2]
PROCESSES, FACTS = 8, 12
STARVING_S = 10.0
"""No single write of the processes may take so long: the whole of their work takes less."""


def talk() -> list[dict[str, object]]:
    """A session in which every other message needs the one before it, and the same few facts again and again."""
    items: list[dict[str, object]] = []
    for number in range(24):
        subject = THEY if number % 2 else ("Ann", "Ben", "Cleo")[number % 3]
        claims = (
            SaidClaim("dated_beginning", f"c{number % 4}", 7 * number % 30, subject=subject),
            SaidClaim("observation", f"thing {number % 5}", number, subject=subject, predicate="LIKES"),
        )
        items.append({"content": said(*claims), "occurred_at": day(number), "session": "s"})
    return items


async def test_many_tasks(fresh: Opener) -> None:
    one, many = await fresh(PronounExtractor()), await fresh(PronounExtractor())
    await tell(one, talk())
    mixed = talk() * 2
    random.Random(5).shuffle(mixed)
    ids = await asyncio.gather(*(tell(many, [item]) for item in mixed))
    assert len({id_ for (id_,) in ids}) == len(talk())
    assert await believed(many) == await believed(one)
    for name in ("episodes", "pending", "entities", "facts", "beliefs"):
        assert getattr(await many.status(), name) == getattr(await one.status(), name), name


async def test_transaction_time_goes_on_when_the_clock_steps_back(fresh: Opener) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    instants = []
    for number, step in enumerate((0, 0, -1, -400, 1, 0)):
        clock.now += timedelta(days=step)
        report = await memory.assert_fact("Ann", "LIKES", f"thing {number}", valid_from="2020")
        assert report.tx is not None
        instants.append(report.tx)
        assert len((await memory.facts()).items) == number + 1
    assert all(a < b for a, b in pairwise(instants))
    for number, known in enumerate(instants, 1):
        assert len((await memory.at("2024", known).facts()).items) == number


@pytest.fixture(params=["file", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    tenant, embedder = f"crowd {uuid.uuid4()}", (EMBEDDER, DIMENSION)
    if request.param == "file":
        return Place(str(tmp_path / "crowd.db"), tenant, embedder)
    server: Address = request.getfixturevalue("neo4j_server")
    return Place(server.uri.replace("://", f"://{server.user}:{server.password}@"), tenant, embedder)


async def held(memory: Memory) -> list[tuple[object, ...]]:
    beliefs = (await memory.facts(during="ever", limit=1000)).items
    return sorted((b.fact.id, repr((b.valid_from, b.valid_to)), len(b.evidence)) for b in beliefs)


@pytest.mark.slow
async def test_eight_processes(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, "benchmarks/writers.py", place.url, "--json", "--tenant", place.tenant]
    command += ["--processes", str(PROCESSES), "--facts", str(FACTS), "--embedder", EMBEDDER, str(DIMENSION)]
    began = time.perf_counter()
    done = await asyncio.to_thread(subprocess.run, command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    waits = sorted(wait_s for one in found for wait_s, _ in one)
    with capsys.disabled():
        print(  # noqa: T201
            f"\n{PROCESSES} processes, {len(waits)} writes in {time.perf_counter() - began:.1f} s: "
            f"median {waits[len(waits) // 2] * 1e3:.0f} ms, slowest {waits[-1] * 1e3:.0f} ms"
        )
    assert waits[-1] < STARVING_S
    for one in found:
        mine = [tx for _, tx in one if tx is not None]
        assert all(a < b for a, b in pairwise(mine))
    rows = {row for number in range(PROCESSES) for row in rows_of(number, FACTS)}
    instants = [tx for one in found for _, tx in one if tx is not None]
    assert len(instants) == len(set(instants)) == len(rows)  # the same fact again is a duplicate
    alone = await Place(":memory:", place.tenant, place.embedder).open()
    for row in sorted(rows, key=repr):
        await alone.assert_fact(row.subject, row.predicate, row.object, valid_from=row.valid_from)
    crowded = await place.open()
    try:
        assert await held(crowded) == await held(alone)
        counts = [(s.episodes, s.entities, s.facts) for s in (await crowded.status(), await alone.status())]
        assert counts[0] == counts[1]
    finally:
        await crowded.close()
        await alone.close()
