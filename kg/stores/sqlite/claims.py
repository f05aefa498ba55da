"""Claims: the evidence, and the stretches in which it is known."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from ...columns import as_said, check_rule
from ...model import Claim
from . import rows
from .points import Instants
from .rows import CLAIM, CLAIM_JOINS, listed
from .schema import NEVER

_INSERT = (
    "INSERT INTO claim (says, from_us, from_grain, from_end_us, from_basis, to_us, to_grain, to_end_us, to_basis, "
    "stated_us, position, authority, confidence, subject_name, subject_kind, object_name, object_kind, quote, "
    "quote_start, quote_end, modality, extractor, tenant, id, slot, episode, fact, recorded_us, retracted_us) "
    f"VALUES ({','.join('?' * 29)})"
)


def claim_rules(db: sqlite3.Connection, tenant: int, rules: Mapping[str, str]) -> None:
    """See ``Transaction.claim_rules``."""
    db.executemany("INSERT OR IGNORE INTO rule VALUES (?, ?, ?)", [(tenant, *rule) for rule in rules.items()])
    recorded = db.execute(
        "SELECT predicate, rule FROM rule WHERE tenant = ? AND predicate IN (SELECT value FROM json_each(?))",
        (tenant, listed(rules)),
    )
    for predicate, rule in recorded:
        check_rule(predicate, rule, rules[predicate])


def put(db: sqlite3.Connection, tenant: int, pairs: Sequence[tuple[str, Claim]], instant_us: int) -> None:
    """Insert, or bring back those that were retracted. Their facts and episodes must be there."""
    by_id = {claim.id: (slot, claim) for slot, claim in reversed(pairs)}
    there = db.execute(
        "SELECT id, no, recorded_us, retracted_us FROM claim "
        "WHERE tenant = ? AND id IN (SELECT value FROM json_each(?))",
        (tenant, listed(by_id)),
    ).fetchall()
    for id_, number, recorded, retracted in there:
        slot, _ = by_id.pop(id_)
        if retracted != NEVER:
            _reinstate(db, number, slot, (recorded, retracted), instant_us)
    if not by_id:
        return
    claims = [claim for _, claim in by_id.values()]
    facts = _numbers(db, "fact", tenant, {claim.fact for claim in claims})
    episodes = _numbers(db, "episode", tenant, {claim.episode_id for claim in claims})
    db.executemany(
        _INSERT,
        [
            (
                *rows.claim_row(claim),
                *(tenant, claim.id, slot, episodes.get(claim.episode_id), facts.get(claim.fact)),
                *(instant_us, NEVER),
            )
            for slot, claim in by_id.values()
        ],
    )


def _numbers(db: sqlite3.Connection, table: str, tenant: int, ids: Collection[str]) -> dict[str, int]:
    return dict(
        db.execute(
            f"SELECT id, no FROM {table} WHERE tenant = ? AND id IN (SELECT value FROM json_each(?))",
            (tenant, listed(ids)),
        )
    )


def _reinstate(db: sqlite3.Connection, number: int, slot: str, stretch: tuple[int, int], instant_us: int) -> None:
    recorded, retracted = stretch
    if retracted != instant_us:
        if recorded != retracted:
            db.execute("INSERT INTO claim_past VALUES (?, ?, ?)", (number, recorded, retracted))
        recorded = instant_us
    db.execute(
        "UPDATE claim SET slot = ?, recorded_us = ?, retracted_us = ? WHERE no = ?",
        (slot, recorded, NEVER, number),
    )


def retract(db: sqlite3.Connection, tenant: int, ids: Collection[str], instant_us: int) -> None:
    db.execute(
        "UPDATE claim SET retracted_us = ? "
        f"WHERE tenant = ? AND id IN (SELECT value FROM json_each(?)) AND retracted_us = {NEVER}",
        (instant_us, tenant, listed(ids)),
    )


def of_episode(db: sqlite3.Connection, tenant: int, episode_id: str) -> list[tuple[str, Claim]]:
    found = db.execute(
        f"SELECT c.slot, c.recorded_us, c.retracted_us, {CLAIM} FROM claim c {CLAIM_JOINS} "
        "WHERE c.episode = (SELECT no FROM episode WHERE tenant = ? AND id = ?) ORDER BY c.position, c.id",
        (tenant, episode_id),
    )
    return [(row[0], rows.claim(row[3:], row[1], row[2])) for row in found]


def of_slots(db: sqlite3.Connection, tenant: int, slots: Collection[str]) -> dict[str, list[Claim]]:
    """Live claims by slot."""
    found = db.execute(
        f"SELECT c.slot, c.recorded_us, {CLAIM} FROM claim c INDEXED BY claim_slot {CLAIM_JOINS} "
        f"WHERE c.tenant = ? AND c.slot IN (SELECT value FROM json_each(?)) AND c.retracted_us = {NEVER}",
        (tenant, listed(slots)),
    )
    by_slot: defaultdict[str, list[Claim]] = defaultdict(list)
    for row in found:
        by_slot[row[0]].append(rows.claim(row[2:], row[1], NEVER))
    return dict(by_slot)


def known_of_slots(
    db: sqlite3.Connection, tenant: int, at: Instants, slots: Collection[str], instants_us: Collection[int] | None
) -> dict[str, list[Claim]]:
    """The claims of each slot as known then, in the order they were said; see ``Store.slot_claims``."""
    params = {**at.params(tenant), "slots": listed(slots), "instants": listed(instants_us or ())}
    by_slot: defaultdict[str, list[Claim]] = defaultdict(list)
    for index, state in (("claim_slot", f"= {NEVER}"), ("claim_gone", f"< {NEVER}")):
        for row, source in (("c", ""), ("x", _PAST)):
            known = at.stretch(row, "recorded_us", "retracted_us")
            moved = "1" if instants_us is None else _MOVED.format(row=row)
            found = db.execute(
                f"SELECT c.slot, {row}.recorded_us, {row}.retracted_us, {CLAIM} "
                f"FROM claim c INDEXED BY {index} {source} {CLAIM_JOINS} WHERE c.tenant = :tenant "
                f"AND c.slot IN (SELECT value FROM json_each(:slots)) AND c.retracted_us {state} "
                f"AND {known} AND {moved}",
                params,
            )
            for slot, recorded, retracted, *said in found:
                by_slot[slot].append(rows.claim(tuple(said), recorded, retracted, at.known_us))
    return {slot: list(as_said(said)) for slot, said in by_slot.items()}


_PAST = "CROSS JOIN claim_past x ON x.claim = c.no"
_MOVED = (
    "({row}.recorded_us IN (SELECT value FROM json_each(:instants)) "
    "OR {row}.retracted_us IN (SELECT value FROM json_each(:instants)))"
)


def known_of_episodes(
    db: sqlite3.Connection, tenant: int, at: Instants, episode_ids: Collection[str]
) -> dict[str, list[Claim]]:
    """The claims of each episode as known then, in the order they were said."""
    params = {**at.params(tenant), "ids": listed(episode_ids)}
    by_episode: defaultdict[str, list[Claim]] = defaultdict(list)
    for row, source in (("c", ""), ("x", _PAST)):
        found = db.execute(
            f"SELECT {row}.recorded_us, {row}.retracted_us, {CLAIM} FROM claim c {source} {CLAIM_JOINS} "
            "WHERE c.episode IN (SELECT no FROM episode WHERE tenant = :tenant "
            "AND id IN (SELECT value FROM json_each(:ids))) "
            f"AND {at.stretch(row, 'recorded_us', 'retracted_us')}",
            params,
        )
        for recorded, retracted, *said in found:
            claim = rows.claim(tuple(said), recorded, retracted, at.known_us)
            by_episode[claim.episode_id].append(claim)
    return {episode: list(as_said(said)) for episode, said in by_episode.items()}


def of_facts(db: sqlite3.Connection, at: Instants, facts: Collection[int]) -> dict[int, tuple[Claim, ...]]:
    """The claims on each fact as known then, in the order they were said."""
    sql = (
        "SELECT c.fact, {stretch}.recorded_us, {stretch}.retracted_us, "
        + CLAIM
        + " FROM claim c {source} "
        + CLAIM_JOINS
        + " WHERE c.fact IN (SELECT value FROM json_each(:facts)) AND {known}"
    )
    params = {**at.params(0), "facts": listed(facts)}
    known = at.stretch("c", "recorded_us", "retracted_us")
    found = db.execute(sql.format(stretch="c", source="", known=known), params).fetchall()
    past = at.stretch("x", "recorded_us", "retracted_us")
    found += db.execute(sql.format(stretch="x", source=_PAST, known=past), params).fetchall()
    by_fact: defaultdict[int, list[Claim]] = defaultdict(list)
    for row in found:
        by_fact[row[0]].append(rows.claim(row[3:], row[1], row[2], at.known_us))
    return {fact: as_said(said) for fact, said in by_fact.items()}
