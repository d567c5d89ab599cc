"""What a provider streams, gathered: its events leave at once where they come one by one, and together where they rush.

What the libraries do with one event takes many times as long as to receive it. The first event after a pause waits for
nothing; what comes within a moment of it leaves together, texts as one.
"""

from __future__ import annotations

import asyncio
import math
import sys
from contextlib import suppress
from functools import cache
from typing import Any

from .merging import EventMerger

__all__ = ["gathered", "hooks"]

_MOMENT = 0.02
"""Seconds; nobody sees text arrive faster."""
_MOST = 262_144
"""Bytes that wait before the provider does."""


def hooks() -> dict[str, list[Any]]:
    """Event hooks of an HTTP client whose streams are gathered."""
    return {"response": [gathered]}


async def gathered(response: Any) -> None:
    """Have a response be read so, if it is a stream of events as they are."""
    headers = response.headers
    if headers.get("content-type", "").startswith("text/event-stream") and "content-encoding" not in headers:
        response.stream = _kind(type(response).__module__.partition(".")[0])(response.stream)


class _Gathered:
    """The bytes of another stream, which is read ahead by a task of its own.

    No generator: the libraries above wrap it in generators that close each other, and where one read half is found by
    the garbage collector, the loop closes each of them as well; whatever waits in there is then met while it runs.
    """

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._merger = EventMerger()
        self._pieces: list[bytes] = []
        self._size = 0
        self._told = -math.inf
        self._news, self._now, self._room = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._reading: asyncio.Task[None] | None = None

    def __aiter__(self) -> _Gathered:
        # OpenAI's library reads to the last event, and then once more for what lies behind it: that goes on here.
        return self

    async def __anext__(self) -> bytes:
        clock = asyncio.get_running_loop().time
        reading = self._reading = self._reading or asyncio.create_task(self._read())
        while not (reading.done() and not self._pieces):
            await self._news.wait()
            await self._moment(self._told + _MOMENT - clock())
            if events := self._merger.feed(self._taken()):
                self._told = clock()
                return events
        if rest := self._merger.rest():
            return rest
        await reading  # what broke it is told after all that had come
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Stop reading, and let go of the connection."""
        await self._stop()
        await self._inner.aclose()

    async def _read(self) -> None:
        try:
            async for piece in self._inner:
                self._pieces.append(piece)
                self._size += len(piece)
                self._news.set()
                if self._size >= _MOST:
                    self._room.clear()
                    self._now.set()
                    await self._room.wait()
        finally:
            self._news.set()
            self._now.set()

    async def _moment(self, seconds: float) -> None:
        """Wait so long for more, unless there is enough or all of it."""
        if seconds > 0 and not self._now.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._now.wait()

    def _taken(self) -> bytes:
        pieces, self._pieces, self._size = self._pieces, [], 0
        self._room.set()
        if self._reading is not None and not self._reading.done():
            self._news.clear()
            self._now.clear()
        return b"".join(pieces)

    async def _stop(self) -> None:
        reading = self._reading
        if reading is None:
            return
        if not reading.done():
            reading.cancel()
            await asyncio.wait({reading})
        if not reading.cancelled():
            reading.exception()  # whoever reads was told, or wants to know no more


@cache
def _kind(library: str) -> Any:
    """The stream as one of the HTTP library that the provider's own is made with."""
    return type("Gathered", (_Gathered, sys.modules[library].AsyncByteStream), {})
