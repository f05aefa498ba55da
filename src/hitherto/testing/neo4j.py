"""A real Neo4j server for a test run: ``pytest_plugins = ["hitherto.testing.neo4j"]`` in the top conftest.

``neo4j_server`` gives the ``Address`` (``uri``, ``user``, ``password``, ``auth``) of one server that all tests of
the run share: the one NEO4J_URI names, else one started in Docker or on a local Java, on free ports, with an empty
database of its own, and deleted afterwards. ``neo4j_lts_server`` is the same on the long-term version. Where no
server can be had, the tests that ask for one are skipped and the end of the run says so; with
HITHERTO_NEO4J_REQUIRED set they fail instead. HITHERTO_NEO4J_VERSION chooses the version of ``neo4j_server``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn

import pytest

from ..neo4j_server import LTS_VERSION, Address, Machine, Options, passing_server
from ..temporal.errors import Unavailable

_NO_SERVER = "no Neo4j server"
# What a machine may lack. A server that is there and does not come up is a failure.
_ABSENT = frozenset({"neo4j_not_found", "neo4j_download"})


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """One server for the whole run, shared: give each test a tenant, or a label, of its own."""
    machine = Machine.from_environ(os.environ)
    with ExitStack() as stack:
        yield _enter(stack, machine, tmp_path_factory.mktemp("neo4j"), None)


@pytest.fixture(scope="session")
def neo4j_lts_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """The same on the long-term version; skipped where NEO4J_URI names the server, whose version is its own."""
    machine = Machine.from_environ(os.environ)
    if machine.given is not None:
        pytest.skip("NEO4J_URI names the server, so its version cannot be chosen")
    with ExitStack() as stack:
        yield _enter(stack, machine, tmp_path_factory.mktemp("neo4j-lts"), LTS_VERSION)


def _enter(stack: ExitStack, machine: Machine, home: Path, version: str | None) -> Address:
    options = Options(bolt_port=0, http_port=0)
    try:
        return stack.enter_context(passing_server(machine, home, version=version, options=options))
    except Unavailable as error:
        skip_or_fail(machine, error)


def skip_or_fail(machine: Machine, error: Unavailable) -> NoReturn:
    """Skip the test where the machine lacks a server and none is required, else fail it."""
    if machine.required or error.code not in _ABSENT:
        pytest.fail(str(error), pytrace=False)
    pytest.skip(f"{_NO_SERVER}: {error}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly what was not tested."""
    reasons = [
        str(report.longrepr[2]).partition(_NO_SERVER)[2].lstrip(": ")
        for report in terminalreporter.getreports("skipped")
        if isinstance(report.longrepr, tuple) and _NO_SERVER in str(report.longrepr[2])
    ]
    if reasons:
        terminalreporter.section("NEO4J WAS NOT TESTED", sep="!", red=True, bold=True)
        terminalreporter.line(f"{len(reasons)} tests were skipped. {reasons[0]}", red=True)
        terminalreporter.line("Set HITHERTO_NEO4J_REQUIRED=1 to make this a failure.", red=True)
