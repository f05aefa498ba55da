"""What an entity is called, derived from how claims mention it, in any order of arrival."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from .identifiers import identifier_rank
from .ids import normalise
from .model import THING, Entity
from .store import Sighting

_LONGEST: Final = 4
_NO_FIRST_NAMES: Final = frozenset((
    "aunt", "auntie", "uncle", "sister", "brother", "mother", "father", "mr", "mrs", "ms", "miss", "dr", "prof",
    "professor", "doctor", "sir", "madam", "lord", "lady", "king", "queen", "prince", "princess", "duke",
    "president", "captain", "general", "major", "colonel", "sergeant", "officer", "judge", "coach", "chef",
    "saint", "st", "the", "al", "bin", "da", "de", "del", "della", "der", "di", "ibn", "la", "le", "mac", "san",
    "ten", "van", "von",
))  # fmt: skip
"""Words before a name that are titles, or begin a surname."""


def first_name_in(name: str) -> str | None:
    """The first name in a person's full name, normalised; None where it is no full name."""
    words = normalise(name).split()
    is_full = 1 < len(words) <= _LONGEST and all(_is_part(word) for word in words)
    return words[0] if is_full and may_be_first_name(words[0]) else None


def may_be_first_name(word: str) -> bool:
    """Of a normalised name. Chinese has none that stand alone as words."""
    return word.isalpha() and len(word) > 1 and word != word.upper() and word not in _NO_FIRST_NAMES


def _is_part(word: str) -> bool:
    plain = re.sub("[-'’.]", "", word)
    return plain.isalpha() and not word.endswith(("'s", "’s"))


def describe_entity(entity_id: str, sightings: Iterable[Sighting]) -> Entity | None:
    """The entity that so many mentions make: the most used name (an identifier only where there is no other), the
    most used kind other than ``Thing`` (ties go to the alphabetically first). Aliases are the other names, one
    spelling (the most used) of each normal form, in alphabetical order. None when no mention is left.
    """
    names: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for sighting in sightings:
        names[sighting.name] += sighting.count
        kinds[sighting.kind] += sighting.count
    ranked = sorted(
        (name for name in names if names[name] > 0),
        key=lambda name: (identifier_rank(name), -names[name], name),
    )
    if not ranked:
        return None
    spellings: dict[str, str] = {}
    for name in ranked:
        spellings.setdefault(normalise(name), name)
    kind = min(
        (kind for kind in kinds if kinds[kind] > 0 and kind != THING),
        key=lambda kind: (-kinds[kind], kind),
        default=THING,
    )
    name = ranked[0]
    return Entity(entity_id, name, kind, tuple(sorted(s for s in spellings.values() if s != name)))
