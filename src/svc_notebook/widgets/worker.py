"""One thread per widget that does what may block, in order, so that a handler only has to post and return.

A handler may run on the kernel's main thread or on a subshell's thread, depending on kernel and front end; neither may
wait for the service. The thread runs in the context in which the worker was made, so that what it sends belongs to
that cell (and ipykernel 7.0, which looks its parent message up in the context, finds one).
"""

from __future__ import annotations

import contextvars
import heapq
import itertools
import logging
import queue
import threading
import time
import weakref
from collections.abc import Callable

from ..client.errors import SvcError

__all__ = ["Worker"]

_log = logging.getLogger(__name__)
_IDLE_SECONDS = 30.0

Job = Callable[[], object]


class Worker:
    """Runs posted jobs one after the other on a daemon thread that ends when idle and starts again on demand.

    Parameters
    ----------
    on_error : callable
        Told about the exception of a job; the next job runs all the same.
    """

    def __init__(self, on_error: Callable[[Exception], None]) -> None:
        # Weakly: the widget holds its worker, and a thread that is idle for half a minute would hold the widget.
        self._on_error = weakref.WeakMethod(on_error) if hasattr(on_error, "__self__") else (lambda: on_error)
        self._context = contextvars.copy_context()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._timed: list[tuple[float, int, Job]] = []
        self._order = itertools.count()

    def post(self, job: Job) -> None:
        """Run ``job`` soon, after those posted before; from any thread."""
        with self._lock:
            self._jobs.put(job)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._context.copy().run, args=(self._run,), name="svc-widget", daemon=True
                )
                self._thread.start()

    def post_at(self, due: float, job: Job) -> None:
        """Run ``job`` when ``time.monotonic()`` has reached ``due``."""
        # By way of the thread itself, which alone touches the heap; waking it also has it look at its clock again.
        self.post(lambda: heapq.heappush(self._timed, (due, next(self._order), job)))

    def _run(self) -> None:
        while True:
            wait = min(_IDLE_SECONDS, self._timed[0][0] - time.monotonic()) if self._timed else _IDLE_SECONDS
            try:
                job = self._jobs.get(timeout=max(0.0, wait)) if wait > 0 else heapq.heappop(self._timed)[2]
            except queue.Empty:
                with self._lock:
                    # Under the lock of post(): a job that has just come finds this thread, or none and starts one.
                    if not self._timed and self._jobs.empty():
                        self._thread = None
                        return
                continue
            try:
                job()
            except SvcError as refused:  # said to the person in its own words: no traceback beside it
                if (tell := self._on_error()) is not None:
                    tell(refused)
            except Exception as problem:  # noqa: BLE001 - the widget's outer door: told to the person, and the next click works
                _log.exception("a widget's command failed")
                if (tell := self._on_error()) is not None:
                    tell(problem)
