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
    todo = [work]
    thread = threading.Thread(target=_fulfil, args=(done, todo), name="svc-apart")
    try:
        thread.start()  # waits for the thread to begin: a signal may be met here as well
        while not done.done():
            concurrent.futures.wait([done], timeout=_HEARTBEAT)  # in steps: a signal is noticed on every platform
    except BaseException:
        if not _taken(todo):
            while not done.done():
                interrupt()
                concurrent.futures.wait([done], timeout=0.02)  # an interrupt that comes before its query is lost
            thread.join()
        raise
    return done.result()


def _taken(todo: list[Callable[[], T]]) -> Callable[[], T] | None:
    """The work, for the first who asks: the thread that is to do it, or whoever gives it up before that."""
    try:
        return todo.pop()
    except IndexError:
        return None


def _fulfil(done: concurrent.futures.Future[T], todo: list[Callable[[], T]]) -> None:
    work = _taken(todo)
    if work is None:
        return
    try:
        done.set_result(work())
    except BaseException as error:  # noqa: BLE001  # whatever it is, it is raised where the work was asked for
        done.set_exception(error)
