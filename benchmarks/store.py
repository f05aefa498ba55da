"""What a store costs: one episode, bulk loading, reading as of a date, words, vectors.

    python benchmarks/store.py --url :memory: --facts 20000
    python benchmarks/store.py --url /tmp/bench.db --others 100000

Works on any store URL. Writes into tenants of its own, and leaves them there.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import time
import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import numpy as np

from hitherto.kg.embedding import Vectors
from hitherto.kg.ids import entity_id, entity_key, fact_id, make_id
from hitherto.kg.model import Claim, Entity, Episode, EpisodeStatus, Fact, Mention, StoredPeriod, Turn
from hitherto.kg.store import FactFilter, FactRow, Page, Point, Sighting, Store, Target, Transaction
from hitherto.kg.stores import open_store
from hitherto.kg.text import cut
from hitherto.temporal.claims import Says
from hitherto.temporal.grains import Bound, Grain

DIMENSION = 512
EMBEDDER = "benchmark"
START = datetime(2020, 1, 1, tzinfo=UTC)
SYLLABLES = [a + b for a in "klmnprst" for b in ("an", "ek")]
WORDS = [a + b + c for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES]


class World:
    """Made-up people with common and rare words in what is said of them."""

    def __init__(self, tenant: str, seed: int) -> None:
        self.tenant = tenant
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.claims = 0

    def vectors(self, count: int) -> Vectors:
        rows = self.numbers.normal(size=(count, DIMENSION)).astype(np.float32)
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def phrase(self, length: int) -> str:
        """Words by a Zipf-like law."""
        return " ".join(WORDS[int(len(WORDS) * self.random.random() ** 3)] for _ in range(length))

    def entity(self, name: str) -> Entity:
        return Entity(entity_id(self.tenant, name), name, "Person")

    def claim(self, episode: Episode, position: int) -> tuple[Fact, Claim]:
        self.claims += 1
        subject = self.entity(f"Person {self.random.randrange(self.claims // 4 + 1)}")
        target = self.entity(f"{self.phrase(2)} {self.claims}")
        text = f"{subject.name} works with {target.name} on {self.phrase(4)}"
        key = fact_id(self.tenant, subject.id, "WORKS_WITH", entity_key(target.id))
        start = START + timedelta(days=self.random.randrange(2000))
        claim = Claim(
            id=make_id(self.tenant, "claim", episode.id, position),
            fact=key,
            says=Says.DATED_BEGINNING,
            valid_from=Bound(start, Grain.DAY, start + timedelta(days=1)),
            stated_at=start,
            position=position,
            episode_id=episode.id,
            subject_id=subject.id,
            subject=Mention(subject.name, "Person"),
            predicate="WORKS_WITH",
            object_id=target.id,
            object=Mention(target.name, "Person"),
            quote=text,
            quote_start=0,
            quote_end=len(text),
        )
        return Fact(key, subject, "WORKS_WITH", target, text), claim

    def episode(self, length: int) -> Episode:
        text = self.phrase(length)
        when = START + timedelta(minutes=self.claims)
        id_ = str(uuid.UUID(int=self.random.getrandbits(128)))
        return Episode(
            id=id_, text=text, occurred_at=when, turns=(Turn(0, len(text), when),), session="s",
            status=EpisodeStatus.DONE,
        )  # fmt: skip


Work = Callable[[Transaction], Awaitable[None]]


def writing(world: World, claims: int) -> Work:
    """All that one episode with so many claims writes, values made beforehand."""
    episode = world.episode(40)
    pairs = [world.claim(episode, position) for position in range(claims)]
    vectors = world.vectors(len(pairs) + 1)
    rows = [FactRow(fact, False, vector) for (fact, _), vector in zip(pairs, vectors, strict=False)]
    sightings = [
        Sighting(id_, mention.name, mention.kind, 1)
        for _, claim in pairs
        for id_, mention in ((claim.subject_id, claim.subject), (claim.object_id, claim.object))
        if id_ is not None and isinstance(mention, Mention)
    ]
    slots = {claim.fact: make_id(world.tenant, "slot", claim.fact) for _, claim in pairs}

    async def work(tx: Transaction) -> None:
        await tx.episodes([episode.id])
        await tx.put_episode(episode, vectors[-1])
        await tx.put_facts(rows)
        await tx.put_sightings(sightings)
        await tx.put_claims([(slots[claim.fact], claim) for _, claim in pairs])
        await tx.slot_claims(slots.values())
        await tx.slot_periods(slots.values())
        await tx.put_periods(
            [
                StoredPeriod(
                    make_id(world.tenant, "period", c.id), slots[c.fact], c.fact, c.valid_from, None, tx.instant
                )
                for _, c in pairs
            ]
        )

    return work


async def measured(name: str, count: int, step: Callable[[int], Awaitable[object]]) -> None:
    times = []
    for n in range(count):
        before = time.perf_counter()
        await step(n)
        times.append((time.perf_counter() - before) * 1000)
    times.sort()
    p95 = times[int(len(times) * 0.95)]
    print(f"{name:<34} p50 {statistics.median(times):8.2f} ms   p95 {p95:8.2f} ms   max {times[-1]:8.2f} ms")


async def load(store: Store, world: World, facts: int) -> None:
    batch = 1000
    works = [writing(world, min(batch, facts - done)) for done in range(0, facts, batch)]
    before = time.perf_counter()
    for work in works:
        await store.write(world.tenant, work)
    seconds = time.perf_counter() - before
    print(f"{'bulk load':<34} {facts} claims in {seconds:.2f} s: {facts / seconds:.0f} claims/s")


async def read(store: Store, world: World) -> None:
    known = await store.last_commit(world.tenant)
    dice = random.Random(1)

    def point() -> Point:
        return Point(world.tenant, START + timedelta(days=dice.randrange(2500)), known)

    def somebody() -> str:
        return world.entity(f"Person {dice.randrange(world.claims // 4)}").id

    async def as_of(_: int) -> None:
        await store.beliefs(point(), FactFilter(subject_ids=[somebody()], predicates=["WORKS_WITH"]), Page())

    async def around(_: int) -> None:
        await store.beliefs(point(), FactFilter(touching=[somebody() for _ in range(20)]), Page(200))

    async def words(_: int) -> None:
        await store.match_text(point(), cut(world.phrase(5)), Target.FACT, 20)

    async def vectors(_: int) -> None:
        await store.nearest(point(), world.vectors(1)[0], Target.FACT, 20)

    await vectors(0)
    await measured("as of, one subject and predicate", 200, as_of)
    await measured("beliefs around 20 entities", 100, around)
    await measured("BM25, 5 words, 20 best", 100, words)
    await measured("vectors, exact, 20 best", 100, vectors)
    await measured("status", 20, lambda _: store.status(world.tenant))


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default=":memory:")
    parser.add_argument("--facts", type=int, default=20_000, help="facts of the tenant that is measured")
    parser.add_argument("--others", type=int, default=0, help="facts of another tenant in the same store")
    parser.add_argument("--episodes", type=int, default=300, help="episodes of five claims to write one by one")
    args = parser.parse_args()
    before = time.perf_counter()
    store = await open_store(args.url, clock=lambda: datetime.now(UTC))
    print(f"{'open':<34} {(time.perf_counter() - before) * 1000:.1f} ms")
    await store.claim_embedder(EMBEDDER, DIMENSION)
    if args.others:
        await load(store, World(f"other {uuid.uuid4()}", 7), args.others)
    world = World(f"bench {uuid.uuid4()}", 3)
    await load(store, world, args.facts)
    works = [writing(world, 5) for _ in range(args.episodes)]
    await measured("one episode, 5 claims, vectors", len(works), lambda n: store.write(world.tenant, works[n]))
    await read(store, world)
    await store.close()


if __name__ == "__main__":
    asyncio.run(main())
