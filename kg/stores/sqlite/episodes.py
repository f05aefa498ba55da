"""Episodes: what was said, and the stretches in which it is known."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection

from ....temporal.errors import Invalid
from ....temporal.instants import to_us
from ...model import SEARCHED, Episode, EpisodeStatus, Format
from ...paging import cursor_position, paged
from ...store import EpisodeFilter, Neighbour, Page, Slice, Target
from . import rows
from .indexing import put_texts
from .points import Instants
from .rows import listed
from .schema import ALWAYS, NEVER


def stored(db: sqlite3.Connection, tenant: int, ids: Collection[str]) -> dict[str, Episode]:
    found = db.execute(
        f"SELECT {rows.EPISODE_NOW} FROM episode e "
        "WHERE e.tenant = ? AND e.id IN (SELECT value FROM json_each(?))",
        (tenant, listed(ids)),
    )
    return {row[0]: rows.episode(row) for row in found}


def put(db: sqlite3.Connection, tenant: int, episode: Episode, instant_us: int) -> int:
    """Insert, or move to the status; the row's number."""
    found = db.execute(
        "SELECT no, known_us, forgotten_us, done_us FROM episode WHERE tenant = ? AND id = ?", (tenant, episode.id)
    ).fetchone()
    is_done = episode.status is EpisodeStatus.DONE
    forgotten = instant_us if episode.status is EpisodeStatus.RETRACTED else NEVER
    if found is None:
        stretch = (instant_us, instant_us, forgotten, instant_us if is_done else NEVER)
        number = db.execute(
            "INSERT INTO episode (id, text, occurred_us, turns, format, source, actor, session, metadata, "
            "ingested_us, known_us, forgotten_us, done_us, tenant) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (*rows.episode_row(episode), *stretch, tenant),
        ).lastrowid
        assert number is not None
        if episode.format in SEARCHED:
            put_texts(db, tenant, Target.EPISODE, [(number, episode.text)], instant_us)
        return number
    _move(db, found, episode.status, instant_us)
    return int(found[0])


def _move(db: sqlite3.Connection, row: rows.Row, status: EpisodeStatus, instant_us: int) -> None:
    number, known, forgotten, done = row
    before = (known, forgotten, done)
    if status is EpisodeStatus.RETRACTED:
        forgotten = min(forgotten, instant_us)
    elif forgotten == instant_us:
        # Taken back and given again in one transaction: it was known all the time.
        forgotten = NEVER
    elif forgotten != NEVER:
        db.execute("INSERT INTO episode_past VALUES (?, ?, ?, ?)", (number, known, forgotten, done))
        known, forgotten = instant_us, NEVER
    if status is EpisodeStatus.PENDING:
        done = NEVER
    elif status is EpisodeStatus.DONE and done == NEVER:
        done = instant_us
    if (known, forgotten, done) != before:
        db.execute(
            "UPDATE episode SET known_us = ?, forgotten_us = ?, done_us = ? WHERE no = ?",
            (known, forgotten, done, number),
        )


_THEN = (
    "LEFT JOIN episode_past x ON x.episode = e.no AND x.known_us <= :known AND x.forgotten_us > :known "
    "WHERE e.tenant = :tenant"
)
_NO_PASSAGE = f"e.format <> '{Format.PASSAGE}'"
_KNOWN = "((e.known_us <= :known AND e.forgotten_us > :known) OR x.episode IS NOT NULL)"


def page(db: sqlite3.Connection, tenant: int, at: Instants, where: EpisodeFilter, page: Page) -> Slice[Episode]:
    cursor = cursor_position(page.cursor, (int, str))
    if where.status is EpisodeStatus.RETRACTED and not at.all_known:
        return Slice(())  # a view never shows what it does not know; only a read of everything does
    index, conditions = _conditions(at, where)
    sql = (
        f"SELECT {rows.EPISODE_THEN} FROM episode e INDEXED BY {index} {_THEN} AND {' AND '.join(conditions)} "
        "AND (e.occurred_us, e.id) > (:after_us, :after_id) ORDER BY e.occurred_us, e.id LIMIT :limit"
    )
    after_us, after_id = cursor or (ALWAYS, "")
    found = db.execute(
        sql,
        {
            **at.params(tenant),
            "undone": at.known_us + 1 if at.all_known is False else NEVER,
            "ids": listed(where.ids or ()),
            "session": where.session,
            "actor": where.actor,
            "since": ALWAYS if where.since is None else to_us(where.since),
            "after_us": after_us,
            "after_id": after_id,
            "limit": page.limit + 1,
        },
    ).fetchall()
    return paged([rows.episode(row, at.known_us) for row in found], page.limit, _position)


