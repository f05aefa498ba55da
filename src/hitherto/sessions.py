"""What a reading sees of an episode's session: the last few episodes before it. One that arrives late, or is taken
back, changes what the next ones' pronouns mean."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from .extraction.extractor import Reading
from .kg.model import READ, Episode, EpisodeStatus
from .kg.store import EpisodeFilter, Page, Point, Store

CONTEXT_EPISODES: Final = 8
"""How many earlier episodes of its session a reading sees."""

_STANDING: Final = datetime(9999, 12, 30, tzinfo=UTC)
"""As known then: what is stored now and not retracted."""


@dataclass(frozen=True, slots=True)
class Line:
    """Part of a session without gaps, in order of (occurred_at, id)."""

    episodes: tuple[Episode, ...]

    @classmethod
    def of(cls, episodes: Sequence[Episode]) -> Line:
        return cls(tuple(sorted({e.id: e for e in episodes}.values(), key=lambda e: (e.occurred_at, e.id))))

    def before(self, episode: Episode) -> tuple[Episode, ...]:
        """What its reading sees: those said earlier, not at the same time, oldest first."""
        end = bisect_left(self.episodes, episode.occurred_at, key=lambda e: e.occurred_at)
        return self.episodes[max(0, end - CONTEXT_EPISODES) : end]


def readings(touched: Sequence[Episode], lines: Sequence[Line], *, gone: bool = False) -> list[Reading]:
    """How the touched episodes are read, and after them, how those are that are read otherwise because of them.

    ``lines``: of their sessions, from ``lines_around``. ``gone``: the touched ones are no more.
    """
    ids = {e.id for e in touched}
    found: list[Reading] = []
    if not gone:
        line_of = {e.id: line for line in lines for e in line.episodes}
        for episode in touched:
            line = line_of.get(episode.id)
            reads = line is not None and episode.format in READ
            found.append(Reading(episode, line.before(episode) if line is not None and reads else ()))
    for line in lines:
        whole = Line.of([*line.episodes, *(e for e in touched if e.session == _session(line))])
        left = Line(tuple(e for e in whole.episodes if e.id not in ids)) if gone else whole
        found += [
            Reading(e, left.before(e))
            for e in whole.episodes
            if e.id not in ids
            and e.status is EpisodeStatus.DONE
            and e.format in READ
            and any(b.id in ids for b in whole.before(e))
        ]
    return found


def _session(line: Line) -> str | None:
    return line.episodes[0].session if line.episodes else None


async def lines_around(store: Store, tenant: str, touched: Sequence[Episode]) -> list[Line]:
    """The touched episodes' sessions, from what the first one's reading sees to the last that sees one of them."""
    by_session: defaultdict[str, list[Episode]] = defaultdict(list)
    for episode in touched:
        if episode.session is not None and episode.format in READ:
            by_session[episode.session].append(episode)
    return [await _line(store, tenant, session, found) for session, found in by_session.items()]


async def _line(store: Store, tenant: str, session: str, touched: Sequence[Episode]) -> Line:
    first, last = min(e.occurred_at for e in touched), max(e.occurred_at for e in touched)
    point, where = Point(tenant, None, _STANDING), EpisodeFilter(session=session, since=first)
    # One more than a reading sees: where an episode is gone, another one comes into sight.
    page = Page(limit=len(touched) + 2 * CONTEXT_EPISODES)
    found, more = await asyncio.gather(
        store.recent_episodes(point, session, first, CONTEXT_EPISODES + 1), store.episodes(point, where, page)
    )
    while True:
        found += more.items
        if more.cursor is None or _out_of_sight(found, last):
            return Line.of(found)
        more = await store.episodes(point, where, replace(page, cursor=more.cursor))


def _out_of_sight(found: Sequence[Episode], last: datetime) -> bool:
    """Whether nothing after these can see an episode of that time."""
    end = found[-1].occurred_at
    return sum(last < e.occurred_at < end for e in found) > CONTEXT_EPISODES
