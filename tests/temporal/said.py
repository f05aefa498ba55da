"""What was said, in which order, what later denials leave of it, and what it is kept as. Part of the oracle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from hitherto.temporal.claims import Claim, Says

BEFORE_ALL = datetime.min.replace(tzinfo=UTC)
AFTER_ALL = datetime.max.replace(tzinfo=UTC)
TICK = timedelta(microseconds=1)

Stretch = tuple[datetime, datetime]


@dataclass(eq=False, slots=True)
class Change:
    """ "``fact`` begins at ``at``", or ends there."""

    begins: bool
    fact: str
    at: datetime
    heard: int
    claim: Claim
    grain_end: datetime
    at_grain_end: bool = False
    """It stands in the last moment of its grain: before whatever else is dated ``at``."""
    stated: bool = True
    """Whether somebody dated it; a mention only shows that its fact held by then."""
    inferred: bool = False
    """A beginning that nobody stated: the fact ended, so it held before."""
    gap: Stretch | None = None
    """The denied stretch, for the two changes a bounded denial makes."""

    def order(self) -> tuple[datetime, int, int]:
        return (self.at, 0 if self.at_grain_end else 1, self.heard)


@dataclass(frozen=True, slots=True)
class Hole:
    """What was denied of an extent, and when that was heard (for one yet to be heard: after everything)."""

    start: datetime
    end: datetime
    heard: int

    def spans(self, instant: datetime) -> bool:
        return self.start <= instant < self.end


@dataclass(eq=False, slots=True)
class Extent:
    """``fact`` from ``start`` to ``end``, laid over the line."""

    fact: str
    start: datetime
    end: datetime
    heard: int
    claim: Claim
    end_authority: int | None
    """Authority of whoever said where it ends; None while nobody has."""
    told_open: bool
    holes: list[Hole] = field(default_factory=list)
    cut_by: Change | None = None
    uncut: tuple[datetime, int | None] = (AFTER_ALL, None)
    """Its end, and who said it, before ``cut_by`` fell inside."""

    def spans(self, instant: datetime) -> bool:
        return self.start <= instant < self.end

    def covers(self, instant: datetime) -> bool:
        return self.spans(instant) and not any(hole.spans(instant) for hole in self.holes)


def said_order(claims: Sequence[Claim]) -> list[Claim]:
    """By (stated_at, position in the episode, content, id), never by arrival."""

    def key(claim: Claim) -> tuple[datetime, int, str, str]:
        content = repr((claim.says, claim.fact, claim.valid_from, claim.valid_to, claim.authority))
        return (claim.stated_at, claim.position, content, claim.id)

    return sorted(claims, key=key)


def denied_stretch(denial: Claim) -> Stretch:
    return (
        denial.valid_from.at if denial.valid_from else BEFORE_ALL,
        denial.valid_to.at if denial.valid_to else AFTER_ALL,
    )


def vouched_stretch(claim: Claim) -> Stretch:
    """What an assertion vouches for. A since: up to and with the moment it was said. A beginning: its instant."""
    start = claim.valid_from.at if claim.valid_from else claim.stated_at
    if claim.says is Says.EXTENT:
        start = claim.valid_from.at if claim.valid_from else BEFORE_ALL
        return (start, claim.valid_to.at if claim.valid_to else AFTER_ALL)
    if claim.says is Says.SINCE and claim.stated_at > start:
        return (start, claim.stated_at + TICK)
    return (start, start + TICK)


def without(stretches: list[Stretch], taken: Stretch) -> list[Stretch]:
    if taken[0] >= taken[1]:
        return stretches
    left: list[Stretch] = []
    for start, end in stretches:
        left += [(start, min(end, taken[0])), (max(start, taken[1]), end)]
    return [(start, end) for start, end in left if start < end]


def rule_1_what_is_left(claim: Claim, index: int, order: list[Claim]) -> list[Stretch]:
    """Denials come first: each takes its interval out of the assertions of its fact that were said before it
    (but not, rule 7, out of those of a higher authority). Nothing left: it was never said."""
    left = [vouched_stretch(claim)]
    for denial in order[index + 1 :]:
        if denial.says is not Says.DENIAL or denial.fact != claim.fact:
            continue
        if denial.authority >= claim.authority:
            left = without(left, denied_stretch(denial))
    return left


def first_mention(fact: str, order: list[Claim]) -> int:
    """Where the fact is first spoken of as holding or ending. A denial is no such mention."""
    for index, claim in enumerate(order):
        if claim.fact != fact or claim.says is Says.DENIAL:
            continue
        if claim.says is Says.END or rule_1_what_is_left(claim, index, order):
            return index
    raise AssertionError(f"{fact} is never mentioned")


def behind(
    inside: list[datetime], at: datetime, grain_end: datetime, said: datetime
) -> tuple[datetime, bool, datetime]:
    """Rule 6: where a change stands that comes after those ``inside`` its grain: at the time it was said if that
    lies inside the grain and later than they, else at the grain's end. Returns where, whether in the grain's last
    moment, and the grain's end."""
    if not inside:
        return (at, False, grain_end)
    if max(inside) < said < grain_end:
        return (said, False, grain_end)
    return (grain_end, True, grain_end)
