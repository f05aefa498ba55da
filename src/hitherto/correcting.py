"""``Memory.correct``: from what a user wants a belief to be, to an episode whose claims make it so."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta, tzinfo
from typing import Final, TypedDict

from .episodes import About, build_episode
from .extraction.corrections import CorrectingClaim, CorrectionRecord, correcting_claim
from .extraction.lines import line_text
from .extraction.records import LITERAL
from .kg.ids import entity_id, entity_key, fact_id, family, value_key
from .kg.model import Belief, Claim, Episode, Format, Mention, Modality, Value
from .kg.ontology import Ontology
from .kg.slots import fact_slot, slot_key, slot_rule
from .kg.store import Clock, FactFilter, Page, Point, Store
from .query.arguments import read_id
from .temporal import claims as temporal
from .temporal.claims import Period
from .temporal.corrections import Wish, correcting_claims, next_beginning, said_after
from .temporal.errors import Conflict, Invalid, NotFound
from .temporal.grains import Basis, Bound, Grain
from .temporal.instants import When, format_interval, parse_bound
from .temporal.intervals import Interval, between
from .temporal.resolution import resolve
from .temporal.rules import Cardinality

_TICK: Final = timedelta(microseconds=1)
_CHANGES: Final = frozenset({"valid_from", "valid_to", "object", "never"})


class Correction(TypedDict, total=False):
    """What ``Memory.correct`` may be told: ``never``, or one or more of ``valid_from``, ``valid_to``, ``object``.

    ``valid_from``, ``valid_to``: when the fact really began and ended; an end includes its grain;
    ``valid_to=None``: it did not end, and goes on to the next value, if any. ``object``: what it really was.
    ``never``: it was not true at all in this period. ``reason``: in your words, kept in the quote. ``author``: who
    says so, an actor's id.
    """

    valid_from: When
    valid_to: When | None
    object: str | float | Value
    never: bool
    reason: str
    author: str | None


@dataclass(frozen=True, slots=True)
class _Place:
    """A fact's sides, its id, and the slot in which it is decided with the claims heard there."""

    sides: tuple[Mention, str, Mention | Value]
    fact: str
    slot: str
    claims: Sequence[Claim] = ()


