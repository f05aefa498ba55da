"""Slots that were resolved lately, so that one more claim costs a step and not the whole slot.

A store keeps one ``HeardSlots`` and gives each of its transactions a ``Hearing``. What was kept is good as long as
nobody else has written to the tenant since: the tenant's last commit, read under its lock, must be the one after
which it was kept.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from .slots import Slot

SMALLEST: Final = 64
"""Slots of fewer claims are read and resolved quickly enough."""
MOST: Final = 20_000
"""Claims that are kept in all; the slots that were used longest ago go first, those of one tenant together."""


@dataclass(slots=True)
class _Tenant:
    last_us: int
    slots: OrderedDict[str, Slot] = field(default_factory=OrderedDict)


class HeardSlots:
    """Of one store."""

    def __init__(self) -> None:
        self._tenants: OrderedDict[str, _Tenant] = OrderedDict()
        self._claims = 0

    def begin(self, tenant: str, last_us: int) -> Hearing:
        """For a transaction that holds the tenant's lock. ``last_us``: transaction time of the last commit."""
        kept = self._tenants.get(tenant)
        if kept is not None and kept.last_us != last_us:
            self._forget(tenant)
        return Hearing(self, tenant)

    def take(self, tenant: str, slot: str) -> Slot | None:
        kept = self._tenants.get(tenant)
        if kept is None or slot not in kept.slots:
            return None
        found = kept.slots.pop(slot)
        self._claims -= len(found.claims)
        if not kept.slots:
            del self._tenants[tenant]
        return found

    def put(self, tenant: str, slots: dict[str, Slot], instant_us: int) -> None:
        kept = self._tenants.setdefault(tenant, _Tenant(instant_us))
        kept.last_us = instant_us
        kept.slots |= slots
        self._claims += sum(len(slot.claims) for slot in slots.values())
        self._tenants.move_to_end(tenant)
        if not kept.slots:
            self._forget(tenant)
        while self._claims > MOST:
            oldest = next(iter(self._tenants))
            self.take(oldest, next(iter(self._tenants[oldest].slots)))

    def _forget(self, tenant: str) -> None:
        self._claims -= sum(len(slot.claims) for slot in self._tenants.pop(tenant).slots.values())


class Hearing:
    """Of one transaction. A slot that is taken and changed is lost unless it is given back and committed."""

    def __init__(self, heard: HeardSlots, tenant: str) -> None:
        self._heard = heard
        self._tenant = tenant
        self._given: dict[str, Slot] = {}

    def take(self, slot: str) -> Slot | None:
        """The slot as it stands in this transaction; None: it must be read."""
        return self._given.pop(slot, None) or self._heard.take(self._tenant, slot)

    def give(self, slot: str, state: Slot) -> None:
        """What the transaction makes of the slot."""
        if len(state.claims) >= SMALLEST:
            self._given[slot] = state

    def committed(self, instant_us: int) -> None:
        """``instant_us``: the tenant's last commit now, this one or, where nothing was written, the one before."""
        self._heard.put(self._tenant, self._given, instant_us)
