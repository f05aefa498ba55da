"""Merges and splits as properties, on every store."""

from __future__ import annotations

import pytest

from tests.identity.properties import suite


class TestInMemory(suite(40)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "memory"


@pytest.mark.slow
class TestInMemoryAtLength(suite(150, most=9)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "memory"


@pytest.mark.neo4j
class TestOnNeo4j(suite(4, most=4, shrink=False)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "neo4j"


@pytest.mark.neo4j
@pytest.mark.slow
class TestOnNeo4jAtLength(suite(12, most=5, shrink=False)):  # type: ignore[misc]
    @pytest.fixture
    def kind(self) -> str:
        return "neo4j"
