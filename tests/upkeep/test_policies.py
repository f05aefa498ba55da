"""Policies of forgetting: pure functions of candidates and an instant."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitherto import Invalid
from hitherto.kg.forgetting import (
    POLICIES,
    Candidate,
    Hold,
    Hybrid,
    LeastRecentlyUsed,
    PriorityDecay,
    RandomDrop,
    ReflectionSummary,
    TimeToLive,
    policy_of,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def fact(
    id_: str,
    days: float = 0,
    importance: float = 0.5,
    hold: Hold = Hold.FREE,
    *,
    touched: float | None = None,
    used: int = 0,
    subject: str = "ann",
    predicate: str = "LIKES",
    digestible: bool = True,
) -> Candidate:
    """A fact told so many days ago, and touched ``touched`` days ago."""
    return Candidate(
        fact_id=id_,
        subject_id=subject,
        predicate=predicate,
        text=f"fact {id_}",
        importance=importance,
        learned_at=NOW - timedelta(days=days),
        touched_at=NOW - timedelta(days=days if touched is None else touched),
        used=used,
        hold=hold,
        digestible=digestible,
    )


CANDIDATES = st.lists(
    st.builds(
        fact,
        st.uuids().map(str),
        st.floats(0, 3000),
        st.floats(0, 1),
        st.sampled_from(Hold),
        used=st.integers(0, 9),
        subject=st.sampled_from(["ann", "bob"]),
        digestible=st.booleans(),
    ),
    max_size=40,
    unique_by=lambda c: c.fact_id,
)


@given(CANDIDATES, st.sampled_from(sorted(POLICIES)), st.one_of(st.none(), st.integers(0, 40)), st.randoms())
def test_what_every_policy_keeps_to(candidates, name, keep, lot):  # type: ignore[no-untyped-def]
    policy = policy_of(name)
    choice = policy.choose(candidates, NOW, keep)
    by_id = {c.fact_id: c for c in candidates}
    assert len(set(choice.ids)) == len(choice.ids)
    assert all(by_id[id_].hold is Hold.FREE for id_ in choice.ids)
    shuffled = list(candidates)
    lot.shuffle(shuffled)
    again = policy.choose(shuffled, NOW, keep)
    assert (set(again.alone), set(again.groups)) == (set(choice.alone), set(choice.groups))
    for group in choice.groups:
        assert len({by_id[id_].subject_id for id_ in group}) == 1
        assert all(by_id[id_].digestible for id_ in group)
    if keep is not None:
        left = len(candidates) - len(choice.ids) + len(choice.groups)
        assert left <= keep or all(by_id[id_].hold is not Hold.FREE for id_ in by_id.keys() - set(choice.ids))


def test_time_to_live_is_by_predicate_or_for_all() -> None:
    old, new = fact("old", 400), fact("new", 100, predicate="HAS_STATUS")
    home = fact("home", 400, hold=Hold.CURRENT, predicate="LIVES_IN")
    pinned = fact("pinned", 4000, hold=Hold.PINNED, predicate="ALLERGIC_TO")
    everything = [old, new, home, pinned]
    assert TimeToLive().choose(everything, NOW).ids == ("old",)
    assert TimeToLive(None, {"HAS_STATUS": 30}).choose(everything, NOW).ids == ("new",)
    assert TimeToLive(None, {"LIVES_IN": 365, "ALLERGIC_TO": 1}).choose(everything, NOW).ids == ("home",)
    assert TimeToLive(500).choose([fact("a", 10, touched=0), fact("b", 20)], NOW, keep=1).ids == ("b",)


def test_least_recently_used_looks_at_use_and_not_at_age() -> None:
    shown, idle = fact("shown", 900, touched=2), fact("idle", 300)
    assert LeastRecentlyUsed().choose([shown, idle], NOW).ids == ("idle",)
    assert LeastRecentlyUsed(1000).choose([shown, idle], NOW, keep=1).ids == ("idle",)


def test_importance_halves_and_use_makes_it_last() -> None:
    policy = PriorityDecay(half_life_days=10, floor=0.1)
    assert policy.worth(fact("a", 10, 0.8), NOW) == pytest.approx(0.4)
    assert policy.worth(fact("a", 20, 0.8, used=1), NOW) == pytest.approx(0.4)
    fades, matters, used = fact("fades", 30, 0.5), fact("matters", 30, 0.9), fact("used", 30, 0.5, used=2)
    assert policy.choose([fades, matters, used], NOW).ids == ("fades",)
    assert policy.choose([fades, matters, used], NOW, keep=1).ids == ("fades", "matters")


def test_random_drop_is_the_same_for_a_seed_whatever_else_is_there() -> None:
    some = [fact(str(n)) for n in range(400)]
    gone = set(RandomDrop(0.25, seed=7).choose(some, NOW).ids)
    assert 70 < len(gone) < 130
    assert set(RandomDrop(0.25, seed=7).choose(some[:200], NOW).ids) == {i for i in gone if int(i) < 200}
    assert set(RandomDrop(0.25, seed=8).choose(some, NOW).ids) != gone


def test_hybrid_weighs_its_parts() -> None:
    lasting, recent = fact("lasting", 100, 0.9), fact("recent", 1, 0.1)
    decay, lru = PriorityDecay(half_life_days=100), LeastRecentlyUsed(110)
    assert Hybrid(((decay, 9), (lru, 1))).choose([lasting, recent], NOW, keep=1).ids == ("recent",)
    assert Hybrid(((decay, 1), (lru, 9))).choose([lasting, recent], NOW, keep=1).ids == ("lasting",)
    policy = Hybrid(((decay, 1), (lru, 3)))
    assert policy.worth(lasting, NOW) == pytest.approx((0.45 + 3 * (1 - 100 / 110)) / 4)


def test_reflection_groups_what_is_old_and_slight_by_subject() -> None:
    ann = [fact(f"a{n}", 200 - n, 0.3) for n in range(4)]
    bob = [fact(f"b{n}", 200, 0.3, subject="bob") for n in range(2)]
    others = [fact("new", 1, 0.3), fact("matters", 200, 0.7), fact("digest", 200, 0.3, digestible=False)]
    policy = ReflectionSummary(at_most=3)
    choice = policy.choose([*ann, *bob, *others], NOW)
    assert (choice.alone, choice.groups) == ((), (("a0", "a1", "a2"),))
    over = policy.choose([*ann, *bob, *others], NOW, keep=5)
    assert over.groups[0] == ("a0", "a1", "a2")
    assert len(over.ids) - len(over.groups) >= 4


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: TimeToLive(0), "days=0"),
        (lambda: TimeToLive(None, {"LIKES": -1}), "LIKES=-1"),
        (lambda: LeastRecentlyUsed(float("nan")), "days=nan"),
        (lambda: PriorityDecay(floor=2), "floor=2"),
        (lambda: RandomDrop(-0.1), "share=-0.1"),
        (lambda: Hybrid(()), "no parts"),
        (lambda: Hybrid(((RandomDrop(), 0),)), "random=0"),
        (lambda: ReflectionSummary(at_least=1), "at_least=1"),
        (lambda: policy_of("nonsense"), "'nonsense' is none; use ttl, lru, decay"),
    ],
)
def test_wrong_numbers_are_told(make, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(Invalid, match=words):
        make()
