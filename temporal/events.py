"""Facts of kind event: they happen at a time, end of themselves and never take over from one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from .claims import Claim, Period, Says
from .denials import Denials
from .intervals import Interval, Union, between
from .listening import beginning_of


def read_events(claims: Sequence[Claim]) -> list[Period]:
    """The periods of one fact's claims, which are in the order they were said.

    Each assertion is a period: an extent with an end its stretch, anything else the grain of its time (a
    microsecond at least). A denial takes its interval out of those said before it, unless they have a higher
    authority. An end says nothing. Touching periods are one.
    """
    denials = Denials({claim.authority for claim in claims})
    held: list[Period] = []
    for claim in reversed(claims):
        if claim.says is Says.DENIAL:
            denials.add(claim)
        elif claim.says is not Says.END:
            held.extend(_left(_happened(claim), claim, denials))
    return _joined(held)


def _happened(claim: Claim) -> Period:
    if _spans(claim):
        return Period(claim.fact, claim.valid_from, claim.valid_to)
    start = beginning_of(claim)
    end = max(start.end_of_grain, start.at + start.at.resolution)
    return Period(claim.fact, start, replace(start, at=end, grain_end=end))


def _spans(claim: Claim) -> bool:
    return claim.valid_to is not None


def _stretch(period: Period) -> Interval:
    return between(period.valid_from, period.valid_to)


def _left(period: Period, claim: Claim, denials: Denials) -> Iterator[Period]:
    denied = (denials.of(claim.authority) or Union()).within(_stretch(period))
    for gap in denied:
        if _stretch(period).low < gap.low:
            yield replace(period, valid_to=denials.begun[gap.low])
        if gap.high >= _stretch(period).high:
            return
        period = replace(period, valid_from=denials.ended[gap.high])
    if not _stretch(period).empty:
        yield period


def _joined(periods: list[Period]) -> list[Period]:
    joined: list[Period] = []
    for period in sorted(periods, key=lambda period: (_stretch(period).low, _stretch(period).high)):
        if joined and _stretch(joined[-1]).touches(_stretch(period)):
            if _stretch(joined[-1]).high < _stretch(period).high:
                joined[-1] = replace(joined[-1], valid_to=period.valid_to)
        else:
            joined.append(period)
    return joined
