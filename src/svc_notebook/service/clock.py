"""Time as the service sees it: injectable, and never running backwards.

Expiry follows the wall clock (a machine that slept for a week wakes to expired users), but a wall clock set back must
not revive anybody. :class:`SteadyClock` therefore advances at least as fast as the monotonic clock.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import threading
import time
from datetime import UTC, datetime
from typing import Protocol

__all__ = ["Clock", "ManualClock", "SteadyClock", "SystemClock", "as_datetime"]


class Clock(Protocol):
    """Seconds since the epoch, seconds of a clock that cannot be set, and a pause."""

    def now(self) -> float: ...

    def monotonic(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...


def as_datetime(seconds: float) -> datetime:
    """``seconds`` since the epoch as an aware UTC datetime."""
    return datetime.fromtimestamp(seconds, UTC)


class SystemClock:
    """The machine's own clocks."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class SteadyClock:
    """``clock`` whose ``now`` follows jumps forward and ignores jumps back."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._last = clock.now()
        self._mark = clock.monotonic()

    def now(self) -> float:
        with self._lock:
            mark = self._clock.monotonic()
            # Set back, the wall clock is overtaken by the other one: time goes on at its pace, and does not stand
            # still.
            self._last = max(self._clock.now(), self._last + mark - self._mark)
            self._mark = mark
            return self._last

    def reach(self, moment: float) -> None:
        """It is not earlier than ``moment``: somebody has seen that time already."""
        with self._lock:
            self._last = max(self._last, moment)

    def monotonic(self) -> float:
        return self._clock.monotonic()

    async def sleep(self, seconds: float) -> None:
        await self._clock.sleep(seconds)


class ManualClock:
    """A clock that stands still until told otherwise; its sleepers wake when it is advanced, from any thread."""

    # 2025-11-20 12:00 UTC: any moment will do, as long as it is the same in every run.
    def __init__(self, start: float = 1_763_640_000.0) -> None:
        self._now = start
        self._monotonic = 0.0
        self._lock = threading.Lock()
        self._order = itertools.count()
        # The count decides between sleepers that are due together: loops cannot be compared.
        self._sleepers: list[tuple[float, int, asyncio.AbstractEventLoop, asyncio.Event]] = []

    def now(self) -> float:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic

    async def sleep(self, seconds: float) -> None:
        awake = asyncio.Event()
        with self._lock:
            due = self._monotonic + max(seconds, 0.0)
            if due > self._monotonic:
                heapq.heappush(self._sleepers, (due, next(self._order), asyncio.get_running_loop(), awake))
            else:
                awake.set()
        await awake.wait()

    @property
    def sleepers(self) -> int:
        """How many sleepers wait to be woken."""
        with self._lock:
            return len(self._sleepers)

    def advance(self, seconds: float) -> None:
        """Let ``seconds`` pass on both clocks."""
        self.set_wall(self._now + seconds, monotonic=seconds)

    def set_wall(self, now: float, *, monotonic: float = 0.0) -> None:
        """Set the wall clock, as an administrator might; the other clock advances by ``monotonic`` only."""
        with self._lock:
            self._now = now
            self._monotonic += monotonic
            while self._sleepers and self._sleepers[0][0] <= self._monotonic:
                _, _, loop, awake = heapq.heappop(self._sleepers)
                if not loop.is_closed():
                    loop.call_soon_threadsafe(awake.set)
