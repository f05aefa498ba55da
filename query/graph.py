"""Looking along the graph: personalised PageRank over what is some hops around the entities of a question.

A walker starts at one of these entities, follows facts from entity to entity, likelier those that say something
of what is asked, and after each step begins anew with probability ``RESTART``; so what is further away weighs less
with every hop. Where he is in the long run is PageRank (Page, Brin, Motwani and Winograd, Stanford 1999), with the
restart at the topic (Haveliwala, WWW 2002); a fact's score is how often he follows it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kg.ids import entity_key, value_key
from ..kg.model import Belief, Entity
from ..kg.ontology import SAME_AS
from ..kg.store import FactFilter, Match, Page, Point, Store
from ..kg.text import cut

RESTART: Final = 0.5
"""A hop halves what is left: questions of several hops go two or three far, not ten."""
_TOLERANCE: Final = 1e-10
_MOST_STEPS: Final = 100
_HOPS: Final = 3
_FACTS: Final = 160
"""Facts read in all."""
_NEAR: Final = 100
"""Facts read of the first hop."""
_ENOUGH: Final = 60
"""With so many facts no further hop is read."""
_FAN: Final = 12
"""Entities from which a further hop is read: those that the likeliest facts lead to."""
_ASKED: Final = 3.0
"""How much more often a fact is followed that has the wanted predicate, and one that has all words asked for."""
_DIGITS: Final = 9

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Path:
    """What a walk follows: from one side of a fact to the other, either way."""

    fact_id: str
    sides: tuple[str, str]
    weight: float


@dataclass(frozen=True, slots=True)
class Walk:
    """The facts that were reached, and how often each is followed."""

    beliefs: tuple[Belief, ...] = ()
    facts: Mapping[str, float] = field(default_factory=dict)


def pagerank(paths: Sequence[Path], seeds: Mapping[str, float], restart: float = RESTART) -> dict[str, float]:
    """The share of time spent at each node by a walk that begins anew at the seeds (in the measure of their
    weights) with probability ``restart``, and always from where no path leads on. The shares sum to 1; by power
    iteration, to within 1e-9. Empty without a seed that weighs something."""
    nodes = sorted({*seeds, *(side for path in paths for side in path.sides)})
    places = {node: place for place, node in enumerate(nodes)}
    start: Numbers = np.zeros(len(nodes))
    for node, weight in seeds.items():
        start[places[node]] = max(weight, 0.0)
    if not start.sum():
        return {}
    start /= start.sum()
    one, other, weights = _columns(paths, places)
    leaving = _leaving(one, other, weights, len(nodes))
    stuck = leaving == 0
    at = start
    for _ in range(_MOST_STEPS):
        flow = np.divide(at, leaving, out=np.zeros_like(at), where=~stuck)
        back = np.where(one == other, 0.0, weights * flow[other])
        moved = _sums(other, weights * flow[one], len(nodes)) + _sums(one, back, len(nodes))
        then = (1 - restart) * (moved + at[stuck].sum() * start) + restart * start
        done = np.abs(then - at).sum() < _TOLERANCE
        at = then
        if done:
            break
    return dict(zip(nodes, at.tolist(), strict=True))


def followed(paths: Sequence[Path], shares: Mapping[str, float]) -> dict[str, float]:
    """How often a walk at these nodes in these shares of its time takes each fact, from either side."""
    leaving: dict[str, float] = {}
    for path in paths:
        for side in set(path.sides):
            leaving[side] = leaving.get(side, 0.0) + path.weight
    return {
        path.fact_id: round(
            sum(path.weight * shares.get(side, 0.0) / leaving[side] for side in set(path.sides)), _DIGITS
        )
        for path in paths
        if path.weight > 0
    }


def _columns(
    paths: Sequence[Path], places: Mapping[str, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], Numbers]:
    one = np.array([places[p.sides[0]] for p in paths], dtype=np.int64)
    other = np.array([places[p.sides[1]] for p in paths], dtype=np.int64)
    return one, other, np.array([p.weight for p in paths], dtype=np.float64)


def _leaving(one: NDArray[np.int64], other: NDArray[np.int64], weights: Numbers, nodes: int) -> Numbers:
    """The weight of the paths at each node; one that leads back to its node counts once."""
    back = np.where(one == other, 0.0, weights)
    return _sums(one, weights, nodes) + _sums(other, back, nodes)


def _sums(places: NDArray[np.int64], weights: Numbers, nodes: int) -> Numbers:
    return np.bincount(places, weights, nodes).astype(np.float64)


async def walk(
    store: Store, point: Point, seeds: Sequence[Entity], words: Collection[str], predicates: Collection[str]
) -> Walk:
    """Along the facts that show at the point, from the ``seeds`` (the likelier first), up to three hops and 160
    facts far; ``words`` and ``predicates`` are what is asked for."""
    found: dict[str, Belief] = {}
    paths: dict[str, Path] = {}
    seen: set[str] = set()
    frontier = [seed.id for seed in seeds]
    for hop in range(_HOPS):
        most = _NEAR if hop == 0 else _FACTS - len(found)
        for belief in await _around(store, point, frontier, predicates if hop else (), most):
            if belief.fact.predicate != SAME_AS and belief.fact.id not in found:
                found[belief.fact.id] = belief
                paths[belief.fact.id] = path_of(belief, words, predicates)
        seen.update(frontier)
        frontier = _next(found.values(), paths, seen)
        if not frontier or len(found) >= (_FACTS if hop == 0 else _ENOUGH):
            break
    ordered = sorted(paths.values(), key=lambda p: p.fact_id)
    weights = {entity_key(seed.id): 1 / (1 + place) for place, seed in reversed(list(enumerate(seeds)))}
    return Walk(tuple(found.values()), followed(ordered, pagerank(ordered, weights)))


async def _around(
    store: Store, point: Point, entities: Sequence[str], predicates: Collection[str], most: int
) -> list[Belief]:
    """Facts about these, those of the predicates first: somebody whom all know has more than are read."""
    wheres = [FactFilter(touching=entities, predicates=predicates, archived=False)] if predicates else []
    wheres.append(FactFilter(touching=entities, archived=False))
    found = await asyncio.gather(*(store.beliefs(point, where, Page(limit=most)) for where in wheres))
    return list({b.id: b for rows in found for b in rows.items}.values())[:most]


def path_of(belief: Belief, words: Collection[str], predicates: Collection[str]) -> Path:
    fact = belief.fact
    object_ = entity_key(fact.object.id) if isinstance(fact.object, Entity) else value_key(fact.object.text)
    asked = set(words)
    share = len(asked.intersection(cut(fact.text))) / len(asked) if asked else 0.0
    weight = 1.0 + _ASKED * (fact.predicate in predicates) + _ASKED * share
    return Path(fact.id, (entity_key(fact.subject.id), object_), weight)


def _next(beliefs: Collection[Belief], paths: Mapping[str, Path], seen: Collection[str]) -> list[str]:
    """The entities that were not yet gone on from, those that the heaviest paths lead to first."""
    best: dict[str, float] = {}
    for belief in beliefs:
        for side in belief.fact.entities:
            if side.id not in seen:
                best[side.id] = max(best.get(side.id, 0.0), paths[belief.fact.id].weight)
    return sorted(best, key=lambda id_: (-best[id_], id_))[:_FAN]


def fact_matches(walked: Walk, order: Sequence[Match], most: int) -> list[Match]:
    """The facts by how often they are followed; equal ones as in ``order``."""
    places = {match.id: place for place, match in enumerate(order)}
    facts = sorted(walked.facts, key=lambda id_: (-walked.facts[id_], places.get(id_, len(places)), id_))
    return [Match(id_, walked.facts[id_]) for id_ in facts[:most]]


def chained(walked: Walk, seeds: Collection[str], predicates: Sequence[str]) -> list[Match]:
    """Facts of a wanted predicate about whom a fact of another wanted one leads to: where a friend works, of
    "where does Ann's friend work"."""
    wanted = [b for b in walked.beliefs if b.fact.predicate in predicates]
    near = [(b.fact.predicate, _entities(b)) for b in wanted if not _entities(b).isdisjoint(seeds)]
    reached = {(predicate, id_) for predicate, sides in near for id_ in sides - set(seeds)}
    links = [
        b.fact.id
        for b in wanted
        if _entities(b).isdisjoint(seeds)
        and any(predicate != b.fact.predicate and id_ in _entities(b) for predicate, id_ in reached)
    ]
    best = sorted(set(links), key=lambda id_: (-walked.facts.get(id_, 0.0), id_))
    return [Match(id_, walked.facts.get(id_, 0.0)) for id_ in best]


def _entities(belief: Belief) -> set[str]:
    return {side.id for side in belief.fact.entities}


def episode_matches(walked: Walk, most: int) -> list[Match]:
    """The episodes that say what was reached: each by the sum of its facts' scores, each fact's shared among the
    episodes that say it (as passages get their phrases' in HippoRAG, Gutiérrez et al., NeurIPS 2024)."""
    scores: dict[str, float] = {}
    for belief in walked.beliefs:
        said = sorted({claim.episode_id for claim in belief.evidence})
        for id_ in said:
            scores[id_] = scores.get(id_, 0.0) + walked.facts.get(belief.fact.id, 0.0) / len(said)
    best = sorted(scores, key=lambda id_: (-scores[id_], id_))[:most]
    return [Match(id_, round(scores[id_], _DIGITS)) for id_ in best]
