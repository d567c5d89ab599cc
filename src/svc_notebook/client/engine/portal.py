"""One engine thread with its own event loop: where streams are read and the embedded service lives.

Why a thread: a notebook's main thread is busy running cells, its loop stands still meanwhile. Whatever must go on
(a streaming answer, the embedded service, a widget) runs here, and callers only hand work over:

``submit``
    from any thread, returns a future at once; the caller's context goes along, so output lands in the right cell.
``run``
    blocks the calling thread; Ctrl-C (or the notebook's ■) interrupts it at once and cancels the work.
``arun``
    awaits from any loop, with a heartbeat: ipykernel wakes a cell for an interrupt only when its loop wakes.

The thread starts with the first use, ends before the interpreter does, and is made anew after ``stop`` or a fork. When
the interpreter ends, threads that it waits for anyway get their answers first, and daemon threads that still ask end
without a word.
Where threads cannot be had (Pyodide) the awaiting face runs the work on the current loop.
"""

from __future__ import annotations

import _thread
import asyncio
import atexit
import concurrent.futures.thread  # registers its own end of the interpreter now, so that ours comes before it
import os
import sys
import threading
import time
import weakref
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Generic, TypeVar

__all__ = ["HEARTBEAT", "Portal", "PortalStopped", "blocking", "end_of", "engine"]

# ipykernel only raises a cell's interrupt when the cell's loop comes round: at this pace ■ was measured to act after 50
# ms.
HEARTBEAT = 0.05
"""Seconds between two wake-ups of an awaiting caller."""

T = TypeVar("T")
Closer = Callable[[], Awaitable[None]]


class _Work(Generic[T]):
    """A coroutine that can be given up before it has begun as well."""

    def __init__(self, coro: Coroutine[Any, Any, T]) -> None:
        self._coro = coro
        self._task: asyncio.Task[Any] | None = None
        self._first: dict[str, str] = {}  # no lock: an interrupt may come while one is held

    async def done(self) -> T:
        # One step of the interpreter: whichever of done() and drop() comes first, the other sees that it was not.
        if self._first.setdefault("came", "work") != "work":
            raise asyncio.CancelledError
        self._task = asyncio.current_task()
        try:
            return await self._coro
        finally:
            self._task = None

    def give_up(self) -> None:
        """On the loop that it runs on."""
        if self._task is not None:
            self._task.cancel()

    def drop(self) -> None:
        """From any thread, once nobody waits for it: what has not begun never will."""
        if self._first.setdefault("came", "end") == "end":
            self._coro.close()


class _Handed(Generic[T]):
    """A coroutine that was handed over, and the future of its outcome: `run_coroutine_threadsafe`, whose futures hold
    the task for as long as somebody holds them.

    A task is freed where its last reference goes, and that runs Python of asyncio's: on a main thread an interrupt may
    be met in there, where the interpreter tells of it and drops it. So only the loop's own thread holds tasks.
    """

    def __init__(
        self, coro: Coroutine[Any, Any, T], loop: asyncio.AbstractEventLoop, future: concurrent.futures.Future[T]
    ) -> None:
        self._future = future
        self._coro = coro
        self._loop = loop
        self._task: asyncio.Task[T] | None = None
        loop.call_soon_threadsafe(self._start)  # takes the caller's context along

    def _start(self) -> None:
        coro, self._coro = self._coro, None  # type: ignore[assignment]  # the frame would hold the task as well
        if self._future.cancelled():
            coro.close()
            return
        self._task = self._loop.create_task(coro)
        self._task.add_done_callback(self._ended)
        # Only now: a future that is cancelled before is met by the lines above, and there is no task to cancel yet.
        self._future.add_done_callback(self._given_up)

    def _given_up(self, future: concurrent.futures.Future[T]) -> None:
        if future.cancelled():
            with suppress(RuntimeError):  # the loop is closed, and the task with it
                self._loop.call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _ended(self, task: asyncio.Task[T]) -> None:
        self._task = None
        future = self._future
        # It calls back here: in a ring, both would hold what came of it until garbage is looked for.
        del self._future
        error = None if task.cancelled() else task.exception()
        if task.cancelled():
            future.cancel()
        # A future refuses a result after it was cancelled; this also wakes whoever waits for it.
        if not future.set_running_or_notify_cancel():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(task.result())


class PortalStopped(RuntimeError):
    """The engine thread was stopped while work was on it."""


