"""The real thing, on a local Java: both versions, through crashes and back, asked by the official driver."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path

import pytest
from neo4j import GraphDatabase
from neo4j.exceptions import AuthError

from hitherto.neo4j_server import (
    CURRENT_VERSION,
    LTS_VERSION,
    Address,
    LocalJava,
    Machine,
    Options,
    Server,
    locate,
    start,
    status,
    stop,
)
from hitherto.neo4j_server.folder import Folder
from hitherto.neo4j_server.process import is_server
from hitherto.temporal.errors import Conflict, Unavailable
from hitherto.testing.neo4j import skip_or_fail

pytestmark = pytest.mark.neo4j
# These servers live for seconds: compiling well costs more than it brings.
QUICK = Options(bolt_port=0, http_port=0, heap="512m", jvm=("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"))
PASSWORD = "-o \"dd\\ päss'$#/@:"


def local_machine(version: str) -> Machine:
    machine = replace(Machine.from_environ(os.environ), given=None, version=None)
    try:
        found = locate(machine, version)
    except Unavailable as error:
        skip_or_fail(machine, error)
    if not isinstance(found, LocalJava):
        pytest.skip("a Docker engine answers, and these tests end processes of a local Java")
    return machine


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """One home for the module; each test starts its server if it does not run."""
    data = tmp_path_factory.mktemp("real")
    machine = replace(local_machine(CURRENT_VERSION), data=data / "the home")
    folder = Folder(machine.data)
    folder.create()
    folder.password_file.write_text(PASSWORD)
    yield machine
    stop(machine)


def quick_start(machine: Machine) -> Server:
    try:
        return start(machine, version=CURRENT_VERSION, options=QUICK)
    except Unavailable as error:
        skip_or_fail(machine, error)


def ask(address: Address, query: str) -> list[object]:
    with GraphDatabase.driver(address.uri, auth=address.auth) as driver:
        return [record[0] for record in driver.execute_query(query).records]


def pid_of(machine: Machine) -> int:
    note = Folder(machine.data).read_note()
    assert note is not None
    return note.pid


VERSION = "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions[0]"


def test_the_driver_connects_and_the_browsers_page_is_there(machine: Machine) -> None:
    server = quick_start(machine)
    assert server.ready and server.address.password == PASSWORD
    assert ask(server.address, VERSION) == [CURRENT_VERSION]
    with pytest.raises(AuthError):
        ask(replace(server.address, password="neo4j"), "RETURN 1")
    page = HTTPConnection(server.http.removeprefix("http://"), timeout=5)
    page.request("GET", "/browser/")
    assert b"<title>Neo4j Browser</title>" in page.getresponse().read()
    page.close()


def test_a_second_start_is_at_once_and_the_same(machine: Machine) -> None:
    server, pid = quick_start(machine), pid_of(machine)
    began = time.monotonic()
    assert quick_start(machine) == server == status(machine)
    assert time.monotonic() - began < 1 and pid_of(machine) == pid
    with pytest.raises(Conflict, match="already runs"):
        start(machine, version=LTS_VERSION)


def test_no_password_is_in_any_file_but_its_own(machine: Machine) -> None:
    quick_start(machine)
    words = [PASSWORD, json.dumps(PASSWORD)]
    for path in machine.data.rglob("*"):
        small = path.is_file() and path.stat().st_size < 20_000_000  # the store's own logs are allocated ahead
        if small and path != Folder(machine.data).password_file:
            content = path.read_bytes()
            assert not any(word.encode() in content for word in words), path
    assert not any(word.encode() in Path(f"/proc/{pid_of(machine)}/cmdline").read_bytes() for word in words)


def test_after_kill_9_it_starts_with_what_was_committed(machine: Machine) -> None:
    server = quick_start(machine)
    ask(server.address, "CREATE (:Kept {what: 'before the crash'})")
    pid = pid_of(machine)
    os.kill(pid, signal.SIGKILL)
    give_up = time.monotonic() + 10
    while status(machine) is not None:
        assert time.monotonic() < give_up
        time.sleep(0.05)
    server = quick_start(machine)
    assert pid_of(machine) != pid
    assert ask(server.address, "MATCH (k:Kept) RETURN k.what") == ["before the crash"]


def test_stop_is_clean_and_busy_ports_and_a_stale_pid_do_not_hinder_the_next_start(machine: Machine) -> None:
    server, pid = quick_start(machine), pid_of(machine)
    began = time.monotonic()
    assert stop(machine) == "stopped"
    assert time.monotonic() - began < 8 and not is_server(pid, machine.data)
    assert (machine.data / "logs/neo4j.log").read_text().rstrip().endswith("Stopped.")
    folder = Folder(machine.data)
    note = folder.read_note()
    assert note is not None
    folder.write_note(replace(note, pid=os.getpid()))
    with socket.socket() as bolt, socket.socket() as http:
        for busy in (bolt, http):
            busy.bind(("127.0.0.1", 0))
            busy.listen()
        wanted = replace(QUICK, bolt_port=bolt.getsockname()[1], http_port=http.getsockname()[1])
        server = start(machine, options=wanted)
        assert server.address.uri != f"neo4j://127.0.0.1:{wanted.bolt_port}"
        # neo4j:// asks for the routing table, which names the advertised address.
        assert ask(server.address, VERSION) == [CURRENT_VERSION]
    with pytest.raises(Conflict, match="cannot read"):
        stop(machine)
        start(machine, version=LTS_VERSION, options=QUICK)


@pytest.mark.slow
def test_the_long_term_version_and_its_upgrade(tmp_path: Path) -> None:
    machine = replace(local_machine(LTS_VERSION), data=tmp_path / "home")
    try:
        server = start(machine, version=LTS_VERSION, options=QUICK)
        assert ask(server.address, VERSION) == [LTS_VERSION]
        ask(server.address, "CREATE (:Kept {what: 'from the older version'})")
        stop(machine)
        server = start(machine, version=CURRENT_VERSION, options=QUICK)
        assert ask(server.address, VERSION) == [CURRENT_VERSION]
        assert ask(server.address, "MATCH (k:Kept) RETURN k.what") == ["from the older version"]
    except Unavailable as error:
        skip_or_fail(machine, error)
    finally:
        stop(machine)


def test_the_shared_fixture(neo4j_server: Address) -> None:
    assert "neo4j" in neo4j_server.uri or "bolt" in neo4j_server.uri
    (version,) = ask(neo4j_server, VERSION)
    assert str(version).startswith(("5.26.", "20"))
