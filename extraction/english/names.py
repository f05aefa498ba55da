"""Proper names in a parsed English sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...kg.identifiers import identifier
from ...kg.model import PERSON, THING, Mention
from ..lexicon import Lexicon
from ..tokens import Token, is_numbered
from .clauses import Sentence

ORGANIZATION, PLACE = "Organization", "Place"
_KINDS = {"PERSON": PERSON, "ORG": ORGANIZATION, "GPE": PLACE, "LOC": PLACE, "FAC": PLACE}
_TIMES = frozenset({"DATE", "TIME"})
_SUBJECTS = ("nsubj", "nsubjpass")
_INSIDE_NAME = frozenset({"compound", "nmod", "flat", "nummod", "amod", "punct"})
_TITLE = re.compile(r"[\"“«《]([^\"”»》]{2,60})[\"”»》]")
_LONGEST_NAME = 6
_MARKED = re.compile(r"@|\w:\w*\d")


@dataclass(frozen=True, slots=True)
class Name:
    """A proper name in the sentence, with the kind the parser gives it (``Thing`` if none)."""

    mention: Mention
    tokens: tuple[Token, ...]


class Names:
    """Reads the proper names of one sentence."""

    def __init__(self, sentence: Sentence, text: str, lexicon: Lexicon) -> None:
        self._sentence, self._text, self._lexicon = sentence, text, lexicon
        self._titles = [m.span(1) for m in _TITLE.finditer(text)]

    def _title(self, token: Token) -> str | None:
        """The quoted title that the token stands in: "The Power"."""
        return next((self._text[a:b].strip(" ,.") for a, b in self._titles if a <= token.start < b), None)

    def name(self, head: Token) -> Name | None:
        """The proper name that this noun heads; None for common nouns, times and pronouns."""
        if _MARKED.search(head.text) and identifier(head.text) is not None:
            return Name(Mention(head.text, PERSON if "@" in head.text else THING), (head,))
        if head.pos not in ("PROPN", "NOUN", "ADJ", "X") or head.entity in _TIMES:
            return None
        kind = _KINDS.get(head.entity)
        firm = kind == ORGANIZATION and self._sentence.child(head, "compound") is not None  # "Northwind Foods"
        if (head.tag == "NNPS" and kind != PLACE and not firm) or self._title(head) is not None:
            return None
        if head.pos != "PROPN" and kind is None and head.entity != "PRODUCT":
            return None
        tokens = self._name_tokens(head)
        if not tokens or len(tokens) > _LONGEST_NAME or not any(c.isalpha() for t in tokens for c in t.text):
            return None
        if not any(t.text != t.text.lower() or not t.text.isascii() for t in tokens):
            return None
        text = self._text[tokens[0].start : tokens[-1].end]
        if text.lower() in self._lexicon.weekdays | self._lexicon.departments or "\n" in text:
            return None
        return Name(Mention(text, self._kind(tokens, head)), tokens)

    def _kind(self, tokens: tuple[Token, ...], head: Token) -> str:
        """The parser takes many a given name for an organisation, or a place ("**Sofia** joined")."""
        known = tokens[0].lower in self._lexicon.given_names and len(tokens) <= 2
        acts = head.entity == "GPE" and head.dep in _SUBJECTS and self._sentence.tokens[head.head].lemma != "be"
        return PERSON if known and (acts or head.entity in ("ORG", "")) else _KINDS.get(head.entity, THING)

    def _name_tokens(self, head: Token) -> tuple[Token, ...]:
        all_tokens = self._sentence.tokens
        first = last = head.index
        while first > 0 and self._belongs(all_tokens[first - 1], head):
            first -= 1
        last = self._titled(head)
        if head.entity in _KINDS:
            while (
                last + 1 < len(all_tokens)
                and all_tokens[last + 1].entity == head.entity
                and (all_tokens[last + 1].pos in ("PROPN", "NUM", "ADP", "CCONJ", "DET"))
                and all_tokens[last + 1].dep != "quantmod"
                and all_tokens[last + 1].lower != "to"
            ):
                last += 1
            while last > head.index and all_tokens[last].pos in ("ADP", "CCONJ", "DET"):
                last -= 1
        if is_numbered(all_tokens, head, last):
            last += 1
        first = self._whole(first)
        while first < head.index and (
            all_tokens[first].pos in ("DET", "PUNCT") or all_tokens[first].lower == "the"
        ):
            first += 1
        while first < head.index and head.entity == "PERSON" and self._is_title(all_tokens[first]):
            first += 1
        return tuple(all_tokens[first : last + 1])

    def _is_title(self, token: Token) -> bool:
        """ "**CEO** Tom Hill", "**Ex-CEO** Tom Hill"."""
        known = self._lexicon.roles_en | self._lexicon.no_office | {"ex-"}
        return token.lower in known or token.lower.removeprefix("ex-") in known or token.text == "-"

    def _titled(self, head: Token) -> int:
        """The last token of "Particular Sadness **of Lemon Cake**"."""
        for of in self._sentence.children(head, "prep"):
            inner = self._sentence.child(of, "pobj")
            close = of.lower == "of" and of.index == head.index + 1 and inner is not None
            if close and inner is not None and inner.pos == "PROPN" and not head.entity and head.text.istitle():
                return inner.index
        return head.index

    def _whole(self, first: int) -> int:
        """Not the end of a hyphenated word: "Wi-Fi", "budget-friendly"."""
        tokens = self._sentence.tokens
        while (
            first > 0
            and tokens[first - 1].end == tokens[first].start
            and ("-" in (tokens[first].text, tokens[first - 1].text))
        ):
            first -= 1
        return first

    def _belongs(self, token: Token, head: Token) -> bool:
        office = token.text.isupper() and token.lower in self._lexicon.roles_en and head.entity == "PERSON"
        if token.pos == "PROPN" and token.dep in _INSIDE_NAME and token.head <= head.index and not office:
            return True
        if token.pos == "PROPN" and head.entity and token.entity == head.entity:
            return True
        return token.text in ("-", "&", "'s", "’s") and head.entity in _KINDS and token.entity == head.entity

    def unsure(self, head: Token) -> bool:
        """A name to which the parser gives no kind."""
        return head.pos == "PROPN" and head.entity not in _KINDS
