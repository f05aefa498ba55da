"""What a correction says fulfils its wish, whatever was said before."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import assume, event, given, settings
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
from hitherto.temporal.intervals import EARLIEST, LATEST, Interval, between
from hitherto.temporal.resolution import resolve
from hitherto.temporal.rules import PredicateRule
from tests.temporal.saying import EVENT, MANY, ONE
from tests.temporal.strategies import FACTS, bounds, slots

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


@settings(max_examples=400)
@given(data=st.data(), rule=st.sampled_from([ONE, ONE, MANY, EVENT]))
def test_a_correction_reads_as_asked(data: st.DataObject, rule: PredicateRule) -> None:
    held = data.draw(slots(kinds=tuple(Says)))
    wish = data.draw(wishes(held, rule))
    said = said_after(held, NOW)
    claims = correcting_claims(held, rule, wish, said)
    assert claims is not None
    event(f"{len(claims)} claims")
    assert all(c.authority == HIGHEST_AUTHORITY and c.stated_at == said for c in claims)
    before, after = resolve(held, rule), resolve([*held, *claims], rule)
    assert wish.takes is not None
    taken = between(wish.takes.valid_from, wish.takes.valid_to)
    given_ = (
        Interval(EARLIEST, EARLIEST) if wish.gives is None else between(wish.gives.valid_from, wish.gives.valid_to)
    )
    edges = {
        e
        for p in (*before, *after)
        for b in (p.valid_from, p.valid_to)
        if b
        for e in (b.at, b.at - timedelta(microseconds=1))
    }
    for at in sorted({*_CELLS, *edges, EARLIEST, LATEST - timedelta(days=1)}):
        then, now = shows(before, at), shows(after, at)
        if wish.gives is not None and given_.contains(at):
            assert wish.gives.fact in now
            if rule is ONE:
                assert now == {wish.gives.fact}
            if wish.gives.fact != wish.takes.fact and taken.contains(at):
                assert wish.takes.fact not in now
        elif taken.contains(at):
            assert wish.takes.fact not in now
        else:
            for fact in {wish.takes.fact, wish.gives.fact if wish.gives else wish.takes.fact}:
                assert (fact in now) == (fact in then)
