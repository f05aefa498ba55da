"""What came to be believed and what ceased to be, in order of transaction time; and the claims of slots."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from ....temporal.instants import from_us, to_us
from ....temporal.intervals import Interval
from ...columns import as_said
from ...model import Belief, Claim
from ...paging import Position, cursor_position, paged
from ...store import BeliefChange, FactFilter, Page, Slice
from . import reading, rows
from .points import Instants
from .reading import Order
from .rows import Props
from .schema import ALWAYS, CLAIM_TYPES, NEVER
from .server import Queries, Row, run
from .statements import each_claim_type


async def changes(
    tx: Queries, at: Instants, where: FactFilter, stretch: Interval, page: Page
) -> Slice[BeliefChange]:
    """See ``Store.changes``."""
    after = cursor_position(page.cursor, (int, int, str)) or (ALWAYS, 0, "")
    since = ALWAYS if stretch.start is None else to_us(stretch.start)
    until = NEVER if stretch.end is None else to_us(stretch.end)
    if not at.all_known:
        until = min(until, at.known_us + 1)
    ever = replace(at, known_us=NEVER)
    place = dict(zip(("after_us", "after_side", "after_id"), after, strict=True))
    limits = {"since_tx": max(since, after[0]), "until_tx": until, "limit": page.limit + 1}
    found: list[tuple[Position, Row]] = []
    about: list[Row] = []
    for added in (0, 1):
        query, params = change_query(ever, where, added=added)
        name = "ingested_us" if added else "superseded_us"
        about += await run(tx, query, {**ever.params, **params, **place, **limits})
        for row in about[-1]["found"]:
            found.append(((row["p"][name], added, row["p"]["id"]), row))
    found.sort(key=lambda item: item[0])
    cut = paged(found[: page.limit + 1], page.limit, lambda item: item[0])
    beliefs = await reading.built(tx, ever, [row for _, row in cut.items], about)
    changed = (_change(place, row["p"], belief) for (place, row), belief in zip(cut.items, beliefs, strict=True))
    return Slice(tuple(changed), cut.cursor)


_CAME: Final = Order("p.ingested_us, p.id", "ingested_us, id")
_WENT: Final = Order("p.superseded_us, p.id", "superseded_us")


def _change(place: Position, period: Props, belief: Belief) -> BeliefChange:
    return BeliefChange(belief, period["slot"], from_us(int(place[0])), bool(place[1]))


def change_query(at: Instants, where: FactFilter, *, added: int) -> tuple[str, dict[str, Any]]:
    """The query for a page of periods that came (``added`` 1) or went (0), and the filter's parameters."""
    name = "ingested_us" if added else "superseded_us"
    tests = [
        f"p.{name} >= $since_tx",
        f"p.{name} < $until_tx",
        f"CASE WHEN p.{name} > $after_us THEN true "
        f"ELSE $after_side < {added} OR ($after_side = {added} AND p.id > $after_id) END",
    ]
    return reading.period_query(at, where, tests, _CAME if added else _WENT)


async def slot_claims(
    tx: Queries, at: Instants, slots: Collection[str], instants_us: Collection[int] | None
) -> dict[str, list[Claim]]:
    """See ``Store.slot_claims``."""
    known = at.claim()
    moved = "true"
    if instants_us is not None:
        moved = "(c.recorded_us IN $instants OR c.retracted_us IN $instants OR size(c.past_us) > 0)"
    test = f"c.slot = slot AND c.retracted_us IS NOT NULL AND c.tenant = $tenant AND {known} AND {moved}"
    claims = each_claim_type("slot, retracted_us", test)
    query = f"UNWIND $slots AS slot CALL (slot) {{ {claims} }} RETURN properties(c) AS c"
    params = {**at.params, "slots": sorted(set(slots)), "instants": sorted(instants_us or ())}
    by_slot: dict[str, list[Claim]] = {}
    for row in await run(tx, query, params):
        for recorded, retracted, claim in rows.known_claims(row["c"], at.known_us):
            if instants_us is None or recorded in instants_us or retracted in instants_us:
                by_slot.setdefault(row["c"]["slot"], []).append(claim)
    return {slot: list(as_said(said)) for slot, said in by_slot.items()}


async def episode_claims(tx: Queries, at: Instants, episode_ids: Collection[str]) -> dict[str, list[Claim]]:
    """See ``Store.episode_claims``."""
    query = (
        "UNWIND $ids AS id "
        f"MATCH (e:Episode {{tenant: $tenant, id: id}})-[c:{'|'.join(CLAIM_TYPES)}]->(:Fact) "
        "USING INDEX SEEK e:Episode(tenant, id) "
        f"WHERE c.tenant = $tenant AND {at.claim()} RETURN properties(c) AS c"
    )
    by_episode: dict[str, list[Claim]] = {}
    for row in await run(tx, query, {**at.params, "ids": sorted(set(episode_ids))}):
        for _, _, claim in rows.known_claims(row["c"], at.known_us):
            by_episode.setdefault(claim.episode_id, []).append(claim)
    return {episode: list(as_said(said)) for episode, said in by_episode.items()}
