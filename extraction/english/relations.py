"""Relations that nouns make: "my manager is Bob", "Jane, the CTO of Acme", "a dog named Max"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...kg.model import Mention, Modality, Value
from ...kg.ontology import Predicate
from ..lexicon import Lexicon
from ..sayings import Polarity, Referent, Saying, Stance, Tense
from ..tokens import Token
from .clauses import Clause, Sentence, clauses
from .employers import at_somebody
from .sides import NAMED_KINDS, Match, Sides
from .triggers import EnglishTriggers

_HIS = ("his", "her", "its", "their")
"""Whose name is being told is somebody, or a dog, that had none until now."""


@dataclass(frozen=True, slots=True)
class Named:
    """Whose somebody is, their names, and the verb that says that they are had."""

    owner: Token
    names: list[Token]
    having: Token | None


class Relations:
    """Matches the nouns of one sentence against the ontology's titles and possessed nouns."""

    def __init__(self, sentence: Sentence, triggers: EnglishTriggers, lexicon: Lexicon, sides: Sides) -> None:
        self._sentence, self._triggers, self._lexicon, self._sides = sentence, triggers, lexicon, sides
        self.over: set[int] = set()
        """Nouns with a name beside them that a clause says are so no longer."""

    def copula(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """ "X's N is Y" and "X is the N of Y"."""
        for attribute in self._sentence.children(clause.verb, "attr", "acomp"):
            for other in self._sides.both(attribute):
                yield from self.possessed(clause, subject, other)
                yield from self.possessed(clause, other, subject)
                yield from self._titled(clause, subject, other)
                yield from self._titled(clause, other, subject)
            yield from self._in_office(clause, subject, attribute)
        for prep in self._sentence.children(clause.verb, "prep"):
            for date in self._sentence.children(prep, "pobj"):
                if prep.lower in ("on", "in") and date.entity == "DATE":  # "my birthday is on May 3rd"
                    yield from self.possessed(clause, subject, date)

    def _in_office(self, clause: Clause, role: Token, holder: Token) -> Iterator[Saying]:
        """ "**Acme's CTO** is Marta Silva": whose the office is, is where she works."""
        owner, lemma = self._owner(role), role.lemma.lower()
        if holder.entity != "PERSON" or lemma not in self._lexicon.roles_en or lemma in self._triggers.possessed:
            return
        firm = owner is not None and owner.pos == "PROPN" and owner.entity == "ORG"
        if owner is None or not (firm or owner.lower == "our"):
            return
        held, office = replace(clause, subject=holder), self._sides.phrases.phrase(role)
        named = None if office is None else self._sides.without_news(Value(office))
        for trigger in self._triggers.verbs.get(("be", ""), []):
            if trigger.predicate.literal == "role":
                yield from self._sides.say(self._match(held, trigger.predicate, holder, role, role), named)
        if firm and not self._is_not_held(role):
            yield from self._at(held, Stance.HOLDS, holder, [owner])

    def _owner(self, role: Token) -> Token | None:
        """Whose the office is; where offices are joined, of whom the first is: "Acme's CFO is Dana and **its** CTO
        is Eve"."""
        owner, verb = self._sentence.child(role, "poss"), self._sentence.head(role)
        above = self._sentence.head(verb) if verb is not None and verb.dep == "conj" else None
        if above is None or not (owner is None or owner.lower in ("its", "their")):
            return owner
        first = self._sentence.child(above, "nsubj")
        return owner if first is None else self._owner(first)

    def possessed(self, clause: Clause, noun: Token, holder: Token) -> Iterator[Saying]:
        """``noun`` is possessed by somebody, and ``holder`` is it: "**my manager** is *Bob*"."""
        for predicate in self._noun_predicates(noun, self._triggers.possessed):
            owners = [*self._sentence.children(noun, "poss"), *self._of(noun)]
            for owner in owners[:1]:
                if predicate.literal == "name" and predicate.object == "Value" and owner.lower in _HIS:
                    continue
                found = self._sides.object(predicate, holder, clause)
                if found is None and holder.dep == "acomp" and holder.pos == "ADJ" and predicate.object == "Thing":
                    found = Mention(holder.text, "Thing")
                yield from self._related(self._match(clause, predicate, owner, holder, noun), found, noun)

    def _titled(self, clause: Clause, holder: Token, noun: Token) -> Iterator[Saying]:
        if self._is_not_held(noun):
            return
        for predicate in self._triggers.titles.get(noun.lemma.lower(), []):
            for thing in self._belonging(noun):
                found = self._sides.object(predicate, thing, clause)
                yield from self._sides.say(self._match(clause, predicate, holder, thing, noun), found)

    def _of(self, noun: Token) -> list[Token]:
        preps = [p for p in self._sentence.children(noun, "prep") if p.lower == "of"]
        return [t for p in preps for t in self._sentence.children(p, "pobj")]

    def of_noun(self, noun: Token) -> list[Predicate]:
        """What somebody is to whose the noun says they are: "my **dog**"."""
        return self._noun_predicates(noun, self._triggers.possessed)

    def _noun_predicates(self, noun: Token, nouns: dict[str, list[Predicate]]) -> list[Predicate]:
        if noun.pos not in ("NOUN", "PROPN"):
            return []
        lemma = noun.lemma.lower()
        if self._is_another(noun, lemma, nouns):
            return []
        modifiers = [t.lower for t in self._sentence.children(noun, "amod", "compound")]
        keys = [f"{m} {lemma}" for m in modifiers] + [lemma]
        if lemma not in self._lexicon.vague:
            keys += [m for m in modifiers if m in nouns]
        return next((nouns[k] for k in keys if k in nouns), [])

    def _is_another(self, noun: Token, lemma: str, nouns: dict[str, list[Predicate]]) -> bool:
        """ "our **account** manager" is not our manager, "my **business** partner" not my partner."""
        before = [t.lower for t in self._sentence.children(noun, "compound")]
        return (
            bool(before) and lemma in self._lexicon.roles_en and not any(f"{b} {lemma}" in nouns for b in before)
        )

    def appositions(self) -> Iterator[Saying]:
        """ "my wife **Sarah**", "a dog named **Max**": relations inside a noun phrase, held while it is said."""
        for noun in self._sentence.tokens:
            yield from self._described(noun)
            if noun.pos != "NOUN":
                continue
            for predicate in self.of_noun(noun):
                if predicate.object in NAMED_KINDS | {"Animal"}:
                    yield from self._named_beside(predicate, noun)

    def _described(self, role: Token) -> Iterator[Saying]:
        """ "Jane, **the CTO of Acme**, ..."."""
        holder = self._sentence.head(role)
        if role.dep != "appos" or holder is None or holder.pos != "PROPN":
            return
        held = present(role, holder)
        found = self._sides.phrases.role(role, trusted=at_somebody(self._sentence, role, held, self._lexicon))
        if found is None:
            return
        there = list(self.role_at(held, Stance.HOLDS, holder, role))
        yield from there
        for trigger in self._triggers.verbs.get(("be", ""), []) if there else ():
            if trigger.predicate.literal == "role":
                yield from self._sides.say(self._match(held, trigger.predicate, holder, role, role), found)

    def named(self, noun: Token) -> Named | None:
        """Whose the noun is, and the names beside it: "**my** wife **Eve**", "**I** have a dog named **Max**"."""
        sentence = self._sentence
        head, owner = sentence.head(noun), sentence.child(noun, "poss")
        names = [t for t in sentence.children(noun, "appos") if t.pos == "PROPN"]
        if noun.dep in ("compound", "nmod", "amod", "appos") and head is not None and head.pos == "PROPN":
            names, owner = [head], owner or sentence.child(head, "poss")
        for described in sentence.children(noun, "acl"):
            if described.lower in ("named", "called"):
                names = [t for t in sentence.children(described, "oprd", "attr", "dobj") if t.pos == "PROPN"]
        if not names:
            return None
        having = self._having(noun, names[0]) if owner is None else None
        if having is not None:
            owner = sentence.child(having, "nsubj")
        several = noun.tag == "NNS"
        return (
            None if owner is None else Named(owner, self._sides.both(names[0])[: None if several else 1], having)
        )

    def _having(self, noun: Token, name: Token) -> Token | None:
        """The verb by which somebody has what the noun names."""
        while noun.dep == "conj" and (above := self._sentence.head(noun)) is not None:
            noun = above
        verb = self._sentence.head(noun)
        told = name.dep != "appos" or name.entity == "PERSON" or name.lower in self._lexicon.given_names
        return verb if told and verb is not None and verb.lemma in ("have", "get", "adopt") else None

    def _named_beside(self, predicate: Predicate, noun: Token) -> Iterator[Saying]:
        named = self.named(noun)
        if named is None or noun.index in self.over:
            return
        frame = present(noun, named.owner)
        if named.having is not None:
            had = next((c for c in clauses(self._sentence, self._lexicon) if c.verb == named.having), None)
            if had is None or had.polarity is not Polarity.POSITIVE:
                return
            frame = had if had.tense is Tense.PAST and had.verb.lemma == "have" else frame
        for name in named.names:
            found = self._sides.object(predicate, name, frame)
            yield from self._related(self._match(frame, predicate, named.owner, name, noun), found, noun)

    def _related(self, match: Match, found: Value | Referent | None, noun: Token) -> Iterator[Saying]:
        kin = "" if match.former else self._lexicon.kin.get(noun.lemma.lower(), "")
        yield from (replace(s, kin=kin) for s in self._sides.say(match, found))

    def _match(self, clause: Clause, predicate: Predicate, subject: Token, thing: Token, noun: Token) -> Match:
        described = {t.lower for t in self._sentence.children(noun, "amod", "compound")}
        return Match(
            clause=clause,
            predicate=predicate,
            stance=Stance.HOLDS,
            subject=subject,
            thing=thing,
            former=bool(described & self._lexicon.former),
        )

    def role_at(self, clause: Clause, stance: Stance, subject: Token, role: Token) -> Iterator[Saying]:
        """ "CEO **of Initech**": whoever has the role there has the relation that the title gives; who has it no
        longer may have another there."""
        if stance is not Stance.ENDS and clause.polarity is Polarity.POSITIVE and not self._is_not_held(role):
            yield from self._at(clause, stance, subject, [*self._belonging(role), *self._beyond(role)])

    def _at(self, clause: Clause, stance: Stance, subject: Token, places: list[Token]) -> Iterator[Saying]:
        for predicate in self._triggers.titles.get("<role>", []):
            for thing in places:
                match = Match(clause=clause, predicate=predicate, stance=stance, subject=subject, thing=thing)
                found = self._sides.say(match, self._sides.object(predicate, thing, clause))
                yield from (replace(s, implied=True) for s in found)

    def _is_not_held(self, role: Token) -> bool:
        described = {t.lower for t in self._sentence.children(role, "amod", "compound")}
        return bool(described & self._lexicon.no_office)

    def _beyond(self, role: Token) -> Iterator[Token]:
        """ "VP of Engineering **at Northstar**": where a department is, its head is."""
        for department in self._of(role):
            for prep in self._sentence.children(department, "prep"):
                if prep.lower == "at" and department.lower in self._lexicon.departments:
                    yield from self._sentence.children(prep, "pobj")

    def _belonging(self, noun: Token) -> Iterator[Token]:
        """ "the mother **of Anna**", "**Anna's** mother"."""
        yield from self._sentence.children(noun, "poss")
        for prep in self._sentence.children(noun, "prep"):
            if prep.lower in ("of", "at", "for", "with", "in"):
                for thing in self._sentence.children(prep, "pobj"):
                    yield from self._sides.both(thing)


def present(noun: Token, subject: Token) -> Clause:
    """A noun phrase as a clause: what it says holds while it is said."""
    return Clause(
        verb=noun,
        top=noun,
        subject=subject,
        passive=False,
        tense=Tense.PRESENT,
        polarity=Polarity.POSITIVE,
        modality=Modality.ASSERTED,
        phase=None,
    )
