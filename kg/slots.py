"""Slots: which claims must be resolved together, and what changes when they are. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..temporal.claims import Period, said_order
from ..temporal.grains import Bound
from ..temporal.resolution import Listener
from ..temporal.rules import Cardinality, PredicateKind, PredicateRule
from .ids import entity_key, make_id, value_key
from .model import Claim, Fact, Modality, StoredPeriod, Value
from .ontology import Ontology

_NUMBER = re.compile(r"\d+(?:[.,:/~-]\d+)*")
_HISSING = ("sses", "xes", "ches", "shes")


@dataclass(slots=True)
class Slot:
    """A slot as it is stored: its live claims, and what is believed now."""

    claims: list[Claim]
    stored: list[StoredPeriod]
    listener: Listener | None = None
    """Who has heard the claims; ``stored`` are then his periods, one for one. None: nobody yet."""


@dataclass(frozen=True, slots=True)
class SlotChange:
    """What an exchange of claims does to a slot's periods."""

    vanished: tuple[StoredPeriod, ...]
    appeared: tuple[StoredPeriod, ...]


def slot_key(tenant: str, ontology: Ontology, subject_id: str, predicate: str, object_key: str) -> str:
    """The slot of a fact: all facts of the subject and predicate when one value holds at a time, else the fact
    itself; predicates that exclude each other share theirs. Counts share one where the same is counted."""
    known = ontology.predicate(predicate)
    rule = known.rule
    if rule.kind is PredicateKind.EVENT:
        return make_id(tenant, "slot", subject_id, predicate, object_key)
    group = "|".join(ontology.exclusive_group(predicate))
    if known.literal == "count":
        return make_id(tenant, "slot", subject_id, group, what_is_counted(object_key))
    if rule.cardinality is Cardinality.ONE:
        return make_id(tenant, "slot", subject_id, group)
    return make_id(tenant, "slot", subject_id, group, object_key)


def fact_slot(tenant: str, ontology: Ontology, fact: Fact) -> str:
    """The slot in which a fact is decided."""
    key = value_key(fact.object.text) if isinstance(fact.object, Value) else entity_key(fact.object.id)
    return slot_key(tenant, ontology, fact.subject.id, fact.predicate, key)


def claim_slot(tenant: str, ontology: Ontology, claim: Claim) -> str:
    """The slot in which a claim is heard."""
    key = value_key(claim.object.text) if isinstance(claim.object, Value) else entity_key(claim.object_id or "")
    return slot_key(tenant, ontology, claim.subject_id, claim.predicate, key)


def what_is_counted(text: str) -> str:
    """The words without their numbers, English ones in the singular: the same of "3 cats" and "1 cat"."""
    return " ".join(map(_singular, _NUMBER.sub(" ", text).split()))


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_HISSING) else word[:-1]


def slot_rule(ontology: Ontology, predicate: str) -> PredicateRule:
    """The rule a slot is resolved by: where predicates exclude each other, one value holds at a time."""
    rule = ontology.predicate(predicate).rule
    if rule.kind is PredicateKind.STATE and len(ontology.exclusive_group(predicate)) > 1:
        return replace(rule, cardinality=Cardinality.ONE)
    return rule


def rule_text(ontology: Ontology, predicate: str) -> str:
    """All of a predicate's rule that decides slots, in words: what is stored by one rule cannot be resolved by
    another."""
    known = ontology.predicate(predicate)
    rule = known.rule
    if rule.kind is PredicateKind.EVENT:
        return "an event"
    if known.literal == "count":
        return "one at a time for each thing counted"
    group = ontology.exclusive_group(predicate)
    shared = f", only one of {', '.join(group)}" if len(group) > 1 else ""
    return f"{rule.cardinality} at a time{shared}"


def exchange(
    slot: Slot,
    gone: Collection[str],
    new: Sequence[Claim],
    rule: PredicateRule,
    store: Callable[[Period], StoredPeriod],
) -> SlotChange:
    """Exchange claims of a slot (``gone`` by id), and compare what is believed then with what was. ``store`` makes
    the row of a new period."""
    kept = len(slot.stored)
    if slot.listener is None or gone:
        slot.claims = [*(c for c in slot.claims if c.id not in gone), *new]
        slot.listener = Listener(rule, [c for c in slot.claims if c.modality is Modality.ASSERTED])
        kept = 0
    else:
        slot.claims += new
        for claim in sorted((c for c in new if c.modality is Modality.ASSERTED), key=said_order):
            kept = min(kept, slot.listener.hear(claim))
    before = {Period(p.fact_id, p.valid_from, p.valid_to): p for p in slot.stored[kept:]}
    after = {period: before.get(period) or store(period) for period in slot.listener.periods[kept:]}
    slot.stored[kept:] = after.values()
    # In an order of their own: what a store has read is in the store's.
    vanished = sorted((row for period, row in before.items() if period not in after), key=lambda row: row.id)
    return SlotChange(
        vanished=tuple(vanished),
        appeared=tuple(row for period, row in after.items() if period not in before),
    )


def new_period(tenant: str, slot: str, instant: datetime, period: Period) -> StoredPeriod:
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
