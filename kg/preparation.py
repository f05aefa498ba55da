"""Drafts to claims with ids, slots and verbatim quotes. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..temporal.errors import Invalid
from .identifying import OF_NAMES, by_identifier, links
from .ids import entity_id, entity_key, fact_id, family, make_id, normalise, value_key
from .model import READ, Claim, Draft, Entity, Episode, Fact, Mention, Modality, Value, text_of
from .ontology import SAME_AS, Ontology
from .slots import bound_key, slot_key
from .store import FactRow, Sighting


@dataclass(frozen=True, slots=True)
class Prepared:
    """An episode's effects, ready to be written."""

    episode_id: str
    claims: tuple[tuple[str, Claim], ...] = ()
    """(slot, claim) pairs."""
    facts: tuple[FactRow, ...] = ()

    @property
    def entity_names(self) -> dict[str, str]:
        """A name for each entity that is mentioned, by id."""
        names: dict[str, str] = {}
        for _, claim in self.claims:
            names[claim.subject_id] = claim.subject.name
            if claim.object_id is not None and isinstance(claim.object, Mention):
                names[claim.object_id] = claim.object.name
        return names


def prepare(tenant: str, episode: Episode, drafts: Iterable[Draft], ontology: Ontology) -> Prepared:
    """Turn drafts into claims with ids, slots and verbatim quotes. Drafts of equal content become one claim.

    Raises what ``Preparation.add`` raises.
    """
    preparation = Preparation(tenant, episode, ontology)
    said = list(drafts)
    if episode.format in READ:
        said = by_identifier(said, episode, ontology)
    for draft in said:
        preparation.add(draft)
    return preparation.prepared()


def sightings(claims: Iterable[Claim], sign: int = 1) -> list[Sighting]:
    """How often the claims mention which entity by which name and kind, times ``sign``. Who is the same as whom is
    about names: it mentions nobody."""
    counts: Counter[tuple[str, Mention]] = Counter()
    for claim in claims:
        if claim.predicate == SAME_AS:
            continue
        counts[(claim.subject_id, claim.subject)] += 1
        if claim.object_id is not None and isinstance(claim.object, Mention):
            counts[(claim.object_id, claim.object)] += 1
    return [Sighting(id_, mention.name, mention.kind, n * sign) for (id_, mention), n in counts.items()]


@dataclass(frozen=True, slots=True)
class Placed:
    """A fact with its slot."""

    slot: str
    row: FactRow

    @property
    def object_id(self) -> str | None:
        target = self.row.fact.object
        return target.id if isinstance(target, Entity) else None


def placed_fact(
    tenant: str, subject: Entity, predicate: str, target: Entity | Value, ontology: Ontology
) -> Placed:
    """The fact of these sides, and where it is decided."""
    object_key = value_key(target.text) if isinstance(target, Value) else entity_key(target.id)
    fact = Fact(
        id=fact_id(tenant, subject.id, predicate, object_key),
        subject=subject,
        predicate=predicate,
        object=target,
        text=ontology.sentence(subject, predicate, target),
    )
    slot = slot_key(tenant, ontology, subject.id, predicate, object_key)
    return Placed(slot, FactRow(fact, ontology.is_event(predicate)))


def claim_id(tenant: str, episode_id: str, fact: str, said: Draft | Claim) -> str:
    """The id of a claim on a fact, made of all that it says."""
    bounds = (*bound_key(said.valid_from), "to", *bound_key(said.valid_to))
    place = (said.position, said.quote_start, said.quote_end)
    return make_id(tenant, "claim", episode_id, fact, said.says, said.modality, *bounds, *place)


