"""Opening a database file: whose it is, which schema it has, what may go wrong. Blocking: for worker threads."""

from __future__ import annotations

import os
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from ....temporal.errors import Conflict, Forbidden, Invalid, NotFound, Unavailable
from ...migrations import outstanding
from .errors import sqlite_errors
from .schema import APPLICATION_ID, MIGRATION_TABLE, MIGRATIONS

_MAGIC: Final = b"SQLite format 3\0"
_OLDEST: Final = (3, 38, 0)
"""STRICT tables and json_each without an extension."""

_READER_WAIT_MS: Final = 10_000
"""Readers wait only while another process recovers the log after a crash, or closes the file."""


@dataclass(frozen=True, slots=True)
class File:
    """A database to connect to; ``path`` None is memory of its own."""

    path: Path | None
    read_only: bool = False

    @classmethod
    def of(cls, path: str, read_only: bool) -> File:
        if path == ":memory:":
            return cls(None, read_only)
        if not path or "\0" in path:
            raise Invalid(f"{path!r} is no path; give a file, such as memory.db, or :memory:", code="no_path")
        return cls(Path(path), read_only)

    @property
    def where(self) -> str:
        return ":memory:" if self.path is None else str(self.path)

    def connect(self, *, reader: bool) -> sqlite3.Connection:
        """A connection in autocommit mode. Raises our errors."""
        with sqlite_errors(self.where):
            db = sqlite3.connect(self._uri(reader), uri=True, isolation_level=None, cached_statements=256)
            db.execute(f"PRAGMA busy_timeout = {_READER_WAIT_MS}")
            db.execute("PRAGMA cache_size = -16000")
            db.execute("PRAGMA temp_store = MEMORY")
            # Pages that many commits change are copied into the file once in 16 MB of log, not once in 4.
            db.execute("PRAGMA wal_autocheckpoint = 4000")
            # In WAL mode a commit survives the death of the process; NORMAL leaves out the disk flush per commit
            # that would also save the last ones from a power cut. The file stays whole either way.
            db.execute("PRAGMA synchronous = NORMAL")
            if reader and self.path is not None:
                db.execute("PRAGMA query_only = ON")
            return db

    def _uri(self, reader: bool) -> str:
        if self.path is None:
            return "file::memory:"
        uri = f"file:{quote(str(self.path.absolute()))}?mode="
        if not self.read_only:
            return uri + ("rw" if reader else "rwc")
        # Without a log beside it, and no right to make one, only a file that nobody changes can be read.
        log = self.path.with_name(self.path.name + "-wal")
        frozen = not log.exists() and not os.access(self.path.parent, os.W_OK)
        return uri + ("ro&immutable=1" if frozen else "ro")


def prepare(file: File, now_us: int) -> list[str]:
    """Check that the file is ours (or new), and bring its schema up to date. A file that is refused is untouched.
    Gives the names of the migrations it applied.

    Raises ``Invalid`` (a folder; not SQLite; not ours), ``NotFound`` (no such folder, or no file to read),
    ``Forbidden`` (read-only place), ``Conflict`` (a newer schema, or an older one that may not be changed).
    """
    require_features()
    is_new = file.path is not None and _is_new(file.path, file.read_only)
    db = file.connect(reader=False)
    try:
        with sqlite_errors(file.where):
            return _upgrade(db, file, now_us, is_new)
    finally:
        db.close()


def prepare_memory(db: sqlite3.Connection, now_us: int) -> None:
    """The same for a connection to memory, which is always new."""
    require_features()
    with sqlite_errors(":memory:"):
        _apply(db, ":memory:", now_us)


def require_features() -> None:
    if sqlite3.sqlite_version_info < _OLDEST:
        raise Unavailable(
            f"this Python has SQLite {sqlite3.sqlite_version}; hitherto needs "
            f"{'.'.join(map(str, _OLDEST))} or newer"
        )
    db = sqlite3.connect(":memory:")
    try:
        db.execute("CREATE VIRTUAL TABLE probe USING fts5 (body)")
    except sqlite3.OperationalError:
        raise Unavailable(
            "this Python's SQLite has no full-text search (FTS5); use another Python build"
        ) from None
    finally:
        db.close()


def _is_new(path: Path, read_only: bool) -> bool:
    """Decided on the file's first bytes, so that nothing is touched yet."""
    if path.is_dir():
        raise Invalid(f"{path} is a folder; give a file in it, such as {path / 'memory.db'}", code="is_folder")
    if not path.exists():
        if not path.parent.is_dir():
            raise NotFound(f"{path.parent} is no folder; create it first", code="no_folder")
        if read_only:
            raise NotFound(f"{path} does not exist; open it once for writing", code="no_file")
        _require_write(path.parent)
        return True
    try:
        with path.open("rb") as stream:
            head = stream.read(100)
    except PermissionError:
        raise Forbidden(f"{path} may not be read; check the file's permissions") from None
    except OSError as error:
        raise Unavailable(f"{path} cannot be read: {error.strerror}") from None
    if head and head[:16] != _MAGIC:
        raise Invalid(f"{path} is not a SQLite file", code="not_sqlite")
    if head and int.from_bytes(head[68:72], "big") != APPLICATION_ID:
        raise Invalid(f"{path} is a SQLite file of another program; give another path", code="not_ours")
    if not read_only:
        _require_write(path)
        _require_write(path.parent)
    return not head


def _require_write(path: Path) -> None:
    if not os.access(path, os.W_OK):
        raise Forbidden(
            f"{path} may not be written; check its permissions, or open it read-only", code="read_only"
        )


def _upgrade(db: sqlite3.Connection, file: File, now_us: int, is_new: bool) -> list[str]:
    if file.read_only:
        if outstanding(MIGRATIONS, applied(db), file.where):
            raise Conflict(f"{file.where} has an older schema; open it once for writing", code="older_schema")
        return []
    if not is_new and not outstanding(MIGRATIONS, applied(db), file.where) and _mode(db) == "wal":
        return []
    if is_new:
        # First, so that a half-made file is known as ours whatever happens next.
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    _use_log(db)
    return _apply(db, file.where, now_us)


def _apply(db: sqlite3.Connection, where: str, now_us: int) -> list[str]:
    db.execute("BEGIN IMMEDIATE")
    try:
        db.execute(MIGRATION_TABLE)
        missing = outstanding(MIGRATIONS, applied(db), where)
        for migration in missing:
            migration.step(db)
            db.execute("INSERT INTO migration VALUES (?, ?, ?)", (migration.number, migration.name, now_us))
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise
    return [migration.name for migration in missing]


def applied(db: sqlite3.Connection) -> dict[int, str]:
    """Names of the applied migrations by number; empty for a file without any."""
    found = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'migration'").fetchone()
    return dict(db.execute("SELECT number, name FROM migration")) if found[0] else {}


def _mode(db: sqlite3.Connection) -> str:
    mode: str = db.execute("PRAGMA journal_mode").fetchone()[0]
    return mode


def _use_log(db: sqlite3.Connection) -> None:
    """Switch to WAL. Another process that opens the new file at this moment makes SQLite give up at once."""
    deadline = time.monotonic() + _READER_WAIT_MS / 1000
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.005)
