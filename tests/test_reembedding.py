"""Changing the embedder of a database that holds something, on both stores."""

from __future__ import annotations

import os
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from hitherto import Admin, Memory
from hitherto.cli import app
from hitherto.kg.embedding import Embedder, Purpose, Vectors
from hitherto.kg.store import Point, Target
from hitherto.memory import Parts
from hitherto.neo4j_server import Address, Machine, Options, passing_server
from hitherto.temporal.errors import Conflict, Invalid, Unavailable
from hitherto.testing.neo4j import skip_or_fail
from hitherto.testing.telling import DIMENSION, EMBEDDER
from tests.support import ClaimsExtractor, SaidClaim, TinyEmbedder, day, said

Place = tuple[str, "tuple[str, str] | None"]


class Other(TinyEmbedder):
    """As many numbers as the tiny one, or more; fails after ``most`` texts."""

    def __init__(self, name: str = "other", dimension: int = DIMENSION, most: int = 10_000) -> None:
        self.name, self.dimension, self.most = name, dimension, most

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        self.most -= len(texts)
        if self.most < 0:
            raise RuntimeError("stopped on purpose")
        rows = await super().embed([text[::-1] for text in texts], purpose)
        wide: Vectors = np.pad(rows, ((0, 0), (0, self.dimension - DIMENSION)))
        return wide


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """Not the whole run's, whose vectors would all be removed and made again."""
    machine = Machine.from_environ(os.environ)
    if machine.given is not None:
        pytest.skip("NEO4J_URI names the server, and this test would remove its vectors")
    options = Options(bolt_port=0, http_port=0, heap="512m")
    with ExitStack() as stack:
        try:
            address = stack.enter_context(
                passing_server(machine, tmp_path_factory.mktemp("neo4j-embedders"), options=options)
            )
        except Unavailable as error:
            skip_or_fail(machine, error)
        yield address


