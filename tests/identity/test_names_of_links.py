"""Whom a link of two names is about has a name, though nothing else mentions it, in any order of arrival."""

from __future__ import annotations

import pytest

from hitherto import Memory
from tests.support import TinyEmbedder

SAID = {n: f"This is Dr. Smith from Acme Inc., dr.@{n}.com" for n in (1, 8, 9)}


@pytest.mark.parametrize("order", [(1, 8, 9), (9, 8, 1)])
async def test_who_is_alone_under_a_name_is_called_by_its_own(order: tuple[int, ...]) -> None:
    async with Memory.open(":memory:", tenant="acme", embedder=TinyEmbedder()) as memory:
        for n in order:
            await memory.add(SAID[n], occurred_at=f"2024-0{n}-01")
        links = (await memory.facts(predicate="SAME_AS", during="ever")).items
        assert {b.fact.subject.name for b in links} == {"dr.@1.com", "dr.@8.com", "dr.@9.com"}
