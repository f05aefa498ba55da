"""What predicates there are and how they behave: data that users extend or close, not code."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from functools import cached_property, lru_cache
from importlib import resources
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from ..temporal.errors import Invalid
from ..temporal.rules import CONFIDENCE_THRESHOLD, Cardinality, PredicateKind, PredicateRule
from .ids import family
from .model import THING, Draft, Entity, Mention, Value, text_of

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff"
PredicateName = Annotated[str, StringConstraints(pattern=rf"^[A-Z{_HAN}][A-Z0-9_{_HAN}]*$", max_length=80)]
"""SCREAMING_SNAKE; a Chinese verb, which has no capitals, stands for itself (装修)."""


class Triggers(BaseModel):
    """The words of one language that speak about a predicate; each list is one way of saying it.

    English ones are a lemma with its particles and preposition, after which the object stands ("work at",
    "be allergic to"); a passive names its participle ("be hired by"). Chinese ones are written as they stand;
    the object follows, or stands at "…" ("在…工作"). ``<role>`` among the titles is any occupation.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    holds: tuple[str, ...] = ()
    """A state mentioned: "works at", "住在"."""
    begins: tuple[str, ...] = ()
    """A change into it, or an event: "joined", "加入"."""
    ends: tuple[str, ...] = ()
    """A change out of it: "left", "离开"."""
    possessed: tuple[str, ...] = ()
    """A noun that the object is to the subject: "{subject}'s **manager** is {object}"."""
    titles: tuple[str, ...] = ()
    """A noun that the subject is to the object: "{subject} is the **mother** of {object}"."""
    values: tuple[str, ...] = ()
    """Words that are themselves the literal object: "{subject} was **shipped**"."""


_USUAL: Final = 0.5

LiteralKind = Literal[
    "phrase",
    "name",
    "role",
    "email",
    "phone",
    "id",
    "date",
    "language",
    "status",
    "figure",
    "measure",
    "count",
    "age",
    "plan",
    "address",
]


class Unit(StrEnum):
    """What the unit of a measure measures. ``NUMBER`` is a number by itself; concentrations, pulses and
    percentages may also be said without their unit."""

    MASS = "mass"
    LENGTH = "length"
    TEMPERATURE = "temperature"
    PRESSURE = "pressure"
    PULSE = "pulse"
    PERCENT = "percent"
    CONCENTRATION = "concentration"
    MONEY = "money"
    NUMBER = "number"


class Predicate(BaseModel):
    """One predicate: its rule, the kinds of its two sides (``Value`` for a literal object), how it is said."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: PredicateName
    cardinality: Cardinality = Cardinality.MANY
    kind: PredicateKind = PredicateKind.STATE
    inverse: PredicateName | None = None
    excludes: tuple[PredicateName, ...] = ()
    subject: str = THING
    object: str = THING
    literal: LiteralKind = "phrase"
    """What a literal object looks like; nothing else is taken for one. Of a ``count`` one value holds at a time
    for each thing counted: "3 cats" takes over from "2 cats", not from "2 dogs"."""
    unit: Unit | None = None
    """Of a ``measure`` literal: a number with such a unit, and no other, is a value."""
    lasting: bool = False
    """Once true it stays so ("comes from", "is a parent of"): a past tense or a date does not end it."""
    importance: float = Field(default=_USUAL, ge=0.0, le=1.0)
    """How much a fact of it matters before anything else is known, 0 to 1; from ``CONSTRAINT`` on no policy
    archives it while it holds."""
    text: str = ""
    """English sentence with ``{subject}`` and ``{object}``; empty: the predicate's words."""
    text_zh: str = ""
    en: Triggers = Triggers()
    zh: Triggers = Triggers()

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.unit is not None) is not (self.literal == "measure"):
            raise ValueError(f"predicate {self.name}: a measure, and nothing else, has a unit")
        if self.literal == "count" and self.rule.cardinality is not Cardinality.ONE:
            raise ValueError(f"predicate {self.name}: a count is one at a time; say cardinality one")
        for template in (self.text, self.text_zh):
            if template and ("{subject}" not in template or "{object}" not in template):
                raise ValueError(f"predicate {self.name}: its text must hold {{subject}} and {{object}}")
        return self

    @property
    def in_figures(self) -> bool:
        """Whether its objects are numbers, which are read by themselves and not behind a trigger."""
        return self.unit is not None or self.literal in ("count", "age")

    @cached_property
    def rule(self) -> PredicateRule:
        return PredicateRule(
            predicate=self.name,
            cardinality=self.cardinality,
            kind=self.kind,
            inverse=self.inverse,
            excludes=frozenset(self.excludes),
            threshold=CONFIDENCE_THRESHOLD,
        )

    def sentence(self, subject: str, object_: str) -> str:
        """The fact as a plain English sentence."""
        template = self.text or self._plain_text
        return template.replace("{subject}", subject, 1).replace("{object}", object_, 1)

    @property
    def _plain_text(self) -> str:
        if not self.name.isascii():
            return "{subject}" + self.name.replace("_", "") + "{object}"
        return "{subject} " + self.name.replace("_", " ").lower() + " {object}"


