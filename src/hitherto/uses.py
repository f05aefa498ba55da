"""What answers showed, counted until the next write."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from .kg.keeping import Use


@dataclass(slots=True)
class Uses:
    """Of one open memory. Counting waits for nothing and writes nothing; the next write takes what is there."""

    _counts: dict[str, Use] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self._counts)

    def showed(self, fact_ids: Collection[str], at: datetime) -> None:
        self.give_back({id_: Use(shown=1, last_at=at) for id_ in fact_ids})

    def take(self) -> Mapping[str, Use]:
        """What was counted; it is the caller's now, to write or to give back."""
        counts, self._counts = self._counts, {}
        return counts

    def give_back(self, counts: Mapping[str, Use]) -> None:
        for id_, use in counts.items():
            self._counts[id_] = self._counts.get(id_, Use()) + use
