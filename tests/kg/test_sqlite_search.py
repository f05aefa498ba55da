"""The retrieval legs of SQLite beside many facts: what they touch, and what they keep between reads."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hitherto.kg.model import Value
from hitherto.kg.store import Store, Target
from hitherto.kg.stores import open_store
from hitherto.kg.stores.sqlite import texts
from hitherto.kg.stores.sqlite.files import File
from hitherto.testing.telling import DIMENSION, EMBEDDER, Teller, Told, day, vector_of


def clock() -> datetime:
    return datetime.now(UTC)


async def opened(path: Path) -> Store:
    store = await open_store(str(path), clock=clock)
    await store.claim_embedder(EMBEDDER, DIMENSION)
    return store


async def test_a_search_costs_what_it_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many texts hold the words asked for: once they were read, and after each further write. Counted in
    steps of SQLite's virtual machine, of which every row takes several."""
    steps = [0]
    connect = File.connect

    def counted(self: File, *, reader: bool) -> sqlite3.Connection:
        db = connect(self, reader=reader)

        def step() -> None:
            steps[0] += 1

        if reader:
            db.set_progress_handler(step, 1)
        return db

    monkeypatch.setattr(File, "connect", counted)
    store = await opened(tmp_path / "a.db")
    teller = Teller(store, "t")
    costs = []
    for batch, portions in enumerate((1, 99)):
        for part in range(portions):
            told = (Told("Ann", "SAID", Value(f"v{batch}.{part}.{n}"), text=f"tea at {n}") for n in range(1_000))
            await teller.tell(f"many{batch}.{part}", *told)
        await store.match_text(teller.at(), ["tea"], Target.FACT, 20)
        await store.nearest(teller.at(), vector_of("tea"), Target.FACT, 20)
        known = await teller.tell(f"one{batch}", Told("Ann", "SAID", Value(f"one{batch}"), text="more tea"))
        cost = []
        for _ in range(2):
            steps[0] = 0
            await store.match_text(teller.at(day(9), known), ["tea"], Target.FACT, 20)
            await store.nearest(teller.at(day(9), known), vector_of("tea"), Target.FACT, 20)
            cost.append(steps[0])
        steps[0] = 0
        assert await store.match_text(teller.at(day(-9), known), ["tea"], Target.FACT, 20) == []
        assert await store.nearest(teller.at(day(-9), known), vector_of("tea"), Target.FACT, 20) == []
        costs.append([*cost, steps[0]])
    few, many = costs
    assert few[1] > 500
    # Of 100 times the facts; and at a time when none of them holds.
    assert all(more <= times * less + 500 for times, less, more in zip((1.4, 1.4, 3), few, many, strict=True)), (
        costs
    )
    await store.close()


async def test_what_is_dropped_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tenants and words that do not fit in memory, and more new texts than are cut again."""
    for name in ("_CACHE_BYTES", "_POSTING_BYTES", "_MOST_CUT"):
        monkeypatch.setattr(texts, name, 3)
    store, fresh = await opened(tmp_path / "a.db"), None
    tellers = [Teller(store, tenant) for tenant in ("t", "u")]
    for batch in range(4):
        for teller in tellers:
            new = [Told("Ann", "SAID", Value(f"{batch} {n}"), text=f"tea {'rain ' * n}") for n in range(batch + 1)]
            await teller.tell(f"e{batch}", *new)
        fresh = await opened(tmp_path / "a.db")
        for teller in tellers:
            for target in Target:
                found = await store.match_text(teller.at(), ["tea", "rain", "ann"], target, 50)
                assert found == await fresh.match_text(teller.at(), ["tea", "rain", "ann"], target, 50)
                assert len(found) == {Target.FACT: (batch + 1) * (batch + 2) // 2, Target.ENTITY: 1}.get(target, 0)
        await fresh.close()
    await store.close()
