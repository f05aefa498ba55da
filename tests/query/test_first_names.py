"""A first name alone, and the full name said in other messages: read as one while it is one's, on every store."""

from __future__ import annotations

from itertools import permutations

import pytest

from hitherto import Memory, NotFound
from hitherto.query.results import FactHit
from tests.promises.conftest import Opener, fresh
from tests.support import rules

__all__ = ["fresh"]

SHARMA, BERLIN = "Priya Sharma works at Contoso.", "Priya moved to Berlin."
PATEL = "Priya Patel works at Globex."


@pytest.fixture(params=["memory", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def told(fresh: Opener, *texts: str, actor: str = "liang") -> Memory:
    memory = await fresh(extractor=rules())
    for place, text in enumerate(texts):
        await memory.add(text, occurred_at=f"2024-01-{place + 1:02}", actor=actor, id=text)
    return memory


async def held(memory: Memory, name: str) -> list[str]:
    return sorted(b.fact.text for b in (await memory.facts(name)).items)


async def found(memory: Memory, question: str) -> str:
    return next(hit.belief.fact.text for hit in await memory.search(question) if isinstance(hit, FactHit))


@pytest.mark.parametrize("title", ["Captain", "Uncle", "King", "Van"])
async def test_a_title_is_no_first_name(fresh: Opener, title: str) -> None:
    memory = await told(fresh, f"{title} Smith works at Acme.", f"{title} moved to Rome.")
    assert "Rome" not in " ".join(await held(memory, f"{title} Smith"))


async def test_a_place_is_not_somebody_by_first_name(fresh: Opener) -> None:
    memory = await told(fresh, "Georgia Smith works at Acme.", "Bob lives in Georgia.")
    assert (await memory.facts(object="Georgia Smith")).items == ()


@pytest.mark.parametrize("texts", list(permutations([SHARMA, BERLIN])))
async def test_either_name_sees_both_and_a_question_says_so(fresh: Opener, texts: tuple[str, ...]) -> None:
    memory = await told(fresh, *texts)
    both = ["Priya Sharma works at Contoso", "Priya lives in Berlin"]
    for name in ("Priya", "priya", "Priya Sharma"):
        assert await held(memory, name) == both
        assert len((await memory.timeline(name)).items) == len((await memory.at().changes(entity=name)).items) == 2
    assert await found(memory, "Where does Priya work?") == both[0]
    assert await found(memory, "Where does Priya Sharma live?") == both[1]
    assert await found(memory, "where does priya work?") == both[0]
    asked = (await memory.search("Where does Priya work?")).question
    assert [e.name for e in asked.entities] == ["Priya", "Priya Sharma"]
    assert [e.name for e in asked.by_first_name] == ["Priya Sharma"]
    asked = (await memory.search("Where does Priya Sharma live?")).question
    assert [e.name for e in asked.by_first_name] == ["Priya"]
    block = (await memory.context("Prepare the call with Priya")).text
    assert "Contoso" in block and "Berlin" in block
    assert (await memory.at().entity("Priya")).name == "Priya"
    assert [str(d) for d in await memory.duplicates()] != []


@pytest.mark.parametrize("texts", list(permutations([SHARMA, BERLIN, PATEL])))
async def test_a_second_one_of_the_name_parts_them_in_any_order(fresh: Opener, texts: tuple[str, ...]) -> None:
    memory = await told(fresh, *texts)
    assert await held(memory, "Priya") == ["Priya lives in Berlin"]
    assert await held(memory, "Priya Sharma") == ["Priya Sharma works at Contoso"]
    assert (await memory.search("Where does Priya work?")).question.by_first_name == ()
    known = (await memory.status()).last_commit
    await memory.retract(PATEL)
    assert len(await held(memory, "Priya")) == len(await held(memory, "Priya Sharma")) == 2
    assert len((await memory.at(known=known).facts("Priya")).items) == 1


async def test_who_is_known_only_in_full_is_found_by_the_first_name(fresh: Opener) -> None:
    memory = await told(fresh, SHARMA)
    assert await held(memory, "Priya") == ["Priya Sharma works at Contoso"]
    assert (await memory.at().entity("priya")).name == "Priya Sharma"
    assert await found(memory, "Where does Priya work?") == "Priya Sharma works at Contoso"
    with pytest.raises(NotFound):
        await memory.merge("Priya", "Priya Sharma")
    with pytest.raises(NotFound):
        await memory.at().entity("Sharma")


async def test_a_split_parts_them_and_a_merge_makes_them_one(fresh: Opener) -> None:
    memory = await told(fresh, SHARMA, BERLIN)
    split = await memory.split("Priya", "Priya Sharma")
    assert await held(memory, "Priya") == ["Priya lives in Berlin"]
    assert await held(memory, "Priya Sharma") == ["Priya Sharma works at Contoso"]
    await memory.retract(split.episode_id)
    assert len(await held(memory, "Priya")) == 2
    await memory.merge("Priya", "Priya Sharma")
    await memory.add(PATEL, occurred_at="2024-02-01", actor="liang")
    both = (await memory.facts("Priya Sharma")).items
    assert len(both) == len({b.fact.subject.id for b in both}) + 1 == 2


async def test_a_name_that_is_somebody_s_own_means_them(fresh: Opener) -> None:
    """An actor's, what another actor gave as theirs, and what is no person."""
    memory = await told(fresh, "I moved to Berlin.", actor="priya")
    await memory.add(SHARMA, occurred_at="2024-02-01", actor="liang")
    assert await held(memory, "priya") == ["priya lives in Berlin"]
    assert await held(memory, "Priya Sharma") == ["Priya Sharma works at Contoso"]

    memory = await told(fresh, SHARMA, BERLIN)
    named = await memory.add("My name is Priya Patel.", occurred_at="2024-02-01", actor="crm:9")
    assert await held(memory, "Priya") == ["Priya lives in Berlin"]
    await memory.retract(named.episode_id)
    assert len(await held(memory, "Priya")) == 2

    memory = await told(fresh)
    await memory.assert_fact("Sydney Chen", "WORKS_AT", "Contoso", valid_from="2020")
    await memory.assert_fact("Bob", "LIVES_IN", "Sydney", valid_from="2020")
    assert await held(memory, "Sydney Chen") == ["Sydney Chen works at Contoso"]
    asked = (await memory.search("Who lives in Sydney?")).question
    assert [e.kind for e in asked.entities] == ["Place"]
