"""What is still found after forgetting? LoCoMo's evidence, once a share of the facts is archived by each policy.

    python benchmarks/forgetting.py [--data DATA] [--talks N] [--shares .5 .75]

Each conversation is told session by session at its own time. Every second question is then asked once, so that
what answers showed is counted as it would be in use; the others are measured, three months after the last session:
how many facts read from their evidence turns are not archived, and for how many questions one of these facts, or a
digest that cites one, is among the first 20 facts. Only questions whose evidence gave a fact count. Messages are
never archived and are not looked at.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from recall import locomo_evidence, locomo_talk
from talks import DATA, load

from hitherto import Memory
from hitherto.extraction.embedder_names import embedder_named
from hitherto.extraction.rules import RuleExtractor
from hitherto.kg.forgetting import POLICIES
from hitherto.kg.model import Episode
from hitherto.kg.ontology import Ontology
from hitherto.kg.store import FactFilter, Point
from hitherto.memory import Parts
from hitherto.query.fetching import every_belief

FIRST = 20
LATER = timedelta(days=90)


@dataclass
class Wall:
    now: datetime = datetime(2020, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Tally:
    """Of one policy and share."""

    kept: list[float] = field(default_factory=list)
    found: list[bool] = field(default_factory=list)

    def line(self) -> str:
        return f"facts of the evidence kept {np.mean(self.kept):.3f}   found {np.mean(self.found):.3f}"


@dataclass(frozen=True)
class Asked:
    question: str
    gold: frozenset[str]


async def told(memory: Memory, wall: Wall, talk: Sequence[Episode]) -> None:
    sessions: defaultdict[str, list[Episode]] = defaultdict(list)
    for episode in talk:
        sessions[str(episode.session)].append(episode)
    for session, turns in sessions.items():
        wall.now = turns[-1].occurred_at
        rows = [
            {"content": e.text, "occurred_at": e.occurred_at, "actor": e.actor, "id": e.id, "session": session}
            for e in turns
        ]
        await memory.add_many(rows)


async def with_gold(memory: Memory, sample: Mapping[str, Any]) -> list[Asked]:
    """The questions whose evidence gave facts, with these."""
    store = memory._pipeline.store
    point = Point(memory.tenant, None, await store.last_commit(memory.tenant))
    asked = []
    for question, wanted in locomo_evidence(sample):  # type: ignore[arg-type]
        held = await every_belief(store, point, FactFilter(episode_ids=wanted))
        if held:
            asked.append(Asked(question["question"], frozenset(b.fact.id for b in held)))
    return asked


async def measured(memory: Memory, asked: Sequence[Asked], tally: Tally) -> None:
    store = memory._pipeline.store
    point = Point(memory.tenant, None, await store.last_commit(memory.tenant))
    there = {b.fact.id for b in await every_belief(store, point, FactFilter(archived=False))}
    cited = {
        belief.fact.id: frozenset(map(str, episode.metadata["facts"]))  # type: ignore[arg-type]
        for episode in (await memory.episodes(limit=1000)).items
        if episode.source == "digest"
        for belief in await every_belief(store, point, FactFilter(episode_ids=[episode.id]))
    }
    for one in asked:
        hits = (await memory.at().search(one.question, limit=FIRST, kinds=["fact"])).facts
        shown = {hit.belief.fact.id for hit in hits}
        shown |= {id_ for digest in shown & cited.keys() for id_ in cited[digest]}
        tally.kept.append(len(one.gold & there) / len(one.gold))
        tally.found.append(bool(one.gold & shown))


async def main() -> None:
    parser = argparse.ArgumentParser(description="What is still found after forgetting?")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the public sets")
    parser.add_argument("--talks", type=int, default=2, help="so many conversations")
    parser.add_argument("--shares", type=float, nargs="+", default=[0.5, 0.75], help="of the facts, archived")
    options = parser.parse_args()
    wall, tallies, counts = Wall(), defaultdict[tuple[float, str], Tally](Tally), [0, 0]
    parts = Parts(embedder=embedder_named("use"), extractor=RuleExtractor(Ontology.starter(), UTC), clock=wall)
    for sample in load(options.data / "locomo" / "locomo_dev.json.gz")[: options.talks]:
        with tempfile.TemporaryDirectory() as folder:
            whole = Path(folder) / "whole.db"
            async with Memory.open(str(whole), tenant="t", **parts) as memory:
                await told(memory, wall, list(locomo_talk(sample["conversation"])))
                asked = await with_gold(memory, sample)
                for one in asked[::2]:
                    await memory.search(one.question, kinds=["fact"])
                wall.now += LATER
                facts = (await memory.maintain(policy=None, sample=0)).facts
                await measured(memory, asked[1::2], tallies[(0.0, "nothing")])
            counts = [counts[0] + facts, counts[1] + len(asked[1::2])]
            for share in options.shares:
                for name in POLICIES:
                    copy = Path(shutil.copy(whole, Path(folder) / f"{share} {name}.db"))
                    async with Memory.open(str(copy), tenant="t", **parts) as memory:
                        await memory.maintain(policy=name, capacity=int(facts * (1 - share)), sample=0)
                        await measured(memory, asked[1::2], tallies[(share, name)])
    print(f"LoCoMo dev, {options.talks} conversations, {counts[0]} facts, {counts[1]} questions; first {FIRST}")
    for (share, name), tally in tallies.items():
        print(f"  {share:.2f} archived by {name:<10} {tally.line()}")


if __name__ == "__main__":
    asyncio.run(main())
