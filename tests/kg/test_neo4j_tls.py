"""Encrypted connections to a server whose certificate nobody vouches for."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hitherto import Memory
from hitherto.neo4j_server import Machine, Server, start, stop
from hitherto.opening import Opening
from hitherto.temporal.errors import Unavailable
from tests.kg.conftest import QUICK
from tests.support import ClaimsExtractor, TinyEmbedder

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]


def certify(folder: Path) -> None:
    """A key, and a certificate signed by itself."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes the certificate, is not installed")
    folder.mkdir(parents=True)
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost"
    files = ["-keyout", str(folder / "private.key"), "-out", str(folder / "public.crt")]
    subprocess.run([*command.split(), *files], check=True, capture_output=True)


@pytest.fixture
def server(own_machine: Machine, tmp_path: Path) -> Iterator[Server]:
    certify(tmp_path / "certificates")
    conf = (
        ("dbms.ssl.policy.bolt.enabled", "true"),
        ("dbms.ssl.policy.bolt.base_directory", str(tmp_path / "certificates")),
        ("dbms.ssl.policy.bolt.client_auth", "NONE"),
        ("server.bolt.tls_level", "REQUIRED"),
    )
    yield start(own_machine, options=replace(QUICK, conf=conf))
    stop(own_machine)


async def test_a_certificate_is_asked_for_and_checked_as_the_address_says(server: Server) -> None:
    where, password = server.address.uri.partition("://")[2], server.address.password

    def opened(scheme: str) -> Opening[Memory]:
        url = f"{scheme}://neo4j:{password}@{where}"
        return Memory.open(url, tenant="tls", extractor=ClaimsExtractor(), embedder=TinyEmbedder())

    for scheme in ("bolt+ssc", "neo4j+ssc"):
        async with opened(scheme) as memory:
            await memory.assert_fact("Ann", "LIKES", scheme, valid_from="2024")
            assert len((await memory.facts("Ann", "LIKES")).items) >= 1
    reasons = {"bolt+s": "certificate", "neo4j+s": "certificate", "bolt": "encryption", "neo4j": "encryption"}
    for scheme, reason in reasons.items():
        with pytest.raises(Unavailable, match=reason) as caught:
            await opened(scheme)
        message = str(caught.value)
        assert "\n" not in message and password not in message and where in message
