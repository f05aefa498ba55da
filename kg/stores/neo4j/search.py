"""The text leg: BM25 over a tenant's own statistics, computed by the server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from neo4j import AsyncManagedTransaction

from ...bm25 import K1, B
from ...store import Match, Target
from .points import Instants
from .schema import WORDS_INDEX, wall_of
from .server import run

_MOST_WORDS: Final = 256
"""Different words of a question that are looked up: longer questions are pasted texts."""


@dataclass(frozen=True, slots=True)
class _Words:
    """A sort of texts: node label, when a text came, its totals in ``Commit``, and the id of what it is about."""

    label: str
    since: str
    sort: str
    id: str


_TEXTS: Final = {
    Target.FACT: _Words("Fact", "ingested_us", "fact", "id"),
    Target.EPISODE: _Words("Episode", "ingested_us", "episode", "id"),
    Target.ENTITY: _Words("Naming", "from_us", "naming", "entity_id"),
}


def _text_shows(at: Instants, target: Target) -> str:
    if target is Target.FACT:
        return (
            "EXISTS { MATCH (p:Period {fact_id: d.id}) USING INDEX SEEK p:Period(fact_id) "
            f"WHERE p.tenant = $tenant AND {at.period()} }}"
        )
    if target is Target.EPISODE:
        return at.episode().replace("e.", "d.")
    return at.naming().replace("n.", "d.")


def text_query(at: Instants, target: Target) -> str:
    """BM25 (Robertson and Zaragoza 2009) computed by the server, over the words of this tenant's texts alone.

    The full-text index only says which texts have a word; how rare it is and how long texts are comes from the
    tenant's own texts up to ``$known``, so that neither other tenants nor later writes move a score. All texts are
    scored before any is looked at, best first, until ``$limit`` of them show at the point.
    """
    text = _TEXTS[target]
    return f"""
MATCH (c:Commit) USING INDEX SEEK c:Commit(tenant, tx_us)
WHERE c.tenant = $tenant AND c.tx_us <= $known
WITH c ORDER BY c.tenant DESC, c.tx_us DESC LIMIT 1
WITH toFloat(c.{text.sort}_docs) AS docs, toFloat(c.{text.sort}_words) AS words
WHERE docs > 0
UNWIND $terms AS term
CALL (term) {{
  CALL db.index.fulltext.queryNodes('{WORDS_INDEX[target]}', term.query) YIELD node
  WHERE node.tenant = $tenant AND node.{text.since} <= $known
  RETURN collect(node) AS having
}}
WITH words / docs AS mean, term, having,
  log(1 + (docs - size(having) + 0.5) / (size(having) + 0.5)) AS weight
UNWIND having AS d
WITH mean, weight, d, size(split(d.words, term.mark)) - 1 AS times
WITH d, sum(weight * times * {K1 + 1} / (times + {K1} * ({1 - B} + {B} * d.word_count / mean))) AS score
ORDER BY score DESC, d.{text.id}
WITH d, score WHERE {_text_shows(at, target)}
{_best_of(at, target)}
"""


def _best_of(at: Instants, target: Target) -> str:
    if target is Target.ENTITY and at.all_known:
        # Every name it ever had is a text of its own.
        return "RETURN d.entity_id AS id, max(score) AS score ORDER BY score DESC, id LIMIT $limit"
    return f"RETURN d.{_TEXTS[target].id} AS id, score LIMIT $limit"


async def match_text(
    tx: AsyncManagedTransaction, at: Instants, words: Sequence[str], target: Target, limit: int
) -> list[Match]:
    terms = _terms(at.tenant, words)
    if not terms or limit < 1:
        return []
    found = await run(tx, text_query(at, target), {**at.params, "terms": terms, "limit": limit})
    return [Match(row["id"], row["score"]) for row in found]


def _terms(tenant: str, words: Sequence[str]) -> list[dict[str, str]]:
    """Each different word as a Lucene query behind the tenant's wall, and as it stands between spaces."""
    wall = wall_of(tenant)
    terms = []
    # No stored word holds white space, which alone ends a word in the index.
    looked_up = {word for word in words[: 4 * _MOST_WORDS] if word and not any(map(str.isspace, word))}
    for word in sorted(looked_up)[:_MOST_WORDS]:
        # In quotes only these two mean anything to Lucene; AND, OR, * and the rest are inert.
        quoted = word.replace("\\", "\\\\").replace('"', '\\"')
        terms.append({"query": f'+wall:{wall}^0 +words:"{quoted}"', "mark": f" {word} "})
    return terms
