"""The listener in small talks, where the cases do not look: what is heard at all, and denials."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hitherto.temporal.claims import Claim, Says, said_order
from hitherto.temporal.grains import Basis, Grain
from tests.temporal.saying import Talk, bound, exact, shown, when


@pytest.fixture
def t() -> Talk:
    return Talk()


class TestHearing:
    def test_said_order_is_time_then_position_then_content_then_id(self, t: Talk) -> None:
        first, second = t.seen("A", "2024-01-01T10:00"), t.seen("B", "2024-01-01T10:00")
        assert shown([first, second]) == ["B 2024-01-01T10:00.."]
        later = t.began("A", "2024-01-01", "2024-01-03")
        earlier = t.began("B", "2024-01-01", "2024-01-02")
        assert shown([later, earlier]) == ["A 2024.."]
        a, b = (_placed(t.began(fact, "2024-01-01", "2024-01-03"), 0) for fact in "AB")
        assert shown([a, b]) == shown([b, a]) == ["B 2024.."]

    def test_each_part_of_the_order_decides_before_the_next(self, t: Talk) -> None:
        claim = replace(t.lasted("B", "2024-02", "2024-04", "2024-03"), position=5, id="5")
        start, end = bound("2024-02"), exact("2024-04")
        assert start is not None
        assert end is not None
        steps: list[dict[str, Any]] = [
            {"id": "6"},
            {"valid_to": replace(end, grain=Grain.MONTH), "id": "1"},
            {"valid_to": replace(end, at=when("2024-05")), "id": "1"},
            {"valid_from": replace(start, basis=Basis.STATED, grain=Grain.WEEK), "valid_to": None, "id": "1"},
            {"valid_from": replace(start, grain_end=when("2024-04")), "valid_to": None, "id": "1"},
            {"valid_from": bound("2024-03"), "valid_to": None, "id": "1"},
            {"says": Says.OBSERVATION, "valid_from": bound("2023"), "id": "1"},
            {"fact": "C", "says": Says.DENIAL, "valid_from": None, "id": "1"},
            {"position": 6, "fact": "A", "id": "1"},
            {"stated_at": when("2024-04"), "position": 0, "id": "1"},
        ]
        for step in steps:
            assert said_order(claim) < said_order(replace(claim, **step)), step
        derived = replace(claim, valid_from=replace(start, basis=Basis.DERIVED), valid_to=None, id="9")
        assert said_order(derived) < said_order(claim)

    def test_of_two_with_the_same_content_either_id_gives_the_same(self, t: Talk) -> None:
        twins = [_placed(t.ended("A", "2024", "2024-05"), 0) for _ in range(2)]
        assert shown(twins) == shown(twins[:1]) == ["A ..2024"]

    def test_one_id_counts_once(self, t: Talk) -> None:
        claim = t.lasted("A", "2024", "2025", "2024-01-05")
        assert shown([claim, claim]) == ["A 2024..2025"]

    def test_what_says_nothing_is_not_heard(self, t: Talk) -> None:
        assert shown([t.lasted("A", "2024", "2024", "2024-01-05")]) == []
        since = t.since("A", "2023", "2023-05")
        assert shown([since, t.denied("A", "2024", "2024", "2025")]) == ["A 2023.."]

    def test_without_a_date_it_begins_when_it_was_said(self, t: Talk) -> None:
        claim = _undated(t.began("A", "2020", "2024-03-05T10:00"))
        assert shown([claim]) == ["A 2024-03-05T10:00.."]


class TestDenial:
    def test_only_what_was_said_before_it(self, t: Talk) -> None:
        assert shown([t.denied("A", None, None, "2024-01-01"), t.seen("A", "2024-02-01")]) == ["A 2024-02.."]

    def test_other_facts_are_left_alone(self, t: Talk) -> None:
        assert shown([t.seen("A", "2024-01-01"), t.denied("B", None, None, "2024-02-01")]) == ["A 2024.."]

    def test_nor_their_extents(self, t: Talk) -> None:
        claims = [t.lasted("B", "2024-01", "2024-12", "2024-01"), t.denied("A", "2024-03", "2024-05", "2025")]
        assert shown([*claims, t.denied("A", "2024-08", None, "2025")]) == ["B 2024..2024-12"]

    def test_its_interval_is_half_open(self, t: Talk) -> None:
        seen = t.seen("A", "2024-01-10")
        assert shown([seen, t.denied("A", "2024-01-01", "2024-01-10", "2024-02")]) == ["A 2024-01-10.."]
        assert shown([seen, t.denied("A", "2024-01-10", "2024-01-11", "2024-02")]) == []

    def test_a_dated_beginning_vouches_for_its_instant_only(self, t: Talk) -> None:
        assert shown([t.began("A", "2024-01", "2024-03"), t.denied("A", "2024", "2024-02", "2024-04")]) == []

    def test_a_since_vouches_for_all_up_to_when_it_was_said(self, t: Talk) -> None:
        since = t.since("A", "2020", "2022-05-01")
        assert shown([since, t.denied("A", "2019", "2022-05-01", "2023")]) == ["A 2022-05.."]
        assert shown([since, t.denied("A", "2019", "2022-05-02", "2023")]) == []
        assert shown([since, t.denied("A", None, "2021", "2023")]) == ["A 2021.."]

    def test_a_since_of_the_future_vouches_for_its_beginning(self, t: Talk) -> None:
        since = t.since("A", "2025", "2024-05-01")
        assert shown([since, t.denied("A", "2024-12", "2025-02", "2024-06")]) == []
        assert shown([since, t.denied("A", "2024-06", "2024-12", "2024-06")]) == ["A 2025.."]

    def test_two_denials_together_take_it_all(self, t: Talk) -> None:
        since = t.since("A", "2020", "2022-05-01")
        early, late = t.denied("A", "2019", "2021", "2023"), t.denied("A", "2021", "2023", "2023")
        assert shown([since, early, late]) == []

    def test_an_extent_loses_its_beginning_its_middle_or_its_end(self, t: Talk) -> None:
        extent = t.lasted("A", "2024-01", "2024-12", "2024-01-05")
        assert shown([extent, t.denied("A", "2023", "2024-03", "2025")]) == ["A 2024-03..2024-12"]
        middle = ["A 2024..2024-03", "A 2024-05..2024-12"]
        assert shown([extent, t.denied("A", "2024-03", "2024-05", "2025")]) == middle
        assert shown([extent, t.denied("A", "2024-05", "2025-05", "2025")]) == ["A 2024..2024-05"]
        assert shown([extent, t.denied("A", "2024-01", "2024-12", "2025")]) == []
        assert shown([extent, t.denied("A", "2023", None, "2025")]) == []

    def test_what_would_have_cut_an_extent_before_its_later_beginning_does_not(self, t: Talk) -> None:
        extent = t.lasted("A", "2024-01", "2024-12", "2024-01-05")
        claims = [extent, t.seen("B", "2024-02-01"), t.denied("A", "2024", "2024-03", "2025")]
        assert shown(claims) == ["B 2024-02..2024-03", "A 2024-03..2024-12", "B 2024-12.."]

    def test_a_denied_cut_did_not_cut(self, t: Talk) -> None:
        extent = t.lasted("A", "2024-01", "2024-12", "2024-01-05")
        claims = [extent, t.seen("B", "2024-02-01"), t.denied("B", None, None, "2025")]
        assert shown(claims) == ["A 2024..2024-12"]

    def test_a_gap_is_not_closed_where_another_change_lies_between(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.began("B", "2024-06", "2024-06-10")]
        claims.append(t.denied("A", "2024-03", "2024-09", "2025"))
        assert shown(claims) == ["A 2020..2024-03", "B 2024-06.."]

    def test_nor_where_it_ended_between(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.ended("A", "2024-06", "2024-06-10")]
        claims.append(t.denied("A", "2024-03", "2024-09", "2025"))
        assert shown(claims) == ["A 2020..2024-03"]

    def test_a_gap_in_the_past_of_a_later_change(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.began("B", "2024-06", "2024-06-10")]
        claims.append(t.denied("A", "2021", "2022", "2025"))
        assert shown(claims) == ["A 2020..2021", "A 2022..2024-06", "B 2024-06.."]

    def test_a_gap_leaves_the_end_that_was_known(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.ended("A", "2024-06", "2024-06-10", authority=1)]
        claims.append(t.denied("A", "2021", "2022", "2025"))
        assert shown(claims) == ["A 2020..2021", "A 2022..2024-06"]

    def test_what_is_away_stays_away_if_something_else_changes_though_told_later(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.denied("A", "2024-03", "2024-09", "2024-02")]
        assert shown(claims) == ["A 2020..2024-03", "A 2024-09.."]
        meanwhile = t.began("B", "2024-06", "2024-06-10")
        assert shown([*claims, meanwhile]) == ["A 2020..2024-03", "B 2024-06.."]
        before = t.began("B", "2023", "2025")
        assert shown([*claims, before]) == ["A 2020..2023", "B 2023.."]
        after = t.began("B", "2025", "2025")
        assert shown([*claims, after]) == ["A 2020..2024-03", "A 2024-09..2025", "B 2025.."]

    def test_and_if_it_turns_out_to_have_ended(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.denied("A", "2024-03", "2024-09", "2024-02")]
        assert shown([*claims, t.ended("A", "2023", "2025")]) == ["A 2020..2023"]
        assert shown([*claims, t.ended("A", "2024-06-01", "2025")]) == ["A 2020..2024-06"]
        assert shown([*claims, t.lasted("A", "2020", "2022", "2025")]) == ["A 2020..2022"]
        later = [*claims, t.ended("A", "2026", "2025")]
        assert shown(later) == ["A 2020..2024-03", "A 2024-09..2026"]
        assert shown([*later, t.ended("A", "2023", "2026"), t.began("A", "2025", "2027")]) == [
            "A 2020..2023",
            "A 2025..",
        ]

    def test_two_gaps(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.denied("A", "2021", "2022", "2024")]
        apart = [*claims, t.denied("A", "2023", "2024", "2024")]
        assert shown(apart) == ["A 2020..2021", "A 2022..2023", "A 2024.."]
        assert shown([*apart, t.began("B", "2022-06", "2025")]) == [
            "A 2020..2021",
            "A 2022..2022-06",
            "B 2022-06..",
        ]
        assert shown([*apart, t.began("B", "2021-06", "2025")]) == ["A 2020..2021", "B 2021-06.."]
        assert shown([*claims, t.denied("A", "2021-06", "2023", "2024")]) == ["A 2020..2021", "A 2023.."]
        assert shown([*claims, t.denied("A", "2020-06", "2021-06", "2024")]) == ["A 2020..2020-06", "A 2022.."]

    def test_a_gap_stays_when_the_beginning_is_told_again(self, t: Talk) -> None:
        claims = [
            t.since("A", "2020", "2020-05"),
            t.denied("A", "2021", "2022", "2024"),
            t.since("A", "2020", "2025"),
        ]
        assert shown(claims) == ["A 2020..2021", "A 2022.."]

    def test_gaps_of_an_extent(self, t: Talk) -> None:
        claims = [t.lasted("A", "2020", "2030", "2020"), t.denied("A", "2022", "2023", "2024")]
        claims.append(t.denied("A", "2025", "2026", "2024"))
        assert shown(claims) == ["A 2020..2022", "A 2023..2025", "A 2026..2030"]
        assert shown([*claims, t.denied("A", "2022-06", "2025-06", "2024")]) == ["A 2020..2022", "A 2026..2030"]
        assert shown([*claims, t.denied("A", "2021", "2022", "2024")])[:2] == ["A 2020..2021", "A 2023..2025"]
        assert shown([*claims, t.denied("A", "2023", "2024", "2024")])[:2] == ["A 2020..2022", "A 2024..2025"]
        assert shown([*claims, t.ended("A", "2024", "2025")]) == ["A 2020..2022", "A 2023..2024"]
        assert shown([*claims, t.ended("A", "2022-06", "2025")]) == ["A 2020..2022"]
        assert shown([*claims, t.began("B", "2025-06", "2026")])[1:] == ["A 2023..2025", "B 2025-06.."]
        home = [t.since("B", "2019", "2019"), *claims]
        assert shown(home)[1:4] == ["A 2020..2022", "B 2022..2023", "A 2023..2025"]

    def test_in_a_gap_of_an_open_row_nothing_comes_back(self, t: Talk) -> None:
        claims = [t.since("B", "2019", "2019"), t.lasted("A", "2020", None, "2020")]
        claims.append(t.denied("A", "2022", "2023", "2024"))
        assert shown(claims) == ["B 2019..2020", "A 2020..2022", "A 2023.."]

    def test_a_denial_of_the_rest_of_an_extent(self, t: Talk) -> None:
        claims = [t.lasted("A", "2020", "2024", "2020"), t.denied("A", "2022", "2024", "2024")]
        assert shown([*claims, t.ended("A", "2025", "2026")]) == ["A 2020..2025"]

    def test_a_denial_is_a_mention_so_that_what_is_seen_after_it_is_news(self, t: Talk) -> None:
        claims = [
            t.denied("A", "2024-05", None, "2024-05"),
            t.seen("A", "2025-02-01"),
            t.ended("A", "2024-02", "2026"),
        ]
        assert shown(claims) == ["A ..2024-02", "A 2025-02.."]

    def test_a_beginning_lost_in_a_gap_whatever_began_before(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020", authority=1), t.ended("A", "2021", "2021", authority=1)]
        claims += [t.seen("B", "2024-05-10"), t.began("A", "2024-05", "2024-05-20")]
        claims.append(t.denied("A", "2024-05-15", "2024-06-01", "2025"))
        assert shown(claims) == ["A 2020..2021", "B 2024-05-10..2024-06", "A 2024-06.."]

    def test_a_mention_in_a_gap_of_an_extent_is_news(self, t: Talk) -> None:
        claims = [t.lasted("A", "2020", "2030", "2020"), t.denied("A", "2022", "2023", "2021-12")]
        assert shown([*claims, t.seen("A", "2022-06-01")]) == ["A 2020..2022", "A 2022-06.."]
        assert shown([*claims, t.seen("A", "2023-01-01")]) == ["A 2020..2022", "A 2023..2030"]
        assert shown([*claims, t.ended("B", "2022-06-01", "2024")]) == [
            "A 2020..2022",
            "B 2022..2022-06",
            "A 2023..2030",
        ]

    def test_a_since_whose_own_time_is_denied_clears_only_what_it_still_vouches_for(self, t: Talk) -> None:
        claims = [
            t.began("C", "2024-06", "2024-01"),
            t.began("B", "2023-06", "2024-01"),
            t.since("A", "2023-01-01", "2025"),
        ]
        assert shown(claims) == ["A 2023.."]
        assert shown([*claims, t.denied("A", "2024", None, "2026")]) == ["A 2023..2024", "C 2024-06.."]
        assert shown([*claims, t.denied("A", "2024", "2025-06", "2026")]) == ["A 2023..2024", "C 2024-06.."]
        assert shown([*claims, t.denied("A", "2023-03", "2024", "2026")]) == ["A 2023..2023-03", "A 2024.."]

    def test_a_guess_with_a_gap_gives_way_to_a_stated_beginning(self, t: Talk) -> None:
        claims = [t.ended("A", "2015", "2015"), t.denied("A", "2010", "2011", "2016")]
        assert shown([*claims, t.began("A", "2013", "2017")]) == ["A 2013..2015"]
        assert shown([*claims, t.began("A", "2009", "2017")]) == ["A 2009..2010", "A 2011..2015"]
        cut = [t.ended("A", "2015", "2015"), t.denied("A", None, "2011", "2016")]
        assert shown([*cut, t.began("A", "2013", "2017")]) == ["A 2013..2015"]

    def test_an_open_denial_is_an_end_which_a_later_end_moves(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.denied("A", "2024-05", None, "2024-05-10")]
        assert shown(claims) == ["A 2020..2024-05"]
        assert shown([*claims, t.ended("A", "2024-07", "2024-09")]) == ["A 2020..2024-07"]
        assert shown([*claims, t.ended("A", "2024-02", "2024-09")]) == ["A 2020..2024-02"]

    def test_it_never_makes_the_fact_held_before_or_longer(self, t: Talk) -> None:
        assert shown([t.denied("A", "2024-05", None, "2024-05-10")]) == []
        claims = [t.since("A", "2020", "2020-05"), t.ended("A", "2024-03", "2024-03-10")]
        assert shown([*claims, t.denied("A", "2024-05", None, "2024-05-10")]) == ["A 2020..2024-03"]

    def test_it_stops_a_beginning_that_is_told_later(self, t: Talk) -> None:
        claims = [t.denied("A", "2024-05", None, "2024-05-10"), t.began("A", "2020", "2025")]
        assert shown(claims) == ["A 2020..2024-05"]

    def test_it_takes_the_place_of_a_planned_end(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.ended("A", "2024-12", "2024-04")]
        claims += [t.denied("A", "2024-05", None, "2024-05-10"), t.seen("A", "2024-08-01")]
        assert shown(claims) == ["A 2020..2024-05", "A 2024-08.."]

    def test_of_what_was_only_known_to_have_ended(self, t: Talk) -> None:
        end = t.ended("A", "2024", "2024-05")
        assert shown([end, t.denied("A", None, None, "2025")]) == []
        assert shown([end, t.denied("A", None, "2020", "2025")]) == ["A 2020..2024"]
        assert shown([end, t.denied("A", "2020", "2021", "2025")]) == ["A ..2020", "A 2021..2024"]
        assert shown([end, t.denied("A", "2022", None, "2025")]) == ["A ..2022"]

    def test_a_beginning_moved_within_its_grain_resumes_where_the_denial_ends(self, t: Talk) -> None:
        claims = [t.seen("B", "2024-05-10"), t.began("A", "2024-05", "2024-05-20")]
        assert shown(claims) == ["B 2024-05-10..2024-05-20", "A 2024-05-20.."]
        claims.append(t.denied("A", "2024-05-15", "2024-06-01", "2025"))
        assert shown(claims) == ["B 2024-05-10..2024-06", "A 2024-06.."]

    def test_an_open_extent_ends_there_and_nothing_comes_back(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.lasted("B", "2022", None, "2022-05")]
        assert shown([*claims, t.denied("B", "2024", None, "2024-05")]) == ["A 2020..2022", "B 2022..2024"]


def _placed(claim: Claim, position: int) -> Claim:
    return replace(claim, position=position)


def _undated(claim: Claim) -> Claim:
    return replace(claim, valid_from=None)
