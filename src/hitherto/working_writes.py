"""Pins and tasks: from what a user wants kept in working memory to an episode whose claims say so.

What is kept is read, compared and changed inside one transaction; so of two writers that read the same state and
say so (``expect``), one finds it changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Final

from .episodes import About, build_episode
from .extraction.corrections import CorrectingClaim, correcting_claim
from .extraction.lines import line_text
from .extraction.working import WorkingRecord, read_working
from .kg.commit import Effects, Embedded, commit, held, receive
from .kg.ids import entity_id, fact_id, normalise, value_key
from .kg.model import Belief, Entity, Episode, Format, Mention, Value, WriteReport, WriteStatus, text_of
from .kg.preparation import prepare
from .kg.slots import slot_key, slot_rule
from .kg.store import Clock, Point, Transaction
from .kg.working import BOARD, HAS_SLOT, PINNED, SLOT, task_mention
from .pipeline import Pipeline
from .query.arguments import check_storable
from .query.tasks import (
    OF_TASKS,
    Pin,
    Task,
    actors_of,
    changes_between,
    read_tasks,
    task_of,
    version_of,
)
from .task_changes import NEW, WantedChange, claims_of, version_instant, words_of
from .temporal.claims import Period, Says
from .temporal.corrections import Wish, correcting_claims, said_after
from .temporal.errors import Conflict, Invalid, NotFound
from .temporal.grains import Bound
from .temporal.instants import When, parse_bound

MAX_PIN: Final = 1_000
"""Characters of one pin: it is in every block."""


class _StaleError(Exception):
    """The task is not as the writer read it: so it stands."""

    def __init__(self, beliefs: Sequence[Belief], now: datetime) -> None:
        super().__init__()
        self.beliefs = beliefs
        self.now = now


@dataclass(frozen=True, slots=True)
class WorkingWriter:
    """Writes the working memory of one tenant. ``zone``: of dates without one."""

    pipeline: Pipeline
    zone: tzinfo
    clock: Clock

    @property
    def tenant(self) -> str:
        return self.pipeline.tenant

    async def pin(self, text: str, until: When | None, by: str | None) -> WriteReport:
        """See ``Memory.pin``."""
        said = _pin_text(text)
        end = None if until is None else self._end(until)
        vectors = await self._vectors([correcting_claim(Says.OBSERVATION, _pinned(said), (None, None))])

        async def work(tx: Transaction) -> WriteReport:
            if end is not None and end.at <= tx.instant:
                raise Invalid(f"until={until!r} is over already; give a time to come, or leave it out")
            before = next((b for b in await self._pins(tx) if _alike(text_of(b.fact.object), said)), None)
            if before is not None and (before.valid_to and before.valid_to.at) == (end and end.at):
                return WriteReport(before.evidence[-1].episode_id, WriteStatus.DUPLICATE)
            start = Bound(tx.instant) if before is None else before.valid_from
            claims = await self._holding(tx, said, before, (start, end))
            return await self._say(tx, self._episode(f"Pinned: {said}", claims, _about(tx, "pin", by)), vectors)

        return await self.pipeline.write(work)

    async def unpin(self, pin: Pin | str, by: str | None) -> WriteReport:
        """See ``Memory.unpin``."""
        wanted = pin.text if isinstance(pin, Pin) else pin
        if not isinstance(wanted, str) or not wanted.strip():
            raise Invalid("unpin: the text is empty; give a pin's text, its id, or the pin")

        async def work(tx: Transaction) -> WriteReport:
            pins = await self._pins(tx)
            found = next((b for b in pins if b.id == wanted or _alike(text_of(b.fact.object), wanted)), None)
            if found is None:
                have = _listed("pinned", [text_of(b.fact.object) for b in pins])
                raise NotFound(f"{wanted!r} is not pinned; {have}")
            text = text_of(found.fact.object)
            claims = await self._holding(tx, text, found, (found.valid_from, Bound(tx.instant)))
            about = _about(tx, "pin", by)
            return await self._say(tx, self._episode(f"No longer pinned: {text}", claims, about), _NOTHING)

        return await self.pipeline.write(work)

    async def _holding(
        self, tx: Transaction, text: str, before: Belief | None, gives: tuple[Bound | None, Bound | None]
    ) -> list[CorrectingClaim]:
        """The claims by which a pin holds from when to when, instead of as it does."""
        subject, key = entity_id(self.tenant, BOARD.name), value_key(text)
        slot = slot_key(self.tenant, self.pipeline.ontology, subject, PINNED, key)
        heard = (await tx.slot_claims([slot])).get(slot, [])
        fact = fact_id(self.tenant, subject, PINNED, key)
        takes = None if before is None else Period(fact, before.valid_from, before.valid_to)
        wish = Wish(takes, Period(fact, *gives))
        claims = correcting_claims(
            heard, slot_rule(self.pipeline.ontology, PINNED), wish, said_after(heard, tx.instant)
        )
        if claims is None:
            raise Conflict(
                f"{text!r} cannot be changed: who pinned it also said when it begins or ends; retract that"
            )
        return [correcting_claim(c.says, _pinned(text), (c.valid_from, c.valid_to)) for c in claims]

    async def update(self, wanted: WantedChange) -> Task:
        """See ``Memory.update_task``."""
        vectors = await self._vectors(claims_of(replace(wanted, drop=()), None, self.clock()))

        async def work(tx: Transaction) -> Task:
            beliefs = await self._task(tx, wanted.task)
            before = task_of(wanted.task, beliefs, tx.instant)
            if wanted.expect is not None and wanted.expect != (version_of(beliefs) if before else NEW):
                raise _StaleError(beliefs, tx.instant)
            wanted.check(before, self.tenant)
            claims = claims_of(wanted, before, tx.instant)
            if before is not None and not claims:
                return before
            about = _about(tx, "task", wanted.by)
            await self._say(tx, self._episode(words_of(wanted.task, claims), claims, about), vectors)
            after = task_of(wanted.task, await self._task(tx, wanted.task), tx.instant)
            assert after is not None
            return after

        try:
            return await self.pipeline.write(work)
        except _StaleError as stale:
            raise await self._conflict(wanted, stale) from None

    async def _conflict(self, wanted: WantedChange, stale: _StaleError) -> Conflict:
        """What changed since the writer read the task, who changed it, and what to do."""
        now = task_of(wanted.task, stale.beliefs, stale.now)
        since = version_instant(wanted.expect or NEW)
        before = None
        store, tenant = self.pipeline.store, self.tenant
        if since is not None:
            point = Point(tenant, since, since)
            mention = task_mention(wanted.task)
            entity = Entity(entity_id(tenant, mention.name), mention.name, mention.kind)
            before = next(iter(await read_tasks(store, point, [entity], self.pipeline.ontology)), None)
        new = [
            c for b in stale.beliefs for c in b.evidence if since is None or (c.recorded_at or stale.now) > since
        ]
        actors = await actors_of(store, Point(tenant), {c.episode_id for c in new})
        who = ", ".join(sorted({actor for actor in actors.values() if actor}))
        changed = "; ".join(changes_between(before, now)) or "something, and back"
        what = "exists already" if since is None else "has changed since it was read"
        return Conflict(
            f"task {wanted.task!r} {what}: {changed}{f' (by {who})' if who else ''}; read it again, decide anew, "
            "and give its version now",
            code="task_changed",
        )

    async def _pins(self, tx: Transaction) -> list[Belief]:
        board = {entity_id(self.tenant, BOARD.name)}
        pins = await held(tx, board, {PINNED}, self.pipeline.ontology)
        return [pin for pin in pins if pin.period.contains(tx.instant)]

    async def _task(self, tx: Transaction, task: str) -> list[Belief]:
        id_ = entity_id(self.tenant, task_mention(task).name)
        beliefs = await held(tx, {id_}, OF_TASKS, self.pipeline.ontology)
        slots = {
            b.fact.object.id for b in beliefs if b.fact.predicate == HAS_SLOT and isinstance(b.fact.object, Entity)
        }
        return [*beliefs, *await held(tx, slots, {SLOT}, self.pipeline.ontology)]

    async def _say(self, tx: Transaction, episode: Episode, vectors: Embedded) -> WriteReport:
        pipeline = self.pipeline
        prepared = prepare(self.tenant, episode, read_working(episode), pipeline.ontology)
        await receive(tx, episode)
        named = prepared.entity_names
        entities = {id_: vector for id_, vector in vectors.entities.items() if id_ in named}
        effects = Effects(prepared, replace(vectors, entities=entities))
        return await commit(tx, [effects], pipeline.ontology)

    def _episode(self, words: str, claims: Sequence[CorrectingClaim], about: About) -> Episode:
        record = WorkingRecord(stated_at=about.occurred_at, claims=tuple(claims))
        return build_episode(self.tenant, line_text(words, record), about, self.zone, Format.WORKING)

    async def _vectors(self, claims: Sequence[CorrectingClaim]) -> Embedded:
        """Of the facts that these claims may bring; computed before the transaction, which takes what it needs."""
        if not claims:
            return _NOTHING
        episode = self._episode("-", claims, About(occurred_at=self.clock()))
        prepared = prepare(self.tenant, episode, read_working(episode), self.pipeline.ontology)
        return await self.pipeline.vectors_of(prepared)

    def _end(self, until: When) -> Bound:
        try:
            bound = parse_bound(until, zone=self.zone)
        except Invalid as error:
            raise Invalid(f"until: {error}", code=error.code) from None
        return Bound(bound.end_of_grain, bound.grain, bound.end_of_grain)


_NOTHING: Final = Embedded({}, {})


def _pin_text(text: str) -> str:
    if not isinstance(text, str) or not text.strip():
        raise Invalid("pin: the constraint is empty or no text; give a sentence")
    if len(said := " ".join(check_storable(text, "pin").split())) > MAX_PIN:
        raise Invalid(f"pin: {len(said):,} characters; give at most {MAX_PIN:,}, as it is in every block")
    return said


def _pinned(text: str) -> tuple[Mention, str, Value]:
    return BOARD, PINNED, Value(text)


def _alike(a: str, b: str) -> bool:
    return normalise(a) == normalise(b)


def _about(tx: Transaction, source: str, by: str | None) -> About:
    """Working memory is said when it is written: what is written later counts, whoever's clock is behind."""
    return About(occurred_at=tx.instant, source=source, actor=by)


def _listed(what: str, texts: Iterable[str]) -> str:
    found = "; ".join(f"“{text}”" for text in texts)
    return f"{what}: {found}" if found else f"nothing is {what}"
