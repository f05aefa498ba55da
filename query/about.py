"""How far a text is about whom a question names. Pure.

A name of several words is held whole ("Ann Lee"), by a word of it alone ("Lee said"), or not: that a text has a
part of it only beside other names ("Bob Lee", "Ann Ross") says that it is about somebody else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ..kg.ids import normalise

_ALONE: Final = 0.9
_PART: Final = 0.5
_READ: Final = 20_000
"""Names are looked for this far into a text."""

_TOKEN: Final = re.compile(r"[^\W_](?:[\w'’-]*\w)?")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_JOINED: Final = re.compile(r"^[\s.]*$")
_TITLES: Final = frozenset(
    {"mr", "mrs", "ms", "dr", "sir", "dame", "lord", "lady", "president", "professor", "the"}
)
_SMALL: Final = frozenset({"who", "what", "where", "when", "which", "why", "how", "is", "was", "did", "does", "i"})


@dataclass(frozen=True, slots=True)
class Named:
    """A name in a question: its words, folded."""

    words: tuple[str, ...]


def names_in(text: str) -> tuple[Named, ...]:
    """The runs of words written with a capital in a sentence, but its first word; small words may join them."""
    tokens = list(_TOKEN.finditer(text))
    found: list[tuple[str, ...]] = []
    run: list[str] = []
    last_end = 0
    for place, token in enumerate(tokens):
        word = re.sub(r"['’]s?$", "", token[0])
        joined = bool(run) and _JOINED.match(text[last_end : token.start()]) is not None
        capital = word[:1].isupper() and place > 0 and normalise(_unaccented(word)) not in _SMALL
        if not joined and run:
            found.append(tuple(run))
            run = []
        if capital:
            run.append(normalise(_unaccented(word)))
        elif run:
            found.append(tuple(run))
            run = []
        last_end = token.start() + len(word) if word != token[0] else token.end()
    if run:
        found.append(tuple(run))
    return tuple(dict.fromkeys(Named(words) for words in found if any(len(w) > 2 for w in words)))


def whole_names(known: Iterable[str], names: Sequence[Named]) -> frozenset[str]:
    """Of names that are known, folded, those that are no part of a longer one in the question: of "Ann Lee", "lee"
    alone may be somebody else."""
    folded = {normalise(name) for name in known}
    return frozenset(n for n in folded if not any(n in name.words and len(name.words) > 1 for name in names))


def share_held(text: str, names: Sequence[Named], known: Collection[str]) -> float:
    """The best share of any of the names in a text, from 0 to 1; ``known``: names that hold anywhere."""
    text = _unaccented(text[:_READ])
    folded = text.casefold()
    if any(name in folded for name in known):
        return 1.0
    return max((_share(text, folded, name) for name in names), default=0.0)


@lru_cache(maxsize=1_024)
def _unaccented(text: str) -> str:
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))


def _share(text: str, folded: str, name: Named) -> float:
    long = [w for w in name.words if len(w) > 2]
    having = [w for w in long if w in folded]
    if not having:
        return 0.0
    if len(having) == len(long):
        return 1.0
    if any(_stands_alone(text, word, name.words) for word in having):
        return _ALONE
    return _PART * len(having) / len(long)


@lru_cache(maxsize=1_024)
def _with_what_is_beside(word: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:\b(?P<before>[^\W\d_][\w'’-]+)(?P<dot>\.?)\s+)?\b{re.escape(word)}\b(?:\s+(?P<after>[^\W\d_][\w'’-]+))?",
        re.IGNORECASE,
    )


def _stands_alone(text: str, word: str, words: Collection[str]) -> bool:
    """Whether it stands somewhere without a name beside it that is not in the question."""
    for found in _with_what_is_beside(word).finditer(text):
        before, after = found["before"] or "", found["after"] or ""
        strange = [w for w in (before, after) if w[:1].isupper() and w.casefold() not in (*words, *_TITLES)]
        if not strange or (strange == [before] and found["dot"]):
            return True
    return False
