"""What a transaction's mentions change in what entities are called. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ...columns import entity_text
from ...ids import make_id, normalise
from ...model import Entity
from ...naming import describe_entity
from ...store import Sighting
from .people import kind_labels
from .rows import Props, searchable, title
from .schema import NEVER


@dataclass(frozen=True, slots=True)
class Renaming:
    """The rows to write for one entity. ``closes``: its present name ends now; ``replaces``: it began in this very
    transaction and is dropped; ``opens``: properties of its new name."""

    entity: dict[str, Any]
    called: Entity | None
    """What it is called now; None when nobody mentions it any more."""
    closes: dict[str, Any] | None = None
    replaces: dict[str, Any] | None = None
    opens: dict[str, Any] | None = None
    docs: int = 0
    """How many more names full-text search has to read, and ``words`` in them."""
    words: int = 0


def name_key(tenant: str, name: str) -> str:
    """Under which names are the same; short, since indexes take no long texts."""
    return make_id(tenant, "name", normalise(name))


def renaming(tenant: str, id_: str, stored: Props | None, more: Iterable[Sighting], now_us: int) -> Renaming:
    """``stored``: the entity's counts of mentions and since when it bears its present name."""
    counts = _counts(stored)
    before = describe_entity(id_, _sightings(id_, counts))
    for sighting in more:
        counts[(sighting.name, sighting.kind)] += sighting.count
    counts = Counter({key: count for key, count in counts.items() if count})
    after = describe_entity(id_, _sightings(id_, counts))
    props: dict[str, Any] = {
        "sighted_names": [name for name, _ in counts],
        "sighted_kinds": [kind for _, kind in counts],
        "sighted_counts": list(counts.values()),
    }
    if before == after:
        return Renaming({"id": id_, "lost": [], "gained": [], "props": props}, after)
    props |= _shown(after, now_us)
    old, new = kind_labels(stored.get("kind") if stored else None), kind_labels(after.kind if after else None)
    # An entity that nobody mentions any more keeps its name and kind for people who look at its history.
    lost, gained = ([label for label in old if label not in new], new) if after else ([], [])
    entity = {"id": id_, "lost": lost, "gained": gained, "props": props}
    opens, words = _opened(tenant, after)
    ended = None
    fresh = False
    if before is not None and stored is not None:
        ended = {"id": id_, "from_us": stored["named_us"]}
        fresh = stored["named_us"] == now_us
    dropped = searchable(tenant, entity_text(before.name, before.aliases))[1] if before and fresh else 0
    return Renaming(
        entity,
        after,
        closes=None if fresh else ended,
        replaces=ended if fresh else None,
        opens=None if opens is None else {"id": id_, "props": opens},
        docs=bool(words) - bool(dropped),
        words=words - dropped,
    )


def _counts(stored: Props | None) -> Counter[tuple[str, str]]:
    if stored is None or stored.get("sighted_names") is None:
        return Counter()
    keys = zip(stored["sighted_names"], stored["sighted_kinds"], strict=True)
    return Counter(dict(zip(keys, stored["sighted_counts"], strict=True)))


def _sightings(id_: str, counts: Counter[tuple[str, str]]) -> list[Sighting]:
    return [Sighting(id_, name, kind, count) for (name, kind), count in counts.items()]


def _shown(entity: Entity | None, now_us: int) -> dict[str, Any]:
    """What people see on the entity's node, and its stretch for the vector index."""
    if entity is None:
        return {"gone_us": now_us}
    aliases = [title(alias) for alias in entity.aliases]
    return {
        "name": title(entity.name),
        "kind": entity.kind,
        "aliases": aliases,
        "named_us": now_us,
        "gone_us": NEVER,
    }


def _opened(tenant: str, entity: Entity | None) -> tuple[dict[str, Any] | None, int]:
    if entity is None:
        return None, 0
    words, count = searchable(tenant, entity_text(entity.name, entity.aliases))
    names = (entity.name, *entity.aliases)
    props = {
        "name": entity.name,
        "kind": entity.kind,
        "aliases": list(entity.aliases),
        "keys": sorted({name_key(tenant, name) for name in names}),
        **words,
    }
    return props, count
