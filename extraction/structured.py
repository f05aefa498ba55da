"""JSON episodes: what their records say, as a mapping declares it or by what fields are usually called.

Text, mapping and zone are all in the episode, so that a replay of the episode log rebuilds the same graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from ..kg.model import Draft, Episode, Json
from ..kg.ontology import SAME_AS, Ontology
from ..temporal.claims import Says
from ..temporal.errors import Invalid
from ..temporal.grains import Basis
from ..temporal.instants import parse_bound
from .records import LITERAL, draft_of, read_zone, record
from .structured_defaults import Attribute, read_attributes
from .structured_fields import ONE, FieldMapping, Found, at, date_text, find, snake, value_text
from .structured_prose import prose_of
from .structured_text import Node, read_json

KEPT: Final = "hitherto"
"""The key of an episode's metadata under which its mapping and zone are kept."""


class Declared(BaseModel):
    """How a JSON episode is to be read. No mapping: by what fields are usually called."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mapping: tuple[FieldMapping, ...] = ()
    zone: str = "UTC"

    def metadata(self) -> dict[str, Json]:
        kept: dict[str, Json] = self.model_dump(exclude_defaults=True, mode="json")
        return {KEPT: kept} if kept else {}


@dataclass(frozen=True, slots=True)
class _Fact:
    """A fact before the ontology is asked."""

    subject: str
    subject_kind: str | None
    predicate: str
    object: str | int | float | bool
    object_kind: str | None
    times: tuple[str | None, str | None, str | None]
    """When it was so, from when, to when."""
    quote: tuple[int, int]
    where: str
    single: bool | None = None
    """Not None: ``predicate`` is a field's key."""


def declared(mapping: FieldMapping | Sequence[FieldMapping] | None, zone: tzinfo) -> Declared:
    """Raises ``Invalid`` for what is no mapping."""
    given = () if mapping is None else (mapping,) if isinstance(mapping, FieldMapping | Mapping) else mapping
    try:
        return Declared(mapping=tuple(given), zone=str(zone))
    except (ValidationError, TypeError) as error:
        first = error.errors()[0] if isinstance(error, ValidationError) else None
        reason = f"{'.'.join(map(str, first['loc'][2:]))}: {first['msg']}" if first else str(error)
        raise Invalid(f"mapping: {reason.removeprefix(': ')}") from None


def prose(episode: Episode) -> Episode | None:
    """The episode as the rules for text read it (``prose_of``). A mapping says all that is read: None."""
    how = _how(episode)
    return None if how.mapping else prose_of(episode, how.zone)


def latest_time(root: Node, how: Declared, source: str) -> datetime | None:
    """When the last of what the records say was so, if they say when. Raises ``Invalid`` for what is no date."""
    zone = read_zone(how.zone)
    times = [parse_bound(t, zone=zone).at for fact in _facts(root, how, source) for t in fact.times if t]
    return max(times, default=None)


def read_structured(episode: Episode, ontology: Ontology) -> list[Draft]:
    """The drafts of a ``Format.JSON`` episode.

    Raises ``Invalid`` for dates that are none, predicates the ontology refuses, and a mapping that finds nothing.
    """
    how = _how(episode)
    facts = list(_facts(read_json(episode.text), how, episode.source))
    if how.mapping and not facts:
        first = how.mapping[0]
        raise Invalid(f"mapping: nothing has {first.subject}, {first.predicate} and {first.object}; see its paths")
    names = frozenset(p.name for p in ontology.predicates)
    drafts: list[Draft] = []
    for fact in facts:
        predicate = _predicate(fact, names, ontology)
        if predicate is not None:
            drafts.append(_draft(replace(fact, predicate=predicate), len(drafts), episode, (how.zone, ontology)))
    return drafts


def _how(episode: Episode) -> Declared:
    return Declared.model_validate(episode.metadata.get(KEPT, {}))


def _facts(root: Node, how: Declared, source: str) -> Iterable[_Fact]:
    if not how.mapping:
        return (_of_attribute(a) for a in read_attributes(root, source))
    return (fact for mapping in how.mapping for row in at(root, mapping.rows) for fact in _mapped(row, mapping))


