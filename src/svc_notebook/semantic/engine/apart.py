"""What the main thread asks of the engine is done on a thread apart, so that a signal ends it as it ends anything else.

DuckDB looks for signals while it computes on the main thread. It stops by one, but loses what the signal's handler
raised: Ctrl-C, a supervisor's ``sys.exit`` or a timeout came out as an engine that failed.

The thread is kept for what is asked next: a new one has all memory a query needs given anew, which is up to a third of
what a short query computes.
"""

from __future__ import annotations

import _thread
import atexit
import os
import sys
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

__all__ = ["apart"]

T = TypeVar("T")
_HEARTBEAT = 0.1


def apart(interrupt: Callable[[], None], work: Callable[[], T]) -> T:
    """The result of ``work``; what a signal raises meanwhile is raised here, once ``work`` has ended.

    On any other thread, and where there are none, ``work`` is simply called.
    """
    if threading.get_ident() != threading.main_thread().ident or sys.platform == "emscripten":
        return work()
    task = _Task(work)
    try:
        _hand_over(task)
        while not task.over:
            task.ended.acquire(timeout=_HEARTBEAT)  # in steps: a signal is noticed on every platform
    except BaseException:
        if task.take() is None:
            while not task.over:
                interrupt()
                task.ended.acquire(timeout=0.02)  # an interrupt that comes before its query is lost
        raise
    return task.result()


class _Task(Generic[T]):
    """What is to be done, and what has come of it.

    The main thread touches nothing of it but attributes and a lock of the interpreter's own. A signal may be met within
    ``Thread.start``, a ``Future`` or an ``Event``, whose locks are taken line by line: it would leave them held for
    ever, and the thread that waits for them, and whoever waits for that thread, with them.
    """

    def __init__(self, work: Callable[[], T]) -> None:
        self.over = False
        self.ended = _thread.allocate_lock()
        self.ended.acquire()
        # A list and not an attribute: pop() gives it to exactly one of two threads, and takes no lock for it.
        self._todo = [work]
        self._result: list[T] = []
        self._error: BaseException | None = None

    def take(self) -> Callable[[], T] | None:
        """The work, for the first who asks: the thread that is to do it, or whoever gives it up before that."""
        try:
            return self._todo.pop()
        except IndexError:
            return None

    def run(self, done: Callable[[], None]) -> None:
        _at_work.add(self)
        try:
            if (work := self.take()) is not None:
                self._result.append(work())
        except BaseException as error:  # noqa: BLE001  # whatever it is, it is raised where the work was asked for
            self._error = error
        finally:
            # First, so that the thread rests before whoever waits goes on: their next query finds it, and starts no
            # other.
            done()
            self.over = True
            self.ended.release()
            _at_work.discard(self)

    def result(self) -> T:
        if self._error is not None:
            error, self._error = self._error, None  # its frames hold this task
            raise error
        return self._result[0]


class _Hand:
    """A thread that does one task after another, and rests between them; it holds none that is done."""

    def __init__(self) -> None:
        self._tasks: list[_Task[Any]] = []
        self._given = _thread.allocate_lock()
        self._given.acquire()

    def give(self, task: _Task[Any]) -> None:
        self._tasks.append(task)
        self._given.release()

    def begin(self) -> None:
        while True:
            self._given.acquire()
            self._tasks.pop().run(self._rest)

    def _rest(self) -> None:
        _resting.append(self)


def _hand_over(task: _Task[Any]) -> None:
    """To a thread that rests, or to a new one: a signal's handler may ask while what it broke into is being done."""
    try:
        hand = _resting.pop()
    except IndexError:
        hand = _Hand()
        _thread.start_new_thread(hand.begin, ())
    hand.give(task)


_at_work: set[_Task[Any]] = set()
_resting: list[_Hand] = []


def _see_to_the_end() -> None:
    """The interpreter waits for it: a thread that is torn out of an engine ends in abort()."""
    for task in tuple(_at_work):
        while not task.over:
            task.ended.acquire(timeout=_HEARTBEAT)


getattr(threading, "_register_atexit", atexit.register)(_see_to_the_end)  # when threads are waited for
if hasattr(os, "register_at_fork"):  # a thread does not come along
    os.register_at_fork(after_in_child=_at_work.clear)
    os.register_at_fork(after_in_child=_resting.clear)
