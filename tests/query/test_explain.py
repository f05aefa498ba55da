import math

from hitherto.kg.store import Target
from hitherto.query.results import EntityHit, EpisodeHit, FactHit
from tests.query.builders import instant
from tests.query.conftest import ViewAt
from tests.query.scribe import JOINED, LEFT, Note, Scribe, write_all


async def test_a_hit_owes_its_score_to_legs_and_factors(scribe: Scribe, at: ViewAt) -> None:
    await write_all(scribe, [JOINED, LEFT])
    await scribe.write("Bob works at Anthropic too.", Note("Bob", "WORKS_AT", "Anthropic"), said="2026-03-03")
    await scribe.write("Who is it?", said="2026-03-04", actor="bob", session="s")
    await scribe.write("Alice, of course.", said="2026-03-04", actor="eve", session="s")
    result = await at().search("Where does Alice work?", limit=50, explain=True)
    assert {type(hit) for hit in result} == {FactHit, EpisodeHit, EntityHit}
    factors = set()
    for hit in result:
        explanation = hit.explanation
        assert explanation is not None
        given = sum(leg.contribution for leg in explanation.legs)
        assert math.isclose(given * math.prod(f.by for f in explanation.factors), hit.score)
        factors |= {factor.why for factor in explanation.factors}
    assert {"about nobody asked about", "names nobody asked about"} <= factors


async def test_a_fact_tells_its_period_and_every_claim(scribe: Scribe, at: ViewAt) -> None:
    joined, left = await write_all(scribe, [JOINED, LEFT])
    result = await at(instant("2024-04-01")).search("Where does Alice work?", kinds="fact", explain=True)
    explanation = result[0].explanation
    assert explanation is not None
    assert explanation.period == "2023-01 (month, stated) → 2026-03-02 (day, stated)"
    assert [(e.episode_id, e.says, e.start) for e in explanation.evidence] == [
        (joined, "dated_beginning", 0),
        (left, "end", 0),
    ]
    assert explanation.evidence[0].quote == JOINED[1]
    assert result.reading is not None
    assert (result.reading.fusion, result.reading.where) == ("scores", "")
    for part in ("fact:answer: rank 1", "confidence 1", JOINED[1], joined):
        assert part in str(explanation)
    assert "words in facts: work" in str(result.reading)


async def test_nothing_is_explained_unless_asked(scribe: Scribe, at: ViewAt) -> None:
    await write_all(scribe, [JOINED])
    plain = await at().search("Where does Alice work?")
    assert plain.reading is None
    assert {hit.explanation for hit in plain} == {None}
    asked = await at().search("Where does Alice work?", explain=True, kinds=[Target.FACT])
    assert [(h.id, h.score) for h in asked] == [(h.id, h.score) for h in plain.facts]
