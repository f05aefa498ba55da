"""Where a read stands, as SQL conditions; and pages."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from ....temporal.errors import Invalid
from ....temporal.instants import to_us
from ...store import Page, Point, Slice
from .schema import NEVER

T = TypeVar("T")
Params: TypeAlias = dict[str, int | str | None]


@dataclass(frozen=True, slots=True)
class Instants:
    """A point's two instants; ``known_us`` is NEVER when everything ever believed is meant."""

    valid_us: int | None
    known_us: int

    @classmethod
    def of(cls, point: Point) -> Instants:
        return cls(
            None if point.valid is None else to_us(point.valid),
            NEVER if point.known is None else to_us(point.known),
        )

    @property
    def all_known(self) -> bool:
        return self.known_us == NEVER

    def params(self, tenant: int) -> Params:
        return {"tenant": tenant, "known": self.known_us, "valid": self.valid_us}

    def period(self) -> str:
        """The condition on ``period p``."""
        known = "1" if self.all_known else "p.ingested_us <= :known AND p.superseded_us > :known"
        valid = "1" if self.valid_us is None else "p.from_us <= :valid AND p.shows_us > :valid"
        return f"{known} AND {valid}"

    def stretch(self, row: str, opened: str, closed: str) -> str:
        """The condition on a row's stretch of transaction time."""
        return "1" if self.all_known else f"{row}.{opened} <= :known AND {row}.{closed} > :known"


class Cursor:
    """A position in an order, as text that callers pass on without looking into it."""

    @staticmethod
    def write(position: tuple[int | str, ...]) -> str:
        return base64.urlsafe_b64encode(json.dumps(position).encode()).decode()

    @staticmethod
    def read(text: str | None, types: tuple[type, ...]) -> tuple[Any, ...] | None:
        """Raises ``Invalid`` for a text that ``write`` did not give for this order."""
        if text is None:
            return None
        try:
            position = json.loads(base64.b64decode(text.encode(), altchars=b"-_", validate=True))
        except ValueError:
            position = None
        if not isinstance(position, list) or [type(part) for part in position] != list(types):
            raise Invalid("this cursor was not given by this list; start without one", code="bad_cursor")
        return tuple(position)


def paged(items: list[T], limit: int, position: Callable[[T], tuple[int | str, ...]]) -> Slice[T]:
    """A page out of ``limit + 1`` items."""
    if len(items) <= limit:
        return Slice(tuple(items))
    return Slice(tuple(items[:limit]), Cursor.write(position(items[limit - 1])))


def check_page(page: Page) -> None:
    if page.limit < 1:
        raise Invalid(f"a page's limit must be at least 1, not {page.limit}", code="bad_limit")
