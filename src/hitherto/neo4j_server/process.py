"""The server's process: its settings, its start without a terminal, and how it is known and ended."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Collection
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from json import loads
from pathlib import Path
from typing import Literal

from ..temporal.errors import Unavailable
from .folder import Folder, Note, read_end, write_private
from .jars import Jars, last_lines
from .java import Java

_OPENS = ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch")
# $0 is the log. The server becomes init's child, so that no starter has to wait for it to avoid a zombie.
_DETACH = '"$@" >"$0" 2>&1 </dev/null & echo $!'


@dataclass(frozen=True, slots=True)
class Options:
    """How a server is started. A port of 0 is any free one; a busy one moves to the next free one.

    ``heap`` and ``page_cache`` are sizes as Java writes them ("512m", "2g"); ``jvm`` are further options for Java.
    ``conf`` are further settings by their names in neo4j.conf, which win over ours; only on a local Java.
    ``timeout_s`` bounds the wait for the server to answer (after a crash it first recovers).
    """

    bolt_port: int = 7687
    http_port: int = 7474
    heap: str = "1g"
    page_cache: str = "256m"
    jvm: tuple[str, ...] = ()
    conf: tuple[tuple[str, str], ...] = ()
    timeout_s: float = 180


def free_port(wanted: int, taken: Collection[int] = ()) -> int:
    """``wanted``, else one of the next 50, else any free port on the loopback address."""
    for port in range(wanted, min(wanted + 50, 65536)) if wanted else ():
        if port not in taken and _is_free(port):
            return port
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        if port not in taken:
            return port


def _is_free(port: int) -> bool:
    """Both looks are needed: macOS lets a second socket bind below one that listens on all addresses."""
    with socket.socket() as probe:
        probe.settimeout(0.5)
        if probe.connect_ex(("127.0.0.1", port)) == 0:
            return False
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def settings(note: Note, options: Options) -> str:
    """The contents of neo4j.conf."""
    bolt, http = f"127.0.0.1:{note.bolt_port}", f"127.0.0.1:{note.http_port}"
    values = {
        "server.default_listen_address": "127.0.0.1",
        "server.bolt.listen_address": bolt,
        "server.bolt.advertised_address": bolt,
        "server.http.listen_address": http,
        "server.http.advertised_address": http,
        "server.https.enabled": "false",
        "server.memory.heap.max_size": options.heap,
        "server.memory.pagecache.size": options.page_cache,
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        # Else every stop waits ten seconds for nothing, after the databases are closed.
        "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
        **dict(options.conf),
    }
    return "".join(f"{name}={value}\n" for name, value in values.items())


def set_first_password(folder: Folder, jars: Jars, java: Java, password: str) -> None:
    """Before the first start only. The password goes through a private file: anyone can read arguments."""
    told = folder.path / "first-password"
    command = _java(folder, jars, java, ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"))
    command += ["org.neo4j.server.startup.Neo4jAdminCommand", f"@{told}"]
    write_private(told, f'dbms\nset-initial-password\n--\n"{_escaped(password)}"\n')
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        raise _no_start("setting the first password took over 120 s") from None
    finally:
        told.unlink()
    if done.returncode != 0:
        raise _no_start(last_lines((done.stdout + done.stderr).replace(password, "***")))


def _escaped(word: str) -> str:
    """For a quoted word of an argument file."""
    return word.replace("\\", "\\\\").replace('"', '\\"')


def launch(folder: Folder, jars: Jars, java: Java, options: Options) -> int:
    """Start the server in a session of its own and give its process id; it is not ready yet."""
    jvm = [f"-Xmx{options.heap}", *options.jvm]
    jvm += ["--add-modules=jdk.incubator.vector"] if java.vector else []
    jvm += [f"--add-opens={package}=ALL-UNNAMED" for package in _OPENS]
    jvm += ["--enable-native-access=ALL-UNNAMED"]
    command = _java(folder, jars, java, jvm)
    command += [jars.main_class(), _mark(folder.path), f"--config-dir={folder.conf}"]
    folder.server_log.unlink(missing_ok=True)
    shell = ["/bin/sh", "-c", _DETACH, str(folder.console_log), *command]
    done = subprocess.run(
        shell, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, start_new_session=True, check=False
    )
    if done.returncode != 0 or not done.stdout.strip().isdigit():
        raise _no_start(last_lines(read_logs(folder)))
    return int(done.stdout)


def _java(folder: Folder, jars: Jars, java: Java, jvm: Collection[str]) -> list[str]:
    variables = {"CLASSPATH": jars.classpath, "NEO4J_HOME": str(folder.path), "NEO4J_CONF": str(folder.conf)}
    return ["env", *(f"{name}={value}" for name, value in variables.items()), str(java.executable), *jvm]


def _mark(home: Path) -> str:
    """The argument by which a server of this home is told from any other process."""
    return f"--home-dir={home}"


def is_server(pid: int, home: Path) -> bool:
    """True while ``pid`` is a live server of this home: ids are used again, so a kept one proves nothing."""
    if pid <= 0:
        return False
    mark = os.fsencode(_mark(home))
    if Path("/proc/self/cmdline").exists():
        return mark in _words(pid)
    shown = subprocess.run(["ps", "-ww", "-o", "args=", "-p", str(pid)], capture_output=True, check=False)
    return mark in shown.stdout


def _words(pid: int) -> list[bytes]:
    """A process's arguments as Linux shows them; none of a dead one, even before its parent has asked for it."""
    proc = Path(f"/proc/{pid}")
    before = b""
    for _ in range(100):
        try:
            line = (proc / "cmdline").read_bytes()
            ended = (proc / "stat").read_bytes().rpartition(b")")[2].split()[0] in (b"Z", b"X")
        except (FileNotFoundError, ProcessLookupError):
            return []
        # A live process that becomes another program shows nothing for a moment; and the line comes in pieces, so
        # that one read meanwhile is the beginning of the one program's and the end of the other's.
        if ended or (line and line == before):
            return line.split(b"\0")
        before = line
        time.sleep(0.005 if not line else 0)
    return before.split(b"\0")


