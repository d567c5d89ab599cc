"""Waits of a task: one limit for each of many, by one timer; and the first end of several, without what it came to."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any

__all__ = ["Waits", "first_end"]


async def first_end(*futures: asyncio.Future[Any], within: float | None = None) -> None:
    """Until one of the futures is done, whatever came of it, or for so many seconds; none of them is cancelled.

    `asyncio.wait` for the first of them, in a third of its steps.
    """
    if any(future.done() for future in futures):
        return
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()

    def end(_: object = None) -> None:
        if not ended.done():
            ended.set_result(None)

    for future in futures:
        future.add_done_callback(end)
    late = None if within is None else loop.call_later(within, end)
    try:
        await ended
    finally:
        if late is not None:
            late.cancel()
        for future in futures:
            future.remove_done_callback(end)


class Waits:
    """``with waits:`` around what is awaited raises ``TimeoutError`` when that takes longer than ``limit`` seconds.

    What `asyncio.timeout` does for one wait; here a wait costs no timer of its own. Whoever is done calls
    :meth:`close`.

    Parameters
    ----------
    limit
        Seconds; None waits for ever.
    """

    __slots__ = ("_asked", "_limit", "_loop", "_over", "_since", "_task", "_timer")

    def __init__(self, limit: float | None) -> None:
        self._limit = limit
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[object] | None = None  # whose wait it is, while there is one
        self._since = 0.0
        self._asked = 0  # how often that task had been asked to end before
        self._over = False

    def __enter__(self) -> None:
        if self._limit is None:
            return
        task = asyncio.current_task()
        assert task is not None
        self._task, self._asked = task, task.cancelling()
        self._since = self._loop.time()
        if self._timer is None:
            self._timer = self._loop.call_at(self._since + self._limit, self._look)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        task, self._task = self._task, None
        if not self._over or task is None:
            return
        self._over = False
        # As asyncio.timeout does: somebody else's cancel() that came at the same time has the right of way.
        if task.uncancel() <= self._asked and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def close(self) -> None:
        """Nothing more is waited for."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        if self._task is None or self._limit is None:
            return
        # The timer was set for a wait that has ended since; it goes on from where the present one began, and is not set
        # anew for each.
        due = self._since + self._limit
        if due > self._loop.time():
            self._timer = self._loop.call_at(due, self._look)
        else:
            self._over = True
            self._task.cancel()
