"""The listener in small talks, where the cases do not look: authority, and many values."""

from __future__ import annotations

import pytest

from tests.temporal.saying import MANY, ONE, Talk, shown


@pytest.fixture
def t() -> Talk:
    return Talk()


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
