"""What stands above the tenants: who is there, which schema, and questions in the server's own language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Protocol, TypeAlias

from .store import Page, Slice

Plain: TypeAlias = (
    "str | int | float | bool | bytes | datetime | date | time | list[Plain] | dict[str, Plain] | None"
)
"""What a row holds: Python's own values, in lists and dicts."""


@dataclass(frozen=True, slots=True)
class Tenant:
    id: str
    last_commit: datetime


@dataclass(frozen=True, slots=True)
class Migrated:
    """``applied``: names of the migrations that were applied just now, in order."""

    schema: int
    """Number of the newest one."""
    applied: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A query with its parameters. ``timeout_s`` bounds how long the server works on it, ``limit`` the rows."""

    query: str
    params: Mapping[str, object]
    timeout_s: float
    limit: int


class StoreAdmin(Protocol):
    """One database file or server, without a tenant. Opening it changes nothing."""

    async def close(self) -> None: ...

    async def tenants(self, page: Page) -> Slice[Tenant]:
        """Those that have committed something, by id."""
        ...

    async def migrate(self) -> Migrated:
        """Apply the pending migrations. Raises ``Conflict`` for a newer schema."""
        ...

    async def ask(self, question: Question) -> list[dict[str, Plain]]:
        """The rows of a reading query. Raises ``Forbidden`` for one that writes (decided by the database),
        ``Busy`` when it takes too long, ``Invalid`` for more rows than ``limit``, for a query or a parameter that
        cannot be taken, and from a store that has no query language."""
        ...
