"""What ``resolve`` hears and what it answers, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

from .grains import Bound

SaidOrder: TypeAlias = tuple[datetime, int, tuple[object, ...], str]


class Says(StrEnum):
    """The six ways a claim can speak about its fact (DESIGN 3, "a careful listener")."""

    OBSERVATION = "observation"
    """A state mentioned without a beginning: "she works at TechCorp"; ``valid_from`` is the episode's time."""
    DATED_BEGINNING = "dated_beginning"
    """A change: "joined in March"."""
    SINCE = "since"
    """"there since 2020": vouches for the whole stretch up to when it was said."""
    EXTENT = "extent"
    """"from 2019 to 2021"; also any table row with a begin and perhaps an end (``valid_to`` None is open)."""
    END = "end"
    """"left in 2024": ``valid_from`` is the instant of the end (there is no ``valid_to``)."""
    DENIAL = "denial"
    """"never worked there": takes ``[valid_from, valid_to)`` out; None is open on that side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim as the listener hears it. ``fact`` is an opaque key that is equal for equal facts of a slot.

    ``stated_at`` and ``position`` (in its episode) give the order in which claims were *said*;
    ties are broken by content and then ``id``, never by arrival.
    """

    id: str
    fact: str
    says: Says
    valid_from: Bound | None = None
    valid_to: Bound | None = None
    stated_at: datetime
    position: int = 0
    authority: int = 0
    confidence: float = 1.0


def said_order(claim: Claim) -> SaidOrder:
    """The key that sorts claims as they were *said*: by time, position in the episode, content, id."""
    content = (claim.fact, claim.says, _key(claim.valid_from), _key(claim.valid_to))
    return claim.stated_at, claim.position, content, claim.id


def _key(bound: Bound | None) -> tuple[object, ...]:
    return () if bound is None else (bound.at, bound.end_of_grain, bound.grain, bound.basis)


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of valid time ``[valid_from, valid_to)`` in which ``fact`` holds. None: unbounded on that side."""

    fact: str
    valid_from: Bound | None
    valid_to: Bound | None
