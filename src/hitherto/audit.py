"""The audit questions: who said what, what was believed when, what was overridden. Each is a small function over a
store's reads, and stands as Cypher in ``docs/audit.md`` with the same columns and rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from .desk import Desk, Wanted, instants
from .kg.model import Belief, Claim, EpisodeStatus, Format, Modality, text_of
from .kg.store import FactFilter, Point
from .query.fetching import every_belief
from .query.names import entities_of
from .query.view import View
from .temporal.claims import Says
from .temporal.errors import Invalid, NotFound
from .temporal.grains import Basis, Bound
from .temporal.instants import from_us, to_us
from .temporal.intervals import Interval

Cell: TypeAlias = "str | int | float | datetime | None"
Row: TypeAlias = tuple[Cell, ...]

_TICK: Final = timedelta(microseconds=1)
_SIDES: Final = {True: "came", False: "went"}


@dataclass(frozen=True, slots=True)
class AuditAnswer:
    """``rows`` have a cell for each of ``columns``. They are in order of their cells from left to right: the
    largest number first, the earliest time, what is not there last."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


async def _learned(desk: Desk) -> list[Row]:
    stretch = desk.stretch()
    return [
        (c.recorded_at, episode.actor, episode.id, str(c.says), *_said(c), c.quote)
        async for episode, c in desk.claims()
        if c.recorded_at is not None and stretch.contains(c.recorded_at)
    ]


async def _believed(desk: Desk) -> list[Row]:
    point = Point(desk.view.tenant, desk.when("valid"), desk.when("known"))
    return [(*_period(b), b.ingested_at) for b in await every_belief(desk.store, point, FactFilter())]


async def _changes(desk: Desk) -> list[Row]:
    found = await desk.changes(desk.stretch())
    return [(c.at, _SIDES[c.added], *_period(c.belief)) for c in found]


async def _overridden(desk: Desk) -> list[Row]:
    went = [c for c in await desk.changes(Interval()) if not c.added]
    because = await desk.because(went)
    rows: list[Row] = []
    for c in went:
        for claim in because.get((c.slot, c.at), ()):
            how = "said" if claim.recorded_at == c.at else "taken back"
            who = desk.messages[claim.episode_id].actor
            rows.append((c.at, *_period(c.belief), how, who, claim.episode_id, claim.quote))
    return rows


async def _revised(desk: Desk) -> list[Row]:
    found = await desk.changes(Interval())
    came: defaultdict[tuple[str, datetime], list[Belief]] = defaultdict(list)
    for change in found:
        if change.added:
            came[(change.belief.fact.id, change.at)].append(change.belief)
    went = [c for c in found if not c.added and (c.belief.fact.id, c.at) in came]
    because = await desk.because(went)
    rows: list[Row] = []
    for c in went:
        messages = [desk.messages[id_] for id_ in {claim.episode_id for claim in because.get((c.slot, c.at), ())}]
        for now in came[(c.belief.fact.id, c.at)]:
            dates = (*_period(c.belief), *_period(now)[1:])
            rows += [(c.at, *dates, m.actor, m.id, str(m.format)) for m in messages]
    return rows


async def _corrections(desk: Desk) -> list[Row]:
    return [
        (c.recorded_at, *_said(c), str(c.says), episode.actor, episode.id, c.quote)
        async for episode, c in desk.claims()
        if episode.format is Format.CORRECTION
    ]


async def _single_source(desk: Desk) -> list[Row]:
    sources: dict[str, tuple[str, set[str]]] = {}
    for belief in await desk.held():
        said = {c.episode_id for c in belief.evidence if _is_asserted(c) and c.says is not Says.DENIAL}
        if len(said) == 1:
            sources[belief.fact.id] = (belief.fact.text, said)
    await desk.read_messages(id_ for _, said in sources.values() for id_ in said)
    return [
        (text, message.actor, message.id, message.occurred_at)
        for text, said in sources.values()
        for message in (desk.messages[id_] for id_ in said)
    ]


async def _conflicts(desk: Desk) -> list[Row]:
    by_slot = _by_slot(desk, await desk.held())
    return [
        (*_said(c), _at(c.valid_from), str(c.says), belief.fact.text, episode.actor, episode.id, c.quote)
        async for episode, c in desk.claims()
        if _is_asserted(c)
        for belief in by_slot.get(desk.claim_slot(c), ())
        if _contradicts(c, belief)
    ]


