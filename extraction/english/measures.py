"""Measured values in an English sentence: "my waist is now 95cm", "I weighed myself, still 80kg".

What is measured is named before its figure with nothing but light words between, or is the subject's by its verb,
or is what "it" means; the clause of the last verb before the figure says when and how surely. Differences, bounds
and goals are no values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...kg.model import Modality, Value
from ...kg.ontology import Ontology, Predicate, Unit
from ..lexicon import Lexicon
from ..measures import Figure, figures, may_own
from ..sayings import Polarity, Pronoun, Referent, Saying, Span, Stance, Tense
from ..tokens import Token
from .clauses import Clause, Sentence, clauses
from .figures import CHANGED, COMPARED, FROM, GAP, IT_IS, TO, TODAY, VERB_GAP, may_be_value
from .phrases import Phrases

_NOT_MINE = frozenset(
    {
        *("target", "goal", "ideal", "desired", "dream", "normal", "healthy", "average", "standard", "birth"),
        *(
            "maximum",
            "max",
            "minimum",
            "min",
            "starting",
            "initial",
            "previous",
            "former",
            "old",
            "last",
            "original",
        ),
        *("next", "first", "expected", "recommended", "total", "combined", "shipping", "new"),
    }
)
"""Before a measure they make it another's than somebody's own of now."""
_EVENTS = frozenset({"weigh", "measure", "check", "test", "take", "step"})
_NOUN_ENDS = frozenset({"level", "reading", "value", "measurement", "number", "count"})
_CLINICAL = frozenset({Unit.TEMPERATURE, Unit.PRESSURE, Unit.PULSE, Unit.CONCENTRATION})


@dataclass(slots=True)
class MeasureTriggers:
    """The ontology's measures by their English nouns and verbs."""

    nouns: dict[str, Predicate] = field(default_factory=dict)
    verbs: dict[str, list[tuple[str, Predicate]]] = field(default_factory=dict)
    cue: re.Pattern[str] = re.compile("")
    """What stands in every sentence that measures something: one of the nouns, or a figure."""

    @classmethod
    def of(cls, ontology: Ontology) -> MeasureTriggers:
        found = cls()
        for predicate in ontology.predicates:
            if predicate.unit is None:
                continue
            for noun in predicate.en.possessed:
                found.nouns[noun.lower()] = predicate
            for trigger in predicate.en.holds:
                verb, _, path = trigger.partition(" ")
                found.verbs.setdefault(verb, []).append((path, predicate))
        nouns = "|".join(map(re.escape, sorted({noun.split()[-1] for noun in found.nouns})))
        found.cue = re.compile(rf"\d|\b(?:{nouns}|weigh|step)", re.IGNORECASE)
        return found


@dataclass(frozen=True, slots=True)
class Topic:
    """What a sentence measures, for "it is 104 cm" after it. ``taken``: that it was measured just then is said."""

    predicate: Predicate
    owner: Referent
    end: int = 0
    taken: bool = False
    clause: Clause | None = None
    bare: bool = False


def sayings(
    sentence: Sentence,
    text: str,
    triggers: MeasureTriggers,
    lexicon: Lexicon,
    before: Topic | None,
    *,
    alone: bool,
) -> tuple[list[Saying], Topic | None]:
    """The measures one sentence gives, and what it measures. ``before``: the same of the sentence before;
    ``alone``: nobody else was spoken of to whom a bare "height" could belong."""
    if before is None and triggers.cue.search(text) is None:
        return [], None
    reader = _Reader(sentence, text, triggers, lexicon)
    topics = [t for t in reader.topics() if alone or not t.bare]
    found = list(reader.read(topics, before))
    return found, topics[-1] if topics else None


