"""How fast the rule extractor reads a conversation, and what it takes to load.

    python benchmarks/extract.py ../shared/data/evermem_demo/group_chat_en.json [--show]

The file has a ``conversation_list`` of messages with ``create_time``, ``sender_name`` and ``content``. Every
message is an episode that sees the twelve before it; they are read in batches of 64, each sentence new.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import time
from datetime import UTC, datetime
from pathlib import Path

from hitherto.extraction.extractor import Reading
from hitherto.extraction.rules import RuleExtractor
from hitherto.kg.model import Draft, Episode, Role, Turn, Value
from hitherto.kg.ontology import Ontology

BATCH, EARLIER = 64, 12


def episodes(path: Path) -> list[Episode]:
    """The messages of the file, in order."""
    found = []
    for message in json.loads(path.read_text(encoding="utf-8"))["conversation_list"]:
        at = datetime.fromisoformat(message["create_time"].replace("Z", "+00:00"))
        text, actor = message["content"], message["sender_name"]
        role = Role.ASSISTANT if message["sender"].startswith("robot") else Role.USER
        turn = Turn(0, len(text), at, role, actor)
        found.append(Episode(id=message["message_id"], text=text, occurred_at=at, turns=(turn,), actor=actor))
    return found


async def measure(path: Path, *, show: bool) -> None:
    read = episodes(path)
    readings = [Reading(e, tuple(read[max(0, i - EARLIER) : i])) for i, e in enumerate(read)]
    extractor = RuleExtractor(Ontology.starter(), UTC)
    start = time.perf_counter()
    for text in ("Ann joined Acme.", "我住在北京。"):
        at = datetime(2026, 1, 1, tzinfo=UTC)
        await extractor.extract(
            [Reading(Episode(id="0", text=text, occurred_at=at, turns=(Turn(0, len(text), at),)))]
        )
    load_s = time.perf_counter() - start
    start, cpu = time.perf_counter(), time.process_time()
    drafts: list[list[Draft]] = []
    for i in range(0, len(readings), BATCH):
        drafts.extend(await extractor.extract(readings[i : i + BATCH]))
    took_s, cpu_s = time.perf_counter() - start, time.process_time() - cpu
    claims = sum(map(len, drafts))
    rate, cpu_rate = len(read) / took_s, len(read) / cpu_s
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{path.name}: {len(read)} messages, {claims} claims ({claims / len(read):.2f} a message)")
    print(
        f"load {load_s:.1f} s, {rate:.0f} messages/s ({cpu_rate:.0f} a CPU second), peak memory {peak_mb:.0f} MB"
    )
    if show:
        for episode, found in zip(read, drafts, strict=True):
            for d in found:
                thing = d.object.text if isinstance(d.object, Value) else d.object.name
                print(f"{d.subject.name} {d.predicate} {thing} [{d.says}, {d.modality}, {d.confidence}]")
                print(f"    {episode.text[d.quote_start : d.quote_end]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, nargs="+")
    parser.add_argument("--show", action="store_true", help="print every claim with its quote")
    arguments = parser.parse_args()
    for path in arguments.path:
        asyncio.run(measure(path, show=arguments.show))


if __name__ == "__main__":
    main()
