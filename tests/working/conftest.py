"""Memories on every store that hold pins and tasks."""

from __future__ import annotations

from tests.promises.conftest import fresh, kind

__all__ = ["fresh", "kind"]
