"""``hitherto`` as a user types it: in this process, where models are loaded once, or in one of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

from hitherto.cli import main

HITHERTO = Path(sys.executable).parent / "hitherto"


def _environ() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith("HITHERTO_")} | {"COLUMNS": "200"}


def run(folder: Path, *args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The command in this process, on a thread without an event loop; what it prints, and its exit code."""
    typed, out, err = (io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8") for text in (stdin, "", ""))
    code: list[int] = []

    def call() -> None:
        try:
            main()
        except SystemExit as done:
            code.append(done.code if isinstance(done.code, int) else int(done.code is not None))

    with (
        chdir(folder),
        patch.dict(os.environ, _environ(), clear=True),
        patch.object(sys, "argv", [str(HITHERTO), *args]),
        patch.object(sys, "stdin", typed),
        redirect_stdout(out),
        redirect_stderr(err),
        ThreadPoolExecutor(1) as thread,
    ):
        thread.submit(call).result()
    return subprocess.CompletedProcess(args, code[0], _text(out), _text(err))


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def start(folder: Path, *args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The installed command in a process of its own."""
    return subprocess.run(
        [str(HITHERTO), *args],
        cwd=folder,
        env=_environ(),
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
