"""Memories on every store, with no language needed."""

from __future__ import annotations

from tests.promises.conftest import fresh, kind

__all__ = ["fresh", "kind"]
