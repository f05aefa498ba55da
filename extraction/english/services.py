"""Services that most people use and few work for: what "I joined Netflix" says, and "I left Facebook"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..lexicon import Lexicon
from ..sayings import Polarity, Saying, Stance, Tense
from ..tokens import Token
from .clauses import Clause, Sentence
from .names import ORGANIZATION
from .sides import Match, Sides
from .triggers import EnglishTriggers, Trigger

_VERBS = frozenset({"join", "rejoin", "leave", "quit"})
_SPEAKERS = frozenset({"i", "we"})
_JOBS = frozenset(
    {"boss", "career", "colleague", "company", "coworker", "employee", "employer", "hire", "intern", "internship"}
    | {"interview", "job", "offer", "office", "position", "promotion", "role", "salary", "team", "work"}
)
"""In a sentence with one of these, a service is an employer."""


class Services:
    """Tells who uses a service from who works for it, in one sentence."""

    def __init__(self, sentence: Sentence, triggers: EnglishTriggers, lexicon: Lexicon, sides: Sides) -> None:
        self._sentence, self._triggers, self._lexicon, self._sides = sentence, triggers, lexicon, sides

    def meant(self, matches: Sequence[Trigger], clause: Clause, subject: Token, thing: Token) -> list[Trigger]:
        """The matches; where the speaker joins or leaves a service, that they subscribe to it, or use it."""
        used = self._use(clause, subject, thing)
        if used is None:
            return list(matches)
        uses = self._triggers.verbs.get(used, [])[:1]
        return [
            Trigger(u.predicate, t.stance) for t in matches if t.predicate.object == ORGANIZATION for u in uses
        ]

    def replaced(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """ "We **replaced** Salesforce **with** HubSpot": one is used no longer, the other is."""
        if clause.verb.lemma != "replace" or clause.passive or subject.entity == "PERSON":
            return
        new = [
            t
            for p in self._sentence.children(clause.verb, "prep")
            if p.lower in ("with", "by")
            for t in self._sentence.children(p, "pobj")
        ]
        old = self._sentence.children(clause.verb, "dobj")
        if not new or not old or not all(map(self._is_product, (*old, *new))):
            return
        for stance, things in ((Stance.ENDS, old), (Stance.BEGINS, new)):
            for thing in things:
                yield from self._used(clause, stance, subject, thing)

    def sold(self, clause: Clause) -> Iterator[Saying]:
        """ "I **sold** my Tesla": it is used no longer, besides."""
        done = clause.tense in (Tense.PAST, Tense.PERFECT) and clause.polarity is Polarity.POSITIVE
        if clause.verb.lemma != "sell" or clause.passive or clause.subject is None or not done:
            return
        for thing in self._sentence.children(clause.verb, "dobj"):
            mine = self._sentence.child(thing, "poss")
            if mine is not None and mine.lower in ("my", "our", "his", "her") and self._is_product(thing):
                yield from self._used(clause, Stance.ENDS, clause.subject, thing)

    def _is_product(self, token: Token) -> bool:
        return token.pos == "PROPN" and token.entity not in ("PERSON", "GPE", "LOC", "FAC")

    def _used(self, clause: Clause, stance: Stance, subject: Token, thing: Token) -> Iterator[Saying]:
        for trigger in self._triggers.verbs.get(("use", ""), [])[:1]:
            match = Match(clause=clause, predicate=trigger.predicate, stance=stance, subject=subject, thing=thing)
            found = self._sides.object(trigger.predicate, thing, clause)
            yield from self._sides.say(match, found)

    def _use(self, clause: Clause, subject: Token, thing: Token) -> tuple[str, str] | None:
        if clause.verb.lemma not in _VERBS or thing.dep not in ("dobj", "conj") or not self._is_near(subject):
            return None
        named = self._sides.phrases.name(thing)
        name = thing.text if named is None else named.mention.name
        if any(p.lower in ("as", "for") for p in self._sentence.children(clause.verb, "prep")):
            return None
        lemmas = {t.lemma.lower() for t in self._sentence.tokens}
        if lemmas & (_JOBS | self._lexicon.roles_en):
            return None
        return self._lexicon.services.get(name.casefold())

    def _is_near(self, subject: Token) -> bool:
        """Of others, one tells where they work; of oneself and one's family, what they watch and read."""
        return subject.lower in _SPEAKERS or subject.pos == "VERB" or subject.lemma.lower() in self._lexicon.kin
