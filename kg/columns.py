"""Values as the plain columns and texts that stores keep, whatever their query language. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import numpy as np

from ..temporal.errors import Conflict, Invalid
from ..temporal.grains import Basis, Bound, Grain
from ..temporal.instants import from_us, to_us
from ..temporal.intervals import Interval
from .embedding import Vectors
from .model import Claim, Json, Role, Turn

BoundColumns: TypeAlias = "tuple[int | None, str | None, int | None, str | None]"
"""``at`` and ``grain_end`` in microseconds, with grain and basis: (at, grain, grain_end, basis)."""


def bound_columns(value: Bound | None, open_us: int | None = None) -> BoundColumns:
    """A bound as columns; ``open_us`` stands for a side that is open."""
    if value is None:
        return open_us, None, None, None
    end = None if value.grain_end is None else to_us(value.grain_end)
    return to_us(value.at), value.grain, end, value.basis


# Far quicker than calling the enumerations.
_GRAINS: Final = {grain.value: grain for grain in Grain}
_BASES: Final = {basis.value: basis for basis in Basis}


def bound_of(us: int | None, grain: str | None, end_us: int | None, basis: str | None) -> Bound | None:
    """The inverse of ``bound_columns``: an open side has no grain."""
    if us is None or grain is None or basis is None:
        return None
    return Bound(from_us(us), _GRAINS[grain], None if end_us is None else from_us(end_us), _BASES[basis])


def stretch_us(stretch: Interval, always: int, never: int) -> tuple[int, int]:
    """The sides in microseconds; ``always`` and ``never`` stand for open ones, and, the later one first, for those
    of an empty stretch."""
    if stretch.empty:
        return never, always
    start, end = stretch.start, stretch.end
    return always if start is None else to_us(start), never if end is None else to_us(end)


def turns_text(turns: Iterable[Turn]) -> str:
    return _text([[t.start, t.end, to_us(t.occurred_at), t.role, t.actor] for t in turns])


def turns_of(text: str) -> tuple[Turn, ...]:
    return tuple(Turn(a, b, from_us(us), Role(role), who) for a, b, us, role, who in json.loads(text))


def metadata_text(metadata: Iterable[tuple[str, Json]]) -> str:
    return _text(dict(metadata))


def metadata_of(text: str) -> dict[str, Json]:
    loaded: dict[str, Json] = json.loads(text)
    return loaded


def as_said(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Claims in the order in which they were said."""
    return tuple(sorted(claims, key=lambda c: (c.stated_at, c.position, c.id)))


def entity_text(name: str, aliases: Sequence[str]) -> str:
    """What full-text search reads of an entity."""
    return " \n".join([name, *aliases])


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def check_vector(vector: Vectors, dimension: int) -> None:
    """Raises ``Invalid`` for a vector of another shape than the recorded embedder's, or with values that are no
    numbers."""
    if vector.shape != (dimension,):
        raise Invalid(
            f"a vector has shape {vector.shape}, the recorded embedder gives ({dimension},)", code="shape"
        )
    if not np.isfinite(vector).all():
        raise Invalid("a vector holds values that are no numbers", code="not_finite")


def check_rule(predicate: str, recorded: str, rule: str) -> None:
    """Raises ``Conflict`` where a predicate's claims are stored by another rule."""
    if recorded != rule:
        raise Conflict(
            f"{predicate} is stored as {recorded!r}, and the ontology now says {rule!r}; open with an ontology "
            "that has the old rule, or use another predicate",
            code="other_rule",
        )


def check_dimension(dimension: int) -> None:
    """Raises ``Invalid``."""
    if dimension < 1:
        raise Invalid(f"an embedder's dimension must be positive, not {dimension}")


def check_embedder(recorded: tuple[str, int] | None, wanted: tuple[str, int], where: str) -> None:
    """Names and dimensions. Raises ``Conflict`` when another embedder's vectors are stored than is ``wanted``."""
    if recorded is not None and recorded != wanted:
        raise Conflict(
            f"{where} holds vectors of {recorded[0]} ({recorded[1]} numbers), not of {wanted[0]} ({wanted[1]}); "
            "open it with that embedder, or change it (`hitherto embed --embedder NAME`)",
            code="other_embedder",
        )
