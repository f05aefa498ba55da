"""Pinned constraints, on every store."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from hitherto import Invalid, Memory, NotFound, Ontology, Predicate, WriteStatus
from hitherto.query.context import Section
from tests.promises.conftest import Opener
from tests.support import SaidClaim, StepClock, day, said


async def texts(memory: Memory, **instants: object) -> list[str]:
    return [str(pin) for pin in await memory.at(**instants).pins()]  # type: ignore[arg-type]


async def test_a_pin_stands_until_it_is_taken_away(fresh: Opener) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    first = await memory.pin(" Never call  before 10 am ", by="ann")
    clock.now += timedelta(days=1)
    await memory.pin("Answer in German.")
    assert await texts(memory) == ["Never call before 10 am", "Answer in German."]
    [pin, _] = await memory.pins()
    assert (pin.by, pin.since, pin.until) == ("ann", first.tx, None)
    clock.now += timedelta(days=1)
    gone = await memory.unpin("never call before 10 AM", by="bob")
    assert await texts(memory) == ["Answer in German."]
    assert await texts(memory, valid=first.tx) == ["Never call before 10 am"]
    assert await texts(memory, known=first.tx) == ["Never call before 10 am"]
    assert await texts(memory, valid=day(0)) == []
    await memory.retract(gone.episode_id)
    assert await texts(memory) == ["Never call before 10 am", "Answer in German."]
    await memory.retract(first.episode_id)
    assert await texts(memory) == ["Answer in German."]


async def test_the_same_pin_again_changes_nothing(fresh: Opener) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    first = await memory.pin("Be brief.")
    again = await memory.pin("be BRIEF.")
    assert (again.status, again.episode_id) == (WriteStatus.DUPLICATE, first.episode_id)
    clock.now += timedelta(days=1)
    await memory.pin("Be brief.", until="2030-01-05")
    assert [pin.until and pin.until.isoformat()[:10] for pin in await memory.pins()] == ["2030-01-06"]
    assert await texts(memory, valid="2030-01-05T23:00Z") == ["Be brief."]
    assert await texts(memory, valid="2030-01-07") == []
    clock.now += timedelta(days=1)
    await memory.pin("Be brief.")
    assert [pin.until for pin in await memory.pins()] == [None]
    await memory.unpin((await memory.pins())[0])
    assert await texts(memory) == await texts(memory, valid="2031") == []


async def test_a_pin_taken_away_at_once_can_be_pinned_again(fresh: Opener) -> None:
    memory = await fresh(clock=StepClock())  # a clock that stands still
    for _ in range(2):
        await memory.pin("Be brief.")
        assert await texts(memory) == ["Be brief."]
        await memory.unpin("Be brief.")
        assert await texts(memory) == []


async def test_pins_stand_first_in_every_block_and_are_never_dropped(fresh: Opener) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    await memory.add(said(SaidClaim("since", "nuts", 0, predicate="ALLERGIC_TO")), occurred_at=day(1))
    known = (await memory.pin("Never call before 10 am")).tx
    clock.now += timedelta(days=1)
    await memory.pin("Answer in German.")
    block = await memory.context("What about Ann?", budget=60, pinned=["answer in german.", "Be brief."])
    lines = [line for line in block.prefix.splitlines() if line.startswith("- ")]
    assert lines[:3] == ["- Never call before 10 am", "- Answer in German.", "- Be brief."]
    assert "nuts" in lines[3]
    assert not [t for t in block.trace if t.section is Section.FACTS and "pinned" in t.id]
    with pytest.raises(Invalid, match=r"budget=6 is less than the \d+ tokens .* 3 constraints"):
        await memory.context("What about Ann?", budget=6)
    earlier = await memory.at(known=known).context("What about Ann in May 2024?")
    assert "- Never call before 10 am" in earlier.prefix
    assert "German" not in str(earlier)


async def test_a_tenant_is_a_wall_for_pins(fresh: Opener) -> None:
    memory = await fresh()
    await memory.pin("Be brief.")
    pipeline = replace(memory._pipeline, tenant=f"{memory.tenant} too")
    other = Memory(pipeline, memory._zone, memory._clock)
    assert await other.pins() == []
    with pytest.raises(NotFound, match="nothing is pinned"):
        await other.unpin("Be brief.")


async def test_wrong_pins_are_refused(fresh: Opener) -> None:
    memory = await fresh()
    with pytest.raises(Invalid, match="pin: the constraint is empty"):
        await memory.pin("  ")
    with pytest.raises(Invalid, match="pin: 1,001 characters; give at most 1,000"):
        await memory.pin("x" * 1_001)
    with pytest.raises(Invalid, match="until: 'soon' is not a date"):
        await memory.pin("Be brief.", until="soon")
    with pytest.raises(Invalid, match="until='2020' is over already"):
        await memory.pin("Be brief.", until="2020")
    assert (await memory.status()).episodes == 0
    await memory.pin("Be brief.")
    with pytest.raises(NotFound, match=r"'Be long\.' is not pinned; pinned: “Be brief\.”"):
        await memory.unpin("Be long.")
    with pytest.raises(Invalid, match="the text is empty"):
        await memory.unpin(" ")


async def test_every_ontology_has_working_memory(fresh: Opener) -> None:
    memory = await fresh(ontology=Ontology(predicates=(), closed=True))
    await memory.pin("Be brief.")
    assert await texts(memory) == ["Be brief."]
    with pytest.raises(Invalid, match="TASK_GOAL belongs to working memory"):
        Ontology.starter().extended([Predicate(name="TASK_GOAL")])
