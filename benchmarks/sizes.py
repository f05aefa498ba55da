"""What a memory costs as it grows, on SQLite and on a Neo4j server side by side.

    python benchmarks/sizes.py
    python benchmarks/sizes.py --url neo4j://neo4j:PASSWORD@localhost --sizes 1000 10000
    python benchmarks/sizes.py --url big.db --sizes 100000 1000000 --search
    python benchmarks/sizes.py --tenants 1000 --sizes 100 --search

For each store and size: bulk loading (``add_facts`` up to that size, with vectors), then ``search``: the first
one, with what is read once; one after another; and one after each new fact. Then, unless ``--search``, ``add``
of one message and ``assert_fact`` of one fact; and eight writers at once, each with a connection of its own, on
one tenant and on a tenant each. With ``--tenants`` each size is that of so many tenants, and every search goes
to another one. CPU is of this process alone, so not a server's. Without ``--url`` the stores are a passing file
and a server of its own. Vectors are made up, of the default embedder's size: its time is not in the figures.
``growth``: the median search, compared with the smallest size.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
import uuid
import zlib
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from loading import ONTOLOGY, people
from rich.console import Console
from rich.table import Table

from hitherto import Memory
from hitherto.extraction.embedders import default_embedder
from hitherto.kg.embedding import Purpose, Vectors
from hitherto.neo4j_server import Machine, Options, passing_server

SIZES = (1_000, 10_000, 50_000)
COLUMNS = ("load facts/s", "first search", "search p50 / p95", "CPU", "growth", "after a fact", "add", "assert")
QUESTIONS = ("Where does {} work?", "Who works at {}?", "Where did {} work in 2012?")


class MadeUpEmbedder:
    """A unit vector that is always the same for a text; called as the default embedder, so that it may write where
    that one has written."""

    name = default_embedder().name
    dimension = default_embedder().dimension

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:  # noqa: ARG002
        seeds = (zlib.crc32(text.encode()) for text in texts)
        rows = [np.random.default_rng(seed).normal(size=self.dimension) for seed in seeds]
        found = np.array(rows, dtype=np.float32).reshape(len(texts), self.dimension)
        unit: Vectors = found / np.linalg.norm(found, axis=1, keepdims=True)
        return unit


@dataclass(frozen=True, slots=True)
class Place:
    """A database to measure."""

    name: str
    url: str
    auth: tuple[str, str] | None = None

    async def open(self, tenant: str) -> Memory:
        return await Memory.open(
            self.url, tenant=tenant, ontology=ONTOLOGY, embedder=MadeUpEmbedder(), auth=self.auth
        )


@dataclass(frozen=True, slots=True)
class Spread:
    """Of steps one after another, in milliseconds: median, 95th percentile, median CPU of this process."""

    p50: float
    p95: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.p50:.1f} / {self.p95:.1f}"


async def spread(count: int, step: Callable[[int], Awaitable[object]]) -> Spread:
    """After one step that is not counted."""
    walls, cpus = [], []
    for number in range(count + 1):
        wall, cpu = time.perf_counter(), time.process_time()
        await step(number)
        walls.append((time.perf_counter() - wall) * 1000)
        cpus.append((time.process_time() - cpu) * 1000)
    p50, p95 = np.percentile(walls[1:], [50, 95])
    return Spread(float(p50), float(p95), float(np.median(cpus[1:])))


async def grow(place: Place, args: argparse.Namespace) -> list[list[str]]:
    """A row of figures for each size, of tenants that grow."""
    async with await place.open(f"warm {uuid.uuid4()}") as memory:
        # A server's first hundreds of operations are compiled, and slow.
        await memory.add_facts(people(0, 500))
        await searches(memory, [memory.at().tenant], 500, args.repeat)
    rows, smallest = [], None
    names = [f"sizes {uuid.uuid4()}" for _ in range(args.tenants)]
    async with await place.open(names[0]) as memory:
        loaded = 0
        for size in args.sizes:
            before = time.perf_counter()
            await memory.add_facts(people(loaded, size))
            for name in names[1:]:
                async with await place.open(name) as other:
                    await other.add_facts(people(loaded, size))
            rate = (size - loaded) * len(names) / (time.perf_counter() - before)
            first, asked, fresh = await searches(memory, names, size, args.repeat)
            smallest = smallest or asked.p50
            figures = [f"{first:.0f}", str(asked), f"{asked.cpu:.1f}", f"{asked.p50 / smallest:.1f}", str(fresh)]
            others = [] if args.search else await writes(memory, size, args.repeat)
            shape = f"{size:,}" if len(names) == 1 else f"{len(names):,} x {size:,}"
            rows.append([place.name, shape, f"{rate:,.0f}", *figures, *others])
            loaded = size
    return rows


async def searches(memory: Memory, tenants: Sequence[str], size: int, repeat: int) -> tuple[float, Spread, Spread]:
    """The first one; one after another, each in another tenant; one after each new fact."""

    async def ask(n: int) -> None:
        name = f"Company {n}" if n % 3 == 1 else f"Person {n * 7 % (size // 4)}"
        view = replace(memory.at(), tenant=tenants[n % len(tenants)])
        await view.search(QUESTIONS[n % 3].format(name))

    before = time.perf_counter()
    await ask(0)
    first = (time.perf_counter() - before) * 1000
    for n in range(1, max(len(tenants), 3)):
        await ask(n)
    asked = await spread(repeat, ask)
    times = []
    for n in range(repeat // 4):
        await memory.assert_fact(f"Person {n}", "WORKS_AT", f"Firm {size} again {n}", valid_from="2024-06-02")
        before = time.perf_counter()
        await memory.search(QUESTIONS[0].format(f"Person {n}"))
        times.append((time.perf_counter() - before) * 1000)
    p50, p95 = np.percentile(times, [50, 95])
    return first, asked, Spread(float(p50), float(p95), 0.0)


async def writes(memory: Memory, size: int, repeat: int) -> list[str]:
    async def add(n: int) -> None:
        text = f"Walter Number{n} works at Acme{n}. He told me so yesterday."
        await memory.add(text, occurred_at=f"2024-05-{n % 28 + 1:02}", session=f"call {size} {n}")

    async def tell(n: int) -> None:
        await memory.assert_fact(f"Person {n}", "WORKS_AT", f"Firm {size} {n}", valid_from="2024-06-01")

    return [str(await spread(repeat, step)) for step in (add, tell)]


async def writing(place: Place, shape: tuple[int, int], each: int) -> str:
    """Facts a second on so many tenants from so many writers."""
    tenants, writers = shape
    names = [f"writers {uuid.uuid4()}" for _ in range(tenants)]
    async with AsyncExitStack() as stack:
        memories = [await place.open(names[n % tenants]) for n in range(writers)]
        for memory in memories:
            stack.push_async_callback(memory.close)

        async def write(n: int) -> None:
            for m in range(each):
                start = f"2024-01-{m % 28 + 1:02}"
                await memories[n].assert_fact(f"Person {m}", "WORKS_AT", f"Firm {n} {m}", valid_from=start)

        before = time.perf_counter()
        await asyncio.gather(*map(write, range(writers)))
        return f"{writers * each / (time.perf_counter() - before):.0f}"


async def measure(places: Sequence[Place], args: argparse.Namespace) -> None:
    table = Table("store", "facts", *(COLUMNS[:-2] if args.search else COLUMNS), title="times in ms")
    writers = Table("facts/s of", "1 writer", f"{args.writers} on one tenant", f"{args.writers} on a tenant each")
    for place in places:
        for row in await grow(place, args):
            table.add_row(*row)
        if not args.search:
            shapes = ((1, 1), (1, args.writers), (args.writers, args.writers))
            writers.add_row(place.name, *[await writing(place, shape, args.each) for shape in shapes])
    console = Console(width=120)
    console.print(table)
    if not args.search:
        console.print(writers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", action="append", help="a file's path or a server; may be given several times")
    parser.add_argument("--version", help="of the server that is started")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="FACTS")
    parser.add_argument("--tenants", type=int, default=1, help="so many of each size")
    parser.add_argument("--search", action="store_true", help="time searches alone")
    parser.add_argument("--repeat", type=int, default=100, help="single operations that are timed")
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--each", type=int, default=40, help="facts of one writer")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        places = [Place(url.rpartition("@")[2], url) for url in args.url or ()]
        if not places:
            machine = Machine.from_environ(os.environ)
            options = Options(bolt_port=0, http_port=0, heap="2g")
            server = passing_server(machine, Path(folder) / "home", version=args.version, options=options)
            address = stack.enter_context(server)
            places = [Place("SQLite", str(Path(folder) / "sizes.db")), Place("Neo4j", address.uri, address.auth)]
        asyncio.run(measure(places, args))


if __name__ == "__main__":
    main()
