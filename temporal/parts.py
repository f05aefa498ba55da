"""Early, mid and late: the parts of a month, a year or another stretch."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from .calendar import add_months, floor_local
from .grains import Grain
from .stretches import DAY, Stretch

_MONTHS = {Grain.YEAR: 4, Grain.HALF: 2, Grain.QUARTER: 1, Grain.SEASON: 1}
"""A third of each, in months."""


def third(whole: Stretch, part: int, *, edge: bool = False) -> Stretch | None:
    """Early, middle or late (0, 1, 2): a third, said with the grain of the whole. That is four months of a year,
    ten days of a month. ``edge``: it was called the end, not only late."""
    match whole.grain:
        case Grain.MONTH:
            edges = [whole.start, whole.start + 10 * DAY, whole.start + 20 * DAY, whole.end]
        case Grain.YEAR | Grain.HALF | Grain.QUARTER | Grain.SEASON as grain:
            edges = [add_months(whole.start, _MONTHS[grain] * n) for n in range(3)] + [whole.end]
        case Grain.INSTANT | Grain.SECOND | Grain.MINUTE:
            return None
        case _:
            return _of_width(whole, part)
    if not whole.start < edges[1] < edges[2] < whole.end:
        return _of_width(whole, part)
    return Stretch(edges[part], edges[part + 1], whole.grain, edge and part == 2)


def _of_width(whole: Stretch, part: int) -> Stretch:
    """A third of something that is not counted in months."""
    width: timedelta = (whole.end - whole.start) / 3
    finer = Grain.YEAR if whole.grain in (Grain.DECADE, Grain.CENTURY) else Grain.DAY
    finer = Grain.HOUR if whole.grain in (Grain.DAY, Grain.HOUR) else finer
    start, end = whole.start + part * width, whole.end if part == 2 else whole.start + (part + 1) * width
    return Stretch(floor_local(start, finer), floor_local(end, finer) if part < 2 else end, finer)


def last(piece: Stretch) -> Stretch:
    """Where a change at the end of something stands: the last month of a year, the last ten days of a month."""
    if piece.grain not in (Grain.YEAR, Grain.HALF):
        return piece
    return replace(piece, start=add_months(piece.end, -1))
