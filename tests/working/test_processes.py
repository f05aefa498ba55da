"""Several processes that change one task, and the command line."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from hitherto import Memory
from tests.commands import run
from tests.support import ClaimsExtractor, TinyEmbedder

ROOT = Path(__file__).resolve().parents[2]
PROCESSES, STEPS = 3, 6


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


async def test_commands(tmp_path: Path) -> None:
    """What the commands of the documentation, which are run as well, do not show."""
    async with Memory.open(str(tmp_path / "hitherto.db"), tenant="default") as memory:
        await memory.pin("Never call before 10 am", by="ann")
        begun = await memory.update_task("visit-acme", goal="Visit Acme", slots={"city": "Berlin"})
    [pin] = json.loads(run(tmp_path, "pins", "--json").stdout)
    assert (pin["text"], pin["by"], pin["until"]) == ("Never call before 10 am", "ann", None)
    wrong = run(tmp_path, "unpin", "Be brief.")
    told = "hitherto: 'Be brief.' is not pinned; pinned: “Never call before 10 am”\n"
    assert (wrong.returncode, wrong.stderr) == (3, told)
    run(tmp_path, "task", "set", "visit-acme", "--slot", "city=", "--by", "bob", "--expect", begun.version)
    late = run(tmp_path, "task", "close", "visit-acme", "--expect", begun.version)
    assert late.returncode == 4
    assert "slot city “Berlin” → nothing (by bob)" in late.stderr
    assert "write it as NAME=VALUE" in run(tmp_path, "task", "set", "x", "--slot", "city").stderr


def test_the_first_command_may_be_one_of_working_memory(tmp_path: Path) -> None:
    assert run(tmp_path, "task", "set", "visit-acme", "--slot", "city=Rome").returncode == 3
    assert run(tmp_path, "task", "show", "visit-acme").returncode == 3
    assert not (tmp_path / "hitherto.db").exists()
    assert run(tmp_path, "task", "set", "visit-acme", "--goal", "Visit Acme").returncode == 0
