"""Hits with their explanations: looked up for those that are shown, when somebody asks why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo

from ..kg.model import Claim, Episode
from ..kg.store import Point, Store
from .explanations import Evidence, Explanation
from .fetching import episodes_by_id
from .people import speaker_of
from .results import EpisodeHit, FactHit, Hit


async def explained_hits(store: Store, point: Point, hits: Sequence[Hit], zone: tzinfo) -> tuple[Hit, ...]:
    """The same hits, each with what it owes its place to, and the messages it rests on."""
    ids = {c.episode_id for h in hits if isinstance(h, FactHit) for c in h.belief.evidence}
    episodes = await episodes_by_id(store, point, ids)
    return tuple(_explained(hit, episodes, zone) for hit in hits)


def _explained(hit: Hit, episodes: Mapping[str, Episode], zone: tzinfo) -> Hit:
    plain = Explanation(score=hit.score, legs=hit.legs, factors=hit.factors, zone=zone)
    if isinstance(hit, FactHit):
        belief = hit.belief
        fact = replace(
            plain,
            valid_from=belief.valid_from,
            valid_to=belief.valid_to,
            confidence=belief.confidence,
            evidence=tuple(_evidence(claim, episodes.get(claim.episode_id)) for claim in belief.evidence),
        )
        return replace(hit, explanation=fact)
    if isinstance(hit, EpisodeHit):
        return replace(hit, explanation=replace(plain, evidence=(_itself(hit),)))
    return replace(hit, explanation=plain)


def _evidence(claim: Claim, episode: Episode | None) -> Evidence:
    """``episode`` None: it was taken back."""
    return Evidence(
        quote=claim.quote,
        start=claim.quote_start,
        end=claim.quote_end,
        episode_id=claim.episode_id,
        occurred_at=episode.occurred_at if episode else claim.stated_at,
        actor=speaker_of(episode, claim.quote_start) if episode else None,
        session=episode.session if episode else None,
        source=episode.source if episode else "",
        says=claim.says,
        confidence=claim.confidence,
        extractor=claim.extractor,
    )


def _itself(hit: EpisodeHit) -> Evidence:
    episode, passage = hit.episode, hit.passage
    return Evidence(
        quote=hit.quote,
        start=passage.start if passage else 0,
        end=passage.end if passage else len(episode.text),
        episode_id=episode.id,
        occurred_at=episode.occurred_at,
        actor=episode.actor,
        session=episode.session,
        source=episode.source,
        says=None,
        confidence=1.0,
        extractor="",
    )
