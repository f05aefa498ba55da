"""benchmarks/asof.py on small made-up sets in the formats it reads, on both stores."""

from __future__ import annotations

import csv
import gzip
import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from benchmarks.asof import LAST_START, LATEST, OURS, EventSet, FactSet, ask, load_set, predicate_of, read_set

from hitherto import Invalid, NotFound
from tests.loading.conftest import Opener

Json = dict[str, Any]
_COLUMNS = ("n", "subject", "relation", "relation_label", "object", "from_year", "to_year")
_ZERO = datetime(2021, 5, 1, 8, tzinfo=UTC)


def write_facts(folder: Path, seed: int) -> None:
    """Facts with years, and questions answered by looking at every row."""
    dice = random.Random(seed)
    rows: list[Json] = []
    for n in range(60):
        start = dice.randrange(960, 1030)
        end = "" if dice.random() < 0.2 else start + dice.randrange(0, 20)
        begin = "" if dice.random() < 0.1 else start
        if begin == "" and end == "":
            end = start
        told = (f"s{dice.randrange(4)}", dice.choice(["kin of", "E1"]), "label", f"o{dice.randrange(4)}")
        rows.append(dict(zip(_COLUMNS, (n, *told, begin, end), strict=True)))

    def holding(year: int, known: int, **sides: str) -> set[str]:
        asked = "object" if "subject" in sides else "subject"
        return {
            row[asked]
            for row in rows[:known]
            if all(row[k] == v for k, v in sides.items())
            and (row["from_year"] == "" or row["from_year"] <= year)
            and (row["to_year"] == "" or year <= row["to_year"])
        }

    questions: list[Json] = []
    for n in range(30):
        year = dice.randrange(955, 1055)
        side = "subject" if n % 3 else "object"
        sides = {side: f"{side[0]}{dice.randrange(4)}", "relation": dice.choice(["kin of", "E1"])}
        extra = {"known_after_facts": dice.randrange(1, 60)} if n % 4 == 0 else {}
        answer = sorted(holding(year, extra.get("known_after_facts", 60), **sides))
        kind = "then" if extra else "now"
        questions.append({"id": f"q{n}", "kind": kind, "as_of_year": year, "answer": answer, **sides, **extra})
    _write(folder, questions)
    with gzip.open(folder / "facts.tsv.gz", "wt", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, _COLUMNS, delimiter="\t")
        table.writeheader()
        table.writerows(rows)


def write_events(folder: Path, seed: int) -> None:
    """Events of machines, some at the same second, and questions answered by replaying them."""
    dice = random.Random(seed)
    events: list[Json] = []
    now = _ZERO
    for n in range(80):
        now += timedelta(seconds=dice.choice([0, 1, 600]))
        event = {
            "n": n,
            "time": now.isoformat().replace("+00:00", "Z"),
            "machine": f"m{dice.randrange(4)}",
            "seq": n,
        }
        values = {"mode": dice.choice(["on", "off", "Gone"]), "room": dice.choice(["A", "B"])}
        events.append(event | values)

    def state(machine: str, at: datetime) -> Json:
        seen = [e for e in events if e["machine"] == machine and datetime.fromisoformat(e["time"]) <= at]
        return seen[-1] if seen else {}

    questions: list[Json] = []
    for n in range(40):
        at = _ZERO + timedelta(seconds=dice.randrange(-5, int((now - _ZERO).total_seconds())))
        if n % 4 == 0:
            at = datetime.fromisoformat(dice.choice(events)["time"])
        common = {"id": f"e{n}", "as_of": _text(at)}
        if n % 2:
            machine, attribute = f"m{dice.randrange(4)}", dice.choice(["mode", "room"])
            answer = [state(machine, at)[attribute]] if state(machine, at) else []
            questions.append(
                {**common, "kind": "attr", "machine": machine, "attribute": attribute, "answer": answer}
            )
        else:
            room = dice.choice(["A", "B"])
            states = {f"m{m}": state(f"m{m}", at) for m in range(4)}
            answer = [m for m, s in states.items() if s.get("room") == room and s["mode"] != "Gone"]
            closed = ["Gone", "Never heard of"]
            questions.append(
                {**common, "kind": "in room", "room": room, "closed_states": closed, "answer": answer}
            )
    _write(folder, questions)
    lines = "\n".join(map(json.dumps, events)) + "\n"
    (folder / "events.jsonl.gz").write_bytes(gzip.compress(lines.encode()))


def _text(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _write(folder: Path, questions: list[Json]) -> None:
    (folder / "asof_few.json").write_text(json.dumps(questions), encoding="utf-8")


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("shuffle", [None, 5])
async def test_facts_are_answered_exactly(opened: Opener, tmp_path: Path, seed: int, shuffle: int | None) -> None:
    write_facts(tmp_path, seed)
    data = read_set(tmp_path)
    assert isinstance(data, FactSet)
    memory = await opened(ontology=data.ontology)
    load = await load_set(memory, data, 7, shuffle)
    score = await ask(memory, data, load.known)
    assert score.wrong == []
    assert score.asked.total() == (30 if shuffle is None else 22)
    assert score.right["now", OURS] == 22
    assert score.right["now", LATEST] < score.right["now", LAST_START] < 22


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("shuffle", [None, 5])
async def test_events_are_answered_exactly(opened: Opener, tmp_path: Path, seed: int, shuffle: int | None) -> None:
    write_events(tmp_path, seed)
    data = read_set(tmp_path)
    assert isinstance(data, EventSet)
    memory = await opened(ontology=data.ontology)
    load = await load_set(memory, data, 9, shuffle)
    score = await ask(memory, data, load.known)
    assert score.wrong == []
    assert score.asked == {"attr": 20, "in room": 20}
    assert score.right["attr", LATEST] < 20
    assert score.right["attr", LAST_START] == 20


def test_only_changes_are_told_where_events_come_in_order(tmp_path: Path) -> None:
    write_events(tmp_path, 3)
    data = EventSet(tmp_path)
    assert sum(1 for _ in data.rows()) < sum(1 for _ in data.every()) == 160
    events = gzip.decompress((tmp_path / "events.jsonl.gz").read_bytes()).decode().splitlines()
    (tmp_path / "events.jsonl.gz").write_bytes(gzip.compress("\n".join(reversed(events)).encode()))
    assert sum(1 for _ in data.rows()) == 160


def test_names_become_predicates_of_their_own() -> None:
    names = [
        "P54",
        "member of",
        "member_of",
        "Member Of",
        "MEMBER OF",
        "member-of",
        "7th",
        "状态",
        "态状",
        "x" * 90,
    ]
    predicates = [predicate_of(name) for name in names]
    assert len(set(predicates)) == len(names)
    assert all(p[0].isalpha() and p == p.upper() and p.replace("_", "").isascii() for p in predicates)
    assert (predicate_of("P54"), predicate_of("owner")) == ("P54", "OWNER")


def test_what_is_no_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="neither"):
        read_set(tmp_path)
    write_facts(tmp_path, 1)
    (tmp_path / "asof_few.json").unlink()
    with pytest.raises(NotFound, match="no asof"):
        read_set(tmp_path)
    (tmp_path / "facts.tsv.gz").unlink()
    write_events(tmp_path, 1)
    _write(tmp_path, [{"id": "x", "kind": "k", "as_of": "2021-05-01T00:00:00Z", "room": "A", "answer": []}])
    with pytest.raises(Invalid, match="one sort of thing"):
        read_set(tmp_path)
