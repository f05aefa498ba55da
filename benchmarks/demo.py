"""The demo in figures: import, opening, adding each message, searching.

    python benchmarks/demo.py [--url FILE] [--size]

Messages of the bundled conversations are added one by one to a fresh file (or ``--url``), each file a tenant;
the files' questions are then asked ten times each. The baseline in the same run is the same file without reading:
an empty extractor shows what the store and the embedder cost. ``--size`` lists the installed packages.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC
from pathlib import Path

from hitherto import Memory
from hitherto.demo import ReplayClock, bundled_files, load
from hitherto.extraction.extractor import Extractor, Reading
from hitherto.kg.model import Draft
from hitherto.memory import Parts
from hitherto.temporal.instants import parse_instant

ROUNDS = 10


class NoReading:
    """Finds nothing: what is left is the store's and the embedder's share."""

    name = "none"

    async def extract(self, readings: Sequence[Reading]) -> list[list[Draft]]:
        return [[] for _ in readings]


def show(name: str, times_ms: Sequence[float]) -> None:
    cuts = statistics.quantiles(times_ms, n=20)
    print(f"{name:34} n={len(times_ms):5}  p50 {statistics.median(times_ms):8.2f} ms  p95 {cuts[18]:8.2f} ms")


async def add_all(url: str, extractor: Extractor | None) -> list[float]:
    """Milliseconds for each message; the models are warm."""
    times = []
    for path in bundled_files():
        conversation, clock = load(path), ReplayClock()
        parts = Parts(clock=clock) if extractor is None else Parts(clock=clock, extractor=extractor)
        async with Memory.open(url, tenant=path.stem, **parts) as memory:
            for message in conversation.messages:
                clock.moment = parse_instant(message.time, zone=UTC)
                began = time.perf_counter()
                await memory.add(message.model_dump(exclude_none=True), session=conversation.session)
                times.append((time.perf_counter() - began) * 1e3)
    return times


async def ask_all(url: str) -> list[float]:
    times = []
    for path in bundled_files():
        questions = [q for q in load(path).questions if q.ask]
        async with Memory.open(url, tenant=path.stem) as memory:
            for _ in range(ROUNDS):
                for question in questions:
                    began = time.perf_counter()
                    await memory.at(question.valid, question.known).search(question.ask or "")
                    times.append((time.perf_counter() - began) * 1e3)
    return times


async def warm_up() -> None:
    async with Memory.open(":memory:", tenant="warm") as memory:
        await memory.add("Alice works at TechCorp.")
        await memory.add("Alice 住在北京。")
        await memory.search("Where does Alice work?")


async def run(url: str) -> None:
    began = time.perf_counter()
    await warm_up()
    print(f"{'models loaded, first answer':34} {time.perf_counter() - began:10.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        bare = await add_all(str(Path(folder) / "bare.db"), NoReading())
    full = await add_all(url, None)
    show("add, nothing read (baseline)", bare)
    show("add", full)
    print(f"{'reading costs, times the baseline':34} {statistics.median(full) / statistics.median(bare):10.1f}")
    show("search", await ask_all(url))


def import_s(statement: str) -> float:
    """Seconds a fresh interpreter takes for a statement, beyond starting; the best of five."""

    def once(code: str) -> float:
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - began

    return min(once(statement) for _ in range(5)) - min(once("pass") for _ in range(5))


def show_size() -> None:
    site = next(Path(p) for p in sys.path if p.endswith("site-packages"))
    sizes = {
        entry.name: sum(
            f.stat().st_size for f in ([entry] if entry.is_file() else entry.rglob("*")) if f.is_file()
        )
        for entry in site.iterdir()
    }
    print(f"installed: {sum(sizes.values()) / 1e6:.0f} MB")
    for name, size in sorted(sizes.items(), key=lambda item: -item[1])[:10]:
        print(f"  {size / 1e6:7.1f} MB  {name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="", help="a database that is not there yet")
    parser.add_argument("--size", action="store_true", help="list the installed packages and stop")
    args = parser.parse_args()
    if args.size:
        show_size()
        return
    print(f"{'import hitherto':34} {import_s('import hitherto') * 1e3:10.1f} ms")
    print(f"{'from hitherto import Memory':34} {import_s('from hitherto import Memory') * 1e3:10.1f} ms")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(args.url or str(Path(folder) / "demo.db")))


if __name__ == "__main__":
    main()
