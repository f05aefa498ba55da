"""The tables, by named migrations, and what their columns mean.

Instants are integer microseconds since 1970. ``NEVER`` and ``ALWAYS`` stand for an open side, so that every
filter is a plain comparison. Rows refer to each other by number; ids are what callers see.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Final

from ...migrations import Migration

APPLICATION_ID: Final = 0x48697468
"""Marks a file as ours ("Hith"), in the SQLite header."""

NEVER: Final = 2**63 - 1
"""Not superseded, not retracted, still true."""
ALWAYS: Final = -(2**63)
"""True since before anyone said."""

_PUNCTUATION: Final = "!#$%&''()*+,-./:;<=>?@[]^_`{|}~\\"
"""ASCII that may stand inside a word (the quote is doubled for FTS5); ``text.cut`` has decided where words end."""

_FIRST: Final = f"""
CREATE TABLE embedder (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    name TEXT NOT NULL,
    dimension INTEGER NOT NULL
) STRICT;

CREATE TABLE tenant (
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    tx_us INTEGER NOT NULL
) STRICT;

-- [known_us, forgotten_us) is the newest stretch in which it is known; former ones are in episode_past.
-- done_us: when its claims were read; NEVER while it is pending.
CREATE TABLE episode (
    no INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL,
    id TEXT NOT NULL,
    text TEXT NOT NULL,
    occurred_us INTEGER NOT NULL,
    turns TEXT NOT NULL,
    format TEXT NOT NULL,
    source TEXT NOT NULL,
    actor TEXT,
    session TEXT,
    metadata TEXT NOT NULL,
    ingested_us INTEGER NOT NULL,
    known_us INTEGER NOT NULL,
    forgotten_us INTEGER NOT NULL,
    done_us INTEGER NOT NULL,
    UNIQUE (tenant, id)
) STRICT;
CREATE INDEX episode_time ON episode (tenant, occurred_us, id);
CREATE INDEX episode_session ON episode (tenant, session, occurred_us, id) WHERE session IS NOT NULL;
CREATE INDEX episode_actor ON episode (tenant, actor, occurred_us, id) WHERE actor IS NOT NULL;
CREATE INDEX episode_done ON episode (tenant, done_us);

CREATE TABLE episode_past (
    episode INTEGER NOT NULL,
    known_us INTEGER NOT NULL,
    forgotten_us INTEGER NOT NULL,
    done_us INTEGER NOT NULL,
    PRIMARY KEY (episode, known_us)
) STRICT, WITHOUT ROWID;

CREATE TABLE entity (
    no INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL,
    id TEXT NOT NULL,
    UNIQUE (tenant, id)
) STRICT;

CREATE TABLE sighting (
    entity INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (entity, name, kind)
) STRICT, WITHOUT ROWID;

-- What an entity is called over [from_us, to_us) of transaction time.
CREATE TABLE entity_state (
    no INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL,
    entity INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    aliases TEXT NOT NULL,
    from_us INTEGER NOT NULL,
    to_us INTEGER NOT NULL
) STRICT;
CREATE INDEX entity_state_entity ON entity_state (entity, to_us);
CREATE INDEX entity_state_now ON entity_state (tenant) WHERE to_us = {NEVER};

-- Normalised names and aliases of a state.
CREATE TABLE entity_name (
    tenant INTEGER NOT NULL,
    key TEXT NOT NULL,
    state INTEGER NOT NULL,
    PRIMARY KEY (tenant, key, state)
) STRICT, WITHOUT ROWID;

CREATE TABLE fact (
    no INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL,
    id TEXT NOT NULL,
    subject INTEGER NOT NULL,
    predicate TEXT NOT NULL,
    object INTEGER,
    value TEXT,
    value_key TEXT,
    text TEXT NOT NULL,
    is_event INTEGER NOT NULL,
    UNIQUE (tenant, id)
) STRICT;
CREATE INDEX fact_subject ON fact (subject, predicate);
CREATE INDEX fact_object ON fact (object) WHERE object IS NOT NULL;
CREATE INDEX fact_value ON fact (tenant, value_key) WHERE value_key IS NOT NULL;
CREATE INDEX fact_predicate ON fact (tenant, predicate);

-- [recorded_us, retracted_us) is the newest stretch in which it is known; former ones are in claim_past.
CREATE TABLE claim (
    no INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL,
    id TEXT NOT NULL,
    slot TEXT NOT NULL,
    episode INTEGER NOT NULL,
    fact INTEGER NOT NULL,
    says TEXT NOT NULL,
    from_us INTEGER,
    from_grain TEXT,
    from_end_us INTEGER,
    from_basis TEXT,
    to_us INTEGER,
    to_grain TEXT,
    to_end_us INTEGER,
    to_basis TEXT,
    stated_us INTEGER NOT NULL,
    position INTEGER NOT NULL,
    authority INTEGER NOT NULL,
    confidence REAL NOT NULL,
    subject_name TEXT NOT NULL,
    subject_kind TEXT NOT NULL,
    object_name TEXT NOT NULL,
    object_kind TEXT,
    quote TEXT NOT NULL,
    quote_start INTEGER NOT NULL,
    quote_end INTEGER NOT NULL,
    modality TEXT NOT NULL,
    extractor TEXT NOT NULL,
    recorded_us INTEGER NOT NULL,
    retracted_us INTEGER NOT NULL,
    UNIQUE (tenant, id)
) STRICT;
CREATE INDEX claim_slot ON claim (tenant, slot) WHERE retracted_us = {NEVER};
CREATE INDEX claim_episode ON claim (episode);
CREATE INDEX claim_fact ON claim (fact);

