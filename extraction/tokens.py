"""What the language pipelines give, as plain values, so that the rules need no pipeline to be tested."""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a segmented Chinese sentence with its LAC tag or ``LATIN``; ``start:end`` are code points of
    the sentence."""

    text: str
    tag: str
    start: int
    end: int
