"""Use and archive: how often facts were shown and used, and which are put aside; as values, and as stores' verbs.

An archived fact is believed as before. Ranked reads (``match_text``, ``nearest``, ``FactFilter(archived=False)``)
leave it out; all others tell it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .store import Page, Point, Slice


@dataclass(frozen=True, slots=True)
class Use:
    """What became of a fact so far: how often it was ``shown`` in answers, how often somebody said that it was
    ``used``, or that it was wrong and ``corrected``; and when it was last shown or used."""

    shown: int = 0
    used: int = 0
    corrected: int = 0
    last_at: datetime | None = None

    def __add__(self, other: Use) -> Use:
        last = max((at for at in (self.last_at, other.last_at) if at is not None), default=None)
        return Use(self.shown + other.shown, self.used + other.used, self.corrected + other.corrected, last)


@dataclass(frozen=True, slots=True)
class Archived:
    """A fact put aside over ``[archived_at, restored_at)`` of transaction time. ``policy``: which rule did it, or
    "by hand". ``digest``: the episode that sums the fact up with others; None where nothing does."""

    fact_id: str
    policy: str
    archived_at: datetime
    restored_at: datetime | None = None
    digest: str | None = None


class KeepingTransaction(Protocol):
    """The verbs of ``Transaction`` about use and archive."""

    async def put_uses(self, uses: Mapping[str, Use]) -> None:
        """Add to the counts of facts, by id; facts that are not there are passed over. What was counted before
        can be read back at any earlier ``known``."""
        ...

    @property
    def has_archive(self) -> bool:
        """Whether any fact of the tenant was ever archived; while not, ``restore`` and ``digests`` need not be
        asked."""
        ...

    async def archive(self, fact_ids: Collection[str], policy: str, digest: str | None = None) -> None:
        """Put facts aside from ``instant`` on; those that are aside already, or are not there, are passed over."""
        ...

    async def restore(self, fact_ids: Collection[str]) -> None:
        """Take facts back from ``instant`` on; those that are not aside are passed over."""
        ...

    async def digests(self, fact_ids: Collection[str]) -> Mapping[str, Collection[str]]:
        """The digests that sum up one of these facts or more, by the id of their episode: all facts that each
        sums up, also those taken back since."""
        ...


class KeepingStore(Protocol):
    """The reads of ``Store`` about use and archive."""

    async def uses(self, point: Point, fact_ids: Collection[str]) -> Mapping[str, Use]:
        """What became of facts up to ``point.known``; facts that never were shown or judged are missing."""
        ...

    async def archived(self, point: Point, page: Page, fact_ids: Collection[str] | None = None) -> Slice[Archived]:
        """The facts (None: all) aside at ``point.known``, by (archived_at, fact id). ``known`` None: every stretch
        in which one was aside."""
        ...
