"""The retrieval legs: BM25 over a tenant's own statistics, and exact nearest vectors.

Both score all candidates first and then ask, best first, which of them show at the point; so the filter on
tenant and both instants is exact however few show. Where hardly any fact does ("in 1990"), what shows is read
first, and the candidates looked for in it.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...columns import check_vector
from ...embedding import Vectors
from ...scoring import DOUBTFUL, FEW_SHOWN, Numbers, Scored, Scores, best_first, trim
from ...store import Match, Target
from .indexing import TARGETS
from .points import Instants
from .rows import listed
from .texts import TextCache

_CACHE_BYTES: Final = 512 * 1024 * 1024
"""Vectors kept in memory; those of the tenants read least recently are dropped first."""

_SLACK: Final = 1e-5
"""More than float32 sums of a unit vector's products can be off."""

_NOBODY: Final = 0
"""The owner of a vector that was replaced."""


_FACT_SHOWS = (
    "SELECT f.no, f.id FROM json_each(:keys) j CROSS JOIN fact f ON f.no = j.value WHERE EXISTS "
    "(SELECT 1 FROM period p INDEXED BY period_fact WHERE p.fact = f.no AND {period}) AND {unarchived}"
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
        "unarchived": at.unarchived("f.no"),
        "episode": at.stretch("e", "known_us", "forgotten_us"),
        "past": at.stretch("x", "known_us", "forgotten_us"),
        "state": at.stretch("s", "from_us", "to_us"),
    }
    return dict(db.execute(sql.format(**conditions), {**at.params(0), "keys": listed(keys.tolist())}))


def _few_shown(db: sqlite3.Connection, tenant: int, at: Instants) -> Numbers | None:
    """All facts that show at the point, by number; None when they are many."""
    sql = (
        "SELECT DISTINCT p.fact FROM period p INDEXED BY period_time "
        f"WHERE p.tenant = :tenant AND {at.period()} LIMIT {FEW_SHOWN}"
    )
    rows = db.execute(sql, at.params(tenant)).fetchall()
    return None if len(rows) == FEW_SHOWN else np.array([row[0] for row in rows], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class _Showing:
    """Which owners show at a point: of some their ids, by number; and all of them if they are few."""

    ids: Callable[[Numbers], dict[int, str]]
    few: Callable[[], Numbers | None]


def _showing(
    db: sqlite3.Connection, tenant: int, at: Instants, target: Target, owners: Mapping[Target, str]
) -> _Showing:
    return _Showing(
        lambda keys: _shown(db, at, owners[target], keys),
        lambda: _few_shown(db, tenant, at) if target is Target.FACT else None,
    )


def _best(
    found: Scored,
    showing: _Showing,
    limit: int,
    refined: Callable[[Numbers], Scores] | None = None,
    among: Numbers | None = None,
) -> list[Match]:
    """The highest scores among those shown; equal ones in order of id.

    ``refined`` gives the scores at some places anew, where those found are only good to within ``_SLACK``.
    """
    best: dict[str, float] = {}
    looked = 0
    slack = 0.0 if refined is None else _SLACK
    for chunk in best_first(found, max(64, 6 * limit), slack=slack, among=among):
        keys = found.owners[chunk]
        ids = showing.ids(keys)
        exact = found.scores[chunk] if refined is None else refined(chunk)
        ranked = sorted(
            (-score, ids[key]) for key, score in zip(keys.tolist(), exact.tolist(), strict=True) if key in ids
        )
        for score, id_ in ranked:
            best.setdefault(id_, -score)
        if len(best) >= limit:
            break
        if among is None and looked < DOUBTFUL <= looked + len(chunk) and (few := showing.few()) is not None:
            return _best(found, showing, limit, refined, np.flatnonzero(np.isin(found.owners, few)))
        looked += len(chunk)
    return [Match(id_, score) for id_, score in list(best.items())[:limit]]


class Legs:
    """The legs over what is kept between reads."""

    def __init__(self) -> None:
        self._texts = TextCache()
        self._vectors = _VectorCache()

    def match_text(
        self, db: sqlite3.Connection, tenant: int, at: Instants, words: Sequence[str], find: tuple[Target, int]
    ) -> list[Match]:
        """``find``: what, and how many."""
        target, limit = find
        if limit < 1 or not words:
            return []
        found = self._texts.scored(db, tenant, target, at.known_us, words)
        return _best(found, _showing(db, tenant, at, target, _TEXT_OWNERS), limit)

    def nearest(
        self, db: sqlite3.Connection, tenant: int, at: Instants, vector: Vectors, find: tuple[Target, int]
    ) -> list[Match]:
        """``find``: what, and how many."""
        return self._vectors.nearest(db, tenant, at, vector, find)


class _VectorCache:
    """Each tenant's vectors as one matrix, kept between reads and extended by what was committed since."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._matrices: OrderedDict[tuple[int, int, str], _Matrix] = OrderedDict()

    def nearest(
        self, db: sqlite3.Connection, tenant: int, at: Instants, vector: Vectors, find: tuple[Target, int]
    ) -> list[Match]:
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

        found = Scored(owners, scores, np.zeros(len(owners), dtype=np.uint64))
        return _best(found, _showing(db, tenant, at, target, _VECTOR_OWNERS), limit, refined)

    def _read(
        self, db: sqlite3.Connection, tenant: int, target: int, embedder: tuple[str, int]
    ) -> tuple[Numbers, Vectors]:
        name, dimension = embedder
        with self._lock:
            matrix = self._matrices.setdefault((tenant, target, name), _Matrix(dimension))
            self._matrices.move_to_end((tenant, target, name))
            before = matrix.size
            matrix.extend(db, tenant, target)
            if matrix.size > before:
                trim(self._matrices, tenant, lambda kept: kept.size, _CACHE_BYTES)
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
