"""A long document: what reading it takes, and whether a sentence deep in it is found.

    python benchmarks/documents.py [--characters 125000] [--data ../shared/data] [--url URL]

The document is made of the assistant's long replies in LongMemEval (dev), a heading above each; twelve sentences
about people who stand nowhere else are put between its paragraphs, evenly. Each is then asked for in other words.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import time
import uuid
from pathlib import Path
from typing import Final

import talks

from hitherto import Memory

NEEDLES: Final = (
    ("Marta Nilsen painted the zebra crossing purple.", "Who coloured the pedestrian crossing?"),
    ("The observatory was sold to Ingrid Falk for eleven crowns.", "Who bought the observatory?"),
    ("Tobias Renner keeps ostriches behind the courthouse.", "Where are the ostriches kept?"),
    ("The lighthouse keeper's accordion belongs to Pavel Dusek.", "Whose accordion is at the lighthouse?"),
    ("Yusra Haddad translated the tram timetable into Latin.", "Who put the tram timetable into Latin?"),
    ("The glacier expedition was called off by Henrik Vold.", "Who cancelled the expedition to the glacier?"),
    ("Odile Marchand repairs church clocks with bicycle chains.", "How does Odile Marchand repair clocks?"),
    ("Kofi Mensah won the lantern contest in Tamale.", "Who won the contest for lanterns?"),
    ("The submarine museum opens on Thursdays only.", "When is the museum of submarines open?"),
    ("Bruna Teixeira exports cork helmets to Iceland.", "What is exported to Iceland?"),
    ("Sixteen violins were lost in the canal fire.", "How many violins burned?"),
    ("The mayor's parrot learned to imitate the fire alarm.", "What does the parrot imitate?"),
)


def document(data: Path, characters: int) -> str:
    found = talks.load(data / "longmemeval" / "longmemeval_dev.json.gz")
    replies = {
        turn["content"]: None
        for item in found
        for session in item["haystack_sessions"]
        for turn in session
        if turn["role"] == "assistant" and len(turn["content"]) > 1_500
    }
    parts, size = list[str](), 0
    for number, reply in enumerate(replies, 1):
        parts += [f"## Part {number}", *reply.split("\n\n")]
        size += len(reply)
        if size >= characters:
            break
    step = len(parts) // (len(NEEDLES) + 1)
    for place in reversed(range(len(NEEDLES))):
        parts.insert(step * (place + 1), NEEDLES[place][0])
    return "\n\n".join(parts)


async def measure(url: str, text: str) -> None:
    async with Memory.open(url, tenant=f"document {uuid.uuid4()}") as memory:
        await memory.add("I live in Oslo.", actor="warm")
        before, start, began = _peak_mb(), time.process_time(), time.perf_counter()
        await memory.add(text, actor="author", source="wiki")
        taken, wall = time.process_time() - start, time.perf_counter() - began
        more = _peak_mb() - before
        print(f"{len(text):,} characters: {wall:.1f} s, {taken:.1f} s of CPU here, {more} MB more at the peak")
        places = []
        for needle, question in NEEDLES:
            hits = (await memory.search(question, kinds=["episode"], limit=10)).episodes
            found = (number for number, hit in enumerate(hits, 1) if needle in hit.quote)
            places.append(next(found, 0))
        first, ten = sum(place == 1 for place in places), sum(place > 0 for place in places)
        print(f"of {len(NEEDLES)} sentences, the passage is the first hit for {first}, in the first ten for {ten}")


def _peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--characters", type=int, default=125_000)
    parser.add_argument("--data", type=Path, default=talks.DATA)
    parser.add_argument("--url", default=":memory:", help="a store that may be written to")
    args = parser.parse_args()
    asyncio.run(measure(args.url, document(args.data, args.characters)))


if __name__ == "__main__":
    main()
