"""Several writing statements as one, since a hand-over to the server costs more than most of them. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .rows import Props

_COMMON: Final = ("tenant", "now", "never")
"""Parameters that are the same in every statement of a transaction."""

_PARAMETER: Final = re.compile(r"\$([a-z]\w*)")
_ANSWER: Final = re.compile(r"\bAS (found|changed|new)\b")


@dataclass(frozen=True, slots=True)
class Statement:
    """Writing Cypher. It answers nothing, or one row: how many rows it ``found`` or ``changed``, ids that are
    ``new``."""

    query: str
    params: Mapping[str, Any]
    expect: tuple[int, str] | None = None
    """How many rows must have been found, and what to say if not."""
    then: Callable[[Props], None] | None = None
    """Gets the row."""


def combined(statements: Sequence[Statement]) -> tuple[str, dict[str, Any]]:
    """One query that runs them in order, and its parameters; ``answers`` reads its only row."""
    parts: list[str] = []
    names: list[str] = []
    params: dict[str, Any] = {}
    for number, statement in enumerate(statements):
        query = _numbered(statement.query, number)
        names += [f"{name}_{number}" for name in _ANSWER.findall(statement.query)]
        parts.append(f"CALL () {{ {query} }}")
        params |= {f"{name}_{number}": value for name, value in statement.params.items()}
    return f"{' '.join(parts)} RETURN {', '.join(names) or '0 AS nothing'}", params


def _numbered(query: str, number: int) -> str:
    """The query with parameters and answers of its own."""

    def parameter(match: re.Match[str]) -> str:
        return match[0] if match[1] in _COMMON else f"{match[0]}_{number}"

    return _ANSWER.sub(lambda match: f"{match[0]}_{number}", _PARAMETER.sub(parameter, query))


def answers(row: Props, number: int) -> dict[str, Any]:
    """What the statement of this number answered."""
    ending = f"_{number}"
    return {name.removesuffix(ending): value for name, value in row.items() if name.endswith(ending)}
