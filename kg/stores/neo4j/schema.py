"""What the database holds, by named migrations, and what its properties mean.

    (:Entity:Person {name})-[:WORKS_AT {during, ...}]->(:Entity | :Value)     believed now, for people
    (:Entity)-[:SUPERSEDED {the same, superseded_at}]->(:Entity | :Value)     believed once
    (:Period)-[:OF]->(:Fact)<-[:ASSERTS | ENDS | DENIES]-(:Episode)           the engine's rows, and the evidence
    (:Naming), (:NameKey)     what an entity was called over [from_us, to_us) of transaction time
    (:FactUse), (:Archiving)  how often a fact was shown and used so far; when it was put aside, and taken back
    (:Tenant), (:Commit)      lock and clock; how many texts and words there were after each commit, and which
                              came with it, if few: ids of facts, episodes, entities that are called otherwise

Instants of the engine are integer microseconds since 1970 (``..._us``); ``NEVER`` and ``ALWAYS`` stand for an open
side, so that every filter is a plain comparison. Datetimes and ``during`` are for people; the engine reads none.

The database may be shared: every node and relationship of ours has a ``tenant``, every rule and index needs it or
another property that only ours have, and every name of a rule or index begins with ``hitherto_``.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final

from ...ids import make_id
from ...migrations import Migration
from ...store import Target

NEVER: Final = 253402300800000000
"""The first microsecond after the year 9999. Vector indexes compare integers as doubles, so no larger sentinel."""
ALWAYS: Final = -62135596800000000 - 1_000_000
"""A second before the year 1."""

SUPERSEDED: Final = "SUPERSEDED"
CLAIM_TYPES: Final = ("ASSERTS", "ENDS", "DENIES")
OPEN_TYPE: Final = "RELATES"
"""The type of an edge whose predicate cannot be one: reserved, unfit, or one kind too many for the server."""
RESERVED_TYPES: Final = frozenset({*CLAIM_TYPES, SUPERSEDED, "OF", "HAS_MEMBER", OPEN_TYPE})
RESERVED_LABELS: Final = frozenset(
    {"Tenant", "Commit", "Entity", "Value", "Fact", "Period", "Episode", "Naming", "NameKey", "Community"}
    | {"Archiving", "FactUse"}
    | {"HithertoMigration", "HithertoEmbedder", "HithertoRule"}
)

WORDS_INDEX: Final = {
    Target.FACT: "hitherto_fact_words",
    Target.EPISODE: "hitherto_episode_words",
    Target.ENTITY: "hitherto_naming_words",
}
VECTOR_INDEX: Final = {
    Target.FACT: "hitherto_period_vector",
    Target.EPISODE: "hitherto_episode_vector",
    Target.ENTITY: "hitherto_entity_vector",
}
_VECTOR_OWNER: Final = {
    Target.FACT: ("Period", ("tenant", "from_us", "shows_us", "ingested_us", "superseded_us")),
    Target.EPISODE: ("Episode", ("tenant", "ingested_us", "forgotten_us")),
    Target.ENTITY: ("Entity", ("tenant", "first_us", "gone_us")),
}
"""The label whose nodes carry the vectors, and what its index filters on."""


class Dialect(Enum):
    """What the server's vector indexes can do."""

    FILTERING = "filtering"
    """``SEARCH`` with filters inside the index (Neo4j 2026.01 and later)."""
    PLAIN = "plain"
    """A procedure that knows no filters (5.26)."""


def wall_of(tenant: str) -> str:
    """The tenant as one word of letters and digits, for full-text indexes and as the key of its node."""
    return "t" + make_id(tenant, "wall").replace("-", "")


def vector_index(target: Target, dimension: int, dialect: Dialect) -> str:
    label, filters = _VECTOR_OWNER[target]
    filtered = dialect is Dialect.FILTERING
    inside = f"WITH [{', '.join(f'n.{name}' for name in filters)}]" if filtered else ""
    return (
        f"{'CYPHER 25 ' if filtered else ''}CREATE VECTOR INDEX {VECTOR_INDEX[target]} IF NOT EXISTS "
        f"FOR (n:{label}) ON n.embedding {inside} OPTIONS {{indexConfig: {{`vector.dimensions`: {dimension}, "
        "`vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false, `vector.hnsw.m`: 32, "
        "`vector.hnsw.ef_construction`: 200}}"
    )


