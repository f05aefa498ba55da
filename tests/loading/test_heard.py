"""Slots known from the last writes give what reading them gives, whoever else writes and whatever fails."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hitherto import Memory
from hitherto.kg import commit, heard
from hitherto.kg.stores.sqlite.transaction import SqliteTransaction
from hitherto.neo4j_server import Address
from tests.loading.conftest import ONTOLOGY, CountingEmbedder
from tests.loading.test_add_facts import Row, believed, rows
from tests.support import StepClock

SHARED = settings(deadline=None, suppress_health_check=list(HealthCheck))
_numbers = count()


@dataclass(frozen=True)
class Step:
    """``by`` which of two handles, ``what``: a new fact, one that fails at the end, or taking one back."""

    by: int
    what: str
    row: Row


def in_one_slot(row: Row) -> Row:
    return {**row, "subject": "Ann", "predicate": "STATUS", "object": str(row["object"])}


STEPS = st.lists(
    st.builds(
        Step,
        st.sampled_from([0, 0, 0, 0, 0, 1]),
        st.sampled_from(["add"] * 6 + ["fail", "retract"]),
        rows().map(in_one_slot),
    ),
    min_size=2,
    max_size=14,
)


async def assert_row(memory: Memory, row: Row) -> str:
    details = {k: v for k, v in row.items() if k not in ("subject", "predicate", "object")}
    report = await memory.assert_fact(row["subject"], row["predicate"], row["object"], **details)  # type: ignore[arg-type]
    return report.episode_id


async def check(url: str, auth: tuple[str, str] | None, steps: list[Step]) -> None:
    async with AsyncExitStack() as stack:

        async def opened(url: str, auth: tuple[str, str] | None = None) -> Memory:
            parts = {"ontology": ONTOLOGY, "embedder": CountingEmbedder(), "clock": StepClock()}
            return await stack.enter_async_context(Memory.open(url, tenant=tenant, auth=auth, **parts))  # type: ignore[arg-type]

        tenant = f"heard {next(_numbers)} {id(stack)}"
        handles = [await opened(url, auth), await opened(url, auth)]
        stand: dict[str, Row] = {}
        for step in steps:
            memory = handles[step.by]
            if step.what == "fail":
                failing = patch.object(commit, "_report", side_effect=RuntimeError("on purpose"))
                with failing, pytest.raises(RuntimeError, match="on purpose"):
                    await assert_row(memory, {**step.row, "source": "never stored"})
            elif step.what == "retract" and stand:
                id_ = next(iter(stand))
                await memory.retract(id_)
                del stand[id_]
            else:
                stand[await assert_row(memory, step.row)] = step.row
        read = await opened(":memory:")
        await read.add_facts(list(stand.values()), batch=100)
        assert await believed(handles[0]) == await believed(read)


@settings(SHARED, max_examples=40)
@given(steps=STEPS)
async def test_two_handles_on_a_file(tmp_path: Path, steps: list[Step]) -> None:
    with patch.object(heard, "SMALLEST", 1):
        await check(str(tmp_path / f"{next(_numbers)}.db"), None, steps)


@pytest.mark.neo4j
@pytest.mark.slow
@settings(SHARED, max_examples=4, phases=[Phase.generate])
@given(steps=STEPS)
async def test_two_handles_on_neo4j(neo4j_server: Address, steps: list[Step]) -> None:
    with patch.object(heard, "SMALLEST", 1):
        await check(neo4j_server.uri, neo4j_server.auth, steps)


async def test_a_slot_is_read_once() -> None:
    slots: list[int] = []
    read = SqliteTransaction.slot_claims

    async def counted(self, keys):  # type: ignore[no-untyped-def]
        slots.append(len(keys))
        return await read(self, keys)

    with patch.object(heard, "SMALLEST", 1), patch.object(SqliteTransaction, "slot_claims", counted):
        async with Memory.open(
            ":memory:", tenant="t", ontology=ONTOLOGY, embedder=CountingEmbedder(), clock=StepClock()
        ) as memory:
            for year in range(2000, 2010):
                await memory.assert_fact("Ann", "STATUS", str(year), valid_from=str(year))
            assert len((await memory.at().facts(during="ever")).items) == 10
    assert slots == [1]
