"""Work for the store that waits for one of its threads: what waits when one is free, it does together.

A burst of askers is so one transaction instead of hundreds, the loop is woken once for all who are told, and nobody
waits longer for it: alone is done what waits alone.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from .store.errors import StoreAway, StoreClosed

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["SILENT", "Errand", "Window"]

SILENT = "The state store does not answer; try again."

_MOST = 64
"""How much is done together at most."""
_CLOSED = "The service has stopped."


class Errand:
    """Work for the store, since when it waits, and what came of it. Made on the loop of whoever waits for it.

    Parameters
    ----------
    way
        Does it alone: a method of the store's.
    durable
        Whether it is kept for good, where it may be done with others in one transaction; None where it may not.
    """

    __slots__ = (
        "_context", "_loop", "_waiter", "_way", "_work", "durable", "error", "given_up", "left", "over",
        "since", "value",
    )  # fmt: skip

    def __init__(
        self, way: Callable[..., Any], work: Callable[[Connection], Any], *, since: float, durable: bool | None
    ) -> None:
        self._way, self._work, self.durable = way, work, durable
        # The thread that does it logs under the request that asked for it.
        self._context = copy_context()
        self._loop = asyncio.get_running_loop()
        self._waiter: asyncio.Future[None] | None = None
        self.since = since
        self.left = self.given_up = self.over = False
        """Whether nobody waits for it any more, whether that was because it took too long, whether it has ended."""
        self.value: Any = None
        self.error: BaseException | None = None

    def check(self) -> None:
        """
        Raises
        ------
        StoreAway
            It was given up.
        """
        if self.given_up:
            raise StoreAway(SILENT)

    def alone(self) -> Any:
        """Do it in a transaction of its own."""
        return self._context.run(self._way, self._work)

    def among(self, connection: Connection) -> Any:
        """Do it in a transaction that is under way."""
        return self._context.run(self._work, connection)

    def end(self, value: Any = None, error: BaseException | None = None) -> None:
        """It is over; who waits for it is told by :func:`_tell`."""
        self.value, self.error, self.over = value, error, True
        # Work may look at its errand: in a ring, both would hold what came of it until garbage is looked for.
        self._way = self._work = _ended

    def result(self) -> Any:
        """What came of it, given or raised."""
        error, self.error = self.error, None
        if error is None:
            return self.value
        try:
            raise error
        finally:
            del error  # its frames hold this one

    async def ended(self, seconds: float) -> bool:
        """Whether it is over, after so many seconds at most."""
        self._waiter = self._loop.create_future()
        late = self._loop.call_later(seconds, self._wake)
        try:
            if not self.over:
                await self._waiter
        finally:
            late.cancel()
        return self.over

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


def _ended(*_: Any) -> None:
    """Nothing is left to do."""


def _tell(errands: Sequence[Errand]) -> None:
    for errand in errands:
        errand._wake()


class Window:
    """Threads that do errands in the order they came in.

    Parameters
    ----------
    places
        How many threads there are.
    do
        Does errands, the first of which may be done together, and ends them.
    """

    def __init__(self, name: str, places: int, do: Callable[[Sequence[Errand]], None]) -> None:
        self._places = places
        self._do = do
        self._lock = threading.Lock()
        self._waiting: deque[Errand] = deque()
        self._busy = 0
        self._closed = False
        self._threads = ThreadPoolExecutor(places, thread_name_prefix=name)

    def put(self, errand: Errand) -> None:
        """
        Raises
        ------
        StoreClosed
            Nothing is done here any more.
        """
        with self._lock:
            if self._closed:
                raise StoreClosed(_CLOSED)
            self._waiting.append(errand)
            if self._busy == self._places:
                return
            self._busy += 1
        try:
            self._threads.submit(self._serve)
        except RuntimeError:  # the interpreter ends
            raise StoreClosed(_CLOSED) from None

    def close(self, *, wait: bool) -> None:
        """Give up what waits, and (with ``wait``) wait for what runs."""
        with self._lock:
            self._closed = True
            given_up = [*self._waiting]
            self._waiting.clear()
        for errand in given_up:
            errand.end(error=StoreClosed(_CLOSED))
        _told(given_up)
        self._threads.shutdown(wait=wait, cancel_futures=True)

    def _serve(self) -> None:
        while errands := self._next():
            try:
                self._do(errands)
            except BaseException as error:  # noqa: BLE001 (whoever waits for them is told)
                for errand in errands:
                    if not errand.over:
                        errand.end(error=error)
            _told(errands)

    def _next(self) -> list[Errand]:
        """What is done next: as much of what waits as falls to one thread, as long as it may be done together."""
        found: list[Errand] = []
        with self._lock:
            # Rounded up, and a fair part of what waits: one thread must not take it all while the others rest.
            most = min(_MOST, -(-len(self._waiting) // self._places))
            while self._waiting and len(found) < max(1, most):
                if self._waiting[0].left:
                    self._waiting.popleft()
                    continue
                if found and None in (found[0].durable, self._waiting[0].durable):
                    break
                found.append(self._waiting.popleft())
            if not found:
                # Under the same lock as put(): it either finds this thread at work or starts another, and nothing is
                # left lying.
                self._busy -= 1
        return found


def _told(errands: Sequence[Errand]) -> None:
    """Wake whoever waits for them, each loop once."""
    for loop in {errand._loop for errand in errands}:
        with suppress(RuntimeError):  # the loop is closed: nobody waits there any more
            loop.call_soon_threadsafe(_tell, [errand for errand in errands if errand._loop is loop])