def _contradicts(claim: Claim, belief: Belief) -> bool:
    """A denial of what is believed within its interval, or another value through a beginning's whole grain."""
    period = Interval(_at(belief.valid_from), _at(belief.valid_to))
    if claim.says is Says.DENIAL:
        denied = Interval(_at(claim.valid_from), _at(claim.valid_to))
        shared = max(period.low, denied.low) < min(period.high, denied.high)
        return belief.fact.id == claim.fact and shared
    start = claim.valid_from
    if claim.says is Says.END or start is None or belief.fact.id == claim.fact:
        return False
    return period.contains(start.at) and (period.end is None or period.end >= start.end_of_grain)


async def _unbelieved(desk: Desk) -> list[Row]:
    held = {b.fact.id for b in await desk.held()}
    return [
        (*_said(c), str(c.says), str(c.modality), c.confidence, episode.actor, episode.id, c.quote)
        async for episode, c in desk.claims()
        if c.fact not in held
    ]


async def _stale(desk: Desk) -> list[Row]:
    since = desk.when("since")
    held = [b for b in await desk.held() if b.valid_to is None and not b.is_event]
    await desk.read_messages(c.episode_id for b in held for c in b.evidence)
    rows: list[Row] = []
    for belief in held:
        said = {c.episode_id for c in belief.evidence}
        last = max((desk.messages[id_].occurred_at for id_ in said), default=None)
        if last is not None and last < since:
            rows.append((last, belief.fact.text, len(said)))
    return rows


async def _inferred_ends(desk: Desk) -> list[Row]:
    held = await desk.held()
    by_slot = _by_slot(desk, held)
    rows: list[Row] = []
    for belief in held:
        if belief.valid_to is not None and belief.valid_to.basis is Basis.INFERRED:
            after = [b for b in by_slot[desk.slot(belief)] if _at(b.valid_from) == belief.valid_to.at]
            rows += [(*_period(belief), b.fact.text) for b in after] or [(*_period(belief), None)]
    return rows


async def _episode(desk: Desk) -> list[Row]:
    id_ = desk.wanted.episode or ""
    await desk.read_messages([id_])
    if id_ not in desk.messages:
        raise NotFound(f"episode {id_!r} is not in tenant {desk.view.tenant!r}")
    claims = (await desk.store.episode_claims(desk.ever, [id_])).get(id_, [])
    moved = {(desk.claim_slot(c), at) for c in claims for at in instants(c)}
    where = FactFilter(subject_ids={c.subject_id for c in claims})
    return [
        (c.at, _SIDES[c.added], *_period(c.belief))
        for at in sorted({at for _, at in moved})
        for c in await desk.changes(Interval(at, at + _TICK), where)
        if (c.slot, c.at) in moved
    ]


async def _person(desk: Desk) -> list[Row]:
    name = desk.wanted.name or ""
    ids = {e.id for point in (desk.now, desk.ever) for e in await entities_of(desk.store, point, name)}
    if not ids:
        raise NotFound(f"no entity is called {name!r} in tenant {desk.view.tenant!r}")
    found = await every_belief(desk.store, desk.ever, FactFilter(touching=ids))
    return [(*_period(b), b.ingested_at, b.superseded_at) for b in found]


async def _busiest(desk: Desk) -> list[Row]:
    claims: Counter[tuple[str | None, str]] = Counter()
    messages: Counter[tuple[str | None, str]] = Counter()
    async for episode, said in desk.episodes(desk.now):
        claims[(episode.actor, episode.source)] += len(said)
        messages[(episode.actor, episode.source)] += 1
    return [(claims[key], count, *key) for key, count in messages.items()]


async def _taken_back(desk: Desk) -> list[Row]:
    rows: list[Row] = []
    async for episode, claims in desk.episodes(desk.ever):
        if episode.status is EpisodeStatus.RETRACTED:
            gone = [c.retracted_at for c in claims if c.retracted_at is not None]
            rows.append((episode.occurred_at, episode.actor, episode.id, max(gone, default=None)))
    return rows


def _said(claim: Claim) -> tuple[str, str, str]:
    return claim.subject.name, claim.predicate, text_of(claim.object)