class Portal:
    """A daemon thread that runs an event loop, started lazily.

    Parameters
    ----------
    name
        The thread's name.
    threads
        False where threads are not available: ``arun`` then works on the caller's own loop, ``run`` refuses.
    """

    def __init__(self, name: str = "svc-notebook-engine", *, threads: bool = sys.platform != "emscripten") -> None:
        self.name = name
        self.threads = threads
        self._lock = threading.Lock()
        # By thread and not by comparing with _thread: that is None already while the engine stops and its last work
        # still runs.
        self._here = threading.local()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._over = threading.Event()  # its loop has been stopped, by whomever
        self._closers: list[Closer] = []
        _portals.add(self)

    @property
    def running(self) -> bool:
        thread = self._thread
        return thread is not None and thread.is_alive() and not self._over.is_set()

    @property
    def inside(self) -> bool:
        """Whether the calling thread is the engine thread."""
        return self._own_loop is not None

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The engine's loop; the thread is started if it does not run."""
        if not self.threads:
            return asyncio.get_running_loop()
        if (own := self._own_loop) is not None:
            return own  # also while it stops: what is still at work there must not wake a second engine
        with self._lock:
            # A loop that was stopped by somebody else's loop.stop() leaves its thread dying and _loop set.
            if self._loop is None or not self.running:
                self._start()
            assert self._loop is not None
            return self._loop

    def submit(self, coro: Coroutine[Any, Any, T]) -> concurrent.futures.Future[T]:
        """Start ``coro`` on the engine's loop, in the caller's context, and return its future at once."""
        try:
            loop = self.loop
        except BaseException:  # it has not begun
            coro.close()
            raise
        future: concurrent.futures.Future[T] = concurrent.futures.Future()
        try:
            _Handed(coro, loop, future)
            return future
        except Exception:  # closed in between. After an interrupt it may be at work already: it must not be closed here
            coro.close()
            raise

    def run(self, coro: Coroutine[Any, Any, T]) -> T:
        """Run ``coro`` on the engine and block until it is done; an interrupt here cancels it there."""
        if not self.threads:
            coro.close()
            raise RuntimeError("Blocking calls need threads, which this Python does not have: use the awaiting form")
        if self.inside:
            coro.close()
            raise RuntimeError("A blocking call was made on the engine thread itself: use the awaiting form there")
        work = _Work(coro)
        with blocking():
            try:
                return wait(self.submit(work.done()), alive=self.alive())
            except BaseException:  # an interrupt comes at any line, also while the work is handed over
                work.drop()
                self.call(work.give_up)
                raise

    async def arun(self, coro: Coroutine[Any, Any, T], *, heartbeat: float = HEARTBEAT) -> T:
        """Await ``coro``, which runs on the engine, from any loop; cancelling the caller cancels it."""
        if not self.threads or self.inside:
            return await coro
        future = self.submit(coro)
        waiter, alive = asyncio.wrap_future(future), self.alive()
        try:
            # The engine may end between the work's last step and the wake-up of this loop: a done future still has its
            # result.
            while not waiter.done() and (alive() or future.done()):
                await asyncio.wait({waiter}, timeout=heartbeat)
        except asyncio.CancelledError:
            waiter.cancel()  # and the work with it
            raise
        # Not the caller's doing, which raised above: the engine cancelled what it ran when it stopped.
        if waiter.cancelled() or not waiter.done():
            raise PortalStopped("The engine was stopped before the work was done")
        return waiter.result()

    def call(self, function: Callable[..., object], *args: Any) -> None:
        """Call ``function`` on the engine's loop soon; nothing happens if the engine no longer runs."""
        loop = self._loop
        if loop is None or loop.is_closed():
            return
        try:
            loop.call_soon_threadsafe(function, *args)
        except RuntimeError:  # closed in between
            return

    def on_stop(self, closer: Closer) -> Callable[[], None]:
        """Have ``closer`` awaited on the engine before it stops; returns a function that takes it back."""
        self._closers.append(closer)
        return lambda: self._closers.remove(closer) if closer in self._closers else None

    def stop(self, timeout: float = 5.0) -> None:
        """End what still runs, close the loop and join the thread. The next use starts a new one."""
        if self.inside:
            return
        with self._lock:
            thread, loop = self._thread, self._loop
            # Before anything is awaited: whoever asks for the loop meanwhile starts a new engine instead of joining a
            # dying one.
            self._thread = self._loop = None
            if thread is None or loop is None or not thread.is_alive() or self._over.is_set():
                return
            closers, self._closers = self._closers, []
            asyncio.run_coroutine_threadsafe(_finish(loop, closers, timeout), loop)
        # _finish gives up after timeout; the second is for the loop to close, and for no longer than that is anybody
        # held.
        thread.join(timeout + 1)

    def alive(self) -> Callable[[], bool]:
        """A function that tells whether the engine that runs now still does."""
        thread, over = self._thread, self._over
        return lambda: thread is None or (thread.is_alive() and not over.is_set())

    @property
    def _own_loop(self) -> asyncio.AbstractEventLoop | None:
        """The loop of the calling thread, if that is this portal's engine, a stopping one included."""
        own: asyncio.AbstractEventLoop | None = getattr(self._here, "loop", None)
        return own

    def _start(self) -> None:
        if _leaving.is_set():
            raise PortalStopped("The interpreter is exiting: nothing new can be started")
        ready: concurrent.futures.Future[asyncio.AbstractEventLoop] = concurrent.futures.Future()
        # A new one for each engine: alive() of an earlier one must not come true again.
        self._over = threading.Event()
        work = (ready, self._here, self._over)
        self._thread = threading.Thread(target=_serve, args=work, name=self.name, daemon=True)
        self._thread.start()
        # Waits for the loop to turn, so that nobody's call_soon_threadsafe meets a loop that has not begun.
        self._loop = ready.result()

    def _forget(self) -> None:
        """In a forked child: the thread did not come along."""
        # The parent's may have been held at the fork, by a thread that is not here to let it go.
        self._lock = threading.Lock()
        self._here = threading.local()
        self._thread = self._loop = None
        self._closers = []


