"""The demo on a Neo4j server, to be looked at in Neo4j Browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

from rich.console import Console

from .admin import Admin
from .demo import Conversation, ReplayClock, replay
from .kg.model import WriteReport, WriteStatus
from .memory import Memory, Parts
from .neo4j_server import Address, Machine, Server, start, status, stop
from .temporal.errors import HithertoError

QUERIES: Final = (
    (
        "Who works where, now and before",
        "MATCH (who:Person {tenant: '4-team'})-[works:WORKS_AT]->(company:Organization)\n"
        "RETURN who, works, company",
    ),
    (
        "All about one person, with what was believed once",
        "MATCH (who:Person {tenant: '4-team', name: 'Alice Moreau'})-[fact]-(about)\nRETURN who, fact, about",
    ),
    (
        "Which message says so, word for word",
        "MATCH (message:Episode {tenant: '4-team'})-[says:ASSERTS|ENDS|DENIES]->(fact:Fact)\n"
        "WHERE fact.predicate = 'WORKS_AT'\n"
        "RETURN fact.title AS fact, type(says) AS says, says.quote AS words, message.occurred_at AS said\n"
        "ORDER BY fact, said",
    ),
)
"""To paste into Neo4j Browser, each with what it shows, for the bundled team."""

_TEAM: Final = "4-team"
_PERSON: Final = "Alice Moreau"

_PAGE: Final = """
SHOW SETTINGS YIELD name, value
WHERE name IN ['server.http.enabled', 'server.http.advertised_address']
RETURN name, value
"""


@dataclass(frozen=True, slots=True)
class Place:
    """A server that answers, and what it takes to look into it."""

    address: Address
    password: str
    """Where the password is, for people."""
    own: Server | None
    """The one that runs here; None for a server that somebody else runs."""
    started: bool
    """It did not run before."""


def find_place(machine: Machine) -> Place:
    """The server that NEO4J_URI names, else the one that runs here, else one that is started. Blocks for some
    seconds, the first time also for the download. Raises what ``neo4j_server.start`` raises."""
    if machine.given is not None:
        return Place(machine.given, "the one in NEO4J_PASSWORD", None, started=False)
    started = status(machine) is None
    server = start(machine)
    return Place(server.address, f"in {server.password_file}", server, started)


async def load_demo(conversations: Mapping[str, Conversation], place: Place, console: Console) -> None:
    """Replay conversations, each into the tenant it is given for. What is there already stays as it is."""
    for tenant, conversation in conversations.items():
        clock = ReplayClock()
        parts = Parts(clock=clock, auth=place.address.auth)
        async with Memory.open(place.address.uri, tenant=tenant, **parts) as memory:
            reports = await replay(memory, conversation, clock, console)
        console.print(f"{tenant}: {_outcome(conversation, reports)}", markup=False, soft_wrap=True)


async def page_of(place: Place) -> str | None:
    """The page of Neo4j Browser that the server gives; None when it gives none, or does not tell."""
    if place.own is not None:
        return place.own.browser
    try:
        async with Admin.open(place.address.uri, auth=place.address.auth) as admin:
            settings = {str(row["name"]): str(row["value"]) for row in await admin.cypher(_PAGE)}
    except HithertoError:
        return None
    if settings.get("server.http.enabled") != "true":
        return None
    return place.address.browser(f"http://{settings['server.http.advertised_address']}")


def queries_for(tenants: Sequence[str]) -> list[tuple[str, str]]:
    """``QUERIES`` where the team is among the tenants; else those that name nobody, for the first tenant."""
    if _TEAM in tenants:
        return list(QUERIES)
    tenant = tenants[0].replace("\\", "\\\\").replace("'", "\\'")
    return [(title, query.replace(_TEAM, tenant)) for title, query in QUERIES if _PERSON not in query]


def tell(place: Place, page: str | None, queries: Sequence[tuple[str, str]], console: Console) -> None:
    """Print what to open, how to log in, and what to paste."""
    style = Path(str(resources.files("hitherto.neo4j_server"))) / "browser.grass"
    rows = (
        ("Open", page or "the page of Neo4j Browser that belongs to this server"),
        ("Server", place.address.uri),
        ("User", place.address.user),
        ("Password", place.password),
        ("Colours", f"type :style and a space, paste the contents of {style}, press Ctrl+Enter"),
    )
    console.print()
    for name, value in rows:
        console.print(f"{name:9} {value}", markup=False, soft_wrap=True)
    for title, query in queries:
        console.print(f"\n[bold]{title}[/]")
        console.print(query, markup=False, soft_wrap=True)
    console.print()


def wait_and_leave(place: Place, machine: Machine, console: Console, *, wait: bool) -> None:
    """Wait for Enter (or Ctrl-C) and stop the server if the demo started it; without ``wait`` leave it running."""
    if wait:
        after = "stop the server (its data stays)" if place.started else "end; the server keeps running"
        console.print(f"Press Enter to {after}.")
        with suppress(EOFError, KeyboardInterrupt):
            console.input()
        if place.started:
            console.print(f"Neo4j: {stop(machine)}")
    elif place.own is not None:
        console.print("The server keeps running; `hitherto neo4j stop` ends it.", markup=False)


def _outcome(conversation: Conversation, reports: Sequence[WriteReport]) -> str:
    new = [report for report in reports if report.status is not WriteStatus.DUPLICATE]
    if not new:
        return f"{conversation.title}: all {len(reports)} messages were there already; nothing changed"
    added = sum(len(report.added) for report in new)
    superseded = sum(len(report.superseded) for report in new)
    there = f" ({len(reports) - len(new)} were there already)" if len(new) < len(reports) else ""
    return f"{conversation.title}: {len(new)} messages{there}, {added} beliefs learned, {superseded} superseded"
