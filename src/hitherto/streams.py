"""Streams of what a user gives, on their way to batches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable
from typing import TypeVar

from .temporal.errors import HithertoError

T = TypeVar("T")


async def each(items: Iterable[T] | AsyncIterable[T]) -> AsyncIterator[T]:
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item


async def read_ahead(batches: AsyncGenerator[T, None]) -> AsyncGenerator[T, None]:
    """The same batches; the next one is made ready while one is worked on, and its error is raised after that."""
    waiting = asyncio.create_task(anext(batches, None))
    try:
        while (batch := await waiting) is not None:
            waiting = asyncio.create_task(anext(batches, None))
            yield batch
    finally:
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await batches.aclose()


class numbered:  # noqa: N801 (read as a statement)
    """Says of an error raised inside which one of the stream it is about: "item 3", "row 17"."""

    __slots__ = ("_noun", "_number")

    def __init__(self, noun: str, number: int) -> None:
        self._noun = noun
        self._number = number

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, HithertoError):
            raise with_number(self._noun, self._number, error) from None
        if error is not None:
            error.add_note(f"{self._noun} {self._number}")


def with_number(noun: str, number: int, error: HithertoError) -> HithertoError:
    return type(error)(f"{noun} {number}: {str(error).removeprefix('fact: ')}", code=error.code)
