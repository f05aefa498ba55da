"""How much a fact matters, from what is known of it. Pure; how long ago it was told does not count."""

from __future__ import annotations

import math
from typing import Final

from .keeping import Use
from .model import Belief
from .ontology import Ontology

_CONFIDENCE: Final = 2.0
_SOURCES: Final = 0.5
_SHOWN: Final = 0.1
_USED: Final = 0.5
_CORRECTED: Final = 1.0
_EDGE: Final = 0.01
"""How near a prior comes to 0 and 1: use must be able to move every fact."""


def importance(prior: float, confidence: float, sources: int, use: Use | None = None) -> float:
    """Between 0 and 1. ``prior``: of the predicate (``Predicate.importance``); ``confidence``: of the belief, 0 to
    1; ``sources``: how many episodes assert it.

    A logistic model: log-odds of the prior, + 2 (confidence - 1), + .5 ln(sources), + .1 ln(1 + shown),
    + .5 ln(1 + used), - ln(1 + corrected). So a fact told, sure and used once by nobody has its predicate's
    importance; more of what speaks for it never lowers the score, more corrections never raise it.

    Raises nothing: numbers outside their range count as its nearest end.
    """
    use = use or Use()
    prior = min(max(prior, _EDGE), 1 - _EDGE)
    score = math.log(prior / (1 - prior))
    score += _CONFIDENCE * (min(max(confidence, 0.0), 1.0) - 1.0)
    score += _SOURCES * math.log(max(sources, 1))
    score += _SHOWN * math.log1p(max(use.shown, 0)) + _USED * math.log1p(max(use.used, 0))
    score -= _CORRECTED * math.log1p(max(use.corrected, 0))
    return 1 / (1 + math.exp(-score))


def importance_of(belief: Belief, ontology: Ontology, use: Use | None = None) -> float:
    """``importance`` of the fact of a belief, by the claims that the belief shows."""
    prior = ontology.importance_of(belief.fact.predicate)
    said = {c.episode_id for c in belief.evidence if c.supports}
    return importance(prior, belief.confidence, len(said), use)
