"""The text leg's memory: where the words that were asked for stand in a tenant's texts.

A common word stands in every second text, and counting it in so many nodes for each question is what a search
would spend its time on. Texts are only ever added, each at an instant of transaction time; so what was read once
is extended by what was committed since, and a read at an earlier instant looks at the beginning of the same
columns.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from ...scoring import NOTHING, Column, Scored, Scores, bm25_share, order_keys, trim
from ...store import Target
from .schema import NEVER, WORDS_INDEX, wall_of
from .server import Queries, Row, run

_CACHE_ENTRIES: Final = 20_000_000
"""Words of texts kept of all tenants; those read least recently are dropped first. One takes 14 bytes; a text, 16
times that."""
MOST_NEW: Final = 1_000
"""New texts that are looked at to extend what was read; with more of them the words are read anew."""
_MOST_WORDS: Final = 256
"""Different words of a question that are looked up: longer questions are pasted texts."""
_MOST_TOTALS: Final = 64
_FEW: Final = 5_000
"""Texts that are scored without leaving the event loop."""

Text: TypeAlias = "tuple[str, int]"
"""A text's key: the id of what it is about, and the instant when it came."""


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of texts: node label, the id of what it is about, when it came, its name in ``Commit``."""

    label: str
    id: str
    since: str
    name: str


SORTS: Final = {
    Target.FACT: Sort("Fact", "id", "ingested_us", "fact"),
    Target.EPISODE: Sort("Episode", "id", "ingested_us", "episode"),
    Target.ENTITY: Sort("Naming", "entity_id", "from_us", "naming"),
}


def totals_query(target: Target) -> str:
    """How many texts and words there were at ``$known``, and when they were counted."""
    name = SORTS[target].name
    return f"""
MATCH (c:Commit) USING INDEX SEEK c:Commit(tenant, tx_us)
WHERE c.tenant = $tenant AND c.tx_us <= $known
RETURN c.tx_us AS tx_us, c.{name}_docs AS docs, c.{name}_words AS words
ORDER BY c.tenant DESC, c.tx_us DESC LIMIT 1
"""


def postings_query(target: Target) -> str:
    """The texts up to ``$last`` that hold each of the words: the full-text index says which, and how often is
    counted in the text."""
    sort = SORTS[target]
    return f"""
UNWIND $terms AS term
CALL (term) {{
  CALL db.index.fulltext.queryNodes('{WORDS_INDEX[target]}', term.query) YIELD node AS d
  WHERE d.tenant = $tenant AND d.{sort.since} <= $last
  RETURN collect([d.{sort.id}, d.{sort.since}, d.word_count, size(split(d.words, term.mark)) - 1]) AS texts
}}
RETURN term.word AS word, texts
"""


def new_query(target: Target) -> str:
    """The texts that came in ``($after, $last]``, as far as the commits list them."""
    sort = SORTS[target]
    index = f"{sort.label}(tenant, {sort.id}{', from_us' if target is Target.ENTITY else ''})"
    return f"""
