"""Where the audit questions are answered from: a store's reads at the last commit, a page at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from .episodes import read_instant
from .kg.model import Belief, Claim, Episode
from .kg.slots import claim_slot, fact_slot
from .kg.store import BeliefChange, EpisodeFilter, FactFilter, Point, Store
from .query.fetching import episodes_by_id, every, every_belief, pages
from .query.view import View
from .temporal.instants import parse_stretch
from .temporal.intervals import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What an audit may be told; which of these it needs stands in ``AUDITS``. Times are texts as people write
    them: an instant, or a date for its first instant; ``until`` for its last: "2026-03" includes March."""

    valid: str | None = None
    known: str | None = None
    since: str | None = None
    until: str | None = None
    name: str | None = None
    episode: str | None = None


@dataclass(frozen=True, slots=True)
class Desk:
    """What an answer is made from. ``now``: as known at the last commit; ``ever``: all that was ever known."""

    view: View
    wanted: Wanted
    now: Point
    ever: Point
    messages: dict[str, Episode] = field(default_factory=dict)

    @property
    def store(self) -> Store:
        return self.view.store

    def when(self, name: str) -> datetime:
        return read_instant(getattr(self.wanted, name), self.view.zone, name)

    def stretch(self) -> Interval:
        """From ``since`` to the end of ``until``."""
        return parse_stretch(self.wanted.since, self.wanted.until, zone=self.view.zone)

    def slot(self, belief: Belief) -> str:
        return fact_slot(self.view.tenant, self.view.ontology, belief.fact)

    def claim_slot(self, claim: Claim) -> str:
        return claim_slot(self.view.tenant, self.view.ontology, claim)

    async def held(self) -> list[Belief]:
        """All that is believed now, of any valid time."""
        return await every_belief(self.store, self.now, FactFilter())

    async def episodes(self, point: Point) -> AsyncIterator[tuple[Episode, list[Claim]]]:
        """Every episode with its claims."""
        async for episodes in pages(partial(self.store.episodes, point, EpisodeFilter())):
            claims = await self.store.episode_claims(point, [e.id for e in episodes])
            for episode in episodes:
                yield episode, claims.get(episode.id, [])

    async def claims(self) -> AsyncIterator[tuple[Episode, Claim]]:
        """Every claim that stands, with its episode."""
        async for episode, claims in self.episodes(self.now):
            for claim in claims:
                yield episode, claim

    async def read_messages(self, ids: Iterable[str]) -> None:
        """Have these episodes in ``messages``, retracted ones included."""
        self.messages.update(await episodes_by_id(self.store, self.ever, set(ids) - self.messages.keys()))

    async def changes(self, stretch: Interval, where: FactFilter | None = None) -> list[BeliefChange]:
        read = partial(self.store.changes, self.ever, where or FactFilter(), stretch)
        return [change async for change in every(read)]

    async def because(self, changes: Collection[BeliefChange]) -> Mapping[tuple[str, datetime], list[Claim]]:
        """The claims that came or went in each change's slot at its instant."""
        moved: defaultdict[tuple[str, datetime], list[Claim]] = defaultdict(list)
        if changes:
            slots, moments = {c.slot for c in changes}, {c.at for c in changes}
            for slot, claims in (await self.store.slot_claims(self.ever, slots, moments)).items():
                for claim in claims:
                    for at in instants(claim):
                        moved[(slot, at)].append(claim)
            await self.read_messages(c.episode_id for claims in moved.values() for c in claims)
        return moved


def instants(claim: Claim) -> set[datetime]:
    return {at for at in (claim.recorded_at, claim.retracted_at) if at is not None}
