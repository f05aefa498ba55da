"""The text leg's memory: a tenant's texts as columns, and the postings of the words that were asked for.

A common word stands in every second text, and reading so many rows for each question is what a search would spend
its time on. Texts are only ever added, in order of transaction time; so what was read once is extended by what was
committed since, and a read at an earlier instant looks at the beginning of the same columns.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...columns import entity_text
from ...scoring import NOTHING, Column, Keys, Numbers, Scored, Scores, bm25_share, order_keys, trim
from ...store import Target
from ...text import cut
from .indexing import TARGETS, term

_CACHE_BYTES: Final = 256 * 1024 * 1024
"""Kept of all tenants; those read least recently are dropped first."""
_POSTING_BYTES: Final = 128 * 1024 * 1024
"""Kept of the words of one tenant's texts of one sort."""
_POSTING_OVERHEAD: Final = 400

_MOST_CUT: Final = 1_000
"""New texts that are cut again to extend what was read; with more of them the words are read anew."""

_ABOUT: Final = {
    Target.FACT: ("x.id, {text}", "x.text, NULL", "LEFT JOIN fact x ON x.no = d.owner"),
    Target.EPISODE: ("x.id, {text}", "x.text, NULL", "LEFT JOIN episode x ON x.no = d.owner"),
    Target.ENTITY: (
        "x.id, {text}",
        "s.name, s.aliases",
        "LEFT JOIN entity_state s ON s.no = d.owner LEFT JOIN entity x ON x.no = s.entity",
    ),
}
"""Of what a text belongs to: its id, its text and aliases, and the way there."""


class TextCache:
    """Safe for several reader threads, each with a snapshot of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._texts: OrderedDict[tuple[int, Target], _Texts] = OrderedDict()

    def scored(
        self, db: sqlite3.Connection, tenant: int, target: Target, known_us: int, words: Sequence[str]
    ) -> Scored:
        """BM25 of the texts there were at ``known_us``, from their own statistics."""
        newest = db.execute(
            "SELECT docs_total, words_total FROM doc WHERE tenant = ? AND target = ? AND added_us <= ? "
            "ORDER BY added_us DESC, no DESC LIMIT 1",
            (tenant, TARGETS[target], known_us),
        ).fetchone()
        if newest is None:
            return NOTHING
        with self._lock:
            texts = self._texts.setdefault((tenant, target), _Texts(tenant, target))
            self._texts.move_to_end((tenant, target))
        docs, total = newest
        before = texts.size
        lengths, owners, order, postings = texts.read(db, docs, sorted(set(words)))
        if texts.size > before:
            with self._lock:
                trim(self._texts, tenant, lambda kept: kept.size, _CACHE_BYTES)
        scores: Scores = np.zeros(docs, dtype=np.float64)
        for places, times in postings:
            scores[places] += bm25_share(times, lengths[places], docs, total)
        held = np.flatnonzero(scores)
        return Scored(owners[held], scores[held], order[held])


class _Posting:
    """Where a word stands: places in the columns of texts, and how many times there."""

    def __init__(self) -> None:
        self.places = Column(np.int32)
        self.times = Column(np.uint16)

    def extend(self, places: NDArray[Any], times: NDArray[Any]) -> None:
        self.places.extend(places)
        self.times.extend(np.minimum(times, np.iinfo(np.uint16).max))

    def until(self, docs: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Its part in the first ``docs`` texts."""
        count = int(np.searchsorted(self.places.all, docs))
        return self.places.all[:count], self.times.all[:count]

    @property
    def size(self) -> int:
        return self.places.size + self.times.size + _POSTING_OVERHEAD


