"""``hitherto neo4j ...``, with a made-up server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from hitherto.neo4j_server import stop
from hitherto.neo4j_server.cli import app
from hitherto.temporal.errors import Invalid

from .made_up import made_up_machine


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    machine = made_up_machine(tmp_path)
    cache = tmp_path / "xdg" / "hitherto" / "neo4j"
    cache.parent.mkdir(parents=True)
    machine.cache.rename(cache)
    for name, value in (
        ("XDG_CACHE_HOME", tmp_path / "xdg"),
        ("JAVA_HOME", tmp_path / "jdk"),
        ("PATH", "/nowhere"),
    ):
        monkeypatch.setenv(name, str(value))
    for name in ("NEO4J_URI", "HITHERTO_NEO4J_VERSION"):
        monkeypatch.delenv(name, raising=False)
    yield machine.data
    stop(machine, timeout_s=1)


def hitherto(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def test_start_status_stop(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    none = hitherto("status", "--home", home)
    assert none.exit_code == 3 and none.stdout == "Neo4j: not running\n"
    started = hitherto("start", "--home", home, "--bolt-port", "0", "--http-port", "0")
    assert started.exit_code == 0, started.exception
    password = (home / "password").read_text().strip()
    assert password not in started.stdout and str(home / "password") in started.stdout
    assert "neo4j://127.0.0.1:" in started.stdout and "/browser/?dbms=" in started.stdout
    shown = json.loads(hitherto("status", "--home", home, "--json").stdout)
    assert (shown["version"], shown["engine"], shown["state"]) == ("2026.08.1", "java", "ready")
    assert password not in shown.values() and shown["password_file"] == str(home / "password")
    assert password in hitherto("status", "--home", home, "--show-password").stdout
    assert (
        json.loads(hitherto("status", "--home", home, "--show-password", "--json").stdout)["password"] == password
    )
    assert hitherto("stop", "--home", home).stdout == "Neo4j: stopped\n"
    assert json.loads(hitherto("status", "--home", home, "--json").stdout) == {}
    assert hitherto("stop", "--home", home).stdout == "Neo4j: not running\n"


def test_a_bad_option_is_an_error_for_the_caller_to_show(home: Path) -> None:
    assert isinstance(hitherto("start", "--home", home, "--heap", "lots").exception, Invalid)
    assert not home.exists()
