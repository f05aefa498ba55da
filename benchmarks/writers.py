"""Eight processes that write to one tenant at once: how long each write waits, and that nobody starves.

    python benchmarks/writers.py [URL] [--processes 8] [--facts 40] [--tenant NAME] [--json]

URL is a file that is not there yet (a temporary one unless given) or a Neo4j server (``neo4j://user:password@host``).
Every process asserts ``--facts`` ready-made facts, one write each: half of them its own, half the same ones as all
others, in an order of its own; all are about the same few people. The baseline is one process alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hitherto import Memory
from hitherto.kg.embedding import Purpose, Vectors

PEOPLE = ("Ann", "Ben", "Cleo")


class NoModel:
    """One vector for all: what is measured is the store."""

    def __init__(self, name: str, dimension: int) -> None:
        self.name, self.dimension = name, dimension

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:  # noqa: ARG002
        rows: Vectors = np.full((len(texts), self.dimension), self.dimension**-0.5, dtype=np.float32)
        return rows


@dataclass(frozen=True, slots=True)
class Row:
    subject: str
    predicate: str
    object: str
    valid_from: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where they write; ``embedder`` is the name and dimension of the database's."""

    url: str
    tenant: str
    embedder: tuple[str, int] = ("no model", 8)

    async def open(self) -> Memory:
        return await Memory.open(self.url, tenant=self.tenant, embedder=NoModel(*self.embedder))


def rows_of(number: int, facts: int) -> list[Row]:
    """What a process asserts, in its order: LIKES holds many values at a time, WORKS_AT one."""
    own = [
        Row(PEOPLE[n % 3], "LIKES", f"thing {number}-{n}", f"2020-01-{n % 28 + 1:02}") for n in range(facts // 2)
    ]
    shared = [
        Row(PEOPLE[n % 3], "WORKS_AT", f"Company {n % 5}", f"{2000 + n % 20}-0{n % 9 + 1}")
        for n in range(facts - len(own))
    ]
    mixed = [*own, *shared]
    random.Random(number).shuffle(mixed)
    return mixed


async def write(place: Place, number: int, facts: int, go: int) -> list[tuple[float, str | None]]:
    """Wait and transaction time of each write, from when the pipe ``go`` ends."""
    memory = await place.open()
    try:
        await asyncio.to_thread(os.read, go, 1)
        written = []
        for row in rows_of(number, facts):
            began = time.perf_counter()
            report = await memory.assert_fact(row.subject, row.predicate, row.object, valid_from=row.valid_from)
            took_s = time.perf_counter() - began
            written.append((took_s, report.tx.isoformat() if report.tx else None))
        return written
    finally:
        await memory.close()


def crowd(place: Place, processes: int, facts: int) -> list[list[tuple[float, str | None]]]:
    """What each of the processes, forked from this one and started at the same moment, measured."""
    go, start = os.pipe()
    children = []
    for number in range(processes):
        source, sink = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(start)
            told = json.dumps(asyncio.run(write(place, number, facts, go)))
            with os.fdopen(sink, "w") as out:
                out.write(told)
            os._exit(0)
        os.close(sink)
        children.append((child, source))
    time.sleep(1.0 if "://" in place.url else 0.3)  # all have opened the database
    os.close(start)
    found = []
    for child, source in children:
        with os.fdopen(source) as answer:
            text = answer.read()
        os.waitpid(child, 0)
        if not text:
            raise RuntimeError("a process failed; its error stands above")
        found.append(json.loads(text))
    return found


def show(name: str, found: Sequence[Sequence[tuple[float, str | None]]], took_s: float) -> None:
    waits = sorted(wait * 1e3 for one in found for wait, _ in one)
    slowest = [max(wait for wait, _ in one) * 1e3 for one in found]
    cut = waits[int(len(waits) * 0.99)]
    print(
        f"{name:12} {len(waits):5} writes in {took_s:6.1f} s  median {statistics.median(waits):8.1f} ms  "
        f"p99 {cut:8.1f}  slowest {waits[-1]:8.1f}; of each process {min(slowest):.1f} to {max(slowest):.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", nargs="?")
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--facts", type=int, default=40)
    parser.add_argument("--tenant", default=f"writers {time.time_ns()}")
    parser.add_argument("--embedder", nargs=2, default=("no model", "8"), metavar=("NAME", "DIMENSION"))
    parser.add_argument("--json", action="store_true", help="no baseline; print what each process measured")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = args.url or str(Path(folder) / "writers.db")
        place = Place(url, args.tenant, (args.embedder[0], int(args.embedder[1])))
        if args.json:
            json.dump(crowd(place, args.processes, args.facts), sys.stdout)
            return
        for name, processes in (("alone", 1), (f"{args.processes} at once", args.processes)):
            there = Place(url, f"{args.tenant} {processes}", place.embedder)
            began = time.perf_counter()
            found = crowd(there, processes, args.facts)
            show(name, found, time.perf_counter() - began)


if __name__ == "__main__":
    main()
