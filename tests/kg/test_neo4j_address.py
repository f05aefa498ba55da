"""Addresses: what is read, what is refused, and that a password never shows."""

from __future__ import annotations

import pytest

from hitherto.kg.stores import open_store
from hitherto.kg.stores.neo4j.address import Address, parse_address
from hitherto.temporal.errors import Invalid
from hitherto.testing.telling import SetClock

SECRET = "s3cr3t"


@pytest.mark.parametrize(
    ("url", "uri", "where", "database", "auth"),
    [
        ("bolt://localhost", "bolt://localhost", "localhost:7687", None, None),
        ("neo4j://db.example:7788/", "neo4j://db.example:7788", "db.example:7788", None, None),
        ("neo4j+s://u:p@host/crm", "neo4j+s://host", "host:7687/crm", "crm", ("u", "p")),
        ("bolt+ssc://u:@[::1]:7/x.y-z", "bolt+ssc://[::1]:7", "[::1]:7/x.y-z", "x.y-z", ("u", "")),
        ("neo4j://h:1?policy=eu", "neo4j://h:1?policy=eu", "h:1", None, None),
        ("bolt://a%40b:p%2F%3A%40%25%20@h", "bolt://h", "h:7687", None, ("a@b", "p/:@% ")),
    ],
)
def test_an_address_is_split(
    url: str, uri: str, where: str, database: str | None, auth: tuple[str, str] | None
) -> None:
    assert parse_address(url) == Address(uri, where, database, auth)


def test_credentials_of_their_own_go_first() -> None:
    assert parse_address("bolt://u:p@h", ("me", "mine")).auth == ("me", "mine")


@pytest.mark.parametrize(
    "url",
    [
        f"neo4j://u:{SECRET}/x@host:7687/db",  # an unescaped slash in the password
        f"neo4j://u:{SECRET}#x@host",
        f"neo4j://u:{SECRET}?x@host",
        f"neo4j://u:{SECRET}@host:port",
        f"neo4j://u:{SECRET}@host:99999",
        f"neo4j://u:{SECRET}@host/two/names",
        f"neo4j://u:{SECRET}@host/1st",
        f"neo4j://u:{SECRET}@host/a b",
        f"neo4j://u:{SECRET}@[::1",
        f"neo4j://u:{SECRET}@",
        f"neo4j://{SECRET}@host",
        f"neo4j:///{SECRET}",
        f"http://u:{SECRET}@host",
        f"bolt://u:{SECRET}\n@host",
    ],
)
def test_what_is_no_address_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(Invalid) as raised:
        parse_address(url)
    assert SECRET not in str(raised.value)
    assert "\n" not in str(raised.value)
    assert "neo4j://user:password@host:7687/database" in str(raised.value)


def test_a_password_is_in_no_repr() -> None:
    assert SECRET not in repr(parse_address(f"bolt://u:{SECRET}@h"))


@pytest.mark.parametrize("url", ["BOLT://u:p@host:notaport", "neo4j+x://u:s3cr3t@host"])
async def test_a_store_is_opened_by_scheme(url: str) -> None:
    with pytest.raises(Invalid) as raised:
        await open_store(url, clock=SetClock())
    assert SECRET not in str(raised.value)
