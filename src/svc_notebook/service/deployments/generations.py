"""What a service answers from, whole: one configuration, its models over data of one moment, its analysts.

A generation never changes. A request, and a turn to its end, answers from the one it began with; the next one is put in
its place in one step. What has been replaced closes when the last that holds it lets go.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import threading
from collections.abc import Callable, Hashable, Iterator
from dataclasses import field
from functools import partial
from typing import Protocol

from ...records import dataclass
from ...semantic.standing import Standing
from ..config import ServiceConfig
from .sites import Models, Sites

__all__ = ["Generation", "Generations", "Hold", "Made", "Source"]

_log = logging.getLogger(__name__)


def _nothing() -> None:
    """Nothing is to be closed."""


@dataclass(frozen=True)
class Made:
    """What one generation is made of.

    Attributes
    ----------
    standing
        When its data were read.
    stamp
        Of what it was read from.
    close
        Lets go of its data.
    """

    config: ServiceConfig
    models: Models
    standing: Standing = field(default_factory=Standing)
    stamp: Hashable = None
    close: Callable[[], None] = _nothing


class Source(Protocol):
    """Where generations come from: files, as a rule. Both calls block."""

    def stamp(self) -> Hashable:
        """Changes when what a generation would be made from does; cheap."""

    def make(self, *, reread: bool = False) -> Made:
        """Read what has changed anew.

        Parameters
        ----------
        reread
            Also what may have changed without showing.

        Raises
        ------
        SemanticError, ValueError, OSError
            What is there cannot be used; the message says why.
        """


class Hold:
    """Keeps a generation open until it is released, or forgotten."""

    __slots__ = ("__weakref__", "_generation")

    def __init__(self, generation: Generation) -> None:
        self._generation: Generation | None = generation

    def release(self) -> None:
        """Let go. Twice does nothing more."""
        generation, self._generation = self._generation, None
        if generation is not None:
            generation._let_go()

    # A turn whose stream was dropped somewhere must not keep its generation's data open for ever.
    __del__ = release


class Generation:
    """One generation, its number counted from 1."""

    def __init__(self, number: int, made: Made) -> None:
        self.number = number
        self.made = made
        self.sites = Sites(made.config, made.models)
        self._holds = 0
        self._lock = threading.Lock()
        self._left: Callable[[], None] | None = None

    @property
    def config(self) -> ServiceConfig:
        return self.made.config

    @property
    def standing(self) -> Standing:
        return self.made.standing

    @property
    def holds(self) -> int:
        """How many requests and turns answer from it."""
        return self._holds

    def hold(self) -> Hold:
        """Keep it open."""
        with self._lock:
            self._holds += 1
        return Hold(self)

    def _let_go(self) -> None:  # on whatever thread forgets a hold
        with self._lock:
            self._holds -= 1
            # Called outside of the lock: it wakes a loop, and a finalizer may run while somebody holds any lock.
            left = self._left if not self._holds else None
        if left is not None:
            left()

    async def left(self) -> None:
        """Wait until nothing holds it; only when it has been replaced, so that nothing takes hold again."""
        loop, gone = asyncio.get_running_loop(), asyncio.Event()
        with self._lock:
            if not self._holds:
                return
            self._left = partial(_tell, loop, gone)
        await gone.wait()


def _tell(loop: asyncio.AbstractEventLoop, gone: asyncio.Event) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(gone.set)


class Generations:
    """The current generation, and those before it that something still holds."""

    def __init__(self, first: Made) -> None:
        self._numbers = itertools.count(1)
        self.current = Generation(next(self._numbers), first)
        self._before: set[Generation] = set()

    def __iter__(self) -> Iterator[Generation]:
        return iter((self.current, *self._before))

    def swap(self, made: Made) -> Generation:
        """Answer from ``made`` from now on; returns what was answered from, which is to be :meth:`outlived`."""
        before, self.current = self.current, Generation(next(self._numbers), made)
        self._before.add(before)
        return before

    async def outlived(self, generation: Generation) -> None:
        """Close a generation that was replaced, once nothing holds it."""
        await generation.left()
        await self._close(generation)
        _log.info("generation %d has ended", generation.number)

    async def close(self) -> None:
        """Close the analysts of the current one, and all of those before it."""
        for generation in list(self._before):
            await self._close(generation)
        await self.current.sites.close()

    async def _close(self, generation: Generation) -> None:
        self._before.discard(generation)
        await generation.sites.close()
        await asyncio.to_thread(generation.made.close)
