from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitherto.kg.store import Match, Target
from hitherto.query.fusion import Fusion, Leg, fuse


def leg(name: str, *ids: str, weight: float = 1.0, target: Target = Target.FACT) -> Leg:
    return Leg(name, target, weight, tuple(Match(id_, 1.0 / n) for n, id_ in enumerate(ids, start=1)))


def test_found_by_two_legs_beats_found_first_by_one() -> None:
    legs = [leg("a", "x", "y"), leg("b", "z", "y")]
    assert [f.id for f in fuse(legs, Fusion.RANKS)] == ["y", "x", "z"]


def test_the_score_is_the_sum_of_reciprocal_ranks() -> None:
    fused = fuse([leg("a", "x", "y", weight=2.0), leg("b", "y")], Fusion.RANKS)
    assert {f.id: f.score for f in fused} == {"x": 2 / 21, "y": 2 / 22 + 1 / 21}


def test_by_scores_each_counts_as_a_share_of_its_legs_best() -> None:
    strong = Leg("a", Target.FACT, 1.0, (Match("x", 8.0), Match("y", 2.0)))
    weak = Leg("b", Target.FACT, 0.5, (Match("y", 0.2), Match("z", 0.1)))
    fused = {f.id: f.score * 21 for f in fuse([strong, weak])}
    assert fused == pytest.approx({"x": 1.0, "y": 0.25 + 0.5, "z": 0.25})


def test_scores_that_do_not_compare_count_by_rank() -> None:
    plain = Leg("a", Target.FACT, 1.0, (Match("x", 9.0), Match("y", 1.0)), scored=False)
    assert {f.id: f.score for f in fuse([plain])} == {"x": 1 / 21, "y": 1 / 22}


def test_a_leg_without_any_likeness_adds_by_rank() -> None:
    assert [f.id for f in fuse([Leg("a", Target.FACT, 1.0, (Match("y", 0.0), Match("x", 0.0)))])] == ["y", "x"]


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
