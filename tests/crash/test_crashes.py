"""SIGKILL at random points of ingestion: nothing acknowledged is lost, nothing shows by half."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hitherto import Memory
from hitherto.kg.model import EpisodeStatus
from hitherto.kg.store import EpisodeFilter, FactFilter, Page, Point
from tests.crash.child import OPERATIONS, TENANT
from tests.support import ClaimsExtractor, StepClock, TinyEmbedder

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 150
_ALL = Page(limit=1_000)

Dump = tuple[object, ...]


@dataclass(frozen=True)
class Killed:
    """``step``: what the child was at, the last of ``told`` steps; ``acknowledged``: how many operations it had
    said were done."""

    step: str
    told: int
    acknowledged: int


class Children:
    """Starts a child at a time, from a process that has everything imported."""

    def __init__(self) -> None:
        env = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.child"],
            cwd=ROOT,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _line(self) -> str:
        assert self._server.stdout is not None
        line = self._server.stdout.readline().strip()
        assert line, "the child's server ended"
        return line

    def run(self, path: Path, steps: int | None, then_s: float = 0.0) -> Killed:
        """Let a child work there; kill it so long after it has told so many steps (None: after the last)."""
        assert self._server.stdin is not None
        self._server.stdin.write(f"{path}\n")
        self._server.stdin.flush()
        pid = int(self._line().removeprefix("pid "))
        lines: list[str] = []
        while len(lines) != steps and lines[-1:] != ["finished"]:
            lines.append(self._line())
        time.sleep(then_s)
        os.kill(pid, signal.SIGKILL)
        while (line := self._line()) != "dead":
            lines.append(line)
        return Killed(lines[-1] if lines else "starting", len(lines), lines.count("acknowledged"))

    def close(self) -> None:
        self._server.communicate(timeout=30)


@pytest.fixture
def children() -> Iterator[Children]:
    children = Children()
    yield children
    children.close()


async def open_memory(path: Path | str) -> Memory:
    parts = {"extractor": ClaimsExtractor(), "embedder": TinyEmbedder(), "clock": StepClock()}
    return await Memory.open(str(path), tenant=TENANT, **parts)  # type: ignore[arg-type]


async def dump(memory: Memory) -> Dump:
    """All that is and was believed, the claims that stand, the messages that were read: no transaction times."""
    store, now = memory.at().store, Point(TENANT, None, (await memory.at().instants()).known)
    ever = (await store.beliefs(Point(TENANT), FactFilter(), _ALL)).items
    episodes = (await store.episodes(now, EpisodeFilter(), _ALL)).items
    claims = await store.episode_claims(now, [e.id for e in episodes])
    status = await memory.status()
    return (
        sorted(repr((b.fact, b.valid_from, b.valid_to, b.superseded_at is None)) for b in ever),
        {id_: [c.id for c in said] for id_, said in claims.items() if said},
        {e.id for e in episodes if e.status is EpisodeStatus.DONE},
        (status.entities, status.facts, status.beliefs, status.superseded),
    )


async def uncrashed() -> list[Dump]:
    """The dumps after none, one, two ... of the operations."""
    memory = await open_memory(":memory:")
    dumps = [await dump(memory)]
    for operation in OPERATIONS:
        await operation.do(memory)
        dumps.append(await dump(memory))
    await memory.close()
    return dumps


async def pending_of(memory: Memory) -> set[str]:
    return {e.id for e in (await memory.episodes(limit=1000)).items if e.status is EpisodeStatus.PENDING}


async def check(path: Path, killed: Killed, wanted: list[Dump]) -> str:
    """Reopen what the killed child left, and go on from there; what the kill had left of the next operation."""
    done = killed.acknowledged
    unfinished = OPERATIONS[done : done + 1]
    async with await open_memory(path) as memory:
        pending = await pending_of(memory)
        assert pending <= {o.id for o in unfinished if not o.retracts}
        assert (await memory.status()).pending == len(pending)
        left = await dump(memory)
        # Nothing by half: exactly what there was before the unfinished operation, or after it.
        assert left in (wanted[done : done + 1] if pending else wanted[done : done + 2])
        assert {r.episode_id for r in await memory.resume()} == pending
        assert not await pending_of(memory)
        if pending:
            assert await dump(memory) == wanted[done + 1]
        for operation in OPERATIONS[done:]:
            await operation.do(memory)
        assert await dump(memory) == wanted[-1]
    if pending:
        return "pending"
    return "done" if left != wanted[done] else "nothing"


@pytest.mark.slow
async def test_killed_at_random_points_of_ingestion(
    children: Children, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = await uncrashed()
    assert len({repr(one) for one in wanted}) == len(wanted)
    children.run(tmp_path / "warm.db", 2)
    start = time.perf_counter()
    children.run(tmp_path / "opened.db", 2)
    opened = time.perf_counter()
    whole = children.run(tmp_path / "whole.db", None)
    working_s = max(time.perf_counter() - opened - (opened - start), 0.01)
    assert (whole.step, whole.acknowledged) == ("finished", len(OPERATIONS))
    choose = random.Random(7)
    steps: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for number in range(ROUNDS):
        path = tmp_path / f"round-{number}" / "crash.db"
        path.parent.mkdir()
        killed = children.run(path, choose.randrange(whole.told), choose.uniform(0, 2 * working_s / whole.told))
        found[await check(path, killed, wanted)] += 1
        steps[killed.step] += 1
        shutil.rmtree(path.parent)
    with capsys.disabled():
        print(f"\n{ROUNDS} kills fell at: {_listed(steps)}; the next operation was then: {_listed(found)}")  # noqa: T201
    assert len(steps) >= 5 and found["pending"]


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())
