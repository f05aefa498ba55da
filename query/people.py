"""Whom a pronoun can mean."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from ..kg.model import PERSON, Belief, Entity, Episode, Role
from ..kg.store import FactFilter, Page, Point, Store
from ..temporal.calendar import LAST_INSTANT

_BACK: Final = 8
"""Episodes looked back on."""
_MOST: Final = 3
"""People a pronoun can be taken for."""


async def people_spoken_of(
    store: Store, point: Point, session: str | None, asker: str | None = None
) -> list[Entity]:
    """The likeliest people that "he", "she", "他" can mean, best first: of the session's newest episode in which
    there are any (without a session, of the tenant's), those mentioned last, then its speakers. The ``asker`` is
    nobody else's "he"."""
    episodes = await store.recent_episodes(point, session, LAST_INSTANT, _BACK)
    actors = {actor for e in episodes for actor in speakers(e)} | ({asker} if asker else set())
    ever = replace(point, valid=None)
    known, facts = await asyncio.gather(
        store.find_entities(point, actors),
        store.beliefs(ever, FactFilter(episode_ids=[e.id for e in episodes]), Page(limit=500)),
    )
    not_meant = {e.id for e in known.get(asker or "", ())}
    for episode in reversed(episodes):
        spoke = [e for actor in speakers(episode) for e in known.get(actor, ())]
        silent = [p for p in mentioned(episode.id, facts.items) if p.id not in {s.id for s in spoke}]
        people = [p for p in _unique([*silent, *spoke]) if p.id not in not_meant]
        if people:
            return people[:_MOST]
    return []


async def last_speaker(store: Store, point: Point, session: str) -> str | None:
    """The actor who spoke last in a session: who "I" is when nobody says who asks."""
    for episode in reversed(await store.recent_episodes(point, session, LAST_INSTANT, _BACK)):
        if spoke := speakers(episode):
            return spoke[0]
    return None


def speakers(episode: Episode) -> list[str]:
    """The users who speak in an episode, the last first."""
    actors = [turn.actor or episode.actor for turn in reversed(episode.turns) if turn.role is Role.USER]
    return list(dict.fromkeys(actor for actor in actors if actor))


def speaker_of(episode: Episode, start: int) -> str | None:
    """Who says what stands at a place of an episode's text."""
    turn = next((t for t in episode.turns if t.start <= start < t.end), None)
    return (turn.actor if turn else None) or episode.actor


def mentioned(episode_id: str, beliefs: Iterable[Belief]) -> list[Entity]:
    """The people whom facts from an episode are about, the last mentioned first."""
    places: list[tuple[int, str, Entity]] = []
    for belief in beliefs:
        quoted = [c.quote_end for c in belief.evidence if c.episode_id == episode_id]
        places += [(max(quoted), e.id, e) for e in belief.fact.entities if quoted and e.kind == PERSON]
    return _unique([e for _, _, e in sorted(places, key=lambda p: (-p[0], p[1]))])


def _unique(entities: Sequence[Entity]) -> list[Entity]:
    return list({e.id: e for e in reversed(entities)}.values())[::-1]
