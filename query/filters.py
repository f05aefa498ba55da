"""Conditions on what a search finds, and how they combine. Pure.

A condition is about facts, messages (episodes) and entities alike; ``Where`` says what it means for each.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Any, Final, TypeAlias

from ..kg.model import Entity, Json
from ..temporal.errors import Invalid
from .arguments import check_names, check_share
from .stretches import During

_DEEPEST: Final = 50
"""Levels of and, or, not inside each other; nobody writes more, and reading them must end."""


class Combinable:
    """What ``&``, ``|`` and ``~`` join."""

    __slots__ = ()

    def __and__(self, other: Filter) -> AllOf:
        return AllOf((*_parts(self, AllOf), *_parts(other, AllOf)))

    def __or__(self, other: Filter) -> AnyOf:
        return AnyOf((*_parts(self, AnyOf), *_parts(other, AnyOf)))

    def __invert__(self) -> Not:
        return Not(_filter(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class Where(Combinable):
    """Conditions that one and the same thing must meet, all of them; of each, one of the values given.

    ==================  =====================  ==============================  ==============================
    condition           a fact                 a message                       an entity
    ==================  =====================  ==============================  ==============================
    ``predicates``      is of one              has a claim of one              is in a fact of one
    ``entities``        is about one           has a claim about one           is one (by name, or an entity)
    ``entity_kinds``    is about such a one    has a claim about such a one    is of one
    ``actors``          was told by one        one speaks in it                is in a fact that one told
    ``sessions``        was told in one        belongs to one                  is in a fact told in one
    ``sources``         came from one          comes from one                  is in a fact from one
    ``metadata``        was told in a message  has all these values            is in a fact told in such a
                        with these values                                      message
    ``during``          held at a time of it   was said then                   is in a fact that held then
    ``min_confidence``  is at least so sure    its claim is (with one of the   is in a fact that is
                                               first three), else always
    ==================  =====================  ==============================  ==============================

    ``Where(actors="ann", sessions="s1")`` wants one message that is both; ``Where(actors="ann") &
    Where(sessions="s1")`` also takes a fact that ann told elsewhere and somebody else told in s1. An entity's
    facts are those that the search's own time shows. A metadata value is met by an equal one, or by a list that
    holds it. ``during`` is read as in ``View.facts``; without a time of the caller's, a search with it looks
    through all of time.

    Raises ``Invalid`` for no condition at all, an empty one, or one of a wrong type.
    """

    predicates: Collection[str] | None = None
    entities: Collection[str | Entity] | None = None
    entity_kinds: Collection[str] | None = None
    actors: Collection[str] | None = None
    sessions: Collection[str] | None = None
    sources: Collection[str] | None = None
    metadata: Mapping[str, Json] | None = field(default=None, hash=False)
    during: During | None = None
    min_confidence: float | None = None

    def __post_init__(self) -> None:
        if all(getattr(self, name) is None for name in CONDITIONS):
            raise Invalid(f"a filter without a condition; give one or more of {', '.join(CONDITIONS)}")
        for name in _LISTS:
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _listed(name, value))
        _check_metadata(self.metadata)
        _check_during(self.during)
        _check_confidence(self.min_confidence)

    def __str__(self) -> str:
        given = ((name, getattr(self, name)) for name in CONDITIONS)
        return " and ".join(f"{name}={_shown(value)}" for name, value in given if value is not None)


CONDITIONS: Final = tuple(f.name for f in fields(Where))
_LISTS: Final = ("predicates", "entities", "entity_kinds", "actors", "sessions", "sources")


@dataclass(frozen=True, slots=True)
class AllOf(Combinable):
    """Every part holds."""

    parts: tuple[Filter, ...]

    def __str__(self) -> str:
        return " and ".join(f"({part})" for part in self.parts)


@dataclass(frozen=True, slots=True)
class AnyOf(Combinable):
    """One part holds, or more."""

    parts: tuple[Filter, ...]

    def __str__(self) -> str:
        return " or ".join(f"({part})" for part in self.parts)


@dataclass(frozen=True, slots=True)
class Not(Combinable):
    """The part does not hold."""

    part: Filter

    def __str__(self) -> str:
        return f"not ({self.part})"


Filter: TypeAlias = Where | AllOf | AnyOf | Not


def read_where(value: Filter | Mapping[str, object] | None) -> Filter | None:
    """A filter as it is, or as JSON has it: the names of ``Where``, ``{"and": [...]}``, ``{"or": [...]}``,
    ``{"not": ...}``. Raises ``Invalid`` for anything else, naming what there is."""
    return None if value is None else _read(value, 0)


def holds(filter_: Filter, test: Callable[[Where], bool]) -> bool:
    """Whether the filter holds, where ``test`` answers for its conditions."""
    if isinstance(filter_, Where):
        return test(filter_)
    if isinstance(filter_, Not):
        return not holds(filter_.part, test)
    return (all if isinstance(filter_, AllOf) else any)(holds(part, test) for part in filter_.parts)


def leaves(filter_: Filter) -> Iterator[Where]:
    """The conditions a filter is made of."""
    if isinstance(filter_, Where):
        yield filter_
    else:
        for part in _inside(filter_):
            yield from leaves(part)


_WORDS: Final = ("and", "or", "not")


def _read(value: object, depth: int) -> Filter:
    if isinstance(value, Where | AllOf | AnyOf | Not):
        _check_depth(value)
        return value
    if depth > _DEEPEST:
        raise _too_deep()
    if not isinstance(value, Mapping):
        raise Invalid(f"where: {_shown(value)} is no filter; give Where(...), or an object with its names")
    check_names("where", "name", value, (*CONDITIONS, *_WORDS))
    word = next((word for word in _WORDS if word in value), None)
    if word is None:
        given: dict[str, Any] = {name: _during(v) if name == "during" else v for name, v in value.items()}
        return Where(**given)
    if len(value) > 1:
        raise Invalid(f'where: "{word}" stands beside other names; put them together with "and"')
    if word == "not":
        return Not(_read(value[word], depth + 1))
    parts = value[word]
    if not isinstance(parts, list | tuple) or not parts:
        raise Invalid(f'where: "{word}" takes a list of filters, one or more')
    read = tuple(_read(part, depth + 1) for part in parts)
    return AllOf(read) if word == "and" else AnyOf(read)


def _check_depth(filter_: Filter) -> None:
    level: list[Filter] = [filter_]
    for _ in range(_DEEPEST + 2):
        level = [part for one in level if not isinstance(one, Where) for part in _inside(one)]
        if not level:
            return
    raise _too_deep()


def _inside(filter_: AllOf | AnyOf | Not) -> tuple[Filter, ...]:
    return (filter_.part,) if isinstance(filter_, Not) else filter_.parts


def _too_deep() -> Invalid:
    return Invalid(f"where: more than {_DEEPEST} levels of and, or, not; write it flatter")


def _parts(value: object, kind: type[AllOf | AnyOf]) -> tuple[Filter, ...]:
    """What is joined alike stays flat."""
    filter_ = _filter(value)
    return filter_.parts if isinstance(filter_, kind) else (filter_,)


def _filter(value: object) -> Filter:
    if isinstance(value, Where | AllOf | AnyOf | Not):
        return value
    raise Invalid(f"a filter cannot be joined with {_shown(value)}; join it with Where(...)")


def _during(value: object) -> object:
    """JSON has lists for pairs."""
    return tuple(value) if isinstance(value, list) else value


def _listed(name: str, value: object) -> tuple[str | Entity, ...]:
    items = (value,) if isinstance(value, str | Entity) else value
    if isinstance(items, Mapping) or not isinstance(items, Collection) or isinstance(items, bytes):
        raise Invalid(f"where: {name}={_shown(value)}; give a text, or several in a list")
    if not items:
        raise Invalid(f"where: {name} is empty, and nothing would pass; give a value, or leave it out")
    for item in items:
        if not (isinstance(item, str) and (item.strip() or name == "sources")):
            if name == "entities" and isinstance(item, Entity):
                continue
            raise Invalid(f"where: {name} holds {_shown(item)}; give texts that are not blank")
    return tuple(items)


def _check_metadata(value: object) -> None:
    if value is None:
        return
    if not isinstance(value, Mapping) or not value or not all(isinstance(key, str) for key in value):
        raise Invalid(f'where: metadata={_shown(value)}; give names and values, such as {{"channel": "mail"}}')


def _check_during(value: object) -> None:
    if value is None or isinstance(value, str | date):
        return
    sides = value if isinstance(value, tuple) else ()
    if len(sides) != 2 or not all(side is None or isinstance(side, str | date) for side in sides):
        raise Invalid(f'where: during={_shown(value)}; give "ever", a time, or a pair of times')


def _check_confidence(value: object) -> None:
    if value is not None:
        check_share("where: min_confidence", value)


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(_shown(item) for item in value)
    text = value.name if isinstance(value, Entity) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