MATCH (c:Commit) USING INDEX SEEK c:Commit(tenant, tx_us)
WHERE c.tenant = $tenant AND c.tx_us > $after AND c.tx_us <= $last AND c.{sort.name}_texts IS NOT NULL
UNWIND c.{sort.name}_texts AS id
MATCH (d:{sort.label}) USING INDEX SEEK d:{index}
WHERE d.tenant = $tenant AND d.{sort.id} = id AND d.{sort.since} = c.tx_us AND d.word_count IS NOT NULL
RETURN d.{sort.id} AS id, d.{sort.since} AS since, d.word_count AS length, d.words AS words
ORDER BY since
"""


class TextCache:
    """Used from one event loop."""

    def __init__(self) -> None:
        self._texts: OrderedDict[tuple[str, Target], _Texts] = OrderedDict()

    async def scored(
        self, tx: Queries, tenant: str, target: Target, known_us: int, words: Sequence[str]
    ) -> tuple[Scored, list[Text]]:
        """BM25 of the texts there were at ``known_us``, by their own statistics; owners are places in the keys."""
        texts = self._texts.setdefault((tenant, target), _Texts(tenant, target))
        self._texts.move_to_end((tenant, target))
        before = texts.entries
        found = await texts.scored(tx, known_us, _looked_up(words))
        if texts.entries > before:
            trim(self._texts, tenant, lambda kept: kept.entries, _CACHE_ENTRIES)
        return found, texts.keys


class _Posting:
    """Where a word stands: places in the list of texts, how many times there, and since when."""

    def __init__(self) -> None:
        self.places = Column(np.int32)
        self.times = Column(np.uint16)
        self.since = Column(np.int64)

    def extend(self, rows: Sequence[tuple[int, int, int]]) -> None:
        """By (place, times, since), later than all that are there."""
        columns = np.array(sorted(rows, key=lambda row: row[2]), dtype=np.int64).reshape(-1, 3)
        self.places.extend(columns[:, 0])
        self.times.extend(np.minimum(columns[:, 1], np.iinfo(np.uint16).max))
        self.since.extend(columns[:, 2])


class _Texts:
    """One tenant's texts of one sort, as far as words of theirs were asked for."""

    def __init__(self, tenant: str, target: Target) -> None:
        self._tenant = tenant
        self._target = target
        self._lock = asyncio.Lock()
        self._totals: OrderedDict[int, tuple[int, int]] = OrderedDict()
        self._last_us: int | None = None
        self._last_docs = 0
        self._postings: dict[str, _Posting] = {}
        self._places: dict[Text, int] = {}
        self.keys: list[Text] = []
        self._lengths = Column(np.int32)
        self._order = Column(np.uint64)

    @property
    def entries(self) -> int:
        return sum(len(p.places) for p in self._postings.values()) + 16 * len(self.keys)

    async def scored(self, tx: Queries, known_us: int, words: Sequence[str]) -> Scored:
        async with self._lock:
            if self._last_us is None or known_us > self._last_us:
                await self._catch_up(tx)
            docs, total = await self._counted(tx, known_us)
            if not docs:
                return NOTHING
            if self.entries > _CACHE_ENTRIES:
                self._forget()
            await self._load(tx, [word for word in words if word not in self._postings])
            postings = [self._postings[word] for word in words]
            if sum(len(posting.places) for posting in postings) < _FEW:
                return self._score(postings, known_us, docs, total)
            return await asyncio.to_thread(self._score, postings, known_us, docs, total)

    def _score(self, postings: Sequence[_Posting], known_us: int, docs: int, total: int) -> Scored:
        lengths = self._lengths.all
        scores: Scores = np.zeros(len(lengths), dtype=np.float64)
        for posting in postings:
            count = int(np.searchsorted(posting.since.all, known_us, side="right"))
            if count:
                places = posting.places.all[:count]
                scores[places] += bm25_share(posting.times.all[:count], lengths[places], docs, total)
        held = np.flatnonzero(scores)
        return Scored(held, scores[held], self._order.all[held])

    async def _counted(self, tx: Queries, known_us: int) -> tuple[int, int]:
        if known_us not in self._totals:
            found = await self._run(tx, totals_query(self._target), known=known_us)
            totals = (found[0]["docs"], found[0]["words"]) if found else (0, 0)
            if self._last_us is None or known_us > self._last_us:
                # A later commit may yet come to lie before it.
                return totals
            self._totals[known_us] = totals
        self._totals.move_to_end(known_us)
        while len(self._totals) > _MOST_TOTALS:
            self._totals.popitem(last=False)
        return self._totals[known_us]

    async def _catch_up(self, tx: Queries) -> None:
        """Read what was committed since the last time; forget the words where that is too much."""
        found = await self._run(tx, totals_query(self._target), known=NEVER)
        if not found or found[0]["tx_us"] == self._last_us:
            return
        last_us, docs = found[0]["tx_us"], found[0]["docs"]
        came = docs - self._last_docs
        new: list[Row] = []
        if self._postings and 0 < came <= MOST_NEW:
            new = await self._run(tx, new_query(self._target), after=self._last_us, last=last_us)
        if len(new) != came:
            self._forget()
        else:
            self._add(self._counts(new))
        self._last_us, self._last_docs = last_us, docs
        self._totals[last_us] = docs, found[0]["words"]

    def _counts(self, new: Sequence[Row]) -> dict[str, list[list[Any]]]:
        """How often the words that were asked for stand in new texts."""
        counts: dict[str, list[list[Any]]] = {}
        for row in new:
            for word, times in Counter(row["words"].split()).items():
                if word in self._postings:
                    counts.setdefault(word, []).append([row["id"], row["since"], row["length"], times])
        return counts

    async def _load(self, tx: Queries, words: Sequence[str]) -> None:
        if not words:
            return
        terms = [_term(self._tenant, word) for word in words]
        found = await self._run(tx, postings_query(self._target), terms=terms, last=self._last_us)
        for word in words:
            self._postings[word] = _Posting()
        self._add({row["word"]: row["texts"] for row in found})

    def _add(self, found: Mapping[str, Iterable[Sequence[Any]]]) -> None:
        """Texts by word, as (id, since, length, times)."""
        lengths: list[int] = []
        for word, texts in found.items():
            rows = []
            for id_, since, length, times in texts:
                place = self._places.setdefault((id_, since), len(self._places))
                if place == len(self.keys):
                    self.keys.append((id_, since))
                    lengths.append(length)
                rows.append((place, times, since))
            self._postings[word].extend(rows)
        self._lengths.extend(np.array(lengths, dtype=np.int32))
        self._order.extend(order_keys([id_ for id_, _ in self.keys[len(self._order) :]]))

    def _forget(self) -> None:
        self._postings, self._places, self.keys = {}, {}, []
        self._lengths, self._order = Column(np.int32), Column(np.uint64)

    async def _run(self, tx: Queries, query: str, **params: object) -> list[Row]:
        return await run(tx, query, {"tenant": self._tenant, **params})


def _looked_up(words: Sequence[str]) -> list[str]:
    # No stored word holds white space, which alone ends a word in the index.
    fit = {word for word in words[: 4 * _MOST_WORDS] if word and not any(map(str.isspace, word))}
    return sorted(fit)[:_MOST_WORDS]


def _term(tenant: str, word: str) -> dict[str, str]:
    """A word as a Lucene query behind the tenant's wall, and as it stands between spaces."""
    # In quotes only these two mean anything to Lucene; AND, OR, * and the rest are inert.
    quoted = word.replace("\\", "\\\\").replace('"', '\\"')
    return {"word": word, "query": f'+wall:{wall_of(tenant)}^0 +words:"{quoted}"', "mark": f" {word} "}
