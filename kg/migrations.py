"""Named, numbered schema changes: each applied once, in a transaction, and recorded by its store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..temporal.errors import Conflict

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Migration(Generic[T]):
    """``step`` is whatever the store runs: a function over a connection, statements of a query language."""

    number: int
    name: str
    step: T


def outstanding(known: Sequence[Migration[T]], applied: Mapping[int, str], where: str) -> list[Migration[T]]:
    """The known migrations still to be applied, in order. ``applied``: name by number; ``where``: file or server.

    Raises ``Conflict`` when the store has seen migrations that this version does not know.
    """
    names = {migration.number: migration.name for migration in known}
    strange = sorted(number for number, name in applied.items() if names.get(number) != name)
    if strange:
        raise Conflict(
            f"{where} has schema {max(applied)} ({applied[strange[-1]]!r}), this version of hitherto knows "
            f"{max(names)}; upgrade hitherto",
            code="newer_schema",
        )
    return [migration for migration in known if migration.number not in applied]
