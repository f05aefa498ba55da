"""Plans that somebody is on, in a parsed English sentence: "the Gold plan", "the annual subscription", "Pro"."""

from __future__ import annotations

from ..kg.model import Value
from .english_clauses import Clause, Sentence
from .lexicon import Lexicon
from .tokens import Token

_NAMES = frozenset({"compound", "amod", "nmod"})
_OTHERS = frozenset({"PERSON", "GPE", "DATE", "TIME", "CARDINAL", "ORDINAL", "MONEY"})
_CHANGES = frozenset({"upgrade", "downgrade", "switch"})
"""Verbs behind which a plan may go without the noun: "upgraded from Silver to Gold"."""


def plan_of(sentence: Sentence, text: str, token: Token, clause: Clause, lexicon: Lexicon) -> Value | None:
    """The name of the plan that this noun heads or is; None of a plan without one, and of what one plans to do."""
    if token.lemma.lower() not in lexicon.plans:
        return _bare(sentence, token, clause, lexicon)
    known = token.text[0].isupper()
    first = token.index
    while first > 0 and _names(sentence.tokens[first - 1], token, lexicon, known=known):
        first -= 1
    if first == token.index or sentence.children(token, "acl", "relcl"):
        return None
    return Value(text[sentence.tokens[first].start : sentence.tokens[token.index - 1].end])


def _names(word: Token, head: Token, lexicon: Lexicon, *, known: bool) -> bool:
    """Whether a word before the noun is the plan's name. ``known``: only the usual names are."""
    if word.head != head.index or word.dep not in _NAMES:
        return False
    return word.lower in lexicon.plan_names or (
        not known and word.pos == "PROPN" and word.text[0].isupper() and word.entity not in _OTHERS
    )


def _bare(sentence: Sentence, token: Token, clause: Clause, lexicon: Lexicon) -> Value | None:
    prep = sentence.head(token)
    alone = not [t for t in sentence.children(token) if t.dep not in ("punct", "cc", "conj", "prep")]
    if prep is None or prep.dep != "prep" or not alone or clause.verb.lemma not in _CHANGES:
        return None
    usual = token.lower in lexicon.plan_names and token.text[0].isupper()
    return Value(token.text) if usual and prep.lower in ("from", "to") else None