def _first() -> Iterator[str]:
    yield from (_unique(label, "tenant", "id") for label in ("Entity", "Value", "Fact", "Period", "Episode"))
    yield _unique("Tenant", "wall")
    yield _unique("Commit", "tenant", "tx_us")
    yield _unique("HithertoEmbedder", "one")
    for kind in CLAIM_TYPES:
        yield _unique(kind, "tenant", "id", element="()-[n:{}]-()")
        yield _index(kind, "slot", "retracted_us", element="()-[n:{}]-()")
    yield _index("Entity", "tenant", "name")
    yield _index("Naming", "tenant", "entity_id", "from_us")
    yield _index("Naming", "tenant", "to_us")
    yield _index("NameKey", "tenant", "key")
    yield _index("Period", "fact_id")
    yield _index("Period", "slot", "superseded_us")
    yield _index("Period", "subject_id", "predicate")
    yield _index("Period", "object_key")
    yield _index("Period", "tenant", "from_us", "ingested_us", "id")
    yield _index("Period", "tenant", "predicate", "from_us", "ingested_us", "id")
    yield _index("Period", "tenant", "superseded_us")
    yield _index("Episode", "tenant", "occurred_us", "id")
    yield _index("Episode", "tenant", "session", "occurred_us", "id")
    yield _index("Episode", "tenant", "actor", "occurred_us", "id")
    yield _index("Episode", "tenant", "done_us", "forgotten_us")
    for target, label in ((Target.FACT, "Fact"), (Target.EPISODE, "Episode"), (Target.ENTITY, "Naming")):
        yield (
            f"CREATE FULLTEXT INDEX {WORDS_INDEX[target]} IF NOT EXISTS FOR (n:{label}) "
            "ON EACH [n.words, n.wall] OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}"
        )


def _unique(label: str, *names: str, element: str = "(n:{})") -> str:
    return (
        f"CREATE CONSTRAINT {_name(label, names)} IF NOT EXISTS FOR {element.format(label)} "
        f"REQUIRE ({_list(names)}) IS UNIQUE"
    )


def _index(label: str, *names: str, element: str = "(n:{})") -> str:
    return f"CREATE INDEX {_name(label, names)} IF NOT EXISTS FOR {element.format(label)} ON ({_list(names)})"


def _name(label: str, names: tuple[str, ...]) -> str:
    return f"hitherto_{label.lower()}_{'_'.join(names)}"


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(f"n.{name}" for name in names)


MIGRATION_RULE: Final = _unique("HithertoMigration", "number")
"""So that two processes that open a new database at once record each migration once."""

MIGRATIONS: Final[tuple[Migration[tuple[str, ...]], ...]] = (
    Migration(1, "first schema", tuple(_first())),
    Migration(2, "by transaction time", (_index("Period", "tenant", "ingested_us"),)),
    Migration(3, "rules of predicates", (_unique("HithertoRule", "tenant", "predicate"),)),
    Migration(
        4,
        "identities",
        (
            _index("Entity", "tenant", "canonical_id"),
            _index("Fact", "tenant", "subject_id"),
            _index("Fact", "tenant", "object_id"),
        ),
    ),
    Migration(
        5,
        "changes in order",
        (
            f"DROP INDEX {_name('Period', ('tenant', 'ingested_us'))} IF EXISTS",
            _index("Period", "tenant", "ingested_us", "id"),
        ),
    ),
    Migration(
        6,
        "use and archive",
        (
            _unique("FactUse", "tenant", "fact_id", "at_us"),
            _unique("Archiving", "tenant", "fact_id", "archived_us"),
            _index("Archiving", "tenant", "archived_us", "fact_id"),
            _index("Archiving", "tenant", "digest"),
        ),
    ),
)
"""In order. Never edit one that was released: add another. Every statement must do nothing the second time, since
Neo4j takes schema changes and the record of them only in transactions of their own."""
