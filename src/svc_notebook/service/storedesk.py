"""The store as the event loop uses it: on threads of its own, reading beside writing.

There are as many threads as the database serves at once: more would only wait for each other in its locks.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection

if TYPE_CHECKING:
    from .store import Store

__all__ = ["StoreDesk"]

T = TypeVar("T")


class StoreDesk:
    """Takes work for a store and gives what came of it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._readers = ThreadPoolExecutor(store.readers, thread_name_prefix="svc-store-read")
        self._writers = ThreadPoolExecutor(store.writers, thread_name_prefix="svc-store-write")
        self.slots = asyncio.Semaphore(store.writers)
        """For many writes that may wait: so many at a time leave room for others'."""
        self._waiting: dict[asyncio.Future[None], float] = {}

    async def read(self, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """``Store.read``."""
        call = partial(self._store.read, work, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._readers, call)

    async def write(self, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """``Store.write``."""
        return await self._kept(self._store.write, lambda connection: work(connection, *args, **kwargs))

    async def note(self, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """``Store.note``."""
        return await self._kept(self._store.note, lambda connection: work(connection, *args, **kwargs))

    async def trial(self, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """``Store.trial``."""
        call = partial(self._store.trial, work, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._writers, call)

    async def sign(self) -> None:
        """Wait until a write that began after now has been kept, whoever's it was: so the store takes writes."""
        told: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[told] = time.monotonic()
        try:
            await told
        finally:
            del self._waiting[told]

    def close(self) -> None:
        """Wait for what runs and end the threads."""
        for threads in (self._readers, self._writers):
            threads.shutdown(wait=True)

    async def _kept(self, way: Callable[[Callable[[Connection], T]], T], work: Callable[[Connection], T]) -> T:
        began = 0.0

        def timed(connection: Connection) -> T:
            nonlocal began
            began = time.monotonic()
            return work(connection)

        result = await asyncio.get_running_loop().run_in_executor(self._writers, way, timed)
        for told, since in self._waiting.items():
            if since <= began and not told.done():
                told.set_result(None)
        return result
