"""What a parsed English sentence says, by the ontology's English triggers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ...kg.model import Value
from ...kg.ontology import Predicate
from ...temporal.rules import PredicateKind
from ..lexicon import Lexicon
from ..sayings import Polarity, Saying, Stance, Tense
from ..tokens import Token
from .clauses import SUBJECTS, Clause, Sentence, clauses
from .contrast import heard_of
from .counts import Counts, is_count
from .diets import Diets
from .endings import Endings
from .open import OpenRelations
from .partings import Partings
from .phrases import RECORD
from .posts import Posts
from .relations import Relations
from .services import Services
from .sides import Match, Sides
from .triggers import EnglishTriggers, Trigger

_QUOTED = re.compile(r"[\"“„«]\S+\s[^\"”»]*(?:[\"”»]|$)")


def sayings(
    sentence: Sentence, text: str, triggers: EnglishTriggers, lexicon: Lexicon, *, open_: bool
) -> list[Saying]:
    """Everything one sentence says, in the order of its words. ``open_``: also what no predicate is known for."""
    if lexicon.fictions.match(text):
        return []
    reader = _Reader(sentence, text, triggers, lexicon)
    return sorted(reader.sayings(open_=open_), key=lambda s: s.at)


class _Reader:
    """Matches one sentence against the triggers."""

    def __init__(self, sentence: Sentence, text: str, triggers: EnglishTriggers, lexicon: Lexicon) -> None:
        self._sentence, self._triggers, self._lexicon = sentence, triggers, lexicon
        self._sides = Sides(sentence, text, lexicon, triggers.changing)
        self._relations = Relations(sentence, triggers, lexicon, self._sides)
        self._counts = Counts(sentence, text, triggers, lexicon, self._sides)
        self._endings = Endings(sentence, triggers, lexicon, self._sides)
        self._partings = Partings(sentence, triggers, lexicon, self._sides, self._relations)
        self._diets = Diets(sentence, triggers, lexicon, self._sides)
        self._posts = Posts(sentence, triggers, lexicon, self._sides, self._relations)
        self._services = Services(sentence, triggers, lexicon, self._sides)
        self._open = OpenRelations(sentence, text, triggers, lexicon, self._sides)
        self._quoted = [m.span() for m in _QUOTED.finditer(text)]

    def sayings(self, *, open_: bool) -> Iterator[Saying]:
        """What its clauses and its noun phrases say; nothing of what stands in quotation marks."""
        for clause in clauses(self._sentence, self._lexicon):
            if not self._is_quoted(clause.verb.start) and not self._inverted(clause):
                yield from self._clause(clause, open_=open_)
        for saying in (*self._relations.appositions(), *self._counts.records(), *self._diets.unable()):
            if not self._is_quoted(saying.at):
                yield saying

    def _is_quoted(self, at: int) -> bool:
        return any(a <= at < b for a, b in self._quoted)

    def _clause(self, clause: Clause, *, open_: bool) -> Iterator[Saying]:
        parted = [*self._partings.sayings(clause), *self._posts.sayings(clause)]
        yield from (*parted, *self._services.sold(clause))
        for subject in [clause.verb] if clause.subject is None else self._sides.both(clause.subject):
            known, counts = list(self._known(clause, subject)), list(self._counts.sayings(clause, subject))
            if not known and not parted:
                known = list(self._endings.sayings(clause, subject))
            yield from (*known, *counts)
            if open_ and not known and not parted:
                yield from (s for s in self._open.sayings(clause, subject) if not (counts and is_count(s)))

    def _known(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """What the ontology's triggers find."""
        verb = clause.verb
        if verb.lemma in ("be", "get") and not clause.passive:
            yield from self._copula(clause, subject)
        if verb.lemma == "be" and not clause.passive:
            yield from self._relations.copula(clause, subject)
        if clause.passive:
            yield from self._values(clause, subject, verb)
            yield from self._called(clause, subject)
        yield from self._recorded(clause, subject)
        yield from self._diets.sayings(clause, subject)
        yield from self._services.replaced(clause, subject)
        yield from self._verbal(clause, subject)

    def _called(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """ "My dog **is called Rex**"."""
        if clause.verb.lower in ("called", "named"):
            for name in self._sentence.children(clause.verb, "oprd", "attr"):
                yield from self._relations.possessed(clause, subject, name)

    def _recorded(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """ "The order **shipped**", "I **closed** ticket 5521": what becomes of a record."""
        verb, done = clause.verb, self._sentence.child(clause.verb, "dobj")
        if clause.passive or verb.tag not in ("VBD", "VBN") or clause.polarity is not Polarity.POSITIVE:
            return
        for predicate in self._triggers.values.get(verb.lower, []):
            for record in [subject] if done is None else self._sides.both(done):
                match = Match(clause=clause, predicate=predicate, stance=Stance.BEGINS, subject=record, thing=verb)
                if predicate.subject == RECORD:
                    yield from self._sides.say(match, Value(verb.lower))

    def _inverted(self, clause: Clause) -> bool:
        """ "Do you like it", "where did she move": the auxiliary stands before the subject."""
        subject = clause.subject
        own = self._sentence.child(clause.top, *SUBJECTS)
        if subject is None or own is None or own.index != subject.index:
            return False
        first = clause.top if clause.top.lemma == "be" else self._sentence.child(clause.top, "aux", "auxpass")
        return first is not None and first.index < subject.index

    def _verbal(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        verb = clause.verb
        auxiliary = self._sentence.child(verb, "auxpass")
        gets = auxiliary is not None and auxiliary.lemma == "get"
        for path, thing in self._paths(verb):
            if not clause.passive:
                yield from self._done(clause, subject, path, thing)
            if clause.passive:
                matches = self._triggers.behind("get", verb.lower, path) if gets else []
                matches = matches or self._triggers.behind("be", verb.lower, path)
                if path == "by":
                    yield from self._matched(
                        clause, thing, subject, self._triggers.verbs.get((verb.lemma, ""), [])
                    )
            elif verb.lemma == "be":
                continue
            elif verb.lemma == "get":
                word, _, rest = path.partition(" ")
                matches = self._triggers.behind("get", word, rest)
            else:
                matches = self._triggers.verbs.get((verb.lemma, path), [])
                if clause.tense is Tense.PROGRESSIVE:
                    matches = matches + self._triggers.behind("be", verb.lower, path)
                if clause.tense is Tense.FUTURE:
                    matches = matches + self._triggers.behind("will", verb.lemma, path)
            told = self._matched(clause, subject, thing, _with_polarity(matches, clause))
            yield from map(_announced, told) if self._announces(clause) else told

    def _announces(self, clause: Clause) -> bool:
        """ "handed in my **notice** at Orbis": what ends by that has not ended then."""
        things = self._sentence.children(clause.verb, "dobj")
        return any(t.lemma.lower() in self._lexicon.announcements for t in things)

    def _done(self, clause: Clause, subject: Token, path: str, thing: Token) -> Iterator[Saying]:
        """ "Globex **hired Eve**" is "Eve was hired by Globex", "promoted **Eve to CTO**" is "Eve was promoted to
        CTO"."""
        verb, whom = clause.verb, self._sentence.child(clause.verb, "dobj")
        if whom is None:
            return
        rest = "".join(f"{t.lower} " for t in self._sentence.children(verb, "prt"))
        form = verb.lemma + ("d" if verb.lemma.endswith("e") else "ed")
        if thing is whom:
            path, thing = "by", subject
        for participle in dict.fromkeys((form, verb.lower)):
            yield from self._matched(clause, whom, thing, self._triggers.behind("be", participle, rest + path))

    def _copula(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        first = clause.verb.lemma
        for middle in self._sentence.children(clause.verb, "attr", "acomp", "prep", "advmod"):
            if middle.dep == "attr" and first == "be":
                yield from self._matched(clause, subject, middle, self._triggers.verbs.get(("be", ""), []))
            if middle.dep == "prep":
                found = self._triggers.behind(first, middle.lower, "")
                for thing in self._sentence.children(middle, "pobj"):
                    yield from self._matched(clause, subject, thing, found)
            else:
                for path, thing in self._paths(middle):
                    found = self._triggers.behind(first, middle.lower, path)
                    yield from self._matched(clause, subject, thing, found)
            yield from self._values(clause, subject, middle)
            yield from self._as_well(clause, subject, middle)

    def _as_well(self, clause: Clause, subject: Token, middle: Token) -> Iterator[Saying]:
        """ "is vegetarian **and allergic to nuts**"."""
        for other in self._sides.both(middle)[1:] if middle.dep in ("attr", "acomp") else ():
            if other.tag == "JJ":
                for path, thing in self._paths(other):
                    found = self._triggers.behind(clause.verb.lemma, other.lower, path)
                    yield from self._matched(clause, subject, thing, found)
                yield from self._values(clause, subject, other)

    def _values(self, clause: Clause, subject: Token, word: Token) -> Iterator[Saying]:
        habits = {t.lower for t in self._sentence.children(clause.verb, "advmod")} & self._lexicon.habits
        over = clause.polarity is Polarity.NO_LONGER and not clause.passive
        if (clause.polarity is not Polarity.POSITIVE and not over) or habits:
            return
        for predicate in self._triggers.values.get(word.lower, []):
            done = clause.passive or (word.tag == "VBN" and predicate.subject == RECORD)
            stance = Stance.BEGINS if done and clause.tense is not Tense.PRESENT else Stance.HOLDS
            match = Match(clause=clause, predicate=predicate, stance=stance, subject=subject, thing=word)
            yield from self._sides.say(match, Value(word.lower))

    def _matched(self, clause: Clause, subject: Token, thing: Token, matches: list[Trigger]) -> Iterator[Saying]:
        for trigger in self._services.meant(matches, clause, subject, thing):
            predicate, stance = trigger.predicate, _phased(trigger.stance, clause.phase)
            if stance is None or self._is_occasion(clause, trigger) or self._is_errand(clause, trigger):
                continue
            if predicate.literal == "name" and predicate.object == "Value" and subject.lower != "i":
                continue
            holder = self._changed(predicate, clause, subject)
            for one in self._sides.both(thing, denied=clause.polarity is not Polarity.POSITIVE)[
                self._shares_noun(thing) :
            ]:
                heard = heard_of(self._sentence, clause, one)
                found = self._sides.object(predicate, one, heard)
                if found is None:
                    break
                match = Match(
                    clause=heard,
                    predicate=predicate,
                    stance=stance,
                    subject=holder,
                    thing=one,
                    negated=trigger.negated,
                )
                yield from self._sides.say(match, found)
                yield from self._contrasted(match)
                yield from self._instead(match)
                if isinstance(found, Value) and predicate.literal == "role":
                    yield from self._relations.role_at(heard, stance, holder, one)

    def _shares_noun(self, thing: Token) -> int:
        """1 if the first of two only describes what the second names: "**action** and sci-fi *movies*"."""
        second = self._sentence.child(thing, "conj")
        if (
            thing.tag != "NN"
            or second is None
            or second.tag != "NNS"
            or self._sentence.children(thing, "amod", "compound")
        ):
            return 0
        described = self._sentence.children(second, "compound", "amod" if second.tag == "NNS" else "compound")
        return int(bool(described))

    def _contrasted(self, match: Match) -> Iterator[Saying]:
        """ "at Globex, **not Initech**" takes Initech back."""
        for other in self._sentence.children(match.thing, "appos"):
            denied = heard_of(self._sentence, match.clause, other)
            if denied is not match.clause:
                found = self._sides.object(match.predicate, other, denied)
                if found is not None:
                    yield from self._sides.say(replace(match, clause=denied, thing=other), found)

    def _instead(self, match: Match) -> Iterator[Saying]:
        """ "report to Omar **instead of Helen** now"."""
        clause, tokens = match.clause, self._sentence.tokens
        now = any(t.lower in ("now", "currently") for t in self._sentence.own(clause.verb))
        if not now or match.stance is not Stance.HOLDS or clause.tense is not Tense.PRESENT:
            return
        for of in tokens[match.thing.index + 2 :]:
            if of.lower == "of" and tokens[of.index - 1].lower == "instead":
                over = replace(clause, polarity=Polarity.NO_LONGER)
                for other in self._sentence.children(of, "pobj"):
                    found = self._sides.object(match.predicate, other, over)
                    if found is not None:
                        yield from self._sides.say(replace(match, clause=over, thing=other), found)

    def _changed(self, predicate: Predicate, clause: Clause, subject: Token) -> Token:
        """Who changes a value is not what is measured: "I changed **the threshold** to 0.9"."""
        thing = self._sentence.child(clause.verb, "dobj")
        return thing if predicate.subject == "Metric" and thing is not None else subject

    def _is_occasion(self, clause: Clause, trigger: Trigger) -> bool:
        lemma = clause.verb.lemma
        whole = clause.polarity in (Polarity.NO_LONGER, Polarity.NEVER)
        if whole or clause.phase or trigger.stance is not Stance.HOLDS:
            return False
        if trigger.predicate.literal == "figure" and clause.tense is Tense.PAST:
            return True
        if clause.tense in (Tense.PAST, Tense.PERFECT):
            return lemma in self._lexicon.past_occasions
        return clause.tense is Tense.PROGRESSIVE and lemma in self._lexicon.progressive_occasions

    def _is_errand(self, clause: Clause, trigger: Trigger) -> bool:
        """ "Usually moves to Rome in May", "left Acme **at 5 pm**": done again and again, or for the day."""
        changes = trigger.stance is not Stance.HOLDS or trigger.predicate.kind is PredicateKind.EVENT
        own = self._sentence.own(clause.verb)
        if changes and clause.tense is Tense.PRESENT and any(t.lower in self._lexicon.recurring for t in own):
            return True
        ends = trigger.stance is Stance.ENDS and clause.verb.lemma == "leave"
        return ends and any(t.entity == "TIME" for t in own)

    def _paths(self, verb: Token) -> Iterator[tuple[str, Token]]:
        """Every object of a verb with the words between: ``("", TechCorp)``, ``("out of", Berlin)``, and behind
        an object ``("job at", Google)``."""
        sentence = self._sentence
        particles = [t for t in sentence.children(verb, "prt", "advmod") if t.index > verb.index]
        objects = sentence.children(verb, "dobj", "oprd", "attr")
        for child in sentence.children(verb):
            if any(t.text == ":" for t in sentence.tokens[verb.index : child.index]):
                continue
            if child in objects:
                yield "", child
                for prep in sentence.children(child, "prep"):
                    yield from self._behind(prep, prep.lower)
                    yield from self._behind(prep, f"{child.lemma.lower()} {prep.lower}")
            elif child.dep == "conj" and child.tag in ("IN", "TO"):
                yield from self._behind(child, child.lower)
            elif child.dep == "xcomp" and child.tag == "VBG":
                yield "", child
            elif child.dep in ("prep", "agent", "dative"):
                before = [p.lower for p in particles if p.index == child.index - 1]
                yield from self._behind(child, " ".join([*before, child.lower]))
                for other in sentence.children(child, "conj"):
                    yield from self._behind(other, other.lower)
                turned = "".join(f"{p.lower} " for p in particles if p.tag == "RP")
                for thing in objects:
                    yield from self._behind(child, f"{turned}{thing.lemma.lower()} {child.lower}")
            elif child.dep == "advmod" and child.lower in ("there", "here"):
                yield from ((path, child) for path in ("at", "in", "to", "from", ""))

    def _behind(self, prep: Token, path: str) -> Iterator[tuple[str, Token]]:
        for child in self._sentence.children(prep):
            if child.dep in ("pobj", "pcomp"):
                yield path, child
            elif child.dep == "prep":
                spanning = (path, child.lower) == ("from", "to")
                yield from self._behind(child, "to" if spanning else f"{path} {child.lower}")


def _announced(saying: Saying) -> Saying:
    return replace(saying, tense=Tense.FUTURE, reach=())


def _with_polarity(matches: list[Trigger], clause: Clause) -> list[Trigger]:
    """ "does not like" is a trigger of its own where the ontology says so."""
    opposite = [t for t in matches if t.negated]
    if opposite and clause.polarity is Polarity.NEGATIVE:
        return opposite
    return [t for t in matches if not t.negated]


def _phased(stance: Stance, phase: str | None) -> Stance | None:
    if phase is None:
        return stance
    if stance is not Stance.HOLDS:
        return None
    return Stance.BEGINS if phase == "begin" else Stance.ENDS
