"""The shipped fixtures in somebody else's test run: skipped loudly, or failed where a server is required."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TEST = """
def test_one(neo4j_server):
    assert neo4j_server.auth == ("ann", "open-sesame")

def test_two(neo4j_server):
    pass

def test_lts(neo4j_lts_server):
    pass
"""


def run(tmp_path: Path, **environ: str) -> tuple[int, str]:
    """A run whose machine has no Docker, no Maven and an empty cache."""
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["hitherto.testing.neo4j"]\n')
    (tmp_path / "test_theirs.py").write_text(TEST)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": str(tmp_path), **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_without_a_server_tests_are_skipped_and_the_end_says_so(tmp_path: Path) -> None:
    code, told = run(tmp_path)
    assert code == 0 and "3 skipped" in told
    end = told[told.index("NEO4J WAS NOT TESTED") :]
    assert "3 tests were skipped. no Neo4j here: NEO4J_URI is not set; no docker client" in end
    assert "HITHERTO_NEO4J_REQUIRED=1" in end


def test_where_one_is_required_they_fail(tmp_path: Path) -> None:
    code, told = run(tmp_path, HITHERTO_NEO4J_REQUIRED="1")
    assert code == 1 and "3 errors" in told and "no Neo4j here" in told
    assert "WAS NOT TESTED" not in told


def test_a_named_server_is_given_as_it_is(tmp_path: Path) -> None:
    code, told = run(tmp_path, NEO4J_URI="bolt://localhost", NEO4J_USER="ann", NEO4J_PASSWORD="open-sesame")
    assert code == 0 and "2 passed, 1 skipped" in told
    assert "WAS NOT TESTED" not in told


@pytest.mark.parametrize("environ", [{"NEO4J_URI": "http://x", "NEO4J_PASSWORD": "p"}, {"NEO4J_URI": "bolt://x"}])
def test_a_wrongly_named_server_is_an_error_and_no_skip(tmp_path: Path, environ: dict[str, str]) -> None:
    code, told = run(tmp_path, **environ)
    assert code == 1 and "3 errors" in told
