"""Stopping a running query: by the stop token, and by the clock where the engine's own limit does not reach."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar

from svc_notebook.cancellation import CancellationToken

__all__ = ["Watch", "watched"]

_REPEAT = 0.02
# Longer than the pauses between queries of a notebook that is in use, so that the thread is not started for each.
_IDLE = 5.0


class Watch:
    """Repeats ``interrupt`` until the query has ended: one that comes before the query has started is lost."""

    def __init__(self, interrupt: Callable[[], None]) -> None:
        self.timed_out = False
        self.cancelled = False
        self._interrupt = interrupt
        self._ended = threading.Event()

    def cancel(self) -> None:
        self.cancelled = True
        # In a thread: cancel() may be called on a loop, and repeating waits.
        threading.Thread(target=self._repeat, name="svc-interrupt", daemon=True).start()

    def time_out(self) -> None:
        self.timed_out = True
        self._repeat()

    def end(self) -> None:
        self._ended.set()

    def _repeat(self) -> None:
        while not self._ended.is_set():
            self._interrupt()
            self._ended.wait(_REPEAT)


@contextmanager
def watched(
    interrupt: Callable[[], None], *, cancel: CancellationToken | None, timeout: float | None
) -> Iterator[Watch]:
    """While the block runs, interrupt it when the token is cancelled or ``timeout`` seconds are over."""
    watch = Watch(interrupt)
    timer = _Timer(time.monotonic() + timeout, watch.time_out) if timeout else None
    try:
        if timer is not None:
            timer.begin()  # here, so that it is dropped whatever a signal raises meanwhile
        if cancel is None:
            yield watch
        else:
            with cancel.on_cancel(watch.cancel):
                yield watch
    finally:
        watch.end()
        if timer is not None:
            timer.drop()


class _Timer:
    """A deadline on one shared clock thread (a thread of its own for each query would cost more than the query).

    The clock is woken for a deadline that is sooner than what it waits for, which is rare, and by no query's end.
    """

    _lock = (
        threading.RLock()
    )  # taken as one step; a condition's own lock is taken line by line, a signal may be met between
    _wake = threading.Condition(_lock)
    _waiting: ClassVar[set[_Timer]] = set()
    _thread: ClassVar[threading.Thread | None] = None
    _wakes = 0.0

    def __init__(self, deadline: float, callback: Callable[[], None]) -> None:
        self.deadline = deadline
        self.callback: Callable[[], None] | None = callback

    def begin(self) -> None:
        with self._lock:
            self._waiting.add(self)
            if _Timer._thread is None or not _Timer._thread.is_alive():  # a start that a signal broke off, a fork
                _Timer._thread = threading.Thread(target=self._clock, name="svc-query-clock", daemon=True)
                _Timer._thread.start()
            elif self.deadline < self._wakes:
                self._wake.notify()

    def drop(self) -> None:
        with self._lock:
            self.callback = None
            self._waiting.discard(self)

    @classmethod
    def _clock(cls) -> None:
        while True:
            with cls._lock:
                now = time.monotonic()
                due = [timer for timer in cls._waiting if timer.deadline <= now]
                cls._waiting.difference_update(due)
                if not due and not cls._wait(now):
                    cls._thread = None
                    return
            for timer in due:
                if timer.callback is not None:
                    # The clock itself must not wait for one query's end while others are due.
                    threading.Thread(target=timer.callback, name="svc-query-timeout", daemon=True).start()

    @classmethod
    def _wait(cls, now: float) -> bool:
        """Until the next deadline, or for a while; returns whether there is anything to wait for."""
        cls._wakes = min((timer.deadline for timer in cls._waiting), default=now + _IDLE)
        cls._wakes = min(cls._wakes, now + _IDLE)
        idle = not cls._waiting
        cls._wake.wait(cls._wakes - now)
        return not idle or bool(cls._waiting)
