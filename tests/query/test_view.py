import asyncio
from datetime import UTC, datetime

import pytest

from hitherto.kg.model import Belief, Entity, Value
from hitherto.temporal.claims import Says
from hitherto.temporal.errors import Invalid, NotFound
from hitherto.temporal.instants import format_interval
from tests.query.builders import instant
from tests.query.conftest import ViewAt, Wall
from tests.query.scribe import JOINED, LEFT, Note, Scribe, write_all


def shown(beliefs: tuple[Belief, ...]) -> list[str]:
    return [f"{b.fact.text} {format_interval(b.valid_from, b.valid_to)}" for b in beliefs]


@pytest.fixture
async def alice(scribe: Scribe) -> list[str]:
    """Alice's two messages; their ids."""
    return await write_all(scribe, [JOINED, LEFT])


async def test_facts_hold_at_the_views_instants(alice: list[str], at: ViewAt) -> None:
    now = await at().facts("Alice", "WORKS_AT")
    then = await at(instant("2024-04-01")).facts("Alice", "WORKS_AT")
    before = await at(instant("2026-03-05"), instant("2026-03-01")).facts("Alice", "WORKS_AT")
    assert shown(now.items) == ["Alice works at Anthropic [2026-03-02, )"]
    assert shown(then.items) == ["Alice works at TechCorp [2023-01, 2026-03-02)"]
    assert shown(before.items) == ["Alice works at TechCorp [2023-01, )"]
    assert before.items[0].superseded_at is None


async def test_ever_is_all_of_valid_time(alice: list[str], at: ViewAt) -> None:
    found = await at().facts(predicate="WORKS_AT", object="TechCorp", during="ever")
    assert shown(found.items) == ["Alice works at TechCorp [2023-01, 2026-03-02)"]
    assert (await at().facts(predicate="WORKS_AT", object="TechCorp")).items == ()


async def test_an_inverse_predicate_asks_the_other_way_round(alice: list[str], at: ViewAt) -> None:
    found = await at().facts("Anthropic", "EMPLOYS", "Alice")
    assert shown(found.items) == ["Alice works at Anthropic [2026-03-02, )"]
    assert (await at().facts("Alice", "EMPLOYS", "Anthropic")).items == ()
    timeline = await at().timeline("Anthropic", "EMPLOYS")
    assert shown(timeline.items) == ["Alice works at Anthropic [2026-03-02, )"]


async def test_an_object_is_an_entity_or_a_literal(alice: list[str], at: ViewAt) -> None:
    found = await at().facts(object="Research  Engineer")
    assert [b.fact.object for b in found.items] == [Value("research engineer")]
    found = await at().facts(object="anthropic")
    assert [b.fact.object.name for b in found.items if isinstance(b.fact.object, Entity)] == ["Anthropic"]


async def test_what_nobody_mentioned_is_nowhere(alice: list[str], at: ViewAt) -> None:
    view = at()
    assert (await view.facts(subject="Zoe")).items == ()
    assert (await view.facts(object="Zoe")).items == ()
    assert (await view.facts(predicate="HAS_WINGS")).items == ()
    assert (await view.timeline("Zoe")).items == ()
    with pytest.raises(NotFound, match="Zoe"):
        await view.entity("Zoe")


async def test_facts_come_in_pages(alice: list[str], at: ViewAt) -> None:
    view, cursor, texts = at(), None, list[str]()
    for _ in range(5):
        page = await view.facts(during="ever", limit=1, cursor=cursor)
        texts += [b.fact.text for b in page.items]
        cursor = page.cursor
        if cursor is None:
            break
    everything = await view.facts(during="ever")
    assert texts == [b.fact.text for b in everything.items]
    assert len(texts) == 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"predicate": "works at"},
        {"subject": "  "},
        {"object": ""},
        {"limit": 0},
        {"limit": -1},
        {"limit": 10_000},
        {"during": "soon"},
        {"during": ("2024", "2023")},
        {"during": ()},
        {"cursor": "not a cursor"},
    ],
)
async def test_wrong_conditions_are_refused(alice: list[str], at: ViewAt, wrong: dict[str, object]) -> None:
    with pytest.raises(Invalid):
        await at().facts(**wrong)  # type: ignore[arg-type]


