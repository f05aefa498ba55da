"""Starting, finding and stopping, where the server is a made-up one."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from hitherto.neo4j_server import (
    CURRENT_VERSION,
    LTS_VERSION,
    Address,
    Docker,
    LocalJava,
    Machine,
    Options,
    locate,
    passing_server,
    start,
    status,
    stop,
)
from hitherto.neo4j_server.folder import Folder, Note, locked
from hitherto.neo4j_server.process import is_server
from hitherto.temporal.errors import Busy, Conflict, Invalid, Unavailable

from .made_up import made_up_machine, starts

ANY = Options(bolt_port=0, http_port=0, timeout_s=20)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    machine = made_up_machine(tmp_path)
    yield machine
    stop(machine, timeout_s=1)


def pid_of(machine: Machine) -> int:
    note = Folder(machine.data).read_note()
    assert note is not None
    return note.pid


def test_the_order_is_named_server_then_docker_then_java(tmp_path: Path, machine: Machine) -> None:
    named = Address("bolt://db", "neo4j", "p")
    assert locate(replace(machine, given=named)) == named
    docker = tmp_path / "bin" / "docker"
    docker.parent.mkdir()
    docker.write_text("#!/bin/sh\nexit 0\n")
    docker.chmod(0o755)
    assert locate(replace(machine, path=str(docker.parent))) == Docker(docker)
    docker.write_text("#!/bin/sh\nexit 1\n")
    found = locate(replace(machine, path=str(docker.parent)))
    assert isinstance(found, LocalJava) and found.version == CURRENT_VERSION


def test_an_older_java_gets_the_long_term_version_unless_one_was_asked_for(
    tmp_path: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hitherto.neo4j_server.java._SYSTEM", ())
    monkeypatch.setattr("hitherto.neo4j_server.java.find_spec", lambda name: None)
    (tmp_path / "jdk/release").write_text('JAVA_VERSION="17.0.1"\n')
    (machine.cache / f"{LTS_VERSION}.classpath").write_text(f"neo4j-{CURRENT_VERSION}.jar\n")
    found = locate(machine)
    assert isinstance(found, LocalJava) and found.version == LTS_VERSION
    with pytest.raises(Unavailable, match="needs Java 21"):
        locate(machine, CURRENT_VERSION)
    with pytest.raises(Unavailable, match="needs Java 21"):
        locate(replace(machine, version=CURRENT_VERSION))


def test_no_way_at_all_names_each(machine: Machine) -> None:
    (machine.cache / f"{CURRENT_VERSION}.classpath").unlink()
    with pytest.raises(Unavailable) as told:
        locate(machine)
    assert told.value.code == "neo4j_not_found"
    for part in ("NEO4J_URI is not set", "no docker client", "Maven (mvn) is not"):
        assert part in str(told.value)


@pytest.mark.parametrize("version", ["4.4.0", "5.25.1", "latest", "2026.08", "2026.08.1; rm", ""])
def test_versions_that_are_too_old_or_none_are_refused(machine: Machine, version: str) -> None:
    with pytest.raises(Invalid, match="is not supported; take 2026"):
        start(replace(machine, version=None), version=version or "x")


@pytest.mark.parametrize(
    "options", [Options(bolt_port=-1), Options(http_port=65536), Options(heap="much"), Options(page_cache="1 g")]
)
def test_bad_options_start_nothing(machine: Machine, options: Options) -> None:
    with pytest.raises(Invalid):
        start(machine, options=options)
    assert not machine.data.exists()


def test_start_again_is_the_same_server_and_stop_ends_it(tmp_path: Path, machine: Machine) -> None:
    assert status(machine) is None
    assert stop(machine) == "not running"
    server = start(machine, options=ANY)
    pid = pid_of(machine)
    assert start(machine) == server == status(machine)
    assert pid_of(machine) == pid
    with pytest.raises(Conflict, match=f"already runs Neo4j {CURRENT_VERSION}"):
        start(machine, version=LTS_VERSION)
    assert stop(machine) == "stopped"
    assert status(machine) is None and not is_server(pid, machine.data)
    assert stop(machine) == "not running"
    assert len(starts(tmp_path)) == 1


def test_starts_at_the_same_time_make_one_server(tmp_path: Path, machine: Machine) -> None:
    with ThreadPoolExecutor(4) as pool:
        servers = list(pool.map(lambda _: start(machine, options=ANY), range(4)))
    assert len(set(servers)) == 1 and len(starts(tmp_path)) == 1


def test_busy_ports_move_to_the_next_free_ones(tmp_path: Path, machine: Machine) -> None:
    with socket.socket() as one, socket.socket() as other:
        for busy, host in ((one, "127.0.0.1"), (other, "0.0.0.0")):
            busy.bind((host, 0))
            busy.listen()
        bolt, http = (int(busy.getsockname()[1]) for busy in (one, other))
        server = start(machine, options=replace(ANY, bolt_port=bolt, http_port=http))
        ((bolt_used, http_used),) = starts(tmp_path)
    assert bolt < bolt_used <= bolt + 51 and http < http_used <= http + 51
    assert server.address.uri == f"neo4j://127.0.0.1:{bolt_used}"
    assert server.http == f"http://127.0.0.1:{http_used}"
    conf = (machine.data / "conf/neo4j.conf").read_text()
    for line in (
        f"server.bolt.advertised_address=127.0.0.1:{bolt_used}",
        f"server.http.advertised_address=127.0.0.1:{http_used}",
        "dbms.usage_report.enabled=false",
    ):
        assert line in conf.splitlines()


def test_a_port_lost_while_starting_is_tried_again_on_another(tmp_path: Path, machine: Machine) -> None:
    (tmp_path / "mode").write_text("port taken once")
    assert start(machine, options=ANY).ready
    first, second = starts(tmp_path)
    assert first != second


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("dies", "it ended by itself: Error: no room on this machine"),
        ("silent", "no answer after 1 s: starting up | still at it"),
        ("refuses", "no password today"),
    ],
)
def test_a_server_that_does_not_come_up_leaves_no_process(
    tmp_path: Path, machine: Machine, mode: str, message: str
) -> None:
    (tmp_path / "mode").write_text(mode)
    with pytest.raises(Unavailable) as told:
        start(machine, options=replace(ANY, timeout_s=1))
    assert told.value.code == "neo4j_start"
    assert message in str(told.value)
    assert status(machine) is None
    (tmp_path / "mode").write_text("good")
    assert start(machine, options=ANY).ready


def test_sigterm_ignored_is_followed_by_sigkill(tmp_path: Path, machine: Machine) -> None:
    (tmp_path / "mode").write_text("stubborn")
    start(machine, options=ANY)
    assert stop(machine, timeout_s=0.5) == "killed"
    assert status(machine) is None


def test_a_killed_server_is_started_anew(tmp_path: Path, machine: Machine) -> None:
    start(machine, options=ANY)
    os.kill(pid_of(machine), signal.SIGKILL)
    wait_until(lambda: status(machine) is None)
    assert start(machine, options=ANY).ready
    assert len(starts(tmp_path)) == 2


def test_a_pid_that_another_process_has_now_is_left_alone(tmp_path: Path, machine: Machine) -> None:
    start(machine, options=ANY)
    stop(machine)
    folder = Folder(machine.data)
    note = folder.read_note()
    assert note is not None and note.pid == 0
    folder.write_note(replace(note, pid=os.getpid()))  # a signal would end this very test run
    assert status(machine) is None
    assert stop(machine) == "not running"
    folder.write_note(replace(note, pid=os.getpid()))
    assert start(machine, options=ANY).ready


def test_another_homes_server_is_not_taken_for_ours(tmp_path: Path, machine: Machine) -> None:
    start(machine, options=ANY)
    note = Folder(machine.data).read_note()
    assert note is not None
    other = Folder(tmp_path / "hom")  # a part of the other's path
    other.create()
    other.write_note(note)
    assert status(machine, other.path) is None and stop(machine, other.path) == "not running"
    assert is_server(note.pid, machine.data)


@pytest.mark.parametrize("broken", ["", "{}", "[1]", '{"pid": 1}', "\x00"])
def test_a_broken_note_counts_as_none(machine: Machine, broken: str) -> None:
    folder = Folder(machine.data)
    folder.create()
    folder.note_file.write_text(broken)
    assert status(machine) is None and stop(machine) == "not running"


def test_the_password_is_random_private_and_kept(tmp_path: Path, machine: Machine) -> None:
    server = start(machine, options=ANY)
    password = server.address.password
    assert server.password_file.read_text() == password + "\n" and len(password) >= 24
    assert server.password_file.stat().st_mode & 0o777 == 0o600
    assert machine.data.stat().st_mode & 0o777 == 0o700
    assert password not in repr(server) and password not in server.browser
    told, *words = Path(f"{tmp_path}/mode.told").read_text().splitlines()
    assert password not in told and f'"{password}"' in words
    holders = [path for path in machine.data.rglob("*") if path.is_file() and password in path.read_text()]
    assert holders == [server.password_file]
    assert start(machine, home=tmp_path / "second", options=ANY).address.password != password
    stop(machine, tmp_path / "second")


def test_a_chosen_password_is_taken_and_a_short_or_lost_one_refused(tmp_path: Path, machine: Machine) -> None:
    folder = Folder(machine.data)
    folder.create()
    folder.password_file.write_text("short\n")
    with pytest.raises(Invalid, match="fewer than 8"):
        start(machine, options=ANY)
    folder.password_file.write_text('-o "dd\\ one\n')
    assert start(machine, options=ANY).address.password == '-o "dd\\ one'
    assert '"-o \\"dd\\\\ one"' in Path(f"{tmp_path}/mode.told").read_text()
    stop(machine)
    folder.password_file.unlink()
    with pytest.raises(Invalid, match="password file is gone"):
        start(machine, options=ANY)


def test_a_home_keeps_its_version_and_its_engine(machine: Machine) -> None:
    folder = Folder(machine.data)
    folder.create()
    folder.write_note(Note("java", "2099.01.0", 1, 2))
    with pytest.raises(Conflict, match=r"holds the data of Neo4j 2099\.01\.0"):
        start(machine, version=CURRENT_VERSION)
    folder.write_note(Note("docker", CURRENT_VERSION, 1, 2, project="p"))
    with pytest.raises(Unavailable, match="no docker client"):
        start(machine)
    folder.note_file.unlink()


def test_a_home_that_cannot_be_made(tmp_path: Path, machine: Machine) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="cannot be made a Neo4j home"):
        start(machine, home=tmp_path / "file" / "home")


def test_a_held_lock_is_waited_for_within_bounds(tmp_path: Path) -> None:
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with locked(tmp_path / "lock", 1):
            held.set()
            done.wait(5)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(hold)
        assert held.wait(5)
        with pytest.raises(Busy), locked(tmp_path / "lock", 0.2):
            pass
        done.set()
        with locked(tmp_path / "lock", 5):
            pass


def test_a_passing_server_is_gone_afterwards(tmp_path: Path, machine: Machine) -> None:
    named = Address("bolt://db", "neo4j", "p")
    with passing_server(replace(machine, given=named), tmp_path / "unused") as address:
        assert address == named
    with pytest.raises(ZeroDivisionError), passing_server(machine, tmp_path / "passing", options=ANY):
        pid = pid_of(replace(machine, data=tmp_path / "passing"))
        raise ZeroDivisionError
    assert not (tmp_path / "unused").exists() and not (tmp_path / "passing").exists()
    assert not is_server(pid, tmp_path / "passing")


def test_a_passing_server_ends_with_a_process_that_is_killed(tmp_path: Path, machine: Machine) -> None:
    home = tmp_path / "passing"
    code = (
        "import os, sys, time; from dataclasses import replace; from pathlib import Path; "
        "from hitherto.neo4j_server import Machine, Options, passing_server\n"
        "machine = replace(Machine.from_environ(os.environ), cache=Path(sys.argv[1]), given=None, path='')\n"
        "with passing_server(machine, Path(sys.argv[2]), options=Options(0, 0)):\n"
        "    print('up', flush=True); time.sleep(60)"
    )
    words = [sys.executable, "-c", code, str(machine.cache), str(home)]
    environ = {"HOME": str(tmp_path), "JAVA_HOME": str(machine.java_home), "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(words, env=environ, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"up\n"
        pid = pid_of(replace(machine, data=home))
        assert is_server(pid, home)
        process.kill()
    wait_until(lambda: not is_server(pid, home) and not home.exists(), timeout_s=20)


def wait_until(true: object, timeout_s: float = 5) -> None:
    assert callable(true)
    give_up = time.monotonic() + timeout_s
    while not true():
        assert time.monotonic() < give_up
        time.sleep(0.02)


def test_a_process_that_becomes_another_program_is_still_the_server(tmp_path: Path) -> None:
    """A line longer than one read, as with a class path: its pieces may be of two programs."""
    first, second = tmp_path / "first.sh", tmp_path / "second.sh"
    first.write_text(f'exec env CLASSPATH={"x" * 30_000} /bin/sh {second} "$@"\n')
    second.write_text(f'exec /bin/sh {first} "$@"\n')
    with subprocess.Popen(["/bin/sh", str(first), f"--home-dir={tmp_path}"]) as process:
        try:
            assert all(is_server(process.pid, tmp_path) for _ in range(800))
        finally:
            process.kill()
    assert not is_server(process.pid, tmp_path)


def test_a_server_that_is_just_ending_is_started_anew(machine: Machine) -> None:
    start(machine, options=ANY)
    first = pid_of(machine)
    os.kill(first, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as pool:
        again = pool.submit(start, machine, options=ANY)
        time.sleep(0.5)
        os.kill(first, signal.SIGKILL)
        assert again.result(timeout=30).version == CURRENT_VERSION
    assert pid_of(machine) != first
