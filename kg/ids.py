"""Deterministic ids: concurrent writers converge on the same nodes, and a replay rebuilds the same graph.

Every id is UUIDv5 (RFC 9562) of the tenant and the normalised content.
"""

from __future__ import annotations

import json
import re
import unicodedata
import uuid
from functools import lru_cache
from hashlib import sha1
from typing import Final

_NAMESPACE = uuid.UUID("6f1cb9a5-3a0a-5d0e-9a55-5f7a0f6f7a11")
_NAMESPACE_BYTES = _NAMESPACE.bytes
_FIXED = (0xF << 76) | (0x3 << 62)
_VERSION_5 = (5 << 76) | (0x2 << 62)
_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


def normalise(name: str) -> str:
    """The form under which names are the same: NFKC, case folded, white space collapsed."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def make_id(tenant: str, kind: str, *parts: str | int | float | None) -> str:
    """A UUIDv5 text over the tenant, the kind of thing, and its content; unambiguous whatever the parts hold."""
    name = _encode([tenant, kind, *parts])
    # As str(uuid.uuid5(_NAMESPACE, name)), in half the time; a load makes several for each fact.
    number = int.from_bytes(sha1(_NAMESPACE_BYTES + name.encode()).digest()[:16])
    text = f"{number & ~_FIXED | _VERSION_5:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


SKILL: Final = "Skill"
"""What somebody can: a craft, a programming language. Its names are regularly those of other things."""

_COMMON: Final = ""
_SKILLS: Final = "skill"
_FAMILIES: Final = {"skill": _SKILLS, "language": _SKILLS, "programminglanguage": _SKILLS}
_KIND_OF: Final = {_COMMON: "Thing", _SKILLS: SKILL}
_BETWEEN: Final = re.compile(r"[\W_]+")


@lru_cache(maxsize=4096)
def family(kind: str) -> str:
    """Which names of one spelling mean one thing: those of skills by themselves (Java the language), all others
    together (Java the island, whatever kind a text gives it)."""
    return _FAMILIES.get(_BETWEEN.sub("", normalise(kind)), _COMMON)


def entity_id(tenant: str, name: str, kind: str = "") -> str:
    """Of the kind only its family counts: it is known wherever the name is, so no order of arrival matters."""
    of = family(kind)
    return make_id(tenant, "entity", normalise(name), *([of] if of else []))


def entity_ids(tenant: str, name: str, kind: str = "") -> dict[str, str]:
    """The ids of all that can bear this name, each with a kind that leads to it; what is of ``kind`` first."""
    kinds = [kind, *(other for of, other in _KIND_OF.items() if of != family(kind))]
    return {entity_id(tenant, name, one): one for one in kinds}


def fact_id(tenant: str, subject_id: str, predicate: str, object_key: str) -> str:
    """``object_key`` is from ``entity_key`` or ``value_key``."""
    return make_id(tenant, "fact", subject_id, predicate, object_key)


def entity_key(object_id: str) -> str:
    return "e:" + object_id


def value_key(text: str) -> str:
    return "v:" + normalise(text)
