"""Threads that own their SQLite connection and do one job at a time, so that the event loop never waits."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar

from ....temporal.errors import Unavailable

T = TypeVar("T")
Job: TypeAlias = Callable[[sqlite3.Connection], T]
_Opened: TypeAlias = Callable[[], sqlite3.Connection]
_Queue: TypeAlias = "SimpleQueue[Callable[[_Opened], None] | None]"


class Workers:
    """``count`` threads over one queue: with one, jobs run strictly in the order they were given."""

    def __init__(self, connect: Callable[[], sqlite3.Connection], count: int, name: str) -> None:
        self._queue: _Queue = SimpleQueue()
        self._connect = connect
        self._closed = False
        self._threads = [
            threading.Thread(target=self._work, name=f"hitherto-{name}-{n}", daemon=True) for n in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def post(self, job: Job[None]) -> None:
        """Run ``job`` after those given before; nobody waits for it, and it must not raise."""
        self._queue.put(lambda db: job(db()))

    async def run(self, job: Job[T]) -> T:
        """The job's result. When the waiting task is cancelled, the job still runs to its end."""
        if self._closed:
            raise Unavailable("this store is closed; open it again")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def call(db: _Opened) -> None:
            try:
                result = job(db())
            except BaseException as error:
                _answer(loop, future, future.set_exception, error)
            else:
                _answer(loop, future, future.set_result, result)

        self._queue.put(call)
        return await future

    async def close(self) -> None:
        """Finish what was given, then end the threads and their connections."""
        if self._closed:
            return
        self._closed = True
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            await asyncio.to_thread(thread.join)

    def _work(self) -> None:
        opened: list[sqlite3.Connection] = []

        def db() -> sqlite3.Connection:
            if not opened:
                opened.append(self._connect())
            return opened[0]

        while (call := self._queue.get()) is not None:
            call(db)
            del call
        for connection in opened:
            connection.close()


def _answer(
    loop: asyncio.AbstractEventLoop, future: asyncio.Future[Any], settle: Callable[[Any], None], value: object
) -> None:
    def on_loop() -> None:
        if not future.done():
            settle(value)

    # A loop that is closed has nobody left to hear the answer.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(on_loop)
