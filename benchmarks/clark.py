"""What does a search as of a date put first, when what was said before and after is there as well?

    python benchmarks/clark.py [--data DATA] [--url URL] [--cache FOLDER] [--half 0|1]

CLARK (real facts with dates, each with the dated news it was read from): all spans of news are episodes of one
tenant, said at their dates. A question is asked as of a date. Counted: the first of what is found (among the
first five) is news of a fact that is the answer at that date; and how often news of the same subject and relation
that is stale then, or from its future, stands above it (also where the valid one is not found). Beside ours,
in the same run: BM25, dense vectors, reciprocal rank fusion of both, which know no date.
"""

from __future__ import annotations

import argparse
import asyncio
import uuid
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evidence import Bench, open_bench
from talks import DATA, load, message


def at(date: str) -> datetime:
    return datetime.fromisoformat(date).replace(tzinfo=UTC)


@dataclass(slots=True)
class Tally:
    asked: int = 0
    first: int = 0
    among_five: int = 0
    stale_above: int = 0

    def add(self, found: list[str], valid: set[str], stale: set[str]) -> None:
        places = {id_: place for place, id_ in enumerate(found)}
        best = min((places.get(id_, len(found)) for id_ in valid), default=len(found))
        worst = min((places.get(id_, len(found) + 1) for id_ in stale), default=len(found) + 1)
        self.asked += 1
        self.first += best == 0 < len(found)
        self.among_five += best < min(5, len(found))
        self.stale_above += worst < best or not found

    def __str__(self) -> str:
        shares = (self.first, self.among_five, self.stale_above)
        first, five, stale = (share / max(self.asked, 1) for share in shares)
        return f"hit@1 {first:.3f}, hit@5 {five:.3f}, stale or future above valid {stale:.3f}, of {self.asked}"


async def measure(bench: Bench, folder: Path, half: int | None) -> None:
    facts = load(folder / "clark" / "facts_dev.json")
    tenant = f"{uuid.uuid4().hex[:8]} clark"
    told = sorted(facts, key=lambda f: f["source_date"])
    talk = [replace(message(str(f["n"]), f["span"], at(f["source_date"]), None), session=None) for f in told]
    await bench.fill(tenant, talk, extract=True)
    slots: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for fact in facts:
        slots[fact["subject"], fact["relation"]].append(fact)
    tallies = {name: Tally() for name in bench.ways}
    for number, asked in enumerate(load(folder / "clark" / "questions_dev.json")):
        if half is not None and number % 2 != half:
            continue
        date, same = asked["as_of"], slots[asked["subject"], asked["relation"]]
        holds = [f for f in same if f["valid_from"] <= date and (not f["valid_to"] or date < f["valid_to"])]
        valid = {str(f["n"]) for f in holds if f["object"] in asked["answer"]}
        stale = {str(f["n"]) for f in same} - {str(f["n"]) for f in holds}
        for name, rank in bench.ways.items():
            tallies[name].add(await rank(tenant, asked["question"], at(date)), valid, stale)
    print("CLARK dev, news spans as of a date")
    for name, tally in tallies.items():
        print(f"  {name:<12} {tally}")


async def main() -> None:
    parser = argparse.ArgumentParser(description="What does a search as of a date put first?")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the public sets")
    parser.add_argument("--url", default=":memory:", help="a store that may be written to")
    parser.add_argument("--cache", type=Path, help="a folder to keep vectors in")
    parser.add_argument("--half", type=int, choices=[0, 1], help="only every second question")
    options = parser.parse_args()
    async with open_bench(options.url, options.cache) as bench:
        await measure(bench, options.data, options.half)


if __name__ == "__main__":
    asyncio.run(main())
