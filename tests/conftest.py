"""No test reaches the network: only this machine's own addresses may be connected to."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

pytest_plugins = ["hitherto.testing.neo4j"]

# The same examples every time, so that a run says something about the change; new ones with
# --hypothesis-profile=thorough.
settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=5000)
settings.load_profile("default")


def _is_local(address: object) -> bool:
    if not isinstance(address, tuple):  # a Unix socket
        return True
    host = str(address[0]).partition("%")[0]
    return host in ("localhost", "") or ipaddress.ip_address(host).is_loopback


@pytest.fixture(autouse=True, scope="session")
def offline() -> Iterator[None]:
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if not _is_local(address):
            raise AssertionError(f"a test tried to reach {address}")
        real(self, address)

    patch = pytest.MonkeyPatch()
    patch.setattr(socket.socket, "connect", connect)
    yield
    patch.undo()
