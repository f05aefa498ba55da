"""What came to be believed and what ceased to be, in order of transaction time."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

from ....temporal.instants import from_us, to_us
from ....temporal.intervals import Interval
from ...model import Belief
from ...paging import Position, cursor_position, paged
from ...store import BeliefChange, FactFilter, Page, Slice
from . import periods
from .points import Instants
from .rows import Row
from .schema import ALWAYS, NEVER


def page(
    db: sqlite3.Connection, tenant: int, at: Instants, where: FactFilter, stretch: Interval, page: Page
) -> Slice[BeliefChange]:
    """See ``Store.changes``."""
    after = cursor_position(page.cursor, (int, int, str)) or (ALWAYS, 0, "")
    since = ALWAYS if stretch.start is None else to_us(stretch.start)
    until = NEVER if stretch.end is None else to_us(stretch.end)
    if not at.all_known:
        until = min(until, at.known_us + 1)
    ever = replace(at, known_us=NEVER)
    found: list[tuple[Position, Row]] = []
    for added in (0, 1):
        column, index = ("p.ingested_us", "period_came") if added else ("p.superseded_us", "period_went")
        source, conditions, params = periods.source_of(ever, where, index)
        # The partial index is only used where the query says its condition.
        tests = [ever.period(), *conditions, f"{column} < :until_tx", *([] if added else [f"{column} < {NEVER}"])]
        sql = (
            f"{source} WHERE p.tenant = :tenant AND {' AND '.join(tests)} AND {column} >= :since_tx "
            f"AND ({column}, {added}, p.id) > (:after_us, :after_side, :after_id) "
            f"ORDER BY {column}, p.id LIMIT :limit"
        )
        place = dict(zip(("after_us", "after_side", "after_id"), after, strict=True))
        limits = {"since_tx": max(since, after[0]), "until_tx": until, "limit": page.limit + 1}
        rows = db.execute(sql, {**ever.params(tenant), **params, **place, **limits})
        found += [((row[17 if added else 18], added, row[8]), row) for row in rows]
    found.sort(key=lambda item: item[0])
    cut = paged(found[: page.limit + 1], page.limit, lambda item: item[0])
    beliefs = periods.built(db, ever, [row for _, row in cut.items])
    changes = (_change(place, row, belief) for (place, row), belief in zip(cut.items, beliefs, strict=True))
    return Slice(tuple(changes), cut.cursor)


def _change(place: Position, row: Row, belief: Belief) -> BeliefChange:
    return BeliefChange(belief, row[19], from_us(int(place[0])), bool(place[1]))
