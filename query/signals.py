"""What speaks for a hit besides the question: each a factor around 1, so that it decides between hits that answer
about as well. Pure.

=================  ==========================================================  ======
signal             formula, with w its weight                                  w
=================  ==========================================================  ======
recency            1 - w + w * 2^(-age / 90 days), since it was said last       .02
importance         1 + w * (2i - 1), i from 0 to 1, .5 when nobody said        .2
confidence         1 - w + w * confidence                                      .2
source count       1 + w * (1 - 1/n), n episodes that say it                   .1
session proximity  1 + w for what was said in the session asked from           .1
=================  ==========================================================  ======

Recency fades as memory does (Ebbinghaus 1885; with importance beside relevance: Park et al., UIST 2023).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from .results import EntityHit, EpisodeHit, FactHit, Hit, weighed

_HALF_LIFE: Final = timedelta(days=90)
_RECENCY: Final = 0.02
"""On conversations of a year it moves little and helps little: what is asked for is seldom what was said last."""
_IMPORTANCE: Final = 0.2
_CONFIDENCE: Final = 0.2
_SOURCES: Final = 0.1
_SESSION: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """``importance``: from 0 to 1, by the id of a belief, fact, episode or entity. ``session``: from which the
    question is asked. ``now``: newer is better as seen from it; None where a date is asked for."""

    importance: Mapping[str, float] = field(default_factory=dict)
    session: str | None = None
    now: datetime | None = None


def with_signals(hits: Sequence[Hit], signals: Signals) -> list[Hit]:
    """The hits, in their order, with the scores that the signals leave them."""
    return [_with_factors(hit, _factors(hit, signals)) for hit in hits]


def _with_factors(hit: Hit, factors: Mapping[str, float]) -> Hit:
    for why, by in factors.items():
        if by != 1:
            hit = weighed(hit, by, why)
    return hit


def _factors(hit: Hit, signals: Signals) -> dict[str, float]:
    factors = {"importance": importance(_important(hit, signals.importance))}
    if isinstance(hit, FactHit):
        factors["confidence"] = confidence(hit.belief.confidence)
        factors["messages that say it"] = source_count(len({c.episode_id for c in hit.belief.evidence}))
    if isinstance(hit, EpisodeHit) and signals.session is not None and hit.episode.session == signals.session:
        factors["of this session"] = 1 + _SESSION
    said = _said(hit)
    if signals.now is not None and said is not None:
        factors["how recent it is"] = recency(max(signals.now - said, timedelta()))
    return factors


def recency(age: timedelta) -> float:
    return 1 - _RECENCY + _RECENCY * math.pow(0.5, age / _HALF_LIFE)


def importance(share: float) -> float:
    return 1 + _IMPORTANCE * (2 * min(max(share, 0.0), 1.0) - 1)


def confidence(share: float) -> float:
    return 1 - _CONFIDENCE + _CONFIDENCE * share


def source_count(episodes: int) -> float:
    return 1 + _SOURCES * (1 - 1 / max(episodes, 1))


def _important(hit: Hit, known: Mapping[str, float]) -> float:
    other = hit.belief.fact.id if isinstance(hit, FactHit) else hit.id
    return known.get(hit.id, known.get(other, 0.5))


def _said(hit: Hit) -> datetime | None:
    if isinstance(hit, EpisodeHit):
        return hit.episode.occurred_at
    if isinstance(hit, EntityHit):
        return None
    return max((claim.stated_at for claim in hit.belief.evidence), default=None)
