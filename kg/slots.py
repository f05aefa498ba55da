"""Slots: which claims must be resolved together, and what changes when they are. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..temporal.claims import Period
from ..temporal.grains import Bound
from ..temporal.resolution import resolve
from ..temporal.rules import Cardinality, PredicateKind, PredicateRule
from .ids import make_id
from .model import Claim, Modality, StoredPeriod
from .ontology import Ontology


@dataclass(frozen=True, slots=True)
class SlotChange:
    """What a slot's new resolution does to its stored periods."""

    vanished: tuple[StoredPeriod, ...]
    appeared: tuple[Period, ...]


def slot_key(tenant: str, ontology: Ontology, subject_id: str, predicate: str, object_key: str) -> str:
    """The slot of a fact: all facts of the subject and predicate when one value holds at a time, else the fact
    itself; predicates that exclude each other share theirs."""
    rule = ontology.predicate(predicate).rule
    if rule.kind is PredicateKind.EVENT:
        return make_id(tenant, "slot", subject_id, predicate, object_key)
    group = "|".join(ontology.exclusive_group(predicate))
    if rule.cardinality is Cardinality.ONE:
        return make_id(tenant, "slot", subject_id, group)
    return make_id(tenant, "slot", subject_id, group, object_key)


def slot_rule(ontology: Ontology, predicate: str) -> PredicateRule:
    """The rule a slot is resolved by: where predicates exclude each other, one value holds at a time."""
    rule = ontology.predicate(predicate).rule
    if rule.kind is PredicateKind.STATE and len(ontology.exclusive_group(predicate)) > 1:
        return replace(rule, cardinality=Cardinality.ONE)
    return rule


def rule_text(ontology: Ontology, predicate: str) -> str:
    """All of a predicate's rule that decides slots, in words: what is stored by one rule cannot be resolved by
    another."""
    rule = ontology.predicate(predicate).rule
    if rule.kind is PredicateKind.EVENT:
        return "an event"
    group = ontology.exclusive_group(predicate)
    shared = f", only one of {', '.join(group)}" if len(group) > 1 else ""
    return f"{rule.cardinality} at a time{shared}"


def change_of(stored: Sequence[StoredPeriod], claims: Iterable[Claim], ontology: Ontology) -> SlotChange:
    """Resolve a slot's live claims again and compare with what is believed now."""
    heard = [c for c in claims if c.modality is Modality.ASSERTED]
    wanted = resolve(heard, slot_rule(ontology, heard[0].predicate)) if heard else ()
    if not stored:
        return SlotChange((), wanted)
    held = {Period(p.fact_id, p.valid_from, p.valid_to): p for p in stored}
    left = held.keys() - set(wanted)
    return SlotChange(
        vanished=tuple(p for period, p in held.items() if period in left),
        appeared=tuple(period for period in wanted if period not in held),
    )


def new_period(tenant: str, slot: str, period: Period, instant: datetime) -> StoredPeriod:
    """The row for a period that is believed from ``instant`` on."""
    bounds = (*bound_key(period.valid_from), "to", *bound_key(period.valid_to))
    return StoredPeriod(
        id=make_id(tenant, "period", period.fact, instant.isoformat(), *bounds),
        slot=slot,
        fact_id=period.fact,
        valid_from=period.valid_from,
        valid_to=period.valid_to,
        ingested_at=instant,
    )


def bound_key(bound: Bound | None) -> tuple[str, ...]:
    """A bound's content as plain text; nothing for an open side."""
    if bound is None:
        return ()
    end = "" if bound.grain_end is None else bound.grain_end.isoformat()
    return (bound.at.isoformat(), end, bound.grain, bound.basis)
