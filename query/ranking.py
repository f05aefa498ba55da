"""The order of the hits, once they are fetched. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from ..kg.model import Entity
from ..kg.text import cut
from .fusion import ORDER
from .results import FactHit, Hit, target_of, weighed
from .signals import Signals, with_signals

_BESIDE: Final = 0.5
"""What is left of the score of a fact about nobody the question is about."""
_ASIDE: Final = 0.1
"""What is left of the score of a fact that has nothing of what is asked: less than any message found by a word."""
NEARLY: Final = 0.33
NEARLY_NAMED: Final = 0.5
"""Cosine from which a fact that shares no word with a question may still be meant by it; the second where both
hold a name, which makes all that is said of somebody a little alike. Taken with the default embedder."""


def rank_hits(
    hits: Iterable[Hit],
    entities: Sequence[Entity],
    *,
    nearly: float | None = None,
    words: Collection[str] = (),
    signals: Signals | None = None,
) -> list[Hit]:
    """Best first. Where the question is about somebody, facts about nobody of them lose half of their score; where
    it wants something of them (``nearly`` is a number), so do facts that are only about them, without a word of it
    and not as ``nearly`` its meaning. ``signals`` then decide between hits that answer about as well. Equal scores
    are ordered facts, episodes, entities, and else as given."""
    given = list(hits)
    own = [h for h in given if isinstance(h, FactHit) and _is_about(h, entities)]
    rest = set(words).difference(*(cut(h.belief.fact.text) for h in own))
    ranked = [_beside(h) if isinstance(h, FactHit) and _is_beside(h, entities, rest) else h for h in given]
    if nearly is not None:
        ranked = [_aside(h) if isinstance(h, FactHit) and not _has_of_it(h, nearly) else h for h in ranked]
    if signals is not None:
        ranked = with_signals(ranked, signals)
    return sorted(ranked, key=lambda hit: (-hit.score, ORDER[target_of(hit)]))


def _beside(hit: FactHit) -> FactHit:
    return weighed(hit, _BESIDE, "about nobody asked about")


def _aside(hit: FactHit) -> FactHit:
    return weighed(hit, _ASIDE, "has nothing of what is asked")


def _has_of_it(hit: FactHit, nearly: float) -> bool:
    """The wanted predicate, a word of the question that is no name, or nearly its meaning."""
    return any(
        rank.leg in ("fact:answer", "fact:chain", "fact:words")
        or (rank.leg == "fact:meaning" and rank.score >= nearly)
        for rank in hit.legs
    )


def _is_beside(hit: FactHit, entities: Sequence[Entity], rest: Collection[str]) -> bool:
    """About nobody of them, unless a wanted fact leads to it, or the walk from them does and it has a word of the
    question that nothing about them has (``rest``)."""
    legs = {rank.leg for rank in hit.legs}
    if not entities or _is_about(hit, entities) or "fact:chain" in legs:
        return False
    return "fact:graph" not in legs or not any(word in rest for word in cut(hit.belief.fact.text))


def _is_about(hit: FactHit, entities: Sequence[Entity]) -> bool:
    sides = {side.id for side in hit.belief.fact.entities}
    return not sides.isdisjoint(e.id for e in entities)
