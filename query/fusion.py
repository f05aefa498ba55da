"""Making one ranking of what the legs found. Pure.

By scores (each leg's, as a share of its best: CombSUM with max norm, Fox and Shaw, TREC-2 1993) or by ranks
(weighted reciprocal rank fusion, Cormack, Clarke and Büttcher, SIGIR 2009).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ..kg.store import Match, Target
from ..temporal.errors import Invalid
from .explanations import LegRank

_K: Final = 20
"""How little the first ranks of one leg weigh against being found by several. The paper has 60; with legs of so
unlike strength that puts what two legs found late above what the best one found first."""


class Fusion(StrEnum):
    """How legs are made one ranking."""

    SCORES = "scores"
    """A finding counts by its score as a share of the leg's best: one that stands out stays out."""
    RANKS = "ranks"
    """A finding counts by its place alone."""


def fusion_of(name: Fusion | str) -> Fusion:
    """Raises ``Invalid`` for a name that is none."""
    if name not in tuple(Fusion):
        raise Invalid(f"fusion={name!r} is none; use {', '.join(Fusion)}")
    return Fusion(name)


ORDER: Final = {Target.FACT: 0, Target.EPISODE: 1, Target.ENTITY: 2}
"""Of hits with equal scores."""


@dataclass(frozen=True, slots=True)
class Leg:
    """What one way of looking found, best first."""

    name: str
    target: Target
    weight: float
    matches: tuple[Match, ...]
    scored: bool = True
    """Whether the scores say how much better one finding is than another; else only its place counts."""


@dataclass(frozen=True, slots=True)
class Fused:
    target: Target
    id: str
    score: float
    legs: tuple[LegRank, ...]


def fuse(legs: Iterable[Leg], by: Fusion = Fusion.SCORES) -> list[Fused]:
    """Everything found, best first. By ranks, a score is the sum over legs of ``weight / (20 + rank)``; by scores,
    of ``weight / 21 * score / best score``, so that each leg's first weighs the same either way. Equal scores are
    ordered facts, episodes, entities, then by id, so the same findings always give the same order."""
    ranks: dict[tuple[Target, str], list[LegRank]] = defaultdict(list)
    scores: dict[tuple[Target, str], float] = defaultdict(float)
    for leg in sorted(legs, key=lambda leg: leg.name):
        best = max((match.score for match in leg.matches), default=0.0)
        for rank, match in enumerate(_first_of_each(leg.matches), start=1):
            key = (leg.target, match.id)
            if by is Fusion.SCORES and leg.scored and best > 0:
                gives = leg.weight / (_K + 1) * max(match.score, 0.0) / best
            else:
                gives = leg.weight / (_K + rank)
            ranks[key].append(LegRank(leg.name, rank, match.score, gives))
            scores[key] += gives
    fused = [Fused(target, id_, scores[target, id_], tuple(found)) for (target, id_), found in ranks.items()]
    return sorted(fused, key=lambda f: (-f.score, ORDER[f.target], f.id))


def _first_of_each(matches: Iterable[Match]) -> Iterable[Match]:
    first: dict[str, Match] = {}
    for match in matches:
        first.setdefault(match.id, match)
    return first.values()
