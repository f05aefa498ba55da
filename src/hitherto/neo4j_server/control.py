"""Which server there is, and how it is started, shown and stopped."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from ..temporal.errors import Conflict, Invalid, Unavailable
from .docker import Docker, compose_down, compose_up, find_docker, project_name
from .folder import Folder, Note, locked
from .jars import cached_jars, find_maven, resolve_jars
from .java import Java, find_java
from .machine import Address, Machine
from .process import (
    Options,
    discover,
    end_process,
    free_port,
    is_server,
    launch,
    read_logs,
    set_first_password,
    settings,
    wait_ready,
)

CURRENT_VERSION = "2026.08.1"
LTS_VERSION = "5.26.30"
Stopped = Literal["stopped", "killed", "not running"]
_VERSION = re.compile(r"5\.26\.\d+|20\d\d\.\d\d\.\d+")
_SIZE = re.compile(r"\d+[kmgKMG]?")


@dataclass(frozen=True, slots=True)
class LocalJava:
    """A Java that can run ``version``, with its jars in the cache or a Maven to fetch them."""

    java: Java
    version: str


@dataclass(frozen=True, slots=True)
class Server:
    """A server that was started here. ``ready`` is False while it still starts or recovers."""

    address: Address
    version: str
    engine: Literal["java", "docker"]
    home: Path
    http: str
    ready: bool = True

    @property
    def browser(self) -> str:
        """The page of Neo4j Browser, with the address and the user filled in; it asks for the password."""
        return self.address.browser(self.http)

    @property
    def password_file(self) -> Path:
        return Folder(self.home).password_file


def locate(machine: Machine, version: str | None = None) -> Address | Docker | LocalJava:
    """The first there is of: the server NEO4J_URI names, a Docker engine, a Java (with Maven or cached jars).

    Without ``version`` a Java that is too old for the current one gives the long-term one. Raises Unavailable,
    saying of each way why it is closed, and Invalid for a version that cannot be used.
    """
    if machine.given is not None:
        return machine.given
    wanted = version or machine.version
    _check_version(wanted or CURRENT_VERSION)
    try:
        return find_docker(machine)
    except Unavailable as no_docker:
        try:
            return _locate_java(machine, wanted)
        except Unavailable as no_java:
            message = f"no Neo4j here: NEO4J_URI is not set; {no_docker}; {no_java}"
            raise Unavailable(message, code="neo4j_not_found") from None


def _locate_java(machine: Machine, wanted: str | None) -> LocalJava:
    if os.name != "posix":
        raise Unavailable("on Windows only NEO4J_URI and Docker are possible", code="neo4j_not_found")
    version = wanted or CURRENT_VERSION
    try:
        java = find_java(machine, version)
    except Unavailable:
        if wanted is not None:
            raise
        version = LTS_VERSION
        java = find_java(machine, version)
    if cached_jars(machine.cache, version) is None:
        find_maven(machine)
    return LocalJava(java, version)


def start(
    machine: Machine,
    *,
    version: str | None = None,
    home: Path | None = None,
    options: Options | None = None,
) -> Server:
    """Start a server of its own in ``home``, or give the one that runs there.

    Blocks for 7-10 s (and for the download, the first time); in a coroutine use ``asyncio.to_thread``. A home
    keeps its version and its way of running (Java or Docker). The random password is kept in ``home/password``;
    write one there before the first start to choose it. Raises Invalid, Conflict when ``home`` runs another
    version or holds a newer one's data, Busy while another process starts the same home, and Unavailable when
    there is no way to run one (code neo4j_not_found), to fetch it (neo4j_download) or when it does not come up
    (neo4j_start).
    """
    options = options or Options()
    _check_options(options)
    _check_version(version or machine.version or CURRENT_VERSION)
    folder = _folder(machine, home)
    folder.create()
    with locked(folder.path / "lock", options.timeout_s):
        note = folder.read_note()
        if note is not None and _runs(folder, note):
            if version not in (None, note.version):
                raise Conflict(
                    f"{folder.path} already runs Neo4j {note.version}; stop it first or take another home"
                )
            try:
                wait_ready(folder, note, options.timeout_s)
                return _server(folder, note)
            except Unavailable:
                if _runs(folder, note):
                    raise
                # It was just ending, as a killed process does for a moment.
        wanted = version or machine.version or (note.version if note is not None else None)
        found = _locate_for(machine, note, wanted)
        if isinstance(found, Docker):
            return _start_docker(found, folder, wanted or CURRENT_VERSION, options)
        return _start_java(machine, found, folder, options)


def _locate_for(machine: Machine, note: Note | None, wanted: str | None) -> Docker | LocalJava:
    """For a home that was used before only the way that has its data."""
    if note is None:
        found = locate(replace(machine, given=None), wanted)
        assert not isinstance(found, Address)
        return found
    if wanted is not None and _number(wanted) < _number(note.version):
        raise Conflict(
            f"this home holds the data of Neo4j {note.version}, which {wanted} cannot read; take another"
        )
    return _locate_java(machine, wanted) if note.engine == "java" else find_docker(machine)


def _start_java(machine: Machine, found: LocalJava, folder: Folder, options: Options) -> Server:
    jars = resolve_jars(machine, found.java, found.version)
    password = folder.password()
    if not folder.was_started:
        set_first_password(folder, jars, found.java, password)
    attempts = 3
    while True:
        attempts -= 1
        note = _new_note("java", found.version, options)
        (folder.conf / "neo4j.conf").write_text(settings(note, options), encoding="utf-8")
        note = replace(note, pid=launch(folder, jars, found.java, options))
        folder.write_note(note)
        try:
            wait_ready(folder, note, options.timeout_s)
            return _server(folder, note)
        except BaseException as error:
            end_process(note.pid, folder.path, timeout_s=20)
            if not (attempts and isinstance(error, Unavailable) and _port_was_taken(folder)):
                raise


def _port_was_taken(folder: Folder) -> bool:
    """Somebody else took the port between our look at it and the server's bind."""
    return any(words in read_logs(folder) for words in ("PortBindException", "Address already in use"))


