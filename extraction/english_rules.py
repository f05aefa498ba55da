"""What a parsed English sentence says, by the ontology's English triggers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..kg.model import THING, Mention, Modality, Value
from ..kg.ontology import Predicate
from ..temporal.rules import PredicateKind
from .english_clauses import SUBJECTS, Clause, Sentence, clauses
from .english_phrases import ORGANIZATION, PERSON, PLACE, Phrases
from .english_triggers import EnglishTriggers, Trigger
from .lexicon import Lexicon
from .sayings import Polarity, Pronoun, Saying, Span, Stance, Tense
from .tokens import Token

_NAMED_KINDS = frozenset({PERSON, ORGANIZATION, PLACE})
_QUOTED = re.compile(r"[\"“„«]\S+\s[^\"”»]*[\"”»]")
_STRONG = frozenset(
    {
        ("work", "at"),
        ("work", "for"),
        ("employ", "by"),
        ("employ", "at"),
        ("live", "in"),
        ("study", "at"),
        ("grow", "in"),
        ("bear", "in"),
        ("hire", "by"),
    }
)


def sayings(sentence: Sentence, text: str, triggers: EnglishTriggers, lexicon: Lexicon) -> list[Saying]:
    """Everything one sentence says, in the order of its words."""
    reader = _Reader(sentence, text, triggers, lexicon)
    found = [s for clause in clauses(sentence, lexicon) for s in reader.clause(clause)]
    found.extend(reader.appositions())
    return sorted(found, key=lambda s: s.at)


class _Reader:
    """Matches one sentence against the triggers."""

    def __init__(self, sentence: Sentence, text: str, triggers: EnglishTriggers, lexicon: Lexicon) -> None:
        self._sentence, self._triggers, self._lexicon = sentence, triggers, lexicon
        self._phrases = Phrases(sentence, text, lexicon)
        self._quoted = [m.span() for m in _QUOTED.finditer(text)]

    def clause(self, clause: Clause) -> Iterator[Saying]:
        """What one clause says."""
        verb = clause.verb
        if any(a <= verb.start < b for a, b in self._quoted) or self._inverted(clause):
            return
        for subject in [verb] if clause.subject is None else self._both(clause.subject):
            if verb.lemma in ("be", "get") and not clause.passive:
                yield from self._copula(clause, subject)
            if verb.lemma == "be" and not clause.passive:
                yield from self._relation(clause, subject)
            if clause.passive:
                yield from self._values(clause, subject, verb)
            yield from self._verbal(clause, subject)

    def _inverted(self, clause: Clause) -> bool:
        """ "Do you like it", "where did she move": the auxiliary stands before the subject."""
        subject = clause.subject
        own = self._sentence.child(clause.top, *SUBJECTS)
        if subject is None or own is None or own.index != subject.index:
            return False
        first = clause.top if clause.top.lemma == "be" else self._sentence.child(clause.top, "aux", "auxpass")
        return first is not None and first.index < subject.index

    def _both(self, token: Token) -> list[Token]:
        """The token and what is joined to it by "and"."""
        found = [token]
        for other in self._sentence.children(token, "conj"):
            if any(c.lower in ("or", "nor", "but") for c in self._sentence.children(token, "cc")):
                break
            found.extend(self._both(other))
        return found

    # ---- verbs and their objects ----

    def _verbal(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        verb = clause.verb
        auxiliary = self._sentence.child(verb, "auxpass")
        gets = auxiliary is not None and auxiliary.lemma == "get"
        for path, thing in self._paths(verb):
            if clause.passive:
                matches = self._triggers.behind("get" if gets else "be", verb.lower, path)
                if path == "by":
                    yield from self._matched(
                        clause, thing, subject, self._triggers.verbs.get((verb.lemma, ""), [])
                    )
            elif verb.lemma == "be":
                continue
            else:
                matches = self._triggers.verbs.get((verb.lemma, path), [])
                if clause.tense is Tense.PROGRESSIVE:
                    matches = matches + self._triggers.behind("be", verb.lower, path)
                if clause.tense is Tense.FUTURE:
                    matches = matches + self._triggers.behind("will", verb.lemma, path)
            yield from self._matched(clause, subject, thing, _with_polarity(matches, clause))

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

    def _values(self, clause: Clause, subject: Token, word: Token) -> Iterator[Saying]:
        habits = {t.lower for t in self._sentence.children(clause.verb, "advmod")} & self._lexicon.habits
        if clause.polarity is not Polarity.POSITIVE or habits:
            return
        for predicate in self._triggers.values.get(word.lower, []):
            stance = Stance.BEGINS if clause.passive and clause.tense is not Tense.PRESENT else Stance.HOLDS
            yield from self._say(clause, predicate, stance, subject, Value(word.lower), word)

    def _matched(self, clause: Clause, subject: Token, thing: Token, matches: list[Trigger]) -> Iterator[Saying]:
        for trigger in matches:
            predicate, stance = trigger.predicate, _phased(trigger.stance, clause.phase)
            if stance is None or self._is_occasion(clause, trigger):
                continue
            if predicate.literal == "name" and predicate.object == "Value" and subject.lower != "i":
                continue
            holder = self._changed(predicate, clause, subject)
            for one in self._both(thing):
                found = self._object(predicate, one, clause)
                if found is None:
                    break
                yield from self._say(clause, predicate, stance, holder, found, one, negated=trigger.negated)
                yield from self._contrasted(clause, predicate, stance, holder, one)
                if isinstance(found, Value) and predicate.literal == "role":
                    yield from self._role_at(clause, stance, holder, one)

    def _contrasted(
        self, clause: Clause, predicate: Predicate, stance: Stance, subject: Token, thing: Token
    ) -> Iterator[Saying]:
        """ "at Globex, **not Initech**" takes Initech back."""
        for other in self._sentence.children(thing, "appos", "conj"):
            if self._sentence.tokens[other.index - 1].lower == "not":
                found = self._object(predicate, other, clause)
                if found is not None:
                    denied = replace(clause, polarity=Polarity.NEVER)
                    yield from self._say(denied, predicate, stance, subject, found, other)

    def _changed(self, predicate: Predicate, clause: Clause, subject: Token) -> Token:
        """Who changes a value is not what is measured: "I changed **the threshold** to 0.9"."""
        thing = self._sentence.child(clause.verb, "dobj")
        return thing if predicate.subject == "Metric" and thing is not None else subject

    def _is_occasion(self, clause: Clause, trigger: Trigger) -> bool:
        lemma = clause.verb.lemma
        if clause.polarity is Polarity.NO_LONGER or clause.phase or trigger.stance is not Stance.HOLDS:
            return False
        if clause.tense in (Tense.PAST, Tense.PERFECT):
            return lemma in self._lexicon.past_occasions
        return clause.tense is Tense.PROGRESSIVE and lemma in self._lexicon.progressive_occasions

    def _role_at(self, clause: Clause, stance: Stance, subject: Token, role: Token) -> Iterator[Saying]:
        """ "CEO **of Initech**": whoever has the role there has the relation that the title gives."""
        for predicate in self._triggers.titles.get("<role>", []):
            for thing in self._belonging(role):
                found = self._object(predicate, thing, clause)
                if found is not None:
                    yield from self._say(clause, predicate, stance, subject, found, thing)

    def _belonging(self, noun: Token) -> Iterator[Token]:
        """ "the mother **of Anna**", "**Anna's** mother"."""
        yield from self._sentence.children(noun, "poss")
        for prep in self._sentence.children(noun, "prep"):
            if prep.lower in ("of", "at", "for", "with", "in"):
                for thing in self._sentence.children(prep, "pobj"):
                    yield from self._both(thing)

    def _paths(self, verb: Token) -> Iterator[tuple[str, Token]]:
        """Every object of a verb with the words between: ``("", TechCorp)``, ``("out of", Berlin)``, and behind
        an object ``("job at", Google)``."""
        sentence = self._sentence
        particles = [t for t in sentence.children(verb, "prt", "advmod") if t.index > verb.index]
        objects = sentence.children(verb, "dobj", "oprd", "attr")
        for child in sentence.children(verb):
            if child in objects:
                yield "", child
                for prep in sentence.children(child, "prep"):
                    yield from self._behind(prep, prep.lower)
                    yield from self._behind(prep, f"{child.lemma.lower()} {prep.lower}")
            elif child.dep == "xcomp" and child.tag == "VBG":
                yield "", child
            elif child.dep in ("prep", "agent", "dative"):
                before = [p.lower for p in particles if p.index == child.index - 1]
                yield from self._behind(child, " ".join([*before, child.lower]))
                for thing in objects:
                    yield from self._behind(child, f"{thing.lemma.lower()} {child.lower}")
            elif child.dep == "advmod" and child.lower in ("there", "here"):
                yield from ((path, child) for path in ("at", "in", "to", "from", ""))

    def _behind(self, prep: Token, path: str) -> Iterator[tuple[str, Token]]:
        for child in self._sentence.children(prep):
            if child.dep in ("pobj", "pcomp"):
                yield path, child
            elif child.dep == "prep":
                yield from self._behind(child, f"{path} {child.lower}")

    # ---- nouns that relate ----

    def _relation(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """ "X's N is Y" and "X is the N of Y"."""
        for attribute in self._sentence.children(clause.verb, "attr", "acomp"):
            for other in self._both(attribute):
                yield from self._possessed(clause, subject, other)
                yield from self._possessed(clause, other, subject)
                yield from self._titled(clause, subject, other)
                yield from self._titled(clause, other, subject)

    def _possessed(self, clause: Clause, noun: Token, holder: Token) -> Iterator[Saying]:
        """``noun`` is possessed by somebody, and ``holder`` is it: "**my manager** is *Bob*"."""
        for predicate in self._noun_predicates(noun, self._triggers.possessed):
            owners = [*self._sentence.children(noun, "poss"), *self._of(noun)]
            for owner in owners[:1]:
                found = self._object(predicate, holder, clause)
                if found is None and holder.dep == "acomp" and holder.pos == "ADJ" and predicate.object == "Thing":
                    found = Mention(holder.text, "Thing")
                if found is not None:
                    yield from self._say(clause, predicate, Stance.HOLDS, owner, found, holder, noun=noun)

    def _titled(self, clause: Clause, holder: Token, noun: Token) -> Iterator[Saying]:
        for predicate in self._triggers.titles.get(noun.lemma.lower(), []):
            for thing in self._belonging(noun):
                found = self._object(predicate, thing, clause)
                if found is not None:
                    yield from self._say(clause, predicate, Stance.HOLDS, holder, found, thing, noun=noun)

    def _of(self, noun: Token) -> list[Token]:
        preps = [p for p in self._sentence.children(noun, "prep") if p.lower == "of"]
        return [t for p in preps for t in self._sentence.children(p, "pobj")]

    def _noun_predicates(self, noun: Token, nouns: dict[str, list[Predicate]]) -> list[Predicate]:
        if noun.pos not in ("NOUN", "PROPN"):
            return []
        lemma = noun.lemma.lower()
        modifiers = [t.lower for t in self._sentence.children(noun, "amod", "compound")]
        keys = [f"{m} {lemma}" for m in modifiers] + [lemma]
        if lemma not in self._lexicon.vague:
            keys += [m for m in modifiers if m in nouns]
        return next((nouns[k] for k in keys if k in nouns), [])

    def appositions(self) -> Iterator[Saying]:
        """ "my wife **Sarah**", "a dog named **Max**": relations inside a noun phrase, held while it is said."""
        for noun in self._sentence.tokens:
            yield from self._described(noun)
            if noun.pos != "NOUN" or any(a <= noun.start < b for a, b in self._quoted):
                continue
            predicates = self._noun_predicates(noun, self._triggers.possessed)
            for predicate in predicates:
                if predicate.object in _NAMED_KINDS | {"Animal"}:
                    yield from self._named_beside(predicate, noun)

    def _described(self, role: Token) -> Iterator[Saying]:
        """ "Jane, **the CTO of Acme**, ..."."""
        holder = self._sentence.head(role)
        if role.dep != "appos" or holder is None or holder.pos != "PROPN":
            return
        if self._phrases.role(role, trusted=False) is not None:
            yield from self._role_at(_present(role, holder), Stance.HOLDS, holder, role)

    def _named_beside(self, predicate: Predicate, noun: Token) -> Iterator[Saying]:
        sentence = self._sentence
        head = sentence.head(noun)
        owner = sentence.child(noun, "poss")
        named = [t for t in sentence.children(noun, "appos") if t.pos == "PROPN"]
        if noun.dep in ("compound", "nmod", "amod", "appos") and head is not None and head.pos == "PROPN":
            named, owner = [head], owner or sentence.child(head, "poss")
        for described in sentence.children(noun, "acl"):
            if described.lower in ("named", "called"):
                named = [t for t in sentence.children(described, "oprd", "attr", "dobj") if t.pos == "PROPN"]
                having = sentence.head(noun)
                if owner is None and having is not None and having.lemma in ("have", "get", "adopt"):
                    owner = sentence.child(having, "nsubj")
        if owner is None or not named:
            return
        frame = _present(noun, owner)
        for name in named[:1]:
            found = self._object(predicate, name, frame)
            if found is not None:
                yield from self._say(frame, predicate, Stance.HOLDS, owner, found, name, noun=noun)

    # ---- the two sides ----

    def _object(self, predicate: Predicate, token: Token, clause: Clause) -> Mention | Value | Pronoun | None:
        phrases = self._phrases
        kind = predicate.object
        match kind:
            case "Value":
                if predicate.literal == "figure":
                    return phrases.figure(token)
                if predicate.literal == "role":
                    return phrases.role(token, trusted=clause.verb.lemma not in ("be", "become"))
                return phrases.literal(token, predicate.literal)
            case "Thing" if predicate.kind is PredicateKind.EVENT:
                return phrases.goods(token)
            case "Thing":
                return phrases.taste(token)
            case "Topic":
                return None if token.tag == "VBG" else phrases.taste(token)
            case "Person":
                found = phrases.referent(token)
                return found if not isinstance(found, Mention) else _as_kind(found, PERSON, {PERSON, THING})
            case "Record":
                return phrases.record(token)
            case "Work":
                return phrases.work(token)
            case "Event":
                return phrases.event(token)
        if token.lower in ("there", "here"):
            return Pronoun.THERE if token.lower == "there" else None
        named = phrases.name(token)
        if named is None:
            return None
        return _as_kind(named.mention, kind, self._trusted_kinds(kind, token, clause))

    def _trusted_kinds(self, kind: str, token: Token, clause: Clause) -> set[str]:
        """The kinds the parser may have given to a name that stands where ``kind`` must stand."""
        prep = self._sentence.head(token)
        strong = prep is not None and prep.dep in ("prep", "agent") and (clause.verb.lemma, prep.lower) in _STRONG
        if strong or kind not in _NAMED_KINDS:
            return {PERSON, ORGANIZATION, PLACE, THING}
        return {kind} if kind == PLACE else {kind, THING}

    def _say(  # noqa: PLR0913 - one call per kind of match
        self,
        clause: Clause,
        predicate: Predicate,
        stance: Stance,
        subject: Token,
        found: Mention | Value | Pronoun,
        thing: Token,
        *,
        negated: bool = False,
        noun: Token | None = None,
    ) -> Iterator[Saying]:
        if clause.tense is Tense.FUTURE and stance is Stance.HOLDS and self._commits(predicate, clause):
            clause = replace(clause, tense=Tense.PRESENT)
        who = self._subject(predicate, subject)
        if who is None or who == found:
            return
        polarity = Polarity.POSITIVE if negated else clause.polarity
        if noun is not None and any(
            t.lower in self._lexicon.former for t in self._sentence.children(noun, "amod", "compound")
        ):
            polarity = Polarity.NO_LONGER
        confidence = 0.9 if stance is not Stance.HOLDS else 0.85
        if subject.pos == "VERB" or (isinstance(who, Mention) and self._phrases.unsure(subject)):
            confidence -= 0.1
        if isinstance(found, Mention) and found.kind in _NAMED_KINDS and self._phrases.unsure(thing):
            confidence -= 0.1
        yield Saying(
            predicate=predicate.name,
            stance=stance,
            subject=who,
            object=found,
            tense=clause.tense,
            polarity=polarity,
            modality=clause.modality,
            event=predicate.kind is PredicateKind.EVENT,
            lasting=predicate.lasting,
            at=clause.verb.start,
            quote=self._quote(clause.verb),
            reach=self._reach(clause),
            confidence=round(confidence, 2),
        )

    @staticmethod
    def _commits(predicate: Predicate, clause: Clause) -> bool:
        """ "I will handle X" takes it on now."""
        return any(words.startswith(f"will {clause.verb.lemma}") for words in predicate.en.holds)

    def _subject(self, predicate: Predicate, token: Token) -> Mention | Pronoun | None:
        match predicate.subject:
            case "Record":
                return self._phrases.record(token)
            case "Work":
                return self._phrases.work(token)
            case "Metric":
                return self._phrases.metric(token)
        found = Pronoun.SPEAKER if token.pos in ("VERB", "AUX") else self._phrases.referent(token)
        if not isinstance(found, Mention):
            return found if predicate.subject in (PERSON, THING) else None
        if predicate.subject == THING:
            return found
        return _as_kind(found, predicate.subject, {predicate.subject, THING})

    def _quote(self, verb: Token) -> Span:
        root = verb
        while (head := self._sentence.head(root)) is not None:
            root = head
        tokens = self._sentence.subtree(root)
        while len(tokens) > 1 and tokens[-1].text.isspace():
            tokens.pop()
        return tokens[0].start, tokens[-1].end

    def _reach(self, clause: Clause) -> tuple[tuple[Span, ...], ...]:
        """Where a time of this clause may stand: in it; before the verb it is joined to; in a change joined to
        it ("left X and joined Y **in May**")."""
        sentence = self._sentence
        own = [*sentence.own(clause.verb), *sentence.own(clause.top)]
        reach = [_spans(own)]
        current = clause.top
        while current.dep == "conj" and (above := sentence.head(current)) is not None:
            reach.append(_spans([t for t in sentence.own(above) if t.index < above.index]))
            current = above
        for joined in sentence.children(clause.top, "conj"):
            if joined.tag == clause.top.tag:
                reach.append(_spans([t for t in sentence.own(joined) if t.index > joined.index]))
        return tuple(r for r in reach if r)


def _with_polarity(matches: list[Trigger], clause: Clause) -> list[Trigger]:
    """ "does not like" is a trigger of its own where the ontology says so."""
    opposite = [t for t in matches if t.negated]
    if opposite and clause.polarity is Polarity.NEGATIVE:
        return opposite
    return [t for t in matches if not t.negated]


def _present(noun: Token, subject: Token) -> Clause:
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


def _phased(stance: Stance, phase: str | None) -> Stance | None:
    if phase is None:
        return stance
    if stance is not Stance.HOLDS:
        return None
    return Stance.BEGINS if phase == "begin" else Stance.ENDS


def _as_kind(mention: Mention, kind: str, trusted: set[str]) -> Mention | None:
    return Mention(mention.name, kind) if mention.kind in trusted else None


def _spans(tokens: list[Token]) -> tuple[Span, ...]:
    spans: list[Span] = []
    previous = -2
    for token in sorted(set(tokens), key=lambda t: t.index):
        if token.index == previous + 1:
            spans[-1] = (spans[-1][0], token.end)
        else:
            spans.append((token.start, token.end))
        previous = token.index
    return tuple(spans)
