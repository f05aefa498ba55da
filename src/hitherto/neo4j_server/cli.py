"""``hitherto neo4j start | stop | status``: the functions of this package said aloud."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from .control import CURRENT_VERSION, LTS_VERSION, Server, start, status, stop
from .machine import Machine
from .process import Options

app = typer.Typer(no_args_is_help=True, help="A real Neo4j server of your own, with or without Docker.")

Home = Annotated[
    Path | None, typer.Option("--home", help="The server's own folder; by default in your data folder.")
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]
ShowPassword = Annotated[bool, typer.Option("--show-password", help="Print the password too.")]


@app.command("start")
def start_command(
    home: Home = None,
    version: Annotated[
        str | None, typer.Option("--version", help=f"{CURRENT_VERSION} (Java 21+) or {LTS_VERSION} (Java 17+).")
    ] = None,
    bolt_port: Annotated[int, typer.Option("--bolt-port", help="Another one when it is busy; 0: any.")] = 7687,
    http_port: Annotated[int, typer.Option("--http-port", help="Another one when it is busy; 0: any.")] = 7474,
    heap: Annotated[str, typer.Option("--heap", help="Java's memory, like 512m or 2g.")] = "1g",
    as_json: AsJson = False,
) -> None:
    """Start a server, or show the one that runs already. The first start fetches about 170 MB."""
    options = Options(bolt_port=bolt_port, http_port=http_port, heap=heap)
    _show(start(_machine(), version=version, home=home, options=options), as_json=as_json, show_password=False)


@app.command("stop")
def stop_command(home: Home = None) -> None:
    """Stop the server cleanly; its data stays."""
    typer.echo(f"Neo4j: {stop(_machine(), home)}")


@app.command("status")
def status_command(home: Home = None, show_password: ShowPassword = False, as_json: AsJson = False) -> None:
    """Show the server that runs; ends with 3 when none does."""
    server = status(_machine(), home)
    if server is None:
        typer.echo("{}" if as_json else "Neo4j: not running")
        raise typer.Exit(3)
    _show(server, as_json=as_json, show_password=show_password)


def _machine() -> Machine:
    return Machine.from_environ(os.environ)


def _show(server: Server, *, as_json: bool, show_password: bool) -> None:
    rows = {
        "version": server.version,
        "engine": server.engine,
        "state": "ready" if server.ready else "starting",
        "uri": server.address.uri,
        "browser": server.browser,
        "user": server.address.user,
        "password": server.address.password if show_password else f"in {server.password_file}",
        "home": str(server.home),
    }
    if as_json:
        if not show_password:
            rows["password_file"] = str(server.password_file)
            del rows["password"]
        typer.echo(json.dumps(rows))
        return
    for name, value in rows.items():
        typer.echo(f"{name:9} {value}")
