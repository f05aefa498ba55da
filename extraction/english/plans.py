"""Plans that somebody is on, in a parsed English sentence: "the Gold plan", "the annual subscription", "Pro"."""

from __future__ import annotations

from ...kg.model import Value
from ..lexicon import Lexicon
from ..tokens import Token
from .clauses import Clause, Sentence

_NAMES = frozenset({"compound", "amod", "nmod"})
_CHANGES = frozenset({"upgrade", "downgrade", "switch"})
"""Verbs behind which a plan may go without the noun: "upgraded from Silver to Gold"."""


def plan_of(sentence: Sentence, text: str, token: Token, clause: Clause, lexicon: Lexicon) -> Value | None:
    """The name of the plan that this noun heads or is; None of a plan without one, and of what one plans to do."""
    if token.lemma.lower() not in lexicon.plans:
        return _bare(sentence, token, clause, lexicon)
    first = token.index
    while first > 0 and _names(sentence.tokens[first - 1], token, lexicon):
        first -= 1
    before = sentence.tokens[first - 1] if first else token
    others = before.dep in {*_NAMES, "nummod"} and before.pos in ("PROPN", "NUM", "NOUN")
    of_something = [p for p in sentence.children(token, "prep") if p.lower in ("of", "to", "with", "from")]
    if first == token.index or others or of_something or sentence.children(token, "acl", "relcl", "nummod"):
        return None
    return Value(text[sentence.tokens[first].start : sentence.tokens[token.index - 1].end])


def _names(word: Token, head: Token, lexicon: Lexicon) -> bool:
    """Whether a word before the noun is one of the usual names of plans. "The Netflix Premium plan" is something
    else: one has it beside other firms' plans."""
    return word.head == head.index and word.dep in _NAMES and word.lower in lexicon.plan_names


def _bare(sentence: Sentence, token: Token, clause: Clause, lexicon: Lexicon) -> Value | None:
    alone = not [t for t in sentence.children(token) if t.dep not in ("punct", "cc", "conj", "prep")]
    above = sentence.head(token)
    if above is None or not alone or token.lower not in lexicon.plan_names or not token.text[0].isupper():
        return None
    is_it = token.dep in ("attr", "acomp") and clause.verb.lemma == "be"  # "our plan is Pro"
    changes = clause.verb.lemma in _CHANGES and above.dep == "prep" and above.lower in ("from", "to")
    return Value(token.text) if is_it or changes else None
