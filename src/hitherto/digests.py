"""Digests: one fact that says what several archived ones say, and cites them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from .episodes import About, build_episode
from .extraction.records import LITERAL, read_records, read_zone, record
from .kg.model import THING, Belief, Format
from .kg.ontology import DIGEST
from .kg.preparation import prepare
from .kg.store import Transaction
from .pipeline import Pipeline

SOURCE = "digest"


async def write_digest(pipeline: Pipeline, policy: str, facts: Sequence[Sequence[Belief]], now: datetime) -> str:
    """Archive facts about one subject, each given by its periods, and keep a digest of them, in one transaction;
    the id of its episode, whose metadata names the facts.

    The digest is extractive: the facts' own sentences with their dates. It holds from the first of their
    beginnings on, and is as sure as the least sure of them.
    """
    subject = facts[0][0].fact.subject
    begins = [b.valid_from.at for periods in facts for b in periods if b.valid_from is not None]
    text = "; ".join(belief.line() for periods in facts for belief in periods)
    row = record(
        subject=subject.name,
        predicate=DIGEST,
        object=text,
        object_kind=LITERAL,
        subject_kind=None if subject.kind == THING else subject.kind,
        valid_from=min(begins).isoformat() if begins else None,
        stated_at=now.isoformat(),
        confidence=min(b.confidence for periods in facts for b in periods),
    )
    ids = [periods[0].fact.id for periods in facts]
    about = About(occurred_at=now, source=SOURCE, metadata={"policy": policy, "facts": [*ids]})
    episode = build_episode(pipeline.tenant, row.line(), about, read_zone("UTC"), Format.FACTS)
    prepared = prepare(pipeline.tenant, episode, read_records(episode, pipeline.ontology), pipeline.ontology)

    async def archive(tx: Transaction) -> None:
        await tx.archive(ids, policy, episode.id)

    await pipeline.record(episode, prepared, archive)
    return episode.id
