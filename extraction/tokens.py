"""What the language pipelines give, as plain values, so that the rules need no pipeline to be tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LATIN: Final = "LATIN"
"""The tag of a run of Latin letters, digits and inner spaces in a Chinese sentence."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a parsed English sentence. ``head`` is the index of its governor (its own at a root);
    ``start:end`` are code points of the sentence; ``tag`` is Penn Treebank, ``dep`` ClearNLP as spaCy names it,
    ``entity`` an OntoNotes label or empty."""

    index: int
    text: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    entity: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        return self.text.lower().replace("’", "'")


def is_numbered(tokens: Sequence[Token], head: Token, last: int) -> bool:
    """Whether a number behind the name that ends at ``last`` belongs to it: "Web Summit 2015", and not the years
    of "lived in Rome 2015-2019"."""
    number, *behind = [*tokens[last + 1 : last + 3], None][:2]
    if number is None or number.pos != "NUM" or number.head != head.index or not number.text.isdigit():
        return False
    ranged = behind[0] is not None and behind[0].text in ("-", "–", "—", "to")
    return not ranged and not (head.entity == "GPE" and len(number.text) == 4)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a segmented Chinese sentence with its LAC tag or ``LATIN``; ``start:end`` are code points of
    the sentence."""

    text: str
    tag: str
    start: int
    end: int
