"""Several processes that change one task, and the command line."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from hitherto import Memory
from tests.support import ClaimsExtractor, TinyEmbedder
from tests.test_cli import run

ROOT = Path(__file__).resolve().parents[2]
PROCESSES, STEPS = 4, 8


async def test_no_step_of_several_processes_is_lost(tmp_path: Path) -> None:
    url = str(tmp_path / "count.db")
    async with Memory.open(url, tenant="acme", extractor=ClaimsExtractor(), embedder=TinyEmbedder()) as memory:
        await memory.update_task("count", goal="Count", slots={"n": 0})
        command = [sys.executable, "-m", "tests.working.counting", url, str(STEPS)]
        counting = [
            asyncio.to_thread(subprocess.run, command, cwd=ROOT, capture_output=True, text=True, check=False)
            for _ in range(PROCESSES)
        ]
        for done in await asyncio.gather(*counting):
            assert done.returncode == 0, done.stderr
        assert (await memory.task("count")).slots == {"n": str(PROCESSES * STEPS)}
        assert (await memory.status()).episodes == PROCESSES * STEPS + 1


def test_commands(tmp_path: Path) -> None:
    run(tmp_path, "add", "Hello.", "--at", "2026-03-01")
    assert "Never call before 10 am" in run(tmp_path, "pin", "Never call before 10 am", "--by", "ann").stdout
    [pin] = json.loads(run(tmp_path, "pins", "--json").stdout)
    assert (pin["text"], pin["by"], pin["until"]) == ("Never call before 10 am", "ann", None)
    assert "- Never call before 10 am" in run(tmp_path, "context", "Hello?").stdout
    run(tmp_path, "unpin", pin["id"])
    assert run(tmp_path, "pins").stdout == "nothing is pinned\n"
    wrong = run(tmp_path, "unpin", "Be brief.")
    assert (wrong.returncode, wrong.stderr) == (3, "hitherto: 'Be brief.' is not pinned; nothing is pinned\n")
    begun = json.loads(
        run(
            tmp_path, "task", "set", "visit-acme", "--goal", "Visit Acme", "--slot", "city=Berlin", "--todo",
            "Book a room", "--json",
        ).stdout
    )  # fmt: skip
    assert (begun["slots"], begun["todos"], begun["status"]) == ({"city": "Berlin"}, ["Book a room"], "open")
    done = ("task", "set", "visit-acme", "--done", "Book a room", "--slot", "city=", "--by", "bob")
    assert "[x] Book a room" in run(tmp_path, *done, "--expect", begun["version"]).stdout
    late = run(tmp_path, "task", "close", "visit-acme", "--expect", begun["version"])
    assert late.returncode == 4
    assert "slot city “Berlin” → nothing; todo “Book a room” “open” → “done” (by bob)" in late.stderr
    assert "visit-acme (dropped): Visit Acme" in run(tmp_path, "task", "close", "visit-acme", "--dropped").stdout
    assert run(tmp_path, "task", "list").stdout == "no task\n"
    assert "dropped" in run(tmp_path, "task", "list", "--all").stdout
    assert run(tmp_path, "task", "show", "nope").returncode == 3
    assert "write it as NAME=VALUE" in run(tmp_path, "task", "set", "x", "--slot", "city").stderr
