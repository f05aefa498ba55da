"""What must be said so that a belief reads otherwise: the claims of a correction. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from .claims import Claim, Period, Says
from .grains import Basis, Bound
from .intervals import EARLIEST, LATEST, Interval, Union, between
from .resolution import resolve
from .rules import Cardinality, PredicateKind, PredicateRule

HIGHEST_AUTHORITY: Final = 2**31 - 1
"""What corrections speak with: only another correction, said later, undoes one."""

_TICK: Final = timedelta(microseconds=1)
_ROUNDS: Final = 3

Shown: TypeAlias = "tuple[tuple[datetime, datetime], ...]"
"""Where a fact shows: disjoint stretches in order, ``EARLIEST`` and ``LATEST`` for open sides."""


@dataclass(frozen=True, slots=True)
class Wish:
    """``gives`` is to hold instead of ``takes``. Without ``gives`` the period was never true; without ``takes``
    (the fact that takes over has a slot of its own) something is added."""

    takes: Period | None
    gives: Period | None


def said_after(claims: Iterable[Claim], now: datetime) -> datetime:
    """When a correction counts as said: now, or just after the last claim that is dated later than now, so that it
    also beats what speaks from the future (a row of a table counts as said when it begins)."""
    last = max((claim.stated_at for claim in claims), default=EARLIEST)
    return now if last < now else min(last, LATEST - _TICK) + _TICK


def next_beginning(periods: Iterable[Period], after: Period) -> Bound | None:
    """The bound at which the next of these periods begins that does not begin before ``after`` ends."""
    end = LATEST if after.valid_to is None else after.valid_to.at
    later = [p.valid_from for p in periods if p.valid_from is not None and p.valid_from.at >= end]
    return min(later, key=lambda bound: bound.at, default=None)


def correcting_claims(
    claims: Sequence[Claim], rule: PredicateRule, wish: Wish, said: datetime
) -> tuple[Claim, ...] | None:
    """Claims that, heard with those of the slot, fulfil the wish: what it gives shows for its whole stretch, what
    it takes shows in no other part of its former one, and elsewhere both facts show where they did (but a stretch
    of which nobody said the beginning gives way to a beginning that is said). None: there are no such claims.

    Of several ways the one is taken that says least: a corrected beginning is a beginning, and only where that
    would not do an extent. So what is said later, or arrives late about other times, is heard as ever.
    ``said`` must be later than every claim's ``stated_at`` (see ``said_after``).
    """
    facts = {period.fact for period in (wish.takes, wish.gives) if period is not None}
    before = resolve(claims, rule)
    is_one = rule.cardinality is Cardinality.ONE and rule.kind is PredicateKind.STATE
    given = () if wish.gives is None else (wish.gives,)
    wanted = {fact: _wanted(fact, before, wish, is_one=is_one) for fact in facts}
    aim = _Aim(wanted, (*given, *before), said)
    aims = [aim]
    if wish.gives and wish.gives.valid_from:
        aims.append(replace(aim, begun=wish.gives.valid_from.at))
    ways = list(_ways(wish, rule))
    for aim in aims:
        for rounds, tried in ((1, ways), (_ROUNDS, [*ways, _pinned(aim)])):
            for way in tried:
                mended = _mended(way, claims, rule, (aim, rounds))
                if mended is not None:
                    return mended
    return None


@dataclass(frozen=True, slots=True)
class _Aim:
    """Where each fact is to show. ``begun``: before that it need not where it had since nobody knows when."""

    wanted: dict[str, Shown]
    periods: Sequence[Period]
    """Whose bounds are used where they fit."""
    said: datetime
    begun: datetime = EARLIEST

    def too_much(self, fact: str, shown: Shown) -> Shown:
        return _minus(shown, self.wanted[fact])

    def too_little(self, fact: str, shown: Shown) -> Shown:
        missing = _minus(self.wanted[fact], shown)
        needed = ((self.begun if low == EARLIEST else low, high) for low, high in missing)
        return tuple(part for part in needed if part[0] < part[1])


@dataclass(frozen=True, slots=True)
class _Saying:
    says: Says
    fact: str
    start: Bound | None
    end: Bound | None = None


def _ways(wish: Wish, rule: PredicateRule) -> Iterator[list[_Saying]]:
    """Sayings that may do, the ones that say least first."""
    takes, gives = wish.takes, wish.gives
    if gives is None:
        assert takes is not None
        yield [_denial(takes)]
        return
    denied = [_denial(takes)] if takes else []
    whole = _Saying(Says.EXTENT, gives.fact, gives.valid_from, gives.valid_to)
    ended = [_Saying(Says.END, gives.fact, gives.valid_to)] if gives.valid_to else []
    begun = [_Saying(Says.DATED_BEGINNING, gives.fact, gives.valid_from)] if gives.valid_from else []
    if takes is None or takes.fact != gives.fact or rule.kind is PredicateKind.EVENT:
        if begun and (not ended or rule.kind is PredicateKind.EVENT or rule.cardinality is Cardinality.ONE):
            yield [*denied, *begun]
        if begun:
            yield [*denied, whole]
        yield [*denied, *begun, *ended]
        return
    yield from _moved(takes, gives)
    if begun:
        yield [*_denials(takes, gives), whole]


def _moved(takes: Period, gives: Period) -> Iterator[list[_Saying]]:
    """The same fact with other ends."""
    fact, old, new = gives.fact, _interval(takes), _interval(gives)
    denied, said = _denials(takes, gives), []
    if gives.valid_from and new.low != old.low:
        said.append(_Saying(Says.DATED_BEGINNING, fact, gives.valid_from))
    if takes.valid_to and old.high < new.high:
        said.append(_Saying(Says.DATED_BEGINNING, fact, Bound(old.high)))
    if gives.valid_to and new.high < old.high:
        said.append(_Saying(Says.END, fact, gives.valid_to))
    yield [d for d in denied if d.start is None or d.start.at < new.low] + said
    if gives.valid_to and new.high > old.high:
        yield [*denied, *said[:-1], _Saying(Says.END, fact, gives.valid_to)]
    yield [*denied, *said]
    more = [
        _Saying(Says.EXTENT, fact, _bound(part.low, gives, takes), _bound(part.high, gives, takes))
        for part in _rest(new, old)
        if part.low != EARLIEST
    ]
    yield [*denied, *more]


def _denials(takes: Period, gives: Period) -> list[_Saying]:
    """What of ``takes`` is not in ``gives``, denied."""
    return [
        _Saying(Says.DENIAL, takes.fact, _bound(part.low, gives, takes), _bound(part.high, gives, takes))
        for part in _rest(_interval(takes), _interval(gives))
    ]


def _denial(period: Period) -> _Saying:
    return _Saying(Says.DENIAL, period.fact, _stated(period.valid_from), _stated(period.valid_to))


def _pinned(aim: _Aim) -> list[_Saying]:
    """The last resort: all that is wanted of the facts, said anew."""
    sayings = [_Saying(Says.DENIAL, fact, None) for fact in aim.wanted]
    for fact, shown in aim.wanted.items():
        sayings += [_Saying(Says.EXTENT, fact, *_ends(part, aim.periods)) for part in shown]
    return sayings


def _mended(
    way: list[_Saying], claims: Sequence[Claim], rule: PredicateRule, goal: tuple[_Aim, int]
) -> tuple[Claim, ...] | None:
    """The way's claims, with more that take away what else it brings and restore what else it takes; None if that
    does not fulfil the wish within so many rounds."""
    aim, rounds = goal
    for _ in range(rounds):
        tried = _claims(way, aim.said)
        after = resolve([*claims, *tried], rule)
        denials, extents = [], []
        for fact in aim.wanted:
            shown = _shown(fact, after)
            denials += [
                _Saying(Says.DENIAL, fact, *_ends(part, aim.periods)) for part in aim.too_much(fact, shown)
            ]
            extents += [
                _Saying(Says.EXTENT, fact, *_ends(part, aim.periods)) for part in aim.too_little(fact, shown)
            ]
        if not denials and not extents:
            return tried
        way = [*denials, *way, *extents]
    return None


def _claims(way: Sequence[_Saying], said: datetime) -> tuple[Claim, ...]:
    """Denials are said first, so that they touch nothing that the correction itself asserts."""
    ordered = sorted(way, key=lambda saying: saying.says is not Says.DENIAL)
    return tuple(
        Claim(
            id=f"correction {position}",
            fact=saying.fact,
            says=saying.says,
            valid_from=_stated(saying.start),
            valid_to=_stated(saying.end),
            stated_at=said,
            position=position,
            authority=HIGHEST_AUTHORITY,
        )
        for position, saying in enumerate(ordered)
    )


def _wanted(fact: str, before: Sequence[Period], wish: Wish, *, is_one: bool) -> Shown:
    parts = [_interval(period) for period in before if period.fact == fact and period != wish.takes]
    if wish.gives is None:
        return _union(parts)
    given = _interval(wish.gives)
    if wish.gives.fact == fact:
        return _union([*parts, given])
    return _minus(_union(parts), ((given.low, given.high),)) if is_one else _union(parts)


def _shown(fact: str, periods: Iterable[Period]) -> Shown:
    return _union(_interval(period) for period in periods if period.fact == fact)


def _union(parts: Iterable[Interval]) -> Shown:
    union = Union()
    for part in parts:
        union.add(part)
    return tuple((part.low, part.high) for part in union.within(Interval()))


def _minus(left: Shown, right: Shown) -> Shown:
    parts = [Interval(*ends) for ends in left]
    for ends in right:
        parts = [rest for part in parts for rest in _rest(part, Interval(*ends))]
    return tuple((part.low, part.high) for part in parts)


def _rest(part: Interval, less: Interval) -> list[Interval]:
    """What is left of ``part``: none, one or two stretches."""
    before = Interval(part.low, min(part.high, less.low))
    after = Interval(max(part.low, less.high), part.high)
    return [rest for rest in (before, after) if not rest.empty]


def _interval(period: Period) -> Interval:
    return between(period.valid_from, period.valid_to)


def _ends(part: tuple[datetime, datetime], periods: Sequence[Period]) -> tuple[Bound | None, Bound | None]:
    return _bound(part[0], *periods), _bound(part[1], *periods)


def _bound(at: datetime, *periods: Period) -> Bound | None:
    """The instant as one of the periods has it as a bound."""
    if at in (EARLIEST, LATEST):
        return None
    bounds = (bound for period in periods for bound in (period.valid_from, period.valid_to))
    return next((bound for bound in bounds if bound is not None and bound.at == at), Bound(at))


def _stated(bound: Bound | None) -> Bound | None:
    """As a claim may have it: inferred bounds are of periods only."""
    return replace(bound, basis=Basis.STATED) if bound and bound.basis is Basis.INFERRED else bound
