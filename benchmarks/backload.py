"""How fast ``add_many`` takes chats in, end to end, into a fresh file with vectors of facts and episodes.

    python benchmarks/backload.py ../shared/data/locomo/locomo_dev.json.gz ../shared/data/evermem_demo/*.json
        [--batch N] [--one-by-one]

Takes LoCoMo's format (``conversation`` with ``session_1``, ``session_1_date_time`` ...) and evermem's
(``conversation_list`` with ``create_time``, ``sender_name`` and ``content``); each conversation is a tenant. Every
message is an episode of its session. The models are warm; loading them is told apart. ``--one-by-one`` adds each
with ``add`` instead.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from hitherto import Memory
from hitherto.backload import BATCH

Items = list[dict[str, object]]


def conversations(path: Path) -> Iterator[tuple[str, Items]]:
    """Each conversation's name and what ``add_many`` takes."""
    packed = path.read_bytes()
    data = json.loads(gzip.decompress(packed) if path.suffix == ".gz" else packed)
    if isinstance(data, dict):
        yield path.stem, [_evermem(message) for message in data["conversation_list"]]
        return
    for number, one in enumerate(data, 1):
        yield f"{path.stem} {number}", list(_locomo(one["conversation"]))


def _evermem(message: dict[str, str]) -> dict[str, object]:
    role = "assistant" if message["sender"].startswith("robot") else "user"
    return {
        "content": message["content"],
        "role": role,
        "name": message["sender_name"],
        "time": message["create_time"],
        "session": "chat",
    }


def _locomo(conversation: dict[str, object]) -> Iterator[dict[str, object]]:
    for key, turns in conversation.items():
        if not isinstance(turns, list):
            continue
        said = datetime.strptime(str(conversation[f"{key}_date_time"]), "%I:%M %p on %d %B, %Y").replace(
            tzinfo=UTC
        )
        for number, turn in enumerate(turns):
            at = said.timestamp() + 30 * number
            time_ = datetime.fromtimestamp(at, UTC)
            yield {"content": turn["text"], "name": turn["speaker"], "time": time_, "session": key}


async def warm_up() -> float:
    began = time.perf_counter()
    async with Memory.open(":memory:", tenant="warm") as memory:
        await memory.add_many(["Alice works at TechCorp.", "Alice 住在北京。"])
    return time.perf_counter() - began


async def measure(paths: Sequence[Path], batch: int, *, one_by_one: bool) -> None:
    print(f"models loaded in {await warm_up():.1f} s")
    messages = beliefs = 0
    took_s = cpu_s = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            for name, items in conversations(path):
                async with Memory.open(str(Path(folder) / "fresh.db"), tenant=name) as memory:
                    began, cpu = time.perf_counter(), time.process_time()
                    await (_one_by_one(memory, items) if one_by_one else memory.add_many(items, batch=batch))
                    took, used = time.perf_counter() - began, time.process_time() - cpu
                    held = (await memory.status()).beliefs
                show(name, len(items), held, (took, used))
                messages, beliefs = messages + len(items), beliefs + held
                took_s, cpu_s = took_s + took, cpu_s + used
    show("all", messages, beliefs, (took_s, cpu_s))
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


async def _one_by_one(memory: Memory, items: Items) -> None:
    for item in items:
        message = {name: item[name] for name in ("content", "role", "name", "time") if name in item}
        await memory.add(message, session=str(item["session"]))


def show(name: str, messages: int, beliefs: int, seconds: tuple[float, float]) -> None:
    took, cpu = seconds
    print(
        f"{name:24} {messages:6,} messages {beliefs:6,} beliefs {took:7.1f} s  {messages / took:5.0f} messages/s "
        f"({messages / cpu:.0f} a CPU second)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, nargs="+")
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--one-by-one", action="store_true")
    arguments = parser.parse_args()
    asyncio.run(measure(arguments.path, arguments.batch, one_by_one=arguments.one_by_one))


if __name__ == "__main__":
    main()
