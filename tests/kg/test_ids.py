"""Ids are UUIDv5 of the tenant and the content."""

from __future__ import annotations

import json
import uuid

from hypothesis import given
from hypothesis import strategies as st

from hitherto.kg.ids import make_id

NAMESPACE = uuid.UUID("6f1cb9a5-3a0a-5d0e-9a55-5f7a0f6f7a11")


@given(parts=st.lists(st.none() | st.integers() | st.text()))
def test_an_id_is_a_uuid_of_version_5(parts: list[str | int | None]) -> None:
    name = json.dumps(["acme", "fact", *parts], separators=(",", ":"))
    assert make_id("acme", "fact", *parts) == str(uuid.uuid5(NAMESPACE, name))
