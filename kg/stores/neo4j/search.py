"""The text leg: BM25 over a tenant's own statistics; what is found is looked up in the server, best first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from ...scoring import DOUBTFUL, FEW_SHOWN, Numbers, Scored, best_first
from ...store import Match, Target
from .points import Instants
from .server import Queries, run
from .texts import SORTS, Text, TextCache

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


def few_shown_query(at: Instants) -> str:
    """All facts that show at the point, up to ``$most``."""
    return f"""
MATCH (p:Period) USING INDEX SEEK p:Period(tenant, from_us, ingested_us, id)
WHERE p.tenant = $tenant AND p.from_us IS NOT NULL AND p.ingested_us IS NOT NULL AND p.id IS NOT NULL
  AND {at.period()}
WITH DISTINCT p.fact_id AS id LIMIT $most
RETURN collect(id) AS ids
"""


async def match_text(
    tx: Queries, texts: TextCache, at: Instants, words: Sequence[str], find: tuple[Target, int]
) -> list[Match]:
    """``find``: what, and how many."""
    target, limit = find
    if limit < 1 or not words:
        return []
    found, keys = await texts.scored(tx, at.tenant, target, at.known_us, words)
    return await _best(tx, at, (found, keys), find)


async def _best(
    tx: Queries,
    at: Instants,
    scored: tuple[Scored, list[Text]],
    find: tuple[Target, int],
    among: Numbers | None = None,
) -> list[Match]:
    """The highest scores among what shows. Where hardly any fact does ("in 1990"), what shows is read first, and
    the candidates are looked for in it."""
    found, keys = scored
    target, limit = find
    best: dict[str, float] = {}
    looked = 0
    for chunk in best_first(found, max(_LEAST, 4 * limit), growth=4, among=among):
        listed = [keys[place] for place in found.owners[chunk].tolist()]
        [row] = await run(tx, shown_query(at, target), {**at.params, "keys": [list(key) for key in listed]})
        scores = found.scores[chunk].tolist()
        for score, id_ in sorted((-scores[place], listed[place][0]) for place in row["places"]):
            best.setdefault(id_, -score)
        if len(best) >= limit:
            break
        if target is Target.FACT and among is None and looked < DOUBTFUL <= looked + len(chunk):
            [row] = await run(tx, few_shown_query(at), {**at.params, "most": FEW_SHOWN})
            if len(row["ids"]) < FEW_SHOWN:
                few = set(row["ids"])
                places = [n for n, owner in enumerate(found.owners.tolist()) if keys[owner][0] in few]
                return await _best(tx, at, scored, find, np.array(places, dtype=np.int64))
        looked += len(chunk)
    return [Match(id_, score) for id_, score in list(best.items())[:limit]]
