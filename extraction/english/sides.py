"""The two sides of a match in an English sentence, and the saying made of them."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, replace

from ...kg.ids import SKILL
from ...kg.model import PERSON, THING, Mention, Value
from ...kg.ontology import Predicate
from ...temporal.rules import PredicateKind
from ..lexicon import Lexicon
from ..sayings import Polarity, Pronoun, Referent, Saying, Span, Stance, Tense, Unsaid
from ..tokens import Token
from .ailments import ailment_of
from .clauses import SUBJECTS, Clause, Sentence, contrasts
from .employers import at_somebody, is_school, mistaken_name, trusted_kinds
from .names import ORGANIZATION, PLACE
from .phrases import Phrases
from .plans import plan_of

NAMED_KINDS = frozenset({PERSON, ORGANIZATION, PLACE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A trigger found in a clause, with the tokens of its subject and object."""

    clause: Clause
    predicate: Predicate
    stance: Stance
    subject: Token
    thing: Token
    negated: bool = False
    """The trigger itself says "not"."""
    former: bool = False
    """ "my **former** manager"."""


class Sides:
    """Reads subjects and objects of one sentence as the ontology wants them."""

    def __init__(self, sentence: Sentence, text: str, lexicon: Lexicon, changing: Set[str]) -> None:
        """``changing``: verbs by which something begins or ends."""
        self._sentence, self._text, self._lexicon, self._changing = sentence, text, lexicon, changing
        self.phrases = Phrases(sentence, text, lexicon)

    def both(self, token: Token, *, denied: bool = False) -> list[Token]:
        """The token and what is joined to it by "and", "nor" or "but not"; where both are ``denied``, by "or"."""
        several = token.tag == "NNS" and token.dep in SUBJECTS
        named = [t for t in self._sentence.children(token, "appos") if several and t.pos == "PROPN"]
        if named:  # "my sons **Ali and Omar** live there"
            return self.both(named[0], denied=denied)
        found = [token]
        for other in self._sentence.children(token, "conj"):
            joints = {c.lower for c in self._sentence.children(token, "cc")}
            if ("or" in joints and not denied) or ("but" in joints and not denied and not self._is_denied(other)):
                break
            found.extend(self.both(other, denied=denied))
        return found

    def _is_denied(self, token: Token) -> bool:
        before = self._sentence.tokens[token.index - 1 : token.index]
        return any(contrasts(self._sentence, t) for t in before)

    def object(self, predicate: Predicate, token: Token, clause: Clause) -> Value | Referent | None:
        phrases = self.phrases
        kind = predicate.object
        match kind:
            case "Value":
                return self._literal(predicate, token, clause)
            case "Thing":
                event = predicate.kind is PredicateKind.EVENT
                return phrases.goods(token) if event else phrases.taste(token)
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
            case "Skill":
                return self._skill(token, clause)
            case "Condition":
                return ailment_of(self._sentence, self._text, token, self._lexicon)
        if token.lower in ("there", "here"):
            return Pronoun.THERE if token.lower == "there" else None
        return self._named(kind, token, clause)

    def _named(self, kind: str, token: Token, clause: Clause) -> Mention | None:
        """A name, as of the kind that the predicate wants."""
        if kind == "Product" and self._plan(token, clause) is not None:
            return None
        if clause.verb.lemma == "cancel" and token.lemma.lower() in self._lexicon.plans:
            token = self._sentence.child(token, "compound", "nmod") or token  # "my **Netflix** subscription"
        named = self.phrases.name(token)
        if named is None:
            found = mistaken_name(self._sentence, token, clause, self._lexicon)
            return found if kind == ORGANIZATION else None
        if (
            kind == ORGANIZATION
            and clause.verb.lemma in ("leave", "start")
            and is_school(named.mention.name, self._lexicon)
        ):
            return None
        anything = frozenset({*NAMED_KINDS, THING})
        given = named.mention.name.split()[0].lower() in self._lexicon.given_names
        trusted = (
            trusted_kinds(self._sentence, kind, token, clause, is_given=given) if kind in NAMED_KINDS else anything
        )
        return _as_kind(named.mention, kind, trusted)

    def _skill(self, token: Token, clause: Clause) -> Mention | None:
        """One that is known, or whatever somebody programs in: "I know Java", and not "I know Julia"."""
        named = self.phrases.name(token)
        name = token.text if named is None else named.mention.name
        if name.casefold() in self._lexicon.skills and name != name.lower():
            return Mention(name, SKILL)
        told = named is not None and clause.verb.lemma in ("program", "code")
        return Mention(name, SKILL) if told else None

    def _literal(self, predicate: Predicate, token: Token, clause: Clause) -> Value | None:
        if predicate.literal == "figure":
            return self.phrases.figure(token)
        if predicate.literal == "role":
            named = clause.verb.lemma not in ("be", "become", "name")
            at = not named and at_somebody(self._sentence, token, clause, self._lexicon)
            return self.without_news(self.phrases.role(token, trusted=named or at))
        if predicate.literal == "plan":
            return self._plan(token, clause)
        return self.phrases.literal(token, predicate.literal)

    def without_news(self, role: Value | None) -> Value | None:
        """ "the **new** CTO" is CTO."""
        first, _, rest = ("", "", "") if role is None else role.text.partition(" ")
        return Value(rest) if rest and first.lower() in self._lexicon.role_news else role

    def _plan(self, token: Token, clause: Clause) -> Value | None:
        return plan_of(self._sentence, self._text, token, clause, self._lexicon)

    def say(
        self, match: Match, found: Value | Referent | Unsaid | None, confidence: float | None = None
    ) -> Iterator[Saying]:
        """``saying``, if something was found and it is one."""
        saying = None if found is None else self.saying(match, found, confidence)
        if saying is not None:
            yield saying

    def saying(
        self, match: Match, found: Value | Referent | Unsaid, confidence: float | None = None
    ) -> Saying | None:
        """The match as a saying; None if its subject is not one, or is its own object. ``confidence`` is how sure
        it can be at best, by the stance unless given."""
        clause, predicate, stance = match.clause, match.predicate, match.stance
        if clause.tense is Tense.FUTURE and stance is Stance.HOLDS and _commits(predicate, clause):
            clause = replace(clause, tense=Tense.PRESENT)
        if clause.tense is Tense.PRESENT and clause.passive and stance is Stance.ENDS and not self._dated(clause):
            clause = replace(clause, tense=Tense.PERFECT)
        they = isinstance(found, Unsaid) and match.subject.lower == "they"
        who = Pronoun.THEY if they else self._subject(predicate, match.subject)
        if who is None or who == found:
            return None
        if confidence is None:
            confidence = 0.9 if stance is not Stance.HOLDS else 0.85
        if match.subject.pos == "VERB" or (isinstance(who, Mention) and self.phrases.unsure(match.subject)):
            confidence -= 0.1
        if isinstance(found, Mention) and found.kind in NAMED_KINDS and self.phrases.unsure(match.thing):
            confidence -= 0.1
        polarity = Polarity.POSITIVE if match.negated else clause.polarity
        return Saying(
            predicate=predicate.name,
            stance=stance,
            subject=who,
            object=found,
            tense=clause.tense,
            polarity=Polarity.NO_LONGER if match.former else polarity,
            modality=clause.modality,
            event=predicate.kind is PredicateKind.EVENT,
            lasting=predicate.lasting,
            background=clause.background,
            at=clause.verb.start,
            quote=self._quote(clause.verb),
            reach=self._reach(match),
            confidence=round(confidence, 2),
        )

    def _dated(self, clause: Clause) -> bool:
        return any(t.entity == "DATE" for t in self._sentence.own(clause.verb))

    def _subject(self, predicate: Predicate, token: Token) -> Referent | None:
        match predicate.subject:
            case "Record":
                return self.phrases.record(token)
            case "Work":
                return self.phrases.work(token)
            case "Metric":
                return self.phrases.metric(token)
        if (
            token.lower == "we"
            and predicate.object == "Value"
            and predicate.literal not in ("phrase", "count", "plan")
        ):
            return None
        found = Pronoun.SPEAKER if token.pos in ("VERB", "AUX") else self.phrases.referent(token)
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

    def _reach(self, match: Match) -> tuple[tuple[Span, ...], ...]:
        """Where a time of a clause may stand: beside the object, where several are joined ("to X in May and to Y
        **in June**"); in the clause; before the verb it is joined to; in a change joined to it ("left X and joined
        Y **in May**"); last, in a change told before ("left X **in May** and joined Y")."""
        sentence, clause = self._sentence, match.clause
        own = [*sentence.own(clause.verb), *sentence.own(clause.top)]
        reach, told = [_spans(self._beside(clause, match.thing)), _spans(own)], []
        current = clause.top
        while current.dep == "conj" and (above := sentence.head(current)) is not None:
            reach.append(_spans([t for t in sentence.own(above) if t.index < above.index]))
            if current.tag == above.tag == "VBD":
                told.append(_spans([t for t in sentence.own(above) if t.index > above.index]))
            current = above
        changes = match.stance is not Stance.HOLDS
        for joined in sentence.children(clause.top, "conj"):
            if joined.tag == clause.top.tag and (changes or joined.lemma not in self._changing):
                reach.append(_spans([t for t in sentence.own(joined) if t.index > joined.index]))
        return tuple(r for r in (*reach, *told) if r)

    def _beside(self, clause: Clause, thing: Token) -> list[Token]:
        """The words from one "and" to the next around ``thing`` in its clause if they have a date of their own."""
        tokens, stop = self._sentence.tokens, (clause.verb.index, clause.top.index)
        begin = clause.verb.index if clause.top.dep == "conj" else 0
        first = last = thing.index
        while first > 0 and first != begin and self._goes_on(tokens[first - 1], stop):
            first -= 1
        while last + 1 < len(tokens) and self._goes_on(tokens[last + 1], stop):
            last += 1
        joined = [t for t in (*tokens[:first][-1:], *tokens[last + 1 :][:1]) if t.dep == "cc"]
        found = [*tokens[first : last + 1]] if joined else []
        return found if any(t.entity == "DATE" for t in found) else []

    @staticmethod
    def _goes_on(token: Token, own: tuple[int, int]) -> bool:
        return token.index in own or (
            token.dep not in ("cc", "aux", "auxpass") and token.pos not in ("VERB", "AUX")
        )


def _commits(predicate: Predicate, clause: Clause) -> bool:
    """ "I will handle X" takes it on now."""
    return any(words.startswith(f"will {clause.verb.lemma}") for words in predicate.en.holds)


def _as_kind(mention: Mention, kind: str, trusted: Set[str]) -> Mention | None:
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
