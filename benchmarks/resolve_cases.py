"""What should be believed: right answers of ``resolve`` out of all cases of a file.

``python benchmarks/resolve_cases.py [PATH] [-v]``: each case has claims in one slot and what holds at some
instants (the format: ``tests/data/README.md``). Exit code 0 only if every case comes out right.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from hitherto.temporal.claims import Claim, Period, Says
from hitherto.temporal.grains import Bound
from hitherto.temporal.resolution import resolve
from hitherto.temporal.rules import Cardinality, PredicateRule

CASES = Path(__file__).parent.parent / "tests" / "data" / "resolve_cases.json"


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    why: str
    rule: PredicateRule
    claims: tuple[Claim, ...]
    expected: tuple[tuple[datetime, frozenset[str]], ...]


def read_cases(path: Path) -> list[Case]:
    return [_case(row) for row in json.loads(path.read_text(encoding="utf-8"))]


def holding(periods: tuple[Period, ...], instant: datetime) -> frozenset[str]:
    """The facts that hold at ``instant``."""
    return frozenset(
        period.fact
        for period in periods
        if (period.valid_from is None or period.valid_from.at <= instant)
        and (period.valid_to is None or instant < period.valid_to.at)
    )


def _case(row: dict[str, Any]) -> Case:
    rule = PredicateRule("CASE", cardinality=Cardinality(row["cardinality"]))
    confidence = row.get("confidence", 1.0)
    claims = tuple(
        _claim(f"{row['name']}-{index}", claim, confidence) for index, claim in enumerate(row["claims"])
    )
    expected = tuple((_instant(e["at"]), frozenset(e["holds"])) for e in row["expect"])
    return Case(row["name"], row["why"], rule, claims, expected)


def _claim(claim_id: str, row: dict[str, Any], confidence: float) -> Claim:
    return Claim(
        id=claim_id,
        fact=row["fact"],
        says=Says(row["says"]),
        valid_from=_bound(row.get("from"), row.get("from_grain_end")),
        valid_to=_bound(row.get("to"), None),
        stated_at=_instant(row["stated_at"]),
        position=row.get("position", 0),
        authority=row.get("authority", 0),
        confidence=row.get("confidence", confidence),
    )


def _bound(at: str | None, grain_end: str | None) -> Bound | None:
    return None if at is None else Bound(_instant(at), grain_end=_instant(grain_end) if grain_end else None)


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def main() -> int:
    parser = argparse.ArgumentParser(description="Right answers of resolve out of all cases of a file.")
    parser.add_argument("path", nargs="?", type=Path, default=CASES)
    parser.add_argument("-v", "--verbose", action="store_true", help="say what came out wrong")
    options = parser.parse_args()
    cases = read_cases(options.path)
    right = 0
    for case in cases:
        periods = resolve(case.claims, case.rule)
        wrong = [(at, holds, holding(periods, at)) for at, holds in case.expected if holding(periods, at) != holds]
        right += not wrong
        if wrong and options.verbose:
            print(f"{case.name}: {case.why}")
            for at, holds, got in wrong:
                print(f"  at {at:%Y-%m-%d %H:%M}: expected {sorted(holds)}, got {sorted(got)}")
    print(f"{right}/{len(cases)}")
    return 0 if right == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
