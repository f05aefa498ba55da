"""SQLite's errors as ours, mapped here and nowhere else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ....temporal.errors import Busy, Fault, Forbidden, HithertoError, Invalid, Unavailable

_BY_CODE: Final[dict[int, tuple[type[HithertoError], str]]] = {
    sqlite3.SQLITE_BUSY: (Busy, "is in use by another process; try again"),
    sqlite3.SQLITE_LOCKED: (Busy, "is in use by another process; try again"),
    sqlite3.SQLITE_READONLY: (Forbidden, "may not be written; check the file's and its folder's permissions"),
    sqlite3.SQLITE_PERM: (Forbidden, "may not be opened; check the file's permissions"),
    sqlite3.SQLITE_AUTH: (Forbidden, "may not be opened; check the file's permissions"),
    sqlite3.SQLITE_CANTOPEN: (Unavailable, "cannot be opened; check the path and its permissions"),
    sqlite3.SQLITE_IOERR: (Unavailable, "cannot be read or written; check the disk"),
    sqlite3.SQLITE_FULL: (Unavailable, "cannot grow; the disk is full"),
    sqlite3.SQLITE_NOTADB: (Invalid, "is not a SQLite file"),
    sqlite3.SQLITE_CORRUPT: (Fault, "is damaged; restore it from a copy"),
    sqlite3.SQLITE_TOOBIG: (Invalid, "cannot hold a text of this size"),
}


@contextmanager
def sqlite_errors(where: str) -> Iterator[None]:
    """Turns what sqlite3 raises about the file ``where`` into one tree's one-line errors."""
    try:
        yield
    except sqlite3.Error as error:
        # An error of the module itself (a closed connection) has no code; extended codes keep the kind below.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        category, advice = _BY_CODE.get(code, (Fault, f"failed: {error}"))
        raise category(f"{where} {advice}", code=getattr(error, "sqlite_errorname", "").lower()) from error
    except UnicodeEncodeError as error:
        raise Invalid(
            f"text with a lone surrogate ({error.object[error.start : error.end]!r}) cannot be stored; "
            "decode it properly first",
            code="not_unicode",
        ) from None
    except OverflowError as error:
        raise Invalid(f"a number is too large to be stored: {error}", code="too_large") from None
