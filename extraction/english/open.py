"""Open relations: what a clause states whose verb the ontology does not know, named by the verb itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...kg.model import THING, Mention, Value
from ...kg.ontology import Predicate, Unit
from ...temporal.rules import PredicateKind
from ..lexicon import Lexicon
from ..measures import figures
from ..sayings import Polarity, Pronoun, Referent, Saying, Stance, Tense
from ..tokens import Token
from .clauses import SUBJECTS, Clause, Sentence
from .frames import Argument, arguments
from .sides import NAMED_KINDS, Match, Sides
from .triggers import EnglishTriggers

CONFIDENCE = 0.7
"""Of an open relation: what a verb means that nobody described is less sure than a known predicate."""
_NAME = re.compile(r"[A-Z][A-Z_]{1,60}")
_DOUBLED = re.compile(r"([bdgmnpt])\1e$")
"""The lemmatiser makes "blogge" of "blogging"."""
_ANYTHING = frozenset({THING, "Topic", "Value"})
_TIMES = frozenset({"DATE", "TIME"})
_AMOUNTS = frozenset({"MONEY", "PERCENT", "QUANTITY"})
_PLACES = frozenset({"GPE", "LOC", "FAC"})
_ASIDE = frozenset({"neg", "relcl", "acl", "advcl", "appos", "conj", "cc", "punct", "preconj", "ccomp"})
_JOINTS = "-:/@"
_ALSO = 6
"""Words that may follow the head of an object in its text: "charity race **for mental health**"."""


class OpenRelations:
    """Reads the clauses of one sentence in which no trigger of the ontology was found.

    Only what is stated of the speaker ("we" is the speaker too), of a name or of a person already named; the
    object must be a name, a noun phrase with a meaning of its own, or what somebody goes doing. Verbs of
    thinking, saying, feeling and the lightest ones ("do", "come") name no relation.
    """

    def __init__(
        self, sentence: Sentence, text: str, triggers: EnglishTriggers, lexicon: Lexicon, sides: Sides
    ) -> None:
        self._sentence, self._text, self._lexicon, self._sides = sentence, text, lexicon, sides
        self._triggers = triggers

    def sayings(self, clause: Clause, subject: Token) -> Iterator[Saying]:
        """What the clause says of ``subject`` by its own verb."""
        verb = clause.verb
        if verb.pos not in ("VERB", "AUX") or not verb.text.isalpha() or not self._means_something(clause):
            return
        if self._holder(clause, subject) is None:
            return
        found = [a for a in arguments(self._sentence, verb) if a.head.index > verb.index]
        direct = [a for a in found if a.head.dep in ("dobj", "oprd")][-1:] or self._antecedent(clause)
        for argument in self._outing(clause) or direct or [a for a in found if a.path]:
            said = list(self._of(clause, subject, argument, found))
            yield from said
            if said and argument.path:
                return

    def _of(self, clause: Clause, subject: Token, argument: Argument, found: list[Argument]) -> Iterator[Saying]:
        """What is said by one argument; ``found`` are all of the verb's."""
        name = self._name(clause, argument)
        if name is None or self._is_known(clause, argument):
            return
        behind = [a for a in found if a.path and a.head.index > argument.head.index]
        for head in self._sides.both(argument.head):
            if any(t.text == ":" for t in self._sentence.tokens[clause.verb.index : head.index]):
                break
            if clause.verb.lemma == "have" and self._is_named(head):
                continue
            thing = self._object(head, [] if argument.path else behind)
            if thing is None:
                continue
            match = Match(
                clause=clause,
                predicate=Predicate(name=name),
                stance=self._stance(clause),
                subject=subject,
                thing=head,
            )
            yield from self._sides.say(match, thing, CONFIDENCE)

    def _means_something(self, clause: Clause) -> bool:
        verb = clause.verb
        if clause.passive and verb.lemma in self._lexicon.open_feelings:
            return False
        past = clause.tense in (Tense.PAST, Tense.PERFECT)
        if clause.polarity in (Polarity.NEGATIVE, Polarity.NEVER) and (past or clause.tense is Tense.FUTURE):
            return False
        if self._sentence.children(verb, "acomp"):
            return False
        return not any(t.lower in ("how", "what", "where", "why") for t in self._sentence.children(clause.top))

    def _holder(self, clause: Clause, token: Token) -> Referent | None:
        """Somebody who can be followed up. "You" is left out: it praises, advises and supposes."""
        if token.pos in ("VERB", "AUX"):
            return Pronoun.SPEAKER
        if any(t.lower in ("that", "which") for t in self._sentence.children(clause.top, *SUBJECTS)):
            return None
        found = self._sides.phrases.referent(token)
        if found is Pronoun.ADDRESSEE or token.dep == "poss":
            return None
        known = not isinstance(found, Mention) or found.kind in NAMED_KINDS
        return found if known else None

    def _antecedent(self, clause: Clause) -> list[Argument]:
        """The object of a relative clause stands before it: "**the recipe** I made", "a club I belong to"."""
        top, subject = clause.top, clause.subject
        noun = self._sentence.head(top) if top.dep == "relcl" else None
        if noun is None or subject is None or noun.index == subject.index:
            return []
        stranded = [p for p in self._sentence.children(clause.verb, "prep") if not self._sentence.children(p)]
        return [Argument(tuple(stranded[:1]), noun)]

    def _outing(self, clause: Clause) -> list[Argument]:
        """ "went **camping**"."""
        doing = self._sentence.children(clause.verb, "xcomp", "advcl", "dobj")
        return [Argument((), t) for t in doing if clause.verb.lemma == "go" and _goes_doing(clause.verb, t)]

    def _name(self, clause: Clause, argument: Argument) -> str | None:
        verb, path = clause.verb, [t.lower for t in argument.path]
        if clause.passive and not path:
            return None
        lemma = _DOUBLED.sub(r"\1", verb.lemma)
        outing = lemma == "go" and _goes_doing(verb, argument.head)
        if (
            lemma in self._lexicon.open_light
            and not outing
            and " ".join([lemma, *path]) not in self._lexicon.open_heavy
        ):
            return None
        name = "_".join([*(["be", verb.lower] if clause.passive else [lemma]), *path]).upper()
        return name if _NAME.fullmatch(name) else None

    def _is_known(self, clause: Clause, argument: Argument) -> bool:
        """Whether the ontology has these words for anything at all: what it did not take there is nothing. Where
        it wants a name of some kind, or an event, what is no name is a relation of its own ("joined a gym")."""
        path = " ".join(t.lower for t in argument.path)
        lemma, form = clause.verb.lemma, clause.verb.lower
        known = [t.predicate for t in self._triggers.verbs.get((lemma, path), [])]
        known += [t.predicate for t in self._triggers.behind("be", form, path)]
        named = argument.head.pos == "PROPN"
        if f"{lemma} {path}" in self._lexicon.open_moving and named and argument.head.entity not in _PLACES:
            return False
        known = [p for p in known if p.literal != "plan"]  # "have", "sign" and "choose" are said of anything
        return any(p.kind is not PredicateKind.EVENT and (named or p.object in _ANYTHING) for p in known)

    def _is_named(self, head: Token) -> bool:
        """ "a son, **Leo**": with a name, somebody is more than one's son."""
        named = any(t.entity == "PERSON" for t in self._sentence.children(head, "appos"))
        return named and head.lemma.lower() in self._triggers.possessed

    def _stance(self, clause: Clause) -> Stance:
        if clause.phase is not None:
            return Stance.BEGINS if clause.phase == "begin" else Stance.ENDS
        if clause.polarity is Polarity.NO_LONGER or clause.verb.lemma in self._lexicon.open_states:
            return Stance.HOLDS
        doing = clause.top.tag == "VBG" or clause.verb.tag == "VBG"
        past = clause.tense in (Tense.PAST, Tense.PERFECT) and not doing
        return Stance.BEGINS if past else Stance.HOLDS

    def _counted(self, head: Token) -> Token:
        """ "a lot of **videos**"."""
        of = self._sentence.child(head, "prep") if head.lemma.lower() in self._lexicon.open_counts else None
        inner = self._sentence.child(of, "pobj") if of is not None and of.lower == "of" else None
        return head if inner is None else inner

    def _object(self, head: Token, behind: list[Argument]) -> Mention | Value | None:
        phrases = self._sides.phrases
        head = self._counted(head)
        if head.tag == "VBG" and head.dep in ("xcomp", "advcl"):
            return Value(head.text.lower())
        if self._is_half(head):
            return None
        if (
            head.pos not in ("NOUN", "PROPN")
            or head.entity in _TIMES
            or head.lemma.lower() in self._lexicon.open_vague
        ):
            return None
        if {t.lower for t in self._sentence.children(head, "det", "poss")} & self._lexicon.open_pointing:
            return None
        named = phrases.name(head)
        if named is not None and named.mention.name.casefold() in self._lexicon.skills:
            return Value(named.mention.name)  # nobody is called so, and an island may be
        if named is not None and named.mention.kind in NAMED_KINDS:
            return named.mention
        if any(t.lower in ("named", "called") for t in self._sentence.children(head, "acl")):
            return None
        text = named.mention.name if named is not None else phrases.phrase(head)
        if text is None or head.lemma.lower() in self._lexicon.weekdays:
            return None
        whole = " ".join([text, *self._following(head, behind)]).strip(" .,;:!")
        bare = head.lemma.lower() in self._lexicon.open_bare and " " not in whole
        measured = any(f.unit is not Unit.NUMBER for f in figures(whole))
        return None if bare or measured or len(whole) < 2 or head.entity in _AMOUNTS else Value(whole)

    def _is_half(self, head: Token) -> bool:
        """Half of a word that the parser cut: "**de**-stress"."""
        tokens = self._sentence.tokens
        after = any(t.start == head.end and t.text[0] in _JOINTS for t in tokens[head.index + 1 : head.index + 2])
        return after or any(t.end == head.start and t.text in ":/@" for t in tokens[: head.index][-1:])

    def _following(self, head: Token, behind: list[Argument]) -> list[str]:
        """What the object's own prepositions and the verb's next ones add to it; no times."""
        found: list[str] = []
        last = head.index
        added = [
            Argument((p,), o)
            for p in self._sentence.children(head, "prep")
            for o in self._sentence.children(p, "pobj")
        ]
        for argument in sorted([*added, *behind], key=lambda a: a.head.index):
            tokens = [*argument.path, *self._sentence.subtree(argument.head, stop=_ASIDE)]
            tokens.sort(key=lambda t: t.index)
            if tokens[0].index <= last or (argument.path[0].lower == "of" and not found):
                continue
            if any(t.entity in _TIMES or t.pos == "VERB" for t in tokens) or len(found) + len(tokens) > _ALSO:
                break
            if any(t.pos == "PRON" and t.dep != "poss" for t in tokens):
                break
            found += [t.text for t in tokens if t.dep not in ("poss", "det") or t.pos not in ("PRON", "DET")]
            last = tokens[-1].index
        return found


def _goes_doing(verb: Token, doing: Token) -> bool:
    return doing.lower.endswith("ing") and doing.index == verb.index + 1
