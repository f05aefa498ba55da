"""Merging and splitting, on every store."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hitherto import Invalid, Memory, NotFound, Value, WriteStatus
from hitherto.extraction.identities import read_identity
from hitherto.kg.ontology import SAME_AS
from hitherto.kg.store import Point, Target
from tests.promises.conftest import Opener, lines
from tests.promises.properties import log_of, replay
from tests.support import SaidClaim, StepClock, day, said


async def story(memory: Memory) -> None:
    """Facts about one man under two names, and about his friend."""
    await memory.assert_fact("Sherlock Holmes", "LIVES_IN", "London", valid_from="2020", subject_kind="Person")
    await memory.assert_fact("Mr. Holmes", "WORKS_AT", "Scotland Yard", valid_from="2021", subject_kind="Person")
    await memory.assert_fact("Dr. Watson", "KNOWS", "Mr. Holmes", valid_from="2022", subject_kind="Person")
    await memory.assert_fact("Sherlock Holmes", "LIKES", "Violins", valid_from="2019", subject_kind="Person")


async def named(memory: Memory, name: str, known: object = None) -> list[tuple[str, tuple[str, ...]]]:
    store = memory._pipeline.store
    point = Point(memory.tenant, None, known or await store.last_commit(memory.tenant))  # type: ignore[arg-type]
    return [(e.name, e.aliases) for e in (await store.find_entities(point, [name])).get(name, [])]


async def about(memory: Memory, name: str) -> list[str]:
    """The facts about somebody, without who is the same."""
    page = await memory.timeline(name)
    return sorted(str(entry) for entry in page.items if entry.fact.predicate != SAME_AS and entry.believed)


MERGED = [
    "Dr. Watson knows Sherlock Holmes · 2022 →",
    "Sherlock Holmes likes Violins · 2019 →",
    "Sherlock Holmes lives in London · 2020 →",
    "Sherlock Holmes works at Scotland Yard · 2021 →",
]


async def test_a_merge_makes_two_one_now_and_leaves_the_past_as_it_was(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)
    await memory.assert_fact("Sherlock Holmes", "HAS_SKILL", "Bees", valid_from="2023")
    before = await memory.status()
    was, known = await lines(memory), before.last_commit
    report = await memory.merge("mr. holmes", "Sherlock Holmes", reason="He said so.", by="lestrade")
    assert report.status is WriteStatus.ADDED
    assert sorted(map(str, report.superseded)) == [
        "Dr. Watson knows Mr. Holmes · 2022 →",
        "Mr. Holmes works at Scotland Yard · 2021 →",
    ]
    assert [b.ingested_at for b in report.added] == [report.tx] * 3
    for name in ("Mr. Holmes", "Sherlock Holmes"):
        assert await named(memory, name) == [("Sherlock Holmes", ("Mr. Holmes",))]
        assert set(MERGED) < set(await about(memory, name))
    assert await lines(memory, known=known) == was
    assert await named(memory, "Mr. Holmes", known) == [("Mr. Holmes", ())]
    assert await named(memory, "Sherlock Holmes", known) == [("Sherlock Holmes", ())]
    after = await memory.status()
    assert after.entities == before.entities - 1
    assert after.beliefs == before.beliefs + 1


async def test_the_merge_is_an_episode_that_can_be_seen(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)
    report = await memory.merge("Mr. Holmes", "Sherlock Holmes", reason="He\nsaid so.", by="lestrade")
    [belief] = (await memory.facts(predicate=SAME_AS)).items
    assert belief.fact.text == "Mr. Holmes is the same as Sherlock Holmes"
    [claim] = belief.evidence
    assert claim.episode_id == report.episode_id
    assert claim.quote == "“Mr. Holmes” and “Sherlock Holmes” are the same. He said so."
    episode = next(e for e in await log_of(memory) if e.id == report.episode_id)
    assert (episode.actor, episode.source) == ("lestrade", "merge")
    assert episode.text[claim.quote_start : claim.quote_end] == claim.quote


async def test_retracting_the_merge_parts_them_and_adding_it_again_joins_them(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)
    before = sorted(await lines(memory))
    report = await memory.merge("Mr. Holmes", "Sherlock Holmes")
    merged = sorted(await lines(memory))
    gone = await memory.retract(report.episode_id)
    assert {str(b) for b in gone.superseded} == {str(b) for b in report.added}
    assert sorted(await lines(memory)) == before
    assert await named(memory, "Mr. Holmes") == [("Mr. Holmes", ())]
    again = await memory.merge("Mr. Holmes", "Sherlock Holmes")
    assert again.status in (WriteStatus.ADDED, WriteStatus.REINSTATED)
    assert sorted(await lines(memory)) == merged


async def test_a_split_parts_them_and_retracting_it_joins_them_again(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)
    before = sorted(await lines(memory))
    await memory.merge("Mr. Holmes", "Sherlock Holmes")
    merged = sorted(await lines(memory))
    split = await memory.split("Sherlock Holmes", "Mr. Holmes", reason="Two men.", by="watson")
    assert split.status is WriteStatus.ADDED
    assert sorted(await lines(memory)) == before
    assert (await memory.facts(predicate=SAME_AS)).items == ()
    again = await memory.split("Mr. Holmes", "Sherlock Holmes")
    assert (again.status, again.episode_id, again.added) == (WriteStatus.DUPLICATE, split.episode_id, ())
    await memory.retract(split.episode_id)
    assert sorted(await lines(memory)) == merged


async def test_what_is_told_later_is_about_the_one(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)
    await memory.merge("Mr. Holmes", "Sherlock Holmes")
    report = await memory.assert_fact("Mr. Holmes", "LIVES_IN", "Sussex", valid_from="2024")
    assert [str(b) for b in report.added][-1].endswith("lives in Sussex · 2024 →")
    assert [str(b) for b in (await memory.facts("Sherlock Holmes", "LIVES_IN", during="ever")).items] == [
        "Mr. Holmes lives in London · 2020 → 2024",
        "Mr. Holmes lives in Sussex · 2024 →",
    ]
    await memory.split("Mr. Holmes", "Sherlock Holmes")
    assert await about(memory, "Mr. Holmes") == [
        "Dr. Watson knows Mr. Holmes · 2022 →",
        "Mr. Holmes lives in Sussex · 2024 →",
        "Mr. Holmes works at Scotland Yard · 2021 →",
    ]
    assert "Sherlock Holmes lives in London · 2020 →" in await about(memory, "Sherlock Holmes")


async def test_one_person_has_one_employer_after_a_merge(fresh: Opener) -> None:
    memory = await fresh()
    await memory.assert_fact("Ann", "WORKS_AT", "Acme", valid_from="2020")
    await memory.assert_fact("Annie", "WORKS_AT", "Bolt", valid_from="2022")
    report = await memory.merge("Ann", "Annie")
    held = [str(b) for b in (await memory.facts("Ann", "WORKS_AT", during="ever")).items]
    assert held == ["Ann works at Acme · 2020 → 2022", "Ann works at Bolt · 2022 →"]
    await memory.retract(report.episode_id)
    held = [str(b) for b in (await memory.facts("Ann", "WORKS_AT", during="ever")).items]
    assert held == ["Ann works at Acme · 2020 →"]


async def test_a_fact_that_both_had_is_one_with_two_sources_and_comes_apart_again(fresh: Opener) -> None:
    memory = await fresh()
    for name in ("Ann", "Annie"):
        await memory.assert_fact(name, "LIKES", "Tea", valid_from="2020")
    merge = await memory.merge("Ann", "Annie")
    [belief] = (await memory.facts("Ann", "LIKES")).items
    assert len({claim.episode_id for claim in belief.evidence}) == 2
    await memory.retract(merge.episode_id)
    assert [len(b.evidence) for b in (await memory.facts(predicate="LIKES")).items] == [1, 1]


async def test_two_names_in_one_sentence_come_apart_again(fresh: Opener) -> None:
    """Their claims differ in nothing but the name; as claims of one entity they must stay two."""
    memory = await fresh()
    row = {"predicate": "LIKES", "object": "Tea", "valid_from": "2020"}
    await memory.add_facts([{"subject": "Ann", **row}, {"subject": "Annie", **row}])
    before = await lines(memory)
    merge = await memory.merge("Ann", "Annie")
    await memory.retract(merge.episode_id)
    assert sorted(await lines(memory)) == sorted(before)


async def test_a_split_parts_the_first_from_all_that_join_the_two(fresh: Opener) -> None:
    memory = await fresh()
    for name in ("Ann", "Annie", "Ann Lee", "A. Lee"):
        await memory.assert_fact(name, "LIKES", Value(name), valid_from="2020")
    for a, b in (("Ann", "Annie"), ("Annie", "Ann Lee"), ("Ann", "Ann Lee"), ("Ann", "A. Lee")):
        await memory.merge(a, b)
    assert {name for name, _ in await named(memory, "Ann")} == {name for name, _ in await named(memory, "Ann Lee")}
    assert len(await about(memory, "A. Lee")) == 4
    await memory.split("Ann", "Annie")
    assert len(await about(memory, "Ann")) == 2
    assert await named(memory, "A. Lee") == await named(memory, "Ann")
    assert await named(memory, "Annie") == await named(memory, "Ann Lee") != await named(memory, "Ann")


async def test_a_merge_that_is_there_and_one_with_oneself_change_nothing(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)
    first = await memory.merge("Mr. Holmes", "Sherlock Holmes")
    before = await memory.status()
    again = await memory.merge("Sherlock Holmes", "Mr. Holmes", reason="another")
    assert (again.status, again.episode_id, again.added, again.tx) == (
        WriteStatus.DUPLICATE, first.episode_id, (), None,
    )  # fmt: skip
    alone = await memory.merge("Dr. Watson", "DR. WATSON")
    assert (alone.status, alone.episode_id, alone.added) == (WriteStatus.DUPLICATE, "", ())
    assert await memory.status() == before


async def test_entities_and_ids_will_do_for_names(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)
    fact = (await memory.facts("Mr. Holmes", "WORKS_AT")).items[0].fact
    other = (await memory.facts("Sherlock Holmes", "LIVES_IN")).items[0].fact
    await memory.merge(fact.subject, other.subject.id)
    assert len(await about(memory, "Sherlock Holmes")) == 4
    # The one that is no longer found as it was known before.
    await memory.split(fact.subject, other.subject.id)
    assert len(await about(memory, "Sherlock Holmes")) == 2


async def test_an_actor_is_one_with_a_name(fresh: Opener) -> None:
    memory = await fresh()
    await memory.assert_fact("crm:4711", "NAMED", "Liang", valid_from="2020", subject_kind="Person")
    await memory.assert_fact("Liang", "LIVES_IN", "Berlin", valid_from="2021", subject_kind="Person")
    await memory.merge("crm:4711", "Liang")
    assert len((await memory.facts("crm:4711", "LIVES_IN", "Berlin")).items) == 1
    result = await memory.search("Where do I live?", actor="crm:4711")
    assert "Berlin" in str(result.hits[0])


@pytest.mark.parametrize("wrong", ["Moriarty", "", "  ", "00000000-0000-0000-0000-000000000000", None, 7])
async def test_who_is_nobody_is_refused_and_nothing_changes(fresh: Opener, wrong: object) -> None:
    memory = await fresh()
    await story(memory)
    before = await memory.status()
    for call in (memory.merge, memory.split):
        with pytest.raises((NotFound, Invalid)) as refused:
            await call("Mr. Holmes", wrong)  # type: ignore[arg-type]
        assert "\n" not in str(refused.value)
        with pytest.raises((NotFound, Invalid)):
            await call(wrong, "Mr. Holmes")  # type: ignore[arg-type]
    with pytest.raises(Invalid, match="one name"):
        await memory.split("Mr. Holmes", "MR. HOLMES")
    assert await memory.status() == before


async def test_a_name_that_several_gave_as_theirs_is_refused(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)
    for actor in ("crm:1", "crm:2"):
        await memory.assert_fact(actor, "NAMED", "Mycroft", valid_from="2020")
    with pytest.raises(Invalid, match="'Mycroft' may be 'crm:1', 'crm:2'"):
        await memory.merge("Mycroft", "Mr. Holmes")


async def test_a_system_of_record_may_say_that_two_are_one(fresh: Opener) -> None:
    """Also for somebody whom no fact mentions yet, and in the batch that tells the facts."""
    memory = await fresh()
    rows = [
        {"subject": "Ann", "predicate": SAME_AS, "object": "Annie", "valid_from": "2020"},
        {"subject": "Annie", "predicate": "LIKES", "object": "Tea", "valid_from": "2020"},
        {"subject": "Ann", "predicate": "LIKES", "object": "Tea", "valid_from": "2021"},
    ]
    await memory.add_facts(rows)
    assert len((await memory.facts(predicate="LIKES")).items) == 1
    assert await named(memory, "Ann") == [("Ann", ("Annie",))]
    with pytest.raises(Invalid, match="must be an entity"):
        await memory.assert_fact("Ann", SAME_AS, Value("Anna"), valid_from="2020")


async def test_what_a_text_says_makes_nobody_one(fresh: Opener) -> None:
    memory = await fresh()
    await memory.add(
        said(
            SaidClaim("observation", "Acme", 0, subject="Ann"),
            SaidClaim("observation", "Ann", 0, subject="Root", predicate=SAME_AS),
        ),
        occurred_at=day(0),
    )
    assert await named(memory, "Ann") == [("Ann", ())]
    assert (await memory.facts(predicate=SAME_AS, during="ever")).items == ()


async def test_the_facts_of_the_one_are_found_by_meaning(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)
    await memory.merge("Mr. Holmes", "Sherlock Holmes")
    store = memory._pipeline.store
    assert await store.unembedded(memory.tenant, Target.FACT, "", 10) == []
    assert await store.unembedded(memory.tenant, Target.ENTITY, "", 10) == []
    hits = (await memory.search("Where does Mr. Holmes work?", kinds=["fact"])).hits
    assert "Scotland Yard" in str(hits[0])


async def test_a_correction_after_a_merge_is_about_the_one(fresh: Opener) -> None:
    memory = await fresh()
    await memory.assert_fact("Ann", "WORKS_AT", "Acme Inc", valid_from="2020")
    await memory.assert_fact("Ben", "WORKS_AT", "Bolt", valid_from="2020")
    await memory.assert_fact("Ben", "LIKES", "Acme", valid_from="2020")
    await memory.merge("Acme", "Acme Inc")
    [belief] = (await memory.facts("Ben", "WORKS_AT")).items
    await memory.correct(belief, object="Acme")
    employed = (await memory.facts(predicate="WORKS_AT", object="Acme Inc")).items
    assert sorted(b.fact.subject.name for b in employed) == ["Ann", "Ben"]
    [same] = (await memory.facts(predicate=SAME_AS)).items
    await memory.correct(same, never=True)
    assert [b.fact.subject.name for b in (await memory.facts(predicate="WORKS_AT", object="Acme")).items] == [
        "Ben"
    ]


async def test_tenants_do_not_share_merges(fresh: Opener) -> None:
    clock = StepClock()
    memory = await fresh(clock=clock)
    pipeline = replace(memory._pipeline, tenant=f"{memory.tenant} other")
    other = Memory(pipeline, memory._zone, clock)
    for one in (memory, other):
        await story(one)
    before = await lines(other)
    await memory.merge("Mr. Holmes", "Sherlock Holmes")
    assert await lines(other) == before


async def test_a_replay_says_who_is_the_same(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)
    await memory.merge("Mr. Holmes", "Sherlock Holmes")
    rebuilt = await replay(list(reversed(await log_of(memory))), memory.tenant)
    try:
        assert sorted(await lines(rebuilt)) == sorted(await lines(memory))
        assert await named(rebuilt, "Mr. Holmes") == await named(memory, "Mr. Holmes")
    finally:
        await rebuilt.close()


async def test_a_broken_record_is_refused(fresh: Opener) -> None:
    memory = await fresh()
    await story(memory)
    await memory.merge("Mr. Holmes", "Sherlock Holmes")
    episode = (await log_of(memory))[-1]
    for text in ("no record", "words\n{}", 'words\n{"same": true, "stated_at": "2020-01-01T00:00Z", "pairs": []}'):
        with pytest.raises(Invalid, match="merge or split"):
            read_identity(replace(episode, text=text))