async def test_the_timeline_shows_the_two_periods_and_what_was_corrected(alice: list[str], at: ViewAt) -> None:
    timeline = await at().timeline("Alice", "WORKS_AT")
    assert shown(timeline.items) == [
        "Alice works at TechCorp [2023-01, 2026-03-02)",
        "Alice works at Anthropic [2026-03-02, )",
    ]
    assert [entry.believed for entry in timeline.items] == [True, True]
    (correction,) = timeline.items[0].corrections
    assert shown((correction,)) == ["Alice works at TechCorp [2023-01, )"]
    assert correction.ingested_at.date().isoformat() == "2023-02-01"
    assert correction.superseded_at is not None
    assert correction.superseded_at.date().isoformat() == "2026-03-02"


async def test_the_timeline_as_it_was_known(alice: list[str], at: ViewAt) -> None:
    timeline = await at(known=instant("2026-03-01")).timeline("Alice")
    assert shown(timeline.items) == ["Alice works at TechCorp [2023-01, )"]
    assert (timeline.items[0].corrections, timeline.items[0].superseded_at) == ((), None)


async def test_the_timeline_of_the_other_side(alice: list[str], at: ViewAt) -> None:
    assert shown((await at().timeline("TechCorp")).items) == ["Alice works at TechCorp [2023-01, 2026-03-02)"]


async def test_taking_back_reopens_and_stays_in_the_timeline(alice: list[str], at: ViewAt, scribe: Scribe) -> None:
    await scribe.take_back(alice[1], on="2026-03-09")
    view = at()
    assert shown((await view.facts("Alice", "WORKS_AT")).items) == ["Alice works at TechCorp [2023-01, )"]
    timeline = await view.timeline("Alice", "WORKS_AT")
    assert [(e.fact.object.name, e.believed) for e in timeline.items if isinstance(e.fact.object, Entity)] == [
        ("TechCorp", True),
        ("Anthropic", False),
    ]
    assert len(timeline.items[0].corrections) == 2
    assert [e.believed for e in (await view.timeline("Anthropic")).items] == [False]
    earlier = await at(known=instant("2026-03-05")).facts("Alice", "WORKS_AT")
    assert shown(earlier.items) == ["Alice works at Anthropic [2026-03-02, )"]


async def test_the_timeline_comes_in_pages(alice: list[str], at: ViewAt, scribe: Scribe) -> None:
    await scribe.take_back(alice[1], on="2026-03-09")
    view, cursor, ids = at(), None, list[str]()
    for _ in range(10):
        page = await view.timeline("Alice", limit=1, cursor=cursor)
        ids += [entry.id for entry in page.items]
        cursor = page.cursor
        if cursor is None:
            break
    assert ids == [entry.id for entry in (await view.timeline("Alice")).items]
    assert len(ids) == 3


async def test_a_view_does_not_change_after_its_first_read(scribe: Scribe, at: ViewAt, wall: Wall) -> None:
    await write_all(scribe, [JOINED])
    view, unread = at(), at()
    before = (await view.timeline("Alice"), await view.episodes(), await view.search("Where does Alice work?"))
    await write_all(scribe, [LEFT])
    after = (await view.timeline("Alice"), await view.episodes(), await view.search("Where does Alice work?"))
    assert after == before
    assert shown((await unread.facts("Alice", "WORKS_AT")).items) == ["Alice works at Anthropic [2026-03-02, )"]


