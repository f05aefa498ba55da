"""The extractor that needs no model server: spaCy and LAC find the words, the ontology says what they mean."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import tzinfo
from typing import Final

from ..kg.model import Draft
from ..kg.ontology import Ontology
from .extractor import Reading
from .listener import AT_ONCE, Cut, Listener
from .reader import Reader

_WORKER: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="hitherto-rules")


class RuleExtractor:
    """Claims by rule, English and Chinese, sentence by sentence. ``zone`` is where "yesterday" is.

    People's turns are read for everything, an assistant's or a tool's only for what they say of records (an
    order, a ticket): the rest of what assistants say is general knowledge, or what they were just told.
    Careful rather than complete: what is asked, supposed or ordered gives nothing, what is hoped or hedged
    keeps its modality. Both language models load at their first sentence, in the one thread that does the work of
    all extractors of the process.
    """

    def __init__(self, ontology: Ontology, zone: tzinfo) -> None:
        self._zone = zone
        self._reader = Reader(ontology)

    @property
    def name(self) -> str:
        return "rules"

    async def extract(self, readings: Sequence[Reading]) -> list[list[Draft]]:
        """The drafts of each reading. Raises ``Unavailable`` when a language model is not installed."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(_WORKER, self._extract, tuple(readings))

    def _extract(self, readings: Sequence[Reading]) -> list[list[Draft]]:
        cut = [Cut.of(reading, self._reader) for reading in readings]
        short = [found for c in cut for _, found in (*c.earlier, *c.turns) if len(found) <= AT_ONCE]
        self._reader.parse(piece for found in short for piece in found)
        return [Listener(self._reader, self._zone, c).drafts() for c in cut]
