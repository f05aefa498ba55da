"""``Memory.merge`` and ``Memory.split``: from two names to an episode that says who is the same."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final

from .episodes import About, build_episode
from .extraction.identities import IdentityRecord, NamedPair
from .extraction.lines import line_text
from .kg.identifiers import identifier
from .kg.identity import joined, reach, sameness
from .kg.ids import entity_id, entity_ids, entity_key, normalise
from .kg.model import Belief, Claim, Entity, Episode, Format, Mention, WriteReport, WriteStatus
from .kg.ontology import SAME_AS
from .kg.preparation import sides_in_order
from .kg.slots import slot_key
from .kg.store import Clock, FactFilter, Point
from .pipeline import Pipeline
from .query.fetching import every_belief
from .query.names import entities_by_name
from .temporal.claims import Says, said_order
from .temporal.corrections import said_after
from .temporal.errors import Invalid, NotFound

_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

Links = Mapping[str, Mapping[str, Belief]]
"""What is believed about sameness: both ways, by the ids of entities' own names."""


@dataclass(frozen=True, slots=True)
class Called:
    """An entity by its own name: the id that is made of it, whoever it is one with."""

    id: str
    mention: Mention


@dataclass(frozen=True, slots=True)
class Why:
    """The reason, in somebody's words, and who it is."""

    reason: str = ""
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Merger:
    """Merges and splits entities of one tenant. ``zone``: of dates without one."""

    pipeline: Pipeline
    zone: tzinfo
    clock: Clock

    async def merge(self, a: Entity | str, b: Entity | str, why: Why) -> WriteReport:
        """See ``Memory.merge``."""
        one, other = await self._called(a), await self._called(b)
        links = await self._links(one.id)
        if other.id in reach(one.id, links):
            said = links.get(one.id, {}).get(other.id)
            return WriteReport(said.evidence[0].episode_id if said else "", WriteStatus.DUPLICATE)
        words = f"“{one.mention.name}” and “{other.mention.name}” are the same."
        return await self._say(words, [(one.mention, other.mention)], why, same=True)

    async def split(self, a: Entity | str, b: Entity | str, why: Why) -> WriteReport:
        """See ``Memory.split``."""
        one, other = await self._called(a), await self._called(b)
        if one.id == other.id:
            raise Invalid(f"{one.mention.name!r} is one name; give two of the names that are to be parted")
        links = await self._links(one.id)
        pairs = [(one.mention, other.mention)]
        if other.id in reach(one.id, links):
            pairs += _cut(one, other, links)
        else:
            last = await self._last_said(*pairs[0])
            if last is not None and last.says is Says.DENIAL:
                return WriteReport(last.episode_id, WriteStatus.DUPLICATE)
        words = f"“{one.mention.name}” and “{other.mention.name}” are not the same."
        return await self._say(words, pairs, why, same=False)

    async def _say(
        self, words: str, pairs: Sequence[tuple[Mention, Mention]], why: Why, *, same: bool
    ) -> WriteReport:
        heard = [claim for pair in pairs for claim in await self._heard(*pair)]
        named = tuple(NamedPair.of(*pair) for pair in pairs)
        record = IdentityRecord(same=same, stated_at=said_after(heard, self.clock()), pairs=named)
        reason = " ".join(why.reason.split())
        text = line_text(f"{words} {reason}" if reason else words, record)
        about = About(occurred_at=self.clock(), source="merge" if same else "split", actor=why.by)
        episode: Episode = build_episode(self.pipeline.tenant, text, about, self.zone, Format.IDENTITY)
        return await self.pipeline.add(episode)

    async def _links(self, start: str) -> Links:
        """All that is believed about sameness around one."""
        point = await self._now()
        beside: defaultdict[str, dict[str, Belief]] = defaultdict(dict)
        seen: set[str] = set()
        ahead = {start}
        while ahead:
            seen |= ahead
            where = FactFilter(predicates=[SAME_AS], touching=ahead)
            for belief in await every_belief(self.pipeline.store, point, where):
                subject, target = belief.fact.subject, belief.fact.object
                if isinstance(target, Entity):
                    beside[subject.id][target.id] = beside[target.id][subject.id] = belief
            ahead = beside.keys() - seen
        said = [claim for near in beside.values() for belief in near.values() for claim in belief.evidence]
        one = joined(*sameness(said))
        return {
            id_: {n: belief for n, belief in near.items() if n in one.get(id_, ())} for id_, near in beside.items()
        }

    async def _heard(self, a: Mention, b: Mention) -> list[Claim]:
        tenant = self.pipeline.tenant
        subject, target = (entity_id(tenant, side.name, side.kind) for side in sides_in_order(a, b))
        slot = slot_key(tenant, self.pipeline.ontology, subject, SAME_AS, entity_key(target))
        return (await self.pipeline.store.slot_claims(await self._now(), [slot])).get(slot, [])

    async def _last_said(self, a: Mention, b: Mention) -> Claim | None:
        return max(await self._heard(a, b), key=said_order, default=None)

    async def _now(self) -> Point:
        tenant = self.pipeline.tenant
        return Point(tenant, None, await self.pipeline.store.last_commit(tenant))

    async def _called(self, given: Entity | str) -> Called:
        if isinstance(given, Entity):
            return await self._by_id(given.id)
        if not isinstance(given, str) or not given.strip():
            raise Invalid(f"{given!r} is nobody; give an entity, its id, or a name")
        if _ID.fullmatch(given):
            return await self._by_id(given)
        store, tenant, point = self.pipeline.store, self.pipeline.tenant, await self._now()
        key = normalise(given)
        if mentioned := (await store.find_entities(point, [key])).get(key, []):
            if len(mentioned) > 1:
                kinds = " and ".join(f"a {e.kind} with the id {e.id}" for e in mentioned)
                raise Invalid(f"{given!r} is the name of {kinds}; give the id", code="ambiguous")
            return await self._by_name(mentioned[0], key)
        actors = (await entities_by_name(store, point, [key])).get(key, [])
        if len(actors) > 1 and identifier(given) is None:
            names = ", ".join(sorted(repr(actor.name) for actor in actors))
            raise Invalid(f"{given!r} may be {names}; say which", code="ambiguous")
        if actors and (written := identifier(given)) is not None:
            return Called(entity_id(tenant, written), Mention(written, actors[0].kind))
        if not actors:
            raise NotFound(f"nobody is called {given!r} in tenant {tenant!r}; give a name that facts mention")
        return await self._by_id(actors[0].id)

    async def _by_name(self, entity: Entity, key: str) -> Called:
        spelled = next(n for n in (entity.name, *entity.aliases) if normalise(n) == key)
        ids = entity_ids(self.pipeline.tenant, key, entity.kind)
        group = {entity.id} if entity.id in ids else reach(entity.id, await self._links(entity.id))
        id_ = next((id_ for id_ in ids if id_ in group), next(iter(ids)))
        return Called(id_, Mention(spelled, ids[id_]))

    async def _by_id(self, id_: str) -> Called:
        """Also one that is kept as another now: by what it was called before."""
        tenant = self.pipeline.tenant
        found = (await self.pipeline.store.entities(Point(tenant), [id_])).get(id_)
        if found is None:
            raise NotFound(f"no entity {id_!r} is in tenant {tenant!r}")
        # What others are kept as may itself be mentioned nowhere: then any of its names will do.
        names = (found.name, *found.aliases)
        own = [
            Mention(name, kinds[id_]) for name in names if id_ in (kinds := entity_ids(tenant, name, found.kind))
        ]
        mention = own[0] if own else Mention(found.name, found.kind)
        return Called(entity_id(tenant, mention.name, mention.kind), mention)


def _cut(one: Called, other: Called, links: Links) -> list[tuple[Mention, Mention]]:
    """The further pairs to be parted so that nothing joins the two: those of the first with whoever is one with
    the second even without it."""
    without = {id_: {n for n in near if n != one.id} for id_, near in links.items() if id_ != one.id}
    theirs = reach(other.id, without) - {other.id}
    return [
        (one.mention, _mention(belief, near))
        for near, belief in sorted(links.get(one.id, {}).items())
        if near in theirs
    ]


def _mention(belief: Belief, id_: str) -> Mention:
    """How a claim about sameness names one of its sides."""
    said = belief.evidence[0]
    if said.subject_id == id_ or not isinstance(said.object, Mention):
        return said.subject
    return said.object
