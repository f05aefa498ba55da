"""Periods: what is believed, over which stretch of valid time and since when; and beliefs, as reads give them."""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final

from ....temporal.errors import Fault
from ....temporal.instants import from_us
from ...columns import bound_columns, bound_of
from ...ids import entity_key
from ...model import Belief, StoredPeriod
from ...paging import cursor_position, paged
from ...store import FactFilter, Page, Slice
from . import claims, facts, rows
from .facts import FACT
from .points import Instants
from .rows import PERIOD, Row, listed, seen_from
from .schema import ALWAYS, NEVER


def of_slots(db: sqlite3.Connection, tenant: int, slots: Collection[str]) -> dict[str, list[StoredPeriod]]:
    """Currently believed periods by slot."""
    found = db.execute(
        f"SELECT p.slot, f.id, {PERIOD} FROM period p INDEXED BY period_slot CROSS JOIN fact f ON f.no = p.fact "
        f"WHERE p.tenant = ? AND p.slot IN (SELECT value FROM json_each(?)) AND p.superseded_us = {NEVER} "
        "ORDER BY p.from_us, p.id",
        (tenant, listed(slots)),
    )
    by_slot: defaultdict[str, list[StoredPeriod]] = defaultdict(list)
    for row in found:
        by_slot[row[0]].append(rows.stored_period(row[2:], row[0], row[1]))
    return dict(by_slot)


def supersede(db: sqlite3.Connection, tenant: int, ids: Collection[str], instant_us: int) -> None:
    db.execute(
        "UPDATE period SET superseded_us = ? "
        f"WHERE tenant = ? AND id IN (SELECT value FROM json_each(?)) AND superseded_us = {NEVER}",
        (instant_us, tenant, listed(ids)),
    )


def put(db: sqlite3.Connection, tenant: int, periods: Sequence[StoredPeriod], instant_us: int) -> None:
    found = db.execute(
        "SELECT id, no, is_event FROM fact WHERE tenant = ? AND id IN (SELECT value FROM json_each(?))",
        (tenant, listed({p.fact_id for p in periods})),
    )
    about = {row[0]: (row[1], bool(row[2])) for row in found}
    missing = {p.fact_id for p in periods} - about.keys()
    if missing:
        raise Fault(f"a period is about fact {min(missing)}, which was not put before")
    db.executemany(
        "INSERT INTO period (tenant, id, slot, fact, from_us, from_grain, from_end_us, from_basis, to_us, "
        "to_grain, to_end_us, to_basis, shows_us, ingested_us, superseded_us) "
        "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        [(tenant, *_row(p, *about[p.fact_id], instant_us)) for p in periods],
    )


def _row(period: StoredPeriod, fact: int, is_event: bool, instant_us: int) -> Row:
    start = bound_columns(period.valid_from, ALWAYS)
    end = bound_columns(period.valid_to, NEVER)
    shows = NEVER if is_event else end[0]
    return (period.id, period.slot, fact, *start, *end, shows, instant_us, NEVER)


def page(db: sqlite3.Connection, tenant: int, at: Instants, where: FactFilter, page: Page) -> Slice[Belief]:
    """Beliefs in order of (valid_from, ingested_at, id), with their evidence."""
    after = cursor_position(page.cursor, (int, int, str)) or (ALWAYS, ALWAYS, "")
    source, conditions, params = source_of(at, where)
    sql = (
        f"{source} WHERE p.tenant = :tenant AND {' AND '.join([at.period(), *conditions])} "
        "AND (p.from_us, p.ingested_us, p.id) > (:after_from, :after_ingested, :after_id) "
        "ORDER BY p.from_us, p.ingested_us, p.id LIMIT :limit"
    )
    found = db.execute(
        sql,
        {
            **at.params(tenant),
            **params,
            **dict(zip(("after_from", "after_ingested", "after_id"), after, strict=True)),
            "limit": page.limit + 1,
        },
    ).fetchall()
    cut = paged(found, page.limit, lambda row: (row[9], row[17], row[8]))
    return Slice(built(db, at, cut.items), cut.cursor)


def built(db: sqlite3.Connection, at: Instants, found: Sequence[Row]) -> tuple[Belief, ...]:
    """Beliefs from ``FACT`` and ``PERIOD`` columns."""
    about = facts.built(db, at, (row[:8] for row in found))
    evidence = claims.of_facts(db, at, about)
    return tuple(
        Belief(
            id=row[8],
            fact=about[row[0]],
            valid_from=bound_of(*row[9:13]),
            valid_to=bound_of(*row[13:17]),
            ingested_at=from_us(row[17]),
            superseded_at=seen_from(row[18], at.known_us),
            is_event=bool(row[4]),
            evidence=evidence.get(row[0], ()),
        )
        for row in found
    )


