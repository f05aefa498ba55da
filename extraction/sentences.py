"""Cutting a turn into the sentences worth reading, each in one language, with offsets into the episode."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Language: TypeAlias = Literal["en", "zh"]

_HAN = re.compile(r"[㐀-鿿豈-﫿]")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_UNSHOWN = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z](?![\w.+-]*@)[^<>\n]{0,300}>")
_QUOTED_LINE = re.compile(r"^[ \t]*[>|].*$", re.MULTILINE)
_QUOTED_TAIL = re.compile(
    r"^(?:On .{5,120} wrote:|-{2,} ?(?:Original Message|Forwarded message).*|.{2,60}写道[:：])\s*$", re.MULTILINE
)
_REMEMBERED = re.compile(
    r"^## Memory: [a-z ]+\r?$(?:\n- [^\n]*)*|<memory>.*?(?:</memory>|\Z)|"
    r"(?:\{\"kind\": \"memory\"|\[?\{\"role\": \"system\", \"content\": \"## Memory: )[^\n]*",
    re.MULTILINE | re.DOTALL,
)
"""A block of memory as ``View.context`` writes it, which nobody said anew."""
_ADDRESS = re.compile(r"https?://\S+")
_END = re.compile(r"[。！？!?\n；;]+[”」』\"')）]*|\.{1,3}(?=[\s\"”')])|(?<=[.。])\Z")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|Inc|Ltd|Co|Corp|vs|etc|e\.g|i\.e|No|approx|[A-Z]))\.$"
)
LONGEST = 600
"""Code points; a longer sentence is no sentence a person said, and is not read."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence ``text``, which is the episode's text from ``start`` on."""

    text: str
    start: int
    language: Language

    @property
    def is_question(self) -> bool:
        return self.text.rstrip(" \t\"”')）").endswith(("?", "？"))


def pieces(text: str, start: int, end: int) -> list[Piece]:
    """The sentences of ``text[start:end]``; code, mark-up, addresses, quoted mail and memory blocks are left out
    (a piece has blanks where mark-up stood, so that offsets stay)."""
    readable = _readable(text[start:end])
    found = []
    for first, last in _sentences(readable):
        raw = readable[first:last]
        stripped = raw.strip()
        language = language_of(stripped) if len(stripped) <= LONGEST else None
        if language is not None:
            found.append(Piece(stripped, start + first + len(raw) - len(raw.lstrip()), language))
    return found


def language_of(text: str) -> Language | None:
    """Chinese when it has at least as many Han characters as Latin words; None when it has neither."""
    han = len(_HAN.findall(text))
    latin = len(_LATIN_WORD.findall(text))
    if not han and not latin:
        return None
    return "zh" if han >= latin else "en"


def _readable(text: str) -> str:
    """The text with everything nobody said blanked out, code point by code point."""
    text = _REMEMBERED.sub(lambda m: "\n" * len(m.group()), text)
    tail = _QUOTED_TAIL.search(text)
    if tail is not None:
        text = text[: tail.start()] + "\n" * (len(text) - tail.start())
    for pattern, blank in ((_CODE, "\n"), (_UNSHOWN, "\n"), (_QUOTED_LINE, "\n"), (_ADDRESS, " "), (_TAG, " ")):
        text = pattern.sub(lambda m, blank=blank: blank * len(m.group()), text)  # type: ignore[misc]
    return text


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _END.finditer(text):
        if match.group() == "." and _ABBREVIATION.search(text[max(0, match.end() - 8) : match.end()]):
            continue
        if match.end() > start:
            yield start, match.end()
        start = match.end()
    if start < len(text):
        yield start, len(text)
