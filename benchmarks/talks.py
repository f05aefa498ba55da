"""Reading the public conversation sets with the rule extractor, for the benchmarks beside this file."""

from __future__ import annotations

import gzip
import json
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hitherto.extraction.extractor import Reading
from hitherto.extraction.rules import RuleExtractor
from hitherto.kg.model import Claim, Draft, Episode, Modality, Role, Turn
from hitherto.kg.ontology import Ontology
from hitherto.kg.preparation import prepare
from hitherto.kg.slots import slot_rule
from hitherto.kg.text import cut
from hitherto.temporal.claims import Period
from hitherto.temporal.resolution import resolve

DATA = Path(__file__).parent.parent.parent / "shared" / "data"
ONTOLOGY = Ontology.starter()
EARLIER, BATCH = 12, 64


def load(path: Path) -> Any:
    """The JSON in a ``.json``, ``.json.gz`` or ``.json.zip``; ends the program in one line when it is absent."""
    if not path.exists():
        sys.exit(f"{path} is not there; give the folder of the public sets")
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            return json.loads(archive.read(archive.namelist()[0]))
    if path.suffix == ".gz":
        with gzip.open(path) as packed:
            return json.load(packed)
    return json.loads(path.read_text(encoding="utf-8"))


def message(id_: str, text: str, at: datetime, actor: str | None, role: Role = Role.USER) -> Episode:
    turn = Turn(0, len(text), at, role, actor)
    return Episode(id=id_, text=text, occurred_at=at, turns=(turn,), actor=actor)


async def read(extractor: RuleExtractor, talk: Sequence[Episode]) -> list[list[Draft]]:
    """The drafts of each message; every one sees the twelve before it."""
    readings = [Reading(e, tuple(talk[max(0, i - EARLIER) : i])) for i, e in enumerate(talk)]
    found: list[list[Draft]] = []
    for i in range(0, len(readings), BATCH):
        found += await extractor.extract(readings[i : i + BATCH])
    return found


def extractor() -> RuleExtractor:
    return RuleExtractor(ONTOLOGY, UTC)


@dataclass(frozen=True, slots=True)
class Held:
    """A fact in a period in which it is believed, with the claims of its slot."""

    period: Period
    claims: tuple[Claim, ...]

    @property
    def own(self) -> list[Claim]:
        return [c for c in self.claims if c.fact == self.period.fact]


def believed(talk: Iterable[Episode], drafts: Iterable[Sequence[Draft]]) -> list[Held]:
    """What is believed when all has been said."""
    slots: dict[str, list[Claim]] = defaultdict(list)
    for episode, found in zip(talk, drafts, strict=True):
        for slot, claim in prepare("t", episode, found, ONTOLOGY).claims:
            slots[slot].append(claim)
    held = []
    for claims in slots.values():
        asserted = [c for c in claims if c.modality is Modality.ASSERTED]
        for period in resolve(asserted, slot_rule(ONTOLOGY, asserted[0].predicate)) if asserted else ():
            held.append(Held(period, tuple(asserted)))
    return held


def content(text: str) -> set[str]:
    """The words that carry something, stemmed."""
    return set(cut(text)) - {"i", "my", "me", "you", "he", "she", "we", "they", "her", "his"}


def share(part: set[str], whole: set[str]) -> float:
    return len(part & whole) / len(part) if part else 0.0


__all__ = ["DATA", "Held", "believed", "content", "extractor", "load", "message", "read", "share"]
