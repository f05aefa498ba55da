"""How much of the evidence survives a budget of tokens?

    python benchmarks/context.py [--data DATA] [--url URL] [--cache FOLDER] [--budgets 500 1000 2000] [--talks N]

LoCoMo, as in ``recall.py``: the share of a question's evidence turns that the block of ``View.context`` still
holds (whole, trimmed, or as a fact that rests on them), averaged over questions; of these untrimmed, and without
what only the sums of sessions hold. Beside it, in the same run: the first turns by BM25 with a stemmer that fit
the same budget. Tokens are counted by ``estimate_tokens``. ``--talks`` takes the first so many conversations.
"""

from __future__ import annotations

import argparse
import asyncio
import time
import uuid
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from evidence import Bench, open_bench, progress
from recall import locomo_evidence, locomo_talk
from talks import DATA, load

from hitherto.kg.model import Episode
from hitherto.query.context import Fate, Section
from hitherto.query.tokens import estimate_tokens

BUDGETS = (500, 1_000, 2_000, 4_000)
_NAMES = ("context", "  untrimmed", "  no sums", "BM25, cut")


async def plain(bench: Bench, tenant: str, question: str, budget: int, talk: dict[str, Episode]) -> set[str]:
    """The first by BM25, as lines of the same shape."""
    kept: set[str] = set()
    used = 0
    for id_ in await bench.words(tenant, question, None):
        said = talk[id_]
        used += estimate_tokens(f"- [{said.occurred_at:%Y-%m-%d} {said.actor}] {said.text}") + 1
        if used > budget:
            break
        kept.add(id_)
    return kept


async def measure(bench: Bench, folder: Path, budgets: Sequence[int], talks: int | None) -> None:
    shares: dict[tuple[str, int], list[float]] = defaultdict(list)
    took_ms: list[float] = []
    for sample in load(folder / "locomo" / "locomo_dev.json.gz")[:talks]:
        tenant = f"{uuid.uuid4().hex[:8]} {sample['sample_id']}"
        progress(f"conversation {sample['sample_id']}")
        talk = {e.id: e for e in locomo_talk(sample["conversation"])}
        await bench.fill(tenant, list(talk.values()), extract=True)
        view = bench.view(tenant)
        for asked, wanted in locomo_evidence(sample):
            for budget in budgets:
                began = time.perf_counter()
                block = await view.context(asked["question"], budget=budget)
                took_ms.append((time.perf_counter() - began) * 1e3)
                kept = {id_ for t in block.trace if t.fate is not Fate.DROPPED for id_ in t.episode_ids}
                whole = {id_ for t in block.trace if t.fate is Fate.KEPT for id_ in t.episode_ids}
                turns = {
                    id_
                    for t in block.trace
                    if t.fate is not Fate.DROPPED and t.section is not Section.SESSIONS
                    for id_ in t.episode_ids
                }
                first = await plain(bench, tenant, asked["question"], budget, talk)
                for name, found in zip(_NAMES, (kept, whole, turns, first), strict=True):
                    shares[name, budget].append(len(found & wanted) / len(wanted))
    print("LoCoMo dev, share of evidence turns in the block")
    print("  budget      " + "".join(f"{budget:>8}" for budget in budgets))
    for name in _NAMES:
        print(f"  {name:<12}" + "".join(f"{np.mean(shares[name, budget]):>8.3f}" for budget in budgets))
    p50, p95 = np.percentile(took_ms, [50, 95])
    print(f"a block took p50 {p50:.0f} ms, p95 {p95:.0f} ms")


async def main() -> None:
    parser = argparse.ArgumentParser(description="How much of the evidence survives a budget of tokens?")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the public sets")
    parser.add_argument("--url", default=":memory:", help="a store that may be written to")
    parser.add_argument("--cache", type=Path, help="a folder to keep vectors in")
    parser.add_argument("--talks", type=int, help="so many conversations; all, if left out")
    parser.add_argument("--budgets", type=int, nargs="+", default=BUDGETS)
    options = parser.parse_args()
    async with open_bench(options.url, options.cache) as bench:
        await measure(bench, options.data, options.budgets, options.talks)


if __name__ == "__main__":
    asyncio.run(main())
