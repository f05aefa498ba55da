"""Whom and what a sentence mentions, for the pronouns after it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..kg.model import Mention
from .discourse import Antecedent
from .lexicon import Lexicon
from .tokens import LATIN, Token, Word

_ENGLISH_KINDS = {"PERSON": "Person", "ORG": "Organization", "GPE": "Place"}
_CHINESE_KINDS = {"PER": "Person", "ORG": "Organization", "LOC": "Place"}
_ADDRESSES = frozenset({"dr", "lady", "lord", "madam", "miss", "mr", "mrs", "ms", "prof", "sir"})
_SUBJECTS = ("nsubj", "nsubjpass")


def english_mentions(tokens: Sequence[Token], lexicon: Lexicon) -> list[Antecedent]:
    """Names of people, organisations and places, and people without a name."""
    found: list[Antecedent] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        last = index
        if token.entity in _ENGLISH_KINDS and token.pos == "PROPN" and token.dep not in ("npadvmod", "intj"):
            while (
                last + 1 < len(tokens)
                and tokens[last + 1].entity == token.entity
                and tokens[last + 1].pos == "PROPN"
            ):
                last += 1
            first = index - 1 if index and tokens[index - 1].lower.rstrip(".") in _ADDRESSES else index
            run = tokens[first : last + 1]
            name = "".join(t.text + " " * (u.start - t.end) for t, u in pairwise(run))
            mention = Mention(name + run[-1].text, _ENGLISH_KINDS[token.entity])
            found.append(Antecedent(token.start, mention, int(any(t.dep in _SUBJECTS for t in run))))
        elif token.pos == "NOUN" and token.lemma in lexicon.persons | lexicon.roles_en:
            named = any(t.head == token.index and t.dep == "appos" for t in tokens) or token.dep in (
                "compound",
                "appos",
            )
            named = named or any(t.head == token.head and t.dep == "attr" and t.pos == "PROPN" for t in tokens)
            if not named and token.dep != "attr":
                found.append(Antecedent(token.start, None, int(token.dep in _SUBJECTS)))
        index = last + 1
    return found


def chinese_mentions(words: Sequence[Word], lexicon: Lexicon) -> list[Antecedent]:
    """The same of a Chinese sentence; who is named first counts as its subject, unless called ("王芳，你…")."""
    found: list[Antecedent] = []
    for i, word in enumerate(words):
        following = {w.tag for w in words[i + 1 : i + 3]}
        if word.tag == "PER" and i == 0 and len(words) > 1 and words[1].text in ("，", ",", "！", "!"):
            continue
        if word.tag in _CHINESE_KINDS:
            found.append(Antecedent(word.start, Mention(word.text, _CHINESE_KINDS[word.tag]), int(i == 0)))
        elif word.text in lexicon.chinese.persons and not following & {"PER", LATIN}:
            found.append(Antecedent(word.start, None, int(i <= 2)))
    return found
