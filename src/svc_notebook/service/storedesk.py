"""The store as the event loop uses it: on threads of its own, reading beside writing.

There are as many threads as the database serves at once: more would only wait for each other in its locks. Nobody
waits without end for a store that says nothing: when for some seconds nothing at all was done there, whoever waits is
told, and what was given up on is not done later.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import Connection

from ..lanes import ended_within
from .store.errors import StoreAway, StoreClosed, StoreError
from .store.faults import AWAY

if TYPE_CHECKING:
    from .store import Store

__all__ = ["StoreDesk"]

T = TypeVar("T")
_SILENT = "The state store does not answer; try again."
_CLOSED = "The service has stopped."
_KNOWN_SILENT = 1.0
"""Seconds to wait for a store that others were not answered by."""


class StoreDesk:
    """Takes work for a store and gives what came of it.

    Parameters
    ----------
    patience
        Seconds without any answer of the store after which those who wait are told.
    seen
        Told of all work: its kind, the seconds it took, and the error it ended with.
    """

    def __init__(
        self,
        store: Store,
        patience: float = 10.0,
        seen: Callable[[str, float, BaseException | None], None] = lambda kind, seconds, error: None,
    ) -> None:
        self._seen = seen
        self._store = store
        self._patience = patience
        self._readers = ThreadPoolExecutor(store.readers, thread_name_prefix="svc-store-read")
        self._writers = ThreadPoolExecutor(store.writers, thread_name_prefix="svc-store-write")
        self.slots = asyncio.Semaphore(store.writers)
        """For many writes that may wait: so many at a time leave room for others'."""
        self._waiting: dict[asyncio.Future[None], float] = {}
        self._answered = self._given_up = self._found_away = 0.0
        self._away = AWAY

    @property
    def silent(self) -> bool:
        """Whether somebody was not answered, and nobody has been since."""
        return self._given_up > self._answered

    async def read(self, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """``Store.read``."""
        return await self._done(self._readers, _Task(partial(self._store.read, work, *args, **kwargs)))

    async def write(self, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """``Store.write``."""
        return await self._kept(self._store.write, lambda connection: work(connection, *args, **kwargs))

    async def note(self, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """``Store.note``."""
        return await self._kept(self._store.note, lambda connection: work(connection, *args, **kwargs))

    async def trial(self, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """``Store.trial``."""
        return await self._done(self._writers, _Task(partial(self._store.trial, work, *args, **kwargs)))

    def sign(self) -> asyncio.Future[None]:
        """Done once a write that began after now has been kept, whoever's it was: so the store takes writes."""
        told: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[told] = time.monotonic()
        told.add_done_callback(lambda _: self._waiting.pop(told, None))
        return told

    def close(self) -> None:
        """Wait for what runs and end the threads; what hangs in a silent store is left behind.

        Who waits for a thread, or comes later, gets ``StoreClosed``.
        """
        for threads in (self._readers, self._writers):
            threads.shutdown(wait=not self.silent, cancel_futures=True)

    async def _kept(self, way: Callable[[Callable[[Connection], T]], T], work: Callable[..., T]) -> T:
        began = 0.0

        def timed(connection: Connection) -> T:
            nonlocal began
            began = time.monotonic()
            result = work(connection)
            task.check()  # the last moment at which nothing is kept
            return result

        task = _Task(partial(way, timed))
        result = await self._done(self._writers, task)
        for told, since in list(self._waiting.items()):
            if since <= began and not told.done():
                told.set_result(None)
        return result

    async def _done(self, threads: ThreadPoolExecutor, task: _Task[T]) -> T:
        kind = "read" if threads is self._readers else "write"
        try:
            result = await self._answer(threads, task)
        except StoreError as error:
            self._seen(kind, time.monotonic() - task.since, error)
            raise
        self._seen(kind, time.monotonic() - task.since, None)
        return result

    async def _answer(self, threads: ThreadPoolExecutor, task: _Task[T]) -> T:
        try:
            job = threads.submit(copy_context().run, self._run, task)
        except RuntimeError:  # the desk is closed, or the interpreter ends
            raise StoreClosed(_CLOSED) from None
        try:
            while not job.done():
                patience = min(self._patience, _KNOWN_SILENT) if self.silent else self._patience
                await ended_within(job, patience)
                if not job.done() and time.monotonic() - max(task.since, self._answered) >= patience:
                    task.given_up = True
                    self._given_up = time.monotonic()
                    raise StoreAway(_SILENT, retry_after=2)
        finally:
            job.cancel()
        if job.cancelled():  # the desk was closed
            raise StoreClosed(_CLOSED)
        return job.result()

    def _run(self, task: _Task[T]) -> T:
        task.check()
        if self._found_away > task.since:  # no need to find out again, one after the other
            raise StoreAway(self._away, retry_after=2)
        try:
            return task.call()
        except StoreAway as error:
            self._found_away, self._away = time.monotonic(), error.message
            raise
        finally:
            self._answered = time.monotonic()


class _Task(Generic[T]):
    """Work for the store, since when it waits, and whether somebody still waits for it."""

    def __init__(self, call: Callable[[], T]) -> None:
        self.call = call
        self.since = time.monotonic()
        self.given_up = False

    def check(self) -> None:
        if self.given_up:
            raise StoreAway(_SILENT)
