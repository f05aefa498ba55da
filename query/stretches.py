"""Reads over stretches: of valid time ("during 2021"), and of transaction time (what changed, what was held)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from typing import Final, TypeAlias

from ..kg.model import Belief, Claim, Fact
from ..kg.ontology import Ontology
from ..kg.paging import cursor_position, paged
from ..kg.slots import fact_slot
from ..kg.store import BeliefChange, FactFilter, Page, Point, Slice, Store
from ..temporal.errors import Invalid, NotFound
from ..temporal.expressions import Language, Shape, TimeReading, read_time
from ..temporal.instants import When, parse_stretch, parse_time, to_us
from ..temporal.intervals import Interval
from .arguments import read_id
from .fetching import every_belief
from .history import as_known, as_stood
from .names import as_called
from .results import Change

EVER: Final = "ever"

During: TypeAlias = "When | tuple[When | None, When | None]"
"""``"ever"``, one time ("2021": that year), or from when to when, the end with its grain."""


def read_during(during: During, zone: tzinfo, now: datetime) -> Interval:
    """The stretch of valid time that is meant, seen from ``now``. Raises ``Invalid`` for what is none."""
    try:
        if isinstance(during, str):
            return _read_text(during.strip(), zone, now)
        if isinstance(during, tuple | list):
            start, end = during
            return parse_stretch(start, end, zone=zone)
        return parse_time(during, zone=zone)
    except ValueError:
        raise Invalid(f'during={during!r} is not understood; give "ever", a time, or a pair of times') from None
    except Invalid as error:
        raise Invalid(f"during: {error}", code=error.code) from None


def _read_text(text: str, zone: tzinfo, now: datetime) -> Interval:
    if text == EVER:
        return Interval()
    pair = _PAIR.fullmatch(text)
    if pair is not None and all(_ISO.match(side) for side in pair.groups()):
        return parse_stretch(pair[1], pair[2], zone=zone)
    try:
        return parse_time(text, zone=zone)
    except Invalid:
        language: Language = "en" if text.isascii() else "zh"
        reading = read_time(text, base=now, zone=zone, language=language)
        if reading is None:
            raise
        return stretch_of(reading)


_PAIR: Final = re.compile(r"(.+?)(?:\s+(?:to|until|through|[-–])\s+|\s*(?:\.\.|/|到|至)\s*)(.+)")
_ISO: Final = re.compile(r"\d{3,4}")
_TICK: Final = timedelta(microseconds=1)


def stretch_of(reading: TimeReading) -> Interval:
    """All of the time that words name: "March 2024" is that month, "since 2020" has no end."""
    start = None if reading.start is None else reading.start.at
    if reading.shape is Shape.POINT and reading.start is not None:
        return Interval(start, max(reading.start.end_of_grain, reading.start.at + _TICK))
    return Interval(start, None if reading.end is None else reading.end.at)


async def explained(
    store: Store, point: Point, found: Sequence[BeliefChange], ontology: Ontology, zone: tzinfo
) -> tuple[Change, ...]:
    """Changes with the claims that made them; who is in them called as at ``point.known``."""
    called = await as_called(store, point, [c.belief for c in found])
    changes = [
        replace(c, belief=belief)
        for c, belief in zip(found, called, strict=True)
        if as_known(belief, c.at, ontology) is not None
    ]
    slots, instants = {c.slot for c in changes}, {c.at for c in changes}
    moved = await store.slot_claims(Point(point.tenant), slots, instants) if changes else {}
    by_place: dict[tuple[str, datetime], list[Claim]] = {}
    for slot, claims in moved.items():
        for claim in claims:
            for at in {claim.recorded_at, claim.retracted_at}:
                if at is not None:
                    by_place.setdefault((slot, at), []).append(claim)
    return tuple(
        Change(
            at=c.at,
            added=c.added,
            belief=as_known(c.belief, c.at, ontology) or c.belief,
            because=tuple(_as_of(claim, c.at) for claim in by_place.get((c.slot, c.at), ())),
            zone=zone,
        )
        for c in changes
    )


def _as_of(claim: Claim, at: datetime) -> Claim:
    """What happened to a claim later is not told."""
    later = claim.retracted_at is not None and claim.retracted_at > at
    return replace(claim, retracted_at=None) if later else claim


async def history_of(store: Store, point: Point, which: Fact | Belief | str, ontology: Ontology) -> list[Belief]:
    """Every belief ever held of a fact up to ``point.known``, in order of (ingested_at, valid_from, id), each with
    the claims behind it as they stood. Raises ``NotFound`` for an id that no fact or belief of the tenant has."""
    fact_id = await _fact_id(store, point.tenant, which)
    assert point.known is not None
    found = await every_belief(store, Point(point.tenant), FactFilter(fact_ids=[fact_id]))
    held = [
        seen
        for belief in await as_called(store, point, found)
        if (seen := as_known(belief, point.known, ontology)) is not None
    ]
    return sorted(held, key=_learned)


async def _fact_id(store: Store, tenant: str, which: Fact | Belief | str) -> str:
    id_ = read_id(which.fact if isinstance(which, Belief) else which, "fact or belief")
    for where in (FactFilter(fact_ids=[id_]), FactFilter(period_ids=[id_])):
        found = await store.beliefs(Point(tenant), where, Page(limit=1))
        if found.items:
            return found.items[0].fact.id
    raise NotFound(f"no fact or belief {id_!r} is in tenant {tenant!r}")


async def claims_of(store: Store, point: Point, which: Belief | str, ontology: Ontology) -> list[Claim]:
    """The claims that decide a belief: on its fact, and on those it was weighed against, in the order they were
    said; as known at the point, or as they stood in the end for a belief that was given up by then."""
    id_ = read_id(which, "belief")
    found = await store.beliefs(Point(point.tenant), FactFilter(period_ids=[id_]), Page(limit=1))
    assert point.known is not None
    belief = as_known(found.items[0], point.known, ontology) if found.items else None
    if belief is None:
        raise NotFound(f"no belief {id_!r} is in tenant {point.tenant!r}")
    slot = fact_slot(point.tenant, ontology, belief.fact)
    said = (await store.slot_claims(Point(point.tenant), [slot])).get(slot, [])
    return as_stood(said, point.known, belief.superseded_at)


def page_of_history(held: Sequence[Belief], page: Page) -> Slice[Belief]:
    after = cursor_position(page.cursor, (int, int, str))
    rest = [b for b in held if after is None or _learned(b) > after]
    return paged(rest[: page.limit + 1], page.limit, _learned)


def page_of_claims(said: Collection[Claim], page: Page) -> Slice[Claim]:
    after = cursor_position(page.cursor, (int, int, str))
    rest = [c for c in said if after is None or _said(c) > after]
    return paged(rest[: page.limit + 1], page.limit, _said)


def _learned(belief: Belief) -> tuple[int, int, str]:
    start = -(2**63) if belief.valid_from is None else to_us(belief.valid_from.at)
    return to_us(belief.ingested_at), start, belief.id


def _said(claim: Claim) -> tuple[int, int, str]:
    return to_us(claim.stated_at), claim.position, claim.id