class Preparation:
    """One episode's drafts on their way to claims. Drafts of equal content become one claim."""

    def __init__(self, tenant: str, episode: Episode, ontology: Ontology) -> None:
        self._tenant = tenant
        self._episode = episode
        self._ontology = ontology
        self._claims: dict[str, tuple[str, Claim]] = {}
        self._facts: dict[str, FactRow] = {}
        self._entities: dict[Mention, str] = {}
        self._placed: dict[tuple[Mention, str, Mention | Value], Placed] = {}

    def prepared(self) -> Prepared:
        return Prepared(self._episode.id, tuple(self._claims.values()), tuple(self._facts.values()))

    def add(self, draft: Draft) -> None:
        """Raises ``Invalid`` for a quote outside the text, ``valid_from`` after ``valid_to``, a blank name, or a
        predicate the ontology refuses."""
        draft = self._ontology.of_known_kinds(self._ontology.canonical(draft))
        _check(draft, self._episode)
        if draft.predicate == SAME_AS:
            self._add(_about_names(draft, self._episode))
            return
        self._add(draft)
        for link in links(draft, self._episode, self._ontology):
            self._add(_in_order(link))

    def _add(self, draft: Draft) -> None:
        key = (draft.subject, draft.predicate, draft.object)
        placed = self._placed.get(key)
        if placed is None:
            placed = self._placed[key] = self._place(draft)
        claim = self._claim(draft, placed)
        self._claims.setdefault(claim.id, (placed.slot, claim))
        self._facts.setdefault(claim.fact, placed.row)

    def _place(self, draft: Draft) -> Placed:
        target = draft.object if isinstance(draft.object, Value) else self._entity(draft.object)
        return placed_fact(self._tenant, self._entity(draft.subject), draft.predicate, target, self._ontology)

    def _entity(self, mention: Mention) -> Entity:
        id_ = self._entities.get(mention)
        if id_ is None:
            id_ = self._entities[mention] = entity_id(self._tenant, mention.name, mention.kind)
        return Entity(id_, mention.name, mention.kind)

    def _claim(self, draft: Draft, placed: Placed) -> Claim:
        fact, episode = placed.row.fact, self._episode
        return Claim(
            id=claim_id(self._tenant, episode.id, fact.id, draft),
            fact=fact.id,
            says=draft.says,
            valid_from=draft.valid_from,
            valid_to=draft.valid_to,
            stated_at=draft.stated_at,
            position=draft.position,
            authority=draft.authority,
            confidence=draft.confidence,
            episode_id=episode.id,
            subject_id=fact.subject.id,
            subject=draft.subject,
            predicate=draft.predicate,
            object_id=placed.object_id,
            object=draft.object,
            quote=episode.text[draft.quote_start : draft.quote_end],
            quote_start=draft.quote_start,
            quote_end=draft.quote_end,
            modality=draft.modality,
            extractor=draft.extractor,
        )


def name_rank(name: str) -> tuple[int, str]:
    """Of several names of one entity the first in this order, the longest, is what it is kept as."""
    key = normalise(name)
    return -len(key), key


def sides_in_order(a: Mention, b: Mention) -> tuple[Mention, Mention]:
    """The subject and the object of a fact that two are the same, whichever way it is said."""
    return (b, a) if _side_rank(a) < _side_rank(b) else (a, b)


def _side_rank(side: Mention) -> tuple[int, str, str]:
    return *name_rank(side.name), family(side.kind)


def _about_names(draft: Draft, episode: Episode) -> Draft:
    """The draft with its sides in order. What somebody says in a text is kept, and makes nobody one;
    what its names say is another matter."""
    if episode.format in READ and draft.extractor not in OF_NAMES:
        draft = replace(draft, modality=Modality.REPORTED)
    if episode.format not in READ and isinstance(draft.object, Value):
        raise _bad(draft, episode, "its object must be an entity")
    return _in_order(draft)


def _in_order(draft: Draft) -> Draft:
    if isinstance(draft.object, Value):
        return draft
    subject, target = sides_in_order(draft.subject, draft.object)
    return replace(draft, subject=subject, object=target)


def _check(draft: Draft, episode: Episode) -> None:
    if not 0 <= draft.quote_start < draft.quote_end <= len(episode.text):
        raise _bad(draft, episode, f"quote {draft.quote_start}:{draft.quote_end} is outside the text")
    if draft.valid_from and draft.valid_to and draft.valid_from.at >= draft.valid_to.at:
        raise _bad(draft, episode, f"valid_from {draft.valid_from.at} is not before valid_to {draft.valid_to.at}")
    if not draft.subject.name.strip() or not text_of(draft.object).strip():
        raise _bad(draft, episode, "subject and object must have a name")


def _bad(draft: Draft, episode: Episode, reason: str) -> Invalid:
    return Invalid(f"episode {episode.id!r}, draft {draft.position} ({draft.predicate}): {reason}")
