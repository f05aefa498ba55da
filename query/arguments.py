"""What callers give, checked before anything looks at it. Pure."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
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


def check_budget(budget: int, what: str) -> None:
    """Raises ``Invalid`` for what is no number of tokens, 1 or more, that ``what`` may take."""
    if isinstance(budget, bool) or not isinstance(budget, int) or budget < 1:
        raise Invalid(f"budget={budget!r}; give the tokens that {what} may take, 1 or more")


def check_share(name: str, share: object) -> None:
    """Raises ``Invalid`` for what is no number from 0 to 1."""
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise Invalid(f"{name}={share!r:.60}; give a number from 0 to 1")


def check_names(where: str, what: str, given: Mapping[str, object], known: Collection[str]) -> None:
    """Raises ``Invalid`` for the first name that is not among the known ones: it names those, and the one that
    looks most like it."""
    for name in given:
        if name not in known:
            near = nearest(str(name), known)
            hint = f"did you mean {near!r}? " if near is not None else ""
            raise Invalid(f"{where}: unknown {what} {name!r}; {hint}use {', '.join(sorted(known))}")


def nearest(name: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """The known name that looks most like this one, if any is as like as that."""
    return next(iter(difflib.get_close_matches(name, sorted(known), n=1, cutoff=likeness)), None)


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
