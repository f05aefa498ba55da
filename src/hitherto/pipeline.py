"""Ingestion: an episode is made durable, read without any lock held, then committed in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias, TypeVar

from .extraction.corrections import read_correction
from .extraction.extractor import Extractor, Reading
from .extraction.identities import read_identity
from .extraction.meetings import met
from .extraction.passages import passages_of
from .extraction.records import read_records
from .extraction.structured import prose, read_structured
from .extraction.structured_prose import merged
from .extraction.working import read_working
from .kg.commit import Effects, Embedded, Loaded, commit, commit_many, receive, retract
from .kg.embedding import Embedder, Purpose, Vectors
from .kg.ids import family
from .kg.model import READ, SEARCHED, Belief, Draft, Episode, EpisodeStatus, Format, WriteReport, WriteStatus
from .kg.ontology import SAME_AS, Ontology
from .kg.preparation import Prepared, prepare
from .kg.store import EpisodeFilter, Page, Point, Store, Target, Transaction
from .query.people import speakers
from .reembedding import embed_missing, fill
from .sessions import lines_around, readings
from .uses import Uses

T = TypeVar("T")

Write: TypeAlias = Callable[[Transaction, Sequence[Effects]], Awaitable[T]]
"""Writes what was read, in a transaction."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An episode as it was read. ``earlier``: the ids of those that its reading saw."""

    episode: Episode
    earlier: tuple[str, ...]
    prepared: Prepared


