"""Parts for tests: an extractor that reads ready-made claims and a small embedder, for those that are not about
language; one rule extractor for those that are."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import numpy as np

from hitherto.extraction.extractor import Reading
from hitherto.extraction.rules import RuleExtractor
from hitherto.kg.embedding import Purpose, Vectors
from hitherto.kg.model import Draft, Mention
from hitherto.kg.ontology import Ontology
from hitherto.temporal.claims import Says
from hitherto.temporal.grains import Basis, Bound, Grain
from hitherto.testing.telling import DIMENSION, EMBEDDER

DAY_ZERO = datetime(2024, 1, 1, tzinfo=UTC)


@lru_cache(maxsize=1)
def rules() -> RuleExtractor:
    """The starter ontology's rules: their models take seconds to load, and load once for all tests."""
    return RuleExtractor(Ontology.starter(), UTC)


def day(number: int) -> datetime:
    return DAY_ZERO + timedelta(days=number)


@dataclass(frozen=True)
class SaidClaim:
    """A claim in whole days from 2024-01-01, about ``subject WORKS_AT/LIKES/... object``."""

    says: str
    object: str
    start: int | None
    end: int | None = None
    subject: str = "Ann"
    predicate: str = "WORKS_AT"
    authority: int = 0
    confidence: float = 1.0
    grain_days: int = 0

    def draft(self, stated_at: datetime, position: int, quote: tuple[int, int]) -> Draft:
        grain = Grain.DAY if self.grain_days else Grain.INSTANT
        start = None
        if self.start is not None:
            until = day(self.start + self.grain_days)
            start = Bound(day(self.start), grain, until, Basis.STATED)
        return Draft(
            says=Says(self.says),
            subject=Mention(self.subject, "Person"),
            predicate=self.predicate,
            object=Mention(self.object),
            valid_from=start,
            valid_to=None if self.end is None else Bound(day(self.end)),
            stated_at=stated_at,
            position=position,
            quote_start=quote[0],
            quote_end=quote[1],
            confidence=self.confidence,
            authority=self.authority,
        )


def said(*claims: SaidClaim) -> str:
    """The text of an episode that makes these claims, one a line."""
    return "\n".join(json.dumps(vars(c)) for c in claims)


@dataclass
class ClaimsExtractor:
    """Reads what ``said`` wrote, and nothing else; counts its calls, and fails while ``broken``."""

    name: str = "claims"
    calls: int = 0
    broken: bool = False
    seen: list[str] = field(default_factory=list)

    async def extract(self, readings: Sequence[Reading]) -> list[list[Draft]]:
        self.calls += 1
        self.seen += [r.episode.text for r in readings]
        if self.broken:
            raise RuntimeError("the extractor is broken on purpose")
        return [self._read(reading) for reading in readings]

    def _read(self, reading: Reading) -> list[Draft]:
        drafts: list[Draft] = []
        for match in _CLAIM.finditer(reading.episode.text):
            claim = SaidClaim(**json.loads(match.group().replace(' "', '"')))
            drafts.append(claim.draft(reading.episode.occurred_at, len(drafts), match.span()))
        return drafts


# With or without the blanks that stand for JSON's escapes in prose of records.
_CLAIM = re.compile(r"\{ *\"says.*\}")


class TinyEmbedder:
    """Unit vectors from a hash: equal texts are near, nothing else is meant."""

    # The contract suite's: tests of both may share one server, and a database holds one embedder's vectors.
    name = EMBEDDER
    dimension = DIMENSION

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        rows = [np.frombuffer(hashlib.sha256(t.encode()).digest()[:8], dtype=np.uint8) for t in texts]
        vectors = np.array(rows, dtype=np.float32).reshape(len(texts), 8) + 1.0
        unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
        return unit


@dataclass
class StepClock:
    """Tells a time that tests set; never moves by itself."""

    now: datetime = datetime(2030, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now
