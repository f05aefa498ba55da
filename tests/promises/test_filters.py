"""A filter loses nothing: what it lets through is what a search for everything has and a plain check accepts."""

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from hitherto import Belief, Episode, Invalid, Memory, Where
from hitherto.kg.model import Entity
from hitherto.query.filters import Filter
from hitherto.query.results import EntityHit, EpisodeHit, FactHit, Hit
from hitherto.temporal.instants import parse_instant
from tests.promises.conftest import Opener
from tests.support import SaidClaim, day, said

EVERYTHING = 1_000
_PREDICATES = ("WORKS_AT", "LIKES", "KNOWS", "VISITED")


async def filled(fresh: Opener) -> Memory:
    """Forty messages of four speakers in five sessions."""
    memory = await fresh()
    items = []
    for n in range(40):
        claim = SaidClaim(
            "extent" if n % 3 == 0 else "dated_beginning", f"Place {n % 17}", n * 3,
            n * 3 + 40 if n % 3 == 0 else None,
            subject=f"Person {n % 13}", predicate=_PREDICATES[n % 4], confidence=0.9 if n % 2 else 0.6,
        )  # fmt: skip
        items.append(
            {
                "content": said(claim),
                "occurred_at": day(n * 3),
                "actor": f"actor {n % 4}",
                "session": f"session {n % 5}",
                "source": "crm" if n % 7 == 0 else "chat",
                "metadata": {"channel": "mail" if n % 6 == 0 else "phone", "tags": ["vip"] if n % 9 == 0 else []},
            }
        )
    await memory.add_many(items)
    return memory


@dataclass(frozen=True)
class Check:
    """One plain condition, told by what was written."""

    claim: Callable[[SaidClaim], bool]
    episode: Callable[[Episode], bool]
    belief: Callable[[Belief], bool]
    claims_only: bool = False
    """It is about what an episode claims, not about the episode."""


def any_of(_: object) -> bool:
    return True


def about(name: str) -> Callable[[Belief], bool]:
    return lambda b: name in [side.name for side in (b.fact.subject, b.fact.object) if isinstance(side, Entity)]


SPRING = (parse_instant("2024-03-01", zone=day(0).tzinfo), parse_instant("2024-05-01", zone=day(0).tzinfo))  # type: ignore[arg-type]


def in_spring(belief: Belief) -> bool:
    start, end = belief.valid_from, belief.valid_to
    return (start is None or start.at < SPRING[1]) and (end is None or end.at > SPRING[0])


CHECKS: dict[Filter, Check] = {
    Where(predicates="VISITED"): Check(
        lambda c: c.predicate == "VISITED", any_of, lambda b: b.fact.predicate == "VISITED", True
    ),
    Where(predicates=["WORKS_AT", "LIKES"], entities="Person 3"): Check(
        lambda c: c.predicate in ("WORKS_AT", "LIKES") and c.subject == "Person 3",
        any_of,
        lambda b: b.fact.predicate in ("WORKS_AT", "LIKES") and about("Person 3")(b),
        True,
    ),
    Where(entities=["Place 5", "Person 1"]): Check(
        lambda c: c.object == "Place 5" or c.subject == "Person 1",
        any_of,
        lambda b: about("Place 5")(b) or about("Person 1")(b),
        True,
    ),
    Where(actors="actor 2"): Check(any_of, lambda e: e.actor == "actor 2", any_of),
    Where(sessions=["session 4"], sources="crm"): Check(
        any_of, lambda e: e.session == "session 4" and e.source == "crm", any_of
    ),
    Where(metadata={"channel": "mail"}): Check(any_of, lambda e: e.metadata["channel"] == "mail", any_of),
    Where(metadata={"tags": "vip"}): Check(any_of, lambda e: e.metadata["tags"] == ["vip"], any_of),
    Where(during="2024-03 to 2024-04"): Check(any_of, lambda e: SPRING[0] <= e.occurred_at < SPRING[1], in_spring),
    Where(min_confidence=0.8): Check(any_of, any_of, lambda b: b.confidence >= 0.8),
}


@dataclass(frozen=True)
class Oracle:
    episodes: dict[str, Episode]
    beliefs: list[Belief]

    def holds(self, filter_: Filter, hit: Hit) -> bool:
        if isinstance(filter_, Where):
            return self.meets(filter_, hit)
        parts = getattr(filter_, "parts", None)
        if parts is None:
            return not self.holds(filter_.part, hit)  # type: ignore[union-attr]
        answers = [self.holds(part, hit) for part in parts]
        return all(answers) if type(filter_).__name__ == "AllOf" else any(answers)

    def meets(self, where: Where, hit: Hit) -> bool:
        check = CHECKS[where]
        if isinstance(hit, FactHit):
            return self.tells(check, where, hit.belief)
        if isinstance(hit, EpisodeHit):
            claims = [SaidClaim(**json.loads(line)) for line in hit.episode.text.split("\n")]
            return check.episode(hit.episode) and any(map(check.claim, claims))
        assert isinstance(hit, EntityHit)
        name = hit.entity.name
        if where.entities is not None and name not in where.entities:
            return False
        if where.entities is not None and where.predicates is None:
            return True
        return any(
            self.tells(check, where, b, whole=where.entities is None) for b in self.beliefs if about(name)(b)
        )

    def tells(self, check: Check, where: Where, belief: Belief, *, whole: bool = True) -> bool:
        told = [c for c in belief.evidence if c.says not in ("end", "denial")] or belief.evidence
        ok = check.belief(belief) if whole else belief.fact.predicate in (where.predicates or ())
        # A message's own time, unlike its speaker, says nothing about when a fact held.
        return ok and (where.during is not None or any(check.episode(self.episodes[c.episode_id]) for c in told))


