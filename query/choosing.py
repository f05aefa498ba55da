"""From what was found and ranked to what is shown: a reranker, a least relevance, diversity, conflicts."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from ..temporal.errors import HithertoError, Invalid
from .arguments import check_share
from .diversity import diverse
from .results import Hit, rescored

Reranker: TypeAlias = Callable[[str, Sequence[Hit]], Awaitable[Sequence[Hit] | Sequence[float]]]
"""Gets the question and the hits, best first; gives them (or some of them) in its order, or a score for each."""

POOL: Final = 50
"""Hits that a reranker gets at most, unless more are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """``min_relevance``: hits under this share of the best score are not shown. ``diversity``: see ``diverse``."""

    min_relevance: float = 0.0
    diversity: float = 0.0
    rerank: Reranker | None = None


def choice_of(min_relevance: float, diversity: float, rerank: Reranker | None) -> Choice:
    """Raises ``Invalid`` for a number that is none from 0 to 1, and for a reranker that cannot be called."""
    for name, share in (("min_relevance", min_relevance), ("diversity", diversity)):
        check_share(name, share)
    if rerank is not None and not callable(rerank):
        raise Invalid(f"rerank={rerank!r} cannot be called; give an async function of the question and the hits")
    return Choice(min_relevance=float(min_relevance), diversity=float(diversity), rerank=rerank)


async def choose(question: str, ranked: Sequence[Hit], choice: Choice, limit: int) -> list[Hit]:
    """The hits to show, of all that were ranked. Raises ``Invalid`` where the reranker fails or gives what is
    neither its hits nor their scores."""
    hits = list(ranked)
    if choice.rerank is not None and hits:
        hits = await _reranked(question, hits[: max(POOL, limit)], choice.rerank)
    least = choice.min_relevance * max((hit.score for hit in hits), default=0.0)
    relevant = [hit for hit in hits if hit.score >= least]
    return diverse(relevant, choice.diversity, limit)


async def _reranked(question: str, hits: list[Hit], rerank: Reranker) -> list[Hit]:
    try:
        given = list(await rerank(question, tuple(hits)))
    except HithertoError:
        raise
    except Exception as error:
        raise Invalid(
            f"rerank: your reranker raised {type(error).__name__}: {error}", code="rerank_failed"
        ) from error
    if all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in given):
        return _scored(hits, [float(one) for one in given if isinstance(one, (int, float))])
    there = {(type(hit), hit.id) for hit in hits}
    if any((type(one), getattr(one, "id", None)) not in there for one in given):
        raise Invalid("rerank: your reranker gave back what is none of its hits; give those, or a number for each")
    return [one for one in given if not isinstance(one, (int, float))]


def _scored(hits: Sequence[Hit], scores: Sequence[float]) -> list[Hit]:
    if len(scores) != len(hits) or not all(math.isfinite(score) for score in scores):
        raise Invalid(
            f"rerank: your reranker gave {len(scores)} scores for {len(hits)} hits; give a finite one for each"
        )
    scored = [rescored(hit, score, "scored by your reranker") for hit, score in zip(hits, scores, strict=True)]
    return sorted(scored, key=lambda hit: -hit.score)
