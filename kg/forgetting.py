"""Policies of forgetting: which facts are put aside, from their numbers alone. Pure: no clock, no store.

A policy gets candidates and an instant, and says which of them to archive: those its rule condemns and, where only
``keep`` facts may stay, the ones worth least until that many are left. Of equal worth the one touched longest ago
goes first. Nothing is destroyed by it.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from inspect import signature
from typing import Final, Protocol

from ..temporal.errors import Invalid

_DAY: Final = timedelta(days=1)


class Hold(Enum):
    """What keeps a fact from being archived."""

    FREE = "free"
    CURRENT = "current"
    """A state that has not ended, of a predicate with one value at a time (where somebody lives or works): only
    its own time to live archives it."""
    PINNED = "pinned"
    """A constraint that has not ended: no policy archives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A fact as policies see it. ``learned_at``: when it was last told (transaction time); ``touched_at``: when it
    was last told, shown or used. ``text``: the fact with its dates."""

    fact_id: str
    subject_id: str
    predicate: str
    text: str
    importance: float
    learned_at: datetime
    touched_at: datetime
    used: int = 0
    hold: Hold = Hold.FREE
    digestible: bool = True
    """Whether it may be summed up with others; a digest may not."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Facts to archive: ``alone``, and ``groups`` about one subject each, of which a digest is to stay."""

    alone: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        return (*self.alone, *(id_ for group in self.groups for id_ in group))


class Policy(Protocol):
    """Anything with a name that chooses."""

    @property
    def name(self) -> str: ...

    def choose(self, candidates: Sequence[Candidate], now: datetime, keep: int | None = None) -> Choice:
        """``candidates``: all facts of a tenant that are not archived. ``keep``: how many may stay."""
        ...


class Scored(Policy, Protocol):
    """A policy that gives each fact a worth from 0 to 1; it condemns what is worth no more than its floor."""

    def worth(self, candidate: Candidate, now: datetime) -> float: ...


def least(
    candidates: Sequence[Candidate],
    worth: Callable[[Candidate], float],
    floor: float,
    keep: int | None,
    condemned: Collection[str] = (),
) -> list[Candidate]:
    """The free candidates worth ``floor`` or less and, until at most ``keep`` stay, those worth least; beside what
    is ``condemned`` already."""
    free = [c for c in candidates if c.hold is Hold.FREE and c.fact_id not in condemned]
    ranked = sorted((worth(c), c.touched_at, c.fact_id, c) for c in free)
    under = sum(row[0] <= floor for row in ranked)
    over = 0 if keep is None else len(candidates) - len(condemned) - keep
    return [row[3] for row in ranked[: max(under, over, 0)]]


def _days(stretch: timedelta) -> float:
    return max(stretch / _DAY, 0.0)


def _check(**numbers: float) -> None:
    for name, number in numbers.items():
        if not 0 < number < float("inf"):
            raise Invalid(f"{name}={number!r}; give a number over 0")


def _check_share(**shares: float) -> None:
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise Invalid(f"{name}={share!r}; give a number from 0 to 1")


@dataclass(frozen=True, slots=True)
class TimeToLive:
    """Facts last told ``days`` ago or longer; ``by_predicate`` says otherwise for some, and then also archives
    what holds now with one value at a time. ``days`` None: only those of ``by_predicate``."""

    days: float | None = 365.0
    by_predicate: Mapping[str, float] = field(default_factory=dict)
    name: str = "ttl"

    def __post_init__(self) -> None:
        _check(**({} if self.days is None else {"days": self.days}), **self.by_predicate)

    def worth(self, candidate: Candidate, now: datetime) -> float:
        """What is left of its time, as a share."""
        days = self.by_predicate.get(candidate.predicate, self.days)
        return 1.0 if days is None else max(0.0, 1.0 - _days(now - candidate.learned_at) / days)

    def choose(self, candidates: Sequence[Candidate], now: datetime, keep: int | None = None) -> Choice:
        own = [
            c.fact_id
            for c in candidates
            if c.hold is Hold.CURRENT and c.predicate in self.by_predicate and self.worth(c, now) <= 0
        ]
        found = least(candidates, lambda c: self.worth(c, now), 0.0, keep, own)
        return Choice((*own, *(c.fact_id for c in found)))


