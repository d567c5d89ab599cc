"""First lines go first: while some are awaited, nothing begins that would take the interpreter from them.

That includes looking for garbage, which takes as long as everything else before the first lines of many chats.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from .garbage import uncollected
from .lane import Lane

__all__ = ["Quiet"]

_STALLED = 2.0
_LONGEST = 10.0


class Quiet:
    """Holds lanes while first lines are awaited. All of it happens on one loop.

    Nobody's line may hold everybody's work: where none has left for two seconds, or they have kept leaving for ten,
    the lanes go on, and those lines are not waited for any more.
    """

    def __init__(self, *lanes: Lane) -> None:
        self._lanes = lanes
        self._awaited: set[object] = set()
        self._given_up: set[object] = set()
        self._held: list[Callable[[], object]] = []
        self._timers: list[asyncio.TimerHandle] = []
        self._moved = 0.0  # when a line was first awaited, or left last
        self._over = asyncio.Event()
        self._over.set()

    def waits(self) -> Callable[[], None]:
        """A line is awaited until the returned function is called; twice does nothing more."""
        line = object()
        if self._given_up:  # whoever stalls them would stall this one as well
            self._given_up.add(line)
        else:
            self._hold()
            self._awaited.add(line)
        return lambda: self._left(line)

    @property
    def over(self) -> bool:
        """Whether no line is awaited, or has been for long."""
        return self._over.is_set()

    async def wait(self) -> None:
        """Wait until no line is awaited, or has been for long."""
        await self._over.wait()

    def _hold(self) -> None:
        if not self._held:
            self._held = [*(lane.hold() for lane in self._lanes), uncollected()]
            self._over.clear()
            loop = asyncio.get_running_loop()
            self._moved = loop.time()
            # Set once, while lines keep leaving too: under steady traffic somebody always waits for a first line.
            self._timers = [loop.call_later(_LONGEST, self._give_up), loop.call_later(_STALLED, self._look)]

    def _left(self, line: object) -> None:
        self._given_up.discard(line)
        if line in self._awaited:
            self._awaited.discard(line)
            self._moved = asyncio.get_running_loop().time()
            if not self._awaited:
                self._release()

    def _look(self) -> None:
        """Give up where no line has left for long, else look again when that may be: no line sets its own timer."""
        loop = asyncio.get_running_loop()
        left = self._moved + _STALLED - loop.time()
        if left <= 0:
            self._give_up()
        else:
            self._timers[-1] = loop.call_later(left, self._look)

    def _give_up(self) -> None:
        self._given_up |= self._awaited
        self._awaited.clear()
        self._release()

    def _release(self) -> None:
        for timer in self._timers:
            timer.cancel()
        for go_on in self._held:
            go_on()
        self._held = []
        self._over.set()
