"""The ontology's English triggers, ready to be looked up."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..kg.ontology import Ontology, Predicate
from .sayings import Stance


@dataclass(frozen=True, slots=True)
class Trigger:
    predicate: Predicate
    stance: Stance
    negated: bool = False
    """The trigger itself says "not" ("not like")."""


@dataclass(slots=True)
class EnglishTriggers:
    """The ontology's English triggers, looked up by verb and path, noun, or word."""

    verbs: dict[tuple[str, str], list[Trigger]] = field(default_factory=dict)
    adjectives: dict[tuple[str, str, str], list[Trigger]] = field(default_factory=dict)
    possessed: dict[str, list[Predicate]] = field(default_factory=dict)
    titles: dict[str, list[Predicate]] = field(default_factory=dict)
    values: dict[str, list[Predicate]] = field(default_factory=dict)
    counting: dict[str, Predicate] = field(default_factory=dict)
    """What is said in numbers without a unit of its own, by name: counts, figures, ages."""
    measured: frozenset[str] = frozenset()
    """Nouns of measures."""

    @classmethod
    def of(cls, ontology: Ontology) -> EnglishTriggers:
        found = cls()
        found.counting = {p.name: p for p in ontology.predicates if p.literal in ("count", "age")}
        found.measured = frozenset(n for p in ontology.predicates if p.unit is not None for n in p.en.possessed)
        for predicate in (p for p in ontology.predicates if not p.in_figures):
            for stance in Stance:
                for words in getattr(predicate.en, stance.value):
                    found._add(words, predicate, stance)
            for noun in predicate.en.possessed:
                found.possessed.setdefault(noun, []).append(predicate)
            for noun in predicate.en.titles:
                found.titles.setdefault(noun, []).append(predicate)
            for word in predicate.en.values:
                found.values.setdefault(word, []).append(predicate)
        return found

    def _add(self, words: str, predicate: Predicate, stance: Stance) -> None:
        first, _, rest = words.partition(" ")
        negated = first == "not"
        if negated:
            first, _, rest = rest.partition(" ")
        trigger = Trigger(predicate, stance, negated)
        if first in ("be", "get", "will") and rest:
            word, _, path = rest.partition(" ")
            self.adjectives.setdefault((first, word, path), []).append(trigger)
        else:
            self.verbs.setdefault((first, rest), []).append(trigger)

    def behind(self, first: str, word: str, path: str) -> list[Trigger]:
        """The triggers "be (get, will) word path"."""
        return self.adjectives.get((first, word, path), [])
