"""How two views differ. The stores compare rows; what reads the same though its rows differ is left out here."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Final

from ..kg.model import Belief
from ..kg.ontology import Ontology
from ..kg.paging import cursor_position, cursor_text
from ..kg.store import FactFilter, Page, Point, Store
from .fetching import every_belief
from .history import as_known
from .results import Diff

_SECTIONS: Final = ("true_only_a", "true_only_b", "believed_only_a", "believed_only_b")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two points of one store's tenant; both instants of each are given."""

    store: Store
    ontology: Ontology
    a: Point
    b: Point


async def differences(pair: Pair, page: Page, zone: tzinfo) -> Diff:
    """A page of the difference: up to ``page.limit`` beliefs, in the order of ``Diff``'s parts."""
    found: dict[str, tuple[Belief, ...]] = dict.fromkeys(_SECTIONS, ())
    section, cursor = _place(page.cursor)
    left = page.limit
    while section < len(_SECTIONS) and left:
        here, there = (pair.a, pair.b) if section % 2 == 0 else (pair.b, pair.a)
        if section > 1:
            here, there = replace(here, valid=None), replace(there, valid=None)
        if here == there:
            section, cursor = section + 1, None
            continue
        rows = await pair.store.beliefs(here, FactFilter(missing_at=there), Page(left, cursor))
        kept = await _only(pair, rows.items, here, there)
        found[_SECTIONS[section]] += kept
        left -= len(kept)
        cursor = rows.cursor
        section += cursor is None
    after = None if section == len(_SECTIONS) else cursor_text((section, cursor or ""))
    return Diff(**found, cursor=after, zone=zone)


def _place(cursor: str | None) -> tuple[int, str | None]:
    position = cursor_position(cursor, (int, str))
    return (0, None) if position is None else (position[0], position[1] or None)


async def _only(pair: Pair, beliefs: Collection[Belief], here: Point, there: Point) -> tuple[Belief, ...]:
    """Those of the beliefs that nothing shown there says as well: the same fact, or, over all of valid time, the
    same period."""
    if not beliefs:
        return ()
    assert here.known is not None
    also = await every_belief(pair.store, there, FactFilter(fact_ids={b.fact.id for b in beliefs}))
    said = {_content(b, there) for b in also}
    seen = (as_known(b, here.known, pair.ontology) for b in beliefs if _content(b, here) not in said)
    return tuple(b for b in seen if b is not None)


def _content(belief: Belief, point: Point) -> tuple[object, ...]:
    if point.valid is not None:
        return (belief.fact.id,)
    return belief.fact.id, belief.valid_from, belief.valid_to
