"""What the environment is taken to say."""

from __future__ import annotations

from pathlib import Path

import pytest

from hitherto.neo4j_server import Machine
from hitherto.temporal.errors import Invalid


def test_xdg_folders_win_and_relative_ones_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    given = Machine.from_environ({"HOME": "/home/ann", "XDG_CACHE_HOME": "/fast/cache", "XDG_DATA_HOME": "data"})
    assert given.cache == Path("/fast/cache/hitherto/neo4j")
    assert given.data == Path("/home/ann/.local/share/hitherto/neo4j")


@pytest.mark.parametrize(
    ("platform", "cache", "data"),
    [
        ("linux", "/h/.cache", "/h/.local/share"),
        ("darwin", "/h/Library/Caches", "/h/Library/Application Support"),
        ("win32", "/h/AppData/Local", "/h/AppData/Local"),
    ],
)
def test_folders_follow_the_platform(
    platform: str, cache: str, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    machine = Machine.from_environ({"HOME": "/h"})
    assert (machine.cache, machine.data) == (Path(cache, "hitherto/neo4j"), Path(data, "hitherto/neo4j"))


def test_a_named_server_and_its_user() -> None:
    machine = Machine.from_environ({"NEO4J_URI": "neo4j+s://db.example:7688", "NEO4J_PASSWORD": "p"})
    assert machine.given is not None
    assert (machine.given.uri, machine.given.auth) == ("neo4j+s://db.example:7688", ("neo4j", "p"))
    named = Machine.from_environ({"NEO4J_URI": "bolt://[::1]", "NEO4J_USER": "ann", "NEO4J_PASSWORD": ""}).given
    assert named is not None and named.auth == ("ann", "")


def test_a_password_is_in_no_repr() -> None:
    machine = Machine.from_environ({"NEO4J_URI": "bolt://db", "NEO4J_PASSWORD": "open-sesame"})
    assert "open-sesame" not in repr(machine)


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({"NEO4J_URI": "http://db:7474", "NEO4J_PASSWORD": "p"}, "needs one of neo4j, neo4j\\+s"),
        ({"NEO4J_URI": "bolt://", "NEO4J_PASSWORD": "p"}, "as in neo4j://host:7687"),
        ({"NEO4J_URI": "bolt://[::1", "NEO4J_PASSWORD": "p"}, "not an address"),
        ({"NEO4J_URI": "bolt://db"}, "NEO4J_PASSWORD is not"),
    ],
)
def test_an_unusable_address_is_refused(environ: dict[str, str], message: str) -> None:
    with pytest.raises(Invalid, match=message):
        Machine.from_environ(environ)


def test_credentials_in_the_address_are_refused_unprinted() -> None:
    with pytest.raises(Invalid) as told:
        Machine.from_environ({"NEO4J_URI": "neo4j://ann:open-sesame@db", "NEO4J_PASSWORD": "p"})
    assert "open-sesame" not in str(told.value)


@pytest.mark.parametrize(
    ("value", "required"), [(None, False), ("", False), ("0", False), ("1", True), ("yes", True)]
)
def test_required(value: str | None, required: bool) -> None:
    environ = {} if value is None else {"HITHERTO_NEO4J_REQUIRED": value}
    assert Machine.from_environ(environ).required is required
