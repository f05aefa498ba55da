import asyncio
import time
from collections.abc import Sequence

import numpy as np
import pytest

from hitherto.extraction.embedders import CachedEmbedder, SentenceEmbedder, default_embedder
from hitherto.kg.embedding import Embedder, Purpose, Vectors


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return SentenceEmbedder()


async def test_rows_are_unit_float32_in_the_order_of_the_texts(embedder: Embedder) -> None:
    texts = [f"row {n}" for n in range(150)]
    rows = await embedder.embed(texts, Purpose.PASSAGE)
    assert rows.shape == (150, embedder.dimension)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    last = await embedder.embed([texts[-1]], Purpose.QUERY)
    assert np.allclose(rows[-1], last[0], atol=1e-4)


async def test_meaning_crosses_languages(embedder: Embedder) -> None:
    rows = await embedder.embed(
        ["Liang 住在哪？", "Liang lives in Beijing", "The invoice is overdue"], Purpose.QUERY
    )
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.2


@pytest.mark.parametrize("text", ["", " \n", "🙂", "\ud800", "\x00", "x" * 100_000])
async def test_odd_texts_have_a_vector_too(embedder: Embedder, text: str) -> None:
    rows = await embedder.embed([text], Purpose.QUERY)
    assert np.isfinite(rows).all()
    assert np.linalg.norm(rows[0]) == pytest.approx(1, abs=1e-5)


async def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert (await embedder.embed([], Purpose.QUERY)).shape == (0, embedder.dimension)
    assert (await CachedEmbedder(embedder).embed([], Purpose.QUERY)).shape == (0, embedder.dimension)


async def test_the_loop_stays_free_and_a_question_overtakes_a_back_load(embedder: Embedder) -> None:
    await embedder.embed(["warm"], Purpose.QUERY)
    finished: list[str] = []

    async def run(name: str, texts: list[str]) -> None:
        await embedder.embed(texts, Purpose.PASSAGE)
        finished.append(name)

    load = asyncio.create_task(run("load", [f"{'a long sentence about work ' * 20} {n}" for n in range(256)]))
    await asyncio.sleep(0)
    question = asyncio.create_task(run("question", ["Where does Alice work?"]))
    longest = 0.0
    while not load.done():
        before = time.perf_counter()
        await asyncio.sleep(0.001)
        longest = max(longest, time.perf_counter() - before)
    await question
    assert finished == ["question", "load"]
    assert longest < 0.5


def test_making_the_default_embedder_loads_nothing() -> None:
    assert default_embedder().name == SentenceEmbedder().name


class Counting:
    """Counts the texts that reach it; a text's vector is its length, on the first axis of two."""

    name = "counting"
    dimension = 2

    def __init__(self) -> None:
        self.seen: list[tuple[Purpose, str]] = []

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        self.seen += [(purpose, text) for text in texts]
        return np.array([[len(text), 0] for text in texts], dtype=np.float32)


async def test_the_cache_asks_for_each_question_once_and_keeps_no_passages() -> None:
    inner = Counting()
    cached = CachedEmbedder(inner)
    first = await cached.embed(["a", "bb", "a"], Purpose.QUERY)
    assert first[:, 0].tolist() == [1, 2, 1]
    again = await cached.embed(["bb", "ccc"], Purpose.QUERY)
    assert again[:, 0].tolist() == [2, 3]
    await cached.embed(["a"], Purpose.PASSAGE)
    await cached.embed(["a"], Purpose.PASSAGE)
    assert [text for _, text in inner.seen] == ["a", "bb", "ccc", "a", "a"]
    assert [purpose for purpose, _ in inner.seen[-2:]] == [Purpose.PASSAGE] * 2
    assert (cached.name, cached.dimension) == ("counting", 2)


async def test_the_cache_forgets_the_least_recently_used() -> None:
    inner = Counting()
    cached = CachedEmbedder(inner, size=2)
    for text in ("a", "bb", "a", "ccc", "a", "bb"):
        await cached.embed([text], Purpose.QUERY)
    assert [text for _, text in inner.seen] == ["a", "bb", "ccc", "bb"]


async def test_a_changed_result_does_not_change_the_cache() -> None:
    cached = CachedEmbedder(Counting())
    rows = await cached.embed(["abc"], Purpose.QUERY)
    rows[:] = 0
    assert (await cached.embed(["abc"], Purpose.QUERY))[0, 0] == 3
