"""Memories on both stores, whose facts are counted and put aside."""

from __future__ import annotations

import pytest

from tests.promises.conftest import fresh

__all__ = ["fresh", "kind"]


@pytest.fixture(params=["memory", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)
