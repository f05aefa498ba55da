"""What a search may be told besides the question: the names, and how they are checked. Pure."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, TypedDict

from ..kg.store import Target
from ..temporal.errors import Invalid
from .fusion import Fusion, fusion_of

KINDS: Final = (Target.FACT, Target.EPISODE, Target.ENTITY)


class SearchOptions(TypedDict, total=False):
    """What ``View.search`` may be told besides question and limit.

    ``session``: whom pronouns can mean. ``actor``: who asks ("my"). ``kinds``: the kinds of hits wanted, of
    "fact", "episode", "entity". ``fusion``: legs count by their "scores", or by "ranks" alone.
    """

    session: str | None
    actor: str | None
    kinds: Collection[Target | str] | None
    fusion: Fusion | str


_KNOWN: Final = SearchOptions.__optional_keys__


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchWish:
    """Options that were checked."""

    session: str | None = None
    actor: str | None = None
    kinds: tuple[Target, ...] = KINDS
    fusion: Fusion = Fusion.SCORES


def read_search_options(options: SearchOptions) -> SearchWish:
    """Raises ``Invalid`` for an unknown option, a session or actor that is no text, an unknown kind or fusion."""
    check_names("search", "option", options, _KNOWN)
    for name in ("session", "actor"):
        value = options.get(name)
        if value is not None and not isinstance(value, str):
            raise Invalid(f"{name}={value!r}; give a text, or leave it out")
    return SearchWish(
        session=options.get("session"),
        actor=options.get("actor"),
        kinds=kinds_of(options.get("kinds")),
        fusion=fusion_of(options.get("fusion", Fusion.SCORES)),
    )


def check_names(where: str, what: str, given: Mapping[str, object], known: Collection[str]) -> None:
    """Raises ``Invalid`` for the first name that is not among the known ones: it names those, and the one that
    looks most like it."""
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(str(name), sorted(known), n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise Invalid(f"{where}: unknown {what} {name!r}; {hint}use {', '.join(sorted(known))}")


def kinds_of(kinds: Collection[Target | str] | None) -> tuple[Target, ...]:
    """Raises ``Invalid`` for a kind that there is not."""
    if kinds is None:
        return KINDS
    wanted = {str(kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)}
    unknown = wanted - set(KINDS)
    if unknown or not wanted:
        names = ", ".join(sorted(unknown)) or "nothing"
        raise Invalid(f"kinds of hits: {names} is none; use {', '.join(KINDS)}")
    return tuple(kind for kind in KINDS if kind in wanted)
