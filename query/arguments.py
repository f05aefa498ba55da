"""What callers give, checked before anything looks at it. Pure."""

from __future__ import annotations

from typing import Final

from ..kg.characters import well_formed
from ..kg.store import Page
from ..temporal.errors import Invalid

MAX_LIMIT: Final = 1_000
"""The most items a page can have."""


def read_page(limit: int, cursor: str | None) -> Page:
    """Raises ``Invalid`` for a limit that is none, and a cursor that is no text."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MAX_LIMIT:
        raise Invalid(f"limit={limit!r}; give 1 to {MAX_LIMIT}, and take more pages by their cursor")
    if cursor is not None and not isinstance(cursor, str):
        raise Invalid("cursor is no text; give the one that a page came with", code="bad_cursor")
    return Page(limit, cursor)


def check_name(name: str, what: str) -> str:
    """Raises ``Invalid`` for what is no text, or blank."""
    if not isinstance(name, str) or not name.strip():
        raise Invalid(f"{what} is empty or no text; give a name, or leave it out")
    return name


def read_id(given: object, what: str) -> str:
    """The id of what has one, or a text as it is. Raises ``Invalid`` for anything else."""
    id_ = given if isinstance(given, str) else getattr(given, "id", None)
    if not isinstance(id_, str):
        raise Invalid(f"{given!r:.60} is no {what}; give one, or its id")
    return id_


def check_storable(text: str, what: str) -> str:
    """Raises ``Invalid`` for characters that no store keeps: NUL, and halves of others."""
    if "\0" in text or text != well_formed(text):
        raise Invalid(f"{what} {text!r:.60} holds what is no character; give plain text")
    return text
