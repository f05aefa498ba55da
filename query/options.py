"""What a search may be told besides the question: the names, and how they are checked. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, TypedDict

from ..kg.store import Target
from ..temporal.errors import Invalid
from .arguments import check_names
from .choosing import Choice, Reranker, choice_of
from .filters import Filter, read_where
from .fusion import Fusion, fusion_of
from .stretches import During

KINDS: Final = (Target.FACT, Target.EPISODE, Target.ENTITY)


class SearchOptions(TypedDict, total=False):
    """What ``View.search`` may be told besides question and limit.

    ``session``: whom pronouns can mean. ``actor``: who asks ("my"). ``kinds``: the kinds of hits wanted, of
    "fact", "episode", "entity". ``fusion``: legs count by their "scores", or by "ranks" alone. ``during``: facts
    that held at some time of this stretch ("2024", ("2024-03", "2024-06"), "2024-03 to 2024-06", "last summer",
    "ever"), whatever time the question names. ``where``: only hits that pass this filter, ``Where`` or its JSON.
    ``min_relevance``: only hits with at least this share of the best one's score, 0 to 1. ``diversity``: how much
    hits unlike those before them are preferred, 0 (not at all) to 1 (maximal marginal relevance). ``rerank``: an
    async function that gets the question and the hits, and gives them in its order, or a score for each.
    ``explain``: each hit with its ``explanation``, and the result with its ``reading``.
    """

    session: str | None
    actor: str | None
    kinds: Collection[Target | str] | None
    fusion: Fusion | str
    during: During | None
    where: Filter | Mapping[str, object] | None
    min_relevance: float
    diversity: float
    rerank: Reranker | None
    explain: bool


_KNOWN: Final = SearchOptions.__optional_keys__


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchWish:
    """Options that were checked."""

    session: str | None = None
    actor: str | None = None
    kinds: tuple[Target, ...] = KINDS
    fusion: Fusion = Fusion.SCORES
    during: During | None = None
    where: Filter | None = None
    choice: Choice = field(default_factory=Choice)
    explain: bool = False


def read_search_options(options: SearchOptions) -> SearchWish:
    """Raises ``Invalid`` for an unknown option, a session or actor that is no text, an unknown kind or
    fusion, a wrong filter, a share that is none from 0 to 1, a reranker that cannot be called."""
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
        during=options.get("during"),
        where=read_where(options.get("where")),
        choice=choice_of(options.get("min_relevance", 0.0), options.get("diversity", 0.0), options.get("rerank")),
        explain=options.get("explain", False),
    )


def kinds_of(kinds: Collection[Target | str] | None) -> tuple[Target, ...]:
    """Raises ``Invalid`` for a kind that there is not."""
    if kinds is None:
        return KINDS
    if not isinstance(kinds, str | Collection):
        raise Invalid(f"kinds={kinds!r}; use {', '.join(KINDS)}")
    wanted = {str(kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)}
    unknown = wanted - set(KINDS)
    if unknown or not wanted:
        names = ", ".join(sorted(unknown)) or "nothing"
        raise Invalid(f"kinds of hits: {names} is none; use {', '.join(KINDS)}")
    return tuple(kind for kind in KINDS if kind in wanted)
