"""The embedded store, on Python's own sqlite3."""

from __future__ import annotations

from .store import SqliteStore, open_sqlite

__all__ = ["SqliteStore", "open_sqlite"]
