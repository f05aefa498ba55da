"""What the retrieval legs look up: words and vectors, written with what they belong to."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from ....temporal.errors import Conflict
from ...columns import check_vector
from ...embedding import Vectors
from ...model import SEARCHED
from ...store import Target
from ...text import cut
from .schema import NEVER

TARGETS: Final = {Target.FACT: 1, Target.EPISODE: 2, Target.ENTITY: 3}


def term(tenant: int, target: Target, word: str) -> str:
    """A word as it stands in the index: the postings of each tenant and target are lists of their own."""
    return f"{tenant}-{TARGETS[target]}:{word}"


def put_texts(
    db: sqlite3.Connection, tenant: int, target: Target, texts: Sequence[tuple[int, str]], instant_us: int
) -> None:
    """Index (owner, text) pairs that were not indexed before."""
    if not texts:
        return
    number = db.execute("SELECT coalesce(max(no), 0) FROM doc").fetchone()[0]
    docs_total, words_total = db.execute(
        "SELECT docs_total, words_total FROM doc WHERE tenant = ? AND target = ? "
        "ORDER BY added_us DESC, no DESC LIMIT 1",
        (tenant, TARGETS[target]),
    ).fetchone() or (0, 0)
    docs, bodies = [], []
    for owner, text in texts:
        words = cut(text)
        if not words:
            continue
        number += 1
        docs_total += 1
        words_total += len(words)
        docs.append((number, tenant, TARGETS[target], owner, instant_us, len(words), docs_total, words_total))
        bodies.append((number, " ".join(term(tenant, target, word) for word in words)))
    db.executemany("INSERT INTO doc VALUES (?, ?, ?, ?, ?, ?, ?, ?)", docs)
    db.executemany("INSERT INTO doc_words (rowid, body) VALUES (?, ?)", bodies)


def put_vectors(
    db: sqlite3.Connection, tenant: int, target: Target, vectors: Mapping[int, Vectors], *, replace: bool = True
) -> None:
    """Store unit vectors by owner. Raises ``Invalid`` for a wrong shape, ``Conflict`` without an embedder."""
    if not vectors:
        return
    found = db.execute("SELECT name, dimension FROM embedder").fetchone()
    if found is None:
        raise Conflict("no embedder is recorded; call claim_embedder before storing vectors", code="no_embedder")
    code = TARGETS[target]
    rows = [(owner, code, tenant, _packed(vector, found[1])) for owner, vector in vectors.items()]
    if replace:
        # A new sequence number tells the readers' caches that the old row is gone.
        db.executemany(
            "DELETE FROM vector WHERE owner = ? AND target = ? AND data <> ?", [(r[0], r[1], r[3]) for r in rows]
        )
    db.executemany("INSERT OR IGNORE INTO vector (owner, target, tenant, data) VALUES (?, ?, ?, ?)", rows)


_UNEMBEDDED: Final = {
    Target.FACT: "SELECT w.id, w.text FROM fact w WHERE w.tenant = ? AND w.id > ?",
    Target.EPISODE: (
        "SELECT w.id, w.text FROM episode w WHERE w.tenant = ? AND w.id > ? "
        f"AND w.format IN {tuple(map(str, SEARCHED))} AND w.done_us < {NEVER}"
    ),
    Target.ENTITY: (
        "SELECT w.id, s.name FROM entity w CROSS JOIN entity_state s ON s.entity = w.no WHERE w.tenant = ? "
        "AND w.id > ? AND s.to_us = (SELECT max(x.to_us) FROM entity_state x WHERE x.entity = w.no)"
    ),
}


def unembedded(
    db: sqlite3.Connection, tenant: int, target: Target, after: str, limit: int
) -> list[tuple[str, str]]:
    """(id, text) of the first owners after the id ``after`` that have no vector."""
    sql = (
        f"{_UNEMBEDDED[target]} AND NOT EXISTS (SELECT 1 FROM vector v WHERE v.owner = w.no AND v.target = ?) "
        "ORDER BY w.id LIMIT ?"
    )
    return db.execute(sql, (tenant, after, TARGETS[target], limit)).fetchall()


def _packed(vector: Vectors, dimension: int) -> bytes:
    check_vector(vector, dimension)
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()
