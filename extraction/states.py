"""What changes about a person or a thing by degrees: its measures, and how grave an illness is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..kg.ontology import Ontology, Unit
from .ailments import CONDITION, regraded
from .chinese import measures as chinese_measures
from .chinese.measures import ChineseMeasures
from .english import ailments as english_ailments
from .english import measures as english_measures
from .english.clauses import Sentence
from .english.measures import MeasureTriggers
from .lexicon import Lexicon
from .measures import figures
from .sayings import Pronoun, Referent, Saying
from .tokens import Token, Word


@dataclass(frozen=True, slots=True)
class Thread:
    """What one turn's sentences leave for the next: what was measured last, and whether the speaker is the only
    one whose measures a note without an owner can be."""

    english: english_measures.Topic | None = None
    chinese: chinese_measures.Topic | None = None
    alone: bool = True


FRESH = Thread()


class States:
    """Reads the ontology's measures and illnesses."""

    def __init__(self, ontology: Ontology, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._english, self._chinese = MeasureTriggers.of(ontology), ChineseMeasures.of(ontology)
        self._units = {p.unit for p in ontology.predicates if p.unit is not None} - {Unit.NUMBER}
        self._ailing = tuple(p.name for p in ontology.predicates if p.object == CONDITION)

    def may_tell(self, text: str) -> bool:
        """Whether it has a figure with a unit that something is measured in."""
        return bool(self._units) and any(f.unit in self._units for f in figures(text))

    def english(self, tokens: Sequence[Token], text: str, thread: Thread) -> tuple[list[Saying], Thread]:
        sentence, alone = Sentence(tokens), self.is_alone(text, thread)
        found: list[Saying] = []
        topic = None
        if self._english.nouns:
            found, topic = english_measures.sayings(
                sentence, text, self._english, self._lexicon, thread.english, alone=alone
            )
        for predicate in self._ailing[:1]:
            found += english_ailments.sayings(sentence, text, predicate, self._lexicon)
        return found, Thread(english=topic, alone=alone)

    def chinese(
        self, words: Sequence[Word], text: str, thread: Thread, carried: Referent | None
    ) -> tuple[list[Saying], Thread]:
        """``carried``: whom the sentence before went on about."""
        alone = self.is_alone(text, thread)
        owner = Pronoun.SPEAKER if alone else carried
        found, topic = chinese_measures.sayings(words, text, self._chinese, self._lexicon, thread.chinese, owner)
        return found, Thread(chinese=topic, alone=alone)

    def is_alone(self, text: str, thread: Thread) -> bool:
        """Whether a note without an owner can only be about the speaker."""
        return thread.alone and self._lexicon.others.search(text) is None

    def completed(self, said: list[Saying], found: list[Saying]) -> list[Saying]:
        """What the triggers found with what was measured, which is no other figure besides."""
        values = {_bare(s) for s in found}
        kept = [s for s in said if s.predicate in self._ailing or _bare(s) not in values]
        over = [more for s in kept for more in regraded(s)]
        return sorted([*kept, *over, *found], key=lambda s: s.at)


def _bare(saying: Saying) -> str:
    return "".join(getattr(saying.object, "text", saying.predicate).split()).lower()
