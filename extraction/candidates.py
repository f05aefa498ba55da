"""Which entities may be one, among many: pairs with a reason and a score. Pure; nothing is merged on a score."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from ..kg.embedding import Vectors
from ..kg.model import Entity
from .likeness import Likeness, alike, are_apart, has_han, keys, taken_apart

_CROWD: Final = 60
"""A word that more entities have in their names leads nowhere."""
_IDENTIFIED: Final = 0.95
_MEANING: Final = 0.75
"""Cosine from which names in two scripts are taken for translations."""

Found = dict[tuple[str, str], Likeness]
"""By the ids of a pair, the smaller first."""


@dataclass(frozen=True, slots=True)
class Known:
    """An entity with the names that people use for it. ``identifiers``: what only one can have, such as an e-mail
    address. ``is_handle``: its id is one in another system."""

    entity: Entity
    names: tuple[str, ...]
    identifiers: frozenset[str] = frozenset()
    is_handle: bool = False


def candidates(known: Sequence[Known]) -> Found:
    """The pairs whose names are alike, or who share an identifier; of several reasons the best."""
    found: Found = {}
    for a, b in _close(known):
        if (likeness := _likeness(a, b)) is not None:
            found[_pair(a, b)] = likeness
    return _shared_out(found)


def translations(known: Sequence[Known], vectors: Mapping[str, Vectors]) -> Found:
    """The pairs of which one has a name in Chinese characters and the other one without, and each is nearest to
    the other in meaning. ``vectors``: of names."""
    sides: tuple[list[tuple[Known, str]], list[tuple[Known, str]]] = ([], [])
    for one in known:
        for name in one.names:
            if name in vectors:
                sides[has_han(name)].append((one, name))
    if not sides[0] or not sides[1]:
        return {}
    left, right = (np.stack([vectors[name] for _, name in side]) for side in sides)
    scores = left @ right.T
    found: Found = {}
    for i, j in enumerate(scores.argmax(axis=1)):
        (a, name), (b, other) = sides[0][i], sides[1][j]
        score = float(scores[i, j])
        if score < _MEANING or scores[:, j].argmax() != i or a is b or _kept_apart(a, b):
            continue
        if not are_apart(taken_apart(name), taken_apart(other), (a.entity.kind, b.entity.kind)):
            found[_pair(a, b)] = Likeness(round(0.8 * min(score, 1.0), 2), f"{name} and {other} mean the same")
    return found


def _likeness(a: Known, b: Known) -> Likeness | None:
    if _kept_apart(a, b):
        return None
    kinds = (a.entity.kind, b.entity.kind)
    found = [
        likeness
        for name in a.names
        for other in b.names
        if (likeness := alike(name, other, kinds) or _said_so(name, other, (a, b))) is not None
    ]
    shared = sorted(a.identifiers & b.identifiers)
    if shared and not any(
        are_apart(taken_apart(n), taken_apart(o), kinds) for n in a.names[:1] for o in b.names[:1]
    ):
        found.append(Likeness(_IDENTIFIED, f"both have {shared[0]}"))
    return max(found, key=lambda likeness: likeness.score, default=None)


def _said_so(name: str, other: str, of: tuple[Known, Known]) -> Likeness | None:
    """Somebody known by an id in another system gave the name of the other one as theirs."""
    kinds = (of[0].entity.kind, of[1].entity.kind)
    one, two = taken_apart(name), taken_apart(other)
    if not (of[0].is_handle or of[1].is_handle) or one.words != two.words or are_apart(one, two, kinds):
        return None
    return Likeness(0.9, f"both are called {other}", partial=True)


def _kept_apart(a: Known, b: Known) -> bool:
    """Two ids of other systems are two, whatever they are called; so are two of which each has a number (or some
    other mark) in a name, and none in common."""
    one, other = ({taken_apart(name).marks for name in known.names} - {()} for known in (a, b))
    return (a.is_handle and b.is_handle) or (bool(one and other) and one.isdisjoint(other))


def _close(known: Sequence[Known]) -> Iterator[tuple[Known, Known]]:
    """The pairs that have a key in common that is not everybody's."""
    by_key: defaultdict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(known):
        for key in {key for name in one.names for key in keys(name)} | {f"= {i}" for i in one.identifiers}:
            by_key[key].append(number)
    seen: set[tuple[int, int]] = set()
    for numbers in by_key.values():
        if len(numbers) <= _CROWD:
            seen.update(combinations(numbers, 2))
    return ((known[i], known[j]) for i, j in sorted(seen))


def _pair(a: Known, b: Known) -> tuple[str, str]:
    first, second = sorted((a.entity.id, b.entity.id))
    return first, second


def _shared_out(found: Found) -> Found:
    """A part of a name that several have speaks for each of them so much less."""
    partners: Counter[str] = Counter(id_ for pair, one in found.items() if one.partial for id_ in pair)

    def scored(pair: tuple[str, str], one: Likeness) -> Likeness:
        several = max(partners[id_] for id_ in pair) if one.partial else 1
        if several == 1:
            return one
        return Likeness(round(one.score / several, 2), f"{one.reason}, and so may others", partial=True)

    return {pair: scored(pair, one) for pair, one in found.items()}


def best(found: Iterable[Found]) -> Found:
    """Of each pair the likeness with the best score."""
    joined: Found = {}
    for part in found:
        for pair, likeness in part.items():
            if pair not in joined or joined[pair].score < likeness.score:
                joined[pair] = likeness
    return joined
