"""The careful listener's rules, one by one, where the cases do not look: each test reads as a small talk."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hitherto.temporal.claims import Claim, Says, said_order
from hitherto.temporal.grains import Basis, Grain
from tests.temporal.saying import MANY, ONE, Talk, bound, exact, shown, when


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


class TestObservation:
    def test_a_mention_is_no_news_where_an_extent_shows_its_fact(self, t: Talk) -> None:
        claims = [t.lasted("A", "2024-01", "2024-06", "2024-01-05"), t.seen("A", "2024-03-01")]
        assert shown(claims) == ["A 2024..2024-06"]

    def test_at_the_very_end_of_an_extent_it_is_news(self, t: Talk) -> None:
        claims = [t.lasted("A", "2024-01", "2024-06", "2024-01-05"), t.seen("A", "2024-06-01")]
        assert shown(claims) == ["A 2024.."]

    def test_at_the_very_end_of_a_stint_it_is_news(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.ended("A", "2024-06-01T00:00", "2024-05-01")]
        assert shown([*claims, t.seen("A", "2024-06-01")]) == ["A 2020.."]

    def test_an_extent_of_another_fact_over_its_own_line_hides_it(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.lasted("B", "2024-05", "2024-07", "2024-04")]
        assert shown([*claims, t.seen("A", "2024-05-10")]) == [
            "A 2020..2024-05",
            "B 2024-05..2024-05-10",
            "A 2024-05-10..",
        ]


class TestBeginning:
    def test_a_beginning_said_again_bounds_a_stint(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.began("A", "2022", "2022-05"), t.ended("A", "2021", "2023")]
        assert shown(claims) == ["A 2020..2021", "A 2022.."]

    def test_it_goes_on_to_an_end_that_did_not_matter_so_far(self, t: Talk) -> None:
        claims = [
            t.since("B", "2020", "2020-05"),
            t.ended("A", "2024-08", "2024-09"),
            t.began("A", "2024-07", "2025"),
        ]
        assert shown(claims) == ["B 2020..2024-07", "A 2024-07..2024-08"]

    def test_a_correction_at_the_very_same_instant(self, t: Talk) -> None:
        claims = [t.began("A", "2024-03", "2024-03-10"), t.began("B", "2024-03-01", "2024-04")]
        assert shown(claims) == ["B 2024-03.."]
        assert shown([*claims, t.ended("B", "2024-05", "2024-06")]) == ["B 2024-03..2024-05"]

    def test_a_since_clears_only_when_something_else_shows_at_the_time(self, t: Talk) -> None:
        claims = [t.seen("A", "2020-01-01"), t.seen("B", "2022-01-01"), t.seen("A", "2024-01-01")]
        assert shown([*claims, t.since("A", "2021", "2025")]) == ["A 2020..2022", "B 2022..2024", "A 2024.."]
        assert shown([*claims, t.since("B", "2021", "2025")]) == ["A 2020..2021", "B 2021.."]

    def test_a_since_clears_up_to_when_it_was_said(self, t: Talk) -> None:
        claims = [t.seen("B", "2020-06-01"), t.began("C", "2026", "2020-07")]
        claims.append(t.since("A", "2020-01", "2021"))
        assert shown(claims) == ["A 2020..2026", "C 2026.."]

    def test_a_since_clears_what_changed_at_the_very_time(self, t: Talk) -> None:
        claims = [t.seen("B", "2021-01-01T10:00"), t.since("A", "2020-01", "2021-01-01T10:00")]
        assert shown(claims) == ["A 2020.."]

    def test_a_since_ends_another_facts_extent_that_covers_the_time(self, t: Talk) -> None:
        home, trip = t.since("A", "2020", "2020-05"), t.lasted("B", "2024-05", "2024-07", "2024-04")
        assert shown([home, trip, t.since("A", "2024-04", "2024-05-10")]) == ["A 2020.."]
        assert shown([home, trip, t.since("A", "2024-06", "2024-06-10")])[1:] == [
            "B 2024-05..2024-06",
            "A 2024-06..",
        ]
        assert shown([home, trip, t.since("A", "2024-04", "2024-08")])[1:] == ["B 2024-05..2024-07", "A 2024-07.."]

    def test_a_since_moved_to_the_end_of_its_grain_clears_what_begins_there(self, t: Talk) -> None:
        claims = [t.seen("B", "2024-05-10"), t.began("C", "2025-01-01", "2024-12")]
        assert shown([*claims, t.since("A", "2024", "2026")]) == ["B 2024-05-10..2025", "A 2025.."]

    def test_what_was_corrected_is_off_the_line(self, t: Talk) -> None:
        claims = [t.began("A", "2024-03-10", "2024-04"), t.began("B", "2024-03-10", "2024-05")]
        assert shown([*claims, t.began("B", "2024-03", "2024-06")]) == ["B 2024-03.."]

    def test_what_was_cleared_is_off_the_line(self, t: Talk) -> None:
        claims = [t.began("A", "2018", "2018"), t.seen("B", "2020-01-01"), t.seen("A", "2022-01-01")]
        claims += [t.since("B", "2019", "2022-06"), t.ended("A", "2024", "2024"), t.ended("A", "2021", "2025")]
        assert shown([*claims, t.began("A", "2023", "2026")]) == ["A 2018..2019", "B 2019..2023", "A 2023.."]

    def test_a_since_that_begins_when_it_was_said_ends_what_starts_there(self, t: Talk) -> None:
        claims = [t.seen("A", "2024-07-01"), t.lasted("B", "2025", "2025-11", "2024-12")]
        assert shown([*claims, t.since("C", "2024", "2025-01-01")]) == ["A 2024-07..2025", "C 2025.."]

    def test_a_since_of_the_future_leaves_the_extents_of_today(self, t: Talk) -> None:
        claims = [t.lasted("B", "2021-01", "2021-06", "2021"), t.since("A", "2026", "2021-03")]
        assert shown(claims) == ["B 2021..2021-06", "A 2026.."]

    def test_a_since_of_the_future_clears_nothing(self, t: Talk) -> None:
        claims = [t.seen("B", "2020-06-01"), t.since("A", "2026", "2021")]
        assert shown(claims) == ["B 2020-06..2026", "A 2026.."]


class TestExtent:
    def test_the_latest_said_of_two_shows_and_the_other_before_and_after(self, t: Talk) -> None:
        wide, narrow = t.lasted("A", "2024-01", "2024-12", "2024"), t.lasted("B", "2024-03", "2024-05", "2024")
        assert shown([wide, narrow]) == ["A 2024..2024-03", "B 2024-03..2024-05", "A 2024-05..2024-12"]
        narrow, wide = t.lasted("B", "2024-03", "2024-05", "2024"), t.lasted("A", "2024-01", "2024-12", "2024")
        assert shown([narrow, wide]) == ["A 2024..2024-12"]

    def test_the_same_beginning_replaces_only_where_one_value_holds(self, t: Talk) -> None:
        claims = [t.lasted("A", "2024-01", "2024-12", "2024"), t.lasted("A", "2024-01", "2024-06", "2024-02")]
        assert shown(claims) == ["A 2024..2024-06"]
        assert shown(claims, MANY) == ["A 2024..2024-12"]

    def test_it_replaces_all_that_a_denial_left_of_the_former(self, t: Talk) -> None:
        claims = [t.lasted("A", "2024-01", "2024-12", "2024"), t.denied("A", "2024-03", "2024-04", "2024-02")]
        claims.append(t.lasted("A", "2024-01", "2024-06", "2024-02"))
        assert shown(claims) == ["A 2024..2024-06"]

    def test_a_beginning_of_another_fact_told_later_ends_it(self, t: Talk) -> None:
        claims = [t.lasted("A", "2024-01", "2024-12", "2024"), t.began("B", "2024-06", "2024-08")]
        assert shown(claims) == ["A 2024..2024-06", "B 2024-06.."]
        claims = [t.began("B", "2024-06", "2024-08"), t.lasted("A", "2024-01", "2024-12", "2024-09")]
        assert shown(claims) == ["A 2024..2024-12", "B 2024-12.."]

    def test_a_beginning_at_its_start_takes_it_away(self, t: Talk) -> None:
        claims = [t.lasted("A", "2024-06", "2024-12", "2024"), t.began("B", "2024-06-01", "2024-08")]
        assert shown(claims) == ["B 2024-06.."]

    def test_a_beginning_at_its_end_does_not_touch_it(self, t: Talk) -> None:
        claims = [t.lasted("A", "2024-06", "2024-12", "2024"), t.began("B", "2024-12-01", "2025")]
        assert shown(claims) == ["A 2024-06..2024-12", "B 2024-12.."]

    def test_a_beginning_moved_to_its_start_does_not(self, t: Talk) -> None:
        claims = [
            t.seen("A", "2023-05-10"),
            t.lasted("B", "2024-01", "2024-06", "2024-07"),
            t.began("C", "2023", "2025"),
        ]
        assert shown(claims) == ["A 2023-05-10..2024", "B 2024..2024-06", "C 2024-06.."]

    def test_a_beginning_moved_inside_it_does(self, t: Talk) -> None:
        claims = [
            t.seen("A", "2023-05-10"),
            t.lasted("B", "2023-10", "2024-06", "2024-07"),
            t.began("C", "2023", "2025"),
        ]
        assert shown(claims) == ["A 2023-05-10..2023-10", "B 2023-10..2024", "C 2024.."]

    def test_its_end_leaves_what_begins_there(self, t: Talk) -> None:
        claims = [
            t.since("A", "2020", "2020"),
            t.began("A", "2024-01-01", "2023"),
            t.lasted("A", "2020", "2024", "2025"),
        ]
        assert shown(claims) == ["A 2020.."]

    def test_its_own_end_stands_whatever_coarse_end_was_told_before(self, t: Talk) -> None:
        claims = [t.ended("A", "2024", "2025-01-15"), t.lasted("A", "2024-03", "2024-06", "2025-02")]
        assert shown(claims) == ["A 2024-03..2024-06"]

    def test_its_end_ends_an_open_beginning_of_its_fact(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.lasted("A", "2022", "2024", "2025")]
        assert shown(claims) == ["A 2020..2024"]

    def test_its_end_corrects_a_later_end(self, t: Talk) -> None:
        claims = [
            t.since("A", "2020", "2020-05"),
            t.ended("A", "2024", "2024-05"),
            t.lasted("A", "2020", "2022", "2025"),
        ]
        assert shown(claims) == ["A 2020..2022"]
        assert shown([*claims, t.began("A", "2023", "2026")]) == ["A 2020..2022", "A 2023.."]

    def test_its_beginning_takes_the_place_of_an_unknown_one(self, t: Talk) -> None:
        claims = [t.ended("A", "2015-01-01", "2016"), t.lasted("A", "2010", "2015", "2017")]
        assert shown(claims) == ["A 2010..2015"]

    def test_open_it_goes_on_until_something_begins_or_it_ends(self, t: Talk) -> None:
        row = t.lasted("A", "2020", None, "2020-05")
        assert shown([row]) == ["A 2020.."]
        assert shown([row, t.seen("B", "2024-01-01")]) == ["A 2020..2024", "B 2024.."]
        assert shown([row, t.ended("A", "2023", "2024")]) == ["A 2020..2023"]

    def test_one_open_row_takes_over_from_another_for_good(self, t: Talk) -> None:
        rows = [t.lasted("A", "2018", None, "2018"), t.lasted("B", "2020", None, "2020")]
        assert shown(rows) == ["A 2018..2020", "B 2020.."]
        assert shown([*rows, t.ended("B", "2024", "2024")]) == ["A 2018..2020", "B 2020..2024"]
        line = [t.since("A", "2018", "2018-05"), t.lasted("B", "2020", None, "2020"), t.ended("B", "2024", "2024")]
        assert shown(line) == ["A 2018..2020", "B 2020..2024"]
        assert shown([*line, t.ended("B", "2023", "2025")]) == ["A 2018..2020", "B 2020..2023"]

    def test_a_coarse_change_comes_after_an_open_row_inside_its_grain(self, t: Talk) -> None:
        claims = [t.lasted("A", "2024-06", None, "2024-06"), t.began("B", "2024", "2024-12-10")]
        assert shown(claims) == ["A 2024-06..2024-12-10", "B 2024-12-10.."]
        claims = [t.ended("A", "2024", "2025-01-15"), t.lasted("A", "2024-03", None, "2025-02")]
        assert shown(claims) == ["A 2024-03..2025"]
        assert shown([t.since("B", "2020", "2020"), *claims]) == ["B 2020..2024-03", "A 2024-03..2025"]

    def test_nor_after_an_open_row_of_its_own_fact_or_at_its_start(self, t: Talk) -> None:
        assert shown([t.lasted("A", "2024-06", None, "2024-06"), t.began("A", "2024", "2024-12-10")]) == [
            "A 2024.."
        ]
        assert shown([t.lasted("A", "2024", None, "2024-06"), t.began("B", "2024", "2024-12-10")]) == ["B 2024.."]

    def test_a_row_with_only_an_end_is_an_end(self, t: Talk) -> None:
        claims = [t.lasted("A", "2010", "2015", "2015"), t.lasted("B", None, "2020", "2020")]
        assert shown(claims) == ["A 2010..2015", "B 2015..2020"]

    def test_a_row_with_neither_is_a_mention(self, t: Talk) -> None:
        assert shown([t.lasted("A", None, None, "2020")]) == ["A 2020.."]


class TestEnd:
    def test_it_brings_nothing_back(self, t: Talk) -> None:
        claims = [
            t.since("A", "2018", "2018-05"),
            t.since("B", "2020", "2020-05"),
            t.ended("B", "2024", "2024-05"),
        ]
        assert shown(claims) == ["A 2018..2020", "B 2020..2024"]

    def test_joined_and_left_in_either_order_of_words(self, t: Talk) -> None:
        day = "2024-03-02"
        assert shown([t.began("B", day, day), t.ended("A", day, day)]) == ["A ..2024-03-02", "B 2024-03-02.."]
        assert shown([t.ended("A", day, day), t.began("B", day, day)]) == ["A ..2024-03-02", "B 2024-03-02.."]

    def test_begun_and_ended_at_one_instant_it_never_held(self, t: Talk) -> None:
        now = "2024-03-02T10:00"
        assert shown([t.began("A", now, now), t.ended("A", now, now)]) == []

    def test_seen_when_it_ended_it_held_before(self, t: Talk) -> None:
        now = "2024-03-02T10:00"
        assert shown([t.seen("A", now), t.ended("A", now, now)]) == ["A ..2024-03-02T10:00"]

    def test_ended_and_begun_at_one_instant_it_goes_on(self, t: Talk) -> None:
        now = "2024-03-02T10:00"
        claims = [t.since("A", "2020", "2020-05"), t.ended("A", now, now), t.began("A", now, now)]
        assert shown(claims) == ["A 2020.."]

    def test_it_replaces_earlier_said_ends_of_its_stint_only(self, t: Talk) -> None:
        claims = [t.began("A", "2018", "2018"), t.ended("A", "2019", "2019"), t.began("A", "2021", "2021")]
        claims += [t.ended("A", "2022", "2022"), t.ended("A", "2023", "2024")]
        assert shown(claims) == ["A 2018..2019", "A 2021..2023"]
        assert shown([*claims, t.ended("A", "2020", "2025")]) == ["A 2018..2020", "A 2021..2023"]

    def test_an_end_before_the_first_beginning_is_of_no_later_stint(self, t: Talk) -> None:
        claims = [t.since("B", "2005", "2005-05"), t.ended("A", "2010", "2010"), t.began("A", "2015", "2015")]
        claims += [t.ended("A", "2020", "2020"), t.began("A", "2008", "2021")]
        assert shown(claims) == ["B 2005..2008", "A 2008..2010", "A 2015..2020"]

    def test_moved_behind_another_fact_it_held_again(self, t: Talk) -> None:
        claims = [t.began("A", "2010", "2010"), t.began("B", "2013", "2013"), t.ended("B", "2014", "2014")]
        assert shown([*claims, t.ended("A", "2016", "2016")]) == ["A 2010..2013", "B 2013..2014", "A 2014..2016"]

    def test_what_held_before_goes_back_to_the_previous_change(self, t: Talk) -> None:
        claims = [t.began("A", "2010", "2010"), t.ended("A", "2012", "2012"), t.ended("B", "2015", "2015")]
        assert shown(claims) == ["A 2010..2012", "B 2012..2015"]
        assert shown([*claims, t.began("B", "2013", "2016")]) == ["A 2010..2012", "B 2013..2015"]
        trip = [t.lasted("A", "2010", "2013", "2013"), t.ended("B", "2015", "2015")]
        assert shown(trip) == ["A 2010..2013", "B 2013..2015"]

    def test_a_stated_beginning_takes_the_place_of_the_unknown_one_of_its_stint(self, t: Talk) -> None:
        end = t.ended("A", "2015", "2015-05")
        assert shown([end, t.began("A", "2012", "2016")]) == ["A 2012..2015"]
        assert shown([end, t.since("A", "2012", "2014")]) == ["A 2012..2015"]
        assert shown([end, t.began("A", "2017", "2018")]) == ["A ..2015", "A 2017.."]

    def test_not_if_it_ended_before_or_the_end_is_no_longer_believed(self, t: Talk) -> None:
        end, plan = t.ended("B", "2024-02-01", "2024-03"), t.began("C", "2024-06-01", "2024-03")
        since, began = t.since("A", "2024-01-01", "2024-09"), t.began("B", "2024-08-01", "2025")
        assert shown([end, began]) == ["B ..2024-02", "B 2024-08.."]
        assert shown([end, plan, since, began]) == ["B ..2024", "A 2024..2024-08", "B 2024-08.."]

    def test_a_mention_does_not(self, t: Talk) -> None:
        end = t.ended("A", "2015", "2014-01")
        assert shown([end, t.seen("A", "2014-06-01")]) == ["A ..2015"]

    def test_a_first_mention_after_it_is_dropped(self, t: Talk) -> None:
        mention = t.seen("A", "2024-06-01")
        assert shown([mention, t.ended("A", "2024-03", "2024-09")]) == ["A ..2024-03"]
        assert shown([t.ended("A", "2023", "2023"), t.seen("A", "2024-06-01"), t.ended("A", "2023", "2025")]) == [
            "A ..2023",
            "A 2024-06..",
        ]
        assert shown(
            [
                t.seen("A", "2024-01-01"),
                t.seen("B", "2024-02-01"),
                t.seen("A", "2024-06-01"),
                t.ended("A", "2023", "2025"),
            ]
        ) == ["A ..2023", "B 2024-02..2024-06", "A 2024-06.."]

    def test_a_first_mention_before_it_is_where_it_began(self, t: Talk) -> None:
        assert shown([t.seen("A", "2018-03-01"), t.ended("A", "2019", "2019")]) == ["A 2018-03..2019"]

    def test_what_was_told_otherwise_before_is_no_first_mention(self, t: Talk) -> None:
        told = [t.began("A", "2010", "2010"), t.began("B", "2015", "2015"), t.seen("A", "2024-06-01")]
        assert shown([*told, t.ended("A", "2013", "2025")]) == ["A 2010..2013", "B 2015..2024-06", "A 2024-06.."]
        told = [t.lasted("A", "2010", "2012", "2012"), t.seen("A", "2024-06-01"), t.ended("A", "2011", "2025")]
        assert shown(told) == ["A 2010..2011", "A 2024-06.."]

    def test_a_first_mention_whose_beginning_was_then_stated_stands(self, t: Talk) -> None:
        claims = [
            t.seen("A", "2024-06-01"),
            t.began("A", "2024-06-01", "2024-07"),
            t.ended("A", "2024-03", "2025"),
        ]
        assert shown(claims) == ["A ..2024-03", "A 2024-06.."]

    def test_a_first_mention_that_is_no_observation_stands(self, t: Talk) -> None:
        assert shown([t.began("A", "2024-06", "2024-06"), t.ended("A", "2024-03", "2024-09")]) == [
            "A ..2024-03",
            "A 2024-06..",
        ]

    def test_a_dropped_mention_has_ended_no_extent(self, t: Talk) -> None:
        claims = [
            t.lasted("B", "2024", "2025", "2024-01"),
            t.seen("A", "2024-06-01"),
            t.ended("A", "2023", "2024-09"),
        ]
        assert shown(claims) == ["A ..2023", "B 2024..2025"]

    def test_nor_brings_back_one_that_another_ended(self, t: Talk) -> None:
        claims = [t.lasted("B", "2024", "2025", "2024-01"), t.began("C", "2024-06-01", "2024-05")]
        claims += [t.seen("A", "2024-06-01"), t.ended("A", "2023", "2024-09")]
        assert shown(claims) == ["A ..2023", "B 2024..2024-06", "C 2024-06.."]

    def test_nor_one_that_ended_there_anyway(self, t: Talk) -> None:
        claims = [t.lasted("B", "2024", "2025", "2024-01"), t.seen("A", "2024-06-01")]
        claims += [t.ended("B", "2024-06-01T00:00", "2024-07"), t.ended("A", "2023", "2024-09")]
        assert shown(claims) == ["A ..2023", "B 2024..2024-06"]

    def test_it_shortens_an_extent_wherever_it_is_hidden(self, t: Talk) -> None:
        claims = [t.lasted("A", "2024-01", "2024-12", "2024"), t.lasted("B", "2024-03", "2024-05", "2024")]
        assert shown([*claims, t.ended("A", "2024-04", "2024-06")]) == ["A 2024..2024-03", "B 2024-03..2024-05"]

    def test_it_lengthens_the_last_that_had_lapsed(self, t: Talk) -> None:
        claims = [t.lasted("A", "2010", "2012", "2012"), t.lasted("A", "2014", "2016", "2016")]
        assert shown([*claims, t.ended("A", "2018", "2018")]) == ["A 2010..2012", "A 2014..2018"]
        assert shown([*claims, t.ended("A", "2013", "2018")]) == ["A 2010..2013", "A 2014..2016"]

    def test_not_if_something_was_said_to_begin_since(self, t: Talk) -> None:
        claims = [t.since("B", "2005", "2005-05"), t.lasted("A", "2010", "2012", "2012")]
        lengthened = ["B 2005..2010", "A 2010..2014", "B 2014.."]
        assert shown([*claims, t.ended("A", "2014", "2014")]) == lengthened
        assert shown([*claims, t.began("B", "2012-01-01", "2012"), t.ended("A", "2014", "2014")]) == [
            "B 2005..2010",
            "A 2010..2012",
            "B 2012..",
        ]
        assert shown([*claims, t.lasted("C", "2013", "2013-06", "2013"), t.ended("A", "2014", "2014")])[1:3] == [
            "A 2010..2012",
            "B 2012..2013",
        ]
        assert shown([*claims, t.began("B", "2014-01-01", "2014"), t.ended("A", "2014", "2014")]) == lengthened

    def test_an_end_in_the_future_holds_though_the_fact_is_mentioned_before_it(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.ended("A", "2024-12", "2024-06"), t.seen("A", "2024-07-01")]
        assert shown(claims) == ["A 2020..2024-12"]


class TestGrain:
    def test_a_beginning_comes_after_another_facts_inside_its_grain(self, t: Talk) -> None:
        seen = t.seen("A", "2024-05-10")
        assert shown([seen, t.began("B", "2024-05", "2024-05-20")]) == [
            "A 2024-05-10..2024-05-20",
            "B 2024-05-20..",
        ]
        assert shown([seen, t.began("B", "2024-05", "2024-06-20")]) == ["A 2024-05-10..2024-06", "B 2024-06.."]

    def test_said_at_the_very_time_of_the_other_it_comes_at_the_end_of_its_grain(self, t: Talk) -> None:
        claims = [t.seen("A", "2024-05-10"), t.began("B", "2024-05", "2024-05-10")]
        assert shown(claims) == ["A 2024-05-10..2024-06", "B 2024-06.."]

    def test_not_after_one_at_its_start_or_at_its_end(self, t: Talk) -> None:
        assert shown([t.seen("A", "2024-05-01"), t.began("B", "2024-05", "2024-06-20")]) == ["B 2024-05.."]
        assert shown([t.began("A", "2024-06-01", "2024-05-02"), t.began("B", "2024-05", "2024-06-20")]) == [
            "B 2024-05..2024-06",
            "A 2024-06..",
        ]

    def test_nor_after_its_own_fact(self, t: Talk) -> None:
        assert shown([t.seen("A", "2024-05-10"), t.began("A", "2024-05", "2024-05-20")]) == ["A 2024-05.."]
        both = [t.seen("B", "2024-05-05"), t.seen("A", "2024-05-10"), t.began("A", "2024-05", "2024-05-20")]
        assert shown(both) == ["B 2024-05-05..2024-05-10", "A 2024-05-10.."]

    def test_after_the_last_of_several(self, t: Talk) -> None:
        claims = [
            t.seen("A", "2024-02-01"),
            t.began("C", "2024-09-01", "2024-03"),
            t.began("B", "2024", "2024-07-15"),
        ]
        assert shown(claims) == ["A 2024-02..2024-09", "C 2024-09..2025", "B 2025.."]

    def test_moved_to_the_end_of_its_grain_it_stays_before_what_begins_there(self, t: Talk) -> None:
        claims = [t.seen("A", "2024-02-01"), t.began("C", "2025-01-01", "2024-12")]
        assert shown([*claims, t.began("B", "2024", "2025-03")]) == ["A 2024-02..2025", "C 2025.."]

    def test_an_end_comes_after_its_own_facts_beginning_at_or_after_the_start(self, t: Talk) -> None:
        begun = t.began("A", "2024-05-01", "2024-05-02")
        assert shown([begun, t.ended("A", "2024-05", "2024-05-20")]) == ["A 2024-05..2024-05-20"]
        assert shown([begun, t.ended("A", "2024-05", "2024-06-20")]) == ["A 2024-05..2024-06"]
        plan = t.began("A", "2024-05-25", "2024-05-02")
        assert shown([plan, t.ended("A", "2024-05", "2024-05-20")]) == ["A 2024-05-25..2024-06"]
        assert shown([t.lasted("A", "2024-03", "2026", "2024-03"), t.ended("A", "2024", "2024-12-10")]) == [
            "A 2024-03..2024-12-10"
        ]

    def test_an_end_moved_to_the_end_of_its_grain_leaves_the_extent_that_starts_there(self, t: Talk) -> None:
        claims = [t.lasted("A", "2024-02", "2024-11", "2024-11"), t.lasted("A", "2025", "2026", "2025")]
        assert shown([*claims, t.ended("A", "2024", "2027")]) == ["A 2024-02..2026"]

    def test_an_end_does_not_come_after_another_facts(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.seen("B", "2024-05-10"), t.ended("A", "2024-05", "2024-06")]
        assert shown(claims) == ["A 2020..2024-05", "B 2024-05-10.."]

    def test_a_coarse_end_moves_behind_a_beginning_heard_later(self, t: Talk) -> None:
        end = t.ended("A", "2024-05", "2024-05-20")
        assert shown([end, t.began("A", "2024-05-03", "2024-06")]) == ["A 2024-05-03..2024-05-20"]
        assert shown([end, t.began("A", "2024-05-23", "2024-06")]) == ["A 2024-05-23..2024-06"]
        assert shown([end, t.began("A", "2024-05-01", "2024-06")]) == ["A 2024-05..2024-05-20"]
        assert shown([end, t.began("A", "2024-06-01", "2024-06")]) == ["A ..2024-05", "A 2024-06.."]
        old = t.ended("A", "2024-04", "2024-04-20")
        assert shown([old, t.began("A", "2024-05-01", "2024-06")]) == ["A ..2024-04", "A 2024-05.."]

    def test_not_one_whose_grain_is_over(self, t: Talk) -> None:
        claims = [t.began("A", "2010", "2010"), t.ended("A", "2012", "2012"), t.began("A", "2015-01-01", "2015")]
        claims += [t.ended("A", "2015-03", "2015-05"), t.began("A", "2015-06-01", "2016")]
        assert shown(claims) == ["A 2010..2012", "A 2015..2015-03", "A 2015-06.."]

    def test_and_again_behind_the_next_one(self, t: Talk) -> None:
        claims = [
            t.ended("A", "2024", "2024-05"),
            t.began("A", "2024-03-01", "2025"),
            t.began("A", "2024-07-01", "2025"),
        ]
        assert shown(claims[:2]) == ["A 2024-03..2024-05"]
        assert shown(claims) == ["A 2024-03..2025"]


class TestAuthority:
    def test_a_lower_denial_leaves_a_higher_assertion(self, t: Talk) -> None:
        since = t.since("A", "2020", "2022", authority=1)
        assert shown([since, t.denied("A", None, None, "2023")]) == ["A 2020.."]
        assert shown([since, t.denied("A", "2021", "2021-06", "2023")]) == ["A 2020.."]
        assert shown([since, t.denied("A", None, None, "2023", authority=1)]) == []
        extent = t.lasted("A", "2020", "2024", "2022", authority=1)
        assert shown([extent, t.denied("A", None, None, "2023")]) == ["A 2020..2024"]
        assert shown([extent, t.denied("A", "2021", "2022", "2023")]) == ["A 2020..2024"]
        assert shown([extent, t.denied("A", "2022", None, "2023")]) == ["A 2020..2024"]

    def test_nor_a_higher_open_row_from_its_start(self, t: Talk) -> None:
        row = t.lasted("A", "2024", None, "2024", authority=1)
        assert shown([row, t.denied("A", "2024", None, "2025")]) == ["A 2024.."]

    def test_nor_a_higher_mention_during_a_gap_that_was_given_up(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020"), t.denied("A", "2021", "2023", "2020"), t.seen("B", "2021-06-01")]
        claims.append(t.seen("A", "2022-01-01", authority=1))
        assert shown(claims) == ["A 2020..2021", "B 2021-06..2022", "A 2022.."]
        assert shown([*claims, t.denied("A", "2024", "2025", "2026")]) == shown(claims)

    def test_each_assertion_has_its_own_denials(self, t: Talk) -> None:
        claims = [t.seen("A", "2020-01-01"), t.seen("B", "2021-01-01"), t.seen("A", "2022-01-01", authority=1)]
        assert shown([*claims, t.denied("A", None, None, "2023")]) == ["B 2021..2022", "A 2022.."]

    def test_an_open_denial_is_heard_as_any_end(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2022", authority=1), t.denied("A", "2023", None, "2023")]
        assert shown(claims) == ["A 2020..2023"]
        claims = [t.since("A", "2020", "2022"), t.ended("A", "2024", "2023", authority=1)]
        assert shown([*claims, t.denied("A", "2023", None, "2023")]) == ["A 2020..2024"]

    def test_no_correction_at_the_same_instant(self, t: Talk) -> None:
        claims = [t.began("A", "2024-03-01", "2024-03", authority=1), t.began("B", "2024-03-01", "2024-04")]
        assert shown(claims) == ["A 2024-03.."]
        now = "2024-03-01T10:00"
        assert shown([t.seen("A", now, authority=1), t.seen("B", now)]) == ["A 2024-03-01T10:00.."]

    def test_no_clearing_by_since(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020"), t.seen("B", "2022-01-01", authority=1)]
        assert shown([*claims, t.since("A", "2020", "2023")]) == ["A 2020..2022", "B 2022.."]
        claims = [t.since("A", "2020", "2020"), t.ended("A", "2022", "2022", authority=1)]
        assert shown([*claims, t.since("A", "2020", "2023")]) == ["A 2020..2022"]
        claims = [t.since("A", "2020", "2020"), t.lasted("B", "2023", "2025", "2023", authority=1)]
        assert shown([*claims, t.since("A", "2021", "2024")])[1] == "B 2023..2025"

    def test_an_extent_keeps_its_stretch(self, t: Talk) -> None:
        extent = t.lasted("A", "2024-01", "2024-12", "2024", authority=1)
        assert shown([extent, t.seen("B", "2024-06-01")]) == ["A 2024..2024-12", "B 2024-12.."]
        assert shown([extent, t.ended("A", "2024-06", "2024-07")]) == ["A 2024..2024-12"]
        assert shown([extent, t.ended("A", "2025-06", "2025-07")]) == ["A 2024..2024-12"]
        assert shown([extent, t.lasted("A", "2024-01", "2024-06", "2024-07")]) == ["A 2024..2024-12"]
        assert shown([extent, t.lasted("A", "2024-01", "2025-06", "2024-07")]) == ["A 2024..2024-12"]
        assert shown([extent, t.began("B", "2024-01-01", "2024-07")]) == ["A 2024..2024-12", "B 2024-12.."]

    def test_an_end_that_nobody_stated_may_be_set_by_anybody(self, t: Talk) -> None:
        row = t.lasted("A", "2024-01", None, "2024", authority=1)
        assert shown([row, t.seen("B", "2024-06-01")]) == ["A 2024..2024-06", "B 2024-06.."]
        assert shown([row, t.ended("A", "2024-06", "2024-07")]) == ["A 2024..2024-06"]
        assert shown([row, t.lasted("A", "2024-01", "2024-06", "2024-07")]) == ["A 2024..2024-06"]
        assert shown([row, t.denied("A", "2024-06", None, "2024-07")]) == ["A 2024..2024-06"]
        assert shown([row, t.denied("A", None, None, "2024-07")]) == ["A 2024.."]
        assert shown(
            [row, t.ended("A", "2024-06", "2024-07"), t.lasted("A", "2024-01", None, "2024-08", authority=1)]
        ) == ["A 2024.."]

    def test_nor_what_a_higher_end_made_of_a_lower_extent(self, t: Talk) -> None:
        claims = [t.lasted("A", "2024-01", "2024-12", "2024"), t.ended("A", "2024-06", "2024-07", authority=1)]
        assert shown([*claims, t.denied("A", "2024-03", None, "2025")]) == ["A 2024..2024-06"]

    def test_a_beginning_at_the_start_of_a_higher_open_row(self, t: Talk) -> None:
        row = t.lasted("A", "2024-06", None, "2024", authority=1)
        assert shown([row, t.began("B", "2024-06-01", "2024-08")]) == ["A 2024-06.."]

    def test_an_end_whose_stint_has_a_higher_end_is_not_heard(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020"), t.ended("A", "2022", "2022", authority=1)]
        assert shown([*claims, t.ended("A", "2021", "2023")]) == ["A 2020..2022"]
        assert shown([*claims, t.ended("A", "2023", "2023")]) == ["A 2020..2022"]
        assert shown([*claims, t.lasted("A", "2020", "2021", "2023")]) == ["A 2020..2022"]
        assert shown([*claims, t.ended("A", "2023", "2023", authority=1)]) == ["A 2020..2023"]

    def test_a_first_mention_of_higher_authority_stays(self, t: Talk) -> None:
        claims = [t.seen("A", "2024-06-01", authority=1), t.ended("A", "2024-03", "2024-09")]
        assert shown(claims) == ["A ..2024-03", "A 2024-06.."]

    def test_a_higher_end_is_not_moved_by_a_lower_beginning(self, t: Talk) -> None:
        claims = [t.ended("A", "2024-05", "2024-05-20", authority=1), t.began("A", "2024-05-03", "2024-06")]
        assert shown(claims) == ["A ..2024-05", "A 2024-05-03.."]

    def test_anybody_may_say_when_it_began(self, t: Talk) -> None:
        claims = [t.ended("A", "2015", "2015-05", authority=1), t.began("A", "2012", "2016")]
        assert shown(claims) == ["A 2012..2015"]

    def test_a_lower_beginning_that_a_higher_one_hides_moves_nothing(self, t: Talk) -> None:
        now = "2024-07-01T10:00"
        claims = [t.ended("A", "2024", "2024-03"), t.began("B", now, "2024-05", authority=1)]
        assert shown([*claims, t.began("A", now, "2025")]) == ["A ..2024", "B 2024-07-01T10:00.."]

    def test_a_lower_beginning_at_the_instant_of_a_higher_end_leaves_what_held_before(self, t: Talk) -> None:
        claims = [t.ended("A", "2024-07-01T10:00", "2024-08", authority=1)]
        claims.append(t.began("A", "2024-07-01T10:00", "2025"))
        assert shown(claims) == ["A ..2024-07-01T10:00"]

    def test_a_lower_end_at_the_instant_of_a_higher_beginning_says_nothing(self, t: Talk) -> None:
        now = "2024-07-01T10:00"
        assert shown([t.began("A", now, now, authority=1), t.ended("A", now, "2025")]) == ["A 2024-07-01T10:00.."]

    def test_a_lower_denial_does_not_begin_what_it_cannot_take(self, t: Talk) -> None:
        claims = [t.since("A", "2024-02", "2024-03", authority=1), t.denied("A", None, "2024-12", "2025-02")]
        assert shown([*claims, t.ended("A", "2024-07", "2025-08")]) == ["A 2024-02..2024-07"]

    def test_a_cut_by_a_higher_beginning_is_no_stated_end(self, t: Talk) -> None:
        claims = [t.lasted("A", "2024-06", "2025-07", "2024-04"), t.began("B", "2024-12", "2024-12", authority=1)]
        assert shown([*claims, t.denied("A", "2024-11", None, "2025")]) == ["A 2024-06..2024-11", "B 2024-12.."]
        assert shown([*claims, t.ended("A", "2024-11", "2025")]) == ["A 2024-06..2024-11", "B 2024-12.."]


class TestMany:
    def test_facts_do_not_touch_each_other(self, t: Talk) -> None:
        claims = [t.since("A", "2020", "2020-05"), t.began("B", "2022", "2022"), t.ended("C", "2023", "2023")]
        assert shown(claims, MANY) == ["C ..2023", "A 2020..", "B 2022.."]
        assert shown(claims, ONE) == ["A 2020..2022", "B 2022.."]

    def test_overlapping_and_touching_stretches_of_a_fact_are_one(self, t: Talk) -> None:
        claims = [t.lasted("A", "2010", "2012", "2012"), t.lasted("A", "2012", "2013", "2013")]
        claims += [t.lasted("A", "2015", "2017", "2017"), t.lasted("A", "2016", "2018", "2018")]
        assert shown(claims, MANY) == ["A 2010..2013", "A 2015..2018"]

    def test_an_end_shortens_all_extents_that_cover_it(self, t: Talk) -> None:
        claims = [t.lasted("A", "2010", "2014", "2012"), t.lasted("A", "2012", "2016", "2012")]
        assert shown([*claims, t.ended("A", "2013", "2020")], MANY) == ["A 2010..2013"]

    def test_one_that_ended_when_it_began_may_be_lengthened(self, t: Talk) -> None:
        claims = [t.lasted("A", "2010", "2014", "2012"), t.ended("A", "2010-01-01T00:00", "2012")]
        assert shown(claims) == []
        assert shown([*claims, t.ended("A", "2012", "2013")]) == ["A 2010..2012"]

    def test_an_open_row_and_its_end(self, t: Talk) -> None:
        row = t.lasted("A", "2010", None, "2010")
        assert shown([row, t.ended("A", "2013", "2013")], MANY) == ["A 2010..2013"]
        assert shown([row, t.lasted("A", "2010", "2013", "2013")], MANY) == ["A 2010.."]


def _placed(claim: Claim, position: int) -> Claim:
    return replace(claim, position=position)


def _undated(claim: Claim) -> Claim:
    return replace(claim, valid_from=None)
