"""Counts of a tenant."""

from __future__ import annotations

import sqlite3

from ....temporal.instants import from_us
from ...model import Format
from ...store import TenantStatus
from .schema import NEVER


def status_of(db: sqlite3.Connection, tenant: str) -> TenantStatus:
    schema = db.execute("SELECT max(number) FROM migration").fetchone()[0]
    found = db.execute("SELECT no, tx_us FROM tenant WHERE id = ?", (tenant,)).fetchone()
    if found is None:
        return TenantStatus(tenant, 0, 0, 0, 0, 0, 0, None, schema)
    number, tx_us = found

    def count(sql: str) -> int:
        return int(db.execute(sql, (number,)).fetchone()[0])

    now = f"FROM period INDEXED BY period_slot WHERE tenant = ? AND superseded_us = {NEVER}"
    beliefs = count(f"SELECT count(*) {now}")
    return TenantStatus(
        tenant=tenant,
        episodes=count(
            f"SELECT count(*) FROM episode WHERE tenant = ? AND forgotten_us = {NEVER} "
            f"AND format <> '{Format.PASSAGE}'"
        ),
        pending=count(
            f"SELECT count(*) FROM episode INDEXED BY episode_done WHERE tenant = ? AND done_us = {NEVER} "
            f"AND forgotten_us = {NEVER}"
        ),
        entities=count(
            f"SELECT count(*) FROM entity_state INDEXED BY entity_state_now WHERE tenant = ? AND to_us = {NEVER}"
        ),
        facts=count(f"SELECT count(DISTINCT fact) {now}"),
        beliefs=beliefs,
        superseded=count("SELECT count(*) FROM period WHERE tenant = ?") - beliefs,
        last_commit=from_us(tx_us),
        schema=schema,
    )
