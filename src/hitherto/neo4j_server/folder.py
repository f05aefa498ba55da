"""A server's own folder: data, settings, logs, the password and the note of what runs."""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from ..temporal.errors import Busy, Fault, Invalid, Unavailable


@dataclass(frozen=True, slots=True)
class Note:
    """What was last started here, and so whose data this is.

    ``engine`` ran it: as process ``pid`` (Java; 0 once stopped) or as a compose project (Docker).
    """

    engine: Literal["java", "docker"]
    version: str
    bolt_port: int
    http_port: int
    pid: int = 0
    project: str = ""


@dataclass(frozen=True, slots=True)
class Folder:
    """The paths below one ``--home``. Nothing is made until ``create``."""

    path: Path

    @property
    def password_file(self) -> Path:
        return self.path / "password"

    @property
    def note_file(self) -> Path:
        return self.path / "server.json"

    @property
    def conf(self) -> Path:
        return self.path / "conf"

    @property
    def console_log(self) -> Path:
        return self.path / "logs" / "console.log"

    @property
    def server_log(self) -> Path:
        return self.path / "logs" / "neo4j.log"

    @property
    def was_started(self) -> bool:
        """A server has kept data here, so its first password is set."""
        return (self.path / "data" / "databases").exists()

    def create(self) -> None:
        """Make the folder, readable by its owner only. Raises Unavailable when that cannot be done."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self.path.chmod(0o700)
            for part in (self.conf, self.path / "logs"):
                part.mkdir(exist_ok=True)
        except OSError as error:
            raise Unavailable(f"{self.path} cannot be made a Neo4j home: {error.strerror}") from None

    def password(self) -> str:
        """The kept password; a random one is made for a new home. Raises Invalid when a used home has lost it."""
        try:
            kept = self.password_file.read_text(encoding="utf-8").strip()
        except FileNotFoundError:
            return self._new_password()
        except OSError as error:
            raise Unavailable(f"{self.password_file} cannot be read: {error.strerror}") from None
        if len(kept) < 8:
            raise Invalid(f"{self.password_file} holds fewer than 8 characters, which Neo4j refuses")
        return kept

    def _new_password(self) -> str:
        if self.was_started:
            raise Invalid(
                f"{self.path} holds a database but its password file is gone; write the password to "
                f"{self.password_file}, or take another home"
            )
        made = secrets.token_hex(16)
        write_private(self.password_file, made + "\n")
        return made

    def read_note(self) -> Note | None:
        """What the last start wrote; None when there is none or it cannot be read."""
        try:
            return Note(**json.loads(self.note_file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def write_note(self, note: Note) -> None:
        partial = self.note_file.with_suffix(".partial")
        partial.write_text(json.dumps(asdict(note)) + "\n", encoding="utf-8")
        partial.replace(self.note_file)


def write_private(path: Path, text: str) -> None:
    """A new file that only its owner can read from its first moment on; an older one of that name goes."""
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)


@contextmanager
def locked(path: Path, timeout_s: float) -> Iterator[None]:
    """Only one process at a time gets past ``path``; a lock ends with its process. Raises Busy after the wait."""
    import fcntl  # not on Windows, where this module must still import

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Unavailable(f"{path} cannot be written: {error.strerror}") from None
    try:
        give_up = time.monotonic() + timeout_s
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > give_up:
                    raise Busy(f"another process holds {path}; wait for it or end it") from None
                time.sleep(0.1)
        yield
    finally:
        os.close(handle)


def read_end(path: Path, size: int = 20_000) -> str:
    """The last ``size`` bytes of a log as text; empty when there is no such file."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - size))
            return file.read().decode(errors="replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise Fault(f"{path} cannot be read: {error.strerror}") from None
