"""The store as the event loop uses it: on threads of its own, reading beside writing.

There are as many threads as the database serves well at once: more would only wait for each other, in its locks or for
the interpreter. Nobody waits without end for a store that says nothing: when for some seconds nothing at all was done
there, whoever waits is told, and what was given up on is not done later.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .errands import SILENT, Errand, Window
from .store.errors import StoreAway, StoreError
from .store.faults import AWAY

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from .store import Store
    from .store.database import Outcome

__all__ = ["StoreDesk"]

T = TypeVar("T")
_KNOWN_SILENT = 1.0
"""Seconds to wait for a store that others were not answered by."""
_SHARED = 32
"""For how many writes that may wait there is room where writes are done together."""


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
        self._readers = Window("svc-store-read", store.readers, partial(self._do, self._read_together))
        self._writers = Window("svc-store-write", store.writers, partial(self._do, self._write_together))
        self.slots = asyncio.Semaphore(_SHARED if store.shares_writes else store.writers)
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
        asked = self._errand(self._store.read, lambda connection: work(connection, *args, **kwargs), durable=True)
        return cast(T, await self._done(self._readers, asked))

    async def write(self, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """``Store.write``."""
        return cast(
            T, await self._kept(self._store.write, lambda connection: work(connection, *args, **kwargs), durable=True)
        )

    async def note(self, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """``Store.note``."""
        return cast(
            T, await self._kept(self._store.note, lambda connection: work(connection, *args, **kwargs), durable=False)
        )

    async def trial(self, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """``Store.trial``."""
        asked = self._errand(self._store.trial, lambda connection: work(connection, *args, **kwargs), durable=None)
        return cast(T, await self._done(self._writers, asked))

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
        for window in (self._readers, self._writers):
            window.close(wait=not self.silent)

    # --- on the loop --------------------------------------------------------------------------------------------

    def _errand(self, way: Callable[..., Any], work: Callable[[Connection], Any], *, durable: bool | None) -> Errand:
        # PostgreSQL orders writes by itself: there each has a transaction of its own, on a connection of its own.
        if durable is not None and not (self._store.shares_writes or way == self._store.read):
            durable = None
        return Errand(way, work, since=time.monotonic(), durable=durable)

    async def _kept(self, way: Callable[..., Any], work: Callable[[Connection], Any], *, durable: bool) -> Any:
        began = 0.0

        def timed(connection: Connection) -> Any:
            nonlocal began
            began = time.monotonic()
            result = work(connection)
            asked.check()  # the last moment at which nothing is kept
            return result

        asked = self._errand(way, timed, durable=durable)
        result = await self._done(self._writers, asked)
        for told, since in list(self._waiting.items()):
            # Only a write that began after the question shows that the store takes writes now.
            if since <= began and not told.done():
                told.set_result(None)
        return result

    async def _done(self, window: Window, errand: Errand) -> Any:
        kind = "read" if window is self._readers else "write"
        try:
            result = await self._answer(window, errand)
        except StoreError as error:
            self._seen(kind, time.monotonic() - errand.since, error)
            raise
        self._seen(kind, time.monotonic() - errand.since, None)
        return result

    async def _answer(self, window: Window, errand: Errand) -> Any:
        window.put(errand)
        try:
            while not errand.over:
                patience = min(self._patience, _KNOWN_SILENT) if self.silent else self._patience
                over = await errand.ended(patience)
                # Since anybody's last answer: a long queue before a store that works is no silence.
                if not over and time.monotonic() - max(errand.since, self._answered) >= patience:
                    errand.given_up = True
                    self._given_up = time.monotonic()
                    raise StoreAway(SILENT, retry_after=2)
        finally:
            errand.left = True
        return errand.result()

    # --- on a thread --------------------------------------------------------------------------------------------

    def _do(self, together: Callable[[list[Errand]], list[Outcome] | None], errands: Sequence[Errand]) -> None:
        """Do errands, together where that goes."""
        left = [errand for errand in errands if self._may_begin(errand)]
        # A shared transaction ends after 20 ms (store/database.py) with only the first of them done.
        while len(left) > 1 and (found := together(left)) is not None:
            for errand, outcome in zip(left, found, strict=False):
                self._ended(errand, outcome.value, outcome.error)
            left = [errand for errand in left[len(found) :] if self._may_begin(errand)]
        for errand in left:
            if self._may_begin(errand):
                self._alone(errand)

    def _read_together(self, errands: list[Errand]) -> list[Outcome] | None:
        return self._store.read_together([errand.among for errand in errands])

    def _write_together(self, errands: list[Errand]) -> list[Outcome] | None:
        durable = any(errand.durable for errand in errands)
        return self._store.write_together([errand.among for errand in errands], durable=durable)

    def _may_begin(self, errand: Errand) -> bool:
        if errand.given_up:
            errand.end(error=StoreAway(SILENT))
        elif self._found_away > errand.since:  # no need to find out again, one after the other
            errand.end(error=StoreAway(self._away, retry_after=2))
        return not errand.over

    def _alone(self, errand: Errand) -> None:
        try:
            self._ended(errand, errand.alone())
        except BaseException as error:  # noqa: BLE001 (whoever waits for it is told)
            self._ended(errand, None, error)

    def _ended(self, errand: Errand, value: Any, error: BaseException | None = None) -> None:
        if isinstance(error, StoreAway):
            self._found_away, self._away = time.monotonic(), error.message
        self._answered = time.monotonic()
        errand.end(value, error)
