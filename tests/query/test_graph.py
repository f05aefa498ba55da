import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitherto.kg.model import Value
from hitherto.query.graph import RESTART, Path, followed, pagerank
from hitherto.query.results import FactHit
from tests.query.builders import instant
from tests.query.conftest import ViewAt
from tests.query.scribe import Note, Scribe

NODES = [f"n{i}" for i in range(7)]


def solved(paths: list[Path], seeds: dict[str, float], restart: float) -> dict[str, float]:
    """The shares as the solution of the linear system, not by iteration."""
    nodes = sorted({*seeds, *(side for p in paths for side in p.sides)})
    step = np.zeros((len(nodes), len(nodes)))
    for path in paths:
        one, other = (nodes.index(side) for side in path.sides)
        step[other, one] += path.weight
        if one != other:
            step[one, other] += path.weight
    start = np.array([seeds.get(node, 0.0) for node in nodes]) / sum(seeds.values())
    for column in range(len(nodes)):
        total = step[:, column].sum()
        step[:, column] = step[:, column] / total if total else start
    shares = np.linalg.solve(np.eye(len(nodes)) - (1 - restart) * step, restart * start)
    return dict(zip(nodes, shares.tolist(), strict=True))


paths_of_all_kinds = st.lists(
    st.builds(
        Path,
        st.uuids().map(str),
        st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)),
        st.floats(0.1, 9.0),
    ),
    max_size=15,
)


@given(
    paths_of_all_kinds,
    st.dictionaries(st.sampled_from(NODES), st.floats(0.1, 5.0), min_size=1, max_size=3),
    st.sampled_from([0.15, RESTART, 0.9]),
)
def test_the_shares_are_what_the_linear_system_gives(
    paths: list[Path], seeds: dict[str, float], restart: float
) -> None:
    shares = pagerank(paths, seeds, restart)
    assert shares == pytest.approx(solved(paths, seeds, restart), abs=1e-7)
    assert sum(shares.values()) == pytest.approx(1)


def test_what_is_further_away_weighs_less() -> None:
    chain = [Path(f"f{i}", (NODES[i], NODES[i + 1]), 1.0) for i in range(4)]
    shares = followed(chain, pagerank(chain, {"n0": 1.0}))
    assert sorted(shares, key=lambda id_: -shares[id_]) == ["f0", "f1", "f2", "f3"]


def test_a_heavier_fact_is_followed_more_often() -> None:
    fork = [Path("light", ("n0", "n1"), 1.0), Path("heavy", ("n0", "n2"), 4.0)]
    shares = followed(fork, pagerank(fork, {"n0": 1.0}))
    assert shares["heavy"] == pytest.approx(4 * shares["light"])


def test_without_a_seed_nobody_walks() -> None:
    assert pagerank([Path("f", ("n0", "n1"), 1.0)], {}) == {}


@pytest.fixture
async def firms(scribe: Scribe) -> None:
    for firm, head in (("TechCorp", "Bob"), ("Globex", "Carol"), ("Initech", "Eve")):
        works, leads = Note(head, "WORKS_AT", firm), Note(head, "HAS_ROLE", Value("CEO"))
        await scribe.write(f"{head} is the CEO of {firm}.", works, leads, said="2026-01-02")
    await scribe.write("Alice works at TechCorp.", Note("Alice", "WORKS_AT", "TechCorp"), said="2026-01-03")
    await scribe.write("Alice and Dan are friends.", Note("Alice", "FRIEND_OF", "Dan"), said="2026-01-04")
    await scribe.write("Dan works at Globex.", Note("Dan", "WORKS_AT", "Globex"), said="2026-01-05")


def texts(hits: list[FactHit]) -> list[str]:
    return [hit.belief.fact.text for hit in hits]


async def test_whom_the_graph_leads_to_goes_before_others_like_it(firms: None, at: ViewAt) -> None:
    found = list((await at().search("Who is the CEO of the company where Alice works?")).facts)
    assert texts(found)[:2] == ["Alice works at TechCorp", "Bob is CEO"]
    assert "fact:graph" in {leg.leg for leg in found[1].legs}
    assert not any(leg.leg == "fact:graph" for hit in found for leg in hit.legs if "Eve" in hit.belief.fact.text)


async def test_a_wanted_fact_leads_to_another(firms: None, at: ViewAt) -> None:
    found = list((await at().search("Where does Alice's friend work?")).facts)
    assert texts(found)[:3] == ["Alice is a friend of Dan", "Alice works at TechCorp", "Dan works at Globex"]
    assert "fact:chain" in {leg.leg for leg in found[2].legs}


async def test_a_walk_keeps_to_what_shows_at_both_instants(firms: None, at: ViewAt, scribe: Scribe) -> None:
    question = "Who is the CEO of the company where Alice works?"
    known = await at(instant("2026-01-20")).search(question)
    await scribe.write(
        "Alice has joined Initech.", Note("Alice", "WORKS_AT", "Initech", when="2026-02"), said="2026-02-01"
    )
    again = await at(instant("2026-01-20"), known.known).search(question)
    assert [(h.id, h.score) for h in again] == [(h.id, h.score) for h in known]
    before = await at(instant("2026-01-20")).search(question)
    assert texts(list(before.facts))[1] == "Bob is CEO"
    assert texts(list((await at().search(question)).facts))[1] == "Eve is CEO"


async def test_what_was_said_of_whom_the_graph_leads_to_is_found(firms: None, at: ViewAt) -> None:
    found = (await at().search("Who leads the company where Alice works?", kinds=["episode"])).episodes
    by_text = {hit.episode.text: {leg.leg for leg in hit.legs} for hit in found}
    assert "episode:graph" in by_text["Bob is the CEO of TechCorp."]


async def test_a_question_without_a_name_begins_at_the_best_facts(firms: None, at: ViewAt) -> None:
    result = await at().search("whose friends?")
    assert result.question.entities == ()
    found = {hit.belief.fact.text: {leg.leg for leg in hit.legs} for hit in result.facts}
    assert "fact:graph" in found["Dan works at Globex"]
