"""Ready-made facts in bulk: a stream of rows becomes batches, and each batch one episode and one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final, TypeAlias

from .episodes import MAX_TEXT, About, build_episode
from .extraction.records import LITERAL, FactRecord, draft_of, iso, record
from .kg.commit import Embedded, Loaded, load
from .kg.model import Episode, Format, Value, WriteStatus
from .kg.preparation import Preparation, Prepared
from .pipeline import Pipeline
from .streams import each, numbered, read_ahead
from .temporal.errors import Invalid

BATCH: Final = 2_000
"""Rows of one transaction, unless given."""

Row: TypeAlias = Mapping[str, object]
"""One fact by the names of ``Memory.assert_fact``; what is None counts as left out."""

Rows: TypeAlias = "Iterable[Row] | AsyncIterable[Row]"


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did (so far). ``duplicates``: batches that were there already and changed nothing."""

    facts: int = 0
    """Rows read, each of which is one claim."""
    batches: int = 0
    duplicates: int = 0
    added: int = 0
    """Beliefs that are new, and ``superseded`` those no longer held."""
    superseded: int = 0
    episode_id: str | None = None
    """Of the last batch."""
    tx: datetime | None = None
    """Transaction time of the last batch that changed something: what was known after it is ``at(known=tx)``."""

    def plus(self, facts: int, episode_id: str, loaded: Loaded) -> LoadReport:
        return LoadReport(
            facts=self.facts + facts,
            batches=self.batches + 1,
            duplicates=self.duplicates + (loaded.status is WriteStatus.DUPLICATE),
            added=self.added + loaded.added,
            superseded=self.superseded + loaded.superseded,
            episode_id=episode_id,
            tx=loaded.tx or self.tx,
        )


Progress: TypeAlias = Callable[[LoadReport], object]


@dataclass(frozen=True, slots=True)
class Loader:
    """What it takes to turn rows into belief. ``zone``: of dates without one; ``source``: the system of record."""

    pipeline: Pipeline
    zone: tzinfo
    source: str = ""
    batch: int = BATCH
    embed: bool = True

    async def load(self, rows: Rows, progress: Progress | None) -> LoadReport:
        """See ``Memory.add_facts``."""
        if isinstance(self.batch, bool) or not isinstance(self.batch, int) or self.batch < 1:
            raise Invalid(f"batch={self.batch!r}; give at least 1 row a batch")
        if progress is not None and not callable(progress):
            raise Invalid(f"progress={progress!r:.60} cannot be called; give a function of one report")
        report = LoadReport()
        async with aclosing(read_ahead(self._ready(rows))) as batches:
            async for size, episode, prepared in batches:
                report = report.plus(size, episode.id, await self._write(episode, prepared))
                if progress is not None:
                    progress(report)
        return report

    async def _ready(self, rows: Rows) -> AsyncGenerator[tuple[int, Episode, Prepared], None]:
        """Batches ready to be written, each with its number of rows."""
        first = 1
        async for records in self._batches(rows):
            episode, prepared = await asyncio.to_thread(self._prepare, records, first)
            yield len(records), episode, prepared
            first += len(records)

    async def _batches(self, rows: Rows) -> AsyncIterator[list[tuple[FactRecord, str]]]:
        """Records with their lines, as many as are one episode."""
        waiting: list[tuple[FactRecord, str]] = []
        number = size = 0
        async for row in each(rows):
            number += 1
            with numbered("row", number):
                found = record_of(row, self.zone)
            line = found.line()
            if waiting and size + len(line) >= MAX_TEXT:
                yield waiting
                waiting, size = [], 0
            waiting.append((found, line))
            size += len(line) + 1
            if len(waiting) == self.batch:
                yield waiting
                waiting, size = [], 0
        if waiting:
            yield waiting

    def _prepare(self, records: Sequence[tuple[FactRecord, str]], first: int) -> tuple[Episode, Prepared]:
        """``first``: the number of the first row, for errors."""
        ontology = self.pipeline.ontology
        drafts, start = [], 0
        for number, (found, line) in enumerate(records, first):
            with numbered("row", number):
                drafts.append(draft_of(found, ontology, (start, start + len(line))))
            start += len(line) + 1
        about = About(occurred_at=max(draft.stated_at for draft in drafts), source=self.source)
        text = "\n".join(line for _, line in records)
        episode = build_episode(self.pipeline.tenant, text, about, self.zone, Format.FACTS)
        preparation = Preparation(self.pipeline.tenant, episode, ontology)
        for number, draft in enumerate(drafts, first):
            with numbered("row", number):
                preparation.add(draft)
        return episode, preparation.prepared()

    async def _write(self, episode: Episode, prepared: Prepared) -> Loaded:
        pipeline = self.pipeline
        if await pipeline.is_done(episode.id):
            return Loaded(WriteStatus.DUPLICATE)
        vectors = await pipeline.vectors_of(prepared) if self.embed else Embedded({}, {})
        return await pipeline.write(lambda tx: load(tx, episode, prepared, vectors, pipeline.ontology))


def record_of(row: Row, zone: tzinfo) -> FactRecord:
    """A row as a record. Raises ``Invalid`` for unknown or missing names and values that fit none."""
    if not isinstance(row, Mapping):
        raise Invalid(f"a fact is a mapping with subject, predicate and object, not a {type(row).__name__}")
    fields: dict[str, object] = {str(name): value for name, value in row.items() if value is not None}
    for name in ("valid_from", "valid_to", "stated_at"):
        if name in fields:
            fields[name] = iso(fields[name])  # type: ignore[arg-type]
    if isinstance(target := fields.get("object"), Value):
        fields |= {"object": target.text, "object_kind": LITERAL}
    return record(**{"zone": str(zone), **fields})
