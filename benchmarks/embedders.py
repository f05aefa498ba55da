"""What an offline embedder costs: load time, memory, texts a second, a question.

    python benchmarks/embedders.py [use|e5 ...] [--data DATA]

Turns of LoCoMo dev, each embedder in a process of its own. What it finds: ``benchmarks/recall.py --embedder
NAME``.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import resource
import time
from pathlib import Path

import numpy as np
from recall import locomo_talk
from talks import DATA, load

from hitherto.extraction.embedder_names import NAMES, embedder_named
from hitherto.kg.embedding import Purpose


async def measure(name: str, data: Path) -> None:
    sample = load(data / "locomo" / "locomo_dev.json.gz")[0]
    texts = [episode.text for episode in locomo_talk(sample["conversation"])]
    questions = [asked["question"] for asked in sample["qa"]][:100]
    embedder, before = embedder_named(name), peak_mib()
    began = time.process_time()
    await embedder.embed(["load"], Purpose.PASSAGE)
    load_s, began = time.process_time() - began, time.process_time()
    await embedder.embed(texts, Purpose.PASSAGE)
    rate = len(texts) / (time.process_time() - began)
    spent = []
    for question in questions:
        began = time.process_time()
        await embedder.embed([question], Purpose.QUERY)
        spent.append(1000 * (time.process_time() - began))
    print(
        f"{name:<4} load {load_s:.1f} s, {peak_mib() - before:.0f} MiB more at the peak; {rate:.0f} turns/s of "
        f"CPU; a question {np.median(spent):.1f} ms"
    )


def peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run(name: str, data: Path) -> None:
    asyncio.run(measure(name, data))


def main() -> None:
    parser = argparse.ArgumentParser(description="What an offline embedder costs.")
    parser.add_argument("names", nargs="*", default=list(NAMES), help="use, e5")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the public sets")
    options = parser.parse_args()
    for name in options.names:
        process = multiprocessing.get_context("spawn").Process(target=run, args=(name, options.data))
        process.start()
        process.join()


if __name__ == "__main__":
    main()
