"""Memories on every store, with ready-made claims instead of language."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

import pytest

from hitherto import Memory
from hitherto.extraction.extractor import Extractor
from hitherto.kg.model import Belief
from hitherto.kg.ontology import Ontology
from hitherto.memory import Parts
from hitherto.neo4j_server import Address
from hitherto.uses import Uses
from tests.support import ClaimsExtractor, StepClock, TinyEmbedder

KINDS = ["memory", "file", pytest.param("neo4j", marks=pytest.mark.neo4j)]
"""The stores that a test runs on, unless its class says otherwise by a fixture ``kind`` of its own."""

_AT_ONCE = 6
"""Memories that stay open; a property with thousands of examples closes those before."""


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@dataclass
class Opener:
    """Opens empty memories, on SQLite all of one tenant, each in a store of its own."""

    address: Callable[[], str]
    own_tenants: ClassVar[bool] = False
    """Whether ids, and with them the order of claims that were said at one time and place, differ between them."""
    opened: list[Memory] = field(default_factory=list)

    async def __call__(
        self,
        extractor: Extractor | None = None,
        clock: StepClock | None = None,
        tenant: str = "acme",
        ontology: Ontology | None = None,
    ) -> Memory:
        parts = Parts(embedder=TinyEmbedder(), clock=clock or StepClock())
        parts["extractor"] = extractor or ClaimsExtractor()
        parts["ontology"] = ontology or Ontology.starter()
        memory = await Memory.open(self.address(), tenant=tenant, **parts)
        self.opened.append(memory)
        while len(self.opened) > _AT_ONCE:
            await self.opened.pop(0).close()
        return memory

    async def close(self) -> None:
        for memory in self.opened:
            await memory.close()


@dataclass
class ServerOpener(Opener):
    """Each memory is a tenant of its own in the one server, over one connection: opening costs nothing."""

    own_tenants = True
    auth: tuple[str, str] | None = None
    clock: StepClock = field(default_factory=StepClock)
    """Of the memory that was opened last."""

    async def __call__(
        self,
        extractor: Extractor | None = None,
        clock: StepClock | None = None,
        tenant: str = "",
        ontology: Ontology | None = None,
    ) -> Memory:
        self.clock = clock or StepClock()
        if not self.opened:
            parts = Parts(embedder=TinyEmbedder(), clock=self._now, auth=self.auth)
            self.opened.append(await Memory.open(self.address(), tenant="first", **parts))
        pipeline = replace(
            self.opened[0]._pipeline,
            tenant=tenant or f"promises {uuid.uuid4()}",
            uses=Uses(),
            extractor=extractor or ClaimsExtractor(),
            ontology=ontology or Ontology.starter(),
        )
        return Memory(pipeline, UTC, self.clock)

    def _now(self) -> datetime:
        return self.clock()


@pytest.fixture
async def fresh(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Opener]:
    numbers = itertools.count()
    if kind == "memory":
        opener = Opener(lambda: ":memory:")
    elif kind == "file":
        opener = Opener(lambda: str(tmp_path / f"promises-{next(numbers)}.db"))
    else:
        server: Address = request.getfixturevalue("neo4j_server")
        opener = ServerOpener(lambda: server.uri, auth=server.auth)
    yield opener
    await opener.close()


def row(belief: Belief) -> tuple[str, object, object]:
    """A belief without ids and transaction time: what is held, and from when to when."""
    return (belief.fact.text, belief.valid_from, belief.valid_to)


def rows(beliefs: Iterable[Belief]) -> list[tuple[str, object, object]]:
    return sorted((row(b) for b in beliefs), key=repr)


async def believed(memory: Memory, known: object = None) -> list[tuple[str, object, object]]:
    """Everything believed (now, or as known then), at any valid time, in a fixed order."""
    view = memory.at(known=known)  # type: ignore[arg-type]
    page = await view.facts(during="ever", limit=1000)
    assert page.cursor is None
    return rows(page.items)


async def lines(memory: Memory, *, valid: str | None = None, known: object = None) -> list[str]:
    """What is believed, as people read it: at any valid time, or at one."""
    view = memory.at(valid, known)  # type: ignore[arg-type]
    page = await view.facts(during=None if valid else "ever", limit=1000)
    return [str(belief) for belief in page.items]
