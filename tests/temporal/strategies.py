"""Small slots for hypothesis: a calendar of 2024 to 2026, mixed grains, every way of speaking about a fact."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from hitherto.temporal.claims import Claim, Says
from hitherto.temporal.grains import Basis, Bound, Grain

FACTS = ("A", "B", "C")
MONTHS = [datetime(2024 + i // 12, 1 + i % 12, 1, tzinfo=UTC) for i in range(25)]
DAYS = [datetime(2025, 1, day, tzinfo=UTC) for day in (2, 3, 10)]
HOURS = [datetime(2025, 1, 2, hour, tzinfo=UTC) for hour in (9, 12, 15)]
INSTANTS = MONTHS[::3] + MONTHS[12:15] + DAYS + HOURS


def year(at: datetime) -> Bound:
    return Bound(datetime(at.year, 1, 1, tzinfo=UTC), Grain.YEAR, datetime(at.year + 1, 1, 1, tzinfo=UTC))


def month(at: datetime) -> Bound:
    start = datetime(at.year, at.month, 1, tzinfo=UTC)
    return Bound(start, Grain.MONTH, datetime(at.year + at.month // 12, at.month % 12 + 1, 1, tzinfo=UTC))


def day(at: datetime) -> Bound:
    start = datetime(at.year, at.month, at.day, tzinfo=UTC)
    return Bound(start, Grain.DAY, start + timedelta(days=1))


def instant(at: datetime) -> Bound:
    return Bound(at)


def instants() -> st.SearchStrategy[datetime]:
    return st.sampled_from(INSTANTS)


def bounds() -> st.SearchStrategy[Bound]:
    return st.builds(lambda cut, at: cut(at), st.sampled_from((month, year, day, instant)), instants())


@st.composite
def claims(
    draw: st.DrawFn, position: int, facts: tuple[str, ...], kinds: tuple[Says, ...], open_ended: bool
) -> Claim:
    """One claim. Its ``position`` is its own, so that the order of saying never hangs on content or id.
    ``open_ended``: extents may be without an end."""
    says = draw(st.sampled_from(kinds))
    stated_at = draw(instants())
    valid_from: Bound | None = draw(bounds())
    valid_to: Bound | None = None
    if says is Says.OBSERVATION:
        late = draw(st.integers(0, 4)) == 0
        valid_from = Bound(draw(instants()) if late else stated_at, basis=Basis.DERIVED)
    elif says is Says.EXTENT and valid_from is not None:
        after = [at for at in INSTANTS if at > valid_from.at]
        ends = st.sampled_from(sorted(after) or [datetime(2200, 1, 1, tzinfo=UTC)]).map(Bound)
        valid_to = draw(st.none() | ends if open_ended else ends)
    elif says is Says.DENIAL:
        valid_from, valid_to = draw(denied())
    elif says is not Says.END and draw(st.integers(0, 9)) == 0:
        valid_from = None
    return Claim(
        id=f"c{position}",
        fact=draw(st.sampled_from(facts)),
        says=says,
        valid_from=valid_from,
        valid_to=valid_to,
        stated_at=stated_at,
        position=position,
        authority=draw(st.sampled_from((0, 0, 0, 1))),
        confidence=draw(st.sampled_from((1.0,) * 8 + (0.5, 0.3))),
    )


@st.composite
def denied(draw: st.DrawFn) -> tuple[Bound | None, Bound | None]:
    first, last = sorted(draw(st.lists(instants(), min_size=2, max_size=2, unique=True)))
    start, end = draw(st.sampled_from(((1, 1), (1, 1), (1, 0), (0, 1), (0, 0))))
    return (Bound(first) if start else None, Bound(last) if end else None)


@st.composite
def slots(
    draw: st.DrawFn,
    *,
    facts: tuple[str, ...] = FACTS,
    kinds: tuple[Says, ...] = tuple(Says),
    most: int = 7,
    open_ended: bool = False,
) -> list[Claim]:
    """One to ``most`` claims of one slot, in an order of arrival of their own."""
    size = draw(st.integers(1, most))
    held = [draw(claims(position, facts, kinds, open_ended)) for position in range(size)]
    return draw(st.permutations(held))
