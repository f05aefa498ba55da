"""Stores by URL."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeAlias
from urllib.parse import unquote

from ...temporal.errors import Invalid
from ..store import Clock, Store

__all__ = ["open_store"]

Opener: TypeAlias = Callable[[str, Clock, bool], Coroutine[Any, Any, Store]]
"""Opens a whole URL: (url, clock, read_only)."""

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?=//)")


async def _open_sqlite(url: str, clock: Clock, read_only: bool) -> Store:
    from .sqlite import open_sqlite

    # As SQLAlchemy has it: three slashes and a relative path, or four and an absolute one.
    path = unquote(url.removeprefix("sqlite://").removeprefix("/")) or ":memory:"
    return await open_sqlite(path, clock=clock, read_only=read_only)


async def _open_neo4j(url: str, clock: Clock, read_only: bool) -> Store:
    from .neo4j import open_neo4j

    return await open_neo4j(url, clock=clock, read_only=read_only)


_OPENERS: Final[dict[str, Opener]] = {
    "sqlite": _open_sqlite,
    **dict.fromkeys(("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"), _open_neo4j),
}
"""By scheme. Each opener imports its store when it is called, so that nobody pays for drivers they do not use."""


async def open_store(url: str, *, clock: Clock, read_only: bool = False) -> Store:
    """Open the store that ``url`` names, making or upgrading it where needed.

    A path (``crm.db``), ``:memory:``, ``sqlite:///relative.db``, ``sqlite:////absolute.db``, or any other known
    scheme. Raises ``Invalid`` for an unknown scheme or a file that is not ours, ``NotFound``, ``Forbidden``,
    ``Conflict`` (a newer schema) or ``Unavailable``.
    """
    scheme = _SCHEME.match(url)
    if scheme is None:
        from .sqlite import open_sqlite

        return await open_sqlite(url, clock=clock, read_only=read_only)
    opener = _OPENERS.get(scheme[1].lower())
    if opener is None:
        known = ", ".join(f"{name}://" for name in sorted(_OPENERS))
        raise Invalid(
            f"no store for {scheme[1]}://; use a file's path, :memory:, or {known}", code="unknown_scheme"
        )
    return await opener(scheme[1].lower() + url[scheme.end(1) :], clock, read_only)