A, B, C, D, E, F, G, H, SURE = CHECKS
MIXED: list[Filter] = [B | E, ~(A | D) & SURE, (F | G) & ~H, A & ~A & C]
"""Every condition is in one of them."""


async def test_what_passes_is_what_everything_has_that_a_check_accepts(fresh: Opener, kind: str) -> None:
    memory = await filled(fresh)
    view, question = memory.at(), "Person WORKS_AT LIKES Place mentioned"
    episodes = {e.id: e for e in (await view.episodes(limit=EVERYTHING)).items}
    oracle = Oracle(episodes, list((await view.facts(during="ever", limit=EVERYTHING)).items))
    whole = await view.search(question, limit=EVERYTHING, during="ever")
    assert {len(whole.facts) > 35, len(whole.episodes), len(whole.entities)} == {True, 40, 30}
    for filter_ in [*CHECKS, *MIXED] if kind == "memory" else MIXED:
        wanted = [hit.id for hit in whole if oracle.holds(filter_, hit)]
        found = await view.search(question, limit=EVERYTHING, during="ever", where=filter_)
        assert [hit.id for hit in found] == wanted, str(filter_)
        few = await view.search(question, limit=2, during="ever", where=filter_, kinds=["fact"])
        facts = [hit.id for hit in whole.facts if hit.id in wanted]
        assert len(few) == min(2, len(facts)), str(filter_)
        assert {hit.id for hit in few} <= set(facts), str(filter_)


async def test_times_of_the_caller_and_of_the_filter(fresh: Opener) -> None:
    memory = await fresh()
    held = SaidClaim("extent", "Rome", 0, 50), SaidClaim("dated_beginning", "Oslo", 400)
    await memory.add(said(*held), occurred_at=day(500))

    async def places(**options: object) -> list[str]:
        found = await memory.search("Where does Ann work in 2019?", kinds=["fact"], **options)  # type: ignore[arg-type]
        return sorted(hit.belief.fact.text.split()[-1] for hit in found.facts)

    assert await places(during="2024-01") == await places(during=("2023", "2024-02")) == ["Rome"]
    assert await places(during="2024-01 to 2025-12") == await places(during="ever") == ["Oslo", "Rome"]
    assert await places(where=Where(during="2025..2026")) == ["Oslo"]
    assert await places(where={"not": {"during": "2024-01"}}) == ["Oslo"]
    assert await places(during="2023") == await places(where=Where(entities="nobody")) == []
    assert not await memory.at("2024-01-05").search("Ann", where=Where(during="2026"), kinds=["fact"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"where": {"predicates": "works at"}}, "SCREAMING_SNAKE"),
        ({"where": {"during": "soonish"}}, "during: 'soonish' is not a date"),
        ({"during": "2024-03 to 2023"}, "nothing lies between"),
        ({"during": 7}, "during"),
        ({"where": {"predicate": "WORKS_AT"}}, "did you mean 'predicates'"),
        (
            {"where": {"predicates": ["LIKES", "WORK_AT"]}},
            "no fact has the predicate 'WORK_AT'; did you mean 'WORKS_AT'",
        ),
        ({"where": {"not": {"predicates": "EMPLOY"}}}, "did you mean 'EMPLOYS'"),
        ({"where": {"entity_kinds": "Persn"}}, "nothing of the kind 'Persn'; did you mean 'Person'"),
    ],
)
async def test_wrong_conditions_are_refused(fresh: Opener, options: dict[str, object], message: str) -> None:
    memory = await fresh()
    with pytest.raises(Invalid, match=message):
        await memory.search("Where does Ann work?", **options)  # type: ignore[arg-type]


async def test_what_is_unknown_but_no_slip_finds_nothing_and_what_exists_is_found(fresh: Opener) -> None:
    memory = await fresh()

    async def found(**conditions: str) -> list[str]:
        hits = await memory.search("Ann", where=Where(**conditions), kinds=["fact"])  # type: ignore[arg-type]
        return [hit.belief.fact.predicate for hit in hits.facts]

    assert await found(predicates="OWNS_BOAT") == await found(entity_kinds="Boat") == []
    with pytest.raises(Invalid, match="did you mean 'WORKS_AT'"):
        await found(predicates="WORKED_AT")
    await memory.assert_fact("Ann", "WORKED_AT", "Rome", valid_from="2024-01", subject_kind="Persona")
    assert await found(predicates="WORKED_AT") == await found(entity_kinds="Persona") == ["WORKED_AT"]
    assert await found(entity_kinds="persona") == ["WORKED_AT"]
