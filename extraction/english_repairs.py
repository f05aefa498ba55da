"""Where the English parser regularly joins words wrongly, joined as they must be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .tokens import Token

_FINITE = frozenset({"VBZ", "VBD", "VBP"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl", "csubj"})


def repaired(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens with two kinds of wrong governors put right."""
    found = list(tokens)
    for token in tokens:
        if token.dep == "prep" and token.lower == "to":
            _to_the_verb(found, token)
        elif token.dep == "conj" and token.tag in _FINITE:
            _to_the_next(found, token)
    return tuple(found)


def _to_the_verb(tokens: list[Token], to: Token) -> None:
    """ "upgraded from Pro **to** Enterprise": of the verb, not of Pro."""
    start = tokens[to.head]
    above = tokens[start.head]
    if start.dep == "pobj" and above.lower == "from" and above.dep == "prep":
        tokens[to.index] = replace(to, head=above.head)


def _to_the_next(tokens: list[Token], verb: Token) -> None:
    """ "the CFO is Dana and **the CTO** *is* Eve": what stands right before a verb without a subject is its
    subject, and not one more thing of the clause before."""
    noun = tokens[verb.index - 1] if verb.index else verb
    without = not any(t.head == verb.index and t.dep in _SUBJECTS for t in tokens)
    if without and noun.dep == "conj" and noun.pos in ("NOUN", "PROPN", "PRON") and noun.head < noun.index:
        tokens[noun.index] = replace(noun, dep="nsubj", head=verb.index)
