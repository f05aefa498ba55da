"""Files of JSON lines for ``hitherto load`` and ``hitherto import``, read as they are needed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from .extraction.structured_text import parse_json
from .loading import Row
from .temporal.errors import Invalid, NotFound


class FileRows:
    """The rows of an open file; blank lines are left out and not counted."""

    def __init__(self, lines: BinaryIO, size: int | None) -> None:
        self._lines = lines
        self.size = size
        """In bytes; None where nobody knows."""
        self.read = 0

    def __iter__(self) -> Iterator[Row]:
        number = 0
        for line in self._lines:
            self.read += len(line)
            if not line.strip():
                continue
            number += 1
            try:
                row = parse_json(line)
            except Invalid as error:
                raise Invalid(f"row {number}: no JSON: {error}") from None
            yield cast(Row, row)


@contextmanager
def rows_of(file: Path) -> Iterator[FileRows]:
    """Raises ``NotFound`` for a file that cannot be read."""
    if str(file) == "-":
        yield FileRows(sys.stdin.buffer, None)
        return
    try:
        lines = file.open("rb")
    except OSError as error:
        raise NotFound(f"cannot read {file}: {error.strerror}") from None
    with lines:
        yield FileRows(lines, file.stat().st_size)


@contextmanager
def counting(rows: FileRows, unit: str) -> Iterator[Callable[[object], None]]:
    """A progress bar on standard error while a person watches. ``unit``: which count of a report it shows."""
    console = Console(stderr=True)
    columns = (BarColumn(), TextColumn("{task.fields[done]:,} {task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(unit, total=rows.size, done=0)

        def hear(report: object) -> None:
            bar.update(task, completed=rows.read, done=getattr(report, unit))

        yield hear
