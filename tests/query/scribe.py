"""Writes episodes with ready-made drafts, the way an ingestion would."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from hitherto.kg.commit import Effects, Embedded, commit, receive, retract
from hitherto.kg.embedding import Embedder, Purpose
from hitherto.kg.ids import make_id
from hitherto.kg.model import Draft, Episode, Mention, Turn, Value
from hitherto.kg.ontology import Ontology
from hitherto.kg.preparation import prepare
from hitherto.kg.store import Store
from hitherto.temporal.claims import Says
from hitherto.temporal.instants import parse_bound

ONTOLOGY = Ontology.starter()
TENANT = "acme"


@dataclass(frozen=True, slots=True)
class Note:
    """One thing an episode says. ``when``: the time it names; None is the episode's own."""

    subject: str
    predicate: str
    object: str | Value
    says: Says = Says.OBSERVATION
    when: str | None = None


@dataclass(frozen=True, slots=True)
class Scribe:
    store: Store
    embedder: Embedder
    set_clock: Callable[[datetime], None]

    async def write(
        self,
        text: str,
        *notes: Note,
        said: str,
        actor: str | None = None,
        session: str | None = None,
        tenant: str = TENANT,
    ) -> str:
        """Learn an episode at the time it was said; its id."""
        at = parse_bound(said, zone=UTC).at
        self.set_clock(at)
        episode = Episode(
            id=make_id(tenant, "episode", text, said),
            text=text,
            occurred_at=at,
            turns=(Turn(0, len(text), at, actor=actor),),
            actor=actor,
            session=session,
        )
        await self.store.write(tenant, lambda tx: receive(tx, episode))
        drafts = [_draft(note, n, at, len(text)) for n, note in enumerate(notes)]
        prepared = prepare(tenant, episode, drafts, ONTOLOGY)
        facts = [row.fact for row in prepared.facts]
        names = prepared.entity_names
        vectors = await self.embedder.embed([f.text for f in facts] + list(names.values()), Purpose.PASSAGE)
        embedded = Embedded(
            facts=dict(zip([f.id for f in facts], vectors, strict=False)),
            entities=dict(zip(names, vectors[len(facts) :], strict=True)),
        )
        (own,) = await self.embedder.embed([text], Purpose.PASSAGE)
        await self.store.write(tenant, lambda tx: commit(tx, [Effects(prepared, embedded, own)], ONTOLOGY))
        return episode.id

    async def take_back(self, episode_id: str, *, on: str) -> None:
        self.set_clock(parse_bound(on, zone=UTC).at)
        await self.store.write(TENANT, lambda tx: retract(tx, episode_id, [], ONTOLOGY))


async def write_all(scribe: Scribe, episodes: Sequence[tuple[str, str, Sequence[Note]]]) -> list[str]:
    return [await scribe.write(text, *notes, said=said) for said, text, notes in episodes]


def _draft(note: Note, position: int, said: datetime, length: int) -> Draft:
    definition = ONTOLOGY.predicate(note.predicate)
    bound = parse_bound(note.when, zone=UTC) if note.when else parse_bound(said, zone=UTC)
    thing = note.object if isinstance(note.object, Value) else Mention(note.object, definition.object)
    if isinstance(thing, Mention) and definition.object == "Value":
        thing = Value(thing.name)
    return Draft(
        says=note.says,
        subject=Mention(note.subject, definition.subject),
        predicate=note.predicate,
        object=thing,
        valid_from=bound,
        stated_at=said,
        position=position,
        quote_start=0,
        quote_end=length,
    )


JOINED = (
    "2023-02-01",
    "Alice joined TechCorp in January 2023.",
    [Note("Alice", "WORKS_AT", "TechCorp", Says.DATED_BEGINNING, "2023-01")],
)
LEFT = (
    "2026-03-02",
    "Alice left TechCorp and joined Anthropic as a research engineer.",
    [
        Note("Alice", "WORKS_AT", "TechCorp", Says.END, "2026-03-02"),
        Note("Alice", "WORKS_AT", "Anthropic", Says.DATED_BEGINNING, "2026-03-02"),
        Note("Alice", "HAS_ROLE", "research engineer", Says.DATED_BEGINNING, "2026-03-02"),
    ],
)
