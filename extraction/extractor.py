"""The Extractor protocol: episodes in, drafts of claims out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..kg.model import Draft, Episode


@dataclass(frozen=True, slots=True)
class Reading:
    """An episode to read, and the ones said before it in its session (oldest first), for what pronouns mean."""

    episode: Episode
    earlier: tuple[Episode, ...] = ()


class Extractor(Protocol):
    """Reads episodes. A function of its readings alone: the same readings give the same drafts."""

    @property
    def name(self) -> str: ...

    async def extract(self, readings: Sequence[Reading]) -> list[list[Draft]]:
        """The drafts of each reading, in order. Never blocks the event loop; batches are faster."""
        ...
