"""Items from the engine thread to one reader, in batches, with a bound.

Whatever waits is taken at once: a reader that was away finds one batch, not a thousand wake-ups. The writer is the
engine's loop; it is held (asynchronously) while more than ``high`` units wait. The reader may sit in a thread, on the
same loop or on another one; it is woken once per batch by the way it armed.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["Closed", "Mailbox"]

T = TypeVar("T")


class Closed(Exception):
    """Nothing more will come."""


class Mailbox(Generic[T]):
    """A queue with one writer (a coroutine of ``loop``) and one reader (anywhere).

    Parameters
    ----------
    loop
        The writer's loop.
    high
        How many units may wait before the writer is held; the unit is the caller's (bytes, items).
    """

    __slots__ = (
        "_at_once", "_closed", "_error", "_high", "_items", "_lock", "_loop", "_room", "_size", "_wake", "_waking",
    )  # fmt: skip

    def __init__(self, loop: asyncio.AbstractEventLoop, high: int) -> None:
        self._loop = loop
        self._high = high
        self._lock = threading.Lock()
        self._items: list[T] = []
        self._size = 0
        self._closed = False
        self._error: BaseException | None = None
        self._wake: Callable[[], object] | None = None
        self._at_once = False
        self._waking = False
        self._room: asyncio.Future[None] | None = None

    @property
    def closed(self) -> bool:
        return self._closed

    # the writer's side, on the loop

    def post(self, item: T, size: int = 1) -> bool:
        """Add an item; returns whether the writer should wait for :meth:`room` before the next.

        The reader is woken when the writer's loop gets its turn, so that what a busy writer makes in one go is one
        batch.
        """
        with self._lock:
            if self._closed:
                return False
            self._items.append(item)
            self._size += size
            full, wake = self._size >= self._high, None
            # A reader on the writer's own loop gets no turn before the writer awaits: to wake it now batches just as
            # much.
            if self._wake is not None and self._at_once:
                wake, self._wake = self._wake, None
            elif self._wake is not None and not self._waking:
                self._waking = True
                # Once the writer awaits, not now: waking a thread costs as much as a dozen lines do.
                self._loop.call_soon(self._wake_up)
        if wake is not None:
            wake()
        return full

    def _wake_up(self) -> None:
        with self._lock:
            wake, self._wake = self._wake, None
            self._waking = False
        if wake is not None:
            wake()

    async def room(self) -> None:
        """Wait until the reader has taken what waits, or is gone."""
        with self._lock:
            # Between post() and here the reader may have emptied the box; nobody would ever open this room then.
            if self._size < self._high or self._closed:
                return
            self._room = room = self._loop.create_future()
        await room

    def close(self, error: BaseException | None = None) -> None:
        """Nothing more will come; the reader still gets what waits, then ``error`` or the end. From any thread."""
        with self._lock:
            if self._closed:
                return
            self._closed, self._error = True, error
            wake, self._wake = self._wake, None
            room, self._room = self._room, None
        if wake is not None:
            wake()
        if room is not None:
            self._release(room)

    # the reader's side

    def take(self, wake: Callable[[], object], *, at_once: bool = False) -> list[T] | None:
        """All that waits; or None, and ``wake`` is called (on the writer's thread) when there is more.

        ``at_once``: with the first item, not when the writer's loop gets its turn. A reader on that loop gets its own
        turn no sooner.

        Raises
        ------
        Closed
            When nothing more will come.
        """
        with self._lock:
            # The whole list changes hands, so nothing is copied or popped one by one while the lock is held.
            items, room = self._items, self._room
            if items:
                self._items, self._size, self._room = [], 0, None
            elif self._closed:
                if self._error is not None:
                    raise self._error
                raise Closed
            else:
                self._wake, self._at_once = wake, at_once
                return None
        if room is not None:
            self._release(room)
        return items

    def take_blocking(self, timeout: float | None = None, heartbeat: float = 0.1) -> list[T]:
        """Wait in the calling thread until there is something, in short steps so that Ctrl-C is noticed everywhere.

        Raises
        ------
        TimeoutError
            When nothing has come for ``timeout`` seconds.
        """
        gate = threading.Lock()  # an Event is one with a page of Python around it, for each wait
        gate.acquire()
        deadline = None if timeout is None else time.monotonic() + timeout
        # Taken again after each wake-up: close() wakes as well, and is told of by what take() raises.
        while (items := self.take(gate.release)) is None:
            while not gate.acquire(timeout=heartbeat):
                # A writer whose loop was torn down posts no end; without this look its reader would wait for ever.
                if self._loop.is_closed():
                    raise Closed
                if deadline is not None and time.monotonic() > deadline:
                    raise TimeoutError
        return items

    async def take_async(self, heartbeat: float | None = None) -> list[T]:
        """Wait on the calling loop, whichever it is, until there is something; with a heartbeat if one is asked for."""
        loop = asyncio.get_running_loop()
        while True:
            gate = loop.create_future()
            here = loop is self._loop
            items = self.take(_opener(gate, loop, same=here), at_once=here)
            if items is not None:
                return items
            if heartbeat is None:
                await gate
            else:
                while not gate.done():
                    await asyncio.wait({gate}, timeout=heartbeat)

    def _release(self, room: asyncio.Future[None]) -> None:
        try:
            self._loop.call_soon_threadsafe(_open, room)
        except RuntimeError:  # the loop is closed: nobody waits there any more
            return


def _opener(gate: asyncio.Future[None], loop: asyncio.AbstractEventLoop, *, same: bool) -> Callable[[], object]:
    if same:
        return lambda: _open(gate)

    def wake() -> None:
        try:
            loop.call_soon_threadsafe(_open, gate)
        except RuntimeError:  # the reader's loop is closed: nobody waits there any more
            return

    return wake


def _open(gate: asyncio.Future[None]) -> None:
    if not gate.done():
        gate.set_result(None)
