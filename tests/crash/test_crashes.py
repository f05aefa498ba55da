"""SIGKILL at random points of ingestion, of the process that ingests and of the server it writes to: nothing
acknowledged is lost, nothing shows by half."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import pytest

from hitherto import Memory
from hitherto.kg.model import EpisodeStatus
from hitherto.kg.store import EpisodeFilter, FactFilter, Page, Point
from hitherto.neo4j_server import Address, Machine, Server, start
from hitherto.neo4j_server.folder import Folder
from tests.crash.child import OPERATIONS, Place
from tests.kg.conftest import QUICK, own_machine, running  # noqa: F401 (fixtures)
from tests.support import ClaimsExtractor, StepClock, TinyEmbedder

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 200
NEO4J_ROUNDS = 24
SERVER_ROUNDS = 3
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

    def run(
        self, place: Place, steps: int | None, then_s: float = 0.0, first: Callable[[], object] = lambda: None
    ) -> Killed:
        """Let a child work there; kill it so long after it has told so many steps (None: after the last), and do
        something else just ``first``."""
        assert self._server.stdin is not None
        self._server.stdin.write(f"{json.dumps(asdict(place))}\n")
        self._server.stdin.flush()
        pid = int(self._line().removeprefix("pid "))
        lines: list[str] = []
        while len(lines) != steps and lines[-1:] != ["finished"]:
            lines.append(self._line())
        time.sleep(then_s)
        first()
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


async def open_memory(place: Place) -> Memory:
    parts = {"extractor": ClaimsExtractor(), "embedder": TinyEmbedder(), "clock": StepClock()}
    return await Memory.open(place.url, tenant=place.tenant, **parts)  # type: ignore[arg-type]


async def dump(memory: Memory) -> Dump:
    """All that is and was believed, the claims that stand, the messages that were read: no transaction times, and
    nothing that differs between tenants."""
    store, now = memory.at().store, Point(memory.tenant, None, (await memory.at().instants()).known)
    ever = (await store.beliefs(Point(memory.tenant), FactFilter(), _ALL)).items
    episodes = (await store.episodes(now, EpisodeFilter(), _ALL)).items
    claims = await store.episode_claims(now, [e.id for e in episodes])
    status = await memory.status()
    return (
        sorted(repr((b.fact.text, b.valid_from, b.valid_to, b.superseded_at is None)) for b in ever),
        {id_: [(c.quote, c.says, c.valid_from) for c in said] for id_, said in claims.items() if said},
        {e.id for e in episodes if e.status is EpisodeStatus.DONE},
        (status.entities, status.facts, status.beliefs, status.superseded),
    )


@pytest.fixture(scope="module")
def wanted() -> list[Dump]:
    """The dumps after none, one, two ... of the operations, without a crash."""

    async def uncrashed() -> list[Dump]:
        memory = await open_memory(Place(":memory:"))
        dumps = [await dump(memory)]
        for operation in OPERATIONS:
            await operation.do(memory)
            dumps.append(await dump(memory))
        await memory.close()
        return dumps

    found = asyncio.run(uncrashed())
    assert len({repr(one) for one in found}) == len(found)
    return found


async def pending_of(memory: Memory) -> set[str]:
    return {e.id for e in (await memory.episodes(limit=1000)).items if e.status is EpisodeStatus.PENDING}


async def check(place: Place, killed: Killed, wanted: list[Dump]) -> str:
    """Reopen what the killed child left, and go on from there; what the kill had left of the next operation."""
    done = killed.acknowledged
    unfinished = OPERATIONS[done : done + 1]
    async with await open_memory(place) as memory:
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


@dataclass
class Fallen:
    """Where the kills fell, and what each had left of the next operation."""

    steps: Counter[str]
    found: Counter[str]

    @classmethod
    def none(cls) -> Fallen:
        return cls(Counter(), Counter())

    def add(self, killed: Killed, found: str) -> None:
        self.steps[killed.step] += 1
        self.found[found] += 1

    def __str__(self) -> str:
        return f"fell at: {_listed(self.steps)}; the next operation was then: {_listed(self.found)}"


@dataclass
class Aim:
    """Chooses when to kill, from how long a child takes that is left alone there."""

    told: int
    working_s: float
    choose: random.Random

    @classmethod
    def at(cls, children: Children, new: Callable[[], Place]) -> Aim:
        children.run(new(), 2)
        began = time.perf_counter()
        children.run(new(), 2)
        opened = time.perf_counter()
        whole = children.run(new(), None)
        assert (whole.step, whole.acknowledged) == ("finished", len(OPERATIONS))
        return cls(whole.told, max(time.perf_counter() - opened - (opened - began), 0.01), random.Random(7))

    def __call__(self) -> tuple[int, float]:
        """After how many steps, and how long after the last of them."""
        return self.choose.randrange(self.told), self.choose.uniform(0, 2 * self.working_s / self.told)


@pytest.mark.slow
async def test_killed_at_random_points_of_ingestion(
    children: Children, tmp_path: Path, wanted: list[Dump], capsys: pytest.CaptureFixture[str]
) -> None:
    def new() -> Place:
        (folder := tmp_path / str(uuid.uuid4())).mkdir()
        return Place(str(folder / "crash.db"))

    aim, fallen = Aim.at(children, new), Fallen.none()
    for _ in range(ROUNDS):
        place = new()
        killed = children.run(place, *aim())
        fallen.add(killed, await check(place, killed, wanted))
        shutil.rmtree(Path(place.url).parent)
    with capsys.disabled():
        print(f"\nSQLite: {ROUNDS} kills {fallen}")  # noqa: T201
    assert len(fallen.steps) >= 5 and fallen.found["pending"]


def on(server: Address) -> Place:
    return Place(server.uri.replace("://", f"://{server.user}:{server.password}@"), f"crash {uuid.uuid4()}")


@pytest.mark.neo4j
@pytest.mark.slow
async def test_killed_while_it_writes_to_a_server(
    children: Children, neo4j_server: Address, wanted: list[Dump], capsys: pytest.CaptureFixture[str]
) -> None:
    aim, fallen = Aim.at(children, lambda: on(neo4j_server)), Fallen.none()
    for _ in range(NEO4J_ROUNDS):
        place = on(neo4j_server)
        killed = children.run(place, *aim())
        fallen.add(killed, await check(place, killed, wanted))
    with capsys.disabled():
        print(f"\nNeo4j: {NEO4J_ROUNDS} kills of the writer {fallen}")  # noqa: T201
    assert len(fallen.steps) >= 3 and fallen.found["pending"]


@pytest.mark.neo4j
@pytest.mark.slow
async def test_the_server_is_killed(
    children: Children,
    own_machine: Machine,  # noqa: F811
    running: Server,  # noqa: F811
    wanted: list[Dump],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With the writer, as when the machine goes down; started again from its folder it has all that was
    acknowledged."""
    server = running
    aim, fallen = Aim.at(children, lambda: on(server.address)), Fallen.none()
    for _ in range(SERVER_ROUNDS):
        place = on(server.address)
        killed = children.run(place, *aim(), partial(_kill, server))
        server = await asyncio.to_thread(start, own_machine, options=QUICK)
        again = Place(on(server.address).url, place.tenant)
        fallen.add(killed, await check(again, killed, wanted))
    with capsys.disabled():
        print(f"\nNeo4j: {SERVER_ROUNDS} kills of the server {fallen}")  # noqa: T201


def _kill(server: Server) -> None:
    note = Folder(server.home).read_note()
    assert note is not None and note.pid
    os.kill(note.pid, signal.SIGKILL)


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())
