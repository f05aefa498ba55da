"""Ends that leave out what ends, in a parsed English sentence: "joined Acme in 2022 and **left** in 2023"."""

from __future__ import annotations

from collections.abc import Iterator

from ...kg.model import Modality
from ...kg.ontology import Predicate
from ..lexicon import Lexicon
from ..sayings import Polarity, Saying, Stance, Tense, Unsaid
from ..tokens import Token
from .clauses import SUBJECTS, Clause, Sentence
from .sides import Match, Sides
from .triggers import EnglishTriggers

_NEUTRAL = frozenset({*SUBJECTS, "aux", "auxpass", "cc", "conj", "intj", "mark", "prt", "punct"})
_REASONS = frozenset({"after", "amid", "because", "due", "following"})
_PURPOSES = frozenset({"advcl", "xcomp"})
_OCCASIONS = frozenset({"leave", "drop"})
"""One also leaves a party, and drops a cup: not without a date, unless the same sentence says what is left."""
_CONFIDENCE = 0.8


class Endings:
    """Reads the clauses of one sentence that say of an end, and not of what."""

    def __init__(self, sentence: Sentence, triggers: EnglishTriggers, lexicon: Lexicon, sides: Sides) -> None:
        self._sentence, self._triggers, self._lexicon, self._sides = sentence, triggers, lexicon, sides

    def sayings(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """At most one: the end of what was said of ``subject`` before."""
        verb = clause.verb
        if clause.polarity is not Polarity.POSITIVE or clause.phase is not None:
            return
        first, rest = ending_words(self._sentence, clause)
        if rest.rpartition(" ")[2] in self._lexicon.announcements:
            return
        if rest and rest in self._lexicon.plans:
            rest = ""  # "cancelled **their subscription**"
        predicates = self._triggers.ended_by(first, rest)
        dates = [t for t in self._sentence.own(verb) if t.entity == "DATE"]
        undated = clause.tense is Tense.PRESENT and (not dates or clause.modality is not Modality.ASSERTED)
        usual = any(t.lower in self._lexicon.recurring for t in self._sentence.own(verb))
        if (
            not predicates
            or undated
            or usual
            or not all(self._fits(child, dates) for child in self._sentence.children(verb))
        ):
            return
        vague = not dates or any(t.lower in self._lexicon.weekdays for t in dates)
        match = Match(
            clause=clause, predicate=Predicate(name=predicates[0]), stance=Stance.ENDS, subject=subject, thing=verb
        )
        unsaid = Unsaid(predicates, near=verb.lemma in _OCCASIONS and vague)
        yield from self._sides.say(match, unsaid, _CONFIDENCE)

    def _fits(self, child: Token, dates: list[Token]) -> bool:
        """Whether a word below the verb leaves open that it ends what was said: "left **for lunch**" does not."""
        match child.dep:
            case "dobj":
                return child.lower == "it" or child.pos == "NOUN"
            case "prep":
                inner = self._sentence.children(child)
                return child.lower in _REASONS or all(t.entity == "DATE" for t in inner)
            case "npadvmod":
                return child.entity == "DATE"
            case "advmod":
                return child.entity == "DATE" or child.tag == "RP" or child.lower in self._lexicon.then
            case dep if dep in _PURPOSES:
                return bool(dates)
        return child.dep in _NEUTRAL


def ending_words(sentence: Sentence, clause: Clause) -> tuple[str, str]:
    """The verb and what belongs to it: ``("break", "up")``, ``("quit", "job")``, ``("be", "laid off")``."""
    verb = clause.verb
    behind = sentence.tokens[verb.index + 1 : verb.index + 2]
    rest = [t.lower for t in behind if t.dep in ("prt", "advmod") and t.head == verb.index and t.tag == "RP"]
    if clause.passive:
        auxiliary = sentence.child(verb, "auxpass")
        return "get" if auxiliary is not None and auxiliary.lemma == "get" else "be", " ".join([verb.lower, *rest])
    things = sentence.children(verb, "dobj")
    return verb.lemma, " ".join([*rest, *(t.lemma.lower() for t in things if t.pos != "PRON")])
