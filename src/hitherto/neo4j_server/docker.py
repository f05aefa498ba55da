"""A server in a container, by the compose file that is also docker/compose.yml of the repository."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ..temporal.errors import Unavailable
from .folder import Folder, Note, write_private
from .jars import last_lines
from .machine import Machine
from .process import Options

COMPOSE_FILE = Path(__file__).with_name("compose.yml")
_NAMES = (
    "NEO4J_PASSWORD",
    "HITHERTO_NEO4J_VERSION",
    "HITHERTO_NEO4J_BOLT_PORT",
    "HITHERTO_NEO4J_HTTP_PORT",
    "HITHERTO_NEO4J_HEAP",
    "HITHERTO_NEO4J_PAGE_CACHE",
)


@dataclass(frozen=True, slots=True)
class Docker:
    """A docker client whose engine answers and which has ``docker compose``."""

    client: Path


def find_docker(machine: Machine, timeout_s: float = 5) -> Docker:
    """Raises Unavailable, saying what is missing. A client without an engine is noticed at once."""
    client = shutil.which("docker", path=machine.path)
    if client is None:
        raise _none("no docker client is on the search path")
    for words, missing in (
        (["version", "--format", "{{.Server.Version}}"], "no Docker engine answers"),
        (["compose", "version"], "docker has no compose command"),
    ):
        try:
            done = subprocess.run([client, *words], capture_output=True, timeout=timeout_s, check=False)
        except (OSError, subprocess.TimeoutExpired):
            raise _none(missing) from None
        if done.returncode != 0:
            raise _none(missing)
    return Docker(Path(client))


def project_name(home: Path) -> str:
    """One compose project, with volumes of its own, for each home."""
    return f"hitherto-neo4j-{hashlib.sha256(os.fsencode(home)).hexdigest()[:10]}"


def compose_up(docker: Docker, folder: Folder, note: Note, options: Options, password: str) -> None:
    """Start the container. Raises Unavailable with the end of what compose said."""
    ports = str(note.bolt_port), str(note.http_port)
    values = dict(zip(_NAMES, (password, note.version, *ports, options.heap, options.page_cache), strict=True))
    lines = (f"{name}={_quoted(value)}\n" for name, value in values.items())
    write_private(_variables(folder), "".join(lines))
    _compose(docker, folder, note.project, ["up", "--detach"], options.timeout_s + 600)


def compose_down(docker: Docker, folder: Folder, project: str, *, volumes: bool = False) -> None:
    """Stop and remove the container; its data stays in the volume unless ``volumes``."""
    _compose(docker, folder, project, ["down", "--timeout", "30", *(["--volumes"] if volumes else [])], 120)


def _compose(docker: Docker, folder: Folder, project: str, words: list[str], timeout_s: float) -> None:
    # A variable of the caller's shell would win over the same one in the file.
    command = ["env", *(word for name in _NAMES for word in ("-u", name))]
    command += [str(docker.client), "compose", "--project-name", project, "--file", str(COMPOSE_FILE)]
    command += ["--env-file", str(_variables(folder)), *words]
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout_s, check=False
        )
    except subprocess.TimeoutExpired:
        raise _failed(words[0], f"no end after {timeout_s:.0f} s") from None
    if done.returncode != 0:
        raise _failed(words[0], last_lines(done.stdout))


def _variables(folder: Folder) -> Path:
    return folder.path / "compose.env"


def _quoted(value: str) -> str:
    """Single quotes keep compose from reading $ and # in a password."""
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _failed(verb: str, why: str) -> Unavailable:
    return Unavailable(f"docker compose {verb} failed for Neo4j: {why}", code="neo4j_start")


def _none(why: str) -> Unavailable:
    return Unavailable(why, code="neo4j_not_found")
