"""The Embedder protocol: what a store and a search need of an embedding model."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]


class Purpose(StrEnum):
    """Some models embed questions and passages differently."""

    QUERY = "query"
    PASSAGE = "passage"


class Embedder(Protocol):
    """Turns texts into unit vectors. ``name`` is recorded in the store, which refuses to mix models."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """Unit-length float32 rows, shape ``(len(texts), dimension)``. Never blocks the event loop."""
        ...
