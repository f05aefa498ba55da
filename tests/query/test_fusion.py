from random import Random

from hypothesis import given
from hypothesis import strategies as st

from hitherto.kg.store import Match, Target
from hitherto.query.fusion import Leg, fuse


def leg(name: str, *ids: str, weight: float = 1.0, target: Target = Target.FACT) -> Leg:
    return Leg(name, target, weight, tuple(Match(id_, 1.0 / n) for n, id_ in enumerate(ids, start=1)))


def test_found_by_two_legs_beats_found_first_by_one() -> None:
    assert [f.id for f in fuse([leg("a", "x", "y"), leg("b", "z", "y")])] == ["y", "x", "z"]


def test_the_score_is_the_sum_of_reciprocal_ranks() -> None:
    fused = fuse([leg("a", "x", "y", weight=2.0), leg("b", "y")])
    assert {f.id: f.score for f in fused} == {"x": 2 / 21, "y": 2 / 22 + 1 / 21}


def test_why_is_told_per_leg() -> None:
    fused = fuse([leg("b", "x", "y"), leg("a", "y")])
    assert [(r.leg, r.rank, r.score) for r in fused[0].legs] == [("a", 1, 1.0), ("b", 2, 0.5)]


def test_equal_scores_are_facts_then_episodes_then_entities_then_ids() -> None:
    legs = [
        leg("e", "b", target=Target.ENTITY),
        leg("p", "c", target=Target.EPISODE),
        leg("g", "z"),
        leg("f", "d"),
    ]
    assert [f.id for f in fuse(legs)] == ["d", "z", "c", "b"]


def test_a_leg_counts_an_id_once_at_its_best_rank() -> None:
    fused = fuse([leg("a", "x", "y", "x", "z")])
    assert [(f.id, f.legs[0].rank) for f in fused] == [("x", 1), ("y", 2), ("z", 3)]


def test_the_same_id_of_another_kind_is_another_thing() -> None:
    fused = fuse([leg("a", "x"), leg("b", "x", target=Target.EPISODE)])
    assert [(f.target, f.id) for f in fused] == [(Target.FACT, "x"), (Target.EPISODE, "x")]


@given(st.lists(st.lists(st.sampled_from("abcdefg"), max_size=7), max_size=5), st.randoms())
def test_the_order_of_the_legs_means_nothing(rankings: list[list[str]], random: Random) -> None:
    legs = [leg(str(n), *ids) for n, ids in enumerate(rankings)]
    shuffled = legs[:]
    random.shuffle(shuffled)
    assert fuse(shuffled) == fuse(legs)