def _of_attribute(a: Attribute) -> _Fact:
    kind = LITERAL if a.object_kind is None else a.object_kind
    times = (a.time, None, None)
    return _Fact(
        a.subject, a.subject_kind or "Thing", a.key, a.object.value, kind, times, a.quote, a.where, a.single
    )


def _mapped(row: Node, mapping: FieldMapping) -> Iterable[_Fact]:
    subject, predicate = (next(iter(find(row, wanted)), None) for wanted in (mapping.subject, mapping.predicate))
    if subject is None or predicate is None:
        return
    name = value_text(predicate.value)
    name = snake(name) if mapping.predicate.startswith("$") or "{" in mapping.predicate else name
    if name == SAME_AS:
        raise Invalid(f"mapping: {SAME_AS} says who is who; use merge for that")
    times = tuple(_time(row, wanted) for wanted in (mapping.time, mapping.valid_from, mapping.valid_to))
    for found in find(row, mapping.object):
        yield _Fact(
            subject=value_text(subject.value),
            subject_kind=mapping.subject_kind,
            predicate=name,
            object=found.value,
            object_kind=mapping.object_kind,
            times=(times[0], times[1], times[2]),
            quote=_quote(row, found, subject),
            where=mapping.object,
        )


def _quote(row: Node, object_: Found, subject: Found) -> tuple[int, int]:
    node = object_.node or subject.node
    return (row.start, row.end) if node is None or object_.node is None else node.quote


def _time(row: Node, wanted: str | None) -> str | None:
    found = None if wanted is None else next(iter(find(row, wanted)), None)
    return None if found is None else date_text(found.value, str(wanted))


def _predicate(fact: _Fact, names: frozenset[str], ontology: Ontology) -> str | None:
    """Of a field: the ontology's, else an open one; None where there is none."""
    if fact.single is None:
        return fact.predicate
    custom = _CUSTOM.get(fact.predicate)
    if custom in names and ontology.predicate(str(custom)).subject == fact.subject_kind:
        return custom
    for name in (fact.predicate, f"HAS_{fact.predicate}"):
        if name in names and ontology.predicate(name).unit is None:
            return name
    name = fact.predicate + (ONE if fact.single else "")
    fits = name.isascii() and name[:1].isalpha() and len(name) <= _LONGEST_NAME
    return name if fits and not ontology.closed else None


_LONGEST_NAME: Final = 80
_CUSTOM: Final = {
    "ASSIGNEE": "ASSIGNED_TO", "OWNER": "ASSIGNED_TO", "COMPANY": "WORKS_AT", "EMPLOYER": "WORKS_AT",
    "ORGANIZATION": "WORKS_AT", "MANAGER": "REPORTS_TO", "JOB_TITLE": "HAS_ROLE", "TITLE": "HAS_ROLE",
    "BIRTHDAY": "BORN_ON", "DATE_OF_BIRTH": "BORN_ON",
}  # fmt: skip
"""What a field says of a subject of the predicate's own kind: a ticket's owner is whom it is assigned to."""


def _draft(fact: _Fact, position: int, episode: Episode, about: tuple[str, Ontology]) -> Draft:
    zone, ontology = about
    time, valid_from, valid_to = fact.times
    known = ontology.predicate(fact.predicate)
    kind = None if fact.single and fact.object_kind == LITERAL and known.object != "Thing" else fact.object_kind
    fields = {
        "subject": fact.subject,
        "subject_kind": fact.subject_kind,
        "predicate": fact.predicate,
        "object": fact.object,
        "object_kind": kind,
        "valid_from": valid_from,
        "valid_to": valid_to,
        "stated_at": time or (None if valid_from or valid_to else episode.occurred_at.isoformat()),
        "zone": zone,
    }
    try:
        row = record(**{name: value for name, value in fields.items() if value is not None})
        draft = draft_of(row, ontology, fact.quote)
    except Invalid as error:
        raise Invalid(f"{fact.where}: {str(error).removeprefix('fact: ')}", code=error.code) from None
    draft = replace(draft, position=position, extractor="json")
    if draft.says is not Says.OBSERVATION or time is None:
        return draft
    return replace(draft, valid_from=replace(parse_bound(time, zone=read_zone(zone)), basis=Basis.STATED))
