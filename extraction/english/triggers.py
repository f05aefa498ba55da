"""The ontology's English triggers, ready to be looked up."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from ...kg.ontology import Ontology, Predicate
from ..sayings import Stance

_PREPOSITIONS = frozenset({"as", "at", "by", "from", "of", "with"})


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
    endings: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """The predicates that words end by themselves, what ends left out: "left", "dropped out", "was fired"."""
    changing: frozenset[str] = frozenset()
    """Verbs by which something begins or ends."""
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
        changes = [(key, t) for key, ts in found.verbs.items() for t in ts if t.stance is not Stance.HOLDS]
        found.changing = frozenset(lemma for (lemma, _), _ in changes)
        found.endings = found._endings()
        return found

    def _endings(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """Every way to say an end without its last preposition; a verb of going somewhere ("switch from") says
        nothing without it."""
        found: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        said = {(lemma, path): ts for (lemma, path), ts in self.verbs.items()}
        said |= {(first, f"{word} {path}".strip()): ts for (first, word, path), ts in self.adjectives.items()}
        for (lemma, path), triggers in said.items():
            words = path.split()
            rest = " ".join(words[:-1] if words and words[-1] in _PREPOSITIONS else words)
            onward = self.adjectives.get((lemma, rest, "to"), []) if rest else self.verbs.get((lemma, "to"), [])
            goes = any(t.stance is Stance.BEGINS for t in onward)
            for trigger in triggers:
                if trigger.stance is Stance.ENDS and not trigger.negated and not goes:
                    found[lemma, rest][trigger.predicate.name] = None
        return {key: tuple(names) for key, names in found.items()}

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

    def ended_by(self, first: str, rest: str) -> tuple[str, ...]:
        """The predicates that these words end by themselves; who "got fired" was fired."""
        found = self.endings.get((first, rest), ())
        return found or (self.endings.get(("be", rest), ()) if first == "get" else ())

    def behind(self, first: str, word: str, path: str) -> list[Trigger]:
        """The triggers "be (get, will) word path"."""
        return self.adjectives.get((first, word, path), [])
