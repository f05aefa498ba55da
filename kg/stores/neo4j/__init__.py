"""The server store, on Neo4j's own driver."""

from __future__ import annotations

from .store import Neo4jStore, open_neo4j

__all__ = ["Neo4jStore", "open_neo4j"]
