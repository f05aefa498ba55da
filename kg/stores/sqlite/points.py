"""Where a read stands, as SQL conditions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ....temporal.instants import to_us
from ...columns import stretch_us
from ...store import Point
from .schema import ALWAYS, NEVER

Params: TypeAlias = dict[str, int | str | None]


@dataclass(frozen=True, slots=True)
class Instants:
    """A point in microseconds; ``known_us`` is NEVER when everything ever believed is meant."""

    valid_us: int | None
    known_us: int
    during_us: tuple[int, int] | None = None

    @classmethod
    def of(cls, point: Point) -> Instants:
        return cls(
            None if point.valid is None else to_us(point.valid),
            NEVER if point.known is None else to_us(point.known),
            None if point.during is None else stretch_us(point.during, ALWAYS, NEVER),
        )

    @property
    def all_known(self) -> bool:
        return self.known_us == NEVER

    def params(self, tenant: int) -> Params:
        since, until = self.during_us or (None, None)
        return {"tenant": tenant, "known": self.known_us, "valid": self.valid_us, "since": since, "until": until}

    def period(self) -> str:
        """The condition on ``period p``."""
        known = "1" if self.all_known else "p.ingested_us <= :known AND p.superseded_us > :known"
        valid = "1" if self.valid_us is None else "p.from_us <= :valid AND p.shows_us > :valid"
        during = "1" if self.during_us is None else "p.from_us < :until AND p.to_us > :since"
        return f"{known} AND {valid} AND {during}"

    def unarchived(self, fact: str) -> str:
        """The condition that the fact of this number is not aside."""
        return "1" if self.all_known else _UNARCHIVED.format(fact=fact)

    def stretch(self, row: str, opened: str, closed: str) -> str:
        """The condition on a row's stretch of transaction time."""
        return "1" if self.all_known else f"{row}.{opened} <= :known AND {row}.{closed} > :known"


_UNARCHIVED = (
    "NOT EXISTS (SELECT 1 FROM archive a WHERE a.fact = {fact} AND a.archived_us <= :known "
    "AND a.restored_us > :known)"
)
