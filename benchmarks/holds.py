"""How long work holds others up: the event loop, and the interpreter's lock.

A task on the loop sums what its thread computes between two looks. A thread looks at the clock every few milliseconds; where
it comes late, the thread that computed most meanwhile held the lock for as long as it computed. What the machine
gave to other processes counts for nothing, and the collector's passes over the whole heap, which are the interpreter's own, are
counted apart.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["Holds", "watched"]

_TICK = 0.002
_LATE = 0.01


@dataclass
class Holds:
    """The longest holds in seconds of computing; ``where`` is what ran when the lock came free."""

    loop: float = 0.0
    lock: float = 0.0
    collector: float = 0.0
    where: str = ""


class _Watch:
    def __init__(self) -> None:
        self.found = Holds()
        self.stop = threading.Event()
        self._collected: dict[int, float] = {}
        self._began: dict[int, float] = {}

    def collecting(self, phase: str, _: dict[str, int]) -> None:
        thread, now = threading.get_ident(), time.thread_time()
        if phase == "start":
            self._began[thread] = now
        elif thread in self._began:
            spent = now - self._began.pop(thread)
            self._collected[thread] = self._collected.get(thread, 0.0) + spent
            self.found.collector = max(self.found.collector, spent)

    def computed(self, thread: int) -> float:
        """Seconds a thread has computed."""
        try:
            return time.clock_gettime(time.pthread_getcpuclockid(thread))
        except (OSError, OverflowError):
            return 0.0

    def collected(self, thread: int) -> float:
        """Seconds of them that were the collector's."""
        return self._collected.get(thread, 0.0)

    def look_at_the_lock(self) -> None:
        me = threading.get_ident()
        while not self.stop.is_set():
            before = {thread: self.computed(thread) for thread in sys._current_frames() if thread != me}
            swept = dict(self._collected)
            began = time.perf_counter()
            time.sleep(_TICK)
            late = time.perf_counter() - began - _TICK
            if late > _LATE and before:
                self._late(late, before, swept)

    def _late(self, late: float, before: dict[int, float], swept: dict[int, float]) -> None:
        spent = {thread: self.computed(thread) - was for thread, was in before.items()}
        worst = max(spent, key=lambda thread: spent[thread])
        frame = sys._current_frames().get(worst)
        time.sleep(_TICK)  # a collector that has just ended notes what it took
        held = min(late, spent[worst]) - (self.collected(worst) - swept.get(worst, 0.0))
        if held > self.found.lock:
            self.found.lock = held
            self.found.where = "".join(traceback.format_stack(frame)[-5:]) if frame is not None else ""

    async def look_at_the_loop(self) -> None:
        me = threading.get_ident()
        before = self.computed(me) - self.collected(me)
        while not self.stop.is_set():
            await asyncio.sleep(_TICK)
            now = self.computed(me) - self.collected(me)
            self.found.loop, before = max(self.found.loop, now - before), now


@contextmanager
def watched(loop: asyncio.AbstractEventLoop) -> Iterator[Holds]:
    """Watch a running loop of another thread, and the interpreter, while the block runs."""
    watch = _Watch()
    gc.callbacks.append(watch.collecting)
    looking = asyncio.run_coroutine_threadsafe(watch.look_at_the_loop(), loop)
    thread = threading.Thread(target=watch.look_at_the_lock)
    thread.start()
    try:
        yield watch.found
    finally:
        watch.stop.set()
        thread.join()
        looking.result()
        gc.callbacks.remove(watch.collecting)
