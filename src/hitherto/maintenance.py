"""``Memory.maintain``: what is archived, what may be one, what has rotted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final, TypedDict

from .digests import write_digest
from .duplicates import Duplicate, Finder
from .kg.forgetting import Candidate, Choice, Hold, Policy, policy_of
from .kg.importance import importance_of
from .kg.keeping import Use
from .kg.model import Belief, Fact
from .kg.ontology import CONSTRAINT, DIGEST, SAME_AS, Ontology
from .kg.store import FactFilter, Point
from .pipeline import Pipeline
from .query.arguments import check_names
from .query.fetching import chunks, every, every_belief
from .reconciling import Reconciled, Reconciler
from .temporal.errors import Invalid

_PROPOSED: Final = 20
_SHOWN: Final = 5
SAMPLE: Final = 200


class MaintainOptions(TypedDict, total=False):
    """What ``Memory.maintain`` may be told.

    ``policy``: what to archive by; a name of ``POLICIES``, an object, or None for nothing ("decay"). ``capacity``:
    how many facts may stay unarchived. ``sample``: how many beliefs, and as many episodes, are re-checked (200).
    ``seed``: which (0). ``dry_run``: only report.
    """

    policy: Policy | str | None
    capacity: int | None
    sample: int
    seed: int
    dry_run: bool


@dataclass(frozen=True, slots=True)
class Wish:
    """Options that were checked."""

    policy: Policy | None
    capacity: int | None = None
    sample: int = SAMPLE
    seed: int = 0
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintenance:
    """What was done, or (``dry_run``) would be.

    ``facts``: how many were unarchived before. ``archived``: those that the policy chose, as one reads them;
    ``digests``: how many groups of them are summed up. ``over``: how many are more than the capacity because
    policies may not touch them. ``duplicates``: the likeliest, for ``merge`` or ``split``. ``reconciled``: what
    the sample showed.
    """

    dry_run: bool
    policy: str | None
    facts: int
    archived: tuple[Fact, ...]
    digests: int
    over: int
    duplicates: tuple[Duplicate, ...]
    reconciled: Reconciled

    def __str__(self) -> str:
        """A short report."""
        would = "would archive" if self.dry_run else "archived"
        by = f" by {self.policy}" if self.policy else ""
        digests = f", {self.digests} digests of them" if self.digests else ""
        lines = [f"{would} {len(self.archived)} of {self.facts} facts{by}{digests}"]
        lines += [f"  {fact.text}" for fact in self.archived[:_SHOWN]]
        if len(self.archived) > _SHOWN:
            lines.append(f"  and {len(self.archived) - _SHOWN} more")
        if self.over:
            lines.append(
                f"{self.over} over the capacity are kept: constraints, and what holds one value at a time"
            )
        lines.append(f"{len(self.duplicates)} pairs may be one" if self.duplicates else "no two are alike")
        lines += [f"  {pair}" for pair in self.duplicates[:_SHOWN]]
        checked = f"checked {self.reconciled.claims} claims in {self.reconciled.slots} slots"
        rot = self.reconciled.rot
        lines.append(f"{checked}: {len(rot)} do not fit" if rot else f"{checked}: all sound")
        lines += [f"  {one}" for one in rot[:_SHOWN]]
        return "\n".join(lines)


def read_options(options: MaintainOptions) -> Wish:
    """Raises ``Invalid`` for an unknown option, policy or number."""
    check_names("maintain", "option", options, MaintainOptions.__optional_keys__)
    capacity, sample, seed = options.get("capacity"), options.get("sample", SAMPLE), options.get("seed", 0)
    for name, number, least in (("capacity", capacity, 0), ("sample", sample, 0), ("seed", seed, None)):
        if number is None and name == "capacity":
            continue
        if isinstance(number, bool) or not isinstance(number, int) or (least is not None and number < least):
            raise Invalid(f"{name}={number!r}; give a whole number{'' if least is None else ', 0 or more'}")
    wanted = options.get("policy", "decay")
    policy = None if wanted is None else policy_of(wanted)
    if policy is None and capacity is not None:
        raise Invalid("capacity needs a policy to choose by; leave policy out, or name one")
    return Wish(policy, capacity, sample, seed, options.get("dry_run", False))


async def run_maintenance(pipeline: Pipeline, wish: Wish, now: datetime) -> Maintenance:
    store, tenant = pipeline.store, pipeline.tenant
    point = Point(tenant, None, await store.last_commit(tenant))
    held = await every_belief(store, point, FactFilter())
    archived = {a.fact_id async for a in every(partial(store.archived, point))}
    beliefs = _by_fact(b for b in held if b.fact.id not in archived and b.fact.predicate != SAME_AS)
    candidates = await _candidates(pipeline, point, beliefs, now)
    choice = Choice() if wish.policy is None else wish.policy.choose(candidates, now, wish.capacity)
    _check(choice, wish.policy, {c.fact_id: c for c in candidates})
    duplicates = await Finder(pipeline).find(_PROPOSED, 0.3)
    reconciled = await Reconciler(store, point, pipeline.ontology).check(held, wish.sample, wish.seed)
    if not wish.dry_run and wish.policy is not None and choice.ids:
        await _archive(pipeline, wish.policy.name, choice, beliefs, now)
    left = len(candidates) - len(choice.ids) + len(choice.groups)
    return Maintenance(
        dry_run=wish.dry_run,
        policy=None if wish.policy is None else wish.policy.name,
        facts=len(candidates),
        archived=tuple(beliefs[id_][0].fact for id_ in choice.ids),
        digests=len(choice.groups),
        over=0 if wish.capacity is None else max(0, left - wish.capacity),
        duplicates=tuple(duplicates),
        reconciled=reconciled,
    )


def _check(choice: Choice, policy: Policy | None, candidates: Mapping[str, Candidate]) -> None:
    """A policy is anybody's code; what it must not touch it does not."""
    name = None if policy is None else policy.name
    ids = choice.ids
    if strange := sorted(set(ids) - candidates.keys()):
        raise Invalid(f"policy {name!r} chose {strange[0]!r}, which is none of its candidates")
    if len(set(ids)) != len(ids):
        raise Invalid(f"policy {name!r} chose a fact twice")
    if pinned := [id_ for id_ in ids if candidates[id_].hold is Hold.PINNED]:
        raise Invalid(f"policy {name!r} chose a constraint that holds: {candidates[pinned[0]].text}")


