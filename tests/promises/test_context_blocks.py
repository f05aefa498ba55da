"""What a block of memory holds of somebody, whatever is asked and however much is known; on every store."""

from __future__ import annotations

import pytest

from hitherto import Context
from hitherto.query.context import Fate, Section
from tests.promises.conftest import Opener


def of(block: Context, section: Section) -> list[str]:
    """Facts that stand there, by their ids."""
    return [t.fact_id or "" for t in block.trace if t.section is section and t.fate is not Fate.DROPPED]


async def test_the_best_hit_is_in_the_block_however_much_else_is_known(fresh: Opener) -> None:
    memory = await fresh()
    for who, firm in (("Alice", "Anthropic"), ("Carol", "Initech")):
        await memory.assert_fact(who, "WORKS_AT", firm, valid_from="2024", subject_kind="Person")
    for n in range(25):
        await memory.assert_fact("Alice", "LIKES", f"Band {n}", valid_from="2024", subject_kind="Person")
    for question, answer in (
        ("Where does Alice work?", "Alice works at Anthropic"),
        ("Does Alice like Band 9?", "Alice likes Band 9"),
    ):
        for budget in (1_500, 300, 100, 40):
            block = await memory.context(question, budget=budget)
            assert answer in str(block) and block.tokens <= budget
    block = await memory.context("Where does Alice work?")
    assert all(str(block).count(f"Alice likes Band {n} ·") == 1 for n in range(25))
    assert "“" not in "".join(line for line in block.tail.splitlines() if "Alice likes" in line)
    assert not set(of(block, Section.PROFILE)) & set(of(block, Section.FACTS))
    before = await memory.context("Where does Alice work?", budget=200)
    await memory.assert_fact("Bob", "LIKES", "Tea", valid_from="2024", subject_kind="Person")
    for question in ("Where does Alice work?", "What does Alice like?", "Does Alice like Band 9?"):
        assert (await memory.context(question, budget=200)).prefix == before.prefix


async def test_no_constraint_is_lost(fresh: Opener) -> None:
    memory = await fresh()
    for name in ("Dana", "Ann", "Bob", "Cy", "Eve"):
        await memory.assert_fact(name, "ALLERGIC_TO", f"{name} nuts", valid_from="2025-06", subject_kind="Person")
    await memory.assert_fact("Eve", "CANNOT_EAT", "Gluten", valid_from="2025-06", subject_kind="Person")
    block = await memory.context("Are Dana, Ann, Bob, Cy and Eve coming?")
    for name in ("Dana", "Ann", "Bob", "Cy", "Eve"):
        assert f"- {name} is allergic to {name} nuts" in block.prefix
    for question in (
        "Where did Dana live in 2022?",
        "What did Dana tell us in March 2023?",
        "When did Dana come?",
    ):
        assert "Dana is allergic to Dana nuts" in (await memory.context(question)).prefix
    # Not so for a caller who stands before it.
    assert "nuts" not in str(await memory.at(valid="2022").context("Where did Dana live?"))


@pytest.mark.parametrize("kind", ["memory"])
async def test_what_matters_is_found_behind_hundreds_of_facts(fresh: Opener) -> None:
    memory = await fresh()
    for n in range(210):
        await memory.assert_fact("Dana", "KNOWS", f"Guest {n}", valid_from="2001", subject_kind="Person")
    await memory.assert_fact("Dana", "ALLERGIC_TO", "Nuts", valid_from="2010", subject_kind="Person")
    await memory.assert_fact("Dana", "LIVES_IN", "Oslo", valid_from="2010", subject_kind="Person")
    prefix = (await memory.context("What does Dana like?")).prefix
    assert "Dana is allergic to Nuts" in prefix
    assert "## Memory: profile\n- Dana lives in Oslo" in prefix


async def test_the_prefix_is_the_same_whatever_time_is_asked_about(fresh: Opener) -> None:
    memory = await fresh()
    for city, since in (("Oslo", "2024-02"), ("Rome", "2025-02")):
        await memory.assert_fact("Dana", "LIVES_IN", city, valid_from=since, subject_kind="Person")
    now = await memory.context("Where does Dana live?")
    assert "Dana lives in Rome" in now.prefix and "Oslo" not in now.prefix
    for question in (
        "Where did Dana live in 2024?",
        "When did Dana move to Rome?",
        "How many cities has Dana lived in?",
        "How long has Dana lived in Rome?",
        "Dana住在哪里？",
    ):
        assert (await memory.context(question)).prefix == now.prefix
    assert "Dana lives in Oslo" in (await memory.context("Where did Dana live in June 2024?")).tail
    assert "Dana lives in Oslo" in (await memory.at(valid="2024-06").context("Where does Dana live?")).prefix
