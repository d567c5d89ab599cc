"""What the main thread asks of the engine is done on a thread apart, so that a signal ends it as it ends anything else.

DuckDB looks for signals while it computes on the main thread. It stops by one, but loses what the signal's handler
raised: Ctrl-C, a supervisor's ``sys.exit`` or a timeout came out as an engine that failed.
"""

from __future__ import annotations

import concurrent.futures
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["apart"]

T = TypeVar("T")
_HEARTBEAT = 0.1


def apart(interrupt: Callable[[], None], work: Callable[[], T]) -> T:
    """The result of ``work``; what a signal raises meanwhile is raised here, once ``work`` has ended.

    On any other thread, and where there are none, ``work`` is simply called.
    """
    if threading.current_thread() is not threading.main_thread() or sys.platform == "emscripten":
        return work()
    done: concurrent.futures.Future[T] = concurrent.futures.Future()
    thread = threading.Thread(target=_fulfil, args=(done, work), name="svc-apart")
    thread.start()
    try:
        while not done.done():
            concurrent.futures.wait([done], timeout=_HEARTBEAT)  # in steps: a signal is noticed on every platform
    except BaseException:
        while thread.is_alive():
            interrupt()
            thread.join(0.02)  # an interrupt that comes before its query is lost
        raise
    return done.result()


def _fulfil(done: concurrent.futures.Future[T], work: Callable[[], T]) -> None:
    try:
        done.set_result(work())
    except BaseException as error:  # noqa: BLE001  # whatever it is, it is raised where the work was asked for
        done.set_exception(error)
