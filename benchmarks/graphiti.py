"""Search side by side with graphiti-core on the same Neo4j server: the same graph, questions and vectors.

    pip install graphiti-core==0.31.2
    python benchmarks/graphiti.py [--facts 25000] [--repeat 100] [--url neo4j://neo4j:PASSWORD@localhost]

One tenant of made-up jobs, four for each person, each ending when the next begins. Here they come by
``add_facts``; there they are written as its own entities and edges, with ``valid_at`` and ``invalid_at``, by
its own bulk writer, since its way of adding needs a model. Both get ten results for each question, one after
the other; vectors are made up, so neither embedder's time is in the figures. ``found``: questions "Where does X
work?" whose present employer is among the results. Without ``--url`` a server of its own is started, and
deleted at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import tempfile
import time
import uuid
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from loading import people
from rich.console import Console
from rich.table import Table
from sizes import QUESTIONS, MadeUpEmbedder, Place

from hitherto.kg.embedding import Purpose
from hitherto.neo4j_server import Machine, Options, passing_server

LIMIT = 10
BATCH = 500


@dataclass(frozen=True, slots=True)
class Job:
    person: str
    company: str
    start: datetime
    end: datetime | None

    @property
    def text(self) -> str:
        return f"{self.person} works at {self.company}"


def jobs(rows: Iterable[dict[str, Any]]) -> list[Job]:
    """What ``add_facts`` makes of the rows: one job at a time, a same-day one replaced by what comes later."""
    by_person: dict[str, dict[datetime, str]] = {}
    for row in rows:
        day = row["valid_from"]
        start = datetime(day.year, day.month, day.day, tzinfo=UTC)
        by_person.setdefault(row["subject"], {})[start] = row["object"]
    found = []
    for person, held in by_person.items():
        starts = sorted(held)
        ends = [*starts[1:], None]
        found += [Job(person, held[start], start, end) for start, end in zip(starts, ends, strict=True)]
    return found


class Peer:
    """graphiti-core over the server, without a model."""

    def __init__(self, uri: str, auth: tuple[str, str]) -> None:
        # Read when the package is imported.
        os.environ |= {"GRAPHITI_TELEMETRY_ENABLED": "false", "EMBEDDING_DIM": str(MadeUpEmbedder.dimension)}
        try:
            from graphiti_core import Graphiti
            from graphiti_core.cross_encoder.client import CrossEncoderClient
            from graphiti_core.embedder.client import EmbedderClient
            from graphiti_core.llm_client.client import LLMClient
        except ImportError as error:
            raise SystemExit(f"{error}; get it with: pip install graphiti-core==0.31.2") from None

        class Scripted(EmbedderClient):  # type: ignore[misc]
            async def create(self, input_data: Any) -> list[float]:
                text = input_data if isinstance(input_data, str) else input_data[0]
                return [float(n) for n in (await MadeUpEmbedder().embed([text], Purpose.QUERY))[0]]

            async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
                return (await MadeUpEmbedder().embed(input_data_list, Purpose.PASSAGE)).tolist()

        class NoModel(LLMClient):  # type: ignore[misc]
            async def _generate_response(self, *_: Any, **__: Any) -> dict[str, Any]:
                raise RuntimeError("a search asked a model")

        class NoReranker(CrossEncoderClient):  # type: ignore[misc]
            async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:  # noqa: ARG002
                raise RuntimeError("a search asked a reranker")

        # The server remarks on each query of its that names a property nobody has.
        logging.getLogger("neo4j.notifications").setLevel(logging.ERROR)
        self.embedder = Scripted()
        self.group = f"g{uuid.uuid4().hex}"
        self.graphiti = Graphiti(
            uri, *auth, llm_client=NoModel(None), embedder=self.embedder, cross_encoder=NoReranker()
        )

    async def load(self, listed: Sequence[Job]) -> None:
        from graphiti_core.edges import EntityEdge
        from graphiti_core.nodes import EntityNode
        from graphiti_core.utils.bulk_utils import add_nodes_and_edges_bulk

        await self.graphiti.build_indices_and_constraints()
        now = datetime.now(UTC)
        names = sorted({side for job in listed for side in (job.person, job.company)})
        nodes = {name: EntityNode(name=name, group_id=self.group, labels=[], created_at=now) for name in names}
        edges = [
            EntityEdge(
                source_node_uuid=nodes[job.person].uuid,
                target_node_uuid=nodes[job.company].uuid,
                group_id=self.group,
                name="WORKS_AT",
                fact=job.text,
                created_at=now,
                valid_at=job.start,
                invalid_at=job.end,
                expired_at=None if job.end is None else now,
            )
            for job in listed
        ]
        every = list(nodes.values())
        for first in range(0, len(every), BATCH):
            part = every[first : first + BATCH]
            vectors = await self.embedder.create_batch([node.name for node in part])
            for node, vector in zip(part, vectors, strict=True):
                node.name_embedding = vector
            await add_nodes_and_edges_bulk(self.graphiti.driver, [], [], part, [], self.embedder)
        for first in range(0, len(edges), BATCH):
            part = edges[first : first + BATCH]
            vectors = await self.embedder.create_batch([edge.fact for edge in part])
            for edge, vector in zip(part, vectors, strict=True):
                edge.fact_embedding = vector
            await add_nodes_and_edges_bulk(self.graphiti.driver, [], [], [], part, self.embedder)

    async def search(self, question: str) -> list[str]:
        found = await self.graphiti.search(question, group_ids=[self.group], num_results=LIMIT)
        return [edge.fact for edge in found]


async def measure(place: Place, facts: int, repeat: int, tenant: str | None) -> None:
    assert place.auth is not None
    peer = Peer(place.url, place.auth)
    listed = jobs(people(0, facts))
    now = {job.person: job.company for job in listed if job.end is None}
    memory = await place.open(tenant or f"graphiti {uuid.uuid4()}")
    try:
        if tenant is None:
            await memory.add_facts(people(0, facts))
        await peer.load(listed)

        async def ours(question: str) -> list[str]:
            return [str(hit) for hit in await memory.search(question, limit=LIMIT)]

        times: dict[str, list[float]] = {"hitherto": [], "graphiti-core": []}
        found = dict.fromkeys(times, 0)
        asked = 0
        warm = 10
        for n in range(warm + repeat):
            person = f"Person {n * 7 % (facts // 4)}"
            question = QUESTIONS[n % 3].format(f"Company {n}" if n % 3 == 1 else person)
            asked += n >= warm and n % 3 == 0
            for name, search in (("hitherto", ours), ("graphiti-core", peer.search)):
                before = time.perf_counter()
                texts = await search(question)
                if n >= warm:
                    times[name].append((time.perf_counter() - before) * 1000)
                    right = n % 3 == 0 and any(f"{now[person]}" in text and person in text for text in texts)
                    found[name] += right
    finally:
        await memory.close()
        await peer.graphiti.close()
    show(facts, times, {name: f"{count}/{asked}" for name, count in found.items()})


def show(facts: int, times: dict[str, list[float]], found: dict[str, str]) -> None:
    table = Table("", "p50 ms", "p95 ms", "found", title=f"{facts:,} facts, {len(times['hitherto'])} questions")
    spreads = {name: np.percentile(each, [50, 95]) for name, each in times.items()}
    for name, (p50, p95) in spreads.items():
        table.add_row(name, f"{p50:.1f}", f"{p95:.1f}", found[name])
    ratio = spreads["hitherto"] / spreads["graphiti-core"]
    table.add_row("ratio", f"{ratio[0]:.2f}", f"{ratio[1]:.2f}", "")
    Console(width=100).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help="a server, with user and password in it")
    parser.add_argument("--version", help="of the server that is started")
    parser.add_argument("--facts", type=int, default=25_000)
    parser.add_argument("--repeat", type=int, default=100, help="questions that are timed")
    parser.add_argument("--tenant", help="one of --url that holds these very facts")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        if args.url:
            parts = urlsplit(args.url)
            uri = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
            place = Place("Neo4j", uri, (parts.username or "neo4j", parts.password or ""))
        else:
            machine = Machine.from_environ(os.environ)
            options = Options(bolt_port=0, http_port=0, heap="2g")
            server = passing_server(machine, Path(folder) / "home", version=args.version, options=options)
            address = stack.enter_context(server)
            place = Place("Neo4j", address.uri, address.auth)
        asyncio.run(measure(place, args.facts, args.repeat, args.tenant))


if __name__ == "__main__":
    main()