def end_of(future: concurrent.futures.Future[Any]) -> _thread.LockType:
    """A lock that is free once the future is done, to wait for on the main thread.

    The future's own waiting takes its locks line by line: what a signal raises there would leave them held for ever.
    """
    ended = _thread.allocate_lock()
    ended.acquire()
    future.add_done_callback(lambda _: ended.release())
    return ended


def wait(future: concurrent.futures.Future[T], heartbeat: float = 0.1, alive: Callable[[], bool] = lambda: True) -> T:
    """The result of a future, waiting in short steps so that an interrupt is noticed on every platform."""
    ended = end_of(future)
    while not ended.acquire(timeout=heartbeat) and alive():
        pass
    if future.cancelled() or not future.done():
        raise PortalStopped("The engine was stopped before the work was done")
    try:
        return future.result()
    finally:
        del future  # an error holds this frame: no circle


def _serve(
    ready: concurrent.futures.Future[asyncio.AbstractEventLoop], here: threading.local, over: threading.Event
) -> None:
    loop = here.loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.call_soon(ready.set_result, loop)
    try:
        loop.run_forever()
        over.set()
        _end_tasks(loop)
    finally:
        asyncio.set_event_loop(None)
        loop.close()


def _end_tasks(loop: asyncio.AbstractEventLoop, patience: float = 5.0) -> None:
    """Where somebody else stopped the loop: whoever waits for its tasks must not wait for ever."""
    loop.run_until_complete(asyncio.sleep(0))  # what was handed over and has not begun yet is a task now
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        loop.run_until_complete(asyncio.wait(tasks, timeout=patience))
    # Generators that were left in the middle would otherwise be finalised on a closed loop, which asyncio warns of.
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.run_until_complete(asyncio.sleep(0))  # whoever waits for one of them in a thread is told


async def _finish(loop: asyncio.AbstractEventLoop, closers: list[Closer], patience: float) -> None:
    try:
        async with asyncio.timeout(patience):
            # Last in, first out: a service was opened after the store that it writes to.
            for closer in reversed(closers):
                await closer()
            others = asyncio.all_tasks(loop) - {asyncio.current_task(loop)}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            await loop.shutdown_asyncgens()
    except TimeoutError:
        pass
    finally:
        # Not loop.stop() at once: the callbacks of this task's end are due in the next round, which would not come.
        loop.call_soon(loop.stop)


_portals: weakref.WeakSet[Portal] = weakref.WeakSet()
_leaving = threading.Event()
_engine = Portal()


def engine() -> Portal:
    """The process's own portal, shared by clients, embedded services and widgets."""
    return _engine


@contextmanager
def blocking() -> Iterator[None]:
    """Around what a thread waits in: a thread whose work fails because the interpreter ends, ends with it."""
    thread = threading.current_thread()
    _blocked.append(thread)
    try:
        yield
    except Exception:
        if _leaving.is_set() and thread is not threading.main_thread():
            raise SystemExit from None  # which a thread ends by without a word
        raise
    finally:
        _blocked.remove(thread)


_blocked: list[threading.Thread] = []


def _stop_all(patience: float = 5.0) -> None:
    while any(not thread.daemon and thread is not threading.main_thread() for thread in list(_blocked)):
        time.sleep(0.02)  # the interpreter would wait for these threads in any case
    _leaving.set()
    for portal in list(_portals):
        portal.stop()
    # What a daemon thread holds while the interpreter is taken down can no longer be freed, and the engine's binding
    # tells of that on standard error: those that ask now end, and need a moment for it.
    end = time.monotonic() + patience
    while _askers() and time.monotonic() < end:
        time.sleep(0.01)


def _askers() -> list[threading.Thread]:
    """Daemon threads of somebody else's that are in the midst of our code."""
    # Nothing public tells where other threads stand.
    frames = sys._current_frames()
    others = [thread for thread in threading.enumerate() if thread is not threading.current_thread()]
    return [
        thread
        for thread in others
        # Ours end on their own: portals were stopped above, and clock threads hold nothing of the engine's.
        if thread.daemon and not thread.name.startswith("svc-") and _in_our_code(frames.get(thread.ident or 0))
    ]


def _in_our_code(frame: FrameType | None) -> bool:
    package = __name__.partition(".")[0]
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] == package:
            return True
        frame = frame.f_back
    return False


def _forget_all() -> None:
    for portal in list(_portals):
        portal._forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
# Before concurrent.futures lets its workers end and takes no more work (hooks run in the reverse of their order), which
# atexit would be too late for: a running query must end first, and stopping a service needs its workers.
getattr(threading, "_register_atexit", atexit.register)(_stop_all)