async def test_a_view_of_an_empty_tenant_stays_empty(scribe: Scribe, at: ViewAt) -> None:
    view = at()
    assert (await view.facts()).items == ()
    await write_all(scribe, [JOINED])
    assert (await view.facts()).items == ()
    assert (await view.episodes()).items == ()
    assert (await view.timeline("Alice")).items == ()
    assert len(await view.search("Alice TechCorp")) == 0


async def test_known_in_the_future_is_the_last_commit(scribe: Scribe, at: ViewAt) -> None:
    await write_all(scribe, [JOINED])
    view = at(known=datetime(2099, 1, 1, tzinfo=UTC))
    known = (await view.instants()).known
    assert known < datetime(2024, 1, 1, tzinfo=UTC)
    await write_all(scribe, [LEFT])
    assert shown((await view.facts(during="ever")).items) == ["Alice works at TechCorp [2023-01, )"]


async def test_first_reads_side_by_side_agree(alice: list[str], at: ViewAt) -> None:
    view = at()
    assert len({await first for first in asyncio.as_completed([view.instants() for _ in range(20)])}) == 1


async def test_episodes_by_session_actor_and_time(scribe: Scribe, at: ViewAt) -> None:
    for said, actor, session in (
        ("2026-01-01", "ann", "s1"),
        ("2026-01-02", "ben", "s1"),
        ("2026-01-03", "ann", "s2"),
    ):
        await scribe.write(f"hello {said}", said=said, actor=actor, session=session)
    view = at()

    async def days(**where: object) -> list[int]:
        return [e.occurred_at.day for e in (await view.episodes(**where)).items]  # type: ignore[arg-type]

    assert await days() == [1, 2, 3]
    assert await days(session="s1") == [1, 2]
    assert await days(actor="ann") == [1, 3]
    assert await days(session="s1", actor="ann") == [1]
    assert await days(since=instant("2026-01-02")) == [2, 3]
    assert await days(session="s9") == []
    first = await view.episodes(limit=2)
    rest = await view.episodes(limit=2, cursor=first.cursor)
    assert ([e.occurred_at.day for e in rest.items], rest.cursor) == ([3], None)


async def test_an_actor_is_found_by_the_name_they_gave(scribe: Scribe, at: ViewAt) -> None:
    await scribe.write(
        "我是 Liang，住北京",
        Note("crm:4711", "NAMED", "Liang"),
        Note("crm:4711", "LIVES_IN", "北京"),
        said="2026-03-02",
        actor="crm:4711",
    )
    view = at()
    assert [b.fact.subject.name for b in (await view.facts("liang", "LIVES_IN")).items] == ["crm:4711"]
    assert (await view.entity("LIANG")).name == "crm:4711"
    assert len((await view.timeline("Liang")).items) == 2
    unknown = at(known=instant("2026-03-01"))
    assert (await unknown.facts("Liang")).items == ()


async def test_a_main_name_goes_before_a_given_one(scribe: Scribe, at: ViewAt) -> None:
    await scribe.write("I'm Sam", Note("crm:1", "NAMED", "Sam"), said="2026-03-01", actor="crm:1")
    await scribe.write("Sam lives in Rome", Note("Sam", "LIVES_IN", "Rome"), said="2026-03-02")
    view = at()
    assert (await view.entity("sam")).name == "Sam"
    assert len((await view.timeline("Sam")).items) == 2


async def test_a_tenant_is_a_wall(alice: list[str], scribe: Scribe, at: ViewAt) -> None:
    await scribe.write(
        "Alice works at Initech.",
        Note("Alice", "WORKS_AT", "Initech", Says.OBSERVATION),
        said="2026-03-03",
        tenant="other",
    )
    other = at(tenant="other")
    assert shown((await other.facts()).items) == ["Alice works at Initech [2026-03-03, )"]
    assert len((await other.timeline("Alice")).items) == 1
    assert len((await other.episodes()).items) == 1
    assert (await other.timeline("Anthropic")).items == ()
    assert "Anthropic" not in str(await other.search("Where does Alice work? Anthropic?"))
