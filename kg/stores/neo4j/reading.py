"""Reads at a point: beliefs with their evidence, episodes, entities. Every plan begins at an index of the tenant's
rows, said by a hint, so that it does not hang on the planner's statistics."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ....temporal.errors import Invalid
from ....temporal.instants import from_us, to_us
from ...columns import as_said
from ...ids import entity_key
from ...model import Belief, Claim, Entity, Episode, EpisodeStatus, Format
from ...paging import cursor_position, paged
from ...store import EpisodeFilter, FactFilter, Page, Slice
from . import rows
from .identities import called_by_own_names
from .naming import name_key
from .points import Instants, seen_from
from .rows import EPISODE, FACT, NAMING, PERIOD, Props
from .schema import ALWAYS, CLAIM_TYPES, NEVER
from .server import Queries, Row, run

_CLAIMS = "|".join(CLAIM_TYPES)

_NO_PASSAGE: Final = f"e.format <> '{Format.PASSAGE}'"


async def beliefs(tx: Queries, at: Instants, where: FactFilter, page: Page) -> Slice[Belief]:
    """Beliefs in order of (valid_from, ingested_at, id), with their evidence."""
    after = cursor_position(page.cursor, (int, int, str)) or (ALWAYS, ALWAYS, "")
    query, params = belief_query(at, where)
    position = dict(zip(("after_from", "after_ingested", "after_id"), after, strict=True))
    [row] = await run(tx, query, {**at.params, **params, **position, "limit": page.limit + 1})
    cut = paged(
        row["found"], page.limit, lambda row: (row["p"]["from_us"], row["p"]["ingested_us"], row["p"]["id"])
    )
    return Slice(await built(tx, at, cut.items, [row]), cut.cursor)


async def built(tx: Queries, at: Instants, found: Sequence[Row], about: Sequence[Row]) -> tuple[Belief, ...]:
    """Beliefs from what a ``period_query`` found, or several did."""
    facts = {row["f"]["id"]: row["f"] for row in found}
    sides = {side for row in facts.values() for side in (row["subject_id"], row.get("object_id")) if side}
    called = await _called(tx, at, sides, [naming for row in about for naming in row["namings"]])
    claims = {claim["id"]: claim for row in about for claim in row["claims"]}
    evidence = _evidence(at, list(claims.values()))
    return tuple(_belief(at, row["p"], row["f"], called, evidence) for row in found)


def _belief(
    at: Instants, period: Props, fact: Props, called: Mapping[str, Entity], evidence: Mapping[str, list[Claim]]
) -> Belief:
    start, end = rows.bounds_of(period)
    return Belief(
        id=period["id"],
        fact=rows.fact_of(fact, called),
        valid_from=start,
        valid_to=end,
        ingested_at=from_us(period["ingested_us"]),
        superseded_at=seen_from(period["superseded_us"], at.known_us),
        is_event=fact["is_event"],
        evidence=as_said(evidence.get(fact["id"], ())),
    )


_AFTER = (
    "p.from_us >= $after_from AND CASE WHEN p.from_us > $after_from OR p.ingested_us > $after_ingested THEN true "
    "ELSE p.ingested_us = $after_ingested AND p.id > $after_id END"
)
"""After the cursor. CASE, since the planner would make two index look-ups of a bare OR and lose their order."""


class Order(NamedTuple):
    """An order of ``p:Period``; ``names`` are the properties, after the tenant, of the index that has it."""

    columns: str
    names: str


BY_VALID_TIME = Order("p.from_us, p.ingested_us, p.id", "from_us, ingested_us, id")


def belief_query(at: Instants, where: FactFilter) -> tuple[str, dict[str, Any]]:
    """The query for a page of periods and their facts, and its parameters beside the point's and the page's."""
    return period_query(at, where, [_AFTER], BY_VALID_TIME)


def period_query(at: Instants, where: FactFilter, tests: list[str], order: Order) -> tuple[str, dict[str, Any]]:
    """The query for the first ``$limit`` periods that pass the filter and the tests: ``found``, with the facts;
    what their entities were ever called; and the claims on the facts, as known then."""
    more, params = _of_period(at, where)
    tests = ["p.tenant = $tenant", at.period(), *tests, *more]
    before = ""
    if where.period_ids is not None:
        params["period_ids"] = sorted(set(where.period_ids))
        tests.append("p.id IN $period_ids")
    if where.fact_ids is not None:
        params["fact_ids"] = sorted(set(where.fact_ids))
        tests.append("p.fact_id IN $fact_ids")
    if where.episode_ids is not None:
        params["episode_ids"] = sorted(set(where.episode_ids))
        before = _said_in(at)
        tests.append("p.fact_id IN said")
    if where.subject_ids is not None:
        params["subject_ids"] = sorted(set(where.subject_ids))
        tests.append("p.subject_id IN $subject_ids")
    if where.touching is not None:
        params["touching"] = sorted(set(where.touching))
        params["touched"] = [entity_key(id_) for id_ in params["touching"]]
    if where.object_keys is not None:
        params["object_keys"] = sorted({rows.stored_key(at.tenant, key) for key in where.object_keys})
        tests.append("p.object_key IN $object_keys")
    if where.predicates is not None:
        params["predicates"] = sorted(set(where.predicates))
        tests.append("p.predicate IN $predicates")
    first = _first(where, order) + order.columns
    return (
        f"{before} {_start(where, tests, order)} WITH p ORDER BY {first} LIMIT $limit "
        "MATCH (f:Fact {tenant: $tenant, id: p.fact_id}) USING INDEX SEEK f:Fact(tenant, id) "
        # One record, however many rows: the driver takes long over each.
        f"WITH p, f ORDER BY {order.columns} WITH collect({{p: {PERIOD}, f: {FACT}}}) AS found"
        f"{_about(at)} RETURN found, namings, claims"
    ), params


def _of_period(at: Instants, where: FactFilter) -> tuple[list[str], dict[str, Any]]:
    """The conditions on ``p:Period`` itself, and their parameters."""
    tests: list[str] = []
    params: dict[str, Any] = {}
    if where.missing_at is not None:
        other = Instants.of(where.missing_at)
        params |= {f"{name}2": value for name, value in other.params.items()}
        tests.append(_not(_PARAMETER.sub(r"$\g<1>2", other.period())))
    if where.archived is not None:
        tests.append(_not(at.unarchived("p")) if where.archived else at.unarchived("p"))
    return tests, params


_PARAMETER: Final = re.compile(r"\$(\w+)")

# Nothing begins before ALWAYS. A plain "false" leaves 5.26 no use for the index's hint, which it then refuses.
_NO_PERIOD = f"p.from_us < {ALWAYS}"


def _not(condition: str) -> str:
    return _NO_PERIOD if condition == "true" else f"NOT ({condition})"


def _first(where: FactFilter, order: Order) -> str:
    """What to say first in the order so that it is the index's, and a page costs no more than a page."""
    others = (where.period_ids, where.fact_ids, where.episode_ids, where.subject_ids, where.touching)
    if any(ids is not None for ids in (*others, where.object_keys)):
        return ""
    if where.predicates is None:
        return "p.tenant, "
    return "p.tenant, p.predicate, " if order is BY_VALID_TIME and len(set(where.predicates)) == 1 else ""


