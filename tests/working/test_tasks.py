"""The state of tasks, on every store."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from hitherto import Conflict, Invalid, Memory, NotFound
from hitherto.extraction.working import read_working
from hitherto.query.tasks import Task, TaskStatus
from hitherto.task_changes import NEW
from tests.promises.conftest import Opener, believed
from tests.promises.properties import log_of, replay
from tests.support import StepClock, day


async def visit(memory: Memory) -> Task:
    return await memory.update_task(
        "visit-acme",
        goal="Visit Acme in May",
        slots={"city": "Berlin", "guests": 4},
        add_todos=["Book a room", "Call Ann"],
        by="ann",
        expect=NEW,
    )


async def test_a_task_is_begun_changed_and_closed(fresh: Opener) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    task = await visit(memory)
    assert (task.id, task.status, task.goal) == ("visit-acme", "open", "Visit Acme in May")
    assert (dict(task.slots), task.todos, task.done) == (
        {"city": "Berlin", "guests": "4"},
        ("Book a room", "Call Ann"),
        (),
    )
    assert await memory.task("Visit-ACME ") == task
    clock.now += timedelta(days=1)
    later = await memory.update_task(
        "visit-acme", slots={"City": "Oslo", "guests": None}, done=["call ann"], add_todos=["Pack"], session="s1"
    )
    assert dict(later.slots) == {"city": "Oslo"}
    assert (later.todos, later.done, later.sessions) == (("Book a room", "Pack"), ("Call Ann",), ("s1",))
    assert later.version != task.version
    assert later == await memory.task("visit-acme")
    assert str(later) == (
        "visit-acme (open): Visit Acme in May\ncity: Oslo\n[ ] Book a room\n[ ] Pack\n[x] Call Ann"
    )
    await memory.update_task("visit-acme", goal=None, drop_todos=["Pack"], add_todos=["Call Ann"])
    closed = await memory.update_task("visit-acme", status="done")
    assert (closed.status, closed.goal, closed.todos) == (TaskStatus.DONE, None, ("Book a room", "Call Ann"))
    assert (await memory.tasks()).items == ()
    assert [t.id for t in (await memory.tasks("done")).items] == ["visit-acme"]
    with pytest.raises(Conflict, match="task 'visit-acme' is done; give status=\"open\""):
        await memory.update_task("visit-acme", goal="Again")
    again = await memory.update_task("visit-acme", goal="Again", status="open")
    assert (again.status, again.goal) == ("open", "Again")


async def test_a_task_reads_as_it_was_at_any_past_instant(fresh: Opener) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    states = [await visit(memory)]
    for city in ("Oslo", "Rome", "Oslo"):
        clock.now += timedelta(days=1)
        states.append(await memory.update_task("visit-acme", slots={"city": city}))
    assert len({task.version for task in states}) == 4
    for state in states:
        then = state.changed_at
        assert await memory.at(then, then).task("visit-acme") == state
        assert (await memory.at(then).task("visit-acme")).slots == state.slots
        assert [t.version for t in (await memory.at(known=then).tasks()).items] == [state.version]
    with pytest.raises(NotFound, match="no task 'visit-acme'"):
        await memory.at(day(0)).task("visit-acme")
    with pytest.raises(NotFound, match="no task 'visit-acme'"):
        await memory.at(known=day(0)).task("visit-acme")


async def test_changes_can_be_taken_back_and_replayed_in_any_order(fresh: Opener) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    begun = await visit(memory)
    clock.now += timedelta(days=1)
    oslo = await memory.update_task("visit-acme", slots={"city": "Oslo"}, done=["Call Ann"])
    clock.now += timedelta(days=1)
    await memory.update_task("visit-acme", add_todos=["Pack"])
    first, second, third = (e.id for e in (await memory.episodes()).items)
    other = await replay(list(reversed(await log_of(memory))), memory.tenant)
    assert await believed(other) == await believed(memory)
    await memory.retract(second)
    task = await memory.task("visit-acme")
    assert (dict(task.slots), task.todos) == (dict(begun.slots), ("Book a room", "Call Ann", "Pack"))
    assert task.version not in (begun.version, oslo.version)
    with pytest.raises(Conflict, match=r"has changed since it was read: slot city “Oslo” → “Berlin”"):
        await memory.update_task("visit-acme", goal="?", expect=oslo.version)
    await memory.retract(first)
    task = await memory.task("visit-acme")
    assert (task.status, task.goal, task.todos) == ("open", None, ("Pack",))
    await memory.retract(third)
    assert (await memory.tasks(None)).items == ()


async def test_a_change_that_changes_nothing_writes_nothing(fresh: Opener) -> None:
    memory = await fresh()
    task = await visit(memory)
    again = await memory.update_task(
        "visit-acme", goal="visit acme in May", slots={"CITY": "berlin"}, add_todos=["book a room"], status="open"
    )
    assert again == task
    assert (await memory.status()).episodes == 1


async def test_the_faster_writer_wins_and_the_other_is_told(fresh: Opener) -> None:
    memory = await fresh()
    task = await visit(memory)
    await memory.update_task(
        "visit-acme", slots={"city": "Oslo"}, done=["Call Ann"], by="bob", expect=task.version
    )
    with pytest.raises(Conflict) as caught:
        await memory.update_task("visit-acme", slots={"city": "Rome"}, by="cy", expect=task.version)
    assert str(caught.value) == (
        "task 'visit-acme' has changed since it was read: slot city “Berlin” → “Oslo”; todo “Call Ann” "
        "“open” → “done” (by bob); read it again, decide anew, and give its version now"
    )
    assert caught.value.code == "task_changed"
    with pytest.raises(Conflict, match=r"'visit-acme' exists already: .* \(by ann, bob\)"):
        await visit(memory)
    now = await memory.task("visit-acme")
    assert now.slots["city"] == "Oslo"
    await memory.update_task("visit-acme", slots={"city": "Rome"})
    await memory.update_task("visit-acme", slots={"guests": "5"})
    assert dict((await memory.task("visit-acme")).slots) == {"city": "Rome", "guests": "5"}


async def test_of_many_tasks_that_expect_one_version_one_wins(fresh: Opener) -> None:
    memory = await fresh()

    async def book(number: int, version: str) -> bool:
        try:
            await memory.update_task(
                "seats", goal="Sell each seat once", slots={"seat": number}, by=f"w{number}", expect=version
            )
        except Conflict as error:
            assert "seat" in str(error)
            return False
        return True

    assert sum(await asyncio.gather(*(book(n, NEW) for n in range(6)))) == 1
    task = await memory.task("seats")
    assert sum(await asyncio.gather(*(book(n + 10, task.version) for n in range(6)))) == 1
    # Without a version each one writes, and no field is lost.
    await asyncio.gather(*(memory.update_task("seats", slots={f"row {n}": n}) for n in range(6)))
    assert {f"row {n}": str(n) for n in range(6)}.items() <= (await memory.task("seats")).slots.items()


async def test_listing_in_pages(fresh: Opener) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    for number in range(5):
        clock.now += timedelta(days=1)
        await memory.update_task(f"t{number}", goal=f"goal {number}", slots={"n": number})
    await memory.update_task("t1", status="dropped")
    first = await memory.tasks(limit=2)
    rest = await memory.tasks(limit=3, cursor=first.cursor)
    assert [t.id for t in (*first.items, *rest.items)] == ["t0", "t2", "t3", "t4"]
    assert [t.slots["n"] for t in rest.items] == ["3", "4"]
    assert [(t.id, t.status) for t in (await memory.tasks("dropped")).items] == [("t1", "dropped")]
    assert len((await memory.tasks(None)).items) == 5


async def test_the_state_is_facts_like_any_other(fresh: Opener) -> None:
    memory = await fresh()
    await visit(memory)
    [goal] = (await memory.facts(predicate="TASK_GOAL")).items
    assert goal.fact.text == "the goal of task visit-acme is: Visit Acme in May"
    assert goal.evidence[0].quote.startswith(
        "Task visit-acme: goal “Visit Acme in May”; city “Berlin”; guests “4”"
    )
    [city] = (await memory.facts("City of task Visit-Acme", "TASK_SLOT")).items
    assert city.fact.text == "city of task visit-acme is Berlin"
    [episode] = (await memory.episodes()).items
    assert (episode.actor, episode.source) == ("ann", "task")
    assert len(read_working(episode)) == 8


@pytest.mark.parametrize(
    ("task", "change", "error", "message"),
    [
        (" ", {"goal": "x"}, Invalid, "a task's id is empty"),
        ("nope", {"slots": {"city": "x"}}, NotFound, "no task 'nope' is in tenant .*; give goal to begin it"),
        ("t", {"gaol": "x"}, Invalid, "unknown field 'gaol'; did you mean 'goal'\\? use add_todos, by"),
        ("t", {"goal": ""}, Invalid, "goal is empty"),
        ("t", {"goal": "x" * 1_001}, Invalid, "goal has 1,001 characters"),
        ("t", {"slots": ["city"]}, Invalid, "slots must be a mapping"),
        ("t", {"slots": {"": "x"}}, Invalid, "a slot's name is empty"),
        ("t", {"slots": {"city": ["x"]}}, Invalid, "slot 'city' must be text, a number or None, not list"),
        ("t", {"done": ["fly"]}, NotFound, "'fly' is no todo of task 't'; it has “walk”"),
        ("t", {"drop_todos": ["fly"], "add_todos": ["fly"]}, NotFound, "'fly' is no todo"),
        ("t", {"status": "shut"}, Invalid, "status='shut' is none; use open, done, dropped"),
        ("t", {"goal": "x", "expect": "3"}, Invalid, "expect='3' is no version"),
    ],
)
async def test_wrong_changes_are_refused(
    task: str, change: dict[str, object], error: type[Exception], message: str
) -> None:
    memory = await Memory.open(":memory:", tenant="acme")
    await memory.update_task("t", goal="g", add_todos=["walk"])
    with pytest.raises(error, match=message):
        await memory.update_task(task, **change)  # type: ignore[arg-type]
    assert (await memory.status()).episodes == 1
    with pytest.raises(NotFound, match="no task 'nope'"):
        await memory.task("nope")
    with pytest.raises(Invalid, match="status='shut'"):
        await memory.tasks("shut")
    await memory.close()
