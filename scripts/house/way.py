"""The way of one question, written down while one is asked: who calls and who awaits whom, from the cell to the engine.

A question is asked of an embedded service. DuckDB is given the answer's query once everybody else waits for it, and the
stack of every thread and every task that works for the question is read then; so are those of the moment the rows'
frame is written to the wire and of the moment the client folds it. What stands here was there: nothing is worked out
from the source.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import duckdb
import pandas as pd

import svc_notebook as svc
from svc_notebook.results import fold as folding
from svc_notebook.service.turns import turns

__all__ = ["Leg", "Way", "way"]

OTHERS = ("httpx", "starlette")
"""Packages through which the way leads; their calls count as hops, and are told by their package alone."""
WAITS = "client.turn.StreamHandle.wait"
"""Where the cell's thread waits: what it calls with every heartbeat is none of the way."""
WATCHES = "service.turns.running.Turns._watch"
"""Looks after all turns: where the one of an earlier question still does, none is made."""
PATIENCE = 60.0
"""Seconds in which everybody else has come to wait, on however busy a machine."""


@dataclass(frozen=True)
class Leg:
    """Calls on one thread or in one task, outermost first."""

    where: str
    calls: tuple[str, ...]


@dataclass(frozen=True)
class Way:
    """Down to the engine, and back."""

    down: tuple[Leg, ...]
    back: tuple[Leg, ...]


@dataclass
class Witness:
    """What is seen while a question is asked of a service on ``loop``."""

    loop: asyncio.AbstractEventLoop
    born: dict[asyncio.Task[Any] | None, tuple[int, ...]] = field(default_factory=lambda: {None: ()})
    """Every task after the one that made it, whichever came first to run."""
    checked: Leg | None = None
    waiting: list[Leg] = field(default_factory=list)
    asked: Leg | None = None
    written: Leg | None = None
    folded: Leg | None = None

    def make_task(self, loop: asyncio.AbstractEventLoop, coroutine: Any, **more: Any) -> asyncio.Task[Any]:
        task = asyncio.Task(coroutine, loop=loop, **more)
        self.born[task] = (*self.born.get(asyncio.current_task(loop), ()), len(self.born))
        return task

    def asked_engine(self) -> None:
        """Every leg once all others wait; the last query of a question is the one whose rows are its answer."""
        asked, looked = _here(""), Future[list[Leg]]()
        self.loop.call_soon_threadsafe(self._look, looked)
        self.waiting, self.asked = looked.result(PATIENCE), asked

    def _look(self, looked: Future[list[Leg]]) -> None:
        """On the loop, so that no task runs meanwhile: a lane's thread may begin before who gave it work awaits it."""
        cell = Leg("the cell's thread", _stack(sys._current_frames()[threading.main_thread().ident or 0]))
        if self.loop._ready or cell.calls[-1:] != (WAITS,):  # type: ignore[attr-defined]
            self.loop.call_later(0.001, self._look, looked)
            return
        running = sorted((place, task) for task, place in self.born.items() if task is not None and not task.done())
        tasks = [Leg("a task of the loop", _awaited(task.get_coro())) for _, task in running]
        looked.set_result([leg for leg in (cell, *tasks) if leg.calls and leg.calls[0] != WATCHES])

    @property
    def way(self) -> Way:
        """What was waiting for the engine leads down; what was made after it, to take lines away, leads back."""
        waits = [number for number, leg in enumerate(self.waiting) if leg.calls[-1].startswith("lanes.")]
        last = waits[-1] + 1
        engine = (self.checked, self.asked)
        back = (self.written, *self.waiting[last:], self.folded)
        return Way(
            (*self.waiting[:last], *(leg for leg in engine if leg is not None)),
            tuple(leg for leg in back if leg is not None),
        )