def _by_fact(beliefs: Iterable[Belief]) -> dict[str, list[Belief]]:
    found: dict[str, list[Belief]] = {}
    for belief in beliefs:
        found.setdefault(belief.fact.id, []).append(belief)
    return found


async def _candidates(
    pipeline: Pipeline, point: Point, beliefs: Mapping[str, Sequence[Belief]], now: datetime
) -> list[Candidate]:
    found: list[Candidate] = []
    for some in chunks(beliefs):
        uses = await pipeline.store.uses(point, some)
        found += [candidate_of(beliefs[id_], uses.get(id_, Use()), pipeline.ontology, now) for id_ in some]
    return found


def candidate_of(beliefs: Sequence[Belief], use: Use, ontology: Ontology, now: datetime) -> Candidate:
    """A fact, by its periods that are believed and what became of it, as policies see it."""
    fact = beliefs[-1].fact
    told = (claim.recorded_at for belief in beliefs for claim in belief.evidence)
    learned = max((at for at in told if at is not None), default=max(b.ingested_at for b in beliefs))
    return Candidate(
        fact_id=fact.id,
        subject_id=fact.subject.id,
        predicate=fact.predicate,
        text="; ".join(belief.line() for belief in beliefs),
        importance=max(importance_of(belief, ontology, use) for belief in beliefs),
        learned_at=learned,
        touched_at=max(learned, use.last_at or learned),
        used=use.used,
        hold=_hold(beliefs, ontology, now),
        digestible=fact.predicate != DIGEST,
    )


def _hold(beliefs: Sequence[Belief], ontology: Ontology, now: datetime) -> Hold:
    predicate = beliefs[0].fact.predicate
    if not any(not b.is_event and (b.valid_to is None or b.valid_to.at > now) for b in beliefs):
        return Hold.FREE
    if ontology.importance_of(predicate) >= CONSTRAINT:
        return Hold.PINNED
    return Hold.CURRENT if ontology.is_one_at_a_time(predicate) else Hold.FREE


async def _archive(
    pipeline: Pipeline, policy: str, choice: Choice, beliefs: Mapping[str, Sequence[Belief]], now: datetime
) -> None:
    """Each group in one transaction with its digest, so that nothing is lost from search without it."""
    for group in choice.groups:
        await write_digest(pipeline, policy, [beliefs[id_] for id_ in group], now)
    if choice.alone:
        await pipeline.write(lambda tx: tx.archive(choice.alone, policy))
