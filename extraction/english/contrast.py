"""What "not", "neither", "nor" and "but" say of one part of a clause: "works at Bosch, **not at Siemens**"."""

from __future__ import annotations

from dataclasses import replace

from ..sayings import Polarity
from ..tokens import Token
from .clauses import Clause, Sentence, contrasts

_JOINTS = frozenset({"and", "but", "neither", "nor", "not", "or"})
_INSIDE = frozenset({"amod", "case", "compound", "det", "nmod", "nummod", "poss"})
_BEFORE_NOUN = frozenset({"ADJ", "ADP", "ADV", "DET", "NUM"})
_NOW = frozenset({"now", "currently", "anymore"})


def heard_of(sentence: Sentence, clause: Clause, thing: Token) -> Clause:
    """The clause as it speaks of ``thing``: denied behind a "not" of its own, "neither" and "nor"; behind a "but"
    as if the clause were not denied ("does not live in Rome **but in Oslo**")."""
    before = _lead(sentence, thing)
    if before is None or before.index < clause.verb.index:
        return clause
    if contrasts(sentence, before):
        now = any(t.lower in _NOW for t in sentence.own(clause.verb))
        return replace(clause, polarity=Polarity.NEGATIVE if now else Polarity.NEVER)
    if before.lower in ("neither", "nor"):
        return replace(clause, polarity=Polarity.NEGATIVE)
    if before.lower == "but" and clause.polarity is not Polarity.POSITIVE:
        return replace(clause, polarity=Polarity.POSITIVE)
    return clause


def _lead(sentence: Sentence, thing: Token) -> Token | None:
    """The word before the phrase that ``thing`` heads, its preposition included."""
    tokens, first = sentence.tokens, thing.index
    while first > 0 and _belongs(tokens[first - 1], thing):
        first -= 1
    return tokens[first - 1] if first else None


def _belongs(token: Token, thing: Token) -> bool:
    inside = token.index == thing.head or token.dep in _INSIDE or token.pos in _BEFORE_NOUN
    return inside and token.lower not in _JOINTS
