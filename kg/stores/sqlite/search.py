"""The retrieval legs: BM25 over a tenant's own statistics, and exact nearest vectors.

Both score all candidates first and then ask, best first, which of them show at the point; so the filter on
tenant and both instants is exact however few show.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...bm25 import K1, B
from ...columns import check_vector
from ...embedding import Vectors
from ...store import Match, Target
from .indexing import TARGETS, term
from .points import Instants
from .rows import listed

_CACHE_BYTES: Final = 512 * 1024 * 1024
"""Vectors kept in memory; those of the tenants read least recently are dropped first."""

_SLACK: Final = 1e-5
"""More than float32 sums of a unit vector's products can be off."""

_NOBODY: Final = 0
"""The owner of a vector that was replaced."""

Numbers = NDArray[np.int64]
Scores = NDArray[np.float64]


def match_text(
    db: sqlite3.Connection, tenant: int, at: Instants, words: Sequence[str], target: Target, limit: int
) -> list[Match]:
    code = TARGETS[target]
    newest = db.execute(
        "SELECT no, docs_total, words_total FROM doc WHERE tenant = ? AND target = ? AND added_us <= ? "
        "ORDER BY added_us DESC, no DESC LIMIT 1",
        (tenant, code, at.known_us),
    ).fetchone()
    if newest is None or limit < 1:
        return []
    last, docs, total = newest
    owners: list[Numbers] = []
    scores: list[Scores] = []
    for word in sorted(set(words)):
        found = db.execute(
            "SELECT d.owner, d.words, count(*) FROM posting i CROSS JOIN doc d ON d.no = i.doc "
            "WHERE i.term = ? AND i.doc <= ? GROUP BY i.doc",
            (term(tenant, target, word), last),
        ).fetchall()
        if found:
            columns = np.array(found, dtype=np.int64).T
            owners.append(columns[0])
            scores.append(_bm25(columns[2], columns[1], docs, total / docs))
    if not owners:
        return []
    unique, places = np.unique(np.concatenate(owners), return_inverse=True)
    sums: Scores = np.bincount(places, weights=np.concatenate(scores)).astype(np.float64)
    return _best(unique, sums, lambda keys: _shown(db, at, _TEXT_OWNERS[target], keys), limit)


def _bm25(times: Numbers, lengths: Numbers, docs: int, mean_length: float) -> Scores:
    """One word's share of the scores of the texts that hold it."""
    weight = np.log1p((docs - len(times) + 0.5) / (len(times) + 0.5))
    result: Scores = weight * times * (K1 + 1) / (times + K1 * (1 - B + B * lengths / mean_length))
    return result


_FACT_SHOWS = (
    "SELECT f.no, f.id FROM json_each(:keys) j CROSS JOIN fact f ON f.no = j.value WHERE EXISTS "
    "(SELECT 1 FROM period p INDEXED BY period_fact WHERE p.fact = f.no AND {period})"
)
_EPISODE_SHOWS = (
    "SELECT e.no, e.id FROM json_each(:keys) j CROSS JOIN episode e ON e.no = j.value WHERE {episode} OR EXISTS "
    "(SELECT 1 FROM episode_past x WHERE x.episode = e.no AND {past})"
)
_TEXT_OWNERS: Final = {
    Target.FACT: _FACT_SHOWS,
    Target.EPISODE: _EPISODE_SHOWS,
    Target.ENTITY: (
        "SELECT s.no, n.id FROM json_each(:keys) j CROSS JOIN entity_state s ON s.no = j.value "
        "CROSS JOIN entity n ON n.no = s.entity WHERE {state}"
    ),
}
_VECTOR_OWNERS: Final = {
    Target.FACT: _FACT_SHOWS,
    Target.EPISODE: _EPISODE_SHOWS,
    Target.ENTITY: (
        "SELECT n.no, n.id FROM json_each(:keys) j CROSS JOIN entity n ON n.no = j.value WHERE EXISTS "
        "(SELECT 1 FROM entity_state s WHERE s.entity = n.no AND {state})"
    ),
}


def _shown(db: sqlite3.Connection, at: Instants, sql: str, keys: Numbers) -> dict[int, str]:
    """Ids of those rows, by number, that show at the point."""
    conditions = {
        "period": at.period(),
        "episode": at.stretch("e", "known_us", "forgotten_us"),
        "past": at.stretch("x", "known_us", "forgotten_us"),
        "state": at.stretch("s", "from_us", "to_us"),
    }
    return dict(db.execute(sql.format(**conditions), {**at.params(0), "keys": listed(keys.tolist())}))


