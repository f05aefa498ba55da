"""Is what answers a question found among the first messages? On conversations nobody here wrote.

    python benchmarks/recall.py locomo [--data DATA] [--url URL] [--cache FOLDER] [--half 0|1] [--embedder use|e5]
    python benchmarks/recall.py longmemeval [--questions N]

LoCoMo: turns that hold the evidence, categories 1 to 4 (1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop), a
tenant for each conversation. LongMemEval: turns marked ``has_answer`` among 50 sessions, a tenant for each
question; and, of evidence on two dates, whether the newest stands above every older one. Beside ours, in the same
run: BM25 with a stemmer, dense vectors of the whole question, and reciprocal rank fusion of the two. ``--cache``
keeps vectors between runs. ``--half`` takes every second conversation or question.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from evidence import Bench, Recall, open_bench, progress
from talks import DATA, load, message

from hitherto.kg.model import Episode, Role

GROUPS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}


def locomo_talk(conversation: dict[str, Any]) -> Iterator[Episode]:
    sessions = [key for key in conversation if re.fullmatch(r"session_\d+", key)]
    for session in sorted(sessions, key=lambda key: int(key.split("_")[1])):
        told = conversation[f"{session}_date_time"]
        at = datetime.strptime(told, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for number, turn in enumerate(conversation[session]):
            caption = turn.get("blip_caption")
            text = turn["text"] + (f" [{caption}]" if caption else "")
            yield replace(
                message(turn["dia_id"], text, at + timedelta(seconds=number), turn["speaker"]), session=session
            )


def locomo_evidence(sample: dict[str, Any]) -> Iterator[tuple[dict[str, Any], set[str]]]:
    """Questions of the counted categories, with the ids of the turns that answer them."""
    for asked in sample["qa"]:
        said = " ".join(asked.get("evidence", []))
        wanted = {f"D{a}:{int(b)}" for a, b in re.findall(r"D:?(\d+):0*(\d+)", said)}
        if asked["category"] in GROUPS and wanted:
            yield asked, wanted


async def locomo(bench: Bench, folder: Path, run: str, half: int | None, _most: int | None) -> None:
    recalls = {name: Recall() for name in bench.ways}
    for number, sample in enumerate(load(folder / "locomo" / "locomo_dev.json.gz")):
        if half is not None and number % 2 != half:
            continue
        tenant = f"{run} {sample['sample_id']}"
        progress(f"conversation {sample['sample_id']}")
        await bench.fill(tenant, list(locomo_talk(sample["conversation"])), extract=True)
        for asked, wanted in locomo_evidence(sample):
            for name, rank in bench.ways.items():
                found = await rank(tenant, asked["question"], None)
                recalls[name].add(GROUPS[asked["category"]], found, wanted)
    print("LoCoMo dev, evidence turns among the first 5 / 10 / 20; at 10 by category")
    for name, recall in recalls.items():
        print(f"  {name:<12} {recall.line()}   {recall.line(10)}")


def longmemeval_talk(sessions: Sequence[tuple[str, str, list[dict[str, Any]]]]) -> Iterator[Episode]:
    for session, date, turns in sessions:
        at = dated(date)
        for number, turn in enumerate(turns):
            role = Role(turn["role"])
            actor = "user" if role is Role.USER else None
            said = message(f"{session}:{number}", turn["content"], at + timedelta(seconds=number), actor, role)
            yield replace(said, session=session)


def dated(text: str) -> datetime:
    return datetime.strptime(re.sub(r"\(.*?\) ", "", text), "%Y/%m/%d %H:%M").replace(tzinfo=UTC)


async def longmemeval(bench: Bench, folder: Path, run: str, half: int | None, most: int | None) -> None:
    questions = load(folder / "longmemeval" / "longmemeval_dev.json.gz")
    haystacks = load(folder / "longmemeval" / "haystack50_dev.json.gz")
    updates = {row["id"]: row for row in load(folder / "longmemeval" / "knowledge_update_dev.json.gz")}
    sessions = {
        id_: (id_, date, turns)
        for q in questions
        for id_, date, turns in zip(
            q["haystack_session_ids"], q["haystack_dates"], q["haystack_sessions"], strict=True
        )
    }
    recalls = {name: Recall() for name in bench.ways}
    newest: dict[str, list[bool]] = {name: [] for name in bench.ways}
    chosen = [q for n, q in enumerate(questions) if half is None or n % 2 == half]
    ordered = sorted(chosen, key=lambda q: q["question_id"] not in updates)[:most]
    for number, asked in enumerate(ordered, 1):
        id_ = asked["question_id"]
        tenant = f"{run} {id_}"
        progress(f"question {number} of {len(ordered)}")
        await bench.fill(tenant, list(longmemeval_talk([sessions[s] for s in haystacks[id_]])), extract=False)
        wanted = {
            f"{s}:{n}"
            for s in asked["haystack_session_ids"]
            for n, turn in enumerate(sessions[s][2])
            if turn.get("has_answer")
        }
        for name, rank in bench.ways.items():
            found = await rank(tenant, asked["question"], None)
            if wanted and not id_.endswith("_abs"):
                recalls[name].add(asked["question_type"], found, wanted)
            if id_ in updates and (verdict := newest_above(updates[id_]["evidence"], found)) is not None:
                newest[name].append(verdict)
    print("LongMemEval dev in 50 sessions, evidence turns among the first 5 / 10 / 20; at 10 by type")
    for name, recall in recalls.items():
        print(f"  {name:<12} {recall.line()}   {recall.line(10)}")
        above = newest[name]
        print(f"  {'':<12} newest above every older one: {np.mean(above):.3f} of {len(above)}")


def newest_above(evidence: list[dict[str, Any]], found: list[str]) -> bool | None:
    """None when all of it was said in one session."""
    places = {id_: place for place, id_ in enumerate(found)}
    rows = sorted(evidence, key=lambda row: (dated(row["date"]), row["turn"]))
    places_of = [(row["session"], places.get(f"{row['session']}:{row['turn']}", len(found))) for row in rows]
    last_session, last = places_of[-1]
    older = [place for session, place in places_of if session != last_session]
    return None if not older else last < min(older)


async def main() -> None:
    parser = argparse.ArgumentParser(description="Is what answers a question found among the first messages?")
    parser.add_argument("set", choices=["locomo", "longmemeval"])
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the public sets")
    parser.add_argument("--url", default=":memory:", help="a store that may be written to")
    parser.add_argument("--cache", type=Path, help="a folder to keep vectors in")
    parser.add_argument("--half", type=int, choices=[0, 1], help="only this half")
    parser.add_argument("--questions", type=int, help="LongMemEval: so many, updates first")
    parser.add_argument("--embedder", default="use", help="use or e5")
    options = parser.parse_args()
    async with open_bench(options.url, options.cache, options.embedder) as bench:
        measure = locomo if options.set == "locomo" else longmemeval
        await measure(bench, options.data, uuid.uuid4().hex[:8], options.half, options.questions)


if __name__ == "__main__":
    asyncio.run(main())
