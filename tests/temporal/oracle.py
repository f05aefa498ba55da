"""A slow and obvious listener: the other opinion on what ``resolve`` must answer.

It shares nothing with ``hitherto.temporal.resolution`` but the values that both take. ``said.py`` has the order in
which things were said and what denials take out of them, ``listener.py`` the fold; here the calendar is painted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from hitherto.temporal.claims import Claim, Says
from hitherto.temporal.rules import Cardinality, PredicateKind, PredicateRule
from tests.temporal.listener import Listener, listen
from tests.temporal.said import AFTER_ALL, BEFORE_ALL, TICK, Stretch, denied_stretch, said_order, without


def event_stretches(claim: Claim, index: int, order: list[Claim]) -> list[Stretch]:
    """An event takes the grain of its time (an extent its stretch), less what is denied of it later."""
    if claim.says in (Says.END, Says.DENIAL):
        return []
    start = claim.valid_from.at if claim.valid_from else claim.stated_at
    grain_end = claim.valid_from.end_of_grain if claim.valid_from else start
    end = claim.valid_to.at if claim.valid_to else max(grain_end, start + TICK)
    left = [(start, end)]
    for denial in order[index + 1 :]:
        hits = denial.says is Says.DENIAL and denial.fact == claim.fact
        if hits and denial.authority >= claim.authority:
            left = without(left, denied_stretch(denial))
    return left


def events(order: list[Claim]) -> Callable[[datetime], frozenset[str]]:
    """Events never supersede: all stand side by side."""
    stretches = [(c.fact, s) for i, c in enumerate(order) for s in event_stretches(c, i, order)]
    return lambda instant: frozenset(fact for fact, (start, end) in stretches if start <= instant < end)


def until_is_an_end(claim: Claim) -> Claim:
    """An extent without a beginning, "until 2022", says that its fact ended then."""
    if claim.says is not Says.EXTENT or claim.valid_from is not None or claim.valid_to is None:
        return claim
    return replace(claim, says=Says.END, valid_from=claim.valid_to, valid_to=None)


def listening(claims: Sequence[Claim], rule: PredicateRule) -> Callable[[datetime], frozenset[str]]:
    """What holds at an instant. Rule 1: claims under the threshold are not heard. Rule 8: with cardinality many
    each fact has a line of its own. (Facts that exclude each other come as one slot of cardinality one.)"""
    order = said_order([until_is_an_end(c) for c in claims if c.confidence >= rule.threshold])
    if rule.kind is PredicateKind.EVENT:
        return events(order)
    lines: list[Listener]
    if rule.cardinality is Cardinality.ONE:
        lines = [listen(order, one_value=True)]
    else:
        facts = sorted({claim.fact for claim in order})
        lines = [listen([c for c in order if c.fact == fact], one_value=False) for fact in facts]
    return lambda instant: frozenset(shown for line in lines if (shown := line.shown_at(instant)) is not None)


def holds(claims: Sequence[Claim], rule: PredicateRule, instant: datetime) -> frozenset[str]:
    """The facts that hold at ``instant``, as far as the careful listener knows."""
    return listening(claims, rule)(instant)


def mentioned_instants(claims: Sequence[Claim]) -> list[datetime]:
    """Where a cell of the calendar can begin: every instant any claim mentions, and the next one."""
    mentioned: set[datetime] = {claim.stated_at for claim in claims}
    for claim in claims:
        for bound in (claim.valid_from, claim.valid_to):
            if bound is not None:
                mentioned |= {bound.at, bound.end_of_grain}
    return sorted({BEFORE_ALL} | mentioned | {instant + TICK for instant in mentioned})


def painted(claims: Sequence[Claim], rule: PredicateRule) -> list[tuple[datetime, datetime, frozenset[str]]]:
    """The calendar, cell by cell: ``(start, end, facts that hold)``; cells alike stand as one."""
    shown_at = listening(claims, rule)
    starts = mentioned_instants(claims)
    cells: list[tuple[datetime, datetime, frozenset[str]]] = []
    for start, end in zip(starts, [*starts[1:], AFTER_ALL], strict=True):
        shown = shown_at(start)
        if cells and cells[-1][2] == shown:
            cells[-1] = (cells[-1][0], end, shown)
        else:
            cells.append((start, end, shown))
    return cells
