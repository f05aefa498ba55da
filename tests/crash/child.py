"""The process that is killed. Run as a program it forks a child for each ``Place`` it reads, so that it starts at
once: the child does ``OPERATIONS`` there and says on standard output what it is at."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hitherto import Memory
from hitherto.extraction.extractor import Reading
from hitherto.kg.embedding import Purpose, Vectors
from hitherto.kg.model import Draft
from hitherto.kg.stores import neo4j, sqlite
from tests.support import ClaimsExtractor, SaidClaim, StepClock, TinyEmbedder, day, said

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Place:
    """A database's address and a tenant that nobody else uses."""

    url: str
    tenant: str = "acme"


@dataclass(frozen=True)
class Operation:
    """Adds episode ``number``, or takes it back."""

    number: int
    retracts: bool = False

    @property
    def id(self) -> str:
        return f"e{self.number}"

    @property
    def claims(self) -> tuple[SaidClaim, ...]:
        """Of two slots and a fact of its own: each episode changes several periods, also of other facts."""
        n = self.number
        return (
            SaidClaim("dated_beginning", f"c{n % 4}", 7 * n % 30),
            SaidClaim("end", f"c{(n + 1) % 4}", 11 * n % 30),
            SaidClaim("observation", f"c{n % 3}", n, subject="Bob"),
            SaidClaim("extent", f"thing {n}", n, n + 9, predicate="LIKES"),
        )

    async def do(self, memory: Memory) -> None:
        if self.retracts:
            await memory.retract(self.id)
        else:
            await memory.add(said(*self.claims), id=self.id, occurred_at=day(self.number), session="s")


OPERATIONS = (
    *(Operation(n) for n in (0, 1, 2, 3)),
    Operation(1, retracts=True),
    *(Operation(n) for n in (6, 4, 5)),
    Operation(6, retracts=True),
    Operation(1),
    *(Operation(n) for n in (8, 7)),
)


@dataclass
class TellingExtractor(ClaimsExtractor):
    tell: Tell = print

    async def extract(self, readings: Sequence[Reading]) -> list[list[Draft]]:
        self.tell("reading")
        return await super().extract(readings)


class TellingEmbedder(TinyEmbedder):
    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        vectors = await super().embed(texts, purpose)
        self._tell("committing")
        return vectors


async def work(place: Place, tell: Tell) -> None:
    tell("opening")
    parts = {"extractor": TellingExtractor(tell=tell), "embedder": TellingEmbedder(tell), "clock": StepClock()}
    async with Memory.open(place.url, tenant=place.tenant, **parts) as memory:  # type: ignore[arg-type]
        for operation in OPERATIONS:
            tell("retracting" if operation.retracts else "receiving")
            await operation.do(memory)
            tell("acknowledged")
    tell("finished")


def _say(line: str) -> None:
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


def _serve() -> None:
    assert neo4j and sqlite  # imported, so that no child has to
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _say(f"pid {os.getpid()}")
            asyncio.run(work(Place(**json.loads(line)), _say))
            signal.pause()
        os.waitpid(child, 0)
        _say("dead")


if __name__ == "__main__":
    assert Path("pyproject.toml").exists(), "run it in the repository's folder"
    _serve()
