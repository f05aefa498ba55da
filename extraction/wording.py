"""Names as they were written, where the sentence was read in other characters (traditional ones as simplified)."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from ..kg.model import Mention, Value
from .sayings import Saying
from .sentences import Piece
from .traditional import simplified

T = TypeVar("T")


def as_written(saying: Saying, piece: Piece) -> Saying:
    """The saying with both its sides in the sentence's own characters."""
    if _read(piece) == piece.text:
        return saying
    return replace(saying, subject=written(saying.subject, piece), object=written(saying.object, piece))


def written(side: T, piece: Piece) -> T:
    """A name or a value in the sentence's own characters; anything else as it is."""
    name = side.name if isinstance(side, Mention) else side.text if isinstance(side, Value) else ""
    read = _read(piece)
    at = read.find(name) if name and read != piece.text else -1
    if at < 0:
        return side
    found = piece.text[at : at + len(name)]
    return replace(side, **{"name" if isinstance(side, Mention) else "text": found})  # type: ignore[type-var]


def _read(piece: Piece) -> str:
    """What was read, as long as what was written: of an answer without its question's words."""
    return piece.plain if piece.whole is None else simplified(piece.text)
