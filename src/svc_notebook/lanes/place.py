"""The lanes of one service, and an asker's place in them.

Three kinds of work, so that none waits for another: **queries**, as many at once as the engine takes; **thinking**,
pure Python that compiles a query or searches the model, on few threads, since the interpreter runs one at a time; and
**preparing**, which waits for queries of its own (the reading of a question, the values of a model's members) and
would hold a thinker's thread.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar, copy_context
from functools import partial
from typing import Any, ParamSpec, Protocol, TypeVar

from ..cancellation import CancellationToken
from .garbage import seldom
from .lane import Asker, Lane, LaneClosed, awaited
from .quiet import Quiet

__all__ = ["FREE", "Lanes", "Place", "Workplace", "fetch"]

P = ParamSpec("P")
T = TypeVar("T")
# One more than the interpreter runs at a time, for the moments in which one waits for a lock or releases the GIL.
_THINKERS = 2
# These wait for queries nearly all of their time.
_PREPARERS = 4
# Look-ups wait for files and git; more of them than other threads, so that one slow branch holds up nobody else.
_LOOKING = 8


class Workplace(Protocol):
    """Where the work of a turn runs."""

    @property
    def waiting(self) -> bool:
        """Whether something of it waits for a free place."""

    async def query(self, work: Callable[[], T], cancel: CancellationToken | None = None) -> T:
        """Run what asks the engine."""

    async def think(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run pure Python that may take a while."""

    async def prepare(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run what waits for queries of its own, made with :func:`fetch`."""


class Lanes:
    """The lanes of a service.

    Parameters
    ----------
    queries
        How many queries run at once: what the engine takes.
    """

    def __init__(self, queries: int) -> None:
        self.queries = Lane("query", queries)
        self.thinking = Lane("think", _THINKERS)
        self.preparing = Lane("prepare", _PREPARERS)
        self._looking = Lane("look", _LOOKING)
        self._quiet = Quiet(self.thinking, self.preparing)
        self._collected_again: Callable[[], None] = _nothing

    async def look_up(self, asker: Asker, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run what a request waits for before its first line: files, branches, analysts that are made."""
        return await self._looking.run(asker, partial(work, *args, **kwargs))

    def figures(self, name: str) -> dict[tuple[str, ...], float]:
        """How much is ``running``, or ``waiting``, by the name of the lane."""
        lanes = {"query": self.queries, "think": self.thinking, "prepare": self.preparing, "look": self._looking}
        return {(kind,): float(getattr(lane, name)) for kind, lane in lanes.items()}

    def place(self, account: Any, user: Any = "") -> Place:
        """The place of one asker."""
        return Place(self, Asker(account, user))

    def first_lines(self) -> Callable[[], None]:
        """Begin nothing that could hold up whoever waits for a first line, until the returned function is called.

        Where no line has left for two seconds, or lines have kept leaving for ten, it begins in any case. Call it on
        the loop.
        """
        return self._quiet.waits()

    @property
    def quiet(self) -> bool:
        """Whether nobody waits for a first line now, or has waited for long."""
        return self._quiet.over

    def at_work(self) -> None:
        """From now on turns run here, until it is closed: garbage is looked for seldom."""
        self._collected_again = seldom()

    async def after_first_lines(self) -> None:
        """Wait until everybody who waits for a first line now has got it, or has waited for long."""
        await self._quiet.wait()

    def close(self, *, wait: bool = True) -> None:
        """End what waits, wait for what runs."""
        self._collected_again()
        # Those that wait for others first: what prepares still gets its queries while it is waited for.
        for lane in (self._looking, self.preparing, self.thinking, self.queries):
            lane.close(wait=wait)


class Place:
    """An asker's place in the lanes; one for each turn or request."""

    def __init__(self, lanes: Lanes, asker: Asker) -> None:
        self.asker = asker
        self._lanes = lanes
        self._lock = threading.Lock()
        self._queued: set[Future[Any]] = set()

    @property
    def waiting(self) -> bool:
        with self._lock:
            return any(not future.running() and not future.done() for future in self._queued)

    async def query(self, work: Callable[[], T], cancel: CancellationToken | None = None) -> T:
        with self._submitted(self._lanes.queries, work) as future:
            return await awaited(future, cancel)

    async def think(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        with self._submitted(self._lanes.thinking, partial(work, *args, **kwargs)) as future:
            return await awaited(future)

    async def prepare(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        context = copy_context()
        context.run(_here.set, self)
        whole = partial(context.run, work, *args, **kwargs)
        with self._submitted(self._lanes.preparing, whole) as future:
            return await awaited(future)

    def fetch(self, work: Callable[[], T], cancel: CancellationToken | None = None) -> T:
        """:meth:`query` from a thread that prepares something."""
        with self._submitted(self._lanes.queries, work) as future:
            try:
                with nullcontext() if cancel is None else cancel.on_cancel(lambda: _give_up(future)):
                    return future.result()  # not wait(): it does not see a future that was cancelled before it began
            except CancelledError:
                if cancel is not None:
                    cancel.raise_if_cancelled()
                raise LaneClosed("The service has stopped.") from None

    @contextmanager
    def _submitted(self, lane: Lane, work: Callable[[], T]) -> Iterator[Future[T]]:
        future = lane.submit(self.asker, work)
        with self._lock:
            self._queued.add(future)
        try:
            yield future
        finally:
            with self._lock:
                self._queued.discard(future)


def _give_up(future: Future[Any]) -> None:
    future.cancel()


def _nothing() -> None:
    """Nothing has changed."""


class _Free:
    """A place where nothing is shared out: for a toolbox outside any service."""

    waiting = False

    async def query(self, work: Callable[[], T], cancel: CancellationToken | None = None) -> T:
        return await asyncio.to_thread(work)

    async def think(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(work, *args, **kwargs)

    prepare = think


FREE: Workplace = _Free()
_here: ContextVar[Place | None] = ContextVar("svc_place", default=None)


def fetch(work: Callable[[], T], cancel: CancellationToken | None = None) -> T:
    """Run what asks the engine, and wait for it: among the queries of the place that this is prepared for."""
    place = _here.get()
    return work() if place is None else place.fetch(work, cancel)
