"""A pool of threads that serves its askers in turn.

Waiting costs no thread: what has no place yet is an entry in a queue, and whoever awaits it may leave at any time. A
place is given back when its work has truly ended, not when nobody waits for it any more.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from ..cancellation import CancellationToken, Cancelled
from ..protocol.errors import ServiceUnavailable
from .forking import idle_for_forks
from .turns import Asker, Queue

__all__ = ["Asker", "Lane", "LaneClosed", "ended_within"]

T = TypeVar("T")


class LaneClosed(ServiceUnavailable):
    """The lane takes no work any more: the service has stopped."""


@dataclass(eq=False, slots=True)
class _Ticket:
    """Work that waits for a place, or has one."""

    asker: Asker
    work: Callable[[], Any]
    future: Future[Any] = field(default_factory=Future)
    context: contextvars.Context = field(default_factory=contextvars.copy_context)


class Lane:
    """A pool of ``places`` threads; one user has at most half of them at a time, one account at most three quarters.

    Parameters
    ----------
    name
        What its threads are called.
    places
        How much runs at once. With one place alone there is nothing to share out: askers take turns.
    """

    def __init__(self, name: str, places: int) -> None:
        self.places = max(1, places)
        self._lock = threading.RLock()  # cancelling a ticket may happen where it is held
        # Half and three quarters, so that a place is left for a second user and for a second account, whatever the
        # first does.
        self._queue: Queue[_Ticket] = Queue(max(1, self.places // 2), max(1, self.places * 3 // 4))
        self._running = 0
        self._held = 0
        self._closed = False
        self._threads = ThreadPoolExecutor(self.places, thread_name_prefix=f"svc-{name}")
        idle_for_forks(self)

    @property
    def running(self) -> int:
        """How many places are taken."""
        return self._running

    @property
    def waiting(self) -> int:
        """How much waits for a place."""
        with self._lock:
            return len(self._queue)

    def submit(self, asker: Asker, work: Callable[[], T]) -> Future[T]:
        """Queue ``work``; cancelling the future takes it out again, as long as it has not begun."""
        ticket = _Ticket(asker, work)
        future = ticket.future
        with self._lock:
            if self._closed:
                raise LaneClosed("The service has stopped.")
            self._queue.put(asker, ticket)
            self._fill()
        # After the lock is let go: a future that is done already calls back at once, here.
        future.add_done_callback(lambda future: self._drop(ticket) if future.cancelled() else None)
        return future

    async def run(self, asker: Asker, work: Callable[[], T], *, cancel: CancellationToken | None = None) -> T:
        """The result of ``work``, awaited. Leaving, or the token's signal, takes waiting work out of the queue.

        Work that has begun is not stopped by leaving: that is what it has the token for.

        Raises
        ------
        Cancelled
            The token was cancelled before the work began.
        LaneClosed
            The lane was closed.
        """
        return await awaited(self.submit(asker, work), cancel)

    def hold(self) -> Callable[[], None]:
        """Begin nothing new until the returned function is called (from any thread; twice does nothing more)."""
        holding = True
        with self._lock:
            self._held += 1

        def release() -> None:
            nonlocal holding
            with self._lock:
                if holding:
                    holding = False
                    self._held -= 1
                    self._fill()

        return release

    def close(self, *, wait: bool = True) -> None:
        """Take no more work, give up what waits, and (with ``wait``) wait for what runs."""
        with self._lock:
            self._closed = True
            for ticket in self._queue.drained():
                ticket.future.cancel()
        self._threads.shutdown(wait=wait)

    def _fill(self) -> None:
        while not self._held and self._running < self.places and (found := self._queue.take()) is not None:
            asker, ticket = found
            # Cancelled since it was queued; its callback finds it gone from the queue, so the place is given back here.
            if not ticket.future.set_running_or_notify_cancel():
                self._queue.done(asker)
                continue
            self._running += 1
            try:
                self._threads.submit(self._work, ticket)
            except RuntimeError as error:  # the interpreter is ending
                self._given_back(asker)
                ticket.future.set_exception(LaneClosed(str(error)))

    def _work(self, ticket: _Ticket) -> None:
        future = ticket.future
        # It calls back with the ticket: in a ring, both would hold the result until garbage is looked for.
        del ticket.future
        try:
            result = ticket.context.run(ticket.work)
        except BaseException as error:  # noqa: BLE001 (whoever waits for it is told)
            self._given_back(ticket.asker)
            future.set_exception(error)
        else:
            self._given_back(ticket.asker)
            # After the place: whoever is told of the result may ask for the next thing at once, and finds it free.
            future.set_result(result)

    def _given_back(self, asker: Asker) -> None:
        with self._lock:
            self._running -= 1
            self._queue.done(asker)
            self._fill()

    def _drop(self, ticket: _Ticket) -> None:
        with self._lock:
            self._queue.drop(ticket.asker, ticket)


async def awaited(future: Future[T], cancel: CancellationToken | None = None) -> T:
    """A future of any thread, awaited; it is given up when whoever awaits leaves or the token is cancelled.

    Raises
    ------
    Cancelled
        The token was cancelled before the work began.
    """
    if cancel is not None:
        with cancel.on_cancel(partial(_give_up, future)):
            return await _outcome(future, cancel)
    return await _outcome(future, None)


async def _outcome(future: Future[T], cancel: CancellationToken | None) -> T:
    try:
        await ended(future)
    except asyncio.CancelledError:
        future.cancel()
        raise
    if not future.cancelled():
        return future.result()
    # A future does not say who cancelled it: the token, a caller who left (raised above), or the lane as it closed.
    if cancel is not None and cancel.cancelled:
        raise Cancelled(cancel.reason or "cancelled") from None
    raise LaneClosed("The service has stopped.") from None


def ended(future: Future[Any]) -> asyncio.Future[None]:
    """Done on the running loop once ``future`` is, whatever came of it: ``wrap_future`` in a third of its steps."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()
    future.add_done_callback(partial(_tell, loop, done))
    return done


async def ended_within(future: Future[Any], seconds: float) -> None:
    """Until ``future`` is done, or for so long: ``asyncio.wait`` of :func:`ended` in half of its steps."""
    done = ended(future)
    late = asyncio.get_running_loop().call_later(seconds, _set, done)
    try:
        await done
    finally:
        late.cancel()


def _tell(loop: asyncio.AbstractEventLoop, done: asyncio.Future[None], _: Future[Any]) -> None:
    with suppress(RuntimeError):  # the loop is closed: nobody waits there any more
        loop.call_soon_threadsafe(_set, done)


def _set(done: asyncio.Future[None]) -> None:
    if not done.done():
        done.set_result(None)


def _give_up(future: Future[Any]) -> None:
    future.cancel()