@dataclass(frozen=True, slots=True)
class LeastRecentlyUsed:
    """Facts neither told nor shown nor used for ``days``."""

    days: float = 180.0
    name: str = "lru"

    def __post_init__(self) -> None:
        _check(days=self.days)

    def worth(self, candidate: Candidate, now: datetime) -> float:
        return max(0.0, 1.0 - _days(now - candidate.touched_at) / self.days)

    def choose(self, candidates: Sequence[Candidate], now: datetime, keep: int | None = None) -> Choice:
        return Choice(tuple(c.fact_id for c in least(candidates, lambda c: self.worth(c, now), 0.0, keep)))


@dataclass(frozen=True, slots=True)
class PriorityDecay:
    """Facts whose importance, halved every ``half_life_days`` since they were last touched, has come down to
    ``floor``.

    Importance times recency is how generative agents retrieve (Park et al. 2023, arXiv 2304.03442); that the
    half-life grows with every use, here to (1 + used) times its length, is MemoryBank's forgetting curve after
    Ebbinghaus (Zhong et al. 2023, arXiv 2305.10250: retention e^(-t/S), S one more with each recall).
    """

    half_life_days: float = 90.0
    floor: float = 0.05
    name: str = "decay"

    def __post_init__(self) -> None:
        _check(half_life_days=self.half_life_days)
        _check_share(floor=self.floor)

    def worth(self, candidate: Candidate, now: datetime) -> float:
        half_lives = _days(now - candidate.touched_at) / (self.half_life_days * (1 + candidate.used))
        return float(candidate.importance * 0.5**half_lives)

    def choose(self, candidates: Sequence[Candidate], now: datetime, keep: int | None = None) -> Choice:
        found = least(candidates, lambda c: self.worth(c, now), self.floor, keep)
        return Choice(tuple(c.fact_id for c in found))


@dataclass(frozen=True, slots=True)
class RandomDrop:
    """A ``share`` of the facts by lot, the same ones for the same ``seed`` whatever else is there. What other
    policies are compared with."""

    share: float = 0.1
    seed: int = 0
    name: str = "random"

    def __post_init__(self) -> None:
        _check_share(share=self.share)

    def worth(self, candidate: Candidate, _: datetime) -> float:
        return random.Random(f"{self.seed} {candidate.fact_id}").random()

    def choose(self, candidates: Sequence[Candidate], now: datetime, keep: int | None = None) -> Choice:
        found = least(candidates, lambda c: self.worth(c, now), self.share, keep)
        return Choice(tuple(c.fact_id for c in found))


@dataclass(frozen=True, slots=True)
class Hybrid:
    """Facts whose worth by several policies together, each with its weight, is ``floor`` or less."""

    parts: tuple[tuple[Scored, float], ...] = ((PriorityDecay(), 0.6), (LeastRecentlyUsed(), 0.4))
    floor: float = 0.05
    name: str = "hybrid"

    def __post_init__(self) -> None:
        _check_share(floor=self.floor)
        if not self.parts:
            raise Invalid("hybrid: no parts; give (policy, weight) pairs")
        _check(**{part.name: weight for part, weight in self.parts})

    def worth(self, candidate: Candidate, now: datetime) -> float:
        weighed = sum(weight * part.worth(candidate, now) for part, weight in self.parts)
        return weighed / sum(weight for _, weight in self.parts)

    def choose(self, candidates: Sequence[Candidate], now: datetime, keep: int | None = None) -> Choice:
        found = least(candidates, lambda c: self.worth(c, now), self.floor, keep)
        return Choice(tuple(c.fact_id for c in found))


