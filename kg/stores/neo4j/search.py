"""The text leg: BM25 over a tenant's own statistics; what is found is looked up in the server, best first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...scoring import best_first
from ...store import Match, Target
from .points import Instants
from .server import Queries, run
from .texts import SORTS, TextCache

_LEAST: Final = 256
"""Candidates that are looked up at once, at least: a hand-over to the server costs more than most of them."""


def _text_shows(at: Instants, target: Target) -> str:
    if target is Target.FACT:
        return (
            "EXISTS { MATCH (p:Period {fact_id: d.id}) USING INDEX SEEK p:Period(fact_id) "
            f"WHERE p.tenant = $tenant AND {at.period()} }} AND {at.unarchived('d')}"
        )
    if target is Target.EPISODE:
        return at.episode().replace("e.", "d.")
    return at.naming().replace("n.", "d.")


def shown_query(at: Instants, target: Target) -> str:
    """Which of the texts ``$keys``, by place, belong to what shows at the point."""
    sort = SORTS[target]
    more = ", from_us" if target is Target.ENTITY else ""
    return f"""
UNWIND range(0, size($keys) - 1) AS place
WITH place, $keys[place] AS key
MATCH (d:{sort.label}) USING INDEX SEEK d:{sort.label}(tenant, {sort.id}{more})
WHERE d.tenant = $tenant AND d.{sort.id} = key[0] AND d.{sort.since} = key[1] AND {_text_shows(at, target)}
RETURN collect(place) AS places
"""


async def match_text(
    tx: Queries, texts: TextCache, at: Instants, words: Sequence[str], find: tuple[Target, int]
) -> list[Match]:
    """``find``: what, and how many."""
    target, limit = find
    if limit < 1 or not words:
        return []
    found, keys = await texts.scored(tx, at.tenant, target, at.known_us, words)
    best: dict[str, float] = {}
    for chunk in best_first(found, max(_LEAST, 4 * limit), growth=4):
        listed = [keys[place] for place in found.owners[chunk].tolist()]
        [row] = await run(tx, shown_query(at, target), {**at.params, "keys": [list(key) for key in listed]})
        scores = found.scores[chunk].tolist()
        for score, id_ in sorted((-scores[place], listed[place][0]) for place in row["places"]):
            best.setdefault(id_, -score)
        if len(best) >= limit:
            break
    return [Match(id_, score) for id_, score in list(best.items())[:limit]]