def _start(where: FactFilter, tests: list[str], order: Order) -> str:
    """Where to begin: the condition that leads to the fewest rows."""
    touched = "(p.subject_id IN $touching OR p.object_key IN $touched)"
    if where.touching is not None and not any(
        ids is not None for ids in (where.period_ids, where.fact_ids, where.episode_ids, where.subject_ids)
    ):
        branches = (
            _match("subject_id, predicate", [*tests, "p.subject_id IN $touching", "p.predicate IS NOT NULL"]),
            _match("object_key", [*tests, "p.object_key IN $touched"]),
        )
        found = " UNION ".join(f"{branch} RETURN p" for branch in branches)
        return f"CALL () {{ {found} }}" if where.episode_ids is None else f"CALL (said) {{ {found} }}"
    if where.touching is not None:
        tests = [*tests, touched]
    if where.period_ids is not None:
        return _match("tenant, id", tests)
    if where.fact_ids is not None or where.episode_ids is not None:
        return _match("fact_id", tests)
    if where.subject_ids is not None:
        return _match("subject_id, predicate", [*tests, "p.predicate IS NOT NULL"])
    if where.object_keys is not None:
        return _match("object_key", tests)
    if where.predicates is not None:
        return _match(f"tenant, predicate, {BY_VALID_TIME.names}", [*tests, *_exist(BY_VALID_TIME)])
    return _match(f"tenant, {order.names}", [*tests, *_exist(order)])


def _exist(order: Order) -> list[str]:
    """A composite index is used only when every property in it is asked for."""
    return [f"p.{name} IS NOT NULL" for name in order.names.split(", ")]


def _match(index: str, tests: list[str]) -> str:
    return f"MATCH (p:Period) USING INDEX SEEK p:Period({index}) WHERE {' AND '.join(tests)}"


def _said_in(at: Instants) -> str:
    """The facts with a claim from the episodes, known then."""
    return (
        "CALL () { UNWIND $episode_ids AS id "
        f"MATCH (e:Episode {{tenant: $tenant, id: id}})-[c:{_CLAIMS}]->(f:Fact) "
        f"USING INDEX SEEK e:Episode(tenant, id) WHERE {at.claim()} "
        "RETURN collect(DISTINCT f.id) AS said }"
    )


