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


class Watch:
    """Repeats ``interrupt`` until the query has ended: one that comes before the query has started is lost."""

    def __init__(self, interrupt: Callable[[], None]) -> None:
        self.timed_out = False
        self.cancelled = False
        self._interrupt = interrupt
        self._ended = threading.Event()

    def cancel(self) -> None:
        self.cancelled = True
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
    timer = _Timer.after(timeout, watch.time_out) if timeout else None
    try:
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
    """A deadline on one shared clock thread (a thread of its own for each query would cost more than the query)."""

    _lock = threading.Condition()
    _waiting: ClassVar[list[_Timer]] = []
    _running = False

    def __init__(self, deadline: float, callback: Callable[[], None]) -> None:
        self.deadline = deadline
        self.callback: Callable[[], None] | None = callback

    @classmethod
    def after(cls, seconds: float, callback: Callable[[], None]) -> _Timer:
        timer = cls(time.monotonic() + seconds, callback)
        with cls._lock:
            cls._waiting.append(timer)
            if not cls._running:
                cls._running = True
                threading.Thread(target=cls._clock, name="svc-query-clock", daemon=True).start()
            cls._lock.notify()
        return timer

    def drop(self) -> None:
        with self._lock:
            self.callback = None
            if self in self._waiting:
                self._waiting.remove(self)
            self._lock.notify()

    @classmethod
    def _clock(cls) -> None:
        while True:
            with cls._lock:
                if not cls._waiting and not cls._lock.wait(5.0) and not cls._waiting:
                    cls._running = False
                    return
                now = time.monotonic()
                due = [t for t in cls._waiting if t.deadline <= now]
                cls._waiting = [t for t in cls._waiting if t.deadline > now]
                if not due and cls._waiting:
                    cls._lock.wait(min(t.deadline for t in cls._waiting) - now)
            for timer in due:
                if timer.callback is not None:
                    threading.Thread(target=timer.callback, name="svc-query-timeout", daemon=True).start()
