import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from hitherto import Memory
from hitherto.extraction.e5 import E5Embedder
from hitherto.extraction.embedder_names import embedder_for, embedder_named
from hitherto.extraction.embedders import CachedEmbedder, SentenceEmbedder, default_embedder
from hitherto.kg.embedding import Embedder, Purpose, Vectors
from hitherto.temporal.errors import Conflict, Invalid, Unavailable


@pytest.fixture(scope="module", params=["use", "e5"])
def embedder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    return SentenceEmbedder() if request.param == "use" else E5Embedder(tmp_path_factory.mktemp("weights"))


async def test_rows_are_unit_float32_in_the_order_of_the_texts(embedder: Embedder) -> None:
    texts = [f"row {n}" for n in range(150)]
    rows = await embedder.embed(texts, Purpose.PASSAGE)
    assert rows.shape == (150, embedder.dimension)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    last = await embedder.embed([texts[-1]], Purpose.QUERY)
    # int8 rounds by all texts of a batch; and e5 marks questions.
    assert rows[-1] @ last[0] > (0.9999 if embedder.dimension == 512 else 0.8)
    assert np.argmax(rows @ last[0]) == 149


async def test_meaning_crosses_languages(embedder: Embedder) -> None:
    rows = await embedder.embed(
        ["Liang 住在哪？", "Liang lives in Beijing", "The invoice is overdue"], Purpose.QUERY
    )
    # e5's cosines lie close together.
    margin = 0.2 if embedder.dimension == 512 else 0.1
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + margin


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


def test_embedders_by_name() -> None:
    assert embedder_named("use").name == embedder_named("use-multilingual-3").name == "use-multilingual-3"
    assert embedder_named("e5").name == embedder_named("multilingual-e5-small-int8").name
    assert embedder_for("multilingual-e5-small-int8").dimension == 384
    assert embedder_for(None).name == embedder_for("somebody else's").name == default_embedder().name
    with pytest.raises(Invalid, match="use and e5"):
        embedder_named("nobody's")


async def test_without_its_package_e5_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hitherto.extraction.e5.find_spec", lambda _name: None)
    with pytest.raises(Unavailable, match=r"hitherto\[e5\]"):
        await E5Embedder(tmp_path).embed(["a"], Purpose.QUERY)
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(Unavailable, match=r"hitherto\[e5\]"):
        await E5Embedder(tmp_path).embed(["a"], Purpose.QUERY)


async def test_weights_that_are_none_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad.bin").write_bytes(b"\0" * 100)
    monkeypatch.setattr("hitherto.extraction.e5._weights", lambda: tmp_path / "bad.bin")
    with pytest.raises(Unavailable, match=r"bad\.bin"):
        await E5Embedder(tmp_path / "cache").embed(["a"], Purpose.QUERY)
    assert not (tmp_path / "cache").exists()


async def test_a_memory_takes_a_name_and_keeps_to_what_is_recorded(tmp_path: Path) -> None:
    db = str(tmp_path / "a.db")
    with pytest.raises(Invalid):
        await Memory.open(str(tmp_path / "no folder" / "a.db"), tenant="t", embedder="nobody's")
    async with Memory.open(db, tenant="t", embedder="e5"):
        pass
    async with Memory.open(db, tenant="t"):
        pass
    with pytest.raises(Conflict):
        await Memory.open(db, tenant="t", embedder="use")