def way() -> Way:
    """The way of one question."""
    frame = pd.DataFrame({"id": [1, 2, 3], "region": ["north", "south", "north"], "amount": [10, 20, 30]})
    with svc.embedded(data={"orders": frame}) as client:
        chat = client.chat()
        chat.ask("orders by region")  # what is looked up once is known then
        loop = client.portal.loop
        witness = Witness(loop)
        loop.call_soon_threadsafe(loop.set_task_factory, witness.make_task)
        with _watched(witness):
            answer = chat.ask("amount by region")
        loop.call_soon_threadsafe(loop.set_task_factory, None)
    if answer.status != "complete":
        raise RuntimeError(f"the question was not answered: {answer.error}")
    return witness.way


@contextmanager
def _watched(witness: Witness) -> Iterator[None]:
    """The calls that matter are told to ``witness`` before they are made."""
    connection: Any = duckdb.DuckDBPyConnection
    asks = "_submit" if hasattr(connection, "_submit") else "sql"  # as the engine does it
    real = getattr(connection, asks), connection.execute, turns.encode_line, folding.fold

    def ask(self: Any, *given: Any, **more: Any) -> Any:
        witness.asked_engine()
        return real[0](self, *given, **more)

    def execute(self: Any, *given: Any, **more: Any) -> Any:
        here = _here("")
        if any(call.startswith("semantic.compiler.") for call in here.calls):
            witness.checked = here
        return real[1](self, *given, **more)

    def encode(frame: Any) -> bytes:
        if _has_rows(frame):
            witness.written = _here("protocol.ndjson.encode_line")
        return real[2](frame)

    def fold(frame: Any, snapshot: Any) -> Any:
        if _has_rows(frame):
            witness.folded = _here("results.fold.fold")
        return real[3](frame, snapshot)

    try:
        setattr(connection, asks, ask)
        connection.execute, turns.encode_line, folding.fold = execute, encode, fold
        yield
    finally:
        setattr(connection, asks, real[0])
        connection.execute, turns.encode_line, folding.fold = real[1:]


def _here(last: str) -> Leg:
    """This thread's stack, without the hooks above; ``last`` is the function they stand in for."""
    name = threading.current_thread().name.rstrip("0123456789-_ ")
    calls = [call for call in _stack(sys._getframe(1)) if not call.startswith("client.engine.portal.")]
    loop = not any(call.startswith("lanes.") for call in calls)
    return Leg("a task of the loop" if loop else f"a thread of {name}", (*calls, *([last] if last else [])))


def _has_rows(frame: Any) -> bool:
    call = getattr(frame, "tool_call", None)
    return isinstance(getattr(call, "result", None), str)


def _stack(frame: FrameType | None) -> tuple[str, ...]:
    found: list[str] = []
    while frame is not None:
        found.append(_name(frame))
        frame = frame.f_back
    return _told(found[::-1])


def _awaited(coroutine: Any) -> tuple[str, ...]:
    """What a suspended coroutine waits in, from the outside."""
    found: list[str] = []
    while coroutine is not None:
        frame = next(
            (frame for kind in ("cr", "ag", "gi") if (frame := getattr(coroutine, f"{kind}_frame", None))), None
        )
        if frame is not None:
            found.append(_name(frame))
        coroutine = _next(coroutine)
    return _told(found)


def _next(coroutine: Any) -> Any:
    for name in ("cr_await", "ag_await", "gi_yieldfrom"):
        if (other := getattr(coroutine, name, None)) is not None:
            return other
    if type(coroutine).__name__.startswith("async_generator_"):  # `anext(…)`, which shows its generator to nobody else
        return next((each for each in gc.get_referents(coroutine) if hasattr(each, "ag_frame")), None)
    return None


def _name(frame: FrameType) -> str:
    return f"{frame.f_globals.get('__name__', '')}:{frame.f_code.co_qualname}"


def _told(names: list[str]) -> tuple[str, ...]:
    """Ours by module and function; of a run of calls in another package one name."""
    told: list[str] = []
    for name in names:
        module, _, function = name.partition(":")
        package = module.partition(".")[0]
        if package == "svc_notebook":
            told.append(f"{module.removeprefix('svc_notebook.')}.{function.replace('.<locals>', '')}")
        elif package in OTHERS and told[-1:] != [package]:
            told.append(package)
    return tuple(told)
