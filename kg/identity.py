"""Who is who: which entities are one, and where that puts the claims about them.

An entity's id is made of a name, so what a claim was about before any merge can always be read off its mentions.
Where a claim stands (its fact, its slot, its own id) is a function of its mentions and of who is who now. When
that changes, the claims that stand elsewhere move: what was believed of the old facts is superseded, the new ones
are believed from this transaction on, and a view of earlier reads as before.

Claims about sameness itself never move: they are about names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from .identifiers import identifier, identifier_rank
from .identifying import OF_A_NAME, TITLED_NAME, is_of_a_name
from .ids import entity_id, entity_key, fact_id, family, make_id, value_key
from .model import Claim, Entity, Mention, Value
from .ontology import SAME_AS, Ontology
from .preparation import claim_id, name_rank, placed_fact
from .store import FactRow, Identity, Transaction

Pair = tuple[str, Claim]
"""A claim with its slot."""

Who = Mapping[str, Identity]
"""Identities by entity; who is missing is one with nobody."""


@dataclass(frozen=True, slots=True)
class Move:
    """A claim where it stands now. ``row``: its fact, where that is another one than before."""

    slot: str
    claim: Claim
    row: FactRow | None = None


def mentioned(tenant: str, claim: Claim) -> tuple[str, str | None]:
    """The ids of a claim's subject and object (None: a literal) by their own names, whoever they are."""
    target = claim.object
    return (
        entity_id(tenant, claim.subject.name, claim.subject.kind),
        entity_id(tenant, target.name, target.kind) if isinstance(target, Mention) else None,
    )


def own_id(tenant: str, claim: Claim) -> str:
    """The id that a claim has while its entities are one with nobody."""
    subject, target = mentioned(tenant, claim)
    if (subject, target) == (claim.subject_id, claim.object_id):
        return claim.id
    key = value_key(claim.object.text) if isinstance(claim.object, Value) else entity_key(target or "")
    fact = fact_id(tenant, subject, claim.predicate, key)
    return claim_id(tenant, claim.episode_id, fact, claim)


def placed(tenant: str, pair: Pair, who: Who, ontology: Ontology) -> Move:
    """Where a claim stands, given who is who."""
    slot, claim = pair
    if claim.predicate == SAME_AS:
        return Move(slot, claim)
    by_name, target_by_name = mentioned(tenant, claim)
    subject = _entity(claim.subject, by_name, who)
    target: Entity | Value
    if isinstance(claim.object, Value):
        target, object_id = claim.object, None
    else:
        target = _entity(claim.object, target_by_name or "", who)
        object_id = target.id
    if (subject.id, object_id) == (claim.subject_id, claim.object_id):
        return Move(slot, claim)
    fact = placed_fact(tenant, subject, claim.predicate, target, ontology)
    id_ = own_id(tenant, claim)
    if (subject.id, object_id) != (by_name, target_by_name):
        # Two claims that differ in nothing but a name must not become one: a split could not part them again.
        id_ = make_id(tenant, "moved claim", id_, fact.row.fact.id)
    moved = replace(
        claim, id=id_, fact=fact.row.fact.id, subject_id=subject.id, object_id=object_id, recorded_at=None
    )
    return Move(fact.slot, moved, fact.row)


def _entity(mention: Mention, by_name: str, who: Who) -> Entity:
    identity = who.get(by_name)
    if identity is None or identity.canonical_id == by_name:
        return Entity(by_name, mention.name, mention.kind)
    kept_as = who[identity.canonical_id]
    return Entity(kept_as.entity_id, kept_as.name, mention.kind)


def who_is_who(
    names: Mapping[str, str], same: Iterable[tuple[str, str]], of_names: Iterable[tuple[str, str]] = ()
) -> dict[str, Identity]:
    """The identities of these entities (names by id), of which each pair is one: kept as the one with the longest
    name that is no identifier, whatever the order in which that was learned.

    ``of_names``: an entity that is told by its name, and an identifier it was given. They are one while all that
    the name was given are one without it; else several are called so, and who is meant by the name is nobody of
    them.
    """
    beside = joined(same, of_names)
    found: dict[str, Identity] = {}
    for start in names:
        if start in found:
            continue
        group = reach(start, beside)
        kept_as = min(group, key=lambda id_: (identifier_rank(names[id_]), *name_rank(names[id_]), id_))
        found |= {id_: Identity(id_, names[id_], kept_as) for id_ in group}
    return found


