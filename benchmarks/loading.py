"""What one more fact costs as a tenant grows, and as one slot grows.

    python benchmarks/loading.py
    python benchmarks/loading.py --url neo4j://neo4j:PASSWORD@localhost --facts 10000 --changes 1000

The tenant grows by facts about ever new people and by people who change their jobs; the slot is one status that
keeps changing. Growing is ``add_facts``; what is timed is ``assert_fact``, a transaction of its own, without the
embedder's time. Writes into tenants of its own, and leaves them there.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from hitherto import Memory, Ontology, Predicate
from hitherto.extraction.embedders import default_embedder
from hitherto.kg.embedding import Purpose, Vectors
from hitherto.temporal.rules import Cardinality

START = datetime(2000, 1, 1, tzinfo=UTC)
ONTOLOGY = Ontology(
    predicates=(
        Predicate(name="WORKS_AT", cardinality=Cardinality.ONE),
        Predicate(name="STATUS", cardinality=Cardinality.ONE, object="Value"),
    )
)
STATES = ("new", "open", "waiting", "closed")


class NoEmbedder:
    """One vector for every text, since what is measured is the engine; called as the default embedder, so that it
    may write where that one has written."""

    name = default_embedder().name
    dimension = default_embedder().dimension

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:  # noqa: ARG002
        return np.eye(1, self.dimension, dtype=np.float32).repeat(len(texts), axis=0)


def people(first: int, until: int) -> Iterator[dict[str, object]]:
    """Jobs, four for each person."""
    dice = random.Random(first)
    for n in range(first, until):
        day = START + timedelta(days=dice.randrange(9000))
        yield {
            "subject": f"Person {n // 4}",
            "predicate": "WORKS_AT",
            "object": f"Company {dice.randrange(max(until // 50, 10))}",
            "valid_from": day.date(),
        }


def changes(first: int, until: int) -> Iterator[dict[str, object]]:
    """One ticket's status, every hour another."""
    for n in range(first, until):
        moment = START + timedelta(hours=n)
        yield {"subject": "Ticket", "predicate": "STATUS", "object": STATES[n % 4], "valid_from": moment}


async def one_by_one(memory: Memory, rows: Iterator[dict[str, object]]) -> tuple[float, float, float]:
    """Median, slowest, and median CPU time of this process, in milliseconds."""
    walls, cpus = [], []
    for row in rows:
        wall, cpu = time.perf_counter(), time.process_time()
        await memory.assert_fact(
            str(row["subject"]),
            str(row["predicate"]),
            str(row["object"]),
            valid_from=row["valid_from"],  # type: ignore[arg-type]
        )
        walls.append((time.perf_counter() - wall) * 1000)
        cpus.append((time.process_time() - cpu) * 1000)
    return statistics.median(walls), max(walls), statistics.median(cpus)


async def measure(url: str, options: argparse.Namespace) -> None:
    for title, rows, most in (("tenant", people, options.facts), ("slot", changes, options.changes)):
        async with Memory.open(
            url, tenant=f"loading {uuid.uuid4()}", ontology=ONTOLOGY, embedder=NoEmbedder()
        ) as memory:
            await memory.assert_fact("warm", "UP", "now", valid_from="2000")
            size = 0
            for stop in sizes(most):
                if stop > size:
                    await memory.add_facts(rows(size, stop), embed=False)
                size = stop + options.repeat
                median, slowest, cpu = await one_by_one(memory, rows(stop, size))
                print(
                    f"one more fact, {title} of {stop:>7,}: median {median:8.2f} ms, slowest {slowest:8.2f} ms, "
                    f"CPU here {cpu:8.2f} ms",
                    flush=True,
                )


def sizes(most: int) -> list[int]:
    """0, 100, 1,000 ... up to the most."""
    found = [0, 100]
    while found[-1] * 10 <= most:
        found.append(found[-1] * 10)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help="a file's path or a server; a passing file unless given")
    parser.add_argument("--facts", type=int, default=100_000, help="facts in the tenant")
    parser.add_argument("--changes", type=int, default=10_000, help="changes in the slot")
    parser.add_argument("--repeat", type=int, default=20, help="writes of which the median is taken")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(options.url or str(Path(folder) / "loading.db"), options))


if __name__ == "__main__":
    main()
