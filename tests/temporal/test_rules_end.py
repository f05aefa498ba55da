"""The listener in small talks, where the cases do not look: ends, and grains."""

from __future__ import annotations

import pytest

from tests.temporal.saying import Talk, shown


@pytest.fixture
def t() -> Talk:
    return Talk()


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