def _best(
    keys: Numbers,
    scores: Scores,
    shown: Callable[[Numbers], dict[int, str]],
    limit: int,
    refined: Callable[[Numbers], Scores] | None = None,
) -> list[Match]:
    """The highest scores among those shown; equal ones in order of id.

    ``refined`` gives the scores at some places anew, where ``scores`` are only good to within ``_SLACK``.
    """
    found: dict[str, float] = {}
    rest = np.arange(len(keys))
    size = max(64, 4 * limit)
    while len(rest) and len(found) < limit:
        if len(rest) > size:
            # Everything as good as the last of the chunk comes with it, so that ties are cut by id alone.
            chosen = scores[rest] >= np.partition(scores[rest], -size)[-size] - _SLACK
            chunk, rest = rest[chosen], rest[~chosen]
        else:
            chunk, rest = rest, rest[:0]
        ids = shown(keys[chunk])
        exact = scores[chunk] if refined is None else refined(chunk)
        ranked = sorted(
            (-score, ids[key])
            for key, score in zip(keys[chunk].tolist(), exact.tolist(), strict=True)
            if key in ids
        )
        for score, id_ in ranked:
            found.setdefault(id_, -score)
        size *= 4
    return [Match(id_, score) for id_, score in list(found.items())[:limit]]


class VectorCache:
    """Each tenant's vectors as one matrix, kept between reads and extended by what was committed since."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._matrices: OrderedDict[tuple[int, int, str], _Matrix] = OrderedDict()

    def nearest(
        self, db: sqlite3.Connection, tenant: int, at: Instants, vector: Vectors, find: tuple[Target, int]
    ) -> list[Match]:
        """``find``: what, and how many."""
        target, limit = find
        recorded = db.execute("SELECT name, dimension FROM embedder").fetchone()
        if recorded is None or limit < 1:
            return []
        check_vector(vector, recorded[1])
        owners, matrix = self._read(db, tenant, TARGETS[target], recorded)
        scores = (matrix @ vector.astype(np.float32)).astype(np.float64)

        def refined(places: Numbers) -> Scores:
            # The product above rounds a row differently when other rows join the matrix; this sum does not.
            result: Scores = (matrix[places].astype(np.float64) * vector).sum(axis=1)
            return result

        return _best(owners, scores, lambda keys: _shown(db, at, _VECTOR_OWNERS[target], keys), limit, refined)

    def _read(
        self, db: sqlite3.Connection, tenant: int, target: int, embedder: tuple[str, int]
    ) -> tuple[Numbers, Vectors]:
        name, dimension = embedder
        with self._lock:
            matrix = self._matrices.setdefault((tenant, target, name), _Matrix(dimension))
            self._matrices.move_to_end((tenant, target, name))
            matrix.extend(db, tenant, target)
            while len(self._matrices) > 1 and sum(m.size for m in self._matrices.values()) > _CACHE_BYTES:
                self._matrices.popitem(last=False)
            return matrix.owners, matrix.rows


class _Matrix:
    def __init__(self, dimension: int) -> None:
        self._room: Vectors = np.empty((0, dimension), dtype=np.float32)
        self._last = 0
        self.owners: Numbers = np.empty(0, dtype=np.int64)

    @property
    def rows(self) -> Vectors:
        return self._room[: len(self.owners)]

    @property
    def size(self) -> int:
        return int(self._room.nbytes)

    def extend(self, db: sqlite3.Connection, tenant: int, target: int) -> None:
        """Rows of one connection's snapshot; those of a later one that another reader has seen stay, and are
        filtered like all others."""
        found = db.execute(
            "SELECT seq, owner, data FROM vector WHERE tenant = ? AND target = ? AND seq > ? ORDER BY seq",
            (tenant, target, self._last),
        ).fetchall()
        if not found:
            return
        used = len(self.owners)
        if used + len(found) > len(self._room):
            # A new array: readers may still hold the old one.
            room = np.empty((max(2 * used, used + len(found), 256), self._room.shape[1]), dtype=np.float32)
            room[:used] = self._room[:used]
            self._room = room
        self._room[used : used + len(found)] = np.frombuffer(
            b"".join(row[2] for row in found), dtype="<f4"
        ).reshape(len(found), -1)
        new = np.array([row[1] for row in found], dtype=np.int64)
        self.owners = np.concatenate([np.where(np.isin(self.owners, new), _NOBODY, self.owners), new])
        self._last = found[-1][0]