def _about(at: Instants) -> str:
    return f"""
CALL (found) {{
  UNWIND found AS row UNWIND [row.f.subject_id, row.f.object_id] AS id
  WITH DISTINCT id WHERE id IS NOT NULL
  {_namings("true")}
}}
CALL (found) {{
  UNWIND found AS row WITH DISTINCT row.f.id AS id
  MATCH (:Episode)-[c:{_CLAIMS}]->(f:Fact {{tenant: $tenant, id: id}}) USING INDEX SEEK f:Fact(tenant, id)
  WHERE c.tenant = $tenant AND {at.claim()}
  RETURN collect(properties(c)) AS claims
}}
"""


def _namings(test: str) -> str:
    """Of each ``id``."""
    return f"""
MATCH (n:Naming {{tenant: $tenant, entity_id: id}}) USING INDEX SEEK n:Naming(tenant, entity_id, from_us)
WHERE n.from_us IS NOT NULL AND {test}
WITH n ORDER BY n.from_us RETURN collect({NAMING}) AS namings
"""


def _evidence(at: Instants, claims: Sequence[Props]) -> dict[str, list[Claim]]:
    """The claims by fact, as known then."""
    by_fact: dict[str, list[Claim]] = {}
    for props in claims:
        for _, _, claim in rows.known_claims(props, at.known_us):
            by_fact.setdefault(claim.fact, []).append(claim)
    return by_fact


async def entities(tx: Queries, at: Instants, ids: Collection[str]) -> dict[str, Entity]:
    """Entities as known then, by id; when everything is known, as they were last called."""
    if not ids:
        return {}
    query = f"UNWIND $ids AS id {_namings(at.naming())}"
    [row] = await run(tx, query, {**at.params, "ids": sorted(set(ids))})
    return {naming["entity_id"]: rows.entity_of(naming) for naming in row["namings"]}


async def _called(tx: Queries, at: Instants, ids: Collection[str], namings: Sequence[Props]) -> dict[str, Entity]:
    """The entities of facts, which must have a name even where nothing mentions them: as known then, else by their
    own name, else as last called."""
    called: dict[str, Entity] = {}
    unknown = set(ids)
    for naming in namings:
        id_ = naming["entity_id"]
        if at.all_known or naming["from_us"] <= at.known_us < naming["to_us"]:
            unknown.discard(id_)
        if at.all_known or naming["from_us"] <= at.known_us or id_ not in called:
            called[id_] = rows.entity_of(naming)
    return called | await called_by_own_names(tx, at, unknown)


async def named(tx: Queries, at: Instants, names: Collection[str]) -> dict[str, list[Entity]]:
    """Entities by each of the names, in order of id."""
    keys = {name: name_key(at.tenant, name) for name in names}
    query = (
        "UNWIND $keys AS key "
        "MATCH (k:NameKey {tenant: $tenant, key: key}) USING INDEX SEEK k:NameKey(tenant, key) "
        "MATCH (n:Naming {tenant: $tenant, entity_id: k.entity_id}) "
        "USING INDEX SEEK n:Naming(tenant, entity_id, from_us) "
        f"WHERE n.from_us IS NOT NULL AND key IN n.keys AND {at.naming()} "
        f"RETURN key, {NAMING} AS n ORDER BY n.entity_id, n.from_us"
    )
    by_key: dict[str, dict[str, Entity]] = {}
    for row in await run(tx, query, {**at.params, "keys": sorted(set(keys.values()))}):
        entity = rows.entity_of(row["n"])
        by_key.setdefault(row["key"], {})[entity.id] = entity
    return {name: list(by_key[key].values()) for name, key in keys.items() if key in by_key}


async def episodes(tx: Queries, at: Instants, where: EpisodeFilter, page: Page) -> Slice[Episode]:
    """Episodes in order of (occurred_at, id)."""
    after_us, after_id = cursor_position(page.cursor, (int, str)) or (ALWAYS, "")
    if where.status is EpisodeStatus.RETRACTED and not at.all_known:
        # A view never shows what it does not know; only a read of everything does.
        return Slice(())
    query, params = episode_query(at, where)
    params |= {"after_us": after_us, "after_id": after_id, "limit": page.limit + 1}
    [row] = await run(tx, query, {**at.params, **params})
    return paged(
        [rows.episode_of(props, at.known_us) for props in row["found"]],
        page.limit,
        lambda episode: (to_us(episode.occurred_at), episode.id),
    )


