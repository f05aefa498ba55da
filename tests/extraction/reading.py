"""Episodes in, one readable line for each draft out."""

from __future__ import annotations

from datetime import UTC, datetime

from hitherto.extraction.extractor import Reading
from hitherto.extraction.rules import RuleExtractor
from hitherto.kg.model import Draft, Episode, Modality, Role, Turn, Value
from hitherto.temporal.grains import Basis, Bound
from hitherto.temporal.instants import format_bound

SAID = datetime(2026, 3, 2, 9, tzinfo=UTC)


def episode(text: str, *, actor: str | None = "liang", role: Role = Role.USER) -> Episode:
    turns = (Turn(0, len(text), SAID, role, actor),)
    return Episode(id=f"{actor}:{text}", text=text, occurred_at=SAID, turns=turns, actor=actor)


def line(draft: Draft) -> str:
    """``liang LIVES_IN Beijing: since 2020``. "~" is the episode's own time, (hedged) a modality, (faint) a
    confidence under the threshold."""
    thing = f'"{draft.object.text}"' if isinstance(draft.object, Value) else draft.object.name
    when = _bound(draft.valid_from) + (f"..{_bound(draft.valid_to)}" if draft.valid_to else "")
    modality = "" if draft.modality is Modality.ASSERTED else f" ({draft.modality})"
    faint = " (faint)" if draft.confidence < 0.5 else ""
    return f"{draft.subject.name} {draft.predicate} {thing}: {draft.says} {when}".strip() + modality + faint


def _bound(bound: Bound | None) -> str:
    if bound is None:
        return ""
    return "~" if bound.basis is Basis.DERIVED and bound.at == SAID else format_bound(bound)


async def read(extractor: RuleExtractor, text: str, *, actor: str | None = "liang") -> list[str]:
    [drafts] = await extractor.extract([Reading(episode(text, actor=actor))])
    return [line(d) for d in drafts]


async def read_session(extractor: RuleExtractor, *turns: tuple[str | None, str]) -> list[list[str]]:
    """The lines of each turn, every turn an episode of one session."""
    said = [episode(text, actor=actor) for actor, text in turns]
    readings = [Reading(e, tuple(said[:i])) for i, e in enumerate(said)]
    return [[line(d) for d in drafts] for drafts in await extractor.extract(readings)]
