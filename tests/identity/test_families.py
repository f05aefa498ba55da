"""One name of a skill and of something else: two entities, whatever came first, on every store."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hitherto import Invalid, Memory
from hitherto.kg.ids import entity_id, family
from hitherto.kg.model import Mention
from hitherto.kg.ontology import Ontology, Predicate
from hitherto.query.results import FactHit
from tests.promises.conftest import Opener, believed
from tests.support import rules

SKILLS = ("Skill", "skill", "Language", "programming language", "ProgrammingLanguage")
OTHERS = ("Place", "Person", "Organization", "Animal", "Product", "Topic", "Thing")


def test_only_the_family_of_a_kind_counts() -> None:
    assert len({entity_id("t", "Java", kind) for kind in SKILLS}) == 1
    assert {entity_id("t", "JAVA", kind) for kind in OTHERS} == {entity_id("t", "Java")}
    assert entity_id("t", "Java", "Skill") != entity_id("t", "Java")
    assert [family(kind) for kind in ("Skill", "Skills shop", "")] == ["skill", "", ""]


_TOLD = st.tuples(
    st.sampled_from(["Ann", "Ben"]),
    st.sampled_from(["Java", "JAVA", "Python"]),
    st.sampled_from([*SKILLS, *OTHERS]),
    st.sampled_from([2020, 2021, 2022]),
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(_TOLD, min_size=2, max_size=6, unique=True), data=st.data())
@pytest.mark.parametrize("kind", ["memory"], indirect=True)
async def test_one_family_is_one_entity_and_two_are_two_in_any_order(
    fresh: Opener, rows: list[tuple[str, str, str, int]], data: st.DataObject
) -> None:
    seen = []
    for order in (rows, data.draw(st.permutations(rows))):
        memory = await fresh()
        for subject, name, kind, year in order:
            await memory.assert_fact(subject, "KNOWS_OF", name, valid_from=f"{year}", object_kind=kind)
        seen.append(await believed(memory))
        for name in ("java", "python"):
            entities = {b.fact.object for b in (await memory.facts(object=name, during="ever", limit=1000)).items}
            meant = {family(kind) for _, said, kind, _ in rows if said.casefold() == name}
            assert len({e.id for e in entities}) == len(entities) == len(meant)  # type: ignore[union-attr]
    assert seen[0] == seen[1]


async def java(memory: Memory) -> None:
    await memory.assert_fact("Ann", "HAS_SKILL", "Java", valid_from="2020", object_kind="Skill")
    await memory.assert_fact("Ben", "LIVES_IN", "Java", valid_from="2021")
    await memory.assert_fact("Cem", "HEARD_OF", "Java", valid_from="2022")


async def test_a_name_finds_both_and_neither_has_the_facts_of_the_other(fresh: Opener) -> None:
    memory = await fresh()
    await java(memory)
    skill, island = [(await memory.facts(name)).items[0].fact.object for name in ("Ann", "Ben")]
    assert (skill.name, skill.kind, skill.aliases) == ("Java", "Skill", ())  # type: ignore[union-attr]
    assert (island.name, island.kind, island.aliases) == ("Java", "Place", ())  # type: ignore[union-attr]
    assert len((await memory.facts(object="Java")).items) == 3
    assert len((await memory.timeline("java")).items) == 3
    assert len((await memory.at().changes(entity="Java")).items) == 3
    assert await memory.at().entity("Java") == island
    assert [b.fact.subject.name for b in (await memory.facts(predicate="HAS_SKILL", object="Java")).items] == [
        "Ann"
    ]
    assert await memory.duplicates() == []
    assert (await memory.status()).entities == 5


async def test_who_is_merged_or_parted_is_said_by_id_where_the_name_is_of_two(fresh: Opener) -> None:
    memory = await fresh()
    await java(memory)
    await memory.assert_fact("Dee", "HAS_SKILL", "Java SE", valid_from="2020", object_kind="Skill")
    before = await believed(memory)
    skill, island = [(await memory.facts(name)).items[0].fact.object for name in ("Ann", "Ben")]
    with pytest.raises(Invalid, match=r"'Java' is the name of a .* with the id .* and a .*; give the id"):
        await memory.merge("Java SE", "Java")
    await memory.merge("Java SE", skill.id)  # type: ignore[union-attr]
    assert {b.fact.subject.name for b in (await memory.facts(object="Java SE")).items} >= {"Ann", "Dee"}
    assert [b.fact.object for b in (await memory.facts("Ben")).items] == [island]
    await memory.split("Java SE", skill.id)  # type: ignore[union-attr]
    both = await memory.merge(skill, island)  # type: ignore[arg-type]
    assert len({b.fact.object for b in (await memory.facts(object="Java")).items}) == 1
    await memory.assert_fact("Eli", "HAS_SKILL", "Java", valid_from="2023", object_kind="Skill")
    assert len({b.fact.object for b in (await memory.facts(object="Java")).items}) == 1
    part = await memory.split(skill.id, island.id)  # type: ignore[union-attr]
    assert [str(b.fact) for b in part.added] != [] and part.superseded != ()
    assert {b.fact.subject.name for b in (await memory.facts(object="Java")).items} == {"Ann", "Ben", "Cem", "Eli"}
    assert (await memory.facts("Ben")).items[0].fact.object == island
    assert [row for row in await believed(memory) if "Eli" not in row[0] and "same" not in row[0]] == before
    await memory.retract(both.episode_id)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_who_knows_java_is_about_the_skill(fresh: Opener, order: tuple[int, int]) -> None:
    memory = await fresh(extractor=rules())
    texts = ("I know Java.", "Bob lives in Java.")
    for place in order:
        await memory.add(texts[place], occurred_at="2024-01-01", actor="liang")
    for question, answer in (("Who knows Java?", "liang knows Java"), ("Who lives in Java?", "Bob lives in Java")):
        result = await memory.search(question)
        hits = [hit.belief.fact.text for hit in result if isinstance(hit, FactHit)]
        assert hits[0] == answer
        assert len({e.id for e in result.question.entities}) == 2


async def test_a_predicate_says_what_is_a_skill(fresh: Opener) -> None:
    """Who gives no kind means what the ontology wants there."""
    wants = Predicate(name="CODES_IN", object="Language", subject="Person")
    memory = await fresh(ontology=Ontology.starter().extended([wants]))
    await memory.add_facts(
        {"subject": name, "predicate": "CODES_IN", "object": "Swift", "valid_from": "2020"}
        for name in ("Ann", "Ben")
    )
    await memory.assert_fact("Ann", "WORKS_AT", "Swift", valid_from="2020")
    assert len({b.fact.object for b in (await memory.facts(object="Swift")).items}) == 2


async def test_a_correction_to_a_skill_is_about_the_skill(fresh: Opener) -> None:
    wants = Predicate(name="CODES_IN", object="Skill", subject="Person")
    memory = await fresh(ontology=Ontology.starter().extended([wants]))
    await memory.assert_fact("Ann", "LIVES_IN", "Java", valid_from="2019")
    await memory.assert_fact("Ann", "CODES_IN", "Rust", valid_from="2020")
    await memory.assert_fact("Ben", "CODES_IN", "Java", valid_from="2020")
    [rust] = (await memory.facts("Ann", "CODES_IN")).items
    await memory.correct(rust, object="Java")
    held = (await memory.facts(predicate="CODES_IN")).items
    assert len({b.fact.object for b in held}) == 1 and len(held) == 2


async def test_what_an_older_version_put_together_parts_when_the_skill_is_told_of_again(
    fresh: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = await fresh()
    with monkeypatch.context() as older:
        for module in ("hitherto.kg.preparation", "hitherto.kg.identity"):
            older.setattr(f"{module}.entity_id", lambda tenant, name, kind="": entity_id(tenant, name))
            older.setattr(f"{module}.family", lambda kind: "")
        await java(memory)
        await memory.assert_fact("Dee", "HAS_SKILL", "Java", valid_from="2019", object_kind="Skill")
    assert len({b.fact.object for b in (await memory.facts(object="Java")).items}) == 1
    old = (await memory.status()).last_commit
    await memory.assert_fact("Ann", "HAS_SKILL", "Java", valid_to="2024", object_kind="Skill", stated_at="2024")
    assert {b.fact.subject.name for b in (await memory.at("2026").facts(object="Java")).items} == {
        "Ben",
        "Cem",
        "Dee",
    }
    parted = {b.fact.subject.name: b.fact.object.id for b in (await memory.at("2023").facts(object="Java")).items}  # type: ignore[union-attr]
    assert parted["Ann"] == parted["Dee"] != parted["Ben"] == parted["Cem"]
    assert len({b.fact.object for b in (await memory.at(known=old).facts(object="Java")).items}) == 1
    assert parted["Ann"] == entity_id(memory.tenant, "java", "Skill")
    assert Mention("Java", "Skill") in {c.object for b in (await memory.facts("Dee")).items for c in b.evidence}