def _period(belief: Belief) -> tuple[str, datetime | None, datetime | None]:
    return belief.fact.text, _at(belief.valid_from), _at(belief.valid_to)


def _at(bound: Bound | None) -> datetime | None:
    return None if bound is None else from_us(to_us(bound.at))


def _is_asserted(claim: Claim) -> bool:
    return claim.modality is Modality.ASSERTED


def _by_slot(desk: Desk, held: Iterable[Belief]) -> dict[str, list[Belief]]:
    by_slot: defaultdict[str, list[Belief]] = defaultdict(list)
    for belief in held:
        by_slot[desk.slot(belief)].append(belief)
    return by_slot


@dataclass(frozen=True, slots=True)
class Audit:
    """A question: its columns, and the fields of ``Wanted`` that it needs."""

    title: str
    needs: tuple[str, ...]
    columns: tuple[str, ...]
    answer: Callable[[Desk], Awaitable[list[Row]]]


def _audit(title: str, needs: str, columns: str, answer: Callable[[Desk], Awaitable[list[Row]]]) -> Audit:
    return Audit(title, tuple(needs.split()), tuple(columns.split()), answer)


_FACT: Final = "fact valid_from valid_to"
_CLAIM: Final = "subject predicate object"
AUDITS: Final[Mapping[str, Audit]] = {
    "learned": _audit(
        "Who told us what, when, in which message",
        "since until",
        f"learned_at who message says {_CLAIM} quote",
        _learned,
    ),
    "believed": _audit("What we believed on a date", "valid known", f"{_FACT} learned_at", _believed),
    "changes": _audit("What changed in our belief", "since until", f"at change {_FACT}", _changes),
    "overridden": _audit(
        "What was overridden, and by whom", "", f"overridden_at {_FACT} how who message quote", _overridden
    ),
    "revised": _audit(
        "Whose dates were revised", "", f"revised_at {_FACT} now_from now_to who message format", _revised
    ),
    "corrections": _audit(
        "What was corrected by hand", "", f"corrected_at {_CLAIM} says who message quote", _corrections
    ),
    "single-source": _audit("What rests on one message", "", "fact who message said_at", _single_source),
    "conflicts": _audit(
        "What contradicts our belief", "", f"{_CLAIM} claimed_from says believed who message quote", _conflicts
    ),
    "unbelieved": _audit(
        "What was said and is not believed",
        "",
        f"{_CLAIM} says modality confidence who message quote",
        _unbelieved,
    ),
    "stale": _audit("What nobody has mentioned for long", "since", "last_said fact messages", _stale),
    "inferred-ends": _audit("Which ends nobody stated", "", f"{_FACT} next", _inferred_ends),
    "episode": _audit("What a message changed", "episode", f"at change {_FACT}", _episode),
    "person": _audit("Everything about somebody", "name", f"{_FACT} learned_at given_up_at", _person),
    "busiest": _audit("Who tells us how much", "", "claims messages who source", _busiest),
    "taken-back": _audit("Which messages were taken back", "", "said_at who message taken_back_at", _taken_back),
}


async def run_audit(view: View, name: str, wanted: Wanted | None = None, limit: int | None = None) -> AuditAnswer:
    """The answer to a question of ``AUDITS``, or its first ``limit`` rows. Times without a zone are meant in the
    view's. Reads the tenant whole, a page at a time; what is believed is taken at the view's ``known``.

    Raises ``Invalid`` for an unknown question, or one that lacks what it needs; ``NotFound`` for a name or an
    episode that the tenant does not have.
    """
    audit, wanted = AUDITS.get(name), wanted or Wanted()
    if audit is None:
        raise Invalid(f"there is no audit {name!r}; there are {', '.join(AUDITS)}")
    for need in audit.needs:
        if getattr(wanted, need) is None:
            raise Invalid(f"the audit {name} needs {' and '.join(audit.needs)}; {need} is missing")
    known = (await view.instants()).known
    desk = Desk(view, wanted, Point(view.tenant, None, known), Point(view.tenant))
    rows = sorted(await audit.answer(desk), key=_order)
    return AuditAnswer(audit.columns, tuple(rows[:limit]))


def _order(row: Row) -> list[tuple[bool, Cell]]:
    return [(cell is None, -cell if isinstance(cell, int | float) else cell) for cell in row]
