"""Stores, and what stands above their tenants, by URL."""

from __future__ import annotations

import re
from typing import Final, TypeAlias
from urllib.parse import unquote

from ...temporal.errors import Invalid
from ..admin import StoreAdmin
from ..store import Clock, Store

__all__ = ["open_admin", "open_store"]

Auth: TypeAlias = "tuple[str, str] | None"
"""User and password; they take the place of those in the address."""

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?=//)")
_NEO4J: Final = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
_SCHEMES: Final = ("sqlite", *_NEO4J)


# Each imports its store when it is called, so that nobody pays for drivers they do not use.
async def open_store(url: str, *, clock: Clock, auth: Auth = None, read_only: bool = False) -> Store:
    """Open the store that ``url`` names, making or upgrading it where needed.

    A path (``crm.db``), ``:memory:``, ``sqlite:///relative.db``, ``sqlite:////absolute.db``, or any other known
    scheme. Raises ``Invalid`` for an unknown scheme or a file that is not ours, ``NotFound``, ``Forbidden``,
    ``Conflict`` (a newer schema) or ``Unavailable``.
    """
    scheme, url = _split(url)
    if scheme in _NEO4J:
        from .neo4j import open_neo4j

        return await open_neo4j(url, clock=clock, auth=auth, read_only=read_only)
    from .sqlite import open_sqlite

    return await open_sqlite(_path(scheme, url, auth), clock=clock, read_only=read_only)


async def open_admin(url: str, *, clock: Clock, auth: Auth = None) -> StoreAdmin:
    """Open what ``url`` names (see ``open_store``) above its tenants; nothing is made or upgraded."""
    scheme, url = _split(url)
    if scheme in _NEO4J:
        from .neo4j.admin import open_neo4j_admin

        return await open_neo4j_admin(url, auth=auth)
    from .sqlite.admin import open_sqlite_admin

    return await open_sqlite_admin(_path(scheme, url, auth), clock=clock)


def _split(url: str) -> tuple[str | None, str]:
    """The scheme in lower case, None for a path; and the URL with it."""
    found = _SCHEME.match(url)
    if found is None:
        return None, url
    scheme = found[1].lower()
    if scheme not in _SCHEMES:
        known = ", ".join(f"{name}://" for name in sorted(_SCHEMES))
        raise Invalid(
            f"no store for {found[1]}://; use a file's path, :memory:, or {known}", code="unknown_scheme"
        )
    return scheme, scheme + url[found.end(1) :]


def _path(scheme: str | None, url: str, auth: Auth) -> str:
    if auth is not None:
        raise Invalid("auth= is for servers; a SQLite file has no user and password", code="no_auth")
    if scheme is None:
        return url
    # As SQLAlchemy has it: three slashes and a relative path, or four and an absolute one.
    return unquote(url.removeprefix("sqlite://").removeprefix("/")) or ":memory:"
