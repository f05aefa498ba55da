"""Pairs of records and of names for `benchmarks/identity.py`: who is one, by the rules that propose doubles.

DBLP-ACM (train and valid parts of the public set): two records are one publication if their years agree, half of
the people of the shorter list are in the other one, and their titles, without what stands in brackets, share 80 %
of their letters, words in any order. People are matched by `hitherto.extraction.likeness`. Nothing is trained: F1
is above .965 with 70 to 90 %. Baseline: Jaccard of all words, at the threshold that is best on the measured part.

Nicknames: "Robert Reed" and "Bob Reed" for each name and nickname, proposed as one or not. The table that ships is
made of this set, so this shows that nothing gets lost, not what nicknames are unknown. Strangers: as many pairs of
given names that are nobody's nicknames. Baseline: Jaro-Winkler from .85.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from rapidfuzz import fuzz
from rapidfuzz.distance import JaroWinkler

from hitherto.extraction.candidates import Known, candidates
from hitherto.extraction.likeness import alike, taken_apart
from hitherto.kg.ids import normalise
from hitherto.kg.model import Entity

DATA = Path(__file__).parent.parent.parent / "shared" / "data"
PERSON = "Person"
TITLES, PEOPLE = 80, 0.5
LETTERS = 0.85
Record = Mapping[str, str]

_FIELD = re.compile(r"COL (\w+) VAL (.*?)(?=\s*COL \w+ VAL|$)")
_ENTITY = re.compile(r" ?&#(\d+); ?")
_BRACKETS = re.compile(r"\(.*?\)|\[.*?\]")


def report(data: Path) -> None:
    """Prints what is there to be measured."""
    for part in ("train", "valid"):
        if (file := data / "dblp_acm" / f"{part}.txt.gz").exists():
            _records(part, file)
    if (names := data / "nicknames" / "names.csv").exists():
        _nicknames(names)


def _records(part: str, file: Path) -> None:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    pairs = [(_record(a), _record(b), same == "1") for a, b, same in rows]
    ours = scores((is_one(a, b), same) for a, b, same in pairs)
    jaccards = [(_jaccard(a, b), same) for a, b, same in pairs]
    thresholds = [step / 100 for step in range(20, 91, 2)]
    best = max(scores((j >= at, same) for j, same in jaccards) for at in thresholds)
    print(f"DBLP-ACM {part}, {len(pairs):,} pairs: F1 {_shown(ours)}; word Jaccard {_shown(best)}")


def _record(text: str) -> Record:
    return dict(_FIELD.findall(_ENTITY.sub(lambda m: chr(int(m[1])), text)))


def is_one(a: Record, b: Record) -> bool:
    """Whether two records are one publication."""
    if a.get("year") != b.get("year"):
        return False
    ours, theirs = sorted((_people(a), _people(b)), key=len)
    met = sum(any(_same_person(p, q) for q in theirs) for p in ours)
    if ours and met < PEOPLE * len(ours):
        return False
    return fuzz.token_sort_ratio(_title(a), _title(b)) >= TITLES


def _people(record: Record) -> list[str]:
    return [person for person in record.get("authors", "").split(" , ") if person.strip()]


def _title(record: Record) -> str:
    return " ".join(taken_apart(_BRACKETS.sub("", record.get("title", ""))).words)


@cache
def _same_person(a: str, b: str) -> bool:
    return normalise(a) == normalise(b) or alike(a, b, (PERSON, PERSON)) is not None


def _jaccard(a: Record, b: Record) -> float:
    one, other = (set(re.findall(r"\w+", " ".join(r.values()).lower())) for r in (a, b))
    return len(one & other) / len(one | other)


def scores(pairs: Iterable[tuple[bool, bool]]) -> tuple[float, float, float]:
    """F1, precision, recall of (said, true) answers."""
    found = list(pairs)
    right = sum(said and true for said, true in found)
    said, true = sum(s for s, _ in found), sum(t for _, t in found)
    return 2 * right / max(1, said + true), right / max(1, said), right / max(1, true)


def _shown(found: tuple[float, float, float]) -> str:
    return f"{found[0]:.3f} (precision {found[1]:.3f}, recall {found[2]:.3f})"


def _nicknames(file: Path) -> None:
    with file.open(encoding="utf-8", newline="") as lines:
        rows = [(r["name1"], r["name2"]) for r in csv.DictReader(lines) if r["relationship"] == "has_nickname"]
    known = {frozenset(row) for row in rows}
    given = sorted({name for row in rows for name in row})
    others = [(a, given[(7919 * n + 13) % len(given)]) for n, (a, _) in enumerate(rows)]
    strangers = [row for row in others if frozenset(row) not in known and row[0] != row[1]]
    for title, pairs in (("nicknames", rows), ("strangers", strangers)):
        ours = sum(_is_proposed(f"{a} reed", f"{b} reed") for a, b in pairs)
        letters = sum(JaroWinkler.similarity(a, b) >= LETTERS for a, b in pairs)
        print(
            f"{title}, {len(pairs):,} pairs: proposed {ours / len(pairs):.3f}; "
            f"Jaro-Winkler {letters / len(pairs):.3f}"
        )


def _is_proposed(a: str, b: str) -> bool:
    return bool(candidates([Known(Entity(name, name, PERSON), (name,)) for name in (a, b)]))
