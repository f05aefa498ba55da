"""Filtered recall at 20 of the Neo4j store's vector leg, against all vectors compared, and what a search takes.

    python benchmarks/neo4j_recall.py bolt://neo4j:password@localhost:7687 [more servers] --facts 50000

Sentences are made up, vectors are the default embedder's. Tenants of --facts, 2,000 and 100 facts; in the largest
a tenth of the stretches belongs to tickets whose state comes back six times. Writes into tenants of its own, and
leaves them there.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import time
import uuid
from dataclasses import replace
from datetime import UTC, datetime

from hitherto.extraction.embedders import default_embedder
from hitherto.kg.embedding import Purpose, Vectors
from hitherto.kg.model import Entity
from hitherto.kg.store import FactRow, Match, Point, Target, Transaction
from hitherto.kg.stores.neo4j import Neo4jStore, open_neo4j, vectors
from hitherto.kg.stores.neo4j.points import Instants
from hitherto.kg.stores.neo4j.server import run
from hitherto.kg.text import cut
from hitherto.testing.telling import Teller, Told, day, sightings

K = 20
PORTION = 500
FIRST = [
    "Anna",
    "Bela",
    "Carl",
    "Dora",
    "Emil",
    "Fritz",
    "Greta",
    "Hanna",
    "Igor",
    "Jana",
    "Karl",
    "Lena",
    "Mario",
    "Nora",
    "Otto",
    "Petra",
    "Rita",
    "Sam",
    "Tina",
    "Uwe",
]
LAST = [
    "Meyer",
    "Novak",
    "Silva",
    "Tanaka",
    "Okoye",
    "Larsen",
    "Rossi",
    "Petrov",
    "Chen",
    "Dubois",
    "Khan",
    "Costa",
    "Weber",
    "Haddad",
    "Moreau",
    "Lind",
]
DOES = {
    "WORKS_AT": ["works at {} Logistics", "works at {} Labs", "works at the {} bakery", "works at {} Insurance"],
    "LIKES": ["likes {} coffee", "likes {} music", "likes hiking near {}", "likes {} novels"],
    "LIVES_IN": ["lives in {}", "lives in North {}", "lives in {} Harbour", "lives in Upper {}"],
    "ORDERED": ["ordered a {} lamp", "ordered two {} chairs", "ordered {} paint", "ordered the {} printer"],
    "HAS_PROBLEM": ["has trouble with the {} login", "cannot open the {} invoice", "waits for the {} delivery"],
}
WHAT = [
    "red",
    "quiet",
    "Berlin",
    "Lisbon",
    "old",
    "solar",
    "winter",
    "Kyoto",
    "paper",
    "silver",
    "Nairobi",
    "green",
    "late",
    "round",
    "Oslo",
    "iron",
]
QUESTIONS = [
    "Where does Anna Meyer work?", "Who likes quiet music?", "Who lives in Lisbon?", "Which orders are late?",
    "Who cannot log in?", "What does Otto Chen like?", "Which ticket is open?", "Wer wohnt in Berlin?",
    "谁喜欢咖啡?", "Who ordered chairs?", "trouble with an invoice", "people at the bakery",
    "Tina Rossi delivery", "hiking near Kyoto", "Who moved to the harbour?", "What is Sam Khan waiting for?",
]  # fmt: skip


def facts(count: int, seed: int, tickets: int = 0) -> list[Told]:
    """So many stretches of belief, those of ``tickets`` in six stretches each."""
    chance = random.Random(seed)
    told = []
    for number in range(count - 6 * tickets):
        predicate = chance.choice(list(DOES))
        name = f"{chance.choice(FIRST)} {chance.choice(LAST)} {number % 997}"
        text = f"{name} {chance.choice(DOES[predicate]).format(chance.choice(WHAT))} {number}"
        start = chance.randrange(1000)
        end = start + chance.randrange(1, 400) if chance.random() < 0.4 else None
        told.append(Told(name, predicate, f"{text.split(' ', 3)[3]}", start, end, text=text))
    for number in range(tickets):
        state = chance.choice(["open", "waiting for the customer", "in work", "closed"])
        for stretch in range(6):
            start = stretch * 150 + chance.randrange(60)
            name = f"Ticket {number}"
            told.append(Told(name, "STATUS", state, start, start + 60, text=f"{name} is {state}"))
    chance.shuffle(told)
    return told


class Bench:
    def __init__(self, store: Neo4jStore, vector_of: dict[str, Vectors]) -> None:
        self.store = store
        self.vector_of = vector_of

    async def load(self, tenant: str, told: list[Told]) -> datetime:
        """The instant after the first half."""
        half = None
        begun = time.perf_counter()
        for start in range(0, len(told), PORTION):
            portion = told[start : start + PORTION]
            instant = await self.store.write(tenant, lambda tx, p=portion, n=start: self.put(tx, p, n))  # type: ignore[misc]
            half = instant if half is None or start <= len(told) // 2 else half
        seconds = time.perf_counter() - begun
        print(f"  loaded {len(told):,} in {seconds:.0f} s: {len(told) / seconds:.0f} facts/s", flush=True)
        assert half is not None
        return half

    async def put(self, tx: Transaction, told: list[Told], number: int) -> datetime:
        teller = Teller(self.store, tx.tenant)
        await tx.put_episode(teller.episode(f"e{number}", "loaded"), None)
        about = [teller.fact(one) for one in told]
        claims = [teller.claim(one, f"e{number}", position) for position, one in enumerate(told)]
        await tx.put_facts([FactRow(fact, False, self.vector_of[fact.text]) for fact in about])
        await tx.put_sightings(sightings(claims))
        names = {side.id for fact in about for side in (fact.subject, fact.object) if isinstance(side, Entity)}
        assert names
        await tx.put_claims([(teller.slot(one), claim) for one, claim in zip(told, claims, strict=True)])
        await tx.put_periods([teller.period(one, tx.instant) for one in told])
        return tx.instant

    async def exact(self, point: Point, vector: Vectors) -> list[Match]:
        at = Instants.of(point)
        query = vectors.exact_query(at, Target.FACT)
        params = {**at.params, "vector": vector.tolist(), "limit": K}
        found = await self.store._server.read(lambda tx: run(tx, query, params))
        return [Match(row["id"], row["score"]) for row in found]

    async def measure(self, name: str, points: dict[str, Point], questions: list[Vectors]) -> None:
        for when, point in points.items():
            times, worst, shares = [], [], []
            for _ in range(2):
                for vector in questions:
                    begun = time.perf_counter()
                    got = {match.id for match in await self.store.nearest(point, vector, Target.FACT, K)}
                    times.append((time.perf_counter() - begun) * 1e3)
            for vector in questions:
                begun = time.perf_counter()
                right = {match.id for match in await self.exact(point, vector)}
                worst.append((time.perf_counter() - begun) * 1e3)
                got = {match.id for match in await self.store.nearest(point, vector, Target.FACT, K)}
                shares.append(len(got & right) / max(len(right), 1))
            words = []
            for question in QUESTIONS:
                begun = time.perf_counter()
                await self.store.match_text(point, cut(question), Target.FACT, K)
                words.append((time.perf_counter() - begun) * 1e3)
            print(
                f"  {name:>12} {when:>9}: recall {statistics.mean(shares):.3f} (least {min(shares):.2f}), "
                f"p50 {statistics.median(times):.1f} ms; exact {statistics.median(worst):.1f} ms; "
                f"words p50 {statistics.median(words):.1f}, most {max(words):.0f} ms",
                flush=True,
            )


async def main(urls: list[str], count: int) -> None:
    embedder = default_embedder()
    worlds = {
        f"{count:,}": facts(count, 1, tickets=count // 60),
        "2,000": facts(2000, 2),
        "100": facts(100, 3),
    }
    texts = sorted({told.text for world in worlds.values() for told in world if told.text})
    begun = time.perf_counter()
    found = await embedder.embed(texts, Purpose.PASSAGE)
    print(f"{len(texts):,} texts embedded in {time.perf_counter() - begun:.0f} s", flush=True)
    vector_of = dict(zip(texts, found, strict=True))
    questions = list(await embedder.embed(QUESTIONS, Purpose.QUERY))
    for url in urls:
        store = await open_neo4j(url, clock=lambda: datetime.now(UTC))
        await store.claim_embedder(embedder.name, embedder.dimension)
        print(f"Neo4j {store.server_version}", flush=True)
        bench = Bench(store, vector_of)
        for name, told in worlds.items():
            tenant = f"recall {name} {uuid.uuid4()}"
            half = await bench.load(tenant, told)
            now = Point(tenant, day(1500), await store.last_commit(tenant))
            points = {
                "now": now,
                "valid": replace(now, valid=day(300)),
                "known": replace(now, valid=day(300), known=half),
                "any time": replace(now, valid=None),
            }
            await bench.measure(name, points, questions)
        await store.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("urls", nargs="+")
    parser.add_argument("--facts", type=int, default=50_000)
    options = parser.parse_args()
    asyncio.run(main(options.urls, options.facts))
