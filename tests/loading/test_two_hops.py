"""What is some facts away from whom a question names is found on every store, and alike."""

from hitherto import Memory
from tests.loading.conftest import Opener


async def told(memory: Memory) -> Memory:
    for who, firm, head in (("Alice", "TechCorp", "Bob"), ("Dan", "Globex", "Carol"), ("Fay", "Initech", "Eve")):
        await memory.assert_fact(who, "WORKS_AT", firm, valid_from="2024", source="hr")
        await memory.assert_fact(head, "CEO_OF", firm, valid_from="2025", source="hr")
    await memory.assert_fact("Zed", "CEO_OF", "TechCorp", valid_from="2020", valid_to="2024", source="hr")
    return memory


async def test_the_head_of_the_company_where_somebody_works(opened: Opener) -> None:
    memory = await told(await opened())
    found = (await memory.at(valid="2026").search("Who is the CEO of the company where Alice works?")).facts
    assert [hit.belief.fact.subject.name for hit in found[:2]] == ["Alice", "Bob"], [str(hit) for hit in found]
    before = (await memory.at(valid="2023").search("Who is the CEO of the company where Alice works?")).facts
    assert "Bob" not in {hit.belief.fact.subject.name for hit in before}


async def test_both_stores_walk_alike(opened: Opener) -> None:
    memory = await told(await opened())
    twin = await told(await opened(like=memory))
    for question in ("Who is the CEO of the company where Alice works?", "Which company does Carol lead?", "Fay?"):
        one, other = [await m.at(valid="2026").search(question, limit=20) for m in (memory, twin)]
        assert [(h.id, round(h.score, 6)) for h in one] == [(h.id, round(h.score, 6)) for h in other]
