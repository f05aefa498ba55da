"""``hitherto`` on the command line: the library said aloud. Every command takes ``--json`` for programs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn, cast

import typer

from . import (
    __version__,
    cli_bulk,
    cli_context,
    cli_identity,
    cli_search,
    cli_tasks,
    cli_time,
    cli_upkeep,
    render,
)
from .audit import AUDITS, run_audit
from .cli_options import AsJson, Db, Known, Limit, Tenant, Zone, ask, console, emit, print_report, run
from .demo import bundled_files, load, run_demo
from .demo_neo4j import find_place, load_demo, page_of, queries_for, tell, wait_and_leave
from .desk import Wanted
from .episodes import Details, read_episode
from .extraction.records import read_zone
from .extraction.structured_fields import FieldMapping
from .extraction.structured_text import parse_json
from .messages import Message
from .neo4j_server import Machine
from .neo4j_server.cli import app as neo4j_app
from .opening import system_clock
from .temporal.errors import HithertoError, Invalid, NotFound

EXIT_CODES = {
    "fault": 1,
    "invalid": 2,
    "not_found": 3,
    "conflict": 4,
    "forbidden": 5,
    "busy": 6,
    "unavailable": 7,
}
"""The process's exit code for each category of error."""

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A temporal knowledge-graph memory: what was true then, and what did we believe then?",
)

