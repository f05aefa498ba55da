"""Which server ``hitherto demo-neo4j`` takes, and what becomes of it; with a made-up server."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from hitherto.demo_neo4j import QUERIES, Place, find_place, page_of, queries_for, tell, wait_and_leave
from hitherto.neo4j_server import Address, Machine, status, stop

from .neo4j_server.made_up import made_up_machine

GIVEN = Address("neo4j://127.0.0.1:1", "neo4j", "secret-1")


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    machine = replace(made_up_machine(tmp_path), path="/usr/bin:/bin")
    yield machine
    stop(machine, timeout_s=1)


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch) -> Console:
    """Somebody presses Enter at once."""
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    return Console(file=io.StringIO(), width=60)


def printed(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_server_that_the_demo_starts_is_stopped_at_enter(machine: Machine, console: Console) -> None:
    place = find_place(machine)
    assert place.started and place.own is not None
    wait_and_leave(place, machine, console, wait=True)
    assert "Press Enter to stop the server" in printed(console) and "Neo4j: stopped" in printed(console)
    assert status(machine) is None


def test_without_waiting_it_goes_on_and_is_found_again(machine: Machine, console: Console) -> None:
    wait_and_leave(find_place(machine), machine, console, wait=False)
    assert "`hitherto neo4j stop` ends it" in printed(console)
    again = find_place(machine)
    assert not again.started
    wait_and_leave(again, machine, console, wait=True)
    assert "the server keeps running" in printed(console)
    assert status(machine) is not None


async def test_somebody_elses_server_is_used_and_left(machine: Machine, console: Console) -> None:
    machine = replace(machine, given=GIVEN)
    place = find_place(machine)
    assert place == Place(GIVEN, "the one in NEO4J_PASSWORD", own=None, started=False)
    page = await page_of(place)  # it does not answer
    tell(place, page, QUERIES, console)
    wait_and_leave(place, machine, console, wait=False)
    assert page is None and status(machine) is None
    assert "the page of Neo4j Browser that belongs to this server" in printed(console)
    assert "secret" not in printed(console)


def test_the_queries_fit_what_was_replayed() -> None:
    assert queries_for(["1-alice", "4-team"]) == list(QUERIES)
    ours = queries_for(["o'hara\\", "other"])
    assert [title for title, _ in ours] == [QUERIES[0][0], QUERIES[2][0]]
    assert all("{tenant: 'o\\'hara\\\\'}" in query for _, query in ours)
