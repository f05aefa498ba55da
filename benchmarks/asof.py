"""What was true then, and what did we know then: exact answers on real data, two simple ways beside them.

    python benchmarks/asof.py DATA/wikidata12k
    python benchmarks/asof.py DATA/bpic2013 --shuffle 7
    python benchmarks/asof.py DATA/wikidata12k --url neo4j://neo4j:PASSWORD@localhost

PATH is a folder with ``asof*.json`` (questions and answers) and either ``facts.tsv.gz`` (rows with years, closed
at both ends; a missing end is still true, a missing beginning the year 1) or ``events.jsonl.gz`` (each event
tells all attributes of a thing from then on). Relations hold many values at a time, attributes one. All names are
read from the files. Loading is ``Memory.add_facts``, asking is ``View.facts``. Exit code 0 only if all is right.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import gzip
import json
import random
import re
import resource
import sys
import tempfile
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from hitherto import Belief, HithertoError, Invalid, Memory, NotFound, Ontology, Predicate, Value, View

OURS, LATEST, LAST_START = "hitherto", "latest wins", "last start before"


@dataclass(frozen=True, slots=True)
class Row:
    """One fact of the data. ``rank``: the how-many-th of its thing at one instant."""

    subject: str
    relation: str
    object: str
    start: datetime
    end: str | None = None
    said: str | None = None
    rank: int = 0

    @property
    def when(self) -> tuple[datetime, int]:
        return self.start, self.rank


@dataclass(frozen=True, slots=True)
class Question:
    """What ``relation`` joins ``subject`` with, or ``object`` with where the subject is what is asked.
    ``closed``: without those that are in one of these states."""

    id: str
    kind: str
    relation: str
    subject: str | None
    object: str | None
    as_of: datetime
    known_after: int | None
    closed: frozenset[str]
    answer: frozenset[str]


class FactSet:
    """Rows with a first and a last year."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "facts.tsv.gz"
        self.questions = [self._question(q) for q in _questions(folder)]
        self.ontology = Ontology()

    def rows(self) -> Iterator[Row]:
        for row in csv.DictReader(_lines(self.file), delimiter="\t"):
            first = (row["from_year"] or "1").zfill(4)
            end = row["to_year"].zfill(4) if row["to_year"] else None
            yield Row(row["subject"], row["relation"], row["object"], _year(first), end, first)

    def fact(self, row: Row) -> dict[str, object]:
        return {
            "subject": row.subject,
            "predicate": predicate_of(row.relation),
            "object": row.object,
            "valid_from": row.said,
            "valid_to": row.end,
        }

    def every(self) -> Iterator[Row]:
        return self.rows()

    def states(self, _: frozenset[str]) -> list[str]:
        return []

    def _question(self, q: dict[str, Any]) -> Question:
        sides = (q["relation"], q.get("subject"), q.get("object"))
        when = (_year(q["as_of_year"]), q.get("known_after_facts"))
        return Question(q["id"], q["kind"], *sides, *when, frozenset(), frozenset(q["answer"]))


class EventSet:
    """Events, each of which tells all attributes of a thing."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "events.jsonl.gz"
        asked = _questions(folder)
        reserved = {"id", "kind", "answer", "attribute", "as_of", "closed_states"}
        things = {key for q in asked if "attribute" in q for key in q.keys() - reserved}
        if len(things) != 1:
            raise Invalid(f"{folder}: the questions about attributes name {sorted(things)}, not one sort of thing")
        self._thing = things.pop()
        self.questions = [self._question(q, reserved) for q in asked]
        first = next(self._events(), None) or {}
        self._attributes = [key for key in first if key not in ("n", "time", "seq", self._thing)]
        self.ontology = Ontology(
            predicates=tuple(
                Predicate(name=predicate_of(name), cardinality="one", object="Value")  # type: ignore[arg-type]
                for name in self._attributes
            )
        )

    def every(self) -> Iterator[Row]:
        """All attributes of every event, whether they changed or not."""
        last: dict[str, tuple[str, int]] = {}
        for event in self._events():
            thing, at = str(event[self._thing]), event["time"]
            before, rank = last.get(thing, ("", 0))
            rank = rank + 1 if before == at else 0
            last[thing] = (at, rank)
            start = datetime.fromisoformat(at)
            said = (start + timedelta(microseconds=rank)).isoformat() if rank else None
            for name in self._attributes:
                if event.get(name) not in (None, ""):
                    yield Row(thing, name, str(event[name]), start, None, said, rank)

    def rows(self) -> Iterator[Row]:
        """The changes, as an audit trail has them: what an event says again is left out. That is the same history
        only if each thing's events come in order of time; else all is told."""
        if not self._in_order():
            yield from self.every()
            return
        told: dict[tuple[str, str], str] = {}
        for row in self.every():
            if told.get((row.subject, row.relation)) != row.object:
                told[(row.subject, row.relation)] = row.object
                yield row

    def fact(self, row: Row) -> dict[str, object]:
        return {
            "subject": row.subject,
            "predicate": predicate_of(row.relation),
            "object": row.object,
            "valid_from": row.start,
            "stated_at": row.said,
        }

    def states(self, closed: frozenset[str]) -> list[str]:
        """The attributes that ever have one of these values."""
        return [name for name, values in self._values.items() if closed & values]

    @cached_property
    def _values(self) -> dict[str, set[str]]:
        return {name: {str(event.get(name)) for event in self._events()} for name in self._attributes}

    def _in_order(self) -> bool:
        last: dict[str, datetime] = {}
        for event in self._events():
            at = datetime.fromisoformat(event["time"])
            if at < last.get(event[self._thing], at):
                return False
            last[event[self._thing]] = at
        return True

    def _events(self) -> Iterator[dict[str, Any]]:
        return map(json.loads, _lines(self.file))

    def _question(self, q: dict[str, Any], reserved: set[str]) -> Question:
        other = next(iter(q.keys() - reserved))
        attribute = q.get("attribute")
        subject = str(q[self._thing]) if attribute else None
        target = None if attribute else str(q[other])
        as_of, closed = datetime.fromisoformat(q["as_of"]), frozenset(q.get("closed_states", ()))
        answer = frozenset(q["answer"])
        return Question(q["id"], q["kind"], attribute or other, subject, target, as_of, None, closed, answer)