def _start_docker(docker: Docker, folder: Folder, version: str, options: Options) -> Server:
    if options.conf:
        raise Invalid("settings for neo4j.conf are taken on a local Java only, and this server runs in Docker")
    password = folder.password()
    note = replace(_new_note("docker", version, options), project=project_name(folder.path))
    folder.write_note(note)
    try:
        compose_up(docker, folder, note, options, password)
        wait_ready(folder, note, options.timeout_s)
    except BaseException:
        compose_down(docker, folder, note.project)
        raise
    return _server(folder, note)


def _new_note(engine: Literal["java", "docker"], version: str, options: Options) -> Note:
    bolt = free_port(options.bolt_port)
    return Note(engine, version, bolt, free_port(options.http_port, taken=(bolt,)))


def stop(machine: Machine, home: Path | None = None, timeout_s: float = 30) -> Stopped:
    """SIGTERM, a bounded wait, then SIGKILL (data survives it). A container is taken down, its volume kept."""
    folder = _folder(machine, home)
    if folder.read_note() is None:
        return "not running"
    with locked(folder.path / "lock", timeout_s):
        return _stop(machine, folder, timeout_s, volumes=False)


def _stop(machine: Machine, folder: Folder, timeout_s: float, *, volumes: bool) -> Stopped:
    note = folder.read_note()
    if note is None:
        return "not running"
    runs = _runs(folder, note)
    if note.engine == "docker":
        compose_down(find_docker(machine), folder, note.project, volumes=volumes)
        return "stopped" if runs else "not running"
    outcome: Stopped = end_process(note.pid, folder.path, timeout_s) if runs else "not running"
    folder.write_note(replace(note, pid=0))
    return outcome


def status(machine: Machine, home: Path | None = None) -> Server | None:
    """The server that runs in ``home``; None when none does."""
    folder = _folder(machine, home)
    note = folder.read_note()
    return _server(folder, note) if note is not None and _runs(folder, note) else None


def _runs(folder: Folder, note: Note) -> bool:
    return is_server(note.pid, folder.path) if note.engine == "java" else discover(note) is not None


def _server(folder: Folder, note: Note) -> Server:
    return Server(
        address=Address(f"neo4j://127.0.0.1:{note.bolt_port}", "neo4j", folder.password()),
        version=note.version,
        engine=note.engine,
        home=folder.path,
        http=f"http://127.0.0.1:{note.http_port}",
        ready=discover(note) is not None,
    )


@contextmanager
def passing_server(
    machine: Machine, home: Path, *, version: str | None = None, options: Options | None = None
) -> Iterator[Address]:
    """The server NEO4J_URI names, else one started in ``home``, afterwards stopped and deleted with its data.

    That happens even when this process is killed.
    """
    if machine.given is not None:
        yield machine.given
        return
    home = home.expanduser().resolve()
    leash = [sys.executable, "-m", "hitherto.neo4j_server.leash", str(home)]
    with subprocess.Popen(leash, stdin=subprocess.PIPE, start_new_session=True):
        try:
            yield start(machine, version=version, home=home, options=options).address
        finally:
            discard(machine, home)


def discard(machine: Machine, home: Path) -> None:
    """Stop the server in ``home``, if one runs, and delete the folder with all that is in it."""
    _stop(machine, Folder(home), timeout_s=30, volumes=True)
    shutil.rmtree(home, ignore_errors=True)


def _check_version(version: str) -> None:
    if not _VERSION.fullmatch(version):
        raise Invalid(f"Neo4j {version!r} is not supported; take {CURRENT_VERSION} or {LTS_VERSION}")


def _check_options(options: Options) -> None:
    for name, port in (("Bolt", options.bolt_port), ("HTTP", options.http_port)):
        if not 0 <= port <= 65535:
            raise Invalid(f"the {name} port is {port}; it must be from 1 to 65535, or 0 for any free one")
    for size in (options.heap, options.page_cache):
        if not _SIZE.fullmatch(size):
            raise Invalid(f"{size!r} is not a size of memory; write it like 512m or 2g")
    if any("\n" in part for setting in options.conf for part in setting):
        raise Invalid("a setting for neo4j.conf holds a line break")


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _folder(machine: Machine, home: Path | None) -> Folder:
    return Folder((home or machine.data).expanduser().resolve())
