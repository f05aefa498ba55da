"""Where a read stands, as Cypher conditions. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ....temporal.instants import from_us, to_us
from ...columns import stretch_us
from ...store import Point
from .schema import ALWAYS, NEVER


@dataclass(frozen=True, slots=True)
class Instants:
    """A point in microseconds; ``known_us`` is NEVER when everything ever believed is meant."""

    tenant: str
    valid_us: int | None
    known_us: int
    during_us: tuple[int, int] | None = None

    @classmethod
    def of(cls, point: Point) -> Instants:
        return cls(
            point.tenant,
            None if point.valid is None else to_us(point.valid),
            NEVER if point.known is None else to_us(point.known),
            None if point.during is None else stretch_us(point.during, ALWAYS, NEVER),
        )

    @property
    def all_known(self) -> bool:
        return self.known_us == NEVER

    @property
    def params(self) -> dict[str, Any]:
        since, until = self.during_us or (None, None)
        return {
            "tenant": self.tenant, "known": self.known_us, "valid": self.valid_us,
            "since": since, "until": until, "never": NEVER,
        }  # fmt: skip

    def period(self) -> str:
        """The conditions on ``p:Period`` beside its tenant."""
        return self._period("p.to_us")

    def period_hull(self) -> str:
        """The same as vector indexes take it, which have not when an event was over: holds wherever ``period``
        does."""
        return self._period("p.shows_us")

    def _period(self, over: str) -> str:
        known = [] if self.all_known else ["p.ingested_us <= $known", "p.superseded_us > $known"]
        valid = [] if self.valid_us is None else ["p.from_us <= $valid", "p.shows_us > $valid"]
        during = [] if self.during_us is None else ["p.from_us < $until", f"{over} > $since"]
        return _all(known + valid + during)

    def unarchived(self, row: str) -> str:
        """The condition that the fact whose ``Fact`` or ``Period`` the row is is not aside."""
        return "true" if self.all_known else _UNARCHIVED.format(row=row)

    def hull(self, opened: str, closed: str) -> str:
        """The condition on a row that is known over several stretches: holds wherever ``episode`` could."""
        return _all([] if self.all_known else [f"{opened} <= $known", f"{closed} > $known"])

    def episode(self) -> str:
        """The condition on ``e:Episode``: known in its newest stretch or a former one."""
        return "true" if self.all_known else f"({self.hull('e.known_us', 'e.forgotten_us')} OR {_PAST_EPISODE})"

    def done(self) -> str:
        """When ``e``'s claims were read, in the stretch in which it is known."""
        if self.all_known:
            return "e.done_us"
        return f"CASE WHEN e.known_us <= $known THEN e.done_us ELSE head({_PAST_DONE}) END"

    def claim(self) -> str:
        """The condition on the relationship ``c`` of a claim."""
        if self.all_known:
            return "true"
        return f"({self.hull('c.recorded_us', 'c.retracted_us')} OR {_PAST_CLAIM})"

    def naming(self) -> str:
        """The condition on ``n:Naming``."""
        return self.hull("n.from_us", "n.to_us")


_PAST_EPISODE = (
    "any(i IN range(0, size(e.past_us) - 1, 3) WHERE e.past_us[i] <= $known AND e.past_us[i + 2] > $known)"
)
_PAST_DONE = (
    "[i IN range(0, size(e.past_us) - 1, 3) WHERE e.past_us[i] <= $known AND e.past_us[i + 2] > $known "
    "| e.past_us[i + 1]]"
)
_PAST_CLAIM = (
    "any(i IN range(0, size(c.past_us) - 1, 2) WHERE c.past_us[i] <= $known AND c.past_us[i + 1] > $known)"
)

_UNARCHIVED = (
    "({row}.archived_us IS NULL OR none(i IN range(0, size({row}.archived_us) - 1, 2) "
    "WHERE {row}.archived_us[i] <= $known AND {row}.archived_us[i + 1] > $known))"
)


def _all(conditions: list[str]) -> str:
    return " AND ".join(conditions) or "true"


def moment(us: int) -> datetime | None:
    """None for an open side."""
    return None if us in (NEVER, ALWAYS) else from_us(us)


def seen_from(us: int, known_us: int) -> datetime | None:
    """An instant that closed something, as known at ``known_us``: what came later has not happened yet."""
    return None if us > known_us else moment(us)
