"""Several writing statements as one, since a hand-over to the server costs more than most of them. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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


def joined(statements: Sequence[Statement]) -> list[Statement]:
    """The same with fewer: rows that stand in statements of their own, one after the other, are given to one,
    since each statement costs the server far more to plan than to run. Rows of one id stay apart, so that the
    second sees what the first wrote."""
    groups: list[list[Statement]] = []
    ids: set[str] = set()
    for one in statements:
        new = _ids(one)
        if ids and new and not new & ids and groups[-1][0].query == one.query:
            groups[-1].append(one)
            ids |= new
        else:
            groups.append([one])
            ids = new
    return [_as_one(group) for group in groups]


def _ids(statement: Statement) -> set[str]:
    """Of its rows, when they may be joined with others."""
    if statement.expect is not None or statement.then is not None:
        return set()
    return {row["id"] for row in statement.params.get("rows", ()) if isinstance(row, Mapping) and "id" in row}


def _as_one(group: Sequence[Statement]) -> Statement:
    rows = [row for one in group for row in one.params["rows"]] if len(group) > 1 else []
    return replace(group[0], params={**group[0].params, "rows": rows}) if rows else group[0]


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
