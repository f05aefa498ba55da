"""Addresses of Neo4j servers. Pure; the credentials in one are never shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from ....temporal.errors import Invalid

SCHEMES: Final = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")

_DATABASE: Final = re.compile(r"[A-Za-z][A-Za-z0-9.-]{0,62}")
_FORM: Final = "neo4j://user:password@host:7687/database (write @ : / ? # % in user or password as %40 and so on)"


@dataclass(frozen=True, slots=True)
class Address:
    """A server and a database on it. ``uri`` is without credentials, as the driver wants it."""

    uri: str
    where: str
    """For messages: host, port and database."""
    database: str | None = None
    """None: the server's home database."""
    auth: tuple[str, str] | None = field(default=None, repr=False)
    """User and password."""


def parse_address(url: str, auth: tuple[str, str] | None = None) -> Address:
    """Split ``neo4j://user:password@host:port/database``. ``auth`` takes the place of what the address holds.

    Raises ``Invalid``; the message never repeats the address, which may hold a password.
    """
    if any(ord(character) <= 32 for character in url):
        raise _invalid("holds white space or control characters")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise _invalid("cannot be read") from None
    if parts.scheme not in SCHEMES:
        raise _invalid(f"must begin with one of {', '.join(name + '://' for name in SCHEMES)}")
    if not host:
        raise _invalid("has no host")
    if parts.fragment:
        raise _invalid("has a # in it")
    database = unquote(parts.path.removeprefix("/")) or None
    if database is not None and not _DATABASE.fullmatch(database):
        # Also what is left of a password with an unescaped slash; so it is not repeated.
        raise _invalid("has no valid database name after the host")
    place = f"[{host}]" if ":" in host else host
    where = f"{place}:{port or 7687}" + (f"/{database}" if database else "")
    netloc = place if port is None else f"{place}:{port}"
    query = f"?{parts.query}" if parts.query else ""
    return Address(f"{parts.scheme}://{netloc}{query}", where, database, auth or _credentials(parts))


def _credentials(parts: SplitResult) -> tuple[str, str] | None:
    if not parts.username:
        return None
    if parts.password is None:
        raise _invalid("has a user and no password")
    return unquote(parts.username), unquote(parts.password)


def _invalid(what: str) -> Invalid:
    return Invalid(f"the Neo4j address {what}; write it like {_FORM}", code="bad_address")
