"""``add_many``: what it takes, what it reports, and what is left where something is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from hitherto import AddReport, Conflict, Invalid, Memory
from hitherto.extraction.extractor import Reading
from hitherto.kg.model import Draft
from tests.promises.conftest import Opener, believed
from tests.support import ClaimsExtractor, SaidClaim, day, said


def item(number: int, **details: Any) -> dict[str, Any]:
    claim = SaidClaim("observation", f"thing {number}", number, predicate="LIKES")
    return {"content": said(claim), "occurred_at": day(number), **details}


async def likes(memory: Memory) -> list[int]:
    return sorted(int(text.rpartition(" ")[2]) for text, _, _ in await believed(memory))


async def test_everything_that_add_takes(fresh: Opener) -> None:
    """Text, a message, messages, and mappings with details beside their content."""
    many, one = await fresh(), await fresh()
    text = [said(SaidClaim("observation", f"thing {n}", n, predicate="LIKES")) for n in range(6)]
    spoken = {"role": "user", "name": "ann", "time": "2026-03-02"}
    await many.add_many(
        [
            {
                "content": text[0],
                "occurred_at": "2026-03-02",
                "session": "own",
                "id": "zero",
                "metadata": {"a": 1},
            },
            {"content": text[1], **spoken},
            {"content": text[2], **spoken, "source": "crm", "actor": None},
            {"content": [{"content": text[3], **spoken}], "session": "own"},
            [{"content": text[4], **spoken}],
            text[5],
        ],
        session="call",
        source="chat",
    )
    shared = {"session": "call", "source": "chat"}
    first = {"occurred_at": "2026-03-02", "session": "own", "source": "chat", "id": "zero", "metadata": {"a": 1}}
    await one.add(text[0], **first)  # type: ignore[arg-type]
    await one.add({"content": text[1], **spoken}, **shared)  # type: ignore[arg-type]
    await one.add({"content": text[2], **spoken}, session="call", source="crm")
    await one.add({"content": text[3], **spoken}, session="own", source="chat")
    await one.add([{"content": text[4], **spoken}], **shared)  # type: ignore[arg-type]
    await one.add(text[5], **shared)  # type: ignore[arg-type]
    found = [(await memory.episodes()).items for memory in (many, one)]
    told = [[(e.text, e.occurred_at, e.session, e.source, e.actor, e.metadata) for e in page] for page in found]
    # Those of one instant stand in the order of their ids, which are made of the tenant's.
    assert sorted(told[0], key=str) == sorted(told[1], key=str)
    if not fresh.own_tenants:
        assert [e.id for e in found[0]] == [e.id for e in found[1]]


async def test_progress_and_the_report_sum_up(fresh: Opener) -> None:
    memory = await fresh()
    heard: list[AddReport] = []
    await memory.add_many([item(1)])
    report = await memory.add_many([item(n) for n in (0, 1, 2, 2, 3)], batch=2, progress=heard.append)
    assert [(r.episodes, r.duplicates, r.added) for r in heard] == [(2, 1, 1), (4, 2, 2), (5, 2, 3)]
    assert report == heard[-1]
    assert report.tx == (await memory.at().instants()).known
    nothing = await memory.add_many([item(3)])
    assert (nothing.episodes, nothing.duplicates, nothing.tx) == (1, 1, None)
    assert await memory.add_many([]) == AddReport()


WRONG: list[tuple[Any, type[Exception], str]] = [
    ({"content": " "}, Invalid, "item 3: the episode has no text"),
    ({"content": 7}, Invalid, "item 3: message 1: content must be text or a list of parts, not int"),
    ({"text": "Ann left."}, Invalid, "item 3: message 1 has unknown keys text"),
    (7, Invalid, "item 3: an episode is text, messages or a mapping with content, not int"),
    (item(3, session=17), Invalid, "item 3: session must be text, not int"),
    (item(3, occurred_at="2026-02-30"), Invalid, "item 3: occurred_at: '2026-02-30' is not a date"),
    (item(3, id="taken"), Conflict, "item 3: episode 'taken' is stored with other content"),
]


@pytest.mark.parametrize("batch", [2, 100])
@pytest.mark.parametrize("kind", ["memory"])
@pytest.mark.parametrize(("wrong", "error", "message"), WRONG)
async def test_a_wrong_item_is_named_and_what_came_before_is_there(
    fresh: Opener, wrong: Any, error: type[Exception], message: str, batch: int
) -> None:
    memory = await fresh()
    await memory.add(**item(0), id="taken")
    with pytest.raises(error, match=message) as raised:
        await memory.add_many([item(1), item(2), wrong, item(4)], batch=batch)
    assert "\n" not in str(raised.value)
    assert await likes(memory) == [0, 1, 2]
    assert (await memory.status()).pending == 0


async def test_a_stream_that_breaks_off(fresh: Opener) -> None:
    def broken() -> Iterator[dict[str, Any]]:
        yield item(1)
        yield item(2)
        raise OSError("the line went dead")

    memory = await fresh()
    with pytest.raises(OSError, match="the line went dead"):
        await memory.add_many(broken())
    assert await likes(memory) == [1, 2]


class Refusing(ClaimsExtractor):
    """Cannot read anything with ``thing 2`` in it, while it is broken."""

    async def extract(self, readings: Sequence[Reading]) -> list[list[Draft]]:
        if self.broken and any("thing 2" in r.episode.text for r in readings):
            raise Invalid("the extractor will not read this")
        return [self._read(reading) for reading in readings]


async def test_an_episode_that_cannot_be_read_is_named_and_stays_pending(fresh: Opener) -> None:
    extractor = Refusing(broken=True)
    memory = await fresh(extractor)
    with pytest.raises(Invalid, match="item 3: the extractor will not read this"):
        await memory.add_many([item(n) for n in range(5)])
    assert await likes(memory) == [0, 1]
    assert (await memory.status()).pending == 3
    extractor.broken = False
    await memory.resume()
    assert await likes(memory) == [0, 1, 2, 3, 4]


async def test_a_batch_of_none_is_refused(fresh: Opener) -> None:
    memory = await fresh()
    with pytest.raises(Invalid, match="batch=0; give at least 1"):
        await memory.add_many([item(1)], batch=0)


@pytest.mark.parametrize("kind", ["memory"])
async def test_a_long_stream_is_read_as_it_is_written(fresh: Opener) -> None:
    """Never more than two batches ahead of what is written."""
    taken = 0
    ahead: list[int] = []

    def numbers() -> Iterator[dict[str, Any]]:
        nonlocal taken
        for number in range(60):
            taken += 1
            yield item(number)

    memory = await fresh()
    await memory.add_many(numbers(), batch=5, progress=lambda r: ahead.append(taken - r.episodes))
    assert max(ahead) <= 10
