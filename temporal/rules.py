"""How a predicate behaves in time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

CONFIDENCE_THRESHOLD = 0.5
"""Claims below it are kept as evidence and not heard."""


class Cardinality(StrEnum):
    ONE = "one"
    """One value at a time: a new value takes over from the old one."""
    MANY = "many"


class PredicateKind(StrEnum):
    STATE = "state"
    """Holds for a stretch, until something ends it."""
    EVENT = "event"
    """Happens: never supersedes; its interval is the grain of its time."""


@dataclass(frozen=True, slots=True)
class PredicateRule:
    """The rule of one predicate. ``excludes`` names predicates that cannot hold of the same subject and object
    (cardinality many) or of the same subject (cardinality one) at the same time."""

    predicate: str
    cardinality: Cardinality = Cardinality.MANY
    kind: PredicateKind = PredicateKind.STATE
    inverse: str | None = None
    excludes: frozenset[str] = frozenset()
    threshold: float = CONFIDENCE_THRESHOLD
