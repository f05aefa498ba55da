"""Not the same thing twice: maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998). Pure.

The next hit is the one with the most of ``(1 - diversity) * relevance - diversity * likeness``: its score as a
share of the best one, and how like it is to the likest hit before it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from ..kg.text import cut
from .results import EntityHit, EpisodeHit, Hit

_READ: Final = 2_000
"""Characters of a text that are compared."""


def diverse(hits: Sequence[Hit], diversity: float, limit: int) -> list[Hit]:
    """The ``limit`` hits to show, in the order they are chosen; ``diversity`` is 0 (by relevance alone) to 1."""
    if not diversity or not hits:
        return list(hits[:limit])
    best = max(hit.score for hit in hits) or 1.0
    words = [_words(hit) for hit in hits]
    likest = [0.0] * len(hits)
    left = list(range(len(hits)))
    chosen: list[Hit] = []
    while left and len(chosen) < limit:
        gains = {n: (1 - diversity) * hits[n].score / best - diversity * likest[n] for n in left}
        place = max(left, key=lambda n: (gains[n], -n))
        left.remove(place)
        chosen.append(hits[place])
        for n in left:
            likest[n] = max(likest[n], cosine(words[place], words[n]))
    return chosen


def cosine(one: Counter[str], other: Counter[str]) -> float:
    """Of two texts' word counts, from 0 to 1."""
    product = sum(count * other[word] for word, count in one.items())
    if not product:
        return 0.0
    return product / math.sqrt(sum(c * c for c in one.values()) * sum(c * c for c in other.values()))


def _words(hit: Hit) -> Counter[str]:
    if isinstance(hit, EpisodeHit):
        return Counter(cut(hit.quote[:_READ]))
    return Counter(cut(hit.entity.name if isinstance(hit, EntityHit) else hit.belief.fact.text))
