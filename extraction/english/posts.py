"""Who has which post now, in a parsed English sentence: "Tom replaced Jane as CFO", "Jane is now at Globex",
"my last day at Delta is March 27"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...kg.model import THING, Mention, Value
from ...kg.ontology import Predicate
from ..lexicon import Lexicon
from ..sayings import Polarity, Saying, Stance, Tense
from ..tokens import Token
from .clauses import SUBJECTS, Clause, Sentence
from .employers import is_school
from .endings import ending_words
from .names import ORGANIZATION
from .relations import Relations
from .sides import Match, Sides
from .triggers import EnglishTriggers

_NEWS = frozenset({"now", "currently", "back"})
_LAST = frozenset({"last", "final"})
_WITHIN = frozenset({*SUBJECTS, "advmod", "cc", "conj", "punct", "intj"})
_PEOPLE = frozenset({"i", "he", "she", "him", "her", "me"})
_DONE = frozenset({Tense.PAST, Tense.PERFECT})


class Posts:
    """Reads the clauses of one sentence by which somebody takes a post, or leaves one."""

    def __init__(
        self, sentence: Sentence, triggers: EnglishTriggers, lexicon: Lexicon, sides: Sides, relations: Relations
    ) -> None:
        self._sentence, self._triggers, self._lexicon = sentence, triggers, lexicon
        self._sides, self._relations = sides, relations
        self._role = next((t.predicate for t in triggers.verbs.get(("work", "as"), [])), None)
        self._work = next((t.predicate for t in triggers.verbs.get(("work", "at"), [])), None)

    def sayings(self, clause: Clause) -> Iterator[Saying]:
        if clause.subject is None or clause.polarity is not Polarity.POSITIVE or clause.phase is not None:
            return
        if clause.verb.lemma == "be" and not clause.passive:
            yield from self._last_day(clause, clause.subject)
            yield from self._is_there(clause, clause.subject)
            return
        yield from self._succeeded(clause, clause.subject)
        yield from self._resigned(clause, clause.subject)

    def _is_there(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """ "Jane **is now at** Globex", "is back with Globex": and not "at the office", "at Heathrow"."""
        below = self._sentence.children(clause.verb)
        news = [t for t in below if t.lower in _NEWS]
        preps = [t for t in (*below, *(c for n in news for c in self._sentence.children(n))) if t.dep == "prep"]
        rest = [t for t in below if t.dep not in _WITHIN and t not in preps]
        if not news or rest or len(preps) != 1 or preps[0].lower not in ("at", "with"):
            return
        if preps[0].index < news[0].index:
            return
        if clause.tense is not Tense.PRESENT or not self._is_somebody(subject):
            return
        for place in self._sentence.children(preps[0], "pobj"):
            named = None if place.pos != "PROPN" else self._sides.phrases.name(place)
            if named is None or named.mention.kind not in (ORGANIZATION, THING) or self._work is None:
                continue
            words = {w.strip(".,").lower() for w in named.mention.name.split()} | {named.mention.name.lower()}
            known = preps[0].lower == "with" and named.mention.kind == ORGANIZATION
            if known or words & self._lexicon.premises or is_school(named.mention.name, self._lexicon):
                continue
            firm = Mention(named.mention.name, ORGANIZATION)
            yield from self._say(clause, self._work, Stance.HOLDS, (subject, place), firm)

    def _last_day(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """ "My **last day at** Delta is March 27", "Friday was my last day at Delta"."""
        attributes = self._sentence.children(clause.verb, "attr")
        for day, date in [*((subject, a) for a in attributes), *((a, subject) for a in attributes)]:
            owner = self._sentence.child(day, "poss")
            last = any(t.lower in _LAST for t in self._sentence.children(day, "amod"))
            if day.lower != "day" or not last or owner is None or date.entity != "DATE" or self._work is None:
                continue
            ends = replace(clause, tense=Tense.PAST if clause.tense is Tense.PAST else Tense.FUTURE)
            said = self._sentence.subtree(date)
            reach = (((said[0].start, said[-1].end),),)
            for prep in self._sentence.children(day, "prep"):
                for place in self._sentence.children(prep, "pobj") if prep.lower in ("at", "with") else ():
                    if place.pos == "PROPN" and place.lower not in self._lexicon.premises:
                        found = self._say(ends, self._work, Stance.ENDS, (owner, place))
                        yield from (replace(s, reach=reach) for s in found)

    def _succeeded(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """ "Tom **replaced** Jane **as** CFO", "was **succeeded** by Nina as CFO": the role is taken by one of
        another."""
        words = " ".join([clause.verb.lemma, *(t.lower for t in self._sentence.children(clause.verb, "prt"))])
        path = self._lexicon.successions.get(words)
        if path is None or self._role is None or clause.tense not in _DONE:
            return
        whom = self._sentence.children(clause.verb, "dobj") if path == "" else self._behind(clause.verb, path)
        whom = whom or [t for r in self._behind(clause.verb, "as") for t in self._behind(r, path)]
        old, new = (whom, [subject]) if not clause.passive else ([subject], self._behind(clause.verb, "by"))
        below = [clause.verb, *whom, *new]
        roles = [r for t in below for r in self._behind(t, "as")]
        if len(old) != 1 or len(new) != 1 or len(roles) != 1 or not all(map(self._is_somebody, (*old, *new))):
            return
        found = self._sides.phrases.role(roles[0], trusted=False)
        if found is not None:
            yield from self._say(clause, self._role, Stance.BEGINS, (new[0], roles[0]), found)
            yield from self._relations.role_at(clause, Stance.BEGINS, new[0], roles[0])
            yield from self._say(clause, self._role, Stance.ENDS, (old[0], roles[0]), found)

    def _resigned(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """ "**Acme's CEO** Tom Hill resigned": the role of who goes is told along with the name."""
        first, rest = ending_words(self._sentence, clause)
        ended = self._triggers.ended_by(first, rest)
        if self._role is None or clause.tense not in _DONE:
            return
        for role, name in self._offices(subject):
            found = self._sides.phrases.role(role, trusted=False) or self._sides.phrases.literal(role, "phrase")
            if isinstance(found, Value) and (self._role.name in ended or (clause.passive and ended)):
                yield from self._say(clause, self._role, Stance.ENDS, (name, role), found)

    def _offices(self, subject: Token) -> Iterator[tuple[Token, Token]]:
        """The role and the name in "Acme's **CEO** Tom **Hill**"."""
        beside = self._sentence.children(subject, "compound", "nmod")
        for role in beside:
            if self._sentence.child(subject, "poss") is None and self._sentence.child(role, "poss") is None:
                continue
            if subject.pos == "PROPN" and role.lemma.lower() in self._lexicon.roles_en:
                yield role, subject
        for name in self._sentence.children(subject, "appos") if self._sentence.child(subject, "poss") else ():
            if name.pos == "PROPN" and subject.lemma.lower() in self._lexicon.roles_en:
                yield subject, name

    def _behind(self, token: Token, path: str) -> list[Token]:
        preps = [p for p in self._sentence.children(token, "prep", "agent") if p.lower == path]
        return [t for p in preps for t in self._sentence.children(p, "pobj")]

    def _is_somebody(self, token: Token) -> bool:
        named = (
            token.pos == "PROPN" and token.entity in ("PERSON", "")
        ) or token.lower in self._lexicon.given_names
        return named or token.lower in _PEOPLE

    def _say(
        self,
        clause: Clause,
        predicate: Predicate,
        stance: Stance,
        sides: tuple[Token, Token],
        found: Value | Mention | None = None,
    ) -> Iterator[Saying]:
        match = Match(clause=clause, predicate=predicate, stance=stance, subject=sides[0], thing=sides[1])
        thing = found or self._sides.object(predicate, sides[1], clause)
        yield from self._sides.say(match, thing)
