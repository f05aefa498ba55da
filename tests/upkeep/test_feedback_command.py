"""`hitherto feedback` and the numbers of `hitherto maintain`."""

from __future__ import annotations

from pathlib import Path

import pytest

from hitherto import Memory
from tests.commands import run


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


async def test_a_policys_numbers(tmp_path: Path) -> None:
    async with Memory.open(str(tmp_path / "hitherto.db"), tenant="default") as memory:
        await memory.assert_fact("Ann", "VISITED", "Rome", valid_from="2020")
    kept = run(tmp_path, "maintain", "--policy", "random", "--with", "share=0", "--dry-run")
    assert (kept.returncode, kept.stdout.splitlines()[0]) == (0, "would archive 0 of 1 facts by random")
    gone = run(tmp_path, "maintain", "--policy", "random", "--with", "share=1", "--with", "seed=2", "--dry-run")
    assert (gone.returncode, gone.stdout.splitlines()[0]) == (0, "would archive 1 of 1 facts by random")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--policy", "lru", "--with", "floor=1"), "policy lru has no number 'floor'; it has days"),
        (("--policy", "lru", "--with", "days=soon"), "policy lru: days='soon' is no number"),
        (("--policy", "lru", "--with", "days=-1"), "days=-1.0; give a number over 0"),
        (("--policy", "lru", "--with", "days"), "--with 'days': write it as NAME=VALUE"),
        (("--policy", "none", "--with", "days=3"), "--with is for a policy"),
        (
            (
                "--policy",
                "oldest",
            ),
            "policy 'oldest' is none",
        ),
    ],
)
def test_numbers_that_are_none_are_refused(tmp_path: Path, args: tuple[str, ...], said: str) -> None:
    done = run(tmp_path, "maintain", *args)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr
