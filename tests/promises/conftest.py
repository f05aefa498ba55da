"""Memories on every store, with ready-made claims instead of language."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from hitherto import Memory
from hitherto.kg.model import Belief
from tests.support import ClaimsExtractor, StepClock, TinyEmbedder

Opener = Callable[..., Awaitable[Memory]]


@pytest.fixture(params=["memory", "file"])
def fresh_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Addresses of stores that hold nothing yet."""
    numbers = itertools.count()
    if request.param == "memory":
        return lambda: ":memory:"
    return lambda: str(tmp_path / f"promises-{next(numbers)}.db")


@pytest.fixture
async def fresh(fresh_url: Callable[[], str]) -> AsyncIterator[Opener]:
    """Opens empty memories of one tenant, each in a store of its own: ids agree, so beliefs can be compared."""
    opened: list[Memory] = []

    async def open_(extractor: ClaimsExtractor | None = None, clock: StepClock | None = None) -> Memory:
        memory = await Memory.open(
            fresh_url(),
            tenant="acme",
            extractor=extractor or ClaimsExtractor(),
            embedder=TinyEmbedder(),
            clock=clock or StepClock(),
        )
        opened.append(memory)
        return memory

    yield open_
    for memory in opened:
        await memory.close()


def row(belief: Belief) -> tuple[str, object, object]:
    """A belief without ids and transaction time: what is held, and from when to when."""
    return (belief.fact.text, belief.valid_from, belief.valid_to)


async def believed(memory: Memory, known: object = None) -> list[tuple[str, object, object]]:
    """Everything believed (now, or as known then), at any valid time, in a fixed order."""
    view = memory.at(known=known)  # type: ignore[arg-type]
    page = await view.facts(during="ever", limit=1000)
    assert page.cursor is None
    return sorted((row(b) for b in page.items), key=repr)
