"""The demo: conversations from files are replayed, each message learned at its own time, and questions asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TimeElapsedColumn

from .kg.model import Belief, WriteReport
from .memory import Memory, Parts
from .opening import system_clock
from .render import changes_table, timeline_table
from .temporal.errors import Invalid, NotFound
from .temporal.instants import parse_instant

SHOWN = 12
"""How many changes of a conversation are printed."""


class Question(BaseModel):
    """``ask`` with the instants of the view, or the ``timeline`` of an entity."""

    model_config = ConfigDict(extra="forbid")

    ask: str | None = None
    timeline: str | None = None
    valid: str | None = None
    known: str | None = None


class Said(BaseModel):
    model_config = ConfigDict(extra="forbid")

    content: str
    role: str = "user"
    name: str | None = None
    time: str


class Conversation(BaseModel):
    """A demo file."""

    model_config = ConfigDict(extra="forbid")

    title: str
    session: str
    messages: Annotated[list[Said], Field(min_length=1)]
    questions: list[Question]


@dataclass
class ReplayClock:
    """Tells the time of the message being replayed; the machine's once the replay is over."""

    moment: datetime | None = None

    def __call__(self) -> datetime:
        return self.moment or system_clock()


def bundled_files() -> list[Path]:
    """The conversations that come with the package, in order."""
    folder = Path(str(resources.files("hitherto.examples"))) / "data"
    return sorted(folder.glob("*.json"))


def load(path: Path) -> Conversation:
    """Read a demo file. Raises ``NotFound`` or ``Invalid`` naming the file and the place."""
    try:
        return Conversation.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise NotFound(f"cannot read {path}: {error.strerror}") from None
    except (ValidationError, UnicodeDecodeError) as error:
        first = error.errors()[0] if isinstance(error, ValidationError) else None
        where = f"{'.'.join(map(str, first['loc']))}: {first['msg']}" if first else "not UTF-8 text"
        raise Invalid(f"{path} is no demo file: {where}") from None


async def run_demo(files: Sequence[Path], url: str, console: Console) -> None:
    """Replay each file into a tenant of its own, print what was learned, and answer the file's questions."""
    for path in files:
        conversation = load(path)
        clock = ReplayClock()
        async with Memory.open(url, tenant=path.stem, **Parts(clock=clock)) as memory:
            console.rule(f"[bold]{escape(conversation.title)}", align="left")
            reports = await replay(memory, conversation, clock, console)
            _print_learned(reports, console)
            for question in conversation.questions:
                await _answer(memory, question, console)
            console.print()


async def replay(
    memory: Memory, conversation: Conversation, clock: ReplayClock, console: Console
) -> list[WriteReport]:
    """Tell the memory each message at its own time, showing the progress."""
    columns = (SpinnerColumn(), *Progress.get_default_columns(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(
            f"reading {len(conversation.messages)} messages", total=len(conversation.messages)
        )
        reports = []
        for message in sorted(conversation.messages, key=lambda m: parse_instant(m.time, zone=UTC)):
            clock.moment = parse_instant(message.time, zone=UTC)
            said = message.model_dump(exclude_none=True)
            reports.append(await memory.add(said, session=conversation.session, source="demo"))
            progress.advance(task)
    clock.moment = None
    return reports


def _print_learned(reports: Sequence[WriteReport], console: Console) -> None:
    changes: list[tuple[str, Belief]] = []
    for report in reports:
        changes += [("-", b) for b in report.superseded]
        changes += [("+", b) for b in report.added]
    added = sum(len(r.added) for r in reports)
    title = f"{len(reports)} messages: {added} beliefs learned, {len(changes) - added} superseded"
    if len(changes) > SHOWN:
        title += f" (the last {SHOWN} changes)"
    console.print(changes_table(changes[-SHOWN:], UTC, title))


async def _answer(memory: Memory, question: Question, console: Console) -> None:
    view = memory.at(valid=question.valid, known=question.known)
    if question.timeline is not None:
        entries = await view.timeline(question.timeline)
        console.print(timeline_table(f"Timeline of {question.timeline}", entries.items, UTC))
    if question.ask is None:
        return
    when = f" [true on {question.valid}]" if question.valid else ""
    when += f" [as known on {question.known}]" if question.known else ""
    console.print(f"[bold cyan]?[/] {escape(question.ask)}[cyan]{escape(when)}[/]")
    result = await view.search(question.ask, limit=3)
    if not result.hits:
        console.print("  [dim]nothing is known[/]")
        return
    best = result.hits[0]
    console.print(f"  [bold green]→[/] {escape(str(best))}")
