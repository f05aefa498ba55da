"""What ``Memory`` can do about importance and forgetting: feedback, archive, restore, maintain."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Unpack

from .kg.keeping import Archived, Use
from .kg.model import Belief
from .kg.ontology import SAME_AS
from .kg.store import Clock, Page, Point, Transaction
from .maintenance import MaintainOptions, Maintenance, read_options, run_maintenance
from .pipeline import Pipeline
from .query.context import Context
from .query.fetching import chunks
from .query.keeping import FactLike, beliefs_in
from .query.results import SearchResult
from .temporal.errors import Forbidden, HithertoError, Invalid

BY_HAND = "by hand"


class Upkeep:
    """The part of ``Memory`` that keeps it small. Counting what answers show waits for no store: counts are
    written with the next write, by ``maintain``, and at ``close``."""

    _pipeline: Pipeline
    _clock: Clock

    async def feedback(self, *, used: Iterable[FactLike] = (), corrected: Iterable[FactLike] = ()) -> None:
        """Say which facts an answer rested on, and which turned out wrong: the first raises their importance and
        keeps them from being forgotten, the second lowers it. Beliefs stay as they are (``correct`` changes them).

        Raises ``Invalid`` where neither is given, or for what is no fact, ``NotFound`` for an unknown id; nothing
        is counted then.
        """
        right = await self._named(used, "used")
        wrong = await self._named(corrected, "corrected")
        if not right and not wrong:
            raise Invalid("feedback: no facts; give used=, corrected=, or both")
        now = self._clock()
        counts = {id_: Use(used=1, last_at=now) for id_ in right}
        for id_ in wrong:
            counts[id_] = counts.get(id_, Use()) + Use(corrected=1)
        await self._pipeline.write(lambda tx: tx.put_uses(counts))

    async def archive(self, facts: Iterable[FactLike]) -> tuple[Archived, ...]:
        """Put facts aside: search and context leave them out from now on. They are believed as before, and
        ``facts``, timelines, histories, audits and earlier ``known`` views tell them. ``restore``, or a new claim
        about it, brings a fact back. Gives how they stand in the archive; one that was there stays as it was.

        Raises ``NotFound`` for an unknown id, ``Invalid`` for none, for what is no fact, and for who is who.
        """
        found = await self._named(facts, "archive")
        if not found:
            raise Invalid("archive: no facts are given")
        if any(b.fact.predicate == SAME_AS for beliefs in found.values() for b in beliefs):
            raise Invalid("archive: who is the same as whom cannot be put aside; split them instead")
        await self._pipeline.write(lambda tx: tx.archive(list(found), BY_HAND))
        return await self._archived(found)

    async def restore(self, facts: Iterable[FactLike]) -> tuple[str, ...]:
        """Take archived facts back into search and context; the ids of those that were archived. Raises
        ``NotFound`` and ``Invalid`` as ``archive``."""
        found = await self._named(facts, "restore")
        if not found:
            raise Invalid("restore: no facts are given")
        back = await self._archived(found)
        if back:
            await self._pipeline.write(lambda tx: tx.restore(list(found)))
        return tuple(a.fact_id for a in back)

    async def maintain(self, **options: Unpack[MaintainOptions]) -> Maintenance:
        """Keep the memory small and sound: archive what the policy says, propose entities that may be one, and
        re-check a sample of facts against what was said. ``MaintainOptions`` says what it may be told; with
        ``dry_run`` it only reports. Reads all that is believed: it takes a while.

        Raises ``Invalid`` for a wrong option.
        """
        wish = read_options(options)
        if not wish.dry_run:
            await self._flush()
        return await run_maintenance(self._pipeline, wish, self._clock())

    async def _named(self, facts: Iterable[FactLike], what: str) -> dict[str, list[Belief]]:
        return await beliefs_in(self._pipeline.store, self._pipeline.tenant, facts, what)

    async def _archived(self, ids: Iterable[str]) -> tuple[Archived, ...]:
        p = self._pipeline
        point = Point(p.tenant, None, await p.store.last_commit(p.tenant))
        found: list[Archived] = []
        for some in chunks(ids):
            found += (await p.store.archived(point, Page(limit=len(some)), some)).items
        return tuple(found)

    def _showed(self, answer: SearchResult | Context) -> None:
        """Count the facts in an answer."""
        ids = answer.fact_ids if isinstance(answer, Context) else {hit.belief.fact.id for hit in answer.facts}
        self._pipeline.uses.showed(ids, self._clock())

    async def _flush(self) -> None:
        """Write what was counted; a store that is read-only is not counted for."""
        if self._pipeline.uses:
            with suppress(Forbidden):
                await self._pipeline.write(_nothing)

    async def close(self) -> None:
        """Write what was counted, unless the store cannot be written to any more, and let go of it."""
        try:
            with suppress(HithertoError):
                await self._flush()
        finally:
            await self._pipeline.store.close()


async def _nothing(_: Transaction) -> None:
    pass
