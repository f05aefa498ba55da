"""The layout of the repository: mapping table, links and disk agree; files and functions stay small."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60


def _setuptools() -> dict[str, dict[str, str] | list[str]]:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, dict[str, str] | list[str]] = table["tool"]["setuptools"]
    return found


def _houses() -> dict[str, str]:
    mapping = _setuptools()["package-dir"]
    assert isinstance(mapping, dict)
    return {name.removeprefix("hitherto."): path for name, path in mapping.items() if name != "hitherto"}


def _python_files() -> list[Path]:
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    return [ROOT / name for name in names if (ROOT / name).is_file()]


def test_every_house_is_linked_for_the_type_checkers() -> None:
    links = {p.name: p.readlink().as_posix() for p in (ROOT / "src/hitherto").iterdir() if p.is_symlink()}
    assert links == {name: f"../../{path}" for name, path in _houses().items()}


def test_every_package_on_disk_is_listed() -> None:
    """An unlisted nested package works in an editable install and is missing from the wheel."""
    roots = {"hitherto": ROOT / "src/hitherto"}
    roots |= {f"hitherto.{name}": ROOT / path for name, path in _houses().items()}
    on_disk = set()
    for dotted, root in roots.items():
        for init in root.rglob("__init__.py"):
            inner = init.parent.relative_to(root).parts
            if not any((root / Path(*inner[: i + 1])).is_symlink() for i in range(len(inner))):
                on_disk.add(".".join((dotted, *inner)))
    assert set(_setuptools()["packages"]) == on_disk


def test_docker_is_not_a_package() -> None:
    assert not list((ROOT / "docker").rglob("__init__.py"))


@pytest.mark.parametrize("path", _python_files(), ids=lambda p: str(p.relative_to(ROOT)))
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MAX_FILE_LINES
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > MAX_FUNCTION_LINES
    ]
    assert not long


def test_importing_loads_nothing_heavy() -> None:
    code = "import sys, hitherto; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    heavy = {"numpy", "pydantic", "spacy", "onnxruntime", "sqlite3", "neo4j", "typer", "asyncio", "requests"}
    assert not heavy & set(loaded)


def test_public_surface_is_pinned() -> None:
    import hitherto

    assert sorted(hitherto.__all__) == [
        "AddReport", "Admin", "ArchivedFact", "Belief", "Busy", "Candidate", "Change", "Choice", "Claim",
        "Conflict", "Context", "Diff", "Duplicate", "Entity", "Episode", "Fact", "Fault", "FieldMapping",
        "Forbidden", "HithertoError", "Hybrid", "Invalid", "LeastRecentlyUsed", "LoadReport", "Maintenance",
        "Memory", "NotFound", "Ontology", "Pin", "Policy", "Predicate", "PriorityDecay", "RandomDrop",
        "ReflectionSummary", "Reranker", "SearchResult", "SessionSummary", "Task", "TimeToLive", "Triggers",
        "Unavailable", "Value", "View", "Where", "WriteReport", "WriteStatus", "__version__",
    ]  # fmt: skip
    assert all(getattr(hitherto, name) is not None for name in hitherto.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Memroy'"):
        _ = hitherto.Memroy
