"""Memories on every store whose entities get merged and split."""

from __future__ import annotations

from tests.promises.conftest import fresh, kind

__all__ = ["fresh", "kind"]
