"""Memories on both stores, each with a tenant of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from itertools import count

import pytest

from hitherto import Memory, Ontology, Predicate
from hitherto.kg.embedding import Embedder
from hitherto.neo4j_server import Address
from hitherto.temporal.rules import Cardinality
from hitherto.testing.telling import DIMENSION, EMBEDDER
from tests.support import ClaimsExtractor, StepClock, TinyEmbedder

Opener = Callable[..., Awaitable[Memory]]

ONTOLOGY = Ontology(
    predicates=(
        Predicate(name="STATUS", cardinality=Cardinality.ONE, object="Value"),
        Predicate(name="WORKS_AT", cardinality=Cardinality.ONE, inverse="EMPLOYS"),
    )
)
"""One value at a time for two; any other predicate holds many."""

_numbers = count()


class CountingEmbedder(TinyEmbedder):
    """Counts the texts it is given; has the contract's name, so that one server serves all tests."""

    name = EMBEDDER
    dimension = DIMENSION

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def embed(self, texts, purpose):  # type: ignore[no-untyped-def]
        self.texts += texts
        return await super().embed(texts, purpose)


@pytest.fixture(params=["sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def url(request: pytest.FixtureRequest) -> Iterator[tuple[str, tuple[str, str] | None]]:
    """A store's address, and who may use it."""
    if request.param == "sqlite":
        yield ":memory:", None
    else:
        server: Address = request.getfixturevalue("neo4j_server")
        yield server.uri, server.auth


@pytest.fixture
async def opened(url: tuple[str, tuple[str, str] | None]) -> AsyncIterator[Opener]:
    """Opens memories that hold nothing yet."""
    async with AsyncExitStack() as stack:

        async def open_(
            embedder: Embedder | None = None, ontology: Ontology = ONTOLOGY, like: Memory | None = None
        ) -> Memory:
            """``like``: of the same tenant as that one, so that ids agree, in an embedded store of its own."""
            memory = Memory.open(
                ":memory:" if like else url[0],
                tenant=like.tenant if like else f"load {next(_numbers)} {id(stack)}",
                auth=None if like else url[1],
                ontology=ontology,
                extractor=ClaimsExtractor(),
                embedder=embedder or CountingEmbedder(),
                clock=StepClock(),
            )
            return await stack.enter_async_context(memory)

        yield open_