def end_process(pid: int, home: Path, timeout_s: float) -> Literal["stopped", "killed"]:
    """SIGTERM, and SIGKILL after the wait. Nothing is sent to a process that is no server of this home."""
    for kind in (signal.SIGTERM, signal.SIGKILL):
        if is_server(pid, home):
            os.kill(pid, kind)
        give_up = time.monotonic() + timeout_s
        while time.monotonic() < give_up:
            if not is_server(pid, home):
                return "stopped" if kind is signal.SIGTERM else "killed"
            time.sleep(0.05)
    raise Unavailable(f"process {pid} of the Neo4j in {home} does not end; see why, then kill it")


def discover(note: Note) -> str | None:
    """The version that answers on the HTTP port, if it is the server that the note means; asks for no password."""
    connection = HTTPConnection("127.0.0.1", note.http_port, timeout=5)
    try:
        connection.request("GET", "/", headers={"Accept": "application/json"})
        told = loads(connection.getresponse().read())
        ours = str(told["bolt_direct"]).endswith(f":{note.bolt_port}")
        return str(told["neo4j_version"]) if ours else None
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return None
    finally:
        connection.close()


def wait_ready(folder: Folder, note: Note, timeout_s: float) -> None:
    """Until the server answers. Raises Unavailable with the end of its log when it ended or the time is over."""
    give_up = time.monotonic() + timeout_s
    while discover(note) is None:
        if note.engine == "java" and not is_server(note.pid, folder.path):
            raise _no_start(f"it ended by itself: {last_lines(read_logs(folder))}")
        if time.monotonic() > give_up:
            raise _no_start(f"no answer after {timeout_s:.0f} s: {last_lines(read_logs(folder))}")
        time.sleep(0.1)


def read_logs(folder: Folder) -> str:
    """The server's log, and what Java itself said where there is no such log."""
    return read_end(folder.server_log) or read_end(folder.console_log)


def _no_start(why: str) -> Unavailable:
    return Unavailable(f"Neo4j did not start: {why}", code="neo4j_start")
