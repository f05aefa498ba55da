"""Weighted reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ..kg.store import Match, Target
from .results import LegRank

_K: Final = 20
"""How little the first ranks of one leg weigh against being found by several. The paper has 60; with legs of so
unlike strength that puts what two legs found late above what the best one found first."""

_ORDER: Final = {Target.FACT: 0, Target.EPISODE: 1, Target.ENTITY: 2}


@dataclass(frozen=True, slots=True)
class Leg:
    """What one way of looking found, best first."""

    name: str
    target: Target
    weight: float
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Fused:
    target: Target
    id: str
    score: float
    legs: tuple[LegRank, ...]


def fuse(legs: Iterable[Leg]) -> list[Fused]:
    """Everything found, best first: score is the sum over legs of ``weight / (20 + rank)``. Equal scores are
    ordered facts, episodes, entities, then by id, so the same findings always give the same order."""
    ranks: dict[tuple[Target, str], list[LegRank]] = defaultdict(list)
    scores: dict[tuple[Target, str], float] = defaultdict(float)
    for leg in sorted(legs, key=lambda leg: leg.name):
        for rank, match in enumerate(_first_of_each(leg.matches), start=1):
            key = (leg.target, match.id)
            ranks[key].append(LegRank(leg.name, rank, match.score))
            scores[key] += leg.weight / (_K + rank)
    fused = [Fused(target, id_, scores[target, id_], tuple(found)) for (target, id_), found in ranks.items()]
    return sorted(fused, key=lambda f: (-f.score, _ORDER[f.target], f.id))


def _first_of_each(matches: Iterable[Match]) -> Iterable[Match]:
    first: dict[str, Match] = {}
    for match in matches:
        first.setdefault(match.id, match)
    return first.values()
