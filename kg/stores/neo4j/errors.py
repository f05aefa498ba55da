"""The driver's and the server's errors as ours, mapped here and nowhere else."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from neo4j import exceptions as driver

from ....temporal.errors import Busy, Conflict, Fault, Forbidden, HithertoError, Invalid, NotFound, Unavailable

_Mapped = tuple[type[HithertoError], str]

_BY_CODE: Final[tuple[tuple[str, _Mapped], ...]] = (
    ("Neo.ClientError.Security.AuthenticationRateLimit", (Forbidden, "refuses to log in after too many wrong "
        "passwords; wait a few seconds")),
    ("Neo.ClientError.Security.CredentialsExpired", (Forbidden, "wants the user's password to be changed first")),
    ("Neo.ClientError.Security.Unauthorized", (Forbidden, "does not accept this user and password")),
    ("Neo.ClientError.Security.", (Forbidden, "does not allow this user to do that")),
    ("Neo.ClientError.Statement.AccessMode", (Forbidden, "does not write in a read-only session")),
    ("Neo.ClientError.Database.DatabaseNotFound", (NotFound, "has no such database; check its name")),
    ("Neo.ClientError.Schema.IndexNotFound", (Unavailable, "is still making an index, or lost one; try again")),
    ("Neo.ClientError.Transaction.LockClientStopped", (Busy, "has other writers at work; try again")),
    ("Neo.ClientError.Transaction.TransactionTimedOut", (Busy, "did not finish in time; try again")),
    ("Neo.TransientError.General.DatabaseUnavailable", (Unavailable, "has a database that is not up; try again")),
    ("Neo.TransientError.General.MemoryPoolOutOfMemoryError", (Busy, "has no memory for this; write less")),
    ("Neo.TransientError.General.TransactionMemoryLimit", (Busy, "has no memory for this; write less")),
    ("Neo.TransientError.General.", (Unavailable, "is not ready; try again")),
    ("Neo.TransientError.Database.", (Unavailable, "has a database that is not ready; try again")),
    ("Neo.ClientError.Cluster.", (Unavailable, "is changing its leader; try again")),
    ("Neo.TransientError.", (Busy, "has other work in the way; try again")),
    ("Neo.ClientError.Schema.ConstraintValidationFailed", (Conflict, "has data that breaks a uniqueness rule")),
)  # fmt: skip
"""By the beginning of the server's code; the first that fits."""

_TOO_LONG: Final = "too large to index"
_NO_HANDSHAKE: Final = "closed with incomplete handshake"


@contextmanager
def neo4j_errors(where: str) -> Iterator[None]:
    """Turns what the driver raises about the server ``where`` into one tree's one-line errors."""
    try:
        yield
    except driver.Neo4jError as error:
        raise _of_server(where, error) from error
    except driver.UnsupportedServerProduct as error:
        raise Invalid(
            f"the server at {where} is no Neo4j, or one too old for this driver; check the address",
            code="not_neo4j",
        ) from error
    except driver.ConfigurationError as error:
        raise Invalid(
            f"neo4j at {where}: the address does not suit this server or driver: {_line(error)}"
        ) from error
    except (driver.DriverError, OSError) as error:
        raise Unavailable(f"neo4j at {where} {_unreachable(error)}") from error
    except UnicodeEncodeError as error:
        raise Invalid(
            f"text with a lone surrogate ({error.object[error.start : error.end]!r}) cannot be stored; "
            "decode it properly first",
            code="not_unicode",
        ) from None
    except OverflowError as error:
        raise Invalid(f"a number is too large to be stored: {_line(error)}", code="too_large") from None


def _unreachable(error: BaseException) -> str:
    for reason in _reasons(error):
        if isinstance(reason, ssl.SSLCertVerificationError):
            return (
                f"has a certificate that this machine does not trust ({reason.verify_message}); make it trusted, "
                "or take +ssc in place of +s in the address, which trusts any"
            )
        if _NO_HANDSHAKE in str(reason):
            return "breaks off at once; if it wants encryption, take +s in the address, as in neo4j+s://"
    return f"cannot be reached ({type(error).__name__}); check that it runs and its address"


def _reasons(error: BaseException | None) -> Iterator[BaseException]:
    """The error, and those that led to it."""
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for one in error.exceptions:
                yield from _reasons(one)
        error = error.__cause__ or error.__context__


def _of_server(where: str, error: driver.Neo4jError) -> HithertoError:
    code, message = error.code or "", _line(error.message or "")
    if _TOO_LONG in message:
        return Invalid(
            f"neo4j at {where} cannot index a text this long; keep ids, sessions, actors and predicates under "
            "2,000 characters",
            code="too_large",
        )
    for beginning, (category, advice) in _BY_CODE:
        if code.startswith(beginning):
            return category(f"neo4j at {where} {advice}", code=code)
    return Fault(f"neo4j at {where} failed: {code}: {message}", code=code)


def _line(error: object) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 300 else text[:297] + "..."