def joined(same: Iterable[tuple[str, str]], of_names: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Whom each is directly one with. A name's meanings may themselves become one by what others are called."""
    beside: defaultdict[str, set[str]] = defaultdict(set)
    for a, b in same:
        beside[a].add(b)
        beside[b].add(a)
    given: defaultdict[str, set[str]] = defaultdict(set)
    for name, key in of_names:
        given[name].add(key)
    while clear := [name for name, keys in given.items() if keys <= reach(min(keys), beside)]:
        for name in clear:
            keys = given.pop(name)
            beside[name] |= keys
            for key in keys:
                beside[key].add(name)
    return dict(beside)


def reach(start: str, beside: Mapping[str, Collection[str]]) -> set[str]:
    """All that can be reached from one, itself included."""
    group, ahead = {start}, [start]
    while ahead:
        new = set(beside.get(ahead.pop(), ())) - group
        group |= new
        ahead += new
    return group


async def identify(tx: Transaction, links: Iterable[Claim]) -> list[Pair]:
    """Find out anew who is who, after these claims about sameness came or went. Gives the live claims that may
    stand elsewhere now, where they stood."""
    touched = {id_ for claim in links for id_ in (claim.subject_id, claim.object_id) if id_ is not None}
    before, said = await _around(tx, touched)
    periods = await tx.slot_periods({slot for slot, _ in said})
    held = {period.fact_id for stored in periods.values() for period in stored}
    names = {id_: i.name for id_, i in before.items()} | spelled(claim for _, claim in said)
    after = who_is_who(names, *sameness(claim for _, claim in said if claim.fact in held))
    # Also of one that is alone: what is said of it names it, though nothing else may mention it.
    await tx.put_identities([i for id_, i in after.items() if before.get(id_) != i])
    was = {id_: before[id_].canonical_id if id_ in before else id_ for id_ in after}
    left = {was[id_] for id_, identity in after.items() if was[id_] != identity.canonical_id}
    moved = await tx.entity_claims(left) if left else []
    return [(slot, claim) for slot, claim in moved if claim.predicate != SAME_AS]


async def strays(tx: Transaction, new: Iterable[Pair], ontology: Ontology) -> list[Pair]:
    """Live claims that an older version put where all names stood together, about the skills in these: they may
    stand elsewhere now."""
    about: defaultdict[str, set[str]] = defaultdict(set)
    for _, claim in new:
        for side in (claim.subject, claim.object):
            if isinstance(side, Mention) and family(side.kind) and claim.predicate != SAME_AS:
                for predicate in ontology.exclusive_group(claim.predicate):
                    about[predicate].add(entity_id(tx.tenant, side.name))
    return [pair for name, ids in sorted(about.items()) for pair in await tx.entity_claims(ids, name)]


async def _around(tx: Transaction, touched: Collection[str]) -> tuple[dict[str, Identity], list[Pair]]:
    """The identities of these entities and of all that some claim says to be one with them, and those claims."""
    before: dict[str, Identity] = {}
    said: dict[str, Pair] = {}
    seen: set[str] = set()
    ahead = set(touched)
    while ahead:
        before |= await tx.identities(ahead)
        ahead |= before.keys() - seen
        for pair in await tx.entity_claims(ahead, SAME_AS):
            said[pair[1].id] = pair
        seen |= ahead
        ahead = spelled(claim for _, claim in said.values()).keys() - seen
    return before, list(said.values())


def sameness(claims: Iterable[Claim]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """What claims that are believed say for ``who_is_who``: the pairs that are one, and the identifiers of
    names."""
    by_fact: defaultdict[tuple[str, str], list[Claim]] = defaultdict(list)
    for claim in claims:
        if claim.object_id is not None:
            by_fact[(claim.subject_id, claim.object_id)].append(claim)
    same, of_names = [], []
    for (a, b), found in by_fact.items():
        how = is_of_a_name(found)
        if how is None:
            same.append((a, b))
        elif how == TITLED_NAME or (how == OF_A_NAME and identifier(found[0].subject.name) is not None):
            of_names.append((b, a))
        else:  # the subject's name is the shorter one
            of_names.append((a, b))
    return same, of_names


def spelled(claims: Iterable[Claim]) -> dict[str, str]:
    """A name of each entity that claims about sameness are about, by id."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for claim in claims:
        for id_, name in _names(claim).items():
            found[id_].add(name)
    return {id_: min(names) for id_, names in found.items()}


def _names(claim: Claim) -> dict[str, str]:
    names = {claim.subject_id: claim.subject.name}
    if claim.object_id is not None and isinstance(claim.object, Mention):
        names[claim.object_id] = claim.object.name
    return names
