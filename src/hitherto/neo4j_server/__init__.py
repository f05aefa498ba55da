"""A real Neo4j Community server for work and tests: the one you name, one in Docker, or one on a local Java."""

from __future__ import annotations

from .control import (
    CURRENT_VERSION,
    LTS_VERSION,
    LocalJava,
    Server,
    Stopped,
    locate,
    passing_server,
    start,
    status,
    stop,
)
from .docker import Docker
from .machine import Address, Machine
from .process import Options

__all__ = [
    "CURRENT_VERSION",
    "LTS_VERSION",
    "Address",
    "Docker",
    "LocalJava",
    "Machine",
    "Options",
    "Server",
    "Stopped",
    "locate",
    "passing_server",
    "start",
    "status",
    "stop",
]
