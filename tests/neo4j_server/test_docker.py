"""Docker, with a client that is a script: when it counts as there, and what compose is told."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from hitherto.neo4j_server import CURRENT_VERSION, Docker, Machine, Options
from hitherto.neo4j_server.docker import COMPOSE_FILE, compose_down, compose_up, find_docker, project_name
from hitherto.neo4j_server.folder import Folder, Note
from hitherto.temporal.errors import Unavailable

ROOT = Path(__file__).resolve().parents[2]
NOTE = Note("docker", "2026.08.1", 17687, 17474, project="hitherto-neo4j-x")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    (tmp_path / "bin").mkdir()
    return Machine(user_home=tmp_path, path=str(tmp_path / "bin"), cache=tmp_path, data=tmp_path)


def put_docker(tmp_path: Path, script: str) -> Docker:
    client = tmp_path / "bin" / "docker"
    client.write_text(f"#!/bin/sh\n{script}\n")
    client.chmod(0o755)
    return Docker(client)


def test_an_engine_and_compose_are_needed(tmp_path: Path, machine: Machine) -> None:
    with pytest.raises(Unavailable, match="no docker client"):
        find_docker(machine)
    put_docker(tmp_path, "echo 28.2.2; exit 1")
    with pytest.raises(Unavailable, match="no Docker engine answers"):
        find_docker(machine)
    put_docker(tmp_path, '[ "$1" = version ]')
    with pytest.raises(Unavailable, match="no compose command"):
        find_docker(machine)
    assert put_docker(tmp_path, "exit 0") == find_docker(machine)


def test_an_engine_that_hangs_is_noticed_quickly(tmp_path: Path, machine: Machine) -> None:
    put_docker(tmp_path, "exec /bin/sleep 30")
    began = time.monotonic()
    with pytest.raises(Unavailable, match="no Docker engine answers"):
        find_docker(machine, timeout_s=0.2)
    assert time.monotonic() - began < 5


def test_compose_gets_ports_and_password_through_a_private_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    docker = put_docker(tmp_path, f'echo "$@" >> "{tmp_path}/words"; echo "$NEO4J_PASSWORD" >> "{tmp_path}/words"')
    monkeypatch.setenv("NEO4J_PASSWORD", "the-callers-own")  # compose would prefer it to the file
    folder = Folder(tmp_path / "home")
    folder.create()
    compose_up(docker, folder, NOTE, Options(), "it's $ecret")
    words = (tmp_path / "words").read_text()
    assert "ecret" not in words and "the-callers-own" not in words
    assert f"--project-name hitherto-neo4j-x --file {COMPOSE_FILE}" in words and "up --detach" in words
    variables = folder.path / "compose.env"
    assert variables.stat().st_mode & 0o777 == 0o600
    assert "NEO4J_PASSWORD='it\\'s $ecret'\n" in variables.read_text()
    assert "HITHERTO_NEO4J_BOLT_PORT='17687'\n" in variables.read_text()


def test_a_container_taken_down_keeps_its_data_unless_told(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    docker = put_docker(tmp_path, f'echo "$@" > "{tmp_path}/words"')
    compose_down(docker, Folder(tmp_path), "p")
    assert "down" in (tmp_path / "words").read_text() and "--volumes" not in (tmp_path / "words").read_text()
    compose_down(docker, Folder(tmp_path), "p", volumes=True)
    assert "--volumes" in (tmp_path / "words").read_text()


def test_what_compose_says_is_told(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    docker = put_docker(tmp_path, "echo 'pull access denied'; exit 1")
    with pytest.raises(Unavailable, match="docker compose down failed for Neo4j: pull access denied"):
        compose_down(docker, Folder(tmp_path), "p")


def test_homes_have_projects_of_their_own() -> None:
    names = {project_name(Path(home)) for home in ("/a", "/b")}
    assert len(names) == 2 and all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)


def test_the_shipped_file_is_the_repositorys_and_pins_the_version() -> None:
    text = (ROOT / "docker" / "compose.yml").read_text(encoding="utf-8")
    assert COMPOSE_FILE.read_text(encoding="utf-8") == text
    assert f"image: neo4j:${{HITHERTO_NEO4J_VERSION:-{CURRENT_VERSION}}}\n" in text
    for needed in ("healthcheck:", "volumes:", "mem_limit:", "${NEO4J_PASSWORD:?", "usage__report_enabled"):
        assert needed in text
    assert set(re.findall(r'"([^"]*:(?:7687|7474))"', text)) == {
        "127.0.0.1:${HITHERTO_NEO4J_BOLT_PORT:-7687}:7687",
        "127.0.0.1:${HITHERTO_NEO4J_HTTP_PORT:-7474}:7474",
    }