@pytest.fixture(params=["sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j)])
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Place]:
    if request.param == "sqlite":
        yield str(tmp_path / "a.db"), None
        return
    server: Address = request.getfixturevalue("own_server")
    yield server.uri, server.auth
    async with Admin.open(server.uri, auth=server.auth) as admin:
        await admin.change_embedder(TinyEmbedder())


async def opened(place: Place, tenant: str, embedder: Embedder) -> Memory:
    parts = Parts(extractor=ClaimsExtractor(), embedder=embedder, auth=place[1])
    return await Memory.open(place[0], tenant=tenant, **parts)


async def admin_of(place: Place) -> Admin:
    return await Admin.open(place[0], auth=place[1])


async def tell(memory: Memory) -> None:
    for number, object_ in enumerate(["Acme", "Globex", "Initech"]):
        text = said(
            SaidClaim("observation", object_, number), SaidClaim("observation", "tea", number, None, object_)
        )
        await memory.add(text, occurred_at=day(number), id=f"e{number}")
    await memory.retract("e2")


async def found(memory: Memory, embedder: Embedder) -> dict[Target, list[float]]:
    """Cosines of each fact, episode and entity by its own text, as the store compares."""
    store = memory._pipeline.store
    scores: dict[Target, list[float]] = {}
    texts = {
        Target.FACT: [b.fact.text for b in (await memory.facts(during="ever")).items],
        Target.EPISODE: [e.text for e in (await memory.episodes()).items],
        Target.ENTITY: ["Ann", "Acme", "Globex"],
    }
    for target, listed in texts.items():
        rows = await embedder.embed(listed, Purpose.QUERY)
        best = [await store.nearest(await pinned(memory), row, target, 1) for row in rows]
        scores[target] = [match[0].score if match else 0.0 for match in best]
    return scores


async def pinned(memory: Memory) -> Point:
    return Point(memory.tenant, known=await memory._pipeline.store.last_commit(memory.tenant))


def is_whole(scores: dict[Target, list[float]]) -> bool:
    return all(s == pytest.approx(1, abs=1e-5) for listed in scores.values() for s in listed)


async def test_everything_of_every_tenant_is_embedded_again(place: Place) -> None:
    tenants = [f"re {uuid.uuid4()}" for _ in range(2)]
    for tenant in tenants:
        memory = await opened(place, tenant, TinyEmbedder())
        await tell(memory)
        assert is_whole(await found(memory, TinyEmbedder()))
        await memory.close()
    other = Other(dimension=DIMENSION + 5)
    admin = await admin_of(place)
    count = await admin.change_embedder(other, batch=2)
    assert count >= 2 * (4 + 3 + 4)
    assert await admin.change_embedder(other, batch=2) == 0
    await admin.close()
    with pytest.raises(Conflict, match="embed --embedder"):
        await opened(place, tenants[0], TinyEmbedder())
    for tenant in tenants:
        memory = await opened(place, tenant, other)
        assert is_whole(await found(memory, other))
        await memory.add(said(SaidClaim("observation", "Umbrella", 9)), occurred_at=day(9))
        assert is_whole(await found(memory, other))
        await memory.close()


async def test_an_interrupted_change_mixes_nothing_and_is_finished_later(place: Place) -> None:
    tenant = f"re {uuid.uuid4()}"
    old = await opened(place, tenant, TinyEmbedder())
    await tell(old)
    admin = await admin_of(place)
    with pytest.raises(RuntimeError, match="on purpose"):
        await admin.change_embedder(Other(most=4), batch=3)

    # Whoever still has the former embedder neither writes its vectors nor compares with them.
    with pytest.raises(Conflict):
        await old.add(said(SaidClaim("observation", "Umbrella", 5)), occurred_at=day(5))
    row = (await TinyEmbedder().embed(["Ann"], Purpose.QUERY))[0]
    with pytest.raises(Conflict):
        await old._pipeline.store.nearest(await pinned(old), row, Target.FACT, 1)
    await old.close()

    half = await opened(place, tenant, Other())
    scores = await found(half, Other())
    assert not is_whole(scores)
    tiny = await TinyEmbedder().embed(
        [b.fact.text for b in (await half.facts(during="ever")).items], Purpose.QUERY
    )
    for vector in tiny:
        matches = await half._pipeline.store.nearest(await pinned(half), vector, Target.FACT, 9)
        assert all(match.score < 0.9999 for match in matches)
    assert (await half.search("Acme")).hits
    await half.close()

    assert await admin.change_embedder(Other(), batch=3) > 0
    await admin.close()
    whole = await opened(place, tenant, Other())
    assert is_whole(await found(whole, Other()))
    await whole.close()


async def test_there_and_back_again_in_one_store(place: Place) -> None:
    tenant = f"re {uuid.uuid4()}"
    memory = await opened(place, tenant, TinyEmbedder())
    await tell(memory)
    store = memory._pipeline.store
    await store.change_embedder("other", DIMENSION)
    assert await store.embedder_name() == "other"
    row = (await TinyEmbedder().embed(["Ann"], Purpose.QUERY))[0]
    assert await store.nearest(await pinned(memory), row, Target.ENTITY, 5) == []
    await store.change_embedder(EMBEDDER, DIMENSION)
    await memory.embed_missing(batch=2)
    assert is_whole(await found(memory, TinyEmbedder()))
    await memory.close()


async def test_an_embedder_that_does_not_work_costs_nothing(tmp_path: Path) -> None:
    place = (str(tmp_path / "a.db"), None)
    memory = await opened(place, "t", TinyEmbedder())
    await tell(memory)
    admin = await admin_of(place)
    with pytest.raises(RuntimeError):
        await admin.change_embedder(Other(most=0))
    with pytest.raises(Invalid, match="batch"):
        await admin.change_embedder(Other(), batch=0)
    with pytest.raises(Invalid, match="use and e5"):
        await admin.change_embedder("nobody's")
    assert is_whole(await found(memory, TinyEmbedder()))
    await memory.close()


def test_the_command_changes_a_file_to_e5_and_all_commands_follow(tmp_path: Path) -> None:
    db = str(tmp_path / "a.db")
    runner = CliRunner()
    for arguments, expected in (
        (["add", "Alice works at TechCorp.", "--at", "2024-01-01"], "TechCorp"),
        (["embed", "--embedder", "e5"], "embedded: "),
        (["embed", "--embedder", "e5"], "embedded: 0"),
        (["add", "Bob lives in Rome.", "--at", "2024-01-02"], "Rome"),
        (["search", "Where does Alice work?"], "TechCorp"),
    ):
        result = runner.invoke(app, [*arguments, "--db", db], catch_exceptions=False)
        assert expected in result.stdout, result.output
