"""The 122 cases whose expectations were written before any rule was tried, in any order of arrival."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.resolve_cases import CASES, Case, holding, read_cases

from hitherto.temporal.resolution import resolve

ALL = read_cases(CASES)


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    shuffled = list(case.claims)
    for seed in range(8):
        periods = resolve(shuffled, case.rule)
        assert {at: holding(periods, at) for at, _ in case.expected} == dict(case.expected), case.why
        random.Random(f"{case.name} {seed}").shuffle(shuffled)


def test_all_of_them_are_there() -> None:
    assert len(ALL) == len({case.name for case in ALL}) == 122


def test_benchmark_counts_and_tells(tmp_path: Path) -> None:
    script = Path("benchmarks/resolve_cases.py").resolve()
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert run.stdout == "122/122\n"
    wrong = tmp_path / "wrong.json"
    text = CASES.read_text(encoding="utf-8")
    wrong.write_text(text.replace('"holds": ["G"]', '"holds": ["H"]', 1), encoding="utf-8")
    run = subprocess.run([sys.executable, script, wrong, "-v"], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert run.stdout.endswith("121/122\n")
    assert "A1: " in run.stdout
    assert "expected ['H'], got ['G']" in run.stdout


def test_a_case_below_the_threshold_is_not_heard(tmp_path: Path) -> None:
    low = tmp_path / "low.json"
    low.write_text(
        """[{"name": "Z1", "why": "hearsay", "cardinality": "one", "confidence": 0.4,
             "claims": [{"says": "observation", "fact": "T", "from": "2024-01-01T00:00Z",
                         "stated_at": "2024-01-01T00:00Z"}],
             "expect": [{"at": "2024-02-01T00:00Z", "holds": []}]}]""",
        encoding="utf-8",
    )
    (case,) = read_cases(low)
    assert resolve(case.claims, case.rule) == ()
