"""Supersession: when a value is said and later another, do we hold the new one and no longer the old?

    python benchmarks/supersession.py [DATA] [--missed N]

DATA is the folder of the public sets. ``longmemeval/knowledge_update_dev.json.gz``: two dated messages of one
user and a question whose answer is in the newer; ``crosswoz_zh/val.json.zip``: Chinese dialogues in which a
user gives a slot (such as a price) one value and later another. *held*: a fact believed at the end, quoted from
where the new value was said, has all words of the value in its object; *superseded*: and no fact from where the
old value was said is believed any more in its slot. "four" and "4" are the same.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from talks import DATA, Held, believed, content, extractor, load, message, read, share

from hitherto.extraction.numbers import number
from hitherto.extraction.rules import RuleExtractor
from hitherto.kg.model import Episode, Role, Value

_BASE = datetime(2024, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Update:
    """``new`` was said in the episode ``said``, the old value in the episodes ``before``."""

    new: str
    said: str
    before: tuple[str, ...]


def _words(text: str) -> set[str]:
    """The words that carry something; "four" is 4."""
    return {number(word) or word for word in content(text)}


def is_held(update: Update, held: list[Held]) -> Held | None:
    wanted = _words(update.new)
    for one in held:
        for claim in one.own:
            thing = claim.object.text if isinstance(claim.object, Value) else claim.object.name
            if (
                claim.episode_id == update.said
                and one.period.valid_to is None
                and share(wanted, _words(thing)) == 1
            ):
                return one
    return None


def is_superseded(update: Update, new: Held, held: list[Held]) -> bool:
    """The new fact shares a slot with one from where the old value was said, and that is over."""
    shared = {c.fact for c in new.claims if c.episode_id in update.before and c.fact != new.period.fact}
    going = {one.period.fact for one in held if one.period.valid_to is None}
    return bool(shared) and not shared & going


def knowledge_updates(path: Path) -> list[tuple[list[Episode], list[Update]]]:
    found = []
    for row in load(path):
        talk = [
            message(
                str(i), e["text"], datetime.strptime(e["date"], "%Y/%m/%d (%a) %H:%M").replace(tzinfo=UTC), "me"
            )
            for i, e in enumerate(sorted(row["evidence"], key=lambda e: e["date"]))
        ]
        last = talk[-1].id
        found.append((talk, [Update(row["answer"], last, tuple(e.id for e in talk[:-1]))]))
    return found


def overwritten(path: Path) -> list[tuple[list[Episode], list[Update]]]:
    found = []
    for name, row in load(path).items():
        talk, updates = [], []
        values: dict[tuple[str, str], tuple[str, str]] = {}
        for i, turn in enumerate(row["messages"]):
            role = Role.USER if turn["role"] == "usr" else Role.ASSISTANT
            talk.append(message(f"{name}:{i}", turn["content"], _BASE + timedelta(minutes=i), turn["role"], role))
            for act, domain, slot, value in turn["dialog_act"]:
                if act == "Inform" and role is Role.USER and value not in ("", "none"):
                    before = values.get((domain, slot))
                    if before is not None and before[0] != value:
                        updates.append(Update(value, talk[-1].id, (before[1],)))
                    values[domain, slot] = (value, talk[-1].id)
        if updates:
            found.append((talk, updates))
    return found


async def measure(
    name: str, rules: RuleExtractor, talks: list[tuple[list[Episode], list[Update]]], missed: int
) -> None:
    counts: Counter[str] = Counter()
    for talk, updates in talks:
        held = believed(talk, await read(rules, talk))
        said = {e.id: e.text for e in talk}
        for update in updates:
            new = is_held(update, held)
            counts["updates"] += 1
            counts["held"] += new is not None
            counts["superseded"] += new is not None and is_superseded(update, new, held)
            if new is None and missed:
                missed -= 1
                print(f"- {update.new}\n      {said[update.said]}")
    total = max(counts["updates"], 1)
    print(f"{name}: {total} updates, new value held {counts['held']} = {counts['held'] / total:.1%}, ", end="")
    print(f"old one superseded {counts['superseded']} = {counts['superseded'] / total:.1%}")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    parser.add_argument(
        "--missed", type=int, default=0, help="print this many new values of each set we do not hold"
    )
    arguments = parser.parse_args()
    rules = extractor()
    english = knowledge_updates(arguments.data / "longmemeval" / "knowledge_update_dev.json.gz")
    await measure("longmemeval knowledge update", rules, english, arguments.missed)
    chinese = overwritten(arguments.data / "crosswoz_zh" / "val.json.zip")
    await measure("crosswoz_zh", rules, chinese, arguments.missed)


if __name__ == "__main__":
    asyncio.run(main())
