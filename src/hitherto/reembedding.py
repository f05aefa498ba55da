"""Vectors that are missing: after loading without them, and after the embedder was changed for another."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from .kg.embedding import Embedder, Purpose, Vectors
from .kg.store import Store, Target, Transaction
from .temporal.errors import Invalid


async def embed_missing(store: Store, tenant: str, embedder: Embedder, batch: int) -> int:
    """Fill the vectors that facts, episodes and entities lack, ``batch`` in a transaction; how many there were.
    It may be stopped at any time and called again. Raises ``Invalid`` for a batch of none."""
    check_batch(batch)
    total = 0
    for target in Target:
        after = ""
        while found := await store.unembedded(tenant, target, after, batch):
            rows = await embedder.embed([text for _, text in found], Purpose.PASSAGE)
            vectors = {id_: row for (id_, _), row in zip(found, rows, strict=True)}
            await store.write(tenant, partial(fill, target=target, vectors=vectors))
            after, total = found[-1][0], total + len(found)
    return total


def check_batch(batch: int) -> None:
    """Raises ``Invalid``."""
    if batch < 1:
        raise Invalid(f"batch={batch}; give at least 1 text a batch")


async def fill(tx: Transaction, target: Target, vectors: Mapping[str, Vectors]) -> None:
    """Put the vectors of what is stored, by id."""
    if target is Target.FACT:
        await tx.put_fact_vectors(vectors)
    elif target is Target.ENTITY:
        await tx.put_entity_vectors(vectors)
    else:
        for id_, episode in (await tx.episodes(list(vectors))).items():
            await tx.put_episode(episode, vectors[id_])
