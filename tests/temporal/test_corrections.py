"""What a correction says fulfils its wish, whatever was said before."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hitherto.temporal.claims import Claim, Period, Says
from hitherto.temporal.corrections import (
    HIGHEST_AUTHORITY,
    Wish,
    correcting_claims,
    next_beginning,
    said_after,
)
from hitherto.temporal.grains import Bound
from hitherto.temporal.intervals import EARLIEST, LATEST, between
from hitherto.temporal.resolution import resolve
from hitherto.temporal.rules import PredicateRule
from tests.temporal.saying import EVENT, MANY, ONE, Talk, bound, exact, when
from tests.temporal.strategies import FACTS, bounds, slots

TICK = timedelta(microseconds=1)
NOW = datetime(2026, 6, 1, tzinfo=UTC)
_CELLS = [datetime(2023, 1, 1, tzinfo=UTC) + timedelta(days=9) * n for n in range(200)]


@st.composite
def wishes(draw: st.DrawFn, held: list[Claim], rule: PredicateRule) -> Wish:
    periods = resolve(held, rule)
    assume(periods)
    takes = draw(st.sampled_from(periods))
    kind = draw(st.sampled_from(["never", "from", "to", "open", "object", "all"]))
    gives = takes
    if kind == "never":
        return Wish(takes, None)
    if kind in ("from", "all"):
        gives = replace(gives, valid_from=draw(bounds()))
    if kind in ("to", "all"):
        gives = replace(gives, valid_to=Bound(draw(bounds()).at))
    if kind in ("object", "all"):
        assume(rule is not MANY)
        gives = replace(gives, fact=draw(st.sampled_from([f for f in (*FACTS, "D") if f != takes.fact])))
    if kind == "open":
        assume(takes.valid_to and rule is not EVENT)
        own = [p for p in periods if p.fact == takes.fact or rule is ONE]
        gives = replace(gives, valid_to=next_beginning(own, takes))
    assume(
        (gives.fact, between(gives.valid_from, gives.valid_to))
        != (takes.fact, between(takes.valid_from, takes.valid_to))
    )
    assume(not between(gives.valid_from, gives.valid_to).empty)
    if gives.valid_from is None:
        assume(gives.valid_to)
    return Wish(takes, gives)


def shows(periods: tuple[Period, ...], at: datetime) -> set[str]:
    return {p.fact for p in periods if between(p.valid_from, p.valid_to).contains(at)}


def instants(periods: tuple[Period, ...]) -> list[datetime]:
    """Cells, and both sides of every edge."""
    edges = {bound.at for p in periods for bound in (p.valid_from, p.valid_to) if bound}
    return sorted({*_CELLS, *edges, *(edge - TICK for edge in edges), EARLIEST, LATEST - TICK})


def check(held: list[Claim], rule: PredicateRule, wish: Wish) -> None:
    claims = correcting_claims(held, rule, wish, said_after(held, NOW))
    assert wish.takes is not None
    if claims is None:
        # Nothing says "since nobody knows when" of its own accord.
        assert wish.takes.valid_from is None or (wish.gives and wish.gives.valid_from is None)
        return
    assert all(claim.authority == HIGHEST_AUTHORITY for claim in claims)
    before, after = resolve(held, rule), resolve([*held, *claims], rule)
    takes, gives = wish.takes, wish.gives
    taken = between(takes.valid_from, takes.valid_to)
    unknown = {p.fact: between(None, p.valid_to) for p in before if p.valid_from is None}
    for at in instants((*before, *after, *(p for p in (takes, gives) if p))):
        then, now = shows(before, at), shows(after, at)
        if gives is not None and between(gives.valid_from, gives.valid_to).contains(at):
            assert gives.fact in now
            assert rule is not ONE or now == {gives.fact}
            assert not taken.contains(at) or gives.fact == takes.fact or takes.fact not in now
        elif taken.contains(at):
            assert takes.fact not in now
        else:
            for fact in {takes.fact, gives.fact if gives else takes.fact}:
                vague = gives and gives.valid_from and fact in unknown and unknown[fact].contains(at)
                assert (fact in now) == (fact in then) or (vague and fact not in now)


@settings(max_examples=150)
@given(data=st.data(), rule=st.sampled_from([ONE, ONE, MANY, EVENT]))
def test_a_correction_reads_as_asked(data: st.DataObject, rule: PredicateRule) -> None:
    held = data.draw(slots(most=5))
    check(held, rule, data.draw(wishes(held, rule)))


@pytest.mark.slow
@settings(max_examples=1_000)
@given(data=st.data(), rule=st.sampled_from([ONE, ONE, MANY, EVENT]))
def test_a_correction_reads_as_asked_at_length(data: st.DataObject, rule: PredicateRule) -> None:
    held = data.draw(slots())
    check(held, rule, data.draw(wishes(held, rule)))


def said(claims: tuple[Claim, ...] | None) -> list[tuple[str, str, Bound | None, Bound | None]]:
    return [(c.says.value, c.fact, c.valid_from, c.valid_to) for c in claims or ()]


def test_it_says_no_more_than_it_must() -> None:
    """A corrected beginning is a beginning and not an extent, so that what ends the fact later is heard."""
    talk = Talk()
    held = [talk.claim("A", Says.DATED_BEGINNING, bound("2020"), None, "2021-01-01")]
    takes = resolve(held, ONE)[0]
    later = replace(takes, valid_from=bound("2021"))
    assert said(correcting_claims(held, ONE, Wish(takes, later), NOW)) == [
        ("denial", "A", bound("2020"), bound("2021")),
        ("dated_beginning", "A", bound("2021"), None),
    ]
    earlier = replace(takes, valid_from=bound("2019"))
    assert said(correcting_claims(held, ONE, Wish(takes, earlier), NOW)) == [
        ("dated_beginning", "A", bound("2019"), None),
    ]
    ended = replace(takes, valid_to=exact("2022"))
    assert said(correcting_claims(held, ONE, Wish(takes, ended), NOW)) == [("end", "A", exact("2022"), None)]
    assert said(correcting_claims(held, ONE, Wish(takes, None), NOW)) == [("denial", "A", bound("2020"), None)]
    other = replace(takes, fact="B")
    assert said(correcting_claims(held, ONE, Wish(takes, other), NOW)) == [
        ("denial", "A", bound("2020"), None),
        ("dated_beginning", "B", bound("2020"), None),
    ]


def test_what_is_never_true_leaves_what_it_had_covered() -> None:
    talk = Talk()
    held = [
        talk.claim("A", Says.DATED_BEGINNING, bound("2018"), None, "2018-06-01"),
        talk.claim("B", Says.DATED_BEGINNING, bound("2020"), None, "2020-06-01"),
        talk.claim("B", Says.END, bound("2022"), None, "2022-06-01"),
    ]
    claims = correcting_claims(held, ONE, Wish(resolve(held, ONE)[1], None), NOW)
    assert claims is not None
    assert resolve([*held, *claims], ONE) == (Period("A", bound("2018"), None),)


def test_said_after_everything_it_bears_on() -> None:
    talk = Talk()
    past = talk.claim("A", Says.OBSERVATION, None, None, "2020-01-01")
    future = talk.claim("A", Says.OBSERVATION, None, None, "2040-01-01")
    assert said_after([past], NOW) == NOW
    assert said_after([], NOW) == NOW
    assert said_after([past, future], NOW) == when("2040") + TICK
    assert said_after([replace(past, stated_at=NOW)], NOW) == NOW + TICK
    assert said_after([replace(past, stated_at=LATEST)], NOW) == LATEST


def test_the_next_beginning() -> None:
    periods = [
        Period("A", exact("2018"), exact("2019")),
        Period("B", exact("2021"), None),
        Period("C", None, None),
    ]
    assert next_beginning(periods, periods[0]) == exact("2021")
    assert next_beginning(periods, periods[1]) is None
    assert next_beginning(periods, Period("D", None, exact("2021"))) == exact("2021")
