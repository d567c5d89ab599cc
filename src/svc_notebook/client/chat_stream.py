"""The frames of one turn as they come: an iterator and a context manager, with ``.answer`` beside."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Self

from ..protocol.chat import Message
from ..results.answer import Answer
from .engine.mailbox import Closed, Mailbox
from .engine.portal import HEARTBEAT
from .turn import StreamHandle

__all__ = ["AHEAD", "AsyncChatStream", "ChatStream"]

AHEAD = 1_000
"""Frames that may wait for a reader before the reading is held."""


class _Frames:
    """A reader's end of a turn. Leaving it early stops the reading, not the turn; an interrupt stops both."""

    def __init__(self, handle: StreamHandle, mailbox: Mailbox[tuple[Message, Answer]]) -> None:
        self._handle = handle
        self._mailbox = mailbox
        self._waiting: Iterator[tuple[Message, Answer]] = iter(())
        self._answer: Answer | None = None

    @property
    def answer(self) -> Answer:
        """The answer as far as it has been read here; after the last frame, the whole of it."""
        return self._answer or self._handle.answer

    @property
    def chat_id(self) -> str | None:
        return self._handle.chat_id

    def __del__(self) -> None:
        self._handle.cancel()


class ChatStream(_Frames):
    """The frames of one turn, read in the calling thread."""

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Message:
        for message, answer in self._waiting:
            self._answer = answer
            return message
        try:
            self._waiting = iter(self._mailbox.take_blocking())
        except Closed:
            self._answer = None
            raise StopIteration from None
        return next(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            self.abort()
        self.close()

    def abort(self) -> bool:
        """Stop the turn at the service; what comes until it ends can still be read."""
        return self._handle.abort().result()

    def close(self) -> None:
        """Stop reading."""
        self._answer = None
        self._handle.cancel()


class AsyncChatStream(_Frames):
    """The frames of one turn, read on the calling loop."""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Message:
        for message, answer in self._waiting:
            self._answer = answer
            return message
        try:
            self._waiting = iter(await self._mailbox.take_async(heartbeat=HEARTBEAT))
        except Closed:
            self._answer = None
            raise StopAsyncIteration from None
        return await anext(self)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and issubclass(kind, (KeyboardInterrupt, asyncio.CancelledError)):
            await self.abort()
        await self.close()

    async def abort(self) -> bool:
        """As :meth:`ChatStream.abort`."""
        return await asyncio.wrap_future(self._handle.abort())

    async def close(self) -> None:
        """As :meth:`ChatStream.close`."""
        self._answer = None
        self._handle.cancel()
