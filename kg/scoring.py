"""What the retrieval legs of the stores share: BM25 over columns of numbers, and taking the best first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from .bm25 import K1, B

Numbers: TypeAlias = NDArray[np.int64]
Scores: TypeAlias = NDArray[np.float64]
Keys: TypeAlias = NDArray[np.uint64]
K = TypeVar("K", bound="tuple[Any, ...]")
V = TypeVar("V")


class Column:
    """Numbers that grow at the end; what was given out stays as it is."""

    def __init__(self, kind: type[np.generic]) -> None:
        self._room: NDArray[Any] = np.empty(0, dtype=kind)
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def extend(self, new: NDArray[Any]) -> None:
        until = self._used + len(new)
        if until > len(self._room):
            room = np.empty(max(until, self._used * 3 // 2), dtype=self._room.dtype)
            room[: self._used] = self.all
            self._room = room
        self._room[self._used : until] = new
        self._used = until

    @property
    def all(self) -> NDArray[Any]:
        return self._room[: self._used]

    @property
    def size(self) -> int:
        """Bytes."""
        return self._room.nbytes


def trim(kept: OrderedDict[K, V], tenant: str | int, size: Callable[[V], int], most: int) -> None:
    """Drop what was read least recently until all that is kept, by (tenant, ...), has no more than this size;
    never what this tenant has, all of which its next search reads again."""
    for key in [key for key in kept if key[0] != tenant]:
        if sum(map(size, kept.values())) <= most:
            return
        del kept[key]


@dataclass(frozen=True, slots=True)
class Scored:
    """Candidates: whose they are, how good, and keys in the order of their ids, if two keys differ."""

    owners: Numbers
    scores: Scores
    order: Keys


DOUBTFUL = 1_000
"""Candidates that were looked at and gave too few, after which it is asked what shows at all."""
FEW_SHOWN = 5_000
"""Rows that show at a point, up to which the candidates are looked for among them."""

NOTHING = Scored(np.empty(0, np.int64), np.empty(0, np.float64), np.empty(0, np.uint64))


def bm25_share(times: NDArray[Any], lengths: NDArray[Any], docs: int, words: int) -> Scores:
    """One word's share (see ``bm25``) of the scores of the texts that hold it: how many ``times`` each, and the
    texts' ``lengths`` in words; ``words`` in all ``docs`` texts together."""
    weight = np.log1p((docs - len(times) + 0.5) / (len(times) + 0.5))
    counts = times.astype(np.float64)
    share: Scores = weight * counts * (K1 + 1) / (counts + K1 * (1 - B + B * lengths / (words / docs)))
    return share


def order_keys(ids: Sequence[str]) -> Keys:
    """Numbers in the order of the ids, as far as their first eight bytes tell."""
    heads = np.array([id_[:8].encode()[:8] for id_ in ids], dtype="S8")
    return heads.view(">u8").astype(np.uint64)


def best_first(
    found: Scored, size: int, *, growth: int = 2, slack: float = 0.0, among: Numbers | None = None
) -> Iterator[Numbers]:
    """Places in ``found``, or ``among`` some of them: at least ``size`` of the best at first, then each time
    ``growth`` times as many.

    Those of a later portion are no better than those of an earlier one. Scores that differ by no more than
    ``slack`` count as equal, and equal ones that ``order`` does not tell apart come together.
    """
    rest = np.arange(len(found.scores)) if among is None else among
    while len(rest):
        chosen = _first(found.scores[rest], found.order[rest], size, slack)
        yield rest[chosen]
        rest = rest[~chosen]
        size *= growth


def _first(scores: Scores, order: Keys, size: int, slack: float) -> NDArray[np.bool_]:
    if len(scores) <= size:
        return np.ones(len(scores), dtype=np.bool_)
    least = np.partition(scores, -size)[-size]
    above: NDArray[np.bool_] = scores > least + slack
    ties = np.flatnonzero(~above & (scores >= least - slack))
    wanted = size - np.count_nonzero(above)
    if len(ties) > wanted > 0:
        ties = ties[order[ties] <= np.partition(order[ties], wanted - 1)[wanted - 1]]
    above[ties] = True
    return above
