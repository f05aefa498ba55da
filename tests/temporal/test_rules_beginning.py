"""The listener in small talks, where the cases do not look: observations, beginnings and extents."""

from __future__ import annotations

import pytest

from tests.temporal.saying import MANY, Talk, shown


@pytest.fixture
def t() -> Talk:
    return Talk()


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
