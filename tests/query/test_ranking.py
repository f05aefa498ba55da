from dataclasses import replace

from hitherto.kg.model import Belief, Claim, Episode, Fact, Role, Turn, Value
from hitherto.kg.store import Match
from hitherto.query.legs import MIN_SIMILARITY, rank_facts, settled
from hitherto.query.people import mentioned, speakers
from hitherto.query.ranking import rank_hits
from hitherto.query.results import EntityHit, EpisodeHit, FactHit, Hit
from tests.query.builders import belief, claim, entity, fact, instant

ALICE, BOB = entity("Alice"), entity("Bob")


def ranked(entities: list[str], predicates: list[str], *facts: Fact) -> list[str]:
    rows = [belief(f, ("2020", None), ("2026-01-01", None)) for f in facts]
    return [m.id for m in rank_facts(rows, [entity(e) for e in entities], predicates)]


def test_a_fact_about_both_named_comes_first() -> None:
    one, both = fact("Alice", "WORKS_AT", "Anthropic"), fact("Alice", "WORKS_AT", "TechCorp")
    assert ranked(["Alice", "TechCorp"], [], one, both) == [both.id, one.id]


def test_the_likelier_entity_and_then_the_likelier_predicate() -> None:
    role, work, bobs = (
        fact("Alice", "HAS_ROLE", Value("engineer")),
        fact("Alice", "WORKS_AT", "TechCorp"),
        fact("Bob", "WORKS_AT", "TechCorp"),
    )
    assert ranked(["Alice", "Bob"], ["WORKS_AT"], bobs, role, work) == [work.id, role.id, bobs.id]


def test_then_the_period_that_began_last_and_unknown_beginnings_at_the_end() -> None:
    facts = [fact("Alice", "LIKES", name) for name in ("tea", "milk", "water")]
    starts = ["2019", "2024", None]
    rows = [belief(f, (start, None), ("2026-01-01", None)) for f, start in zip(facts, starts, strict=True)]
    assert [m.id for m in rank_facts(rows, [ALICE], [])] == [facts[1].id, facts[0].id, facts[2].id]


def test_people_are_mentioned_in_the_order_of_their_last_quote() -> None:
    first, second = fact("Alice", "FRIEND_OF", "TechCorp"), fact("Bob", "FRIEND_OF", "TechCorp")
    rows = [
        _quoted(first, (claim(first, "2026-01-01", quote_end=9), claim(first, "2026-02-01", quote_end=99))),
        _quoted(second, (claim(second, "2026-01-01", quote_end=40),)),
    ]
    assert mentioned("episode 2026-01-01", rows) == [BOB, ALICE]
    assert mentioned("episode 2026-02-01", rows) == [ALICE]


def _quoted(of: Fact, evidence: tuple[Claim, ...]) -> Belief:
    return replace(belief(of, ("2020", None), ("2026-01-01", None)), evidence=evidence)


def test_speakers_are_the_users_last_first() -> None:
    at = instant("2026-03-02")
    turns = (
        Turn(0, 1, at, Role.USER, "ann"),
        Turn(1, 2, at, Role.USER, "ben"),
        Turn(2, 3, at, Role.ASSISTANT, "bot"),
        Turn(3, 4, at, Role.USER, "ann"),
    )
    assert speakers(Episode(id="e", text="abcd", occurred_at=at, turns=turns)) == ["ann", "ben"]


def test_a_turn_without_an_actor_is_the_episodes() -> None:
    at = instant("2026-03-02")
    episode = Episode(id="e", text="a", occurred_at=at, turns=(Turn(0, 1, at),), actor="liang")
    assert speakers(episode) == ["liang"]


def test_chance_and_float_noise_are_left_out() -> None:
    found = [Match("b", 0.7000000001), Match("a", 0.7), Match("c", MIN_SIMILARITY - 0.01)]
    assert settled(found) == [Match("a", 0.7), Match("b", 0.7)]


def fact_hit(of: Fact, score: float) -> FactHit:
    return FactHit(belief=belief(of, ("2020", None), ("2026-01-01", None)), score=score, legs=(), dates="")


def episode_hit(text: str, actor: str | None, score: float) -> EpisodeHit:
    at = instant("2026-03-02")
    episode = Episode(id=text, text=text, occurred_at=at, turns=(Turn(0, len(text), at, actor=actor),))
    return EpisodeHit(episode=episode, score=score, legs=(), dates="")


def order(*hits: Hit, about: tuple[str, ...]) -> list[tuple[str, float]]:
    return [(h.id, h.score) for h in rank_hits(hits, [entity(name) for name in about])]


def test_a_fact_about_somebody_else_is_weaker() -> None:
    alices, bobs = fact_hit(fact("Alice", "LIKES", "tea"), 0.6), fact_hit(fact("Bob", "LIKES", "tea"), 1.0)
    assert order(bobs, alices, about=("Alice",)) == [(alices.id, 0.6), (bobs.id, 0.5)]
    assert order(bobs, alices, about=("tea",)) == [(bobs.id, 1.0), (alices.id, 0.6)]
    assert order(alices, bobs, about=()) == [(bobs.id, 1.0), (alices.id, 0.6)]


def test_equal_hits_are_facts_then_episodes_then_entities() -> None:
    hits: list[Hit] = [
        EntityHit(entity=ALICE, score=1.0, legs=()),
        episode_hit("Alice", None, 1.0),
        fact_hit(fact("Alice", "LIKES", "tea"), 1.0),
    ]
    assert [h.id for h in rank_hits(hits, [ALICE])] == [h.id for h in reversed(hits)]