_IN_ORDER = f"SELECT {FACT}, {PERIOD} FROM period p INDEXED BY {{0}} CROSS JOIN fact f ON f.no = p.fact"
_BY_ID = (
    f"SELECT {FACT}, {PERIOD} FROM period p INDEXED BY sqlite_autoindex_period_1 "
    "CROSS JOIN fact f ON f.no = p.fact"
)
_CHOSEN = (
    "WITH chosen (no) AS MATERIALIZED ({chosen}) "
    f"SELECT {FACT}, {PERIOD} FROM chosen CROSS JOIN fact f ON f.no = chosen.no "
    "CROSS JOIN period p INDEXED BY period_fact ON p.fact = f.no"
)
_LISTED = "IN (SELECT value FROM json_each(:{0}))"
_ENTITY = "IN (SELECT no FROM entity WHERE tenant = :tenant AND id IN (SELECT value FROM json_each(:{0})))"
_FACT = "SELECT no FROM fact WHERE tenant = :tenant AND "
_BY_SUBJECT = "SELECT no FROM fact INDEXED BY fact_subject WHERE subject "
_BY_OBJECT = "SELECT no FROM fact INDEXED BY fact_object WHERE object "
_BY_VALUE = "SELECT no FROM fact INDEXED BY fact_value WHERE tenant = :tenant AND value_key "
_BY_PREDICATE = "SELECT no FROM fact INDEXED BY fact_predicate WHERE tenant = :tenant AND predicate "


def source_of(
    at: Instants, where: FactFilter, index: str = "period_time"
) -> tuple[str, list[str], dict[str, str | int | None]]:
    """Where to begin (the condition that leads to the fewest rows, else the index that has the wanted order), all
    conditions, and their parameters.

    The order of joins is fixed, not left to the planner: it has no statistics, and must not have any (DESIGN 6).
    """
    ways, fact_params = _ways(at, where)
    tests, params = _period_tests(at, where)
    params |= fact_params
    if where.period_ids is not None:
        params["period_ids"] = listed(where.period_ids)
        return _BY_ID, ["p.id " + _LISTED.format("period_ids"), *tests, *(test for _, test in ways)], params
    if not ways:
        return _IN_ORDER.format(index), tests, params
    return _CHOSEN.format(chosen=ways[0][0]), [*tests, *(test for _, test in ways[1:])], params


_PARAMETER: Final = re.compile(r":(\w+)")


def _period_tests(at: Instants, where: FactFilter) -> tuple[list[str], dict[str, str | int | None]]:
    """The conditions on ``period p`` itself."""
    tests, params = [], dict[str, str | int | None]()
    if where.missing_at is not None:
        other = Instants.of(where.missing_at)
        params |= {f"{name}2": value for name, value in other.params(0).items()}
        shown = _PARAMETER.sub(r":\g<1>2", other.period())
        tests.append(f"NOT ({shown})")
    if where.archived is not None:
        tests.append(f"{'NOT ' if where.archived else ''}({at.unarchived('p.fact')})")
    return tests, params


def _ways(at: Instants, where: FactFilter) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """Each condition as a selection of facts and as a test of ``fact f``, those first that usually lead to fewer;
    and their parameters. A ``+`` keeps the planner from looking the fact up by anything but its number."""
    ways: list[tuple[str, str]] = []
    params: dict[str, str] = {}
    if where.fact_ids is not None:
        params["fact_ids"] = listed(where.fact_ids)
        test = "id " + _LISTED.format("fact_ids")
        ways.append((_FACT + test, f"+f.{test}"))
    if where.episode_ids is not None:
        params["episode_ids"] = listed(where.episode_ids)
        said = _said_in(at)
        ways.append((said, f"+f.no IN ({said})"))
    if where.subject_ids is not None:
        params["subject_ids"] = listed(where.subject_ids)
        among = _ENTITY.format("subject_ids")
        ways.append((_BY_SUBJECT + among, f"+f.subject {among}"))
    if where.touching is not None:
        params["touching"] = listed(where.touching)
        among = _ENTITY.format("touching")
        ways.append(
            (f"{_BY_SUBJECT}{among} UNION {_BY_OBJECT}{among}", f"(+f.subject {among} OR +f.object {among})")
        )
    if where.object_keys is not None:
        params["values"] = listed(key.replace("\0", "") for key in where.object_keys)
        params["objects"] = listed(key[2:] for key in where.object_keys if key == entity_key(key[2:]))
        value, among = _LISTED.format("values"), _ENTITY.format("objects")
        ways.append(
            (f"{_BY_VALUE}{value} UNION {_BY_OBJECT}{among}", f"(+f.value_key {value} OR +f.object {among})")
        )
    if where.predicates is not None:
        params["predicates"] = listed(where.predicates)
        among = _LISTED.format("predicates")
        ways.append((_BY_PREDICATE + among, f"+f.predicate {among}"))
    return ways, params


def _said_in(at: Instants) -> str:
    """The facts with a claim from the episodes, known then."""
    said = (
        "SELECT c.fact FROM claim c {past} WHERE c.episode IN (SELECT no FROM episode WHERE tenant = :tenant "
        "AND id IN (SELECT value FROM json_each(:episode_ids))) AND {known}"
    )
    now = said.format(past="", known=at.stretch("c", "recorded_us", "retracted_us"))
    if at.all_known:
        return now.replace("SELECT", "SELECT DISTINCT", 1)
    past = "CROSS JOIN claim_past x ON x.claim = c.no"
    return f"{now} UNION {said.format(past=past, known=at.stretch('x', 'recorded_us', 'retracted_us'))}"
