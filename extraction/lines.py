"""Episodes that are words for people, and below them one JSON line of what they claim.

The line says all that the claims hold, so that a replay of the episode log rebuilds the same graph.
"""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from ..kg.model import Episode
from ..temporal.errors import Invalid

L = TypeVar("L", bound="JsonLine")


class JsonLine(BaseModel):
    """What the JSON line holds, or a part of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def line_text(words: str, line: JsonLine) -> str:
    """The episode's text."""
    return f"{words}\n{line.model_dump_json(exclude_defaults=True)}"


def read_line(episode: Episode, kind: type[L], noun: str) -> tuple[int, L]:
    """How long the words are, which are the quote of all claims, and the line. Raises ``Invalid`` for other texts,
    calling them what ``noun`` says."""
    words, _, line = episode.text.rpartition("\n")
    try:
        return len(words), kind.model_validate_json(line)
    except ValidationError as error:
        raise Invalid(f"{noun} {episode.id!r}: {error.errors()[0]['msg']}") from None
