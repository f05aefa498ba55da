"""The order of the hits, once they are fetched. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ..kg.model import Entity
from ..kg.store import Target
from .results import FactHit, Hit, target_of, weighed

_BESIDE: Final = 0.5
"""What is left of the score of a fact about nobody the question is about."""
_ASIDE: Final = 0.1
"""What is left of the score of a fact that has nothing of what is asked: less than any message found by a word."""
NEARLY: Final = 0.33
NEARLY_NAMED: Final = 0.5
"""Cosine from which a fact that shares no word with a question may still be meant by it; the second where both
hold a name, which makes all that is said of somebody a little alike. Taken with the default embedder."""
_ORDER: Final = {Target.FACT: 0, Target.EPISODE: 1, Target.ENTITY: 2}


def rank_hits(hits: Iterable[Hit], entities: Sequence[Entity], *, nearly: float | None = None) -> list[Hit]:
    """Best first. Where the question is about somebody, facts about nobody of them lose half of their score; where
    it wants something of them (``nearly`` is a number), so do facts that are only about them, without a word of it
    and not as ``nearly`` its meaning. Equal scores are ordered facts, episodes, entities, and else as given."""
    ranked = [_beside(h) if isinstance(h, FactHit) and not _bears_on(h, entities) else h for h in hits]
    if nearly is not None:
        ranked = [_aside(h) if isinstance(h, FactHit) and not _has_of_it(h, nearly) else h for h in ranked]
    return sorted(ranked, key=lambda hit: (-hit.score, _ORDER[target_of(hit)]))


def _beside(hit: FactHit) -> FactHit:
    return weighed(hit, _BESIDE, "about nobody asked about")


def _aside(hit: FactHit) -> FactHit:
    return weighed(hit, _ASIDE, "has nothing of what is asked")


def _has_of_it(hit: FactHit, nearly: float) -> bool:
    """The wanted predicate, a word of the question that is no name, or nearly its meaning."""
    return any(
        rank.leg in ("fact:answer", "fact:words") or (rank.leg == "fact:meaning" and rank.score >= nearly)
        for rank in hit.legs
    )


def _bears_on(hit: FactHit, entities: Sequence[Entity]) -> bool:
    sides = (hit.belief.fact.subject, hit.belief.fact.object)
    return not entities or not {e.id for e in sides if isinstance(e, Entity)}.isdisjoint(e.id for e in entities)