SAME_AS: Final = "SAME_AS"
"""The predicate by which two entities are one. Every ontology has it, and none says otherwise about it."""

_SAME_AS: Final = Predicate(name=SAME_AS, lasting=True, text="{subject} is the same as {object}")

DIGEST: Final = "DIGEST"
"""The predicate of what sums up archived facts about a subject. Every ontology has it, unless it defines one."""

_DIGEST: Final = Predicate(name=DIGEST, object="Value", text="{subject}, in short: {object}")

CONSTRAINT: Final = 0.9
"""Importance from which a predicate is a constraint: harm comes of forgetting it."""


class Ontology(BaseModel):
    """The predicates a memory knows. ``closed``: claims with any other predicate are refused, but for those of
    working memory, which every ontology has."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    predicates: tuple[Predicate, ...] = Field(default=())
    closed: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        names = [p.name for p in self.predicates]
        if len(set(names)) != len(names):
            twice = sorted({n for n in names if names.count(n) > 1})
            raise ValueError(f"predicates defined twice: {', '.join(twice)}")
        if SAME_AS in names or any(p.inverse == SAME_AS for p in self.predicates):
            raise ValueError(f"{SAME_AS} says which entities are one; name your predicate otherwise")
        if taken := sorted({*names, *(p.inverse for p in self.predicates if p.inverse)} & _working().keys()):
            raise ValueError(f"{taken[0]} belongs to working memory; name your predicate otherwise")
        by_name = {p.name: p for p in self.predicates}
        for p in self.predicates:
            for other in p.excludes:
                if other not in by_name:
                    raise ValueError(f"predicate {p.name} excludes {other}, which is not defined")
                if by_name[other].cardinality is not p.cardinality:
                    raise ValueError(f"{p.name} and {other} exclude each other but differ in cardinality")
            if p.inverse in by_name:
                raise ValueError(f"{p.inverse} is the inverse of {p.name}; define only one of the two")
        return self

    @cached_property
    def _by_name(self) -> dict[str, Predicate]:
        return {p.name: p for p in (_DIGEST, *self.predicates, _SAME_AS)} | _working()

    @cached_property
    def _forward(self) -> dict[str, str]:
        return {p.inverse: p.name for p in self.predicates if p.inverse is not None}

    @cached_property
    def _groups(self) -> dict[str, tuple[str, ...]]:
        everyone = (*self.predicates, *_working().values())
        members: dict[str, set[str]] = {p.name: {p.name} for p in everyone}
        for p in everyone:
            for other in p.excludes:
                union = members[p.name] | members[other]
                for name in union:
                    members[name] = union
        return {name: tuple(sorted(group)) for name, group in members.items()}

    @cached_property
    def names(self) -> frozenset[str]:
        """The predicates it defines, and their inverses; any other one is open."""
        return frozenset(self._by_name) | frozenset(self._forward)

    @classmethod
    def starter(cls) -> Ontology:
        """The predicates that come with the package."""
        return _starter()

    def extended(self, predicates: Iterable[Predicate], *, closed: bool | None = None) -> Ontology:
        """A copy in which ``predicates`` are added, replacing those of the same name."""
        merged = {p.name: p for p in self.predicates} | {p.name: p for p in predicates}
        try:
            return Ontology(predicates=tuple(merged.values()), closed=self.closed if closed is None else closed)
        except ValidationError as error:
            raise Invalid(f"ontology: {error.errors()[0]['msg']}") from None

    def predicate(self, name: str) -> Predicate:
        """The predicate of this name; an unknown one is open: a state, of many values at a time, but of one if its
        name ends in ``_IS``, as those of fields do (``TIER_IS``).

        Raises ``Invalid`` for a name that is neither SCREAMING_SNAKE nor Chinese, or unknown while the ontology is
        closed.
        """
        known = self._by_name.get(name)
        if known is not None:
            return known
        if self.closed:
            raise Invalid(f"predicate {name!r} is not in the closed ontology; add it, or use one it has")
        return _open_predicate(name)

    def forward(self, name: str) -> str:
        """The predicate in the direction in which facts are stored. Raises ``Invalid`` as ``predicate`` does."""
        return self._forward.get(name) or self.predicate(name).name

    def importance_of(self, name: str) -> float:
        """The predicate's importance; the usual one of a predicate that a closed ontology no longer has."""
        known = self._by_name.get(name)
        return _USUAL if known is None else known.importance

    def is_one_at_a_time(self, name: str) -> bool:
        """Whether it is a state that has one value at a time."""
        known = self._by_name.get(name)
        return known is not None and known.cardinality is Cardinality.ONE and known.kind is PredicateKind.STATE

    def is_event(self, name: str) -> bool:
        return self.predicate(name).kind is PredicateKind.EVENT

    def canonical(self, draft: Draft) -> Draft:
        """The draft said in the direction the ontology defines: EMPLOYS(a, b) becomes WORKS_AT(b, a)."""
        forward = self._forward.get(draft.predicate)
        if forward is None:
            return draft
        if isinstance(draft.object, Value):
            raise Invalid(f"{draft.predicate} is the inverse of {forward}: its object must be an entity")
        return replace(draft, predicate=forward, subject=draft.object, object=draft.subject)

    def of_known_kinds(self, draft: Draft) -> Draft:
        """The draft with each side of no known kind taken for a skill where the predicate wants one."""
        known = self._by_name.get(draft.predicate)
        if known is None:
            return draft
        subject, target = _of_kind(draft.subject, known.subject), draft.object
        if not isinstance(target, Value):
            target = _of_kind(target, known.object)
        if subject is draft.subject and target is draft.object:
            return draft
        return replace(draft, subject=subject, object=target)

    def exclusive_group(self, name: str) -> tuple[str, ...]:
        """The predicates that share a slot with this one (itself included), sorted: the transitive closure of
        ``excludes`` in both directions."""
        return self._groups.get(name, (name,))

    def sentence(self, subject: Entity | Mention, predicate: str, object_: Entity | Mention | Value) -> str:
        return self.predicate(predicate).sentence(subject.name, text_of(object_))


def _of_kind(side: Mention, wanted: str) -> Mention:
    return replace(side, kind=wanted) if side.kind == THING and family(wanted) else side


@lru_cache(maxsize=4096)
def _open_predicate(name: str) -> Predicate:
    try:
        return Predicate(name=name, cardinality=Cardinality.ONE if name.endswith("_IS") else Cardinality.MANY)
    except ValidationError:
        raise Invalid(f"predicate {name!r} must be SCREAMING_SNAKE, such as WORKS_AT, or a Chinese verb") from None


@lru_cache(maxsize=1)
def _starter() -> Ontology:
    return Ontology(predicates=_shipped("ontology.toml"))


@lru_cache(maxsize=1)
def _working() -> dict[str, Predicate]:
    """What every ontology has besides its own predicates and ``SAME_AS``."""
    return {p.name: p for p in _shipped("working.toml")}


def _shipped(file: str) -> tuple[Predicate, ...]:
    tables = tomllib.loads(resources.files(__package__).joinpath(file).read_text(encoding="utf-8"))
    return tuple(Predicate(name=name, **table) for name, table in tables.items())
