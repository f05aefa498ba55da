"""Counting tokens where no model's tokenizer is at hand."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from numbers import Real
from typing import Final, TypeAlias

from ..temporal.errors import Invalid

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


def checked(count: TokenCounter) -> TokenCounter:
    """The counter, of the same name, whose every count is a number of tokens; a part of one counts as one. It
    raises ``Invalid`` where the counter fails or gives anything else, and so does this for what is no function."""
    if count is estimate_tokens:
        return count
    if not callable(count):
        raise Invalid(f"count={count!r:.60} is no function; give one from a text to its number of tokens")
    name = getattr(count, "__name__", type(count).__name__)

    def counted(text: str) -> int:
        try:
            tokens = count(text)
        except Exception as error:
            raise Invalid(
                f"count: {name} failed ({type(error).__name__}: {error}) on the text {text!r:.60}; give a counter "
                "that takes any text"
            ) from error
        if isinstance(tokens, bool) or not isinstance(tokens, Real) or not 0 <= tokens < math.inf:
            raise Invalid(
                f"count: {name} gave {tokens!r:.60} for the text {text!r:.60}; give a counter whose numbers are 0 "
                "or more"
            )
        return math.ceil(tokens)

    counted.__name__ = name
    return counted
