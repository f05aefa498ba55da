"""Counting tokens where no model's tokenizer is at hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

TokenCounter: TypeAlias = Callable[[str], int]
"""How many tokens a text costs the model that is to read it."""

_PIECE: Final = re.compile(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9]")
_LETTERS: Final = 6
_DIGITS: Final = 3


def estimate_tokens(text: str) -> int:
    """The built-in count: a token for each six letters of a word (begun ones count), each three digits, each sign
    and each character of other scripts. A rule of thumb that is meant to err upwards, compared with no tokenizer;
    where the number matters, give your model's own counter."""
    total = 0
    for match in _PIECE.finditer(text):
        size = match.end() - match.start()
        first = match[0][0]
        per = _LETTERS if first.isascii() and first.isalpha() else _DIGITS if first.isdigit() else 1
        total += -(-size // per)
    return total
