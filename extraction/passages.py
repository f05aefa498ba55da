"""Where a document falls into passages: at headings, else between paragraphs, else between sentences. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from ..kg.model import Episode, Format
from ..kg.passages import passage
from .sentences import HEADING, sentence_ends

LONGEST_WHOLE: Final = 8_000
"""Code points, about three pages; a longer text is a document."""
SIZE: Final = 1_000
"""Code points of a passage at most, where its sentences allow it."""
_SECTION: Final = 40
"""Code points of a section that is a passage of its own; a shorter one is joined by the next one."""
_LEAST: Final = 250
"""Code points of a passage that ends where no section does."""
_LONGEST: Final = 4_000
"""What goes on so long without an end is no sentence, and is cut anywhere."""

_PARAGRAPH: Final = re.compile(r"\n[ \t]*\n\s*|<(?:p|div|li|tr|table|section|article|blockquote)\b", re.IGNORECASE)


def passages_of(tenant: str, episode: Episode) -> list[Episode]:
    """A document's passages, in order; none of any other episode."""
    if episode.format is not Format.DOCUMENT:
        return []
    turns = [turn.end for turn in episode.turns[:-1]]
    return [passage(tenant, episode, start, end) for start, end in spans(episode.text, turns)]


def spans(text: str, ends: list[int]) -> Iterator[tuple[int, int]]:
    """The passages of a text in which ``ends`` are ends of turns: they do not overlap, and leave nothing out but
    white space."""
    headings = [m.start() for m in HEADING.finditer(text)]
    paragraphs = sorted({*headings, *ends, *(_end(m) for m in _PARAGRAPH.finditer(text))})
    between = (ends, paragraphs, sentence_ends(text))
    start = 0
    while start < len(text):
        end = _next(start, headings, between) if len(text) - start > _LEAST else len(text)
        end = min(end, len(text))
        stripped = text[start:end].strip()
        if stripped:
            first = start + len(text[start:end]) - len(text[start:end].lstrip())
            yield first, first + len(stripped)
        start = end


def _end(match: re.Match[str]) -> int:
    """A blank line belongs to what stands before it, a tag to what stands after it."""
    return match.start() if match.group().startswith("<") else match.end()


def _next(start: int, headings: list[int], between: tuple[list[int], ...]) -> int:
    """Where the passage ends that begins at ``start``. ``between``: places to end at, the best kind first."""
    heading = _after(headings, start + _SECTION if start in headings else start)
    if heading <= start + SIZE:
        return heading
    for places in between:
        before = bisect_right(places, start + SIZE) - 1
        if before >= 0 and places[before] > start + _LEAST:
            return places[before]
    return min(start + _LONGEST, *(_after(places, start + SIZE) for places in between))


def _after(places: list[int], at: int) -> int:
    place = bisect_right(places, at)
    return places[place] if place < len(places) else at + _LONGEST
