"""Feedback, archive and restore, on both stores."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hitherto import Invalid, Memory, NotFound, SearchResult, View
from hitherto.kg.keeping import Use
from hitherto.kg.store import Point
from tests.promises.conftest import Opener
from tests.support import SaidClaim, StepClock, day, said


async def story(memory: Memory) -> None:
    await memory.assert_fact("Ann", "LIKES", "Tea", valid_from="2020", subject_kind="Person")
    await memory.assert_fact("Ann", "LIKES", "Rain", valid_from="2021", subject_kind="Person")
    await memory.assert_fact("Ann", "WORKS_AT", "TechCorp", valid_from="2022", subject_kind="Person")


def texts(found: SearchResult) -> set[str]:
    return {hit.belief.fact.text for hit in found.facts}


async def uses(memory: Memory, known: object = None) -> dict[str, Use]:
    store, view = memory._pipeline.store, memory.at(known=known)  # type: ignore[arg-type]
    held = (await view.facts(during="ever")).items
    point = (await view.instants()).known
    found = await store.uses(Point(memory.tenant, None, point), {b.fact.id for b in held})
    return {b.fact.text: found[b.fact.id] for b in held if b.fact.id in found}


async def test_answers_are_counted_with_the_next_write(fresh: Opener) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    await story(memory)
    before = (await memory.status()).last_commit
    assert "Ann likes Tea" in texts(await memory.search("What does Ann like? Tea?"))
    assert "Ann likes Tea" in str(await memory.context("What does Ann like?"))
    assert "Ann likes Tea" in texts(await memory.at().search("tea"))
    assert (await memory.status()).last_commit == before
    assert await uses(memory) == {}
    shown_at, clock.now = clock.now, clock.now + timedelta(days=1)
    await memory.add("nothing")
    after = await uses(memory)
    assert after["Ann likes Tea"] == Use(shown=2, last_at=shown_at)
    assert await uses(memory, before) == {}


async def test_feedback_moves_importance_and_not_the_past(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)
    tea, rain, job = (await memory.facts("Ann")).items
    view = memory.at()
    was = await view.importance([tea, rain, job])
    hits = (await memory.at().search("tea")).facts
    await memory.feedback(used=[tea, tea.id], corrected=[rain.fact])
    await memory.feedback(used=hits[:1])
    now = await memory.at().importance([tea.fact.id, rain.id, job])
    assert was[tea.fact.id] == pytest.approx(0.4)
    assert now[tea.fact.id] > was[tea.fact.id] and now[rain.fact.id] < was[rain.fact.id]
    assert now[job.fact.id] == was[job.fact.id] == pytest.approx(0.8)
    assert await view.importance([tea, rain, job]) == was
    assert await memory.at(known=(await view.instants()).known).importance([tea]) == {
        tea.fact.id: was[tea.fact.id]
    }


async def test_what_was_used_comes_first_of_what_answers_alike(fresh: Opener) -> None:
    memory = await fresh()
    for thing in ("Tea", "Rain"):
        await memory.assert_fact("Ann", "LIKES", thing, valid_from="2020", subject_kind="Person")
    view = memory.at()

    def order(result: SearchResult) -> list[str]:
        return [hit.belief.fact.text for hit in result.facts]

    *_, last = was = order(await view.search("What does Ann like?", kinds=["fact"]))
    [fact] = [b for b in (await memory.facts("Ann")).items if b.fact.text == last]
    for _ in range(5):
        await memory.feedback(used=[fact])
    assert (order(await memory.search("What does Ann like?", kinds=["fact"])))[0] == last != was[0]
    assert order(await view.search("What does Ann like?", kinds=["fact"])) == was


async def test_archived_facts_leave_answers_and_stay_in_what_is_told(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)
    tea, rain, _ = (await memory.facts("Ann")).items
    before = memory.at()
    assert texts(await before.search("What does Ann like?")) >= {"Ann likes Tea", "Ann likes Rain"}
    block = str(await before.context("What does Ann like?"))
    [archived] = await memory.archive([tea])
    assert (archived.fact_id, archived.policy, archived.restored_at) == (tea.fact.id, "by hand", None)
    assert await memory.archive(tea.fact.id) == (archived,)
    for question in ("What does Ann like?", "tea"):
        assert "Ann likes Tea" not in texts(await memory.search(question))
    assert "Ann likes Tea" not in str(await memory.context("What does Ann like?"))
    assert (await memory.facts("Ann")).items[:2] == (tea, rain)
    assert len((await memory.timeline("Ann")).items) == len((await memory.changes(entity="Ann")).items) == 3
    assert [b.id for b in (await memory.history(tea)).items] == [tea.id]
    [listed] = (await memory.at().archived()).items
    assert (listed.fact, listed.archived_at) == (tea.fact, archived.archived_at)
    assert str(listed).startswith("Ann likes Tea · archived 20")
    # As known before, everything is as it was.
    earlier = memory.at(known=(await before.instants()).known)
    assert texts(await earlier.search("What does Ann like?")) >= {"Ann likes Tea", "Ann likes Rain"}
    assert str(await before.context("What does Ann like?")) == block
    assert (await earlier.archived()).items == ()
    assert await memory.restore([tea, rain]) == (tea.fact.id,)
    assert await memory.restore([tea]) == ()
    assert "Ann likes Tea" in texts(await memory.search("tea"))


async def test_archived_facts_leave_what_is_reckoned_and_what_sessions_came_to(fresh: Opener) -> None:
    memory = await fresh()
    asked = {
        "When did Ann visit Rome?": "2024-01-01",
        "When did Ann visit Oslo?": "2024-01-02",
        "How many cities has Ann visited?": "2: Rome, Oslo",
        "What did Ann visit first?": "Rome",
    }
    for number, city in enumerate(("Rome", "Oslo")):
        claim = SaidClaim("observation", city, number, predicate="VISITED", grain_days=1)
        await memory.add(said(claim), occurred_at=day(number), session="call-1", actor="bob")
    before = memory.at()

    async def answers(view: View) -> dict[str, str]:
        return {question: str((await view.search(question)).answer) for question in asked}

    assert await answers(before) == asked
    rome = [b for b in (await memory.facts("Ann", during="ever")).items if b.fact.text == "Ann visited Rome"]
    await memory.archive(rome)
    # Nor are the others told for the number or the first of all.
    assert await answers(memory.at()) == dict.fromkeys(asked, "None") | {"When did Ann visit Oslo?": "2024-01-02"}
    assert await answers(before) == asked
    learned = [one.belief.fact.text for one in (await memory.session("call-1")).learned]
    assert learned == ["Ann visited Oslo"]
    assert len((await before.session("call-1")).learned) == 2
    await memory.restore(rome)
    assert await answers(memory.at()) == asked


async def test_what_is_said_again_comes_back_by_itself(fresh: Opener) -> None:
    memory = await fresh()
    claim = SaidClaim("observation", "Tea", None, predicate="LIKES")
    await memory.add(said(claim), occurred_at=day(0), id="e1")
    [tea] = (await memory.facts("Ann")).items
    await memory.archive([tea])
    known = (await memory.status()).last_commit
    await memory.add("of something else", occurred_at=day(1))
    assert len((await memory.at().archived()).items) == 1
    await memory.add(said(claim), occurred_at=day(2), id="e2")
    assert (await memory.at().archived()).items == ()
    assert len((await memory.at(known=known).archived()).items) == 1
    assert texts(await memory.search("tea")) == {"Ann likes Tea"}


async def test_what_cannot_be_kept_is_told_in_a_line(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)
    await memory.merge("Tea", "Rain")
    known = (await memory.status()).last_commit
    for verb, what in ((memory.archive, "archive"), (memory.restore, "restore")):
        with pytest.raises(NotFound, match=f"{what}: no fact or belief 'nothing'"):
            await verb(["nothing"])
        with pytest.raises(Invalid, match=f"{what}: 3 is no fact"):
            await verb([3])  # type: ignore[list-item]
        with pytest.raises(Invalid, match="no facts"):
            await verb([])
    with pytest.raises(NotFound, match="corrected: no fact or belief 'x'"):
        await memory.feedback(used=(await memory.facts("Ann")).items, corrected="x")
    with pytest.raises(Invalid, match="feedback: no facts"):
        await memory.feedback()
    with pytest.raises(Invalid, match="split"):
        await memory.archive((await memory.facts(predicate="SAME_AS")).items)
    assert (await memory.status()).last_commit == known
