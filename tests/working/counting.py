"""A process that counts in a task's slot, so many steps, each resting on the version that it read.

python -m tests.working.counting FILE STEPS
"""

from __future__ import annotations

import asyncio
import sys

from hitherto import Conflict, Memory
from tests.support import ClaimsExtractor, TinyEmbedder


async def count(url: str, steps: int) -> None:
    async with Memory.open(url, tenant="acme", extractor=ClaimsExtractor(), embedder=TinyEmbedder()) as memory:
        while steps:
            task = await memory.task("count")
            try:
                await memory.update_task("count", slots={"n": int(task.slots["n"]) + 1}, expect=task.version)
            except Conflict:
                continue
            steps -= 1


if __name__ == "__main__":
    asyncio.run(count(sys.argv[1], int(sys.argv[2])))
