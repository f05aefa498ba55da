"""The ways of looking: by words, by meaning, along the graph. Each filters inside the store."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ..kg.embedding import Vectors
from ..kg.model import Belief, Entity
from ..kg.store import FactFilter, Match, Page, Point, Store, Target
from .fusion import Leg
from .graph import Walk, chained, episode_matches, fact_matches, walk

MIN_SIMILARITY: Final = 0.2
"""Cosine under which a vector finding is chance; unrelated sentences stay under it with the default embedder."""

_WORDS_WEIGHT: Final = {Target.FACT: 1.0, Target.EPISODE: 0.8, Target.ENTITY: 0.2}
_MEANING_WEIGHT: Final = {Target.FACT: 0.6, Target.EPISODE: 0.55}
_ANSWER_WEIGHT: Final = 3.0
_GRAPH_WEIGHT: Final = {Target.FACT: 0.5, Target.EPISODE: 0.25}
_CHAIN_WEIGHT: Final = 1.0
"""Of a fact of a wanted predicate that another such fact leads to."""
_GUESSED: Final = 0.5
"""What is left of the weight of a walk from entities that the question does not name."""
_BEST: Final = 5
"""Of so many of the first facts found by words, and by meaning, the entities are where such a walk begins."""
_NAMED_WEIGHT: Final = 0.3


@dataclass(frozen=True, slots=True)
class Probe:
    """What the legs look for."""

    words: tuple[str, ...]
    """The question cut as texts are for full-text search."""
    fact_words: tuple[str, ...]
    """The same without names and times that were understood: those the graph leg and the instants look after, and
    an entity's name alone makes none of its facts an answer."""
    vector: Vectors | None
    gist: Vectors | None
    """The same for episodes: without the names of people, which make every message that greets them alike."""
    entities: tuple[Entity, ...]
    predicates: tuple[str, ...]
    depth: int
    """Findings wanted of each leg."""


async def run_legs(store: Store, point: Point, probe: Probe, kinds: Collection[Target]) -> list[Leg]:
    """All legs side by side; ``kinds`` says what may be found. The walk along the graph begins at the question's
    entities; where it names none, it comes last, from those of the best facts found."""
    looks = [_by_words(store, point, probe, kind) for kind in kinds]
    looks += [_by_meaning(store, point, probe, kind) for kind in kinds if kind in _MEANING_WEIGHT]
    if Target.FACT in kinds and probe.entities and probe.predicates:
        looks.append(_answers(store, point, probe))
    legs, walked = await asyncio.gather(asyncio.gather(*looks), _along_graph(store, point, probe, probe.entities))
    legs += _walked(walked, probe, kinds)
    if Target.ENTITY in kinds and probe.entities:
        named = tuple(Match(e.id, 1.0) for e in probe.entities)
        legs.append(Leg("entity:named", Target.ENTITY, _NAMED_WEIGHT, named, scored=False))
    if not probe.entities:
        seeds = await _guessed(store, point, legs)
        legs += _walked(await _along_graph(store, point, probe, seeds), probe, kinds, _GUESSED)
    return legs


async def _by_words(store: Store, point: Point, probe: Probe, kind: Target) -> Leg:
    words = probe.fact_words if kind is Target.FACT else probe.words
    found = await store.match_text(point, words, kind, probe.depth) if words else []
    return Leg(f"{kind}:words", kind, _WORDS_WEIGHT[kind], tuple(found))


async def _by_meaning(store: Store, point: Point, probe: Probe, kind: Target) -> Leg:
    vector = probe.gist if kind is Target.EPISODE else probe.vector
    found = [] if vector is None else await store.nearest(point, vector, kind, probe.depth)
    return Leg(f"{kind}:meaning", kind, _MEANING_WEIGHT[kind], tuple(settled(found)))


def settled(found: Iterable[Match]) -> list[Match]:
    """Without chance findings, and without the last digits of a cosine, which depend on how many vectors were
    multiplied at once: a view's answer must not change with what is written after it."""
    rounded = [Match(m.id, round(m.score, 5)) for m in found if m.score >= MIN_SIMILARITY]
    return sorted(rounded, key=lambda m: (-m.score, m.id))


async def _along_graph(store: Store, point: Point, probe: Probe, seeds: Sequence[Entity]) -> Walk:
    if not seeds:
        return Walk()
    return await walk(store, point, seeds, probe.fact_words, probe.predicates)


def _walked(walked: Walk, probe: Probe, kinds: Collection[Target], share: float = 1.0) -> list[Leg]:
    """What a walk found, of these kinds; equally likely facts as if they were next to the entities."""
    order = rank_facts(walked.beliefs, probe.entities, ())
    found = {
        Target.FACT: fact_matches(walked, order, probe.depth),
        Target.EPISODE: episode_matches(walked, probe.depth),
    }
    legs = [
        Leg(f"{kind}:graph", kind, share * _GRAPH_WEIGHT[kind], tuple(matches))
        for kind, matches in found.items()
        if kind in kinds and matches
    ]
    links = chained(walked, {e.id for e in probe.entities}, probe.predicates)
    if links and Target.FACT in kinds:
        legs.append(Leg("fact:chain", Target.FACT, _CHAIN_WEIGHT, tuple(links[: probe.depth]), scored=False))
    return legs


async def _guessed(store: Store, point: Point, legs: Iterable[Leg]) -> list[Entity]:
    """The entities of the best facts found, the likelier first."""
    best = [m.id for leg in legs if leg.target is Target.FACT for m in leg.matches[:_BEST]]
    if not best:
        return []
    rows = await store.beliefs(point, FactFilter(fact_ids=set(best), archived=False), Page(limit=2 * _BEST))
    sides = {b.fact.id: b.fact.entities for b in rows.items}
    entities = (side for id_ in best for side in sides.get(id_, ()))
    return list({e.id: e for e in entities}.values())[:_BEST]


async def _answers(store: Store, point: Point, probe: Probe) -> Leg:
    """Facts of a wanted predicate about a wanted entity."""
    where = FactFilter(touching=[e.id for e in probe.entities], predicates=probe.predicates, archived=False)
    beliefs = (await store.beliefs(point, where, Page(limit=probe.depth))).items
    ranked = rank_facts(beliefs, probe.entities, probe.predicates)
    return Leg("fact:answer", Target.FACT, _ANSWER_WEIGHT, tuple(ranked), scored=False)


def rank_facts(beliefs: Sequence[Belief], entities: Sequence[Entity], predicates: Sequence[str]) -> list[Match]:
    """Facts by how many of the entities they are about, then the likelier entity and predicate, then the period
    that began last. The score is the number of entities."""
    places = {e.id: n for n, e in enumerate(entities)}
    wanted = {p: n for n, p in enumerate(predicates)}

    def order(belief: Belief) -> tuple[int, int, int, float, str]:
        touched = _touched(belief, places)
        began = belief.valid_from.at if belief.valid_from else None
        return (
            -len(touched),
            min(touched, default=len(places)),
            wanted.get(belief.fact.predicate, len(wanted)),
            -_seconds(began),
            belief.fact.id,
        )

    return [Match(b.fact.id, float(len(_touched(b, places)))) for b in sorted(beliefs, key=order)]


def _touched(belief: Belief, places: dict[str, int]) -> set[int]:
    return {places[side.id] for side in belief.fact.entities if side.id in places}


def _seconds(moment: datetime | None) -> float:
    return float("-inf") if moment is None else moment.timestamp()