def episode_query(at: Instants, where: EpisodeFilter) -> tuple[str, dict[str, Any]]:
    """The query for a page of episodes, and its parameters beside the point's and the page's."""
    params: dict[str, Any] = {"since": ALWAYS if where.since is None else to_us(where.since)}
    tests = ["e.tenant = $tenant", "e.occurred_us >= $since", "e.occurred_us >= $after_us", at.episode()]
    tests.append("CASE WHEN e.occurred_us > $after_us THEN true ELSE e.id > $after_id END")
    names = ["tenant", "occurred_us", "id"]
    if where.status is not None:
        tests += _of_status(at, where.status)
        if where.status is EpisodeStatus.PENDING and at.all_known:
            names = ["tenant", "done_us", "forgotten_us"]
    for name, value in (("actor", where.actor), ("session", where.session)):
        if value is not None:
            tests.append(f"e.{name} = ${name}")
            params[name] = value
            names = ["tenant", name, "occurred_us", "id"]
    if where.ids is not None:
        tests.append("e.id IN $ids")
        params["ids"] = sorted(set(where.ids))
        names = ["tenant", "id"]
    else:
        tests.append(_NO_PASSAGE)
    in_order = names[-2:] == ["occurred_us", "id"]
    if in_order:
        tests.append("e.id IS NOT NULL")
    order = ", ".join(f"e.{name}" for name in (names if in_order else ("occurred_us", "id")))
    query = (
        f"MATCH (e:Episode) USING INDEX SEEK e:Episode({', '.join(names)}) WHERE {' AND '.join(tests)} "
        f"WITH e ORDER BY {order} LIMIT $limit WITH e ORDER BY e.occurred_us, e.id "
        f"RETURN collect({EPISODE}) AS found"
    )
    return query, params


def _of_status(at: Instants, status: EpisodeStatus) -> list[str]:
    if status is EpisodeStatus.RETRACTED:
        return [f"e.forgotten_us < {NEVER}"]
    known = [f"e.forgotten_us = {NEVER}"] if at.all_known else []
    if status is EpisodeStatus.PENDING:
        late = f"e.done_us = {NEVER}" if at.all_known else f"({at.done()}) > $known"
        return [*known, late]
    return [*known, f"({at.done()}) <= $known AND ({at.done()}) < {NEVER}"]


async def recent(tx: Queries, at: Instants, session: str | None, before_us: int, limit: int) -> list[Episode]:
    """The last ``limit`` before the instant, oldest first."""
    if limit < 0:
        raise Invalid(f"limit {limit} is negative")
    names, test = ["tenant", "occurred_us", "id"], "true"
    if session is not None:
        names, test = ["tenant", "session", "occurred_us", "id"], "e.session = $session"
    query = (
        f"MATCH (e:Episode) USING INDEX SEEK e:Episode({', '.join(names)}) WHERE e.tenant = $tenant AND {test} "
        f"AND e.occurred_us < $before AND e.id IS NOT NULL AND {at.episode()} AND {_NO_PASSAGE} "
        f"WITH e ORDER BY {', '.join(f'e.{name} DESC' for name in names)} LIMIT $limit "
        f"RETURN {EPISODE} AS e ORDER BY e.occurred_us, e.id"
    )
    params = {**at.params, "session": session, "before": before_us, "limit": limit}
    return [rows.episode_of(row["e"], at.known_us) for row in await run(tx, query, params)]


STATUS = f"""
CALL () {{ MATCH (e:Episode) USING INDEX SEEK e:Episode(tenant, done_us, forgotten_us)
  WHERE e.tenant = $tenant AND e.done_us IS NOT NULL AND e.forgotten_us = {NEVER}
    AND {_NO_PASSAGE}
  RETURN count(*) AS episodes, count(CASE WHEN e.done_us = {NEVER} THEN 1 END) AS pending }}
CALL () {{ MATCH (n:Naming {{tenant: $tenant, to_us: {NEVER}}}) USING INDEX SEEK n:Naming(tenant, to_us)
  RETURN count(*) AS entities }}
CALL () {{ MATCH (p:Period {{tenant: $tenant, superseded_us: {NEVER}}})
  USING INDEX SEEK p:Period(tenant, superseded_us)
  RETURN count(*) AS beliefs, count(DISTINCT p.fact_id) AS facts }}
CALL () {{ MATCH (p:Period) USING INDEX SEEK p:Period(tenant, superseded_us)
  WHERE p.tenant = $tenant AND p.superseded_us < {NEVER} RETURN count(*) AS superseded }}
CALL () {{ OPTIONAL MATCH (t:Tenant {{wall: $wall}}) RETURN t.tx_us AS tx_us }}
CALL () {{ MATCH (m:HithertoMigration) RETURN max(m.number) AS schema }}
RETURN *
"""
