"""What a store keeps of slots between its writes: bounded, and given up once others have written."""

from __future__ import annotations

from typing import Any

import pytest

from hitherto.kg import heard
from hitherto.kg.heard import HeardSlots
from hitherto.kg.slots import Slot


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heard, "SMALLEST", 2)
    monkeypatch.setattr(heard, "MOST", 9)


def slot(claims: int) -> Slot:
    return Slot(list[Any]([None]) * claims, [])


def write(kept: HeardSlots, tenant: str, before: int, after: int, **sizes: int) -> None:
    hearing = kept.begin(tenant, before)
    for name, claims in sizes.items():
        hearing.give(name, slot(claims))
    hearing.committed(after)


def test_taken_once_and_lost_unless_given_back_and_committed() -> None:
    kept = HeardSlots()
    write(kept, "t", 0, 1, a=3)
    failed = kept.begin("t", 1)
    found = failed.take("a")
    assert found is not None
    failed.give("a", found)
    assert failed.take("a") is found, "in the same transaction it is what was given"
    assert kept.begin("t", 1).take("a") is None


def test_small_slots_are_read() -> None:
    kept = HeardSlots()
    write(kept, "t", 0, 1, a=1)
    assert kept.begin("t", 1).take("a") is None


def test_what_others_wrote_meanwhile_makes_it_forget_that_tenant() -> None:
    kept = HeardSlots()
    write(kept, "t", 0, 1, a=3)
    write(kept, "u", 0, 1, a=3)
    assert kept.begin("t", 2).take("a") is None
    assert kept.begin("u", 1).take("a") is not None


def test_the_slots_used_longest_ago_go_first() -> None:
    kept = HeardSlots()
    write(kept, "t", 0, 1, a=3, b=3)
    write(kept, "u", 0, 1, a=5)
    hearing = kept.begin("t", 1)
    assert hearing.take("a") is None
    assert hearing.take("b") is not None


def test_a_tenant_whose_only_slot_was_lost_is_no_hindrance() -> None:
    kept = HeardSlots()
    write(kept, "t", 0, 1, a=3)
    kept.begin("t", 1).take("a")
    write(kept, "u", 0, 1, a=6, b=6)
    hearing = kept.begin("u", 1)
    assert hearing.take("a") is None
    assert hearing.take("b") is not None
