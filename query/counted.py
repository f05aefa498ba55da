"""Whether a count that was told counts what a question asks. Pure."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Final

from ..kg.slots import what_is_counted
from ..kg.text import cut

_SAME: Final = ("kid child children kiddo", "employee staff worker", "colleague coworker teammate")
"""Words, as full-text search compares them, for the same things."""
_MEANT: Final = {form: group.split()[0] for group in _SAME for word in group.split() for form in cut(word)}
_CLASSIFIER: Final = re.compile(r"^[\d零一二两三四五六七八九十百千万]*\s*[一-鿿](?=[一-鿿])")
_HAN: Final = re.compile(r"[一-鿿]")


def is_asked(count: str, question: str, words: Set[str]) -> bool:
    """Whether "2 kids", 2个孩子 answers the question. ``words``: those of meaning in its English."""
    if _HAN.search(count):
        thing = _CLASSIFIER.sub("", count).strip()
        return bool(thing) and thing in question
    counted = {_meant(word) for word in cut(what_is_counted(count))}
    return bool(words) and {_meant(word) for word in words} <= counted


def _meant(word: str) -> str:
    return _MEANT.get(word, word)
