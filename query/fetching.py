"""Reads that take more than one page, and look-ups of more ids than one read takes well."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Final, TypeVar

from ..kg.model import Belief, Episode
from ..kg.store import EpisodeFilter, FactFilter, Page, Point, Slice, Store

T = TypeVar("T")

_MANY: Final = 1_000


async def pages(read: Callable[[Page], Awaitable[Slice[T]]]) -> AsyncIterator[tuple[T, ...]]:
    """The pages of a read, one after the other."""
    page = Page(limit=_MANY)
    while True:
        found = await read(page)
        yield found.items
        if found.cursor is None:
            return
        page = Page(_MANY, found.cursor)


async def every(read: Callable[[Page], Awaitable[Slice[T]]]) -> AsyncIterator[T]:
    """The items of all pages of a read, in its order."""
    async for items in pages(read):
        for item in items:
            yield item


async def every_belief(store: Store, point: Point, where: FactFilter) -> list[Belief]:
    """All pages of ``Store.beliefs`` in one."""
    return [belief async for belief in every(partial(store.beliefs, point, where))]


async def episodes_by_id(store: Store, point: Point, ids: Iterable[str]) -> dict[str, Episode]:
    """Those of these episodes that the point shows."""
    found: dict[str, Episode] = {}
    for some in chunks(sorted(set(ids))):
        rows = await store.episodes(point, EpisodeFilter(ids=some), Page(limit=len(some)))
        found |= {episode.id: episode for episode in rows.items}
    return found


def chunks(ids: Iterable[str], size: int = _MANY) -> Iterator[list[str]]:
    """The ids, so many at a time as one read takes well."""
    rest = iter(ids)
    while some := list(islice(rest, size)):
        yield some
