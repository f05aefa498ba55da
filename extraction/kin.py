"""What "my sister" is to me, by the ontology's nouns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..kg.model import PERSON
from ..kg.ontology import Ontology, Predicate
from ..temporal.rules import Cardinality
from .lexicon import Lexicon
from .sayings import Kin, Saying, Stance, Tense

ANIMAL = "Animal"
LOSABLE = frozenset({PERSON, ANIMAL})
"""Whom one had, and has no longer, when they are no more."""


def is_pair(predicate: Predicate) -> bool:
    """Whether it is between two people, each of whom is the other's only one."""
    one = predicate.cardinality is Cardinality.ONE
    return one and predicate.subject == predicate.object == PERSON and not predicate.inverse


@dataclass(frozen=True, slots=True)
class Relation:
    """The predicate between somebody and their kin. ``outward``: the owner is its subject."""

    predicate: Predicate
    outward: bool

    def saying(self, kin: Kin, beside: Saying) -> Saying:
        """That they are kin, said along with another saying about them."""
        return Saying(
            predicate=self.predicate.name,
            stance=Stance.HOLDS,
            subject=kin.owner if self.outward else kin,
            object=kin if self.outward else kin.owner,
            tense=Tense.PRESENT,
            lasting=self.predicate.lasting,
            at=beside.at,
            quote=beside.quote,
            confidence=beside.confidence,
        )


def relations(ontology: Ontology, lexicon: Lexicon) -> Mapping[str, Relation]:
    """The relation that each noun of kin states, of either language; none where one value holds at a time, which
    somebody without a name would take from somebody with one."""
    found: dict[str, Relation] = {}
    many = (p for p in ontology.predicates if p.rule.cardinality is Cardinality.MANY)
    people = [p for p in many if p.subject == p.object == "Person"]
    for predicate in people:
        titles, possessed = (
            (*predicate.en.titles, *predicate.zh.titles),
            (*predicate.en.possessed, *predicate.zh.possessed),
        )
        for nouns, outward in ((titles, False), (possessed, True)):
            for noun in nouns:
                kept = lexicon.kin.get(noun) or lexicon.chinese.kin.get(noun)
                if kept is not None:
                    found[kept] = Relation(predicate, outward)
    return found
