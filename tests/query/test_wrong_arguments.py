"""Arguments of wrong types, and characters that no store keeps, are refused in one line; nothing is stored."""

from __future__ import annotations

import operator
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import reduce
from typing import Any

import pytest

from hitherto import Invalid, Memory
from hitherto.query.filters import Filter, Where

MAKERS: dict[str, Callable[[Memory], Awaitable[Any]]] = {
    "limit": lambda m: m.facts(limit="10"),  # type: ignore[arg-type]
    "limit 1.5": lambda m: m.search("Alice", limit=1.5),  # type: ignore[arg-type]
    "tasks limit": lambda m: m.tasks(limit=None),  # type: ignore[arg-type]
    "cursor": lambda m: m.facts(cursor=5),  # type: ignore[arg-type]
    "tasks cursor": lambda m: m.tasks(cursor=5),  # type: ignore[arg-type]
    "duplicates": lambda m: m.duplicates(limit=1.5),  # type: ignore[arg-type]
    "at_least": lambda m: m.duplicates(at_least=float("nan")),
    "subject": lambda m: m.facts(subject=5),  # type: ignore[arg-type]
    "predicate": lambda m: m.facts(predicate=[]),  # type: ignore[arg-type]
    "object": lambda m: m.facts(object=b"x"),  # type: ignore[arg-type]
    "timeline": lambda m: m.timeline(None),  # type: ignore[arg-type]
    "changes": lambda m: m.changes(entity=5),  # type: ignore[arg-type]
    "history": lambda m: m.history(None),  # type: ignore[arg-type]
    "claims": lambda m: m.claims(5),  # type: ignore[arg-type]
    "correct": lambda m: m.correct(None, valid_from="2020"),  # type: ignore[arg-type]
    "retract": lambda m: m.retract(b"x"),  # type: ignore[arg-type]
    "kinds": lambda m: m.search("Alice", kinds=5),  # type: ignore[arg-type]
    "fusion": lambda m: m.search("Alice", fusion=[]),  # type: ignore[arg-type]
    "format": lambda m: m.context("Alice", format=[]),  # type: ignore[arg-type]
    "shares": lambda m: m.context("Alice", shares=""),  # type: ignore[arg-type]
    "status": lambda m: m.tasks([]),  # type: ignore[arg-type]
    "task status": lambda m: m.update_task("T", goal="g", status=[]),  # type: ignore[arg-type]
    "todos": lambda m: m.update_task("T", goal="g", add_todos=5),  # type: ignore[arg-type]
    "slot": lambda m: m.update_task("T", goal="g", slots={"k": float("nan")}),
    "expect": lambda m: m.update_task("T", goal="g", expect="f" * 16 + "-" + "0" * 12),
    "half a character": lambda m: m.update_task("T", goal="\ud800"),
    "pin": lambda m: m.pin("half \ud800"),
    "NUL in a pin": lambda m: m.pin("a\0b"),
    "by": lambda m: m.pin("Only e-mail", by=5),  # type: ignore[arg-type]
    "by of a task": lambda m: m.update_task("T", goal="g", by="\0"),
    "author": lambda m: m.merge("Alice", "Bob", by=b"x"),  # type: ignore[arg-type]
    "source": lambda m: m.assert_fact("A", "WORKS_AT", "B", valid_from="2020", source=b"x"),  # type: ignore[arg-type]
    "valid_from": lambda m: m.assert_fact("A", "WORKS_AT", "B", valid_from=5),  # type: ignore[arg-type]
    "policy": lambda m: m.maintain(policy=5, dry_run=True),  # type: ignore[arg-type]
    "progress": lambda m: m.add_many(["x"], progress=5),  # type: ignore[arg-type]
    "budget": lambda m: m.session("s1", budget="9"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", MAKERS)
async def test_wrong_arguments_are_refused_in_one_line(what: str) -> None:
    async with Memory.open(":memory:", tenant="t") as memory:
        await memory.assert_fact("Alice", "WORKS_AT", "TechCorp", valid_from="2020")
        await memory.assert_fact("Bob", "WORKS_AT", "TechCorp", valid_from="2020")
        before = (await memory.episodes()).items
        with pytest.raises(Invalid) as refused:
            await MAKERS[what](memory)
        assert "\n" not in str(refused.value)
        assert (await memory.episodes()).items == before


@pytest.mark.parametrize("last", [datetime.max, datetime.max.replace(tzinfo=UTC)])
async def test_nothing_begins_at_the_last_instant(last: datetime) -> None:
    async with Memory.open(":memory:", tenant="t") as memory:
        with pytest.raises(Invalid, match="last instant"):
            await memory.assert_fact("A", "WORKS_AT", "B", valid_from=last)
        with pytest.raises(Invalid, match="last instant"):
            await memory.add("Alice met Bob.", occurred_at=last)
        await memory.assert_fact("A", "WORKS_AT", "C", valid_from="2020", valid_to=last)
        assert len((await memory.facts("A", during="ever")).items) == 1


def _nested(depth: int) -> Any:
    found: Any = [{"name": "x"}]
    for _ in range(depth):
        found = [found]
    return found


async def test_what_is_nested_too_deep_is_refused() -> None:
    async with Memory.open(":memory:", tenant="t") as memory:
        for content in (_nested(3_000), {"k": _nested(3_000)}):
            with pytest.raises(Invalid, match=r"deep|levels"):
                await memory.add(content)
        with pytest.raises(Invalid, match="deep"):
            await memory.add("Hello Bob.", metadata={"k": _nested(3_000)})
        where = ~Where(actors="ann")
        for _ in range(3_000):
            where = ~where
        with pytest.raises(Invalid, match="more than 50 levels"):
            await memory.search("Alice", where=where)


async def test_many_conditions_may_stand_side_by_side() -> None:
    async with Memory.open(":memory:", tenant="t") as memory:
        await memory.assert_fact("Alice", "WORKS_AT", "TechCorp", valid_from="2020")
        wheres: list[Filter] = [Where(actors=f"a{n}") for n in range(1_500)]
        assert not (await memory.search("Alice", where=reduce(operator.or_, wheres))).hits
        names = [*map(str, range(3_000)), "ALICE"]
        assert (await memory.search("Where does Alice work?", where=Where(entities=names))).facts
