"""Passages of a document: its stretches, each kept as an episode that says whose it is.

They have ids made of the document's and of where they stand, its source and the time and actor of who speaks first
in them, no session (they are no turns of one), and are no episodes to anybody who lists episodes: reads show them
only by their ids. They come, go and come back with their document, in its transactions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from .ids import make_id
from .model import Episode, EpisodeStatus, Format, Turn

_DOCUMENT: Final = "document"
_START: Final = "start"


def passage(tenant: str, document: Episode, start: int, end: int) -> Episode:
    """The passage ``document.text[start:end]``, ready to be stored."""
    inside = [t for t in document.turns if t.start < end and t.end > start]
    turns = tuple(_shifted(t, start, end) for t in inside) or (Turn(0, end - start, document.occurred_at),)
    return replace(
        document,
        id=make_id(tenant, "passage", document.id, str(start), str(end)),
        text=document.text[start:end],
        occurred_at=turns[0].occurred_at,
        turns=turns,
        format=Format.PASSAGE,
        actor=turns[0].actor or document.actor,
        session=None,
        metadata={_DOCUMENT: document.id, _START: start},
        status=EpisodeStatus.DONE,
        ingested_at=None,
    )


def place_of(passage: Episode) -> tuple[str, int]:
    """The id of a passage's document, and where in it the passage begins."""
    document, start = passage.metadata[_DOCUMENT], passage.metadata[_START]
    assert isinstance(document, str) and isinstance(start, int)
    return document, start


def documents_of(episodes: Iterable[Episode]) -> set[str]:
    """The ids of the documents of those that are passages."""
    return {place_of(e)[0] for e in episodes if e.format is Format.PASSAGE}


def _shifted(turn: Turn, start: int, end: int) -> Turn:
    return replace(turn, start=max(turn.start, start) - start, end=min(turn.end, end) - start)
