"""Whether what is stored still fits together: quotes with the words they are from, beliefs with their claims."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from .kg.model import Belief, Claim, Episode, Modality
from .kg.ontology import Ontology
from .kg.slots import claim_slot, fact_slot, slot_rule
from .kg.store import EpisodeFilter, FactFilter, Point, Store
from .query.fetching import chunks, episodes_by_id, every, every_belief
from .temporal.claims import Period
from .temporal.resolution import resolve

_CHUNK: Final = 200


@dataclass(frozen=True, slots=True)
class Rot:
    """Something stored that is not as it was written. ``kind``: "quote" (it is not what the episode says at its
    place), "episode" (a claim's episode is not there) or "period" (what is believed is not what the claims say).
    ``id``: of the claim, or of the slot's first fact."""

    kind: str
    id: str
    reason: str

    def __str__(self) -> str:
        return f"{self.kind} · {self.reason} · {self.id}"


@dataclass(frozen=True, slots=True)
class Reconciled:
    """How many claims and slots were looked at, and what is wrong with them."""

    claims: int = 0
    slots: int = 0
    rot: tuple[Rot, ...] = ()


@dataclass(frozen=True, slots=True)
class Reconciler:
    """``point``: all valid times, as known at the last commit."""

    store: Store
    point: Point
    ontology: Ontology

    async def check(self, held: Collection[Belief], sample: int, seed: int) -> Reconciled:
        """Re-check the slots of ``sample`` of the beliefs ``held``, and those that ``sample`` episodes speak
        about: the first show what is believed without claims, the second what is claimed and not believed."""
        lot = random.Random(seed)
        ordered = sorted(held, key=lambda b: b.id)
        chosen = lot.sample(ordered, min(sample, len(ordered)))
        slots = {fact_slot(self.point.tenant, self.ontology, b.fact): b.fact.predicate for b in chosen}
        facts = {b.fact.id for b in chosen}
        for claim in await self._claims_of_some(lot, sample):
            slots[claim_slot(self.point.tenant, self.ontology, claim)] = claim.predicate
        rot: list[Rot] = []
        claims = 0
        for keys in chunks(sorted(slots), _CHUNK):
            some = {key: slots[key] for key in keys}
            said = await self.store.slot_claims(self.point, some)
            claims += sum(map(len, said.values()))
            rot += await self._quotes(claim for key in some for claim in said.get(key, ()))
            rot += await self._periods(some, said, facts)
        return Reconciled(claims, len(slots), tuple(rot))

    async def _claims_of_some(self, lot: random.Random, sample: int) -> list[Claim]:
        """Of so many episodes, each as likely as any other."""
        kept: list[str] = []
        seen = 0
        if sample:
            async for episode in every(partial(self.store.episodes, self.point, EpisodeFilter())):
                seen += 1
                if len(kept) < sample:
                    kept.append(episode.id)
                elif (place := lot.randrange(seen)) < sample:
                    kept[place] = episode.id
        claims: list[Claim] = []
        for some in chunks(kept, _CHUNK):
            said = await self.store.episode_claims(self.point, some)
            claims += [claim for found_ in said.values() for claim in found_]
        return claims

    async def _quotes(self, claims: Iterable[Claim]) -> list[Rot]:
        said = list(claims)
        episodes = await episodes_by_id(self.store, self.point, {c.episode_id for c in said})
        return [rot for claim in said if (rot := _quote_rot(claim, episodes.get(claim.episode_id))) is not None]

    async def _periods(
        self, slots: Mapping[str, str], said: Mapping[str, Sequence[Claim]], facts: Collection[str]
    ) -> list[Rot]:
        concerned = {claim.fact for claims in said.values() for claim in claims} | set(facts)
        stored: dict[str, set[Period]] = {}
        texts: dict[str, str] = {}
        for belief in await every_belief(self.store, self.point, FactFilter(fact_ids=concerned)):
            key = fact_slot(self.point.tenant, self.ontology, belief.fact)
            stored.setdefault(key, set()).add(Period(belief.fact.id, belief.valid_from, belief.valid_to))
            texts[belief.fact.id] = belief.fact.text
        rot: list[Rot] = []
        for key, predicate in slots.items():
            heard = [c for c in said.get(key, ()) if c.modality is Modality.ASSERTED]
            meant = set(resolve(heard, slot_rule(self.ontology, predicate)))
            there = stored.get(key, set())
            rot += [_period_rot("is believed, and no claim says so", p, texts) for p in _sorted(there - meant)]
            rot += [_period_rot("is claimed, and not believed", p, texts) for p in _sorted(meant - there)]
        return rot


def _quote_rot(claim: Claim, episode: Episode | None) -> Rot | None:
    if episode is None:
        return Rot("episode", claim.id, f"episode {claim.episode_id!r} of a claim is missing")
    words = episode.text[claim.quote_start : claim.quote_end]
    if words == claim.quote:
        return None
    place = f"{claim.quote_start}:{claim.quote_end}"
    return Rot(
        "quote", claim.id, f"episode {episode.id!r} says {words[:60]!r} at {place}, not {claim.quote[:60]!r}"
    )


def _sorted(periods: Iterable[Period]) -> list[Period]:
    return sorted(periods, key=lambda p: (p.fact, repr(p.valid_from)))


def _period_rot(reason: str, period: Period, texts: Mapping[str, str]) -> Rot:
    ends = [bound.at.date().isoformat() if bound else "…" for bound in (period.valid_from, period.valid_to)]
    return Rot("period", period.fact, f"{texts.get(period.fact, 'a fact')}, {' to '.join(ends)}, {reason}")
