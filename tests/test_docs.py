"""The documentation is run: Python blocks of a page one after the other, ``$ hitherto`` lines as typed."""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
import shlex
from pathlib import Path
from types import CodeType

import pytest

from tests.commands import run

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
_FILE = re.compile(r"^```\w+ (\S+\.\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _blocks(page: Path, language: str) -> list[tuple[int, str]]:
    text = page.read_text(encoding="utf-8")
    return [(text.count("\n", 0, m.start(2)), m[2]) for m in _BLOCK.finditer(text) if m[1] == language]


def _compile(source: str, page: Path, line: int) -> CodeType:
    code = compile("\n" * line + source, str(page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    assert isinstance(code, CodeType)
    return code


async def _run(page: Path) -> None:
    namespace: dict[str, object] = {"__name__": "__docs__"}
    for line, source in _blocks(page, "python"):
        code = _compile(source, page, line)
        result = eval(code, namespace)  # the page's own code, from this repository
        if inspect.iscoroutine(result):
            await result


@pytest.mark.parametrize("page", [p for p in PAGES if _blocks(p, "python")], ids=lambda p: p.name)
def test_python_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    asyncio.run(_run(page))


@pytest.mark.parametrize("page", [p for p in PAGES if _blocks(p, "console")], ids=lambda p: p.name)
def test_console_lines_run(page: Path, tmp_path: Path) -> None:
    for name, text in _FILE.findall(page.read_text(encoding="utf-8")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    for _, block in _blocks(page, "console"):
        for command in re.findall(r"^\$ (hitherto .*)$", block, re.MULTILINE):
            done = run(tmp_path, *shlex.split(command)[1:])
            assert done.returncode == 0, f"{page.name}: {command}\n{done.stdout}{done.stderr}"
