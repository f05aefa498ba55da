"""The order of the hits, once they are fetched. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from ..kg.ids import entity_id
from ..kg.model import Entity, Episode
from ..kg.store import Target
from .people import speakers
from .results import EntityHit, EpisodeHit, FactHit, Hit, target_of

_BESIDE: Final = {Target.FACT: 0.5, Target.EPISODE: 0.75}
"""What is left of the score of a hit about nobody the question is about. A fact says whom it is about; a message
may not."""
_ASIDE: Final = 0.1
"""What is left of the score of a fact that has nothing of what is asked: less than any message found by a word."""
NEARLY: Final = 0.33
NEARLY_NAMED: Final = 0.5
"""Cosine from which a fact that shares no word with a question may still be meant by it; the second where both
hold a name, which makes all that is said of somebody a little alike. Taken with the default embedder."""
_READ: Final = 20_000
"""Names are looked for this far into an episode."""
_ORDER: Final = {Target.FACT: 0, Target.EPISODE: 1, Target.ENTITY: 2}


def rank_hits(
    hits: Iterable[Hit], entities: Sequence[Entity], tenant: str, *, nearly: float | None = None
) -> list[Hit]:
    """Best first. Where the question is about somebody, hits about nobody of them lose part of their score; where
    it wants something of them (``nearly`` is a number), so do facts that are only about them, without a word of it
    and not as ``nearly`` its meaning. Equal scores are ordered facts, episodes, entities, and else as given."""
    weighed = [hit if not entities or _bears_on(hit, entities, tenant) else _beside(hit) for hit in hits]
    if nearly is not None:
        weighed = [_aside(h) if isinstance(h, FactHit) and not _has_of_it(h, nearly) else h for h in weighed]
    return sorted(weighed, key=lambda hit: (-hit.score, _ORDER[target_of(hit)]))


def _beside(hit: Hit) -> Hit:
    return replace(hit, score=hit.score * _BESIDE[target_of(hit)])


def _aside(hit: FactHit) -> FactHit:
    return replace(hit, score=hit.score * _ASIDE)


def _has_of_it(hit: FactHit, nearly: float) -> bool:
    """The wanted predicate, a word of the question that is no name, or nearly its meaning."""
    return any(
        rank.leg in ("fact:answer", "fact:words") or (rank.leg == "fact:meaning" and rank.score >= nearly)
        for rank in hit.legs
    )


def _bears_on(hit: Hit, entities: Sequence[Entity], tenant: str) -> bool:
    match hit:
        case EntityHit():
            return True
        case FactHit():
            sides = (hit.belief.fact.subject, hit.belief.fact.object)
            return not {e.id for e in sides if isinstance(e, Entity)}.isdisjoint(e.id for e in entities)
        case EpisodeHit():
            return _speaks_of(hit.episode, entities, tenant)


def _speaks_of(episode: Episode, entities: Sequence[Entity], tenant: str) -> bool:
    """One of them speaks in it, or it holds one of their names."""
    spoke = {entity_id(tenant, actor) for actor in speakers(episode)}
    text = episode.text[:_READ].casefold()
    return any(e.id in spoke or any(n.casefold() in text for n in (e.name, *e.aliases)) for e in entities)
