"""Who is taken for one, and what merges and proposals cost.

    python benchmarks/identity.py [DATA] [--url neo4j://...]

DATA is the folder of the public sets (`dblp_acm`, `nicknames`; see benchmarks/pairs.py). Costs are CPU seconds of
this process (milliseconds for one call), with ready-made facts and without an embedder's work.

- a write of one fact, into a tenant that never merged and into one that did: the difference is what merging costs
  everybody;
- a merge and a split of entities that have so many facts;
- `duplicates` among so many people.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
import uuid
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import pairs

from hitherto import Memory
from hitherto.kg.embedding import Purpose, Vectors

T = TypeVar("T")

FIRST = "Ann Ben Cleo Dora Emil Fay Gus Hugo Ida Jan Kim Leo Mona Nils Olga Paul Quinn Rosa Sven Tara".split()  # noqa: SIM905
PARTS = "ba de fi go lu ma ne pi ro su ta ve wi xo ya ze ki mo".split()  # noqa: SIM905


class NoEmbedder:
    """Equal vectors for all texts: embedding is not what is measured."""

    name = "benchmark of identities"
    dimension = 8

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:  # noqa: ARG002
        vectors: Vectors = np.full((len(texts), self.dimension), self.dimension**-0.5, dtype=np.float32)
        return vectors


def person(number: int) -> str:
    """A name that no other number has: a first name and three syllables."""
    size = len(PARTS)
    syllables = (PARTS[number // size**power % size] for power in range(4))
    return f"{FIRST[number * 7 % len(FIRST)]} {''.join(syllables).capitalize()}"


async def cpu(work: Awaitable[T]) -> tuple[float, T]:
    start = time.process_time()
    result = await work
    return time.process_time() - start, result


async def opened(url: str, tenant: str) -> Memory:
    return await Memory.open(url, tenant=f"{tenant} {uuid.uuid4()}", embedder=NoEmbedder())


async def writes(url: str) -> None:
    plain, merged = await opened(url, "plain"), await opened(url, "merged")
    await merged.add_facts(
        [{"subject": "A", "predicate": "SAME_AS", "object": "B", "valid_from": "2020"}], source="benchmark"
    )
    times: dict[str, list[float]] = {"never merged": [], "merged once": []}
    for number in range(400):
        for name, memory in (("never merged", plain), ("merged once", merged)):
            fact = memory.assert_fact(person(number), "LIKES", person(number + 1), valid_from="2020")
            times[name].append((await cpu(fact))[0])
    for name, found in times.items():
        print(f"one fact, tenant {name}: {1000 * statistics.median(found):.2f} ms")
    await plain.close()
    await merged.close()


async def merges(url: str, size: int) -> None:
    memory = await opened(url, "merge")
    await memory.add_facts(
        [
            {"subject": who, "predicate": "KNOWS", "object": person(number), "valid_from": "2020"}
            for who in ("Ann", "Annie")
            for number in range(size)
        ]
    )
    merge, report = await cpu(memory.merge("Ann", "Annie"))
    split, parted = await cpu(memory.split("Ann", "Annie"))
    assert len(report.superseded) == size and len(parted.added) == size
    print(f"merge of two with {size:,} facts each: {merge:.2f} s, split: {split:.2f} s")
    await memory.close()


async def proposals(url: str, size: int) -> None:
    memory = await opened(url, "duplicates")
    names = [person(number) for number in range(size)]
    doubles = [f"Dr. {name}" for name in names[:: max(1, size // 20)]]
    await memory.add_facts(
        {"subject": name, "predicate": "LIKES", "object": "Tea", "valid_from": "2020", "subject_kind": "Person"}
        for name in (*names, *doubles)
    )
    seconds, found = await cpu(memory.duplicates(limit=1_000_000, at_least=0.9))
    missed = (
        {f"Dr. {name}" for name in names if f"Dr. {name}" in doubles}
        - {p.a.name for p in found}
        - {p.b.name for p in found}
    )
    print(f"duplicates among {size:,} people: {seconds:.1f} s, {len(found)} pairs, {len(missed)} titles missed")
    await memory.close()


async def main(url: str, sizes: Sequence[int]) -> None:
    await writes(url)
    for size in sizes:
        await merges(url, size // 10)
    for size in sizes:
        await proposals(url, size)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default=":memory:")
    parser.add_argument("--sizes", type=int, nargs="*", default=[100, 1_000, 10_000])
    parser.add_argument("data", nargs="?", type=Path, default=pairs.DATA)
    given = parser.parse_args()
    if not given.data.is_dir():
        print(f"no public sets at {given.data}; who is taken for one is not measured")
    pairs.report(given.data)
    asyncio.run(main(given.url, given.sizes))
