"""One error tree for the whole package: few categories, each with a machine-readable code.

Surfaces (CLI, HTTP, MCP) map the *category*; programs may look at ``code``.
"""

from __future__ import annotations

from typing import ClassVar


class HithertoError(Exception):
    """Base of everything this package raises on purpose. ``str(error)`` is one line: what, where, what to do."""

    category: ClassVar[str] = "fault"

    def __init__(self, message: str, *, code: str = "") -> None:
        super().__init__(message)
        self.code = code or self.category


class Invalid(HithertoError):
    """The input is wrong; trying again unchanged cannot help."""

    category = "invalid"


class NotFound(HithertoError):
    """What was asked for does not exist in this tenant."""

    category = "not_found"


class Conflict(HithertoError):
    """The input contradicts what is stored (same id, other content; another embedder)."""

    category = "conflict"


class Forbidden(HithertoError):
    """Not allowed: credentials, a read-only file, a write through a read-only door."""

    category = "forbidden"


class Busy(HithertoError):
    """Somebody else holds what is needed; the wait was bounded. Trying again may help."""

    category = "busy"


class Unavailable(HithertoError):
    """A server or file cannot be reached or opened now."""

    category = "unavailable"


class Fault(HithertoError):
    """Our mistake, or a damaged store: report it."""

    category = "fault"
