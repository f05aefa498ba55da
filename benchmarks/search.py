"""Search: how long a question takes, and what the embedder costs.

    python benchmarks/search.py [DEMO_FILE ...]           the demo's conversations, each in a tenant of its own
    python benchmarks/search.py --url crm.db --tenant acme   a store that is there
    python benchmarks/search.py --facts 1000 10000        made-up facts about made-up people, one tenant each

Questions are the files' own and "Where does X work?", "X 住在哪？" and the like about entities of the tenant. Each
is asked once with a question cache that has not seen it (``cold``) and once more (``warm``).
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from hitherto.demo import ReplayClock, bundled_files, load
from hitherto.extraction.embedders import CachedEmbedder, SentenceEmbedder
from hitherto.kg.commit import Effects, Embedded, commit, receive
from hitherto.kg.embedding import Purpose
from hitherto.kg.model import Draft, Entity, Episode, Mention, Turn
from hitherto.kg.ontology import Ontology
from hitherto.kg.preparation import prepare
from hitherto.kg.store import Store
from hitherto.kg.stores import open_store
from hitherto.memory import Memory, Parts
from hitherto.opening import system_clock
from hitherto.query.view import View
from hitherto.temporal.claims import Says
from hitherto.temporal.grains import Bound
from hitherto.temporal.instants import parse_instant

ASKED = 60
"""Questions a tenant is asked."""
ONTOLOGY = Ontology.starter()
TEMPLATES = ("Where does {} work?", "{} 住在哪？", "What does {} like?", "Where did {} work in 2024?", "{}")


@dataclass(frozen=True)
class Timed:
    name: str
    cold_ms: list[float]
    warm_ms: list[float]
    hits: int


async def time_searches(name: str, store: Store, tenant: str, questions: Sequence[str]) -> Timed:
    embedder = CachedEmbedder(SentenceEmbedder())
    await embedder.embed(["warm up"], Purpose.QUERY)

    def view() -> View:
        return View(store=store, tenant=tenant, ontology=ONTOLOGY, embedder=embedder, zone=UTC, clock=system_clock)

    await view().search("warm up")
    cold: list[float] = []
    warm: list[float] = []
    hits = 0
    for question in questions[:ASKED]:
        for times in (cold, warm):
            began = time.perf_counter()
            hits += len(await view().search(question))
            times.append((time.perf_counter() - began) * 1e3)
    return Timed(name, cold, warm, hits // 2)


async def questions_about(store: Store, tenant: str, own: Sequence[str] = ()) -> list[str]:
    view = View(
        store=store, tenant=tenant, ontology=ONTOLOGY, embedder=SentenceEmbedder(), zone=UTC, clock=system_clock
    )
    facts = (await view.facts(during="ever", limit=500)).items
    sides = [side for b in facts for side in (b.fact.subject, b.fact.object) if isinstance(side, Entity)]
    names = list(dict.fromkeys(side.name for side in sides)) or ["Alice"]
    made = [template.format(name) for name in names[:ASKED] for template in TEMPLATES]
    return [*own, *dict.fromkeys(made)]


async def run_demo_files(files: Sequence[Path]) -> list[Timed]:
    timed = []
    for path in files:
        conversation = load(path)
        clock = ReplayClock()
        async with Memory.open(":memory:", tenant=path.stem, **Parts(clock=clock)) as memory:
            for message in conversation.messages:
                clock.moment = parse_instant(message.time, zone=UTC)
                await memory.add(message.model_dump(exclude_none=True), session=conversation.session)
            clock.moment = None
            store = memory.at().store
            own = [q.ask for q in conversation.questions if q.ask]
            questions = await questions_about(store, path.stem, own)
            timed.append(await time_searches(path.stem, store, path.stem, questions))
    return timed


async def run_store(url: str, tenant: str) -> list[Timed]:
    store = await open_store(url, clock=system_clock)
    try:
        return [await time_searches(tenant, store, tenant, await questions_about(store, tenant))]
    finally:
        await store.close()


async def run_made_up(sizes: Sequence[int]) -> list[Timed]:
    timed = []
    for size in sizes:
        store = await open_store(":memory:", clock=system_clock)
        try:
            await store.claim_embedder(SentenceEmbedder().name, SentenceEmbedder().dimension)
            await make_up(store, "made up", size)
            questions = await questions_about(store, "made up")
            timed.append(await time_searches(f"{size} facts", store, "made up", questions))
        finally:
            await store.close()
    return timed


async def make_up(store: Store, tenant: str, size: int) -> None:
    """``size`` facts in episodes of twenty: each person works, lives and likes something; jobs change."""
    kinds = (("WORKS_AT", "Organization", "Company"), ("LIVES_IN", "Place", "Town"), ("LIKES", "Thing", "dish"))
    random = np.random.default_rng(0)
    for first in range(0, size, 20):
        said = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(hours=first)
        lines: list[str] = []
        drafts: list[Draft] = []
        for n in range(first, min(first + 20, size)):
            predicate, kind, word = kinds[n % 3]
            subject = Mention(f"Person {random.integers(size // 6 + 1)}", "Person")
            thing = Mention(f"{word} {random.integers(size // 20 + 2)}", kind)
            lines.append(ONTOLOGY.sentence(subject, predicate, thing) + ".")
            start = sum(len(line) + 1 for line in lines[:-1])
            drafts.append(
                Draft(
                    says=Says.OBSERVATION,
                    subject=subject,
                    predicate=predicate,
                    object=thing,
                    valid_from=Bound(said),
                    stated_at=said,
                    position=len(drafts),
                    quote_start=start,
                    quote_end=start + len(lines[-1]),
                )
            )
        await write_episode(store, tenant, said, " ".join(lines), drafts)


async def write_episode(store: Store, tenant: str, said: datetime, text: str, drafts: list[Draft]) -> None:
    embedder = SentenceEmbedder()
    turns = (Turn(0, len(text), said),)
    episode = Episode(id=f"{said.isoformat()}", text=text, occurred_at=said, turns=turns)
    prepared = prepare(tenant, episode, drafts, ONTOLOGY)
    facts = [row.fact for row in prepared.facts]
    vectors = await embedder.embed([text, *(f.text for f in facts)], Purpose.PASSAGE)
    embedded = Embedded(dict(zip([f.id for f in facts], vectors[1:], strict=True)), {})
    await store.write(tenant, lambda tx: receive(tx, episode))
    await store.write(tenant, lambda tx: commit(tx, [Effects(prepared, embedded, vectors[0])], ONTOLOGY))


async def measure_embedder() -> None:
    before_mib = rss_mib()
    embedder = SentenceEmbedder()
    began = time.perf_counter()
    await embedder.embed(["load"], Purpose.QUERY)
    load_s = time.perf_counter() - began
    texts = [f"Alice joined company {n} in January and lives in town {n * 7}." for n in range(1_000)]
    began = time.perf_counter()
    await embedder.embed(texts, Purpose.PASSAGE)
    rate = len(texts) / (time.perf_counter() - began)
    single_ms = []
    for text in texts[:200]:
        began = time.perf_counter()
        await embedder.embed([text], Purpose.QUERY)
        single_ms.append((time.perf_counter() - began) * 1e3)
    print(
        f"embedder  load {load_s:.2f} s, {rss_mib() - before_mib:.0f} MiB more; {rate:.0f} texts/s in batches; "
        f"one question {spread(single_ms)}"
    )


def rss_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def spread(times_ms: Sequence[float]) -> str:
    p50, p95 = np.percentile(times_ms, [50, 95])
    return f"p50 {p50:.1f} ms, p95 {p95:.1f} ms"


async def main() -> None:
    parser = argparse.ArgumentParser(description="How long a question takes, and what the embedder costs.")
    parser.add_argument("files", nargs="*", type=Path, help="demo files (default: those of the package)")
    parser.add_argument("--url", help="a store that is there")
    parser.add_argument("--tenant", default="default", help="the tenant of --url")
    parser.add_argument("--facts", nargs="+", type=int, help="sizes of made-up tenants")
    options = parser.parse_args()
    await measure_embedder()
    if options.url:
        timed = await run_store(options.url, options.tenant)
    elif options.facts:
        timed = await run_made_up(options.facts)
    else:
        timed = await run_demo_files(options.files or bundled_files())
    for t in timed:
        print(
            f"{t.name:<16}  {len(t.cold_ms)} questions, {t.hits} hits; "
            f"cold {spread(t.cold_ms)}; warm {spread(t.warm_ms)}"
        )


if __name__ == "__main__":
    asyncio.run(main())
