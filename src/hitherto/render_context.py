"""A block of memory and its trace, as people and programs read them."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from .kg.model import Json
from .query.context import Context


def context_json(block: Context) -> dict[str, Json]:
    return {
        "text": block.text,
        "prefix": block.prefix,
        "tail": block.tail,
        "messages": [{"role": role, "content": content} for role, content in block.messages],
        "tokens": block.tokens,
        "budget": block.budget,
        "counter": block.counter,
        "sections": [
            {"section": u.section, "share": u.share, "tokens": u.tokens, "kept": u.kept, "dropped": u.dropped}
            for u in block.sections
        ],
        "trace": [
            {
                "section": t.section,
                "id": t.id,
                "fate": t.fate,
                "tokens": t.tokens,
                "reason": t.reason,
                "episode_ids": list(t.episode_ids),
            }
            for t in block.trace
        ],
    }


def trace_table(block: Context) -> Table:
    table = Table(title=f"{block.tokens} of {block.budget} tokens ({block.counter})")
    for heading in ("section", "share", "tokens", "kept", "dropped"):
        table.add_column(heading)
    for use in block.sections:
        row = (use.section, use.share, use.tokens, use.kept, use.dropped)
        table.add_row(*(escape(str(cell)) for cell in row))
    return table
