"""Ingestion: an episode is made durable, read without any lock held, then committed in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from .extraction.corrections import read_correction
from .extraction.extractor import Extractor, Reading
from .extraction.records import read_records
from .kg.commit import Embedded, commit, receive, retract
from .kg.embedding import Embedder, Purpose, Vectors
from .kg.model import Draft, Episode, EpisodeStatus, Format, WriteReport, WriteStatus
from .kg.ontology import Ontology
from .kg.preparation import Prepared, prepare
from .kg.store import EpisodeFilter, Page, Point, Store, Target, Transaction
from .temporal.errors import Invalid

CONTEXT_EPISODES = 8
"""How many earlier episodes of its session a reading sees, and how many later ones a late one has read again."""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """What it takes to turn one tenant's episodes into belief."""

    store: Store
    tenant: str
    ontology: Ontology
    extractor: Extractor
    embedder: Embedder

    async def add(self, episode: Episode) -> WriteReport:
        """Store, read and commit one episode. If reading fails it stays pending, and the error is raised."""
        received = await self.store.write(self.tenant, lambda tx: receive(tx, episode))
        if received is WriteStatus.DUPLICATE:
            return WriteReport(episode.id, WriteStatus.DUPLICATE)
        report = await self._read([episode])
        if episode.session is not None and episode.format is Format.TEXT:
            await self._read_again(episode)
        return _as_received(report[0], received)

    async def record(self, episode: Episode, prepared: Prepared) -> WriteReport:
        """Store and commit an episode of ready-made facts at once: nobody has to read it first."""
        if await self.is_done(episode.id):
            return WriteReport(episode.id, WriteStatus.DUPLICATE)
        vectors = await self.vectors_of(prepared)

        async def work(tx: Transaction) -> WriteReport:
            received = await receive(tx, episode)
            if received is WriteStatus.DUPLICATE:
                return WriteReport(episode.id, received)
            return _as_received(await commit(tx, prepared, vectors, None, self.ontology), received)

        return await self.store.write(self.tenant, work)

    async def is_done(self, episode_id: str) -> bool:
        """Whether an episode is stored and committed, and not retracted."""
        where = EpisodeFilter(ids=[episode_id], status=EpisodeStatus.DONE)
        return bool((await self.store.episodes(Point(self.tenant), where, Page(limit=1))).items)

    async def resume(self) -> list[WriteReport]:
        """Read and commit what is pending (after a crash or a failed reading), in order of occurrence."""
        reports: list[WriteReport] = []
        where = EpisodeFilter(status=EpisodeStatus.PENDING)
        while True:
            pending = await self.store.episodes(Point(self.tenant), where, Page(limit=50))
            if not pending.items:
                return reports
            reports += await self._read(pending.items)

    async def retract(self, episode_id: str) -> WriteReport:
        return await self.store.write(self.tenant, lambda tx: retract(tx, episode_id, self.ontology))

    async def _read_again(self, late: Episode) -> None:
        """A late arrival may change what pronouns in its session's next episodes mean."""
        where = EpisodeFilter(session=late.session, since=late.occurred_at, status=EpisodeStatus.DONE)
        later = await self.store.episodes(Point(self.tenant), where, Page(limit=CONTEXT_EPISODES + 1))
        if again := [e for e in later.items if e.id != late.id and e.format is Format.TEXT]:
            await self._read(again)

    async def _read(self, episodes: Sequence[Episode]) -> list[WriteReport]:
        drafts = await self._drafts(episodes)
        prepared = [
            prepare(self.tenant, episode, found, self.ontology)
            for episode, found in zip(episodes, drafts, strict=True)
        ]
        vector_of = await self._embed(prepared, [e.text for e in episodes if e.format is Format.TEXT])
        reports = []
        for p, episode in zip(prepared, episodes, strict=True):
            work = partial(
                commit,
                prepared=p,
                vectors=_embedded(p, vector_of),
                episode_vector=vector_of[episode.text] if episode.format is Format.TEXT else None,
                ontology=self.ontology,
            )
            reports.append(await self.store.write(self.tenant, work))
        return reports

    async def _drafts(self, episodes: Sequence[Episode]) -> list[list[Draft]]:
        readings = [
            Reading(episode, await self._earlier(episode)) for episode in episodes if episode.format is Format.TEXT
        ]
        found = iter(await self.extractor.extract(readings) if readings else [])
        return [
            next(found) if episode.format is Format.TEXT else self._ready_made(episode) for episode in episodes
        ]

    def _ready_made(self, episode: Episode) -> list[Draft]:
        if episode.format is Format.CORRECTION:
            return read_correction(episode)
        return read_records(episode, self.ontology)

    async def _earlier(self, episode: Episode) -> tuple[Episode, ...]:
        if episode.session is None:
            return ()
        return tuple(
            await self.store.recent_episodes(
                Point(self.tenant), episode.session, episode.occurred_at, CONTEXT_EPISODES
            )
        )

    async def embed_missing(self, batch: int) -> int:
        """Fill the vectors that facts and entities lack, ``batch`` in a transaction; how many there were."""
        if batch < 1:
            raise Invalid(f"batch={batch}; give at least 1 text a batch")
        total = 0
        for target in (Target.FACT, Target.ENTITY):
            after = ""
            while found := await self.store.unembedded(self.tenant, target, after, batch):
                rows = await self.embedder.embed([text for _, text in found], Purpose.PASSAGE)
                vectors = {id_: row for (id_, _), row in zip(found, rows, strict=True)}
                await self.store.write(self.tenant, partial(_fill, target=target, vectors=vectors))
                after, total = found[-1][0], total + len(found)
        return total

    async def vectors_of(self, prepared: Prepared) -> Embedded:
        """Vectors of the facts and entities that an episode brings."""
        return _embedded(prepared, await self._embed([prepared], []))

    async def _embed(self, prepared: Sequence[Prepared], texts: Sequence[str]) -> dict[str, Vectors]:
        wanted = [*texts]
        for p in prepared:
            wanted += [row.fact.text for row in p.facts]
            wanted += p.entity_names.values()
        unique = list(dict.fromkeys(wanted))
        return dict(zip(unique, await self.embedder.embed(unique, Purpose.PASSAGE), strict=True))


def _as_received(report: WriteReport, received: WriteStatus) -> WriteReport:
    """The report, saying so where the episode came back."""
    if received is WriteStatus.REINSTATED and report.status is WriteStatus.ADDED:
        return replace(report, status=received)
    return report


async def _fill(tx: Transaction, target: Target, vectors: Mapping[str, Vectors]) -> None:
    if target is Target.FACT:
        await tx.put_fact_vectors(vectors)
    else:
        await tx.put_entity_vectors(vectors)


def _embedded(prepared: Prepared, vector_of: Mapping[str, Vectors]) -> Embedded:
    return Embedded(
        facts={row.fact.id: vector_of[row.fact.text] for row in prepared.facts},
        entities={id_: vector_of[name] for id_, name in prepared.entity_names.items()},
    )
