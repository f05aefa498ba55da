"""Episodes in bulk: a stream becomes batches, each made durable, read and written together. Belief becomes what
adding them one by one gives."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Final, TypeAlias, cast

from .episodes import Details, is_record, read_episode
from .kg.commit import Loaded, receive_many
from .kg.model import Episode, WriteStatus
from .kg.store import Clock
from .messages import Message
from .pipeline import Heard, Pipeline
from .streams import each, numbered, read_ahead, with_number
from .temporal.errors import Conflict, HithertoError, Invalid

BATCH: Final = 128
"""Episodes of one batch, unless given."""

_LONG: Final = 200_000
"""Code points after which a batch is full, however few its episodes."""

Item: TypeAlias = "str | Message | Sequence[Message]"
"""What ``Memory.add`` takes, or a mapping that has its details beside ``content``: ``{"content": "...", "session":
"call-17", "occurred_at": "2026-03-02"}``; there ``content`` may be text, messages or JSON records."""

Items: TypeAlias = "Iterable[Item] | AsyncIterable[Item]"

_DETAILS: Final = Details.__annotations__.keys()


@dataclass(frozen=True, slots=True)
class AddReport:
    """What ``add_many`` did (so far). ``added`` and ``superseded`` count beliefs."""

    episodes: int = 0
    """Items taken from the stream."""
    duplicates: int = 0
    """Those that were there already and changed nothing."""
    added: int = 0
    superseded: int = 0
    tx: datetime | None = None
    """Transaction time of the last batch that changed something: what was known after it is ``at(known=tx)``."""

    def plus(self, taken: int, new: int, loaded: Loaded) -> AddReport:
        return AddReport(
            self.episodes + taken,
            self.duplicates + taken - new,
            self.added + loaded.added,
            self.superseded + loaded.superseded,
            loaded.tx or self.tx,
        )


Progress: TypeAlias = Callable[[AddReport], object]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Durable episodes, each with its item's number, from ``taken`` items. ``heard`` None: they could not be read
    together. ``error``: why the stream ends here, told when these are written."""

    taken: int
    episodes: Mapping[int, Episode]
    heard: Sequence[Heard] | None = None
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class Backload:
    """What it takes to turn items into belief. ``shared``: what holds for all that do not say otherwise."""

    pipeline: Pipeline
    zone: tzinfo
    clock: Clock
    shared: Details
    batch: int = BATCH

    async def load(self, items: Items, progress: Progress | None) -> AddReport:
        """See ``Memory.add_many``."""
        if isinstance(self.batch, bool) or not isinstance(self.batch, int) or self.batch < 1:
            raise Invalid(f"batch={self.batch!r}; give at least 1 episode a batch")
        if progress is not None and not callable(progress):
            raise Invalid(f"progress={progress!r:.60} cannot be called; give a function of one report")
        report = AddReport()
        async with aclosing(read_ahead(self._read(items))) as batches:
            async for batch in batches:
                report = report.plus(batch.taken, len(batch.episodes), await self._write(batch))
                if progress is not None:
                    progress(report)
                if batch.error is not None:
                    raise batch.error
        return report

    async def _read(self, items: Items) -> AsyncGenerator[_Batch, None]:
        """Batches that are durable and, as far as they can be, read."""
        async for episodes, ended in self._batches(items):
            batch = await self._receive(episodes)
            error = batch.error or ended
            heard = await self._hear(batch.episodes)
            yield replace(batch, heard=heard, error=error)
            if error is not None:
                return

    async def _batches(self, items: Items) -> AsyncGenerator[tuple[dict[int, Episode], Exception | None], None]:
        """Episodes by number, as many as are a batch; with the last, the error that ended the stream."""
        waiting: dict[int, Episode] = {}
        number = size = 0
        try:
            async for item in each(items):
                number += 1
                with numbered("item", number):
                    episode = self._episode(item)
                    await self.pipeline.check(episode)
                waiting[number] = episode
                size += len(episode.text)
                if len(waiting) == self.batch or size >= _LONG:
                    yield waiting, None
                    waiting, size = {}, 0
        except Exception as error:
            yield waiting, error
            return
        if waiting:
            yield waiting, None

    def _episode(self, item: object) -> Episode:
        content, details = parts_of(item)
        return read_episode(self.pipeline.tenant, content, {**self.shared, **details}, self.zone, self.clock)

    async def _receive(self, wanted: Mapping[int, Episode]) -> _Batch:
        """All made durable in one transaction; those that were there already are left out."""
        if not wanted:
            return _Batch(0, {})
        episodes = list(wanted.values())
        statuses = await self.pipeline.write(lambda tx: receive_many(tx, episodes))
        fresh: dict[str, tuple[int, Episode]] = {}
        for (number, episode), status in zip(wanted.items(), statuses, strict=False):
            if isinstance(status, HithertoError):
                return _Batch(len(statuses) - 1, dict(fresh.values()), error=with_number("item", number, status))
            if status is not WriteStatus.DUPLICATE:
                fresh.setdefault(episode.id, (number, episode))
        return _Batch(len(wanted), dict(fresh.values()))

    async def _hear(self, episodes: Mapping[int, Episode]) -> list[Heard] | None:
        try:
            return await self.pipeline.hear(list(episodes.values()))
        except Exception:
            return None  # read one by one, it shows which one is to blame

    async def _write(self, batch: _Batch) -> Loaded:
        settle, count = self.pipeline.settle, self.pipeline.count
        if not batch.episodes:
            return Loaded(WriteStatus.DUPLICATE)
        if batch.heard is not None:
            try:
                return await settle(list(batch.episodes.values()), batch.heard, count)
            except (Invalid, Conflict):
                pass
        total = Loaded(WriteStatus.DUPLICATE)
        for number, episode in batch.episodes.items():
            with numbered("item", number):
                loaded = await settle([episode], (), count)
            total = Loaded(
                loaded.status, total.added + loaded.added, total.superseded + loaded.superseded, loaded.tx
            )
        return total


def parts_of(item: object) -> tuple[str | Message | Sequence[Message], Details]:
    """An item's content and its details. Raises ``Invalid`` for what is neither text, messages nor a mapping with
    ``content``."""
    if isinstance(item, str) or (isinstance(item, Sequence) and not isinstance(item, bytes)):
        return item, {}
    if not isinstance(item, Mapping):
        raise Invalid(f"an episode is text, messages or a mapping with content, not {type(item).__name__}")
    if is_record(item) and not item.keys() <= _DETAILS:
        return item, {}
    details = {str(name): value for name, value in item.items() if name in _DETAILS and value is not None}
    said = {name: value for name, value in item.items() if name not in _DETAILS}
    content = said.get("content")
    whole = isinstance(content, Mapping | list | tuple) or (isinstance(content, str) and "mapping" in details)
    if whole and len(said) == 1:
        return cast(Item, content), cast(Details, details)
    return said, cast(Details, details)
