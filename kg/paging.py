"""Pages of ordered lists: a cursor is the position of the last item given. Pure."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

from ..temporal.errors import Invalid
from .store import Page, Slice

T = TypeVar("T")
Position: TypeAlias = "tuple[int | str, ...]"
"""Where an item stands in its order."""


def cursor_text(position: Position) -> str:
    """A position as text that callers pass on without looking into it."""
    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode()


def cursor_position(text: str | None, types: tuple[type, ...]) -> tuple[Any, ...] | None:
    """The inverse of ``cursor_text``. Raises ``Invalid`` for a text that is none of an order of these types."""
    if text is None:
        return None
    try:
        position = json.loads(base64.b64decode(text.encode(), altchars=b"-_", validate=True))
    except ValueError:
        position = None
    if not isinstance(position, list) or [type(part) for part in position] != list(types):
        raise Invalid("this cursor was not given by this list; start without one", code="bad_cursor")
    return tuple(position)


def paged(items: Sequence[T], limit: int, position: Callable[[T], Position]) -> Slice[T]:
    """A page out of up to ``limit + 1`` items."""
    if len(items) <= limit:
        return Slice(tuple(items))
    return Slice(tuple(items[:limit]), cursor_text(position(items[limit - 1])))


def check_page(page: Page) -> None:
    if page.limit < 1:
        raise Invalid(f"a page's limit must be at least 1, not {page.limit}", code="bad_limit")