@dataclass(frozen=True, slots=True)
class Pipeline:
    """What it takes to turn one tenant's episodes into belief."""

    store: Store
    tenant: str
    ontology: Ontology
    extractor: Extractor
    embedder: Embedder
    uses: Uses = field(default_factory=Uses)

    async def write(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """One transaction, in which what answers showed is written as well."""
        counts = self.uses.take()

        async def both(tx: Transaction) -> T:
            result = await work(tx)
            await tx.put_uses(counts)
            return result

        try:
            return await self.store.write(self.tenant, both if counts else work)
        except BaseException:
            self.uses.give_back(counts)
            raise

    async def add(self, episode: Episode) -> WriteReport:
        """Store, read and commit one episode. If reading fails it stays pending, and the error is raised."""
        await self.check(episode)
        received = await self.write(lambda tx: receive(tx, episode))
        if received is WriteStatus.DUPLICATE:
            return WriteReport(episode.id, WriteStatus.DUPLICATE)
        report = await self.settle([episode], (), self._commit)
        await self._embed_moved(report)
        return _as_received(report, received)

    async def check(self, episode: Episode) -> None:
        """Raises ``Invalid`` for JSON that cannot be read, before it is stored: it would stay pending for ever."""
        if episode.format is Format.JSON:
            await asyncio.to_thread(self._records, episode)

    async def record(
        self, episode: Episode, prepared: Prepared, also: Callable[[Transaction], Awaitable[None]] | None = None
    ) -> WriteReport:
        """Store and commit an episode of ready-made facts at once: nobody has to read it first. ``also`` is done
        in the same transaction."""
        if await self.is_done(episode.id):
            return WriteReport(episode.id, WriteStatus.DUPLICATE)
        vectors = await self.vectors_of(prepared)

        async def work(tx: Transaction) -> WriteReport:
            received = await receive(tx, episode)
            if received is WriteStatus.DUPLICATE:
                return WriteReport(episode.id, received)
            report = await commit(tx, [Effects(prepared, vectors)], self.ontology)
            if also is not None:
                await also(tx)
            return _as_received(report, received)

        report = await self.write(work)
        await self._embed_moved(report)
        return report

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
            for heard in await self.hear(pending.items):
                reports.append(await self.settle([heard.episode], [heard], self._commit))
                await self._embed_moved(reports[-1])

    async def retract(self, episode_id: str) -> WriteReport:
        """Take an episode back, in one transaction with what its session's next ones mean without it."""
        where = EpisodeFilter(ids=[episode_id])
        found = (await self.store.episodes(Point(self.tenant), where, Page(limit=1))).items
        standing = [e for e in found if e.status is not EpisodeStatus.RETRACTED]

        passages = [p for e in standing for p in await self.passages(e)]

        async def work(tx: Transaction, read: Sequence[Effects]) -> WriteReport:
            return await retract(tx, episode_id, read, self.ontology, passages)

        report = await self.settle(standing, (), work, gone=True)
        await self._embed_moved(report)
        return report

    async def hear(self, episodes: Sequence[Episode]) -> list[Heard]:
        """Read stored episodes."""
        lines = await lines_around(self.store, self.tenant, episodes)
        return await self._hear(readings(episodes, lines)[: len(episodes)])

    async def settle(
        self, episodes: Sequence[Episode], heard: Iterable[Heard], write: Write[T], *, gone: bool = False
    ) -> T:
        """Write stored episodes, or take them back, in one transaction with those of their sessions that are read
        otherwise because of them. What of them is ``heard`` already is read again only if more came before it.

        Other writers may have come in between: then those concerned are read once more. The first transaction's
        result is returned.
        """
        known = {h.episode.id: h for h in heard}
        results: list[T] = []
        while True:
            lines = await lines_around(self.store, self.tenant, episodes)
            wanted = readings(episodes, lines, gone=gone)
            stale = [r for r in wanted if r.episode.id not in known or known[r.episode.id].earlier != _ids(r)]
            known |= {h.episode.id: h for h in await self._hear(stale)}
            if results and not stale:
                return results[0]
            effects = await self._effects([known[r.episode.id] for r in (stale if results else wanted)])
            if results:
                await self._write(effects, self.count)
            else:
                results.append(await self._write(effects, write))

    async def _write(self, effects: Sequence[Effects], write: Write[T]) -> T:
        return await self.write(lambda tx: write(tx, effects))

    async def _commit(self, tx: Transaction, read: Sequence[Effects]) -> WriteReport:
        return await commit(tx, read, self.ontology)

    async def count(self, tx: Transaction, read: Sequence[Effects]) -> Loaded:
        """Writes what was read, and only counts what that changes."""
        return await commit_many(tx, read, self.ontology)

    async def _hear(self, wanted: Sequence[Reading]) -> list[Heard]:
        prose = [await _prose(r) for r in wanted]
        texts = [r for r in prose if r is not None]
        found = iter(await self.extractor.extract(texts) if texts else [])
        heard = []
        for r, read in zip(wanted, prose, strict=True):
            said = [] if read is None else met(next(found), speakers(r.episode))
            if r.episode.format is Format.JSON:
                prepared = await asyncio.to_thread(self._records, r.episode, said)
            else:
                drafts = said if r.episode.format in READ else self._ready_made(r.episode)
                prepared = prepare(self.tenant, r.episode, drafts, self.ontology)
            heard.append(Heard(r.episode, _ids(r), prepared))
        return heard

    async def _effects(self, heard: Sequence[Heard]) -> list[Effects]:
        unread = [h.episode for h in heard if h.episode.status is not EpisodeStatus.DONE]
        passages = {e.id: await self.passages(e) for e in unread if e.format is Format.DOCUMENT}
        new = {e.id: e.text for e in unread if e.format in SEARCHED}
        texts = [*new.values(), *(p.text for found in passages.values() for p in found)]
        vector_of = await self._embed([h.prepared for h in heard], texts)
        mine = {id_: vector_of[text] for id_, text in new.items()}
        return [
            Effects(
                h.prepared,
                _embedded(h.prepared, vector_of),
                mine.get(h.episode.id),
                [(p, vector_of[p.text]) for p in passages.get(h.episode.id, ())],
            )
            for h in heard
        ]

    async def passages(self, episode: Episode) -> list[Episode]:
        return await asyncio.to_thread(passages_of, self.tenant, episode)

    def _records(self, episode: Episode, said: Sequence[Draft] = ()) -> Prepared:
        drafts = merged(read_structured(episode, self.ontology), said)
        return prepare(self.tenant, episode, drafts, self.ontology)

    def _ready_made(self, episode: Episode) -> list[Draft]:
        if episode.format is Format.CORRECTION:
            return read_correction(episode)
        if episode.format is Format.IDENTITY:
            return read_identity(episode)
        if episode.format is Format.WORKING:
            return read_working(episode)
        return read_records(episode, self.ontology)

    async def embed_missing(self, batch: int) -> int:
        """Fill the vectors that are missing, ``batch`` in a transaction; how many there were."""
        return await embed_missing(self.store, self.tenant, self.embedder, batch)

    async def _embed_moved(self, report: WriteReport) -> None:
        """Where it changed who is who, facts of other episodes moved, and nobody could know their texts before."""
        changed = (*report.added, *report.superseded)
        texts = {belief.fact.id: belief.fact.text for belief in report.added}
        moved = any(b.fact.predicate == SAME_AS for b in changed) or any(
            _is_from_elsewhere(b, report.episode_id) for b in report.added
        )
        if texts and moved:
            rows = await self.embedder.embed(list(texts.values()), Purpose.PASSAGE)
            vectors = dict(zip(texts, rows, strict=True))
            await self.write(partial(fill, target=Target.FACT, vectors=vectors))

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


async def _prose(reading: Reading) -> Reading | None:
    """What of it the extractor reads."""
    if reading.episode.format is Format.JSON:
        text = await asyncio.to_thread(prose, reading.episode)
        return None if text is None else Reading(text)
    return reading if reading.episode.format in READ else None


def _ids(reading: Reading) -> tuple[str, ...]:
    return tuple(e.id for e in reading.earlier)


def _as_received(report: WriteReport, received: WriteStatus) -> WriteReport:
    """The report, saying so where the episode came back."""
    if received is WriteStatus.REINSTATED and report.status is WriteStatus.ADDED:
        return replace(report, status=received)
    return report


def _is_from_elsewhere(belief: Belief, episode_id: str) -> bool:
    """Whether other episodes told it of a skill, so that it is new only where it stands."""
    told = all(claim.episode_id != episode_id for claim in belief.evidence)
    return told and any(family(entity.kind) for entity in belief.fact.entities)


def _embedded(prepared: Prepared, vector_of: Mapping[str, Vectors]) -> Embedded:
    return Embedded(
        facts={row.fact.id: vector_of[row.fact.text] for row in prepared.facts},
        entities={id_: vector_of[name] for id_, name in prepared.entity_names.items()},
    )