class _Texts:
    """One tenant's texts of one sort."""

    def __init__(self, tenant: int, target: Target) -> None:
        self._tenant = tenant
        self._target = target
        self._lock = threading.Lock()
        self._last_us = -1
        self._numbers = Column(np.int64)
        self._owners = Column(np.int64)
        self._lengths = Column(np.int32)
        self._order = Column(np.uint64)
        self._postings: OrderedDict[str, _Posting] = OrderedDict()

    @property
    def size(self) -> int:
        columns = (self._numbers, self._owners, self._lengths, self._order)
        return sum(column.size for column in columns) + sum(p.size for p in list(self._postings.values()))

    def read(
        self, db: sqlite3.Connection, docs: int, words: Sequence[str]
    ) -> tuple[NDArray[Any], Numbers, Keys, list[tuple[NDArray[Any], NDArray[Any]]]]:
        """Lengths, owners and order of the first ``docs`` texts, and where the words stand among them."""
        with self._lock:
            behind = self._catch_up(db)
            found = [self._posting(db, word, keep=not behind).until(docs) for word in words]
            while len(self._postings) > 1 and sum(p.size for p in self._postings.values()) > _POSTING_BYTES:
                self._postings.popitem(last=False)
            columns = self._lengths.all[:docs], self._owners.all[:docs], self._order.all[:docs]
            return *columns, [part for part in found if len(part[0])]

    def _catch_up(self, db: sqlite3.Connection) -> bool:
        """Read what this snapshot has and the cache has not; whether it is the other way round."""
        tenant, target = self._tenant, self._target
        newest_us, count = db.execute(
            "SELECT added_us, docs_total FROM doc WHERE tenant = ? AND target = ? "
            "ORDER BY added_us DESC, no DESC LIMIT 1",
            (tenant, TARGETS[target]),
        ).fetchone()
        if newest_us <= self._last_us:
            return bool(newest_us < self._last_us)
        if count - len(self._numbers) > _MOST_CUT:
            self._postings.clear()
        columns, text, way = _ABOUT[target]
        # Without words to extend, no text is looked at.
        rows = db.execute(
            f"SELECT d.no, d.owner, d.words, {columns.format(text=text if self._postings else 'NULL, NULL')} "
            f"FROM doc d INDEXED BY doc_time {way} "
            "WHERE d.tenant = ? AND d.target = ? AND d.added_us > ? ORDER BY d.added_us, d.no",
            (tenant, TARGETS[target], self._last_us),
        ).fetchall()
        first = len(self._numbers)
        numbers = np.fromiter(chain.from_iterable(row[:3] for row in rows), np.int64, 3 * len(rows)).reshape(-1, 3)
        self._numbers.extend(numbers[:, 0])
        self._owners.extend(numbers[:, 1])
        self._lengths.extend(numbers[:, 2])
        self._order.extend(order_keys([row[3] or "" for row in rows]))
        if self._postings:
            self._extend([_text(row[4], row[5]) for row in rows], first)
        self._last_us = newest_us
        return False

    def _extend(self, texts: Sequence[str], first: int) -> None:
        new: dict[str, tuple[list[int], list[int]]] = {}
        for place, text in enumerate(texts, first):
            for word, times in Counter(cut(text)).items():
                if word in self._postings:
                    places, counts = new.setdefault(word, ([], []))
                    places.append(place)
                    counts.append(times)
        for word, (places, counts) in new.items():
            self._postings[word].extend(np.array(places), np.array(counts))

    def _posting(self, db: sqlite3.Connection, word: str, *, keep: bool) -> _Posting:
        if word in self._postings:
            self._postings.move_to_end(word)
            return self._postings[word]
        found = db.execute(
            "SELECT doc, count(*) FROM posting WHERE term = ? GROUP BY doc",
            (term(self._tenant, self._target, word),),
        )
        rows = np.fromiter(chain.from_iterable(found), np.int64).reshape(-1, 2)
        posting = _Posting()
        posting.extend(np.searchsorted(self._numbers.all, rows[:, 0]), rows[:, 1])
        if keep:
            self._postings[word] = posting
        return posting


def _text(text: str | None, aliases: str | None) -> str:
    return (text or "") if aliases is None else entity_text(text or "", json.loads(aliases))
