"""Conversations: which facts that a reader noted do we hold, with their subject, object and date?

    python benchmarks/conversation.py [DATA] [--missed N] [--sample N]

DATA is the folder of the public sets (``locomo/locomo_dev.json.gz`` in it). The set's ``observation`` notes are
the gold: one sentence about one speaker, with the turns it comes from. A note's

- *subject* is held when a fact that we believe, quoted from one of those turns, is about that speaker (or about
  somebody whom the note names);
- *object* when, further, at least half of the words of its object stand in the note, and one of them is neither
  the speaker's name nor in the predicate alone;
- *date* when, further, the fact's beginning is right. Where a temporal question of the set asks about the same
  turn and its answer reads as a date, the beginning must lie in that date (give or take a day, for "the week
  before"); else it must not lie after the talk.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from talks import DATA, Held, believed, content, extractor, load, message, read, share

from hitherto.kg.model import Claim, Episode, Value
from hitherto.temporal.claims import Says
from hitherto.temporal.expressions import TimeReading, read_time

_TURN = re.compile(r"D:?(\d+):0*(\d+)")
_SLACK = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Note:
    speaker: str
    text: str
    turns: tuple[str, ...]
    at: datetime


def turn_ids(text: object) -> tuple[str, ...]:
    return tuple(f"{a}:{b}" for a, b in _TURN.findall(str(text)))


def session_time(text: str) -> datetime:
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def messages(talk: dict[str, Any]) -> list[Episode]:
    found = []
    for n in range(1, 100):
        if f"session_{n}" not in talk:
            continue
        at = session_time(talk[f"session_{n}_date_time"])
        for i, turn in enumerate(talk[f"session_{n}"]):
            [id_] = turn_ids(turn["dia_id"])
            found.append(message(id_, turn["text"], at + timedelta(seconds=i), turn["speaker"]))
    return found


def notes(row: dict[str, Any]) -> list[Note]:
    found = []
    for name, by_speaker in row["observation"].items():
        at = session_time(row["conversation"][name.replace("observation", "date_time")])
        for speaker, told in by_speaker.items():
            found += [Note(speaker, text, turn_ids(turns), at) for text, turns in told]
    return [n for n in found if n.turns]


def dates(row: dict[str, Any], said: dict[str, Episode]) -> dict[str, TimeReading]:
    """The gold date of a turn, from the temporal questions."""
    found = {}
    for question in row["qa"]:
        turns = [t for t in turn_ids(question["evidence"]) if t in said]
        if question["category"] == 2 and len(turns) == 1:
            base = said[turns[0]].occurred_at
            time = read_time(str(question["answer"]), base=base, zone=UTC, language="en")
            if time is not None and time.start is not None:
                found[turns[0]] = time
    return found


def is_about(claim: Claim, note: Note) -> bool:
    return claim.subject.name == note.speaker or claim.subject.name.lower() in note.text.lower()


def names_object(claim: Claim, note: Note) -> bool:
    thing = claim.object.text if isinstance(claim.object, Value) else claim.object.name
    words = content(thing) - content(note.speaker)
    return share(words, content(note.text)) >= 0.5


def is_dated(held: Held, note: Note, gold: TimeReading | None) -> bool:
    start = held.period.valid_from
    if gold is None or gold.start is None:
        return start is None or start.at <= note.at + _SLACK
    if start is None:
        return False
    end = gold.end.at if gold.end is not None else gold.start.end_of_grain
    return gold.start.at - _SLACK <= start.at < end + _SLACK


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument("--missed", type=int, default=0, help="print this many notes whose object we do not hold")
    parser.add_argument("--sample", type=int, default=0, help="print this many of our beliefs, to be judged")
    arguments = parser.parse_args()
    rules, counts, missed, beliefs = extractor(), Counter[str](), [], []
    for row in load(arguments.data / "locomo" / "locomo_dev.json.gz"):
        talk = messages(row["conversation"])
        said = {e.id: e for e in talk}
        held = believed(talk, await read(rules, talk))
        gold_dates, by_turn = dates(row, said), defaultdict(list)
        for one in held:
            for claim in one.own:
                if claim.says not in (Says.END, Says.DENIAL):
                    by_turn[claim.episode_id].append((one, claim))
        beliefs += [(one, said[one.own[0].episode_id].text) for one in held if one.own]
        counts["messages"] += len(talk)
        counts["beliefs"] += len(held)
        for note in notes(row):
            about = [(h, c, t) for t in note.turns for h, c in by_turn[t] if is_about(c, note)]
            named = [(h, t) for h, c, t in about if names_object(c, note)]
            right = [t for h, t in named if is_dated(h, note, gold_dates.get(t))]
            counts["notes"] += 1
            counts["subject"] += bool(about)
            counts["object"] += bool(named)
            counts["date"] += bool(right)
            if any(t in gold_dates for t in note.turns):
                counts["dated"] += 1
                counts["dated object"] += bool(named)
                counts["dated right"] += any(t in gold_dates for t in right)
            if not named:
                missed.append((note, [said[t].text for t in note.turns if t in said]))
    report(counts)
    choose = random.Random(7)
    for note, texts in choose.sample(missed, min(arguments.missed, len(missed))):
        print(f"- {note.text}\n      {' / '.join(texts)}")
    for one, text in choose.sample(beliefs, min(arguments.sample, len(beliefs))):
        claim = one.own[0]
        thing = claim.object.text if isinstance(claim.object, Value) else claim.object.name
        when = "" if one.period.valid_from is None else f"{one.period.valid_from.at:%Y-%m-%d}"
        print(f"- {claim.subject.name} {claim.predicate} {thing} [{claim.says} {when}]\n      {text}")


def report(counts: Counter[str]) -> None:
    total = counts["notes"]
    print(f"{counts['messages']} messages, {counts['beliefs']} beliefs, {total} notes")
    for step in ("subject", "object", "date"):
        print(f"  {step:8} held {counts[step]:5} = {counts[step] / total:.1%}")
    print(f"  of {counts['dated']} notes with a gold date: object held {counts['dated object']}, ", end="")
    print(f"date right {counts['dated right']}")


if __name__ == "__main__":
    asyncio.run(main())