def _position(episode: Episode) -> tuple[int, str]:
    return to_us(episode.occurred_at), episode.id


def _conditions(at: Instants, where: EpisodeFilter) -> tuple[str, list[str]]:
    """The index that leads to the fewest rows, and all conditions."""
    conditions = ["1" if at.all_known else _KNOWN]
    index = "episode_time"
    if where.ids is None:
        conditions.append(_NO_PASSAGE)
    if where.since is not None:
        conditions.append("e.occurred_us >= :since")
    if where.status is not None:
        conditions += _of_status(at, where.status)
        index = "episode_done" if where.status is EpisodeStatus.PENDING else index
    if where.actor is not None:
        conditions.append("e.actor = :actor")
        index = "episode_actor"
    if where.session is not None:
        conditions.append("e.session = :session")
        index = "episode_session"
    if where.ids is not None:
        conditions.append("e.id IN (SELECT value FROM json_each(:ids))")
        index = "sqlite_autoindex_episode_1"
    return index, conditions


def _of_status(at: Instants, status: EpisodeStatus) -> list[str]:
    if status is EpisodeStatus.RETRACTED:
        return [f"e.forgotten_us < {NEVER}"]
    known = [f"e.forgotten_us = {NEVER}"] if at.all_known else []
    if status is EpisodeStatus.PENDING:
        return [*known, "e.done_us >= :undone", "coalesce(x.done_us, e.done_us) >= :undone"]
    return [*known, "coalesce(x.done_us, e.done_us) < :undone"]


def recent(
    db: sqlite3.Connection, tenant: int, at: Instants, session: str | None, before_us: int, limit: int
) -> list[Episode]:
    """The last ``limit`` before the instant, oldest first."""
    if limit < 0:
        raise Invalid(f"limit {limit} is negative")
    index, condition = ("episode_time", "1")
    if session is not None:
        index, condition = ("episode_session", "e.session = :session")
    found = db.execute(
        f"SELECT {rows.EPISODE_THEN} FROM episode e INDEXED BY {index} {_THEN} AND {condition} "
        f"AND {'1' if at.all_known else _KNOWN} AND e.occurred_us < :before AND {_NO_PASSAGE} "
        "ORDER BY e.occurred_us DESC, e.id DESC LIMIT :limit",
        {**at.params(tenant), "session": session, "before": before_us, "limit": limit},
    ).fetchall()
    return [rows.episode(row, at.known_us) for row in reversed(found)]


def neighbours(
    db: sqlite3.Connection, tenant: int, at: Instants, ids: Collection[str], reach: int
) -> dict[str, list[Neighbour]]:
    """The episodes around each of these in its session."""
    if reach < 0:
        raise Invalid(f"reach {reach} is negative")
    found = db.execute(
        f"SELECT e.id, {_beside(at, '<', 'DESC')}, {_beside(at, '>', 'ASC')} FROM json_each(:ids) j "
        "CROSS JOIN episode e INDEXED BY sqlite_autoindex_episode_1 ON e.tenant = :tenant AND e.id = j.value "
        "WHERE e.session IS NOT NULL",
        {**at.params(tenant), "ids": listed(sorted(set(ids))), "reach": reach},
    )
    around = {
        id_: [
            Neighbour(near, sign * distance)
            for side, sign in ((before, -1), (after, 1))
            for distance, near in enumerate(json.loads(side), 1)
        ]
        for id_, before, after in found
    }
    return {id_: sorted(near, key=lambda n: (abs(n.distance), n.distance)) for id_, near in around.items() if near}


def _beside(at: Instants, side: str, order: str) -> str:
    known = "1"
    if not at.all_known:
        past = at.stretch("x", "known_us", "forgotten_us")
        known = (
            f"({at.stretch('b', 'known_us', 'forgotten_us')} OR EXISTS "
            f"(SELECT 1 FROM episode_past x WHERE x.episode = b.no AND {past}))"
        )
    return (
        "(SELECT json_group_array(id) FROM (SELECT b.id FROM episode b INDEXED BY episode_session "
        "WHERE b.tenant = :tenant AND b.session = e.session "
        f"AND (b.occurred_us, b.id) {side} (e.occurred_us, e.id) "
        f"AND {known} ORDER BY b.occurred_us {order}, b.id {order} LIMIT :reach))"
    )
