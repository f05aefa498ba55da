"""JSON objects and arrays as episodes: by custom, and as a mapping declares them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from hitherto import FieldMapping, Invalid, Memory, Ontology
from hitherto.kg.model import Format, Role
from tests.promises.conftest import Opener, believed, lines
from tests.support import StepClock

TICKET = {
    "id": "T-1001",
    "type": "ticket",
    "status": "open",
    "priority": "high",
    "assignee": {"name": "Bob", "email": "bob@example.com"},
    "tags": ["vip", "refund"],
    "updated_at": "2026-03-02",
}
LATER = {**TICKET, "status": "closed", "assignee": {"name": "Eve"}, "updated_at": "2026-03-05"}


async def quotes_are_verbatim(memory: Memory) -> None:
    texts = {e.id: e.text for e in (await memory.episodes(limit=1000)).items}
    claims = [c for b in (await memory.facts(during="ever", limit=1000)).items for c in b.evidence]
    assert claims
    for claim in claims:
        assert claim.quote
        assert texts[claim.episode_id][claim.quote_start : claim.quote_end] == claim.quote


async def test_a_record_by_custom(fresh: Opener) -> None:
    memory = await fresh()
    report = await memory.add(TICKET, source="desk")
    assert sorted(str(b) for b in report.added) == [
        "Bob has the e-mail address bob@example.com · 2026-03-02 →",
        "Bob is the same as bob@example.com · 2026-03-02 →",
        "T-1001 has priority high · 2026-03-02 →",
        "T-1001 is assigned to Bob · 2026-03-02 →",
        "T-1001 is open · 2026-03-02 →",
        "T-1001 tags refund · 2026-03-02 →",
        "T-1001 tags vip · 2026-03-02 →",
        "T-1001 type is ticket · 2026-03-02 →",
    ]
    quotes = {b.fact.text: b.evidence[0].quote for b in report.added}
    assert quotes["T-1001 is open"] == '"status": "open"'
    assert quotes["T-1001 tags vip"] == '"vip"'
    assert (await memory.add(TICKET, source="desk")).status == "duplicate"
    await memory.add(LATER, source="desk")
    assert "T-1001 is open · 2026-03-02 → 2026-03-05" in await lines(memory)
    assert "T-1001 is assigned to Bob · 2026-03-02 → 2026-03-05" in await lines(memory)
    now = [str(b) for b in (await memory.facts("T-1001")).items]
    assert "T-1001 is closed · 2026-03-05 →" in now
    assert "T-1001 is open · 2026-03-02 → 2026-03-05" not in now
    await quotes_are_verbatim(memory)
    (episode, _) = (await memory.episodes()).items
    assert (episode.format, episode.turns[0].role) == (Format.JSON, Role.TOOL)
    hits = list(await memory.search("T-1001 refund", kinds=["episode"]))
    assert len(hits) == 2


async def test_order_of_arrival_does_not_matter(fresh: Opener) -> None:
    one, other = await fresh(), await fresh()
    for memory, events in ((one, [TICKET, LATER]), (other, [LATER, TICKET])):
        for event in events:
            await memory.add(event)
    assert await believed(one) == await believed(other)
    first = (await one.episodes()).items[0]
    await one.retract(first.id)
    assert not any("is open" in line for line in await lines(one))
    await one.add(TICKET)
    assert await believed(one) == await believed(other)


async def test_a_stream_gives_what_one_by_one_gives(fresh: Opener) -> None:
    one, other = await fresh(), await fresh()
    for event in (TICKET, LATER):
        await one.add(event, source="desk")
    report = await other.add_many([TICKET, {"content": LATER, "source": "desk"}], source="desk")
    assert (report.episodes, report.duplicates) == (2, 0)
    assert await believed(one) == await believed(other)


async def test_the_episode_log_rebuilds_the_graph(fresh: Opener) -> None:
    """Mapping and zone are in the episode."""
    memory, again = await fresh(), await fresh()
    berlin = Memory(memory._pipeline, _zone("Europe/Berlin"), StepClock())
    plan = FieldMapping(subject="crm:{who.id}", predicate="SUBSCRIBES_TO", object="$.plan", valid_from="$.day")
    await berlin.add({"who": {"id": 7}, "plan": "Pro", "day": "2026-03-02"}, mapping=plan, metadata={"batch": 4})
    (episode,) = (await memory.episodes()).items
    assert episode.metadata["batch"] == 4
    await again._pipeline.add(episode)
    assert await believed(memory) == await believed(again)
    assert (await memory.facts()).items[0].valid_from.at == datetime(2026, 3, 1, 23, tzinfo=UTC)  # type: ignore[union-attr]


def _zone(name: str) -> Any:
    from hitherto.extraction.records import read_zone

    return read_zone(name)


BY_CUSTOM: list[tuple[Any, list[str]]] = [
    # events in an envelope, records that are called by a number, nested fields
    (
        {"events": [{"customer": {"id": 7, "plan": {"tier": "gold"}}}, {"customer": {"id": 8, "vip": True}}]},
        ["customer 7 plan tier is gold · 2030-01-01 →", "customer 8 vip is true · 2030-01-01 →"],
    ),
    ({"id": 7, "type": "order", "total": 12.5}, ["order 7 total is 12.5 · 2030-01-01 →", "order 7 type is order"]),
    ({"firstName": "Ann", "lastName": "Lee", "jobTitle": "CTO"}, ["Ann Lee is CTO · 2030-01-01 →"]),
    # the later of two at one time stands
    ([{"id": "A", "stage": "won"}, {"id": "A", "stage": "lost"}], ["A stage is lost · 2030-01-01 →"]),
    ({"id": "A", "stage": "won", "timestamp": 1772445600}, ["A stage is won · 2026-03-02T10:00:00Z →"]),
    ({"id": "A", "stage": "won", "timestamp": 1772445600000}, ["A stage is won · 2026-03-02T10:00:00Z →"]),
    ({"id": "A", "stage": "won", "date": date(2026, 3, 2)}, ["A stage is won · 2026-03-02 →"]),
    ({"单号": "CN-A1", "状态": "已发货", "负责人": {"姓名": "王伟"}}, ["CN-A1 is 已发货", "CN-A1 owner is 王伟"]),
    # a record that only its number tells
    ({"ticket_id": "T-77", "status": "open", "customer_id": 4}, ["T-77 customer id is 4", "T-77 is open"]),
    (
        {"event": "upgraded", "user_id": 4711, "plan": "pro"},
        ["user 4711 event is upgraded", "user 4711 is on the pro plan"],
    ),
    ({"id": "A", "address": {"region_id": 5, "zip": "x"}}, ["A address region id is 5", "A address zip is x"]),
    ({"订单号": "CN-A1", "状态": "已发货"}, ["CN-A1 is 已发货"]),
    # what a field says depends on whose it is
    (
        {"name": "Ann", "email": "a@b.c", "company": "Acme", "title": "CTO"},
        [
            "Ann has the e-mail address a@b.c",
            "Ann is CTO",
            "Ann is the same as a@b.c",
            "Ann works at Acme",
        ],
    ),
    ({"orders": [{"id": 7, "company": "Acme", "title": "Pens"}]}, ["order 7 company is Acme", "order 7 title is"]),
    # a flag is one value at a time, however it is called
    ([{"id": "A", "is_active": True}, {"id": "A", "active": False}], ["A active is false"]),
    # what says nothing, is prose, or has no subject
    ({"id": "A", "note": "x" * 201, "body": "a\nb", "nothing": None, "empty": " ", "list": []}, []),
    ({"status": "open"}, []),
    ([1, "x", None], []),
    # same_as makes nobody one
    ({"name": "Ann", "same_as": "Bob"}, ["Ann same as is Bob"]),
]


@pytest.mark.parametrize("kind", ["memory"])
@pytest.mark.parametrize(("content", "expected"), BY_CUSTOM, ids=lambda v: str(v)[:40])
async def test_customs(fresh: Opener, content: Any, expected: list[str]) -> None:
    memory = await fresh()
    whole = {"rows": content} if isinstance(content, list) and not isinstance(content[0], dict) else content
    await memory.add(whole)
    found = sorted(await lines(memory))
    assert len(found) == len(expected)
    assert all(line.startswith(start) for line, start in zip(found, expected, strict=True)), found


EVENT = {
    "customer": {"id": 4711, "name": "Alice"},
    "changes": [{"to": "Pro", "on": "2026-03"}, {"to": "Team", "on": "2026-05"}, {"to": None, "on": "2026-06"}],
    "likes": ["tea", "go"],
    "was": {"from": "2024", "to": "2025-06", "what": "Basic"},
}
MAPPED: list[tuple[FieldMapping, list[str]]] = [
    (
        FieldMapping(subject="$.customer.name", predicate="LIKES", object="$.likes", time="2026-01-01"),
        ["Alice likes go · 2026-01-01 →", "Alice likes tea · 2026-01-01 →"],
    ),
    (FieldMapping(subject="$.customer", predicate="LIKES", object="$.likes.1"), ["Alice likes go · 2030-01-01 →"]),
    (
        FieldMapping(
            subject="Alice", predicate="PLAN_IS", object="$.to", valid_from="$.on", rows="$.changes",
            object_kind="Value",
        ),
        ["Alice plan is Pro · 2026-03 → 2026-05", "Alice plan is Team · 2026-05 →"],
    ),
    (
        FieldMapping(subject="crm:{customer.id}", predicate="NAMED", object="$.customer.name"),
        ["crm:4711 is named Alice · 2030-01-01 →"],
    ),
    (
        FieldMapping(
            subject="$.customer", predicate="USES", object="plan {was.what}", valid_from="$.was.from",
            valid_to="$.was.to",
        ),
        ["Alice uses plan Basic · 2024 → 2025-07"],
    ),
]  # fmt: skip


@pytest.mark.parametrize("kind", ["memory"])
@pytest.mark.parametrize(("mapping", "expected"), MAPPED, ids=lambda v: str(v)[:50])
async def test_a_mapping_says_which_fields(fresh: Opener, mapping: FieldMapping, expected: list[str]) -> None:
    memory = await fresh()
    await memory.add(EVENT, mapping=mapping)
    assert sorted(await lines(memory)) == expected
    await quotes_are_verbatim(memory)


@pytest.mark.parametrize("kind", ["memory"])
async def test_several_facts_of_a_row_and_a_name_for_an_identity(fresh: Opener) -> None:
    memory = await fresh()
    who = "crm:{customer.id}"
    named = FieldMapping(subject=who, predicate="NAMED", object="$.customer.name")
    uses = FieldMapping(subject=who, predicate="$.kind", object="$.what")
    await memory.add([{**EVENT, "kind": "usesOften", "what": "search"}], mapping=[named, uses])
    facts = (await memory.facts("Alice", "USES_OFTEN")).items
    assert [b.fact.text for b in facts] == ["crm:4711 uses often search"]


@pytest.mark.parametrize("kind", ["memory"])
async def test_messages_stay_messages(fresh: Opener) -> None:
    """What has content, or a role of a talk, is never taken for a record unless a mapping says so."""
    memory = await fresh()
    wrongs: tuple[Any, ...] = (
        {"role": "user", "name": "Ann"},
        {"content": "hi", "id": 4},
        [{"content": "hi"}, {"id": 4}],
    )
    for wrong in wrongs:
        with pytest.raises(Invalid):
            await memory.add(wrong)
    assert (await memory.status()).episodes == 0
    note = {"id": "N-1", "content": "Hello", "role": "user"}
    await memory.add(note, mapping=FieldMapping(subject="$.id", predicate="TITLE_IS", object="$.content"))
    await memory.add({"name": "Ann", "role": "engineer"})
    told = {b.fact.text for b in (await memory.facts()).items}
    assert told == {"Ann is engineer", "N-1 title is Hello"}


@pytest.mark.parametrize("kind", ["memory"])
async def test_a_closed_ontology_takes_what_it_has(fresh: Opener) -> None:
    memory = await fresh(ontology=Ontology.starter().extended([], closed=True))
    await memory.add(TICKET)
    assert {b.fact.predicate for b in (await memory.facts()).items} == {
        "HAS_STATUS",
        "HAS_PRIORITY",
        "HAS_EMAIL",
        "ASSIGNED_TO",
        "SAME_AS",
    }
    with pytest.raises(Invalid, match="closed ontology"):
        await memory.add(TICKET, mapping=FieldMapping(subject="$.id", predicate="TAGGED", object="$.tags"))
    assert (await memory.status()).pending == 0
