"""How long a Neo4j server takes to start: from nothing, with its jars in the cache, and in a home it had before.

    python benchmarks/neo4j_start.py
    python benchmarks/neo4j_start.py --version 5.26.30 --cached

From nothing needs the network (about 170 MB). All in folders of its own, deleted afterwards.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from hitherto.neo4j_server import Machine, Options, start, stop

OPTIONS = Options(bolt_port=0, http_port=0)


def timed(name: str, machine: Machine, version: str | None, home: Path) -> None:
    """Start and stop once, and say how long both took."""
    before = time.perf_counter()
    server = start(machine, version=version, home=home, options=OPTIONS)
    started = time.perf_counter()
    stop(machine, home)
    stopped = time.perf_counter()
    print(f"{server.version} {name:<24} {started - before:6.1f} s, stop {stopped - started:5.1f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version")
    parser.add_argument("--cached", action="store_true", help="not from nothing: the jars of the user's cache")
    args = parser.parse_args()
    machine = replace(Machine.from_environ(os.environ), given=None)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if not args.cached:
            machine = replace(machine, cache=place / "cache")
            timed("from nothing", machine, args.version, place / "first")
        timed("new home, jars cached", machine, args.version, place / "second")
        timed("the same home again", machine, args.version, place / "second")


if __name__ == "__main__":
    main()
