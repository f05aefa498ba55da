"""Messages that tell different values of one slot: the one that holds goes first, the other says by which it was
replaced."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from ..kg.model import Claim, Modality
from ..kg.ontology import Ontology
from ..kg.store import FactFilter, Page, Point, Store
from ..temporal.errors import Invalid
from ..temporal.rules import Cardinality, PredicateKind
from .results import EpisodeHit, Hit, rescored

Slot = tuple[str, str]
"""A subject's id and a predicate with one value at a time."""

_MOST: Final = Page(limit=1_000)
_PLACED: Final = "put by what holds"
_HEARD: Final = (Modality.ASSERTED,)


async def settled_rivals(
    store: Store, point: Point, ontology: Ontology, hits: Sequence[Hit], *, in_order: bool
) -> list[Hit]:
    """The hits shown, with messages in conflict marked and, unless they are ``in_order``, put in order (see
    ``settle``). Two reads at most."""
    episodes = [hit.id for hit in hits if isinstance(hit, EpisodeHit)]
    if len(episodes) < 2:
        return list(hits)
    said = told(await store.episode_claims(replace(point, valid=None), episodes), ontology)
    disputed = {slot for slot, values in _values(said).items() if len(values) > 1}
    facts = {fact for values in said.values() for slot, fact in values.items() if slot in disputed}
    if not facts:
        return list(hits)
    holding = await store.beliefs(point, FactFilter(fact_ids=facts), _MOST)
    return settle(hits, said, {belief.fact.id for belief in holding.items}, in_order=in_order)


def told(claims: Mapping[str, Sequence[Claim]], ontology: Ontology) -> dict[str, dict[Slot, str]]:
    """The last value (a fact's id) that each message asserts for each slot."""
    return {
        episode: {
            (claim.subject_id, claim.predicate): claim.fact
            for claim in of_it
            if claim.supports and claim.modality in _HEARD and _one_at_a_time(claim.predicate, ontology)
        }
        for episode, of_it in claims.items()
    }


def settle(
    hits: Sequence[Hit], said: Mapping[str, Mapping[Slot, str]], holding: set[str], *, in_order: bool = False
) -> list[Hit]:
    """Where a shown message tells a value that holds, those that only tell other values of the slot stand below
    it and name it as ``superseded_by``. Two that change places keep the places' scores."""
    places = [n for n, hit in enumerate(hits) if isinstance(hit, EpisodeHit)]
    replaced: dict[str, str] = {}
    for episode in (hits[n].id for n in places):
        values = said.get(episode, {})
        if any(fact in holding for fact in values.values()):
            continue
        for slot in values:
            current = [hits[n].id for n in places if said.get(hits[n].id, {}).get(slot) in holding]
            if current:
                replaced.setdefault(episode, current[0])
    ordered = list(hits)
    for old, new in () if in_order else replaced.items():
        ordered = _below(ordered, old, new)
    return [
        replace(hit, superseded_by=replaced[hit.id]) if isinstance(hit, EpisodeHit) and hit.id in replaced else hit
        for hit in ordered
    ]


def _below(hits: list[Hit], old: str, new: str) -> list[Hit]:
    """The two exchanged, if the old one stands above the new one."""
    places = {hit.id: n for n, hit in enumerate(hits) if isinstance(hit, EpisodeHit)}
    above, below = places[old], places[new]
    if above < below:
        first, last = hits[above], hits[below]
        hits[above], hits[below] = rescored(last, first.score, _PLACED), rescored(first, last.score, _PLACED)
    return hits


def _values(said: Mapping[str, Mapping[Slot, str]]) -> dict[Slot, set[str]]:
    values: defaultdict[Slot, set[str]] = defaultdict(set)
    for slots in said.values():
        for slot, fact in slots.items():
            values[slot].add(fact)
    return values


def _one_at_a_time(predicate: str, ontology: Ontology) -> bool:
    try:
        rule = ontology.predicate(predicate).rule
    except Invalid:  # a closed ontology that no longer has it
        return False
    return rule.cardinality is Cardinality.ONE and rule.kind is PredicateKind.STATE
