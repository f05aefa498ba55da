"""The offline embedders by name."""

from __future__ import annotations

from typing import Final

from ..kg.embedding import Embedder
from ..temporal.errors import Invalid
from .embedders import CachedEmbedder, SentenceEmbedder, default_embedder

NAMES: Final = ("use", "e5")
"""The offline ones; the first is the default."""


def embedder_named(name: str) -> Embedder:
    """An offline embedder by its short name or the name that stores record, with a cache for questions. Nothing is
    loaded before the first text.

    Raises ``Invalid`` for an unknown name.
    """
    found = _find(name)
    if found is not None:
        return found
    raise Invalid(
        f"no embedder is called {name!r}; there are {' and '.join(NAMES)}, and any object with the methods of "
        "hitherto.kg.embedding.Embedder",
        code="unknown_embedder",
    )


def embedder_for(recorded: str | None) -> Embedder:
    """The offline embedder whose name a store records; the default for a new store, or another's vectors."""
    return (_find(recorded) if recorded else None) or default_embedder()


def _find(name: str) -> Embedder | None:
    from .e5 import E5Embedder

    made: tuple[Embedder, ...] = (SentenceEmbedder(), E5Embedder())
    for short, embedder in zip(NAMES, made, strict=True):
        if name in (short, embedder.name):
            return CachedEmbedder(embedder)
    return None
