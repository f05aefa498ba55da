"""Who is no more, who was given away and who parted, in a parsed English sentence: "our dog Rex died in May",
"Laura and I split up"."""

from __future__ import annotations

from collections.abc import Iterator

from ...kg.ontology import Predicate
from ..kin import ANIMAL, LOSABLE, is_pair
from ..lexicon import Lexicon
from ..sayings import Polarity, Saying, Stance, Tense, Unsaid
from ..tokens import Token
from .clauses import SUBJECTS, Clause, Sentence
from .endings import ending_words
from .relations import Relations
from .sides import Match, Sides
from .triggers import EnglishTriggers

_PAST = frozenset({Tense.PAST, Tense.PERFECT})
_CONFIDENCE = 0.8


class Partings:
    """Reads the clauses of one sentence by which somebody is had no longer."""

    def __init__(
        self, sentence: Sentence, triggers: EnglishTriggers, lexicon: Lexicon, sides: Sides, relations: Relations
    ) -> None:
        self._sentence, self._triggers, self._lexicon = sentence, triggers, lexicon
        self._sides, self._relations = sides, relations

    def sayings(self, clause: Clause) -> Iterator[Saying]:
        """The ends that the clause tells; what a noun in it says besides ("our **dog** Rex") is over then."""
        if clause.polarity is not Polarity.POSITIVE or clause.phase is not None or clause.subject is None:
            return
        words, things = self._words(clause), self._sentence.children(clause.verb, "dobj", "dative")
        if clause.tense not in _PAST:
            yield from self._parted(clause)
        elif words in self._lexicon.gone["dies"] and not clause.passive:
            yield from self._lost(clause, clause.subject, LOSABLE)
            yield from self._unsaid(clause, clause.subject)
        elif words in self._lexicon.gone["lost"] and not clause.passive:
            for thing in things:
                yield from self._lost(clause, thing, LOSABLE)
        elif words in self._lexicon.gone["given"]:
            for thing in [clause.subject] if clause.passive else things:
                yield from self._lost(clause, thing, frozenset({ANIMAL}))
        else:
            yield from self._parted(clause)

    def _words(self, clause: Clause) -> str:
        """ "pass away", "put to sleep"."""
        verb = clause.verb
        behind = [
            t.lower for t in self._sentence.children(verb, "prt", "advmod") if t.lower in ("away", "up", "down")
        ]
        for prep in self._sentence.children(verb, "prep"):
            behind += [
                f"{prep.lower} {t.lower}" for t in self._sentence.children(prep, "pobj") if t.lower == "sleep"
            ]
        return " ".join([verb.lemma, *behind])

    def _lost(self, clause: Clause, token: Token, kinds: frozenset[str]) -> Iterator[Saying]:
        """The end of what the noun with a name says that they were to somebody."""
        for noun in (token, *self._sentence.children(token, "compound", "nmod", "appos")):
            named = self._relations.named(noun)
            for predicate in () if named is None else self._relations.of_noun(noun):
                if named is None or predicate.lasting or predicate.object not in kinds:
                    continue
                self._relations.over.add(noun.index)
                for name in named.names:
                    yield from self._end(clause, predicate, named.owner, name)

    def _unsaid(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """ "My dog is called Rex. **He died**"."""
        if subject.pos != "PROPN" and subject.lower not in ("he", "she"):
            return
        if self._sentence.children(subject, "poss", "appos"):
            return
        possessed = (p for found in self._triggers.possessed.values() for p in found)
        names = dict.fromkeys(p.name for p in possessed if p.object in LOSABLE and not p.lasting)
        yield from self._open_end(clause, subject, Unsaid(tuple(names), near=False, whom=True))

    def _parted(self, clause: Clause) -> Iterator[Saying]:
        """ "Laura and I **split up**": of two, the one from the other."""
        names = self._triggers.ended_by(*ending_words(self._sentence, clause))
        both = [t for s in self._sentence.children(clause.verb, *SUBJECTS) for t in self._sides.both(s)]
        if len(both) != 2 or not names:
            return
        one, other = both if both[0].lower == "i" else both[::-1] if both[1].lower == "i" else both
        known = {p.name: p for found in self._triggers.possessed.values() for p in found if is_pair(p)}
        between = [known[n] for n in names if n in known]
        for noun in (other, *self._sentence.children(other, "compound", "nmod")):
            paired = [p for p in self._relations.of_noun(noun) if is_pair(p)]
            named = self._relations.named(noun)
            if between and paired and named is not None:
                self._relations.over.add(noun.index)
                yield from self._end(clause, paired[0], one, named.names[0])
                return
            if between and paired and one.lower == "i":
                yield from self._open_end(clause, one, Unsaid((paired[0].name,), near=False))
                return
        if between and other.pos == "PROPN" and (one.lower == "i" or one.pos == "PROPN"):
            yield from self._end(clause, between[0], one, other)

    def _end(self, clause: Clause, predicate: Predicate, owner: Token, name: Token) -> Iterator[Saying]:
        found = self._sides.object(predicate, name, clause)
        match = Match(clause=clause, predicate=predicate, stance=Stance.ENDS, subject=owner, thing=name)
        yield from self._sides.say(match, found)

    def _open_end(self, clause: Clause, subject: Token, unsaid: Unsaid) -> Iterator[Saying]:
        predicate = Predicate(name=unsaid.predicates[0])
        match = Match(clause=clause, predicate=predicate, stance=Stance.ENDS, subject=subject, thing=clause.verb)
        yield from self._sides.say(match, unsaid, _CONFIDENCE)