@dataclass(frozen=True, slots=True)
class Corrector:
    """Corrects beliefs of one tenant. ``zone``: of dates without one."""

    store: Store
    tenant: str
    ontology: Ontology
    zone: tzinfo
    clock: Clock

    async def episode(self, which: Belief | str, wanted: Correction) -> Episode:
        """The episode that makes the correction, not yet stored. Raises as ``Memory.correct``."""
        _check(wanted)
        belief = await self._current(which)
        said_so = belief.evidence[0]
        sides = (said_so.subject, said_so.predicate, said_so.object)
        old = _Place(sides, belief.fact.id, fact_slot(self.tenant, self.ontology, belief.fact))
        new = await self._place(belief, wanted["object"]) if "object" in wanted else old
        old, new = await self._heard(old, new)
        rule = slot_rule(self.ontology, belief.fact.predicate)
        takes = Period(old.fact, belief.valid_from, belief.valid_to)
        before = resolve(old.claims, rule)
        if takes not in before:
            raise Conflict(f"“{belief}” has just changed; read it again and correct what is believed now")
        beside = before if rule.cardinality is Cardinality.ONE else [p for p in before if p.fact == old.fact]
        gives = self._gives(belief, wanted, replace(takes, fact=new.fact), beside)
        if gives is not None and _stretch(gives) == _stretch(takes):
            raise Invalid(f"“{belief}” is what is believed already; there is nothing to correct")
        said = said_after([*old.claims, *new.claims], self.clock())
        if new.slot == old.slot or gives is None:
            claims = correcting_claims(old.claims, rule, Wish(takes, gives), said)
        else:
            first = correcting_claims(old.claims, rule, Wish(takes, None), said)
            second = correcting_claims(new.claims, rule, Wish(None, gives), said)
            claims = None if first is None or second is None else (*first, *second)
        if claims is None:
            raise Conflict(
                f"“{belief}” cannot be corrected alone, as nobody said since when it holds; give valid_from, or "
                "retract the episodes behind it"
            )
        sides_of = {place.fact: place.sides for place in (old, new)}
        record = CorrectionRecord(stated_at=said, claims=tuple(_line(claim, sides_of) for claim in claims))
        return self._built(self._words(belief, gives, new, wanted), record, wanted)

    async def _current(self, which: Belief | str) -> Belief:
        id_ = read_id(which, "belief")
        found = await self.store.beliefs(Point(self.tenant), FactFilter(period_ids=[id_]), Page(limit=1))
        if not found.items:
            raise NotFound(f"no belief {id_!r} is in tenant {self.tenant!r}")
        belief = found.items[0]
        if belief.superseded_at is not None:
            raise Conflict(
                f"“{belief}” is no longer believed, since {belief.superseded_at.isoformat()}; read it again and "
                "correct what is believed now"
            )
        return belief

    async def _place(self, belief: Belief, object_: str | float | Value) -> _Place:
        """The belief's fact with another object."""
        fact, said = belief.fact, belief.evidence[0]
        target = self._object(fact.predicate, said, object_)
        key = value_key(target.text) if isinstance(target, Value) else entity_key(await self._id(target))
        return _Place(
            (said.subject, fact.predicate, target),
            fact_id(self.tenant, fact.subject.id, fact.predicate, key),
            slot_key(self.tenant, self.ontology, fact.subject.id, fact.predicate, key),
        )

    async def _id(self, mention: Mention) -> str:
        """Of the entity that a name means now."""
        point = Point(self.tenant, None, await self.store.last_commit(self.tenant))
        found = (await self.store.find_entities(point, [mention.name])).get(mention.name, [])
        own = entity_id(self.tenant, mention.name, mention.kind)
        alike = [e.id for e in found if family(e.kind) == family(mention.kind)]
        return own if own in (e.id for e in found) or not alike else alike[0]

    def _object(self, predicate: str, said: Claim, object_: str | float | Value) -> Mention | Value:
        """As ``assert_fact`` takes it; also a literal where the object so far is one."""
        if isinstance(object_, Value):
            return object_
        name = object_ if isinstance(object_, str) else json.dumps(object_)
        if not name.strip():
            raise Invalid("object is empty; give what it really was, or never=True")
        kind = self.ontology.predicate(predicate).object
        if kind == LITERAL or not isinstance(object_, str) or isinstance(said.object, Value):
            return Value(name)
        return Mention(name, kind)

    async def _heard(self, old: _Place, new: _Place) -> tuple[_Place, _Place]:
        """Both with the claims that are heard in their slots now."""
        known = await self.store.last_commit(self.tenant)
        point = Point(self.tenant, None, known)
        found = await self.store.slot_claims(point, {old.slot, new.slot})
        heard = {slot: [c for c in said if c.modality is Modality.ASSERTED] for slot, said in found.items()}
        return replace(old, claims=heard.get(old.slot, ())), replace(new, claims=heard.get(new.slot, ()))

    def _gives(self, belief: Belief, wanted: Correction, gives: Period, beside: Sequence[Period]) -> Period | None:
        """What is to be believed instead; None: nothing."""
        if wanted.get("never"):
            return None
        takes = Period(gives.fact, belief.valid_from, belief.valid_to)
        if "valid_from" in wanted:
            start = self._bound(wanted["valid_from"], "valid_from")
            gives = replace(gives, valid_from=start)
            if belief.is_event and "valid_to" not in wanted and _is_moment(takes):
                end = max(start.end_of_grain, start.at + _TICK)
                gives = replace(gives, valid_to=Bound(end, start.grain, end))
        if "valid_to" in wanted:
            end_said = wanted["valid_to"]
            if end_said is None:
                gives = replace(gives, valid_to=_no_end(belief, beside))
            else:
                bound = self._bound(end_said, "valid_to")
                end = bound.end_of_grain
                gives = replace(
                    gives, valid_to=bound if bound.grain is Grain.INSTANT else Bound(end, bound.grain, end)
                )
        if gives.valid_from is None and gives.valid_to is None:
            raise Invalid(f"nobody said when “{belief}” began; give valid_from")
        if gives.valid_from and gives.valid_to and gives.valid_from.at >= gives.valid_to.at:
            stretch = format_interval(gives.valid_from, gives.valid_to, self.zone)
            raise Invalid(
                f"the correction leaves {stretch}, in which nothing lies; give both valid_from and valid_to"
            )
        return gives

    def _bound(self, value: When, name: str) -> Bound:
        try:
            return parse_bound(value, zone=self.zone)
        except Invalid as error:
            raise Invalid(f"{name}: {error}", code=error.code) from None

    def _words(self, belief: Belief, gives: Period | None, new: _Place, wanted: Correction) -> str:
        """The correction in words: the quote of its claims."""
        was = f"“{belief.line(self.zone)}”"
        if gives is None:
            words = f"Not true: {was}."
        else:
            subject, predicate, target = new.sides
            text = self.ontology.sentence(subject, predicate, target)
            fact = replace(belief.fact, text=text)
            now = replace(belief, fact=fact, valid_from=gives.valid_from, valid_to=gives.valid_to)
            words = f"Not {was} but “{now.line(self.zone)}”."
        reason = wanted.get("reason", "").strip()
        return f"{words} {reason}" if reason else words

    def _built(self, words: str, record: CorrectionRecord, wanted: Correction) -> Episode:
        about = About(occurred_at=self.clock(), source="correction", actor=wanted.get("author"))
        return build_episode(self.tenant, line_text(words, record), about, self.zone, Format.CORRECTION)


def _check(wanted: Correction) -> None:
    given = {name for name in _CHANGES & wanted.keys() if name != "never" or wanted.get("never")}
    if not given:
        raise Invalid("nothing is corrected; give valid_from, valid_to, object or never=True")
    if "never" in given and len(given) > 1:
        raise Invalid("never=True says all; leave out valid_from, valid_to and object")
    if "valid_from" in given and wanted["valid_from"] is None:
        raise Invalid("a beginning cannot be taken away; give the real one, or never=True")


def _stretch(period: Period) -> tuple[str, Interval]:
    return period.fact, between(period.valid_from, period.valid_to)


def _is_moment(period: Period) -> bool:
    """Whether an event's period is the grain of its time, not a stated extent."""
    start, end = period.valid_from, period.valid_to
    return bool(start and end and end.at == max(start.end_of_grain, start.at + _TICK))


def _no_end(belief: Belief, beside: Sequence[Period]) -> Bound | None:
    """Where a fact that did not end goes on to: the next one's beginning."""
    if belief.is_event:
        raise Invalid(f"“{belief}” happened; it cannot go on for ever")
    if belief.valid_to is None:
        raise Invalid(f"“{belief}” has no end to take away")
    following = next_beginning(beside, Period(belief.fact.id, belief.valid_from, belief.valid_to))
    if following is None:
        return None
    if following.at == belief.valid_to.at:
        raise Conflict(f"“{belief}” ends because something else takes over then; correct that instead")
    return replace(following, basis=Basis.STATED)


def _line(claim: temporal.Claim, sides: Mapping[str, tuple[Mention, str, Mention | Value]]) -> CorrectingClaim:
    return correcting_claim(claim.says, sides[claim.fact], (claim.valid_from, claim.valid_to))