app.add_typer(neo4j_app, name="neo4j")
for group in (cli_bulk, cli_search, cli_context, cli_time, cli_identity, cli_tasks, cli_upkeep):
    group.add_commands(app)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hitherto {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Options that stand before a command."""


@app.command()
def demo(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Conversations; the bundled ones if none is given.")
    ] = None,
    db: Annotated[str, typer.Option("--db", help="Keep the result in this file.")] = ":memory:",
) -> None:
    """Replay conversations, each message learned at its own time, and answer questions about them."""
    if db != ":memory:" and Path(db).exists():
        raise Invalid(f"{db} is there already; name a file that is not, so that the demo starts from nothing")
    run(run_demo(files or bundled_files(), db, console()))


@app.command("demo-neo4j")
def demo_neo4j(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Conversations; the bundled ones if none is given.")
    ] = None,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="End at once and leave the server running.")] = False,
) -> None:
    """Replay conversations into a Neo4j server, and say how to look at them in Neo4j Browser.

    Takes the server that NEO4J_URI names, else starts one. At a terminal it then waits for Enter.
    """
    conversations = {path.stem: load(path) for path in files or bundled_files()}
    machine, screen = Machine.from_environ(os.environ), console()
    with screen.status("looking for a Neo4j server, or starting one"):
        place = find_place(machine)
    run(load_demo(conversations, place, screen))
    tell(place, run(page_of(place)), queries_for(list(conversations)), screen)
    wait_and_leave(place, machine, screen, wait=not no_wait and sys.stdin.isatty())


@app.command()
def add(
    text: Annotated[str | None, typer.Argument(help="What was said; '-' reads standard input.")] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", help="JSON: chat messages (role, content, name, time), or records such as events."),
    ] = None,
    mapping: Annotated[
        Path | None, typer.Option("--mapping", help="JSON: which fields of the records say what; or a list.")
    ] = None,
    at: Annotated[str | None, typer.Option("--at", help="When it was said; now, if left out.")] = None,
    actor: Annotated[str | None, typer.Option("--actor", help="Who said it.")] = None,
    session: Annotated[str | None, typer.Option("--session", help="The conversation it belongs to.")] = None,
    source: Annotated[str, typer.Option("--source", help="Where it comes from, such as chat or crm.")] = "",
    id_: Annotated[str | None, typer.Option("--id", help="The episode's id, if you have one.")] = None,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Remember what was said, and print what that changed."""
    content = _content(text, file)
    details = Details(actor=actor, session=session, source=source, id=id_)
    if at is not None:
        details["occurred_at"] = at
    if mapping is not None:
        details["mapping"] = cast(FieldMapping, _json(mapping))
    read_episode(tenant, content, details, read_zone(zone), system_clock)  # bad input must not leave a new file
    report = ask(db, tenant, lambda memory: memory.add(content, **details), zone=zone, new=True)
    print_report(report, zone, as_json=as_json)


@app.command()
def timeline(
    entity: Annotated[str, typer.Argument(help="A name.")],
    predicate: Annotated[str | None, typer.Option("--predicate", help="Only this one, such as WORKS_AT.")] = None,
    known: Known = None,
    limit: Limit = 100,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Show every period of an entity's facts, and what was believed of each before."""
    entries = ask(
        db,
        tenant,
        lambda memory: memory.at(known=known).timeline(entity, predicate=predicate, limit=limit),
        zone=zone,
    )
    if as_json:
        emit([render.belief_json(b) for b in entries.items])
    elif entries.items:
        console().print(render.timeline_table(entity, entries.items, read_zone(zone)))
    else:
        raise NotFound(f"nothing is known about {entity!r} in tenant {tenant!r}")


@app.command()
def retract(
    episode_id: Annotated[str, typer.Argument(help="The id that `add` printed.")],
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Take an episode back: belief becomes what it would be had it never come."""
    report = ask(db, tenant, lambda memory: memory.retract(episode_id), zone=zone)
    print_report(report, zone, as_json=as_json)


@app.command()
def status(db: Db = "hitherto.db", tenant: Tenant = "default", as_json: AsJson = False) -> None:
    """Count what a tenant's memory holds."""
    counts = ask(db, tenant, lambda memory: memory.status())
    if as_json:
        emit(render.status_json(counts))
    else:
        console().print(render.status_table(counts))


@app.command()
def audit(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The question: " + ", ".join(AUDITS) + ".")],
    valid: Annotated[str | None, typer.Option("--valid", help="What was true at this time.")] = None,
    known: Known = None,
    since: Annotated[str | None, typer.Option("--since", help="From this time on.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="Up to the end of this time.")] = None,
    about: Annotated[str | None, typer.Option("--name", help="Whom it is about.")] = None,
    episode: Annotated[str | None, typer.Option("--episode", help="A message's id.")] = None,
    limit: Limit = 100,
    db: Db = "hitherto.db",
    tenant: Tenant = "default",
    zone: Zone = "UTC",
    as_json: AsJson = False,
) -> None:
    """Answer an audit question: who said what, what was believed when, what was overridden and by whom."""
    wanted = Wanted(valid=valid, known=known, since=since, until=until, name=about, episode=episode)
    answer = ask(db, tenant, lambda memory: run_audit(memory.at(), name, wanted, limit), zone=zone)
    if as_json:
        emit(render.audit_json(answer))
    else:
        console().print(render.audit_table(AUDITS[name].title, answer, read_zone(zone)))


def _content(text: str | None, file: Path | None) -> str | Message | list[Message]:
    if (text is None) == (file is None):
        raise Invalid("give either a text or --file")
    if text == "-":
        return sys.stdin.read()
    if file is None:
        return text or ""
    return _json(file)


def _json(file: Path) -> Message | list[Message]:
    try:
        content = parse_json(file.read_bytes())
    except OSError as error:
        raise NotFound(f"cannot read {file}: {error.strerror}") from None
    except Invalid as error:
        raise Invalid(f"{file} is no JSON: {error}") from None
    if not isinstance(content, dict | list):
        raise Invalid(f"{file} must hold a JSON object or a list of them")
    return content


def main() -> NoReturn:
    """Run the command line; errors are one line on standard error and an exit code by category."""
    try:
        app()
    except HithertoError as error:
        typer.echo(f"hitherto: {error}", err=True)
        sys.exit(EXIT_CODES[error.category])
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if os.environ.get("HITHERTO_TRACEBACK"):
            raise
        reason = " ".join(str(error).split()) or "no reason given"
        typer.echo(
            f"hitherto: unexpected {type(error).__name__}: {reason}; please report it, with what "
            "HITHERTO_TRACEBACK=1 in the environment adds",
            err=True,
        )
        sys.exit(EXIT_CODES["fault"])
    sys.exit(0)
