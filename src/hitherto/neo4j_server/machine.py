"""What the environment says about Neo4j, read once by an entry point and passed on as a value."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

from ..temporal.errors import Invalid

SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens and how to log in; what the official driver takes."""

    uri: str
    user: str
    password: str = field(repr=False)

    @property
    def auth(self) -> tuple[str, str]:
        """For ``AsyncGraphDatabase.driver(address.uri, auth=address.auth)``."""
        return self.user, self.password

    def browser(self, http: str) -> str:
        """The page of Neo4j Browser below ``http``, with server and user filled in; it asks for the password."""
        where = self.uri.replace("://", f"://{self.user}@", 1)
        return f"{http}/browser/?dbms={quote(where, safe='')}"


@dataclass(frozen=True, slots=True)
class Machine:
    """The user's folders, search path and wishes. ``given`` is the server that NEO4J_URI names, if it is set.

    ``version`` is HITHERTO_NEO4J_VERSION, ``required`` is HITHERTO_NEO4J_REQUIRED (set and not empty or 0):
    a test run without a server then fails instead of skipping.
    """

    user_home: Path
    path: str
    cache: Path
    data: Path
    java_home: Path | None = None
    given: Address | None = None
    version: str | None = None
    required: bool = False

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Machine:
        """Raises Invalid when NEO4J_URI is set and cannot be used."""
        user_home = Path(environ["HOME"]) if environ.get("HOME") else Path.home()
        cache, data = _folders(environ, user_home)
        java_home = environ.get("JAVA_HOME")
        return cls(
            user_home=user_home,
            path=environ.get("PATH", ""),
            cache=cache / "hitherto" / "neo4j",
            data=data / "hitherto" / "neo4j",
            java_home=Path(java_home) if java_home else None,
            given=_given(environ) if environ.get("NEO4J_URI") else None,
            version=environ.get("HITHERTO_NEO4J_VERSION") or None,
            required=environ.get("HITHERTO_NEO4J_REQUIRED", "") not in ("", "0"),
        )


def _folders(environ: Mapping[str, str], user_home: Path) -> tuple[Path, Path]:
    """The platform's folders for caches and for data; the XDG variables win everywhere when they are set."""
    if sys.platform == "darwin":
        cache, data = user_home / "Library" / "Caches", user_home / "Library" / "Application Support"
    elif sys.platform == "win32":
        cache = data = Path(environ.get("LOCALAPPDATA") or user_home / "AppData" / "Local")
    else:
        cache, data = user_home / ".cache", user_home / ".local" / "share"
    return _absolute(environ.get("XDG_CACHE_HOME"), cache), _absolute(environ.get("XDG_DATA_HOME"), data)


def _absolute(value: str | None, default: Path) -> Path:
    """The XDG specification: a relative path in these variables is to be ignored."""
    return Path(value) if value and Path(value).is_absolute() else default


def _given(environ: Mapping[str, str]) -> Address:
    uri = environ["NEO4J_URI"]
    try:
        parts = urlsplit(uri)
    except ValueError:
        raise Invalid("NEO4J_URI is not an address; give one like neo4j://host:7687") from None
    if "@" in parts.netloc:
        raise Invalid("NEO4J_URI holds credentials; put them in NEO4J_USER and NEO4J_PASSWORD instead")
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise Invalid(f"NEO4J_URI is {uri!r}; it needs one of {', '.join(SCHEMES)}, as in neo4j://host:7687")
    password = environ.get("NEO4J_PASSWORD")
    if password is None:
        raise Invalid("NEO4J_URI is set but NEO4J_PASSWORD is not; set it (empty for a server that asks for none)")
    return Address(uri, environ.get("NEO4J_USER") or "neo4j", password)
