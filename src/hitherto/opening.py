"""Opening something that has to be closed: awaited, or with ``async with``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Generic, Protocol, TypeVar


class Closable(Protocol):
    async def close(self) -> None: ...


T = TypeVar("T", bound=Closable)


class Opening(Generic[T]):
    """What ``Memory.open`` and ``Admin.open`` return: await it, or use it with ``async with``."""

    def __init__(self, opens: Callable[[], Awaitable[T]]) -> None:
        self._opens = opens
        self._opened: T | None = None

    def __await__(self) -> Generator[Any, None, T]:
        return self._opens().__await__()

    async def __aenter__(self) -> T:
        self._opened = await self._opens()
        return self._opened

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._opened is not None:
            await self._opened.close()


def system_clock() -> datetime:
    """The machine's clock, in UTC."""
    return datetime.now(UTC)
