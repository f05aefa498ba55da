"""Who is meant where an identifier is given: drafts about a name become drafts about the identifier. Pure.

"Alice Chen's e-mail is alice@acme.com" says that Alice Chen and alice@acme.com are one: a claim of its own
(``SAME_AS``), which comes and goes with what says so. Of whom else the same episode calls Alice Chen it then says
that it is alice@acme.com: should another Alice Chen turn up, with another address, they are two from the start.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from ..temporal.claims import Says
from .identifiers import identifier, key_of
from .ids import normalise
from .model import PERSON, THING, Claim, Draft, Episode, Mention, Modality, Value
from .ontology import SAME_AS, Ontology

OF_A_NAME: Final = "identifier of a name"
"""The extractor of a claim that a name and an identifier are one: it counts while the name has no other."""
SHORT_NAME: Final = "short name"
"""The same for two names: the shorter one counts as the longer one while it stands for no other."""
TITLED_NAME: Final = "titled name"
"""The same the other way round: "Dr. John Smith" counts as John Smith."""
OF_NAMES: Final = frozenset({OF_A_NAME, SHORT_NAME, TITLED_NAME})
_CERTAIN: Final = "identifier"
_MARKED: Final = re.compile("[@＠:：+＋]")


def is_of_a_name(claims: Iterable[Claim]) -> str | None:
    """The extractor by which these claims say that two are one while a name means nobody else; None: they are one
    whatever else is called so."""
    said = {c.extractor for c in claims if c.says is not Says.DENIAL}
    return min(said, default=OF_A_NAME) if said <= OF_NAMES else None


def links(draft: Draft, episode: Episode, ontology: Ontology) -> Iterator[Draft]:
    """What a draft says about sameness: of its subject and an identifier it gives it, and of identifiers that are
    written otherwise than their keys."""
    key = _given(draft, ontology)
    if key is not None and normalise(draft.subject.name) != key:
        says = Says.DENIAL if draft.says is Says.DENIAL else Says.EXTENT
        extractor = _CERTAIN if _is_certain(draft.subject.name, episode) else OF_A_NAME
        yield same(draft, draft.subject, Mention(key, draft.subject.kind), extractor, says)
    for side in (draft.subject, draft.object):
        if isinstance(side, Mention) and _MARKED.search(side.name):
            written = identifier(side.name)
            if written is not None and written != normalise(side.name):
                yield same(draft, side, Mention(written, side.kind), _CERTAIN)


def by_identifier(drafts: Sequence[Draft], episode: Episode, ontology: Ontology) -> list[Draft]:
    """The drafts with each name that has an identifier in the same episode replaced by it. Of several, a name's
    mentions go with the last one given before their sentence ends; those of one sentence are one person's."""
    given: defaultdict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for draft in drafts:
        key = _given(draft, ontology)
        if key is not None and draft.says is not Says.DENIAL and not _is_certain(draft.subject.name, episode):
            given[normalise(draft.subject.name)].append((draft.quote_start, draft.quote_end, key))
    if not given:
        return list(drafts)
    for found in given.values():
        found.sort(key=lambda one: (one[0], not _is_address(one[2]), one[2]))

    def meant(side: Mention, draft: Draft) -> Mention:
        found = given.get(normalise(side.name))
        if found is None or side.kind not in (PERSON, THING):
            return side
        before = [one for one in found if one[0] < draft.quote_end] or found[:1]
        addresses = [one for one in before if _is_address(one[2])] or before
        start = addresses[-1][0]
        return Mention(next(key for begin, _, key in addresses if begin == start), PERSON)

    changed = []
    for draft in drafts:
        target = draft.object if isinstance(draft.object, Value) else meant(draft.object, draft)
        subject = meant(draft.subject, draft)
        if _given(draft, ontology) == subject.name:
            subject = draft.subject
        changed.append(replace(draft, subject=subject, object=target))
    return changed


def _given(draft: Draft, ontology: Ontology) -> str | None:
    """The key of the identifier that a draft gives its subject. A number may be a firm's, or of all who work
    there: it is a person's only where that is said."""
    target = draft.object
    if not isinstance(target, Value) or draft.modality is not Modality.ASSERTED or draft.predicate == SAME_AS:
        return None
    literal = ontology.predicate(draft.predicate).literal
    if draft.subject.kind != PERSON and (draft.subject.kind != THING or literal == "phone"):
        return None
    return key_of(target.text, literal)


def _is_certain(name: str, episode: Episode) -> bool:
    """Whether nobody else in the tenant has this name: a speaker's, or one that is an identifier itself."""
    return (
        name == episode.actor or any(turn.actor == name for turn in episode.turns) or identifier(name) is not None
    )


def _is_address(key: str) -> bool:
    return "@" in key[1:]


def same(draft: Draft, one: Mention, other: Mention, extractor: str, says: Says = Says.EXTENT) -> Draft:
    """That two are one, said where the draft is said."""
    return replace(
        draft,
        says=says,
        subject=one,
        predicate=SAME_AS,
        object=other,
        valid_from=None,
        valid_to=None,
        extractor=extractor,
    )
