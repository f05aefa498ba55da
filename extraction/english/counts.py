"""Counts and figures of people: "I have three cats", "I've read 5 of the 10 chapters", "my highest score is 132
points". Each is one value at a time of what it counts, so that a new number takes over from the old.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ...kg.model import Value
from ...kg.ontology import Predicate, Unit
from ..lexicon import Lexicon
from ..measures import figures
from ..numbers import AGE, COUNT, FIGURE, number
from ..sayings import Polarity, Pronoun, Saying, Stance, Tense
from ..tokens import Token
from .clauses import Clause, Sentence
from .sides import Match, Sides
from .triggers import EnglishTriggers

_CONFIDENCE = 0.8
_HAVING = frozenset({"have", "own", "possess", "raise"})
_GETTING = frozenset({"get", "buy", "collect", "acquire", "accumulate", "add", "gather", "adopt"})
"""What somebody has got so far is what they have."""
_SO_FAR = frozenset({"far", "already", "now", "altogether"})
_INCREASE = frozenset({"more", "other", "new", "extra", "additional", "another", "first", "last", "next"})
_TIMES = frozenset({"DATE", "TIME", "MONEY", "PERCENT"})
_NOBODYS = frozenset(
    {"number", "phone", "address", "code", "zip", "pin", "password", "id", "favorite", "favourite"}
)
_PASSING = frozenset(
    {
        *("question", "option", "choice", "suggestion", "reason", "issue", "problem", "concern", "word", "side"),
        *("day", "week", "month", "year", "hour", "minute", "weekend", "second", "night", "morning", "step"),
        *("cup", "glass", "cent", "dollar", "buck", "pound", "mile", "kilometer", "percent"),
    }
)
"""What is counted in passing, or is a measure."""
_CURRENT = re.compile(r"\b(?:current|currently|latest|new|own)\s+")
_RECORD = re.compile(
    r"\b[Mm]y (?P<what>(?:[\w-]+ ){0,3}(?:score|record|personal best|best time|PB|PR)"
    r"(?: (?:in|for|at|on) [\w' -]{2,40}?)?)\s*(?:[-–—:,(]|\bof\b|\bto\b|\b(?:is|was)\b(?: now)?)\s*"
    r"(?P<value>\d[\d.,:]*\d|\d)(?P<unit> ?%| [a-z]+)?(?=[\s.,;!?)]|$)"
)
_OLDEST = 110
_AFTER_AGE = re.compile(r"\s*(?:$|[.,;!)]|(?:now|today|and|but|this|as)\b)")
_AROUND = 6
"""Words between a verb and "three times" that may belong to what was done."""


class Counts:
    """Reads what the clauses of one sentence count."""

    def __init__(
        self, sentence: Sentence, text: str, triggers: EnglishTriggers, lexicon: Lexicon, sides: Sides
    ) -> None:
        self._sentence, self._text, self._lexicon, self._sides = sentence, text, lexicon, sides
        self._predicates, self._measures = triggers.counting, triggers.measured

    def sayings(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """What the clause counts of ``subject``; a bare number ("I have four now") where what is counted was said
        before."""
        if not self._predicates or clause.passive or clause.phase is not None:
            return
        if subject.lower == "you" or (subject.pos == "PRON" and subject.lower == "it"):
            return
        yield from self._age(clause, subject)
        if clause.verb.lemma == "be":
            yield from self._figure(clause, subject)
        counted = self._predicates.get(COUNT)
        if counted is None or clause.polarity is not Polarity.POSITIVE:
            return
        tense = clause.tense if clause.tense is Tense.PAST and self._is_having(clause) else Tense.PRESENT
        for text in self._counted(clause):
            yield from self._say(replace(clause, tense=tense), subject, counted, text)

    def records(self) -> Iterator[Saying]:
        """ "I just got my highest score in Ticket to Ride - 132 points"."""
        predicate = self._predicates.get(FIGURE)
        for match in _RECORD.finditer(self._text) if predicate is not None else ():
            value = (match["value"] + (match["unit"] or "")).replace(",", "")
            yield Saying(
                predicate=FIGURE,
                stance=Stance.HOLDS,
                subject=Pronoun.SPEAKER,
                object=Value(f"{_CURRENT.sub('', match['what'])}: {value}"),
                tense=Tense.PRESENT,
                at=match.start(),
                quote=(0, len(self._text.rstrip())),
                confidence=_CONFIDENCE,
            )

    def _say(
        self,
        clause: Clause,
        subject: Token,
        predicate: Predicate,
        text: str,
        stance: Stance = Stance.HOLDS,
    ) -> Iterator[Saying]:
        match = Match(clause=clause, predicate=predicate, stance=stance, subject=subject, thing=clause.verb)
        saying = self._sides.saying(match, Value(text), _CONFIDENCE)
        if saying is not None:
            timeless = clause.tense is Tense.PRESENT and stance is Stance.HOLDS
            yield replace(saying, reach=()) if timeless else saying

    # ---- how many ----

    def _is_having(self, clause: Clause) -> bool:
        verb = clause.verb
        having = verb.lemma in _HAVING and clause.tense is not Tense.PERFECT
        return having or (verb.lower == "got" and clause.tense is Tense.PERFECT)

    def _counted(self, clause: Clause) -> list[str]:
        verb = clause.verb
        adverbs = {t.lower for t in self._sentence.children(verb, "advmod")}
        having = self._is_having(clause)
        total = clause.tense is Tense.PERFECT or (clause.tense is Tense.PAST and bool(adverbs & _SO_FAR))
        if clause.tense is Tense.FUTURE or not (
            having or (total and verb.pos == "VERB") or clause.top.tag == "VBN"
        ):
            return []
        found = self._how_many(verb, having=having or bool(adverbs & _SO_FAR))
        if found is None:
            often = None if having else self._how_often(verb)
            return [] if often is None else [often]
        bare = having or found.isdigit() or verb.lemma in _GETTING
        counted = [found, *self._as_well(verb)] if bare else [f"{verb.lower} {found}"]
        return [c for c in counted if all(f.unit is Unit.NUMBER for f in figures(c))]

    def _as_well(self, verb: Token) -> Iterator[str]:
        """ "two kids **and three dogs**"."""
        for direct in self._sentence.children(verb, "dobj"):
            for other in self._sides.both(direct)[1:]:
                if (counted := self._phrase(other)) is not None:
                    yield counted

    def _how_many(self, verb: Token, *, having: bool) -> str | None:
        for direct in self._sentence.children(verb, "dobj"):
            inner = self._of(direct) if direct.lemma.lower() in ("total", "number") else None
            thing = direct if inner is None else inner
            if thing.pos == "NUM" and (count := number(thing.text)) is not None:
                whole = self._of(thing)
                if whole is not None and self._sentence.children(whole, "det"):
                    first = self._sentence.child(thing, "prep")
                    return f"{count}{self._text[thing.end : whole.end]}" if first is not None else None
                return count if having and not self._sentence.children(thing) else None
            return self._phrase(thing)
        return None

    def _phrase(self, head: Token) -> str | None:
        """ "four different Korean restaurants" as "4 Korean restaurants", "five tops from H&M" as a whole."""
        sentence = self._sentence
        numeral = sentence.child(head, "nummod")
        count = None if numeral is None else number(numeral.text)
        if (
            numeral is None
            or count is None
            or numeral.index > head.index
            or head.entity in _TIMES
            or numeral.entity in _TIMES
        ):
            return None
        before = [t for t in sentence.subtree(head) if t.index < head.index]
        described = [t for t in before if numeral.index < t.index]
        if {t.lower for t in before} & _INCREASE or any(t.dep in ("poss", "quantmod") for t in before):
            return None
        lemma = head.lemma.lower()
        if lemma == "one" or (lemma == "different" and not described):
            return count
        passing = self._lexicon.events | self._lexicon.vague | _PASSING
        if head.pos not in ("NOUN", "PROPN") or lemma in passing or sentence.children(head, "relcl"):
            return None
        words = [t.text for t in described if t.lower != "different" and t.pos != "PUNCT"]
        if len(words) > 4:
            return None
        return " ".join([count, *words, head.text, *self._of_whom(head)])

    def _of_whom(self, head: Token) -> list[str]:
        for prep in self._sentence.tokens[head.index + 1 : head.index + 2]:
            inner = self._sentence.child(prep, "pobj") if prep.dep == "prep" else None
            if inner is None or inner.entity in _TIMES:
                continue
            if self._sides.phrases.name(inner) is not None or (prep.lower == "of" and inner.pos == "NOUN"):
                return [self._text[prep.start : inner.end]]
        return []

    def _of(self, head: Token) -> Token | None:
        of = self._sentence.child(head, "prep")
        return None if of is None or of.lower != "of" else self._sentence.child(of, "pobj")

    def _how_often(self, verb: Token) -> str | None:
        """ "been to Paris three times", "met up twice"."""
        for token in self._sentence.own(verb):
            count = {"twice": "2", "once": None}.get(token.lower)
            first = token
            if token.lemma == "time" and (numeral := self._sentence.child(token, "nummod")) is not None:
                count, first = number(numeral.text), numeral
            between = self._sentence.tokens[verb.index + 1 : first.index]
            light = len(between) <= _AROUND and not any(t.pos in ("VERB", "PUNCT", "PRON") for t in between)
            if count is not None and token.index > verb.index and light:
                last = between[-1].end if between else verb.end
                return f"{self._text[verb.start : last]} {count} times"
        return None

    # ---- figures and ages ----

    def _figure(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """ "my commute is 45 minutes"."""
        sentence, predicate = self._sentence, self._predicates.get(FIGURE)
        owner = sentence.child(subject, "poss")
        value = sentence.child(clause.verb, "attr")
        if predicate is None or owner is None or value is None or subject.pos != "NOUN":
            return
        if clause.tense is not Tense.PRESENT or clause.polarity is not Polarity.POSITIVE or owner.lower != "my":
            return
        words = {t.lower for t in sentence.subtree(subject)}
        measured = _NOBODYS | self._lexicon.persons | self._lexicon.kin.keys()
        named = self._text[owner.end : clause.verb.start].lower()
        numeral = value if value.pos == "NUM" else sentence.child(value, "nummod")
        if (
            numeral is None
            or words & measured
            or self._lexicon.others.search(named)
            or any(m in named for m in self._measures)
            or value.entity == "DATE"
            or _RECORD.search(self._text)
        ):
            return
        if not re.fullmatch(r"\$?[\d.,:]+[kKM%]?", numeral.text) and number(numeral.text) is None:
            return
        what = _CURRENT.sub("", self._text[owner.end : clause.verb.start].strip() + " ").strip()
        if not 0 < len(what.split()) <= 7 or "," in what:
            return
        figure = number(numeral.text) or numeral.text
        unit = "" if value is numeral else " " + self._text[numeral.end : value.end].strip()
        yield from self._say(clause, owner, predicate, f"{what}: {figure}{unit}")

    def _age(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """ "I'm 32", "my son is 5 years old", "she just turned 30"."""
        predicate, verb = self._predicates.get(AGE), clause.verb
        if predicate is None or clause.polarity is not Polarity.POSITIVE or subject.lower == "we":
            return
        turned = verb.lemma == "turn"
        numeral = self._sentence.child(verb, "dobj" if turned else "attr")
        old = self._sentence.child(verb, "acomp")
        if verb.lemma == "be" and old is not None and old.lower == "old":
            years = self._sentence.child(old, "npadvmod")
            known = years is not None and years.lemma in ("year", "yr")
            numeral = self._sentence.child(years, "nummod") if years is not None and known else None
        elif numeral is None or not (turned or (verb.lemma == "be" and _AFTER_AGE.match(self._text, numeral.end))):
            return
        age = None if numeral is None or numeral.pos != "NUM" else number(numeral.text)
        if age is None or not 0 < int(age) <= _OLDEST:
            return
        yield from self._say(clause, subject, predicate, age, Stance.BEGINS if turned else Stance.HOLDS)


def is_count(saying: Saying) -> bool:
    """Whether its object begins with a number: an open relation says that less well than a count."""
    words = saying.object.text.split() if isinstance(saying.object, Value) else []
    return any(number(word) is not None for word in words[:3])
