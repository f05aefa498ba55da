"""Cutting texts into the words that full-text search compares. Indexing and asking must cut alike."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

import snowballstemmer  # type: ignore[import-untyped]

_LONGEST: Final = 64
"""Code points kept of one word; what is longer is no word a person types."""

_UNSPACED: Final = (
    "\u3005\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U0001b000-\U0001b16f\U00020000-\U0003347f\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3"
)
"""Scripts written without spaces, or glued to endings: Han, kana, Hangul, Thai, Lao, Burmese, Khmer."""

_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u0900-\u0963\u0966-\u0df3\u0f18-\u0fbc"
)
"""Vowel signs and other marks inside words, which ``\\w`` leaves out."""

_LETTER: Final = rf"(?:(?![{_UNSPACED}])[^\W_]|[{_MARKS}])"
_WORDS: Final = re.compile(
    rf"(?P<unspaced>[{_UNSPACED}]+)|(?P<spaced>{_LETTER}+(?:[-._/:@&']{_LETTER}+)*(?:\+\+|\#)?)"
)
_PARTS: Final = re.compile(rf"{_LETTER}+")
_DIGITS_OR_LETTERS: Final = re.compile(r"\d+|\D+")
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_POSSESSIVE: Final = re.compile(r"'s?$")
_PLAIN_ENGLISH: Final = re.compile(r"[a-z']{3,}")

_COMMONEST: Final = (
    "a an and are as at be been but by do does did for from had has have if in into is it its of on or so such "
    "than that the their then there these they this those to was were will with would"
)
_SILENT: Final = frozenset(_COMMONEST.split())
"""Words that carry nothing in a search and stand in nearly every sentence."""

_local = threading.local()


def cut(text: str) -> list[str]:
    """The words of ``text`` in order, repeated as often as they stand there.

    NFKC, case folded, Latin accents dropped; English words stemmed (Snowball), its commonest function words left
    out unless there is nothing else. Scripts without spaces give every character and every pair of neighbours.
    Ids, numbers and addresses are kept whole and also given in parts: ``CN-A10293`` is ``cn-a10293``, ``cn``,
    ``a10293``, ``10293``. No word contains white space or control characters.
    """
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).replace("’", "'")
    if not text.isascii():
        text = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))
    words: list[str] = []
    silent: list[str] = []
    for match in _WORDS.finditer(_THOUSANDS.sub("", text)):
        if match["unspaced"] is not None:
            words += _pairs(match["unspaced"])
        elif match["spaced"] in _SILENT:
            silent.append(match["spaced"])
        else:
            words += _forms(match["spaced"])
    return words or silent


def _pairs(run: str) -> Iterator[str]:
    yield from run
    yield from map("".join, pairwise(run))


@lru_cache(maxsize=65536)
def _forms(word: str) -> tuple[str, ...]:
    """A spaced word as it is looked up: its stem, or the whole and the parts of what is not a plain word."""
    word = _POSSESSIVE.sub("", word) or word
    if _PLAIN_ENGLISH.fullmatch(word):
        return (_stem(word)[:_LONGEST],)
    parts = [part for part in _PARTS.findall(word) if part != word]
    forms = [word, *(_stem(part) if _PLAIN_ENGLISH.fullmatch(part) else part for part in parts)]
    for part in parts or [word]:
        pieces = _DIGITS_OR_LETTERS.findall(part)
        if len(pieces) > 1:
            forms += [piece for piece in pieces if len(piece) > 1]
    return tuple(dict.fromkeys(form[:_LONGEST] for form in forms))


def _stem(word: str) -> str:
    # A stemmer object keeps the word it works on, so threads must not share one.
    if not hasattr(_local, "stemmer"):
        _local.stemmer = snowballstemmer.stemmer("english")
    stem: str = _local.stemmer.stemWord(word)
    return stem
