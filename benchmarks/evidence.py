"""Loading the public conversation sets into a store, and reading the figures off what is found in them; for the
benchmarks beside this file."""

from __future__ import annotations

import hashlib
import pickle
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from talks import ONTOLOGY, extractor, read

from hitherto.extraction.embedder_names import embedder_named
from hitherto.kg.commit import Effects, Embedded, commit_many, receive_many
from hitherto.kg.embedding import Purpose, Vectors
from hitherto.kg.model import Draft, Episode
from hitherto.kg.preparation import prepare
from hitherto.kg.store import Point, Store, Target
from hitherto.kg.stores import open_store
from hitherto.kg.text import cut
from hitherto.opening import system_clock
from hitherto.query.view import View

LIMITS = (5, 10, 20)
DEEP = 100
"""Places that a baseline's list has."""
BATCH = 500


def progress(text: str) -> None:
    """What a run is at, on standard error."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


Rank = Callable[[str, str, datetime | None], Awaitable[list[str]]]
"""Ids of episodes, best first, for a tenant, a question and a valid instant."""


class KeptEmbedder:
    """The embedder of a name; vectors are kept in a file between runs, when a folder is given."""

    def __init__(self, folder: Path | None, name: str = "use") -> None:
        self._inner = embedder_named(name)
        self._file = folder and folder / f"{self.name}.pickle"
        self._rows: dict[bytes, Vectors] = {}
        if self._file and self._file.exists():
            self._rows = pickle.loads(self._file.read_bytes())

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        told = "" if purpose is Purpose.PASSAGE else "question\0"
        keys = [hashlib.sha256((told + text).encode("utf-8", "replace")).digest() for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._rows}
        ordered = sorted(missing.items(), key=lambda item: len(item[1]))
        for first in range(0, len(ordered), BATCH):
            part = ordered[first : first + BATCH]
            self._rows |= zip(
                [k for k, _ in part], await self._inner.embed([t for _, t in part], purpose), strict=True
            )
        rows: Vectors = (
            np.stack([self._rows[key] for key in keys]) if keys else np.empty((0, self.dimension), "f4")
        )
        return rows

    def keep(self) -> None:
        if self._file:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_bytes(pickle.dumps(self._rows))


@dataclass(frozen=True, slots=True)
class Bench:
    store: Store
    embedder: KeptEmbedder

    async def fill(self, tenant: str, talk: Sequence[Episode], *, extract: bool) -> None:
        """Episodes, in few transactions; ``extract``: with what the rules read in them."""
        if (await self.store.status(tenant)).episodes:
            return
        drafts: list[list[Draft]] = [[] for _ in talk]
        if extract:
            drafts = await read(extractor(), talk)
        for first in range(0, len(talk), BATCH):
            part = talk[first : first + BATCH]
            effects = [
                await self._effects(tenant, e, d) for e, d in zip(part, drafts[first : first + BATCH], strict=True)
            ]
            await self.store.write(tenant, lambda tx, part=part: receive_many(tx, part))  # type: ignore[misc]
            await self.store.write(tenant, lambda tx, e=effects: commit_many(tx, e, ONTOLOGY))  # type: ignore[misc]

    async def _effects(self, tenant: str, episode: Episode, drafts: Sequence[Draft]) -> Effects:
        prepared = prepare(tenant, episode, drafts, ONTOLOGY)
        facts = [row.fact for row in prepared.facts]
        names = prepared.entity_names
        texts = [episode.text, *(f.text for f in facts), *names.values()]
        own, *vectors = await self.embedder.embed(texts, Purpose.PASSAGE)
        embedded = Embedded(
            dict(zip([f.id for f in facts], vectors, strict=False)),
            dict(zip(names, vectors[len(facts) :], strict=True)),
        )
        return Effects(prepared, embedded, own)

    def view(self, tenant: str, valid: datetime | None = None) -> View:
        return View(
            store=self.store,
            tenant=tenant,
            ontology=ONTOLOGY,
            embedder=self.embedder,
            zone=UTC,
            clock=system_clock,
            valid=valid,
        )

    async def ours(self, tenant: str, question: str, valid: datetime | None) -> list[str]:
        found = await self.view(tenant, valid).search(question, limit=50, kinds=["episode"])
        return list(dict.fromkeys(hit.episode_id for hit in found.episodes))

    async def words(self, tenant: str, question: str, _valid: datetime | None) -> list[str]:
        """BM25 with a stemmer: the store's leg alone, with all words of the question."""
        found = await self.store.match_text(Point(tenant), cut(question), Target.EPISODE, DEEP)
        return [match.id for match in found]

    async def meaning(self, tenant: str, question: str, _valid: datetime | None) -> list[str]:
        [vector] = await self.embedder.embed([question], Purpose.QUERY)
        found = await self.store.nearest(Point(tenant), vector, Target.EPISODE, DEEP)
        return [match.id for match in found]

    async def both(self, tenant: str, question: str, valid: datetime | None) -> list[str]:
        """Reciprocal rank fusion of the two, with the constant of its paper."""
        scores: dict[str, float] = defaultdict(float)
        for leg in (self.words, self.meaning):
            for rank, id_ in enumerate(await leg(tenant, question, valid), 1):
                scores[id_] += 1 / (60 + rank)
        return sorted(scores, key=lambda id_: (-scores[id_], id_))

    @property
    def ways(self) -> Mapping[str, Rank]:
        return {
            "hitherto": self.ours,
            "BM25": self.words,
            "dense": self.meaning,
            "RRF of both": self.both,
        }


@dataclass(slots=True)
class Recall:
    """Share of the wanted that stands among the first 5, 10, 20, averaged over questions."""

    shares: dict[tuple[str, int], list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, group: str, found: Sequence[str], wanted: Collection[str]) -> None:
        for limit in LIMITS:
            self.shares[group, limit].append(len(set(found[:limit]) & set(wanted)) / len(wanted))

    def line(self, limit: int | None = None) -> str:
        """Over all groups; or by group among the first ``limit``."""
        if limit is None:
            every = [[x for (_, n), shares in self.shares.items() if n == k for x in shares] for k in LIMITS]
            return " / ".join(f"{np.mean(shares):.3f}" for shares in every)
        groups = sorted((group, shares) for (group, k), shares in self.shares.items() if k == limit)
        return ", ".join(f"{group} {np.mean(shares):.3f}" for group, shares in groups)


@asynccontextmanager
async def open_bench(url: str, cache: Path | None, embedder: str = "use") -> AsyncIterator[Bench]:
    """On a store that may be written to; what was embedded is kept in ``cache``."""
    kept = KeptEmbedder(cache, embedder)
    store = await open_store(url, clock=system_clock)
    began = time.process_time()
    try:
        await store.claim_embedder(kept.name, kept.dimension)
        yield Bench(store, kept)
    finally:
        kept.keep()
        await store.close()
    print(f"{time.process_time() - began:.0f} s of CPU")
