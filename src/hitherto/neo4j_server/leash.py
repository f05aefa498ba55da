"""Ends a passing server when the process that wanted it is gone, however it went: a pipe from it then closes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from .control import discard
from .machine import Machine


def main() -> None:
    """``python -m hitherto.neo4j_server.leash HOME``, with the pipe as standard input."""
    sys.stdin.buffer.read()
    home = Path(sys.argv[1])
    if home.exists():
        discard(Machine.from_environ(os.environ), home)


if __name__ == "__main__":
    main()
