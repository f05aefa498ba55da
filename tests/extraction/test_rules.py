"""What the rule extractor makes of whole episodes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from hitherto.extraction.extractor import Reading
from hitherto.extraction.rules import RuleExtractor
from hitherto.kg.model import Draft, Episode, Modality, Role, Turn, Value
from hitherto.kg.ontology import Ontology
from hitherto.temporal.instants import format_bound

SAID = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture(scope="session")
def extractor() -> RuleExtractor:
    return RuleExtractor(Ontology.starter(), UTC)


def episode(text: str, *, actor: str | None = "liang", at: datetime = SAID, role: Role = Role.USER) -> Episode:
    return Episode(id=text, text=text, occurred_at=at, turns=(Turn(0, len(text), at, role, actor),), actor=actor)


def line(draft: Draft) -> str:
    """A draft on one line: ``liang LIVES_IN Beijing: since 2020``; "~" marks the episode's own time."""
    thing = f'"{draft.object.text}"' if isinstance(draft.object, Value) else draft.object.name
    bounds = []
    for bound in (draft.valid_from, draft.valid_to):
        bounds.append("" if bound is None else "~" if bound.at == SAID else format_bound(bound))
    when = bounds[0] if not bounds[1] else "..".join(bounds)
    modality = "" if draft.modality is Modality.ASSERTED else f" ({draft.modality})"
    return f"{draft.subject.name} {draft.predicate} {thing}: {draft.says} {when}".strip() + modality


async def read(extractor: RuleExtractor, text: str, *, actor: str | None = "liang") -> list[str]:
    [drafts] = await extractor.extract([Reading(episode(text, actor=actor))])
    return [line(d) for d in drafts]


async def read_session(extractor: RuleExtractor, *turns: tuple[str, str]) -> list[list[str]]:
    said = [episode(text, actor=actor) for actor, text in turns]
    readings = [Reading(e, tuple(said[:i])) for i, e in enumerate(said)]
    return [[line(d) for d in drafts] for drafts in await extractor.extract(readings)]


async def test_the_english_example(extractor: RuleExtractor) -> None:
    assert await read(extractor, "Alice joined TechCorp in January 2023.") == [
        "Alice WORKS_AT TechCorp: dated_beginning 2023-01",
    ]
    assert await read(extractor, "Alice left TechCorp and joined Anthropic as a research engineer.") == [
        "Alice WORKS_AT TechCorp: end ~",
        "Alice WORKS_AT Anthropic: dated_beginning ~",
        'Alice HAS_ROLE "research engineer": dated_beginning ~',
    ]


async def test_the_chinese_example(extractor: RuleExtractor) -> None:
    assert await read(extractor, "Alice 离开 TechCorp，加入 Anthropic 做 research engineer") == [
        "Alice WORKS_AT TechCorp: end ~",
        "Alice WORKS_AT Anthropic: dated_beginning ~",
        'Alice HAS_ROLE "research engineer": dated_beginning ~',
    ]
    assert await read(extractor, "我是 Liang，住北京，做 AI 工程师，我喜欢冷咖啡") == [
        'liang NAMED "Liang": observation ~',
        "liang LIVES_IN 北京: observation ~",
        'liang HAS_ROLE "AI 工程师": observation ~',
        "liang LIKES 冷咖啡: observation ~",
    ]