def read_set(folder: Path) -> FactSet | EventSet:
    """Raises ``NotFound`` for a folder that holds neither format."""
    if (folder / "facts.tsv.gz").exists():
        return FactSet(folder)
    if (folder / "events.jsonl.gz").exists():
        return EventSet(folder)
    raise NotFound(f"{folder} holds neither facts.tsv.gz nor events.jsonl.gz")


def predicate_of(relation: str) -> str:
    """A name as a predicate; another name gives another predicate."""
    plain = re.sub(r"[^A-Z0-9]", "_", relation.upper())
    if plain.lower() == relation or plain == relation:
        return plain if plain[:1].isalpha() else f"R_{plain}"
    return f"R_{plain[:40]}_{uuid.uuid5(uuid.NAMESPACE_OID, relation).hex[:8].upper()}"


def _questions(folder: Path) -> list[dict[str, Any]]:
    files = sorted(folder.glob("asof*.json"))
    if not files:
        raise NotFound(f"{folder} holds no asof*.json")
    return [q for file in files for q in json.loads(file.read_text(encoding="utf-8"))]


def _lines(file: Path) -> Iterator[str]:
    with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
        yield from lines


def _year(year: str | int) -> datetime:
    return datetime(int(year), 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Load:
    """What loading cost, and the transaction times after so many rows of the file."""

    facts: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_mb: float = 0.0
    known: dict[int, datetime] = field(default_factory=dict)


async def load_set(memory: Memory, data: FactSet | EventSet, batch: int, shuffle: int | None = None) -> Load:
    """Load in the file's order, a batch ending where a question asks what was known; or shuffled, seeded."""
    load = Load()
    started, cpu = time.perf_counter(), time.process_time()
    if shuffle is None:
        rows = iter(data.rows())
        stops = sorted({q.known_after for q in data.questions if q.known_after is not None})
        for stop in [*stops, None]:
            part = islice(rows, None if stop is None else stop - load.facts)
            tx = await _add(memory, map(data.fact, part), load, batch)
            if stop is not None and tx is not None:
                load.known[stop] = tx
    else:
        shuffled = list(data.every())
        random.Random(shuffle).shuffle(shuffled)
        await _add(memory, map(data.fact, shuffled), load, batch)
    load.seconds, load.cpu_seconds = time.perf_counter() - started, time.process_time() - cpu
    load.peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return load


async def _add(memory: Memory, rows: Iterable[dict[str, object]], load: Load, batch: int) -> datetime | None:
    report = await memory.add_facts(rows, batch=batch, embed=False)
    load.facts += report.facts
    return report.tx


class Answers:
    """The two simple ways: the value that began last of all, and the one that began last before the instant."""

    def __init__(self, data: FactSet | EventSet) -> None:
        self._of: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
        self._who: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self._data = data
        for row in data.rows():
            self._of[row.subject, row.relation].append(row)
            self._who[row.relation, row.object].add(row.subject)

    def simple(self, q: Question, until: datetime | None) -> frozenset[str]:
        if q.subject is not None:
            return self._values(q.subject, q.relation, until)
        found = {
            s for s in self._who[q.relation, q.object or ""] if q.object in self._values(s, q.relation, until)
        }
        states = self._data.states(q.closed) if q.closed else []
        return frozenset(s for s in found if not any(q.closed & self._values(s, a, until) for a in states))

    def _values(self, subject: str, relation: str, until: datetime | None) -> frozenset[str]:
        rows = [r for r in self._of.get((subject, relation), ()) if until is None or r.when[0] <= until]
        last = max((r.when for r in rows), default=None)
        return frozenset(r.object for r in rows if r.when == last)


async def answer(memory: Memory, data: FactSet | EventSet, q: Question, known: datetime | None) -> frozenset[str]:
    """The answer by the public API."""
    view = memory.at(valid=q.as_of, known=known)
    predicate = predicate_of(q.relation)
    if q.subject is not None:
        return frozenset([_object(b) async for b in _facts(view, q.subject, predicate, None)])
    found = {b.fact.subject.name async for b in _facts(view, None, predicate, q.object)}
    for attribute in data.states(q.closed) if q.closed else ():
        for subject in sorted(found):
            states = {_object(b) async for b in _facts(view, subject, predicate_of(attribute), None)}
            if q.closed & states:
                found.discard(subject)
    return frozenset(found)


async def _facts(view: View, subject: str | None, predicate: str, target: str | None) -> AsyncIterator[Belief]:
    cursor = None
    while True:
        page = await view.facts(subject, predicate, target, limit=1000, cursor=cursor)
        for belief in page.items:
            yield belief
        if (cursor := page.cursor) is None:
            return


def _object(belief: Belief) -> str:
    target = belief.fact.object
    return target.text if isinstance(target, Value) else target.name


@dataclass(slots=True)
class Score:
    """Right answers by kind of question and way of answering; the ids of questions that we answered wrong."""

    right: Counter[tuple[str, str]] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


async def ask(memory: Memory, data: FactSet | EventSet, known: Mapping[int, datetime]) -> Score:
    """Put the questions: those about what was known only where the load can tell."""
    score, answers = Score(), Answers(data)
    for q in data.questions:
        if q.known_after is not None and q.known_after not in known:
            continue
        found = await answer(memory, data, q, None if q.known_after is None else known[q.known_after])
        score.asked[q.kind] += 1
        score.right[q.kind, OURS] += found == q.answer
        score.right[q.kind, LATEST] += answers.simple(q, None) == q.answer
        score.right[q.kind, LAST_START] += answers.simple(q, q.as_of) == q.answer
        if found != q.answer:
            score.wrong.append(q.id)
    return score


def table_of(score: Score) -> Table:
    table = Table("question", OURS, LATEST, LAST_START)
    for kind, asked in score.asked.items():
        table.add_row(kind, *(f"{score.right[kind, way]}/{asked}" for way in (OURS, LATEST, LAST_START)))
    totals = {way: sum(n for (_, w), n in score.right.items() if w == way) for way in (OURS, LATEST, LAST_START)}
    table.add_section()
    table.add_row("all", *(f"{n}/{score.asked.total()}" for n in totals.values()))
    return table


async def measure(folder: Path, url: str, options: argparse.Namespace) -> int:
    console = Console()
    data = read_set(folder)
    tenant = f"asof {folder.name} {uuid.uuid4()}"
    async with Memory.open(url, tenant=tenant, ontology=data.ontology) as memory:
        load = await load_set(memory, data, options.batch, options.shuffle)
        started = time.perf_counter()
        score = await ask(memory, data, load.known)
        asking = time.perf_counter() - started
    console.print(
        f"{folder.name}: {load.facts:,} facts in {load.seconds:.1f} s ({load.facts / load.seconds:,.0f} facts/s, "
        f"{sum(1 for _ in _lines(data.file)) / load.seconds:,.0f} lines/s; {load.cpu_seconds:.1f} s of CPU here), "
        f"peak {load.peak_mb:.0f} MB; {score.asked.total()} questions in {asking:.1f} s",
        highlight=False,
        soft_wrap=True,
    )
    console.print(table_of(score))
    if score.wrong:
        console.print("wrong:", ", ".join(score.wrong), highlight=False)
    return 0 if not score.wrong else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, help="the set's folder")
    parser.add_argument("--url", help="a file's path or a server; a passing file unless given")
    parser.add_argument("--shuffle", type=int, metavar="SEED", help="load in this random order, all told")
    parser.add_argument("--batch", type=int, default=5000, help="facts of one transaction")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = options.url or str(Path(folder) / "asof.db")
        try:
            return asyncio.run(measure(options.path, url, options))
        except HithertoError as error:
            print(error, file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main())