class _Reader:
    def __init__(self, sentence: Sentence, text: str, triggers: MeasureTriggers, lexicon: Lexicon) -> None:
        self._sentence, self._text, self._triggers, self._lexicon = sentence, text, triggers, lexicon
        self._phrases = Phrases(sentence, text, lexicon)
        self._clauses = {c.verb.index: c for c in clauses(sentence, lexicon)}
        self._clauses |= {c.top.index: c for c in self._clauses.values()}

    # ---- what is measured ----

    def topics(self) -> list[Topic]:
        found = []
        for token in self._sentence.tokens:
            topic = self._noun(token) or self._weighing(token)
            if topic is not None:
                found.append(topic)
        return found

    def _noun(self, token: Token) -> Topic | None:
        named = self._named(token)
        if named is None:
            return None
        predicate, first, last = named
        head = self._sentence.tokens[last]
        described = {
            t.lower
            for n in (token, head)
            for t in self._sentence.children(n, "amod", "compound", "poss")
            if t.index < first
        }
        if described & _NOT_MINE or any(p.lower == "for" for p in self._sentence.children(head, "prep")):
            return None
        if head.dep == "pobj":
            return None  # "out of my budget at $500"
        owner, bare = self._owner(self._sentence.tokens[first : last + 1])
        if owner is None or not may_own(predicate, owner) or (bare and not self._opens(first)):
            return None
        verb = self._verb_above(head)
        taken = verb is not None and verb.lemma in _EVENTS
        if verb is not None and verb.index < first and verb.index not in self._clauses and taken:
            return None
        clause = None if verb is None else self._clauses.get(verb.index)
        return Topic(predicate, owner, head.end, taken, clause, bare)

    def _named(self, token: Token) -> tuple[Predicate, int, int] | None:
        """The longest name of a measure that ends at this token, and its first and last token."""
        tokens = self._sentence.tokens
        last = token.index
        for length in (3, 2, 1):
            first = last - length + 1
            if first < 0:
                continue
            words = [t.lower for t in tokens[first:last]]
            forms = {" ".join([*words, form]) for form in (token.lower, token.lemma.lower())}
            key = next((f for f in forms if f in self._triggers.nouns), None)
            if key is None:
                continue
            if last + 1 < len(tokens) and token.dep in ("compound", "amod", "nmod") and token.head > last:
                if tokens[last + 1].lemma.lower() not in _NOUN_ENDS:
                    return None
                last += 1
            return self._triggers.nouns[key], first, last
        return None

    def _owner(self, tokens: Sequence[Token]) -> tuple[Referent | None, bool]:
        sentence = self._sentence
        for token in tokens:
            for poss in sentence.children(token, "poss"):
                if poss not in tokens:
                    return self._somebody(poss), False
            for prep in sentence.children(token, "prep"):
                inner = sentence.child(prep, "pobj") if prep.lower == "of" else None
                if (
                    inner is not None
                    and not any(c.isdigit() for c in inner.text)
                    and not sentence.children(inner, "nummod")
                ):
                    return self._somebody(inner), False
        determiners = {d.lower for t in tokens for d in sentence.children(t, "det")}
        if determiners & {"a", "an"}:
            having = sentence.head(tokens[-1])
            subject = None if having is None or having.lemma != "have" else sentence.child(having, "nsubj")
            return (None if subject is None else self._somebody(subject)), False
        return (None, False) if determiners else (Pronoun.SPEAKER, True)

    def _somebody(self, token: Token) -> Referent | None:
        found = self._phrases.referent(token)
        return None if found is Pronoun.ADDRESSEE else found

    def _opens(self, first: int) -> bool:
        """A noun without an owner is the speaker's only where a note begins with it: "Waist is now 95cm"."""
        tokens = self._sentence.tokens
        while first > 0 and (tokens[first - 1].pos in ("ADV", "CCONJ", "INTJ") or tokens[first - 1].dep == "amod"):
            first -= 1
        return first == 0 or tokens[first - 1].pos == "PUNCT"

    def _weighing(self, token: Token) -> Topic | None:
        """ "I weighed myself", "weighed in", "stepped on the scale"."""
        if token.pos != "VERB" or token.lemma not in ("weigh", "step") or token.index not in self._clauses:
            return None
        clause = self._clauses[token.index]
        rest = self._text[token.end : token.end + 20].lower()
        ways = re.match(r"\s+(?:myself|himself|herself|in\b)|\s+on (?:to )?(?:the|my) scales?", rest)
        weighed = next((p for path, p in self._triggers.verbs.get("weigh", []) if not path), None)
        if ways is None or weighed is None or clause.polarity is not Polarity.POSITIVE:
            return None
        subject = clause.subject
        owner = Pronoun.SPEAKER if subject is None else self._somebody(subject)
        return None if owner is None else Topic(weighed, owner, token.end + ways.end(), True, clause)

    def _verb_above(self, token: Token) -> Token | None:
        current: Token | None = token
        while current is not None and current.pos not in ("VERB", "AUX"):
            current = self._sentence.head(current)
        return current

    # ---- its figures ----

    def read(self, topics: list[Topic], before: Topic | None) -> Iterator[Saying]:
        former: Figure | None = None
        for figure in figures(self._text):
            if FROM.search(self._text[: figure.start]):
                former = figure
                continue
            if not self._is_value(figure):
                continue
            topic = self._belongs(figure, topics, before, former) or self._by_verb(figure)
            if topic is None:
                continue
            said = self._saying(topic, figure)
            if said is None:
                continue
            if former is not None and said.stance is Stance.BEGINS and former.unit in (Unit.NUMBER, figure.unit):
                yield self._former(said, former, figure)
            former = None
            yield said

    def _is_value(self, figure: Figure) -> bool:
        tail = self._text[figure.end :]
        if not may_be_value(self._text[: figure.start], tail):
            return False
        if figure.unit is not Unit.MONEY and re.match(r"\s*(?:per|a|an)\s+(?:day|week|month|year|hour)\b", tail):
            return False
        after = next((t for t in self._sentence.tokens if t.start >= figure.end), None)
        if after is None or after.lower in ("tall", "now", "today") or after.entity in ("DATE", "TIME"):
            return True
        return after.pos not in ("NOUN", "PROPN", "ADJ", "SYM", "NUM") or after.start > figure.end + 1

    def _belongs(
        self, figure: Figure, topics: list[Topic], before: Topic | None, former: Figure | None
    ) -> Topic | None:
        """What stands before the figure, or what "it" means."""
        named = [t for t in topics if t.end <= figure.start]
        topic = named[-1] if named else None
        if topic is not None and figure.fits(topic.predicate.unit or Unit.NUMBER):
            gap = self._text[topic.end : figure.start]
            if former is not None and topic.end <= former.start:
                gap = gap[: former.start - topic.end] + gap[former.end - topic.end :]
                gap = re.sub(r"\bfrom\b", "", gap, count=1)
            if GAP.fullmatch(gap):
                return topic
        if IT_IS.search(self._text[: figure.start]):
            kept = [
                t for t in (*([before] if before else []), *named) if figure.fits(t.predicate.unit or Unit.NUMBER)
            ]
            return kept[-1] if kept else None
        return None

    def _by_verb(self, figure: Figure) -> Topic | None:
        """ "I weigh 80kg", "I'm 180 cm tall", "Anna earns $85k a year"."""
        verb = self._last_verb(figure, 0)
        if verb is None or verb.index not in self._clauses:
            return None
        clause = self._clauses[verb.index]
        gap = self._text[verb.end : figure.start]
        tall = re.match(r"\s*tall\b", self._text[figure.end :])
        feet = " ft" in figure.text and "in" in figure.text
        for path, predicate in self._triggers.verbs.get(verb.lemma, []):
            if not figure.fits(predicate.unit or Unit.NUMBER) or clause.passive:
                continue
            if verb.lemma == "be" and path == "tall" and not (tall or feet):
                continue
            if verb.lemma == "be" and figure.unit is Unit.NUMBER:
                continue
            if verb.lemma in ("make", "earn") and not re.search(
                r"year|month|hour|week|annually|monthly", figure.text
            ):
                continue
            light = VERB_GAP.fullmatch(gap)
            subject = clause.subject
            owner = None if subject is None else self._somebody(subject)
            if light is None or owner is None or not may_own(predicate, owner):
                continue
            return Topic(predicate, owner, verb.end, False, clause)
        return None

    def _last_verb(self, figure: Figure, after: int) -> Token | None:
        verbs = [
            t
            for t in self._sentence.tokens
            if after <= t.start < figure.start and t.pos in ("VERB", "AUX") and t.dep not in ("aux", "auxpass")
        ]
        return verbs[-1] if verbs else None

    # ---- what it amounts to ----

    def _saying(self, topic: Topic, figure: Figure) -> Saying | None:
        verb = self._last_verb(figure, min(topic.end, figure.start)) or (
            topic.clause.verb if topic.clause is not None and topic.clause.verb.start < figure.start else None
        )
        clause = None if verb is None else self._clauses.get(verb.index)
        if (verb is not None and clause is None) or (topic.clause is None and topic.taken):
            return None
        if clause is not None and (clause.polarity is not Polarity.POSITIVE or clause.phase is not None):
            return None
        how = self._how(topic, clause, figure)
        if how is None:
            return None
        stance, tense, reach = how
        return Saying(
            predicate=topic.predicate.name,
            stance=stance,
            subject=topic.owner,
            object=Value(figure.text),
            tense=tense,
            modality=_modality(clause or topic.clause),
            at=figure.start,
            quote=(0, len(self._text.rstrip())),
            reach=reach,
            confidence=0.75 if topic.bare else 0.85,
        )

    def _how(
        self, topic: Topic, clause: Clause | None, figure: Figure
    ) -> tuple[Stance, Tense, tuple[tuple[Span, ...], ...]] | None:
        """Whether it holds or begins, the tense, and where its time may stand."""
        near = self._near(figure)
        reach = ((near,),) if not topic.taken else ((near,), ((0, figure.end),))
        tense = Tense.PRESENT if clause is None else clause.tense
        if clause is not None and tense is Tense.PAST and clause.verb.lower in self._triggers.verbs:
            tense = Tense.PRESENT  # "I ran 5 km and weigh 70 kg"
        changed = clause is not None and CHANGED.fullmatch(clause.verb.lower) and clause.verb.lemma != "be"
        measured = topic.taken or topic.predicate.unit in _CLINICAL or bool(TODAY.search(self._text))
        match tense:
            case Tense.PAST | Tense.PERFECT if changed and TO.search(self._text[: figure.start]):
                return Stance.BEGINS, tense, reach
            case Tense.PRESENT:
                return Stance.HOLDS, tense, ()
            case Tense.PERFECT if clause is not None and clause.verb.lemma in ("be", "have"):
                return Stance.HOLDS, tense, reach
            case Tense.PAST if changed:
                return None
            case Tense.PAST if measured:
                return Stance.BEGINS, tense, reach
            case Tense.PAST:
                return Stance.HOLDS, tense, reach
        return None

    def _near(self, figure: Figure) -> Span:
        """The stretch around a figure between commas, without what it is compared with."""
        begins = [m.end() for m in re.finditer(r"[,;]|\band\b", self._text[: figure.start])]
        end = COMPARED.search(self._text[figure.end :])
        stop = len(self._text) if end is None else figure.end + end.start()
        return (begins[-1] if begins else 0), stop

    def _former(self, said: Saying, former: Figure, figure: Figure) -> Saying:
        text = former.text
        if former.unit is Unit.NUMBER and figure.unit is not Unit.NUMBER:
            text = figure.text.replace(re.sub(r"[^\d.]", "", figure.text), former.text, 1)
        return Saying(
            predicate=said.predicate,
            stance=Stance.ENDS,
            subject=said.subject,
            object=Value(text),
            tense=said.tense,
            modality=said.modality,
            at=former.start,
            quote=said.quote,
            reach=said.reach,
            confidence=said.confidence,
        )


def _modality(clause: Clause | None) -> Modality:
    return Modality.ASSERTED if clause is None else clause.modality