@dataclass(frozen=True, slots=True)
class ReflectionSummary:
    """Facts of importance ``below`` or less that were not touched for ``days``, where a subject has ``at_least``
    such: archived together, ``at_most`` at a time, with a digest that stays. Over capacity those worth least (by
    ``PriorityDecay``) go as well, together where they can.

    Old memories that give way to a higher-level one are generative agents' reflections (Park et al. 2023); the
    digest here is extractive: it says what the facts say, and cites them.
    """

    days: float = 90.0
    below: float = 0.5
    at_least: int = 3
    at_most: int = 12
    name: str = "reflection"

    def __post_init__(self) -> None:
        _check(days=self.days)
        _check_share(below=self.below)
        if not 2 <= self.at_least <= self.at_most:
            raise Invalid(
                f"at_least={self.at_least}, at_most={self.at_most}; give 2 or more, the first not larger"
            )

    def choose(self, candidates: Sequence[Candidate], now: datetime, keep: int | None = None) -> Choice:
        free = [c for c in candidates if c.hold is Hold.FREE]
        old = [c for c in free if c.importance <= self.below and _days(now - c.touched_at) >= self.days]
        groups = self._groups(old)
        gone = {c.fact_id for group in groups for c in group}
        if keep is not None and (over := len(candidates) - len(gone) + len(groups) - keep) > 0:
            decay = PriorityDecay()
            rest = sorted(
                (c for c in free if c.fact_id not in gone),
                key=lambda c: (decay.worth(c, now), c.touched_at, c.fact_id),
            )
            return self._fewer(groups, rest, over)
        return Choice((), tuple(tuple(c.fact_id for c in group) for group in groups))

    def _fewer(self, groups: list[list[Candidate]], rest: Sequence[Candidate], over: int) -> Choice:
        """``over`` more than the groups, of the ``rest``; each digest of them takes a place itself."""
        taken = over
        while True:
            more = self._groups(rest[:taken])
            if taken - len(more) >= over or taken >= len(rest):
                break
            taken += 1
        grouped = {c.fact_id for group in more for c in group}
        alone = tuple(c.fact_id for c in rest[:taken] if c.fact_id not in grouped)
        return Choice(alone, tuple(tuple(c.fact_id for c in group) for group in (*groups, *more)))

    def _groups(self, candidates: Sequence[Candidate]) -> list[list[Candidate]]:
        by_subject: defaultdict[str, list[Candidate]] = defaultdict(list)
        for c in sorted(candidates, key=lambda c: (c.learned_at, c.fact_id)):
            if c.digestible:
                by_subject[c.subject_id].append(c)
        cut = (
            group[start : start + self.at_most]
            for _, group in sorted(by_subject.items())
            for start in range(0, len(group), self.at_most)
        )
        return [group for group in cut if len(group) >= self.at_least]


POLICIES: Final[Mapping[str, Callable[..., Policy]]] = {
    "ttl": TimeToLive,
    "lru": LeastRecentlyUsed,
    "decay": PriorityDecay,
    "reflection": ReflectionSummary,
    "random": RandomDrop,
    "hybrid": Hybrid,
}
"""By name, with their usual numbers."""


def policy_of(policy: Policy | str) -> Policy:
    """Raises ``Invalid`` for a name that none has."""
    if not isinstance(policy, str):
        if not callable(getattr(policy, "choose", None)):
            raise Invalid(
                f"policy {policy!r:.60} is none; use {', '.join(POLICIES)}, or an object with name and choose"
            )
        return policy
    if policy not in POLICIES:
        raise Invalid(f"policy {policy!r} is none; use {', '.join(POLICIES)}, or an object with name and choose")
    return POLICIES[policy]()


def policy_with(name: str, numbers: Mapping[str, str]) -> Policy:
    """The policy of this name with other than its usual numbers, as one writes them: ``{"days": "30"}``.
    Raises ``Invalid`` for one that it does not have, or what is no number."""
    if not numbers:
        return policy_of(name)
    made = signature(type(policy_of(name))).parameters
    usual = {number: made[number].default for number in made if isinstance(made[number].default, int | float)}
    given: dict[str, float] = {}
    for number, text in numbers.items():
        if number not in usual:
            raise Invalid(f"policy {name} has no number {number!r}; it has {', '.join(usual)}")
        try:
            given[number] = type(usual[number])(text)
        except ValueError:
            raise Invalid(f"policy {name}: {number}={text!r} is no number") from None
    return POLICIES[name](**given)
