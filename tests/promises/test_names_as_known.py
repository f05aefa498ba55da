"""A view at a ``known`` calls people what they were called then, also where it tells history."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from hitherto import Memory
from hitherto.query.view import View
from tests.support import ClaimsExtractor, StepClock, TinyEmbedder

READS: dict[str, Callable[[View], Awaitable[object]]] = {
    "timeline": lambda view: view.timeline("Alice"),
    "timeline by a later name": lambda view: view.timeline("Ally"),
    "changes": lambda view: view.changes(),
    "changes by a later name": lambda view: view.changes(entity="Ally"),
    "facts": lambda view: view.facts(during="ever"),
}


@pytest.mark.parametrize("read", READS)
async def test_later_names_do_not_show_in_earlier_views(read: str) -> None:
    parts = {"embedder": TinyEmbedder(), "clock": StepClock(), "extractor": ClaimsExtractor()}
    async with Memory.open(":memory:", tenant="acme", **parts) as memory:  # type: ignore[arg-type]
        await memory.assert_fact("Alice", "WORKS_AT", "TechCorp", valid_from="2020")
        fact = (await memory.facts("Alice")).items[0]
        known = (await memory.at().instants()).known
        before = await READS[read](memory.at("2024", known))
        history = await memory.at("2024", known).history(fact)
        await memory.assert_fact("Ally", "LIVES_IN", "Rome", valid_from="2021")
        await memory.merge("Alice", "Ally")
        await memory.assert_fact("ALICE", "LIVES_IN", "Paris", valid_from="2022")
        assert await READS[read](memory.at("2024", known)) == before
        assert await memory.at("2024", known).history(fact) == history
