"""Small values for the tests of reading."""

from datetime import UTC, datetime

from hitherto.kg.ids import entity_id, entity_key, fact_id, value_key
from hitherto.kg.model import Belief, Claim, Entity, Fact, Mention, Value
from hitherto.temporal.claims import Says
from hitherto.temporal.grains import Bound, Grain
from hitherto.temporal.instants import parse_bound

TENANT = "acme"


def instant(text: str) -> datetime:
    return parse_bound(text, zone=UTC).at


def bound(text: str | None) -> Bound | None:
    return None if text is None else parse_bound(text, zone=UTC)


def entity(name: str, kind: str = "Person") -> Entity:
    return Entity(entity_id(TENANT, name), name, kind)


def fact(subject: str, predicate: str, object_: str | Value) -> Fact:
    who = entity(subject)
    if isinstance(object_, Value):
        key, what = value_key(object_.text), object_
        return Fact(fact_id(TENANT, who.id, predicate, key), who, predicate, what, "as stored")
    thing = entity(object_, "Organization")
    return Fact(fact_id(TENANT, who.id, predicate, entity_key(thing.id)), who, predicate, thing, "as stored")


def claim(of: Fact, said: str, **change: object) -> Claim:
    """An observation of a fact said at ``said``, learned at the same time."""
    at = instant(said)
    fields: dict[str, object] = {
        "id": f"claim {said}",
        "fact": of.id,
        "says": Says.OBSERVATION,
        "valid_from": Bound(at, Grain.INSTANT),
        "stated_at": at,
        "episode_id": f"episode {said}",
        "subject_id": of.subject.id,
        "subject": Mention(of.subject.name, of.subject.kind),
        "predicate": of.predicate,
        "object_id": of.object.id if isinstance(of.object, Entity) else None,
        "object": of.object if isinstance(of.object, Value) else Mention(of.object.name, of.object.kind),
        "quote": f"said on {said}",
        "quote_start": 0,
        "quote_end": 10,
        "recorded_at": at,
    }
    return Claim(**(fields | change))  # type: ignore[arg-type]


def belief(of: Fact, period: tuple[str | None, str | None], believed: tuple[str, str | None]) -> Belief:
    """``of`` over ``period``, believed from and until; no evidence yet."""
    return Belief(
        id=f"{of.id} {period} {believed[0]}",
        fact=of,
        valid_from=bound(period[0]),
        valid_to=bound(period[1]),
        ingested_at=instant(believed[0]),
        superseded_at=None if believed[1] is None else instant(believed[1]),
    )