CREATE TABLE claim_past (
    claim INTEGER NOT NULL,
    recorded_us INTEGER NOT NULL,
    retracted_us INTEGER NOT NULL,
    PRIMARY KEY (claim, recorded_us)
) STRICT, WITHOUT ROWID;

-- shows_us: until when a read at a valid time finds it; to_us of a state, NEVER of an event.
CREATE TABLE period (
    no INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL,
    id TEXT NOT NULL,
    slot TEXT NOT NULL,
    fact INTEGER NOT NULL,
    from_us INTEGER NOT NULL,
    from_grain TEXT,
    from_end_us INTEGER,
    from_basis TEXT,
    to_us INTEGER NOT NULL,
    to_grain TEXT,
    to_end_us INTEGER,
    to_basis TEXT,
    shows_us INTEGER NOT NULL,
    ingested_us INTEGER NOT NULL,
    superseded_us INTEGER NOT NULL,
    UNIQUE (tenant, id)
) STRICT;
CREATE INDEX period_slot ON period (tenant, slot, fact) WHERE superseded_us = {NEVER};
CREATE INDEX period_fact ON period (fact, superseded_us, from_us, shows_us);
CREATE INDEX period_time ON period (tenant, from_us, ingested_us);

-- Texts of the full-text index. target: 1 fact, 2 episode, 3 entity_state. The running totals (this text included)
-- give a tenant's own statistics as of any transaction time.
CREATE TABLE doc (
    no INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL,
    target INTEGER NOT NULL,
    owner INTEGER NOT NULL,
    added_us INTEGER NOT NULL,
    words INTEGER NOT NULL,
    docs_total INTEGER NOT NULL,
    words_total INTEGER NOT NULL
) STRICT;
CREATE INDEX doc_time ON doc (tenant, target, added_us);

-- Words carry their tenant and target as a prefix, so that a tenant's postings are a list of their own.
CREATE VIRTUAL TABLE doc_words USING fts5 (
    body, content = '', columnsize = 0, tokenize = "ascii tokenchars '{_PUNCTUATION}'"
);
CREATE VIRTUAL TABLE posting USING fts5vocab (doc_words, instance);

-- target: 1 fact, 2 episode, 3 entity. A vector that is replaced gets a new seq, never an old one's.
CREATE TABLE vector (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant INTEGER NOT NULL,
    target INTEGER NOT NULL,
    owner INTEGER NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (owner, target)
) STRICT;
CREATE INDEX vector_tenant ON vector (tenant, target);
"""


def _first_tables(db: sqlite3.Connection) -> None:
    for statement in _FIRST.split(";\n"):
        db.execute(statement)


def _by_transaction_time(db: sqlite3.Connection) -> None:
    db.execute("CREATE INDEX period_came ON period (tenant, ingested_us, id)")
    db.execute(f"CREATE INDEX period_went ON period (tenant, superseded_us, id) WHERE superseded_us < {NEVER}")
    db.execute(f"CREATE INDEX claim_gone ON claim (tenant, slot) WHERE retracted_us < {NEVER}")


def _rules(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE rule (tenant INTEGER NOT NULL, predicate TEXT NOT NULL, rule TEXT NOT NULL, "
        "PRIMARY KEY (tenant, predicate)) STRICT, WITHOUT ROWID"
    )


def _identities(db: sqlite3.Connection) -> None:
    # name: what the entity's id is made of. An entity without a row is one with nobody.
    db.execute(
        "CREATE TABLE identity (entity INTEGER PRIMARY KEY, canonical INTEGER NOT NULL, name TEXT NOT NULL) STRICT"
    )
    db.execute("CREATE INDEX identity_canonical ON identity (canonical)")
    db.execute("ALTER TABLE tenant ADD COLUMN has_identities INTEGER NOT NULL DEFAULT 0")


def _use_and_archive(db: sqlite3.Connection) -> None:
    # Counts so far, as of at_us; last_us is when the fact was last shown or used.
    db.execute(
        "CREATE TABLE fact_use (fact INTEGER NOT NULL, at_us INTEGER NOT NULL, shown INTEGER NOT NULL, "
        "used INTEGER NOT NULL, corrected INTEGER NOT NULL, last_us INTEGER, PRIMARY KEY (fact, at_us)) "
        "STRICT, WITHOUT ROWID"
    )
    # A fact is aside over [archived_us, restored_us) of transaction time. digest: id of an episode.
    db.execute(
        "CREATE TABLE archive (fact INTEGER NOT NULL, archived_us INTEGER NOT NULL, restored_us INTEGER NOT NULL, "
        "tenant INTEGER NOT NULL, fact_id TEXT NOT NULL, policy TEXT NOT NULL, digest TEXT, "
        "PRIMARY KEY (fact, archived_us)) STRICT, WITHOUT ROWID"
    )
    db.execute("CREATE INDEX archive_time ON archive (tenant, archived_us, fact_id)")
    db.execute("CREATE INDEX archive_digest ON archive (tenant, digest) WHERE digest IS NOT NULL")
    db.execute("ALTER TABLE tenant ADD COLUMN has_archive INTEGER NOT NULL DEFAULT 0")


MIGRATIONS: Final[tuple[Migration[Callable[[sqlite3.Connection], None]], ...]] = (
    Migration(1, "first tables", _first_tables),
    Migration(2, "by transaction time", _by_transaction_time),
    Migration(3, "rules of predicates", _rules),
    Migration(4, "identities", _identities),
    Migration(6, "use and archive", _use_and_archive),
)
"""In order, by the numbers that all stores share. Never edit one that was released: add another."""

MIGRATION_TABLE: Final = """
CREATE TABLE IF NOT EXISTS migration (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_us INTEGER NOT NULL
) STRICT
"""
