"""A few words for claims and for what shows, so that a test reads as what was said and what is believed.

Instants are written as in ISO 8601, as coarse as they are meant: "2024", "2024-03", "2024-03-05",
"2024-03-05T10:00" (the last one without width).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from hitherto.temporal.claims import Claim, Period, Says
from hitherto.temporal.grains import Basis, Bound, Grain
from hitherto.temporal.resolution import resolve
from hitherto.temporal.rules import Cardinality, PredicateKind, PredicateRule

ONE = PredicateRule("ONE", cardinality=Cardinality.ONE)
MANY = PredicateRule("MANY")
EVENT = PredicateRule("EVENT", kind=PredicateKind.EVENT)


def when(text: str) -> datetime:
    return datetime.fromisoformat(text + "-01-01T00:00"[len(text) - 4 :]).replace(tzinfo=UTC)


def bound(text: str | None, basis: Basis = Basis.STATED) -> Bound | None:
    if text is None:
        return None
    start = when(text)
    match len(text):
        case 4:
            return Bound(start, Grain.YEAR, start.replace(year=start.year + 1), basis)
        case 7:
            return Bound(start, Grain.MONTH, (start + timedelta(days=32)).replace(day=1), basis)
        case 10:
            return Bound(start, Grain.DAY, start + timedelta(days=1), basis)
        case _:
            return Bound(start, basis=basis)


def exact(text: str | None) -> Bound | None:
    return None if text is None else Bound(when(text))


class Talk:
    """Makes claims whose position is the order in which they are made and whose ids run the other way."""

    def __init__(self) -> None:
        self._count = 0

    def claim(
        self,
        fact: str,
        says: Says,
        start: Bound | None,
        end: Bound | None,
        said: str,
        authority: int = 0,
    ) -> Claim:
        self._count += 1
        return Claim(
            id=f"{1000 - self._count}",
            fact=fact,
            says=says,
            valid_from=start,
            valid_to=end,
            stated_at=when(said),
            position=self._count,
            authority=authority,
        )

    def seen(self, fact: str, at: str, *, authority: int = 0) -> Claim:
        start = Bound(when(at), basis=Basis.DERIVED)
        return self.claim(fact, Says.OBSERVATION, start, None, at, authority)

    def began(self, fact: str, at: str, said: str, *, authority: int = 0) -> Claim:
        return self.claim(fact, Says.DATED_BEGINNING, bound(at), None, said, authority)

    def since(self, fact: str, at: str, said: str, *, authority: int = 0) -> Claim:
        return self.claim(fact, Says.SINCE, bound(at), None, said, authority)

    def lasted(self, fact: str, start: str | None, end: str | None, said: str, *, authority: int = 0) -> Claim:
        return self.claim(fact, Says.EXTENT, bound(start), exact(end), said, authority)

    def ended(self, fact: str, at: str, said: str, *, authority: int = 0) -> Claim:
        return self.claim(fact, Says.END, bound(at), None, said, authority)

    def denied(self, fact: str, start: str | None, end: str | None, said: str, *, authority: int = 0) -> Claim:
        return self.claim(fact, Says.DENIAL, exact(start), exact(end), said, authority)


def written(period: Period) -> str:
    """``A 2024-01..2024-03-05T10:00``: instants as short as they can be, ".." open to a side without one."""
    return f"{period.fact} {_short(period.valid_from)}..{_short(period.valid_to)}"


def _short(bound: Bound | None) -> str:
    if bound is None:
        return ""
    text = bound.at.replace(tzinfo=None).isoformat(timespec="microseconds")
    for tail in (".000000", ":00", "T00:00", "-01", "-01"):
        if not text.endswith(tail):
            break
        text = text.removesuffix(tail)
    return text


def shown(claims: Iterable[Claim], rule: PredicateRule = ONE) -> list[str]:
    return [written(period) for period in resolve(claims, rule)]
