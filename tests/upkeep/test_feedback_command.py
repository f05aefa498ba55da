"""`hitherto feedback`."""

from __future__ import annotations

from pathlib import Path

from hitherto import Memory
from tests.test_cli import run


async def test_feedback_moves_importance(tmp_path: Path) -> None:
    url = str(tmp_path / "hitherto.db")
    async with Memory.open(url, tenant="default") as memory:
        await memory.assert_fact("Ann", "LIKES", "Tea", valid_from="2020")
        [likes] = (await memory.facts("Ann", "LIKES")).items
        before = (await memory.at().importance([likes]))[likes.fact.id]
    said = run(tmp_path, "feedback", "--used", likes.fact.id)
    assert (said.returncode, said.stdout) == (0, "noted: 1 used, 0 corrected\n")
    wrong = run(tmp_path, "feedback")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    async with Memory.open(url, tenant="default") as memory:
        assert (await memory.at().importance([likes]))[likes.fact.id] > before
