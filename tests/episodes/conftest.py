"""Memories on every store, with no language needed."""

from __future__ import annotations

from tests.extraction.conftest import extractor
from tests.promises.conftest import fresh, kind

__all__ = ["extractor", "fresh", "kind"]
