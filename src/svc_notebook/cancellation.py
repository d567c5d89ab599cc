"""The stop token: one thread-safe, idempotent object passed down to whatever can block.

A turn owns one token. Whoever wants the turn to end calls :meth:`CancellationToken.cancel` with a reason;
whoever does the work either polls :meth:`~CancellationToken.raise_if_cancelled` between steps or registers a
callback (interrupt a query, close an upstream request) with :meth:`~CancellationToken.on_cancel`. On the same way back
up whatever can say how far it is does so: :meth:`~CancellationToken.reporting`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["CancellationToken", "Cancelled"]


class Cancelled(Exception):
    """The work was stopped on purpose; ``reason`` says by whom or why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class CancellationToken:
    """A stop signal that may be given from any thread, any number of times; the first reason stays."""

    __slots__ = ("_callbacks", "_event", "_lock", "_probe", "_reason")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._reason: str | None = None
        self._probe: Callable[[], float | None] | None = None
        self._callbacks: dict[int, Callable[[], None]] = {}

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()

    @property
    def reason(self) -> str | None:
        return self._reason

    def cancel(self, reason: str = "cancelled") -> bool:
        """Give the signal. Returns whether this call was the first. Callbacks run in the calling thread."""
        with self._lock:
            if self._event.is_set():
                return False
            self._reason = reason
            self._event.set()
            callbacks = list(self._callbacks.values())
            self._callbacks.clear()
        # Outside the lock: a callback may register or cancel in turn.
        for callback in callbacks:
            callback()
        return True

    @contextmanager
    def on_cancel(self, callback: Callable[[], None]) -> Iterator[None]:
        """While the block runs, call ``callback`` once if the token is cancelled (at once, if it already is)."""
        key = object()
        with self._lock:
            run_now = self._event.is_set()
            if not run_now:
                self._callbacks[id(key)] = callback
        if run_now:
            callback()
        try:
            yield
        finally:
            with self._lock:
                self._callbacks.pop(id(key), None)

    @contextmanager
    def reporting(self, probe: Callable[[], float | None]) -> Iterator[None]:
        """While the block runs, ``probe`` says which part of it is done, 0 to 1, or None where that is not known."""
        self._probe = probe
        try:
            yield
        finally:
            self._probe = None

    @property
    def progress(self) -> float | None:
        """How far the work is that runs under this token, 0 to 1; None where nobody knows."""
        probe = self._probe
        return None if probe is None else probe()

    def raise_if_cancelled(self) -> None:
        if self._event.is_set():
            raise Cancelled(self._reason or "cancelled")

    def wait(self, timeout: float | None = None) -> bool:
        """Block until cancelled or until ``timeout`` seconds have passed; returns whether it was cancelled."""
        return self._event.wait(timeout)
