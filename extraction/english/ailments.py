"""Illnesses that get better or worse in an English sentence: "my fatty liver has gone from moderate to mild"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...kg.model import Mention
from ..ailments import CONDITION, GRADES_EN, english_ailment, names_ailment, regraded, without_grade
from ..lexicon import Lexicon
from ..sayings import Polarity, Pronoun, Referent, Saying, Stance, Tense
from ..tokens import Token
from .clauses import Clause, Sentence, clauses
from .phrases import Phrases

_GRADE = "|".join(GRADES_EN)
_FROM_TO = re.compile(rf"\bfrom\s+(?P<old>{_GRADE})\s+to\s+(?P<new>{_GRADE})\b", re.IGNORECASE)
_NOW = re.compile(
    rf"^\s*(?:(?:now|only|just|currently|down|back|improved|worsened|become|turned|to)\s+)*(?P<new>{_GRADE})\b(?!\s+(?:to|case))",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"\b(?:gone|disappeared|vanished|cured|cleared up|resolved|went away|gone away|healed)\b(?!\s+from)"
)
_BECOMING = frozenset({"become", "turn", "improve", "worsen", "progress", "get", "go", "drop", "come"})


def ailment_of(sentence: Sentence, text: str, head: Token, lexicon: Lexicon) -> Mention | None:
    """The illness that a noun names; None for "no asthma" and "your asthma"."""
    if head.pos not in ("NOUN", "PROPN", "ADJ"):
        return None
    if any(d.lower in lexicon.pointing - {"some"} for d in sentence.children(head, "det")):
        return None
    name = english_ailment(text[: head.end], lexicon.ailments)
    return None if name is None else Mention(name, CONDITION)


def sayings(sentence: Sentence, text: str, predicate: str, lexicon: Lexicon) -> Iterator[Saying]:
    """Changes of somebody's illnesses, as sayings of ``predicate``."""
    if not names_ailment(text, lexicon.ailments):
        return
    phrases = Phrases(sentence, text, lexicon)
    for clause in clauses(sentence, lexicon):
        subject = clause.subject
        if subject is None or clause.polarity is not Polarity.POSITIVE or clause.tense is Tense.FUTURE:
            continue
        poss = sentence.child(subject, "poss")
        owner = None if poss is None else phrases.referent(poss)
        name = english_ailment(text[: subject.end], lexicon.ailments)
        if name is None or owner is None or owner is Pronoun.ADDRESSEE or clause.verb.start < subject.end:
            continue
        plain = without_grade(name)
        yield from _changes(clause, plain, (predicate, owner), text)


def _changes(clause: Clause, name: str, about: tuple[str, Referent], text: str) -> Iterator[Saying]:
    rest = re.split(r"[,;!?]|\.(?:\s|$)|\bbut\b", text[clause.verb.start :])[0]
    after = rest[len(clause.verb.text) :]
    done = clause.tense in (Tense.PAST, Tense.PERFECT)
    if (change := _FROM_TO.search(rest)) is not None and done:
        yield _saying(clause, about, f"{change['old'].lower()} {name}", Stance.ENDS, text)
        yield _saying(clause, about, f"{change['new'].lower()} {name}", Stance.BEGINS, text)
    elif (now := _NOW.search(after)) is not None:
        becoming = clause.verb.lemma in _BECOMING and done
        if becoming or (clause.verb.lemma == "be" and clause.tense is Tense.PRESENT):
            stance = Stance.BEGINS if becoming else Stance.HOLDS
            said = _saying(clause, about, f"{now['new'].lower()} {name}", stance, text)
            yield said
            yield from regraded(said, changed=True)
    elif _GONE.search(rest):
        said = _saying(clause, about, name, Stance.ENDS, text)
        yield said
        yield from regraded(said)


def _saying(clause: Clause, about: tuple[str, Referent], name: str, stance: Stance, text: str) -> Saying:
    return Saying(
        predicate=about[0],
        stance=stance,
        subject=about[1],
        object=Mention(name, CONDITION),
        tense=Tense.PERFECT if clause.tense is Tense.PRESENT and stance is Stance.ENDS else clause.tense,
        modality=clause.modality,
        at=clause.verb.start,
        quote=(0, len(text.rstrip())),
        reach=(((0, len(text)),),),
        confidence=0.85,
    )
