"""``svc-notebook serve --workers N``: processes that serve one port together, and the one that looks after them.

This process binds the port and serves nothing. Every worker is a process of its own that listens on the same socket:
what waits in it is lost with none of them. A worker that ends is replaced. On SIGHUP each is replaced in turn, by one
that has begun to serve before the old one is told to take nothing more and to end what it has begun; where the new
one does not come up, the old one stays. SIGTERM goes to all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import signal
import socket
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from ..service.operation.counts import shared_file
from .output import note

__all__ = ["Workforce"]

_GONE = object()

_READY = 300.0
_FINISHING = 120.0
"""Seconds that a worker which has been replaced may take to end what it has begun."""
_ENDING = 15.0
"""Seconds after which a worker that was told to end is ended."""
_LASTED = 5.0
_PAUSES = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Seconds before a worker is replaced that ended again and again before it had lasted."""
_BACKLOG = 1_048_576
_LONGEST = 2**20
"""Bytes of what one worker says at once."""


@dataclass(eq=False)
class _Worker:
    number: int
    block: int
    process: asyncio.subprocess.Process
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    ready: asyncio.Future[list[str] | None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    since: float = field(default_factory=time.monotonic)
    asked: dict[int, asyncio.Future[Any]] = field(default_factory=dict)

    @property
    def serves(self) -> bool:
        return self.ready.done() and self.ready.result() is not None

    def say(self, said: bytes) -> None:
        """Tell it a line; what it does not read for long is not kept for it."""
        if not self.writer.is_closing() and self.writer.transport.get_write_buffer_size() < _BACKLOG:
            self.writer.write(said)

    async def started(self) -> list[str] | None:
        """What it has to tell once it serves; None when it does not come up."""
        try:
            return await asyncio.wait_for(asyncio.shield(self.ready), _READY)
        except TimeoutError:
            self.process.kill()
            return None

    async def answer(self, word: str, number: int, patience: float) -> Any:
        """What it says to a word; None where it does not in time, :data:`_GONE` where it has ended meanwhile."""
        self.asked[number] = asked = asyncio.get_running_loop().create_future()
        self.say(json.dumps({"ask": word, "number": number}).encode() + b"\n")
        try:
            async with asyncio.timeout(patience):
                return await asked
        except TimeoutError:
            return None
        finally:
            del self.asked[number]


class Workforce:
    """So many workers on one port.

    Parameters
    ----------
    listener
        The bound port.
    key
        The admin key, where the configuration has none.
    """

    def __init__(self, options: argparse.Namespace, listener: socket.socket, key: str) -> None:
        told = {name: value for name, value in vars(options).items() if name not in ("run", "worker")}
        told["port"] = listener.getsockname()[1]
        team = secrets.token_hex(8)
        self._hello = {"options": told, "key": key, "workers": options.workers, "team": team}
        self._count: int = options.workers
        # Each place, and the one that is being replaced; and what a process that does not end may still hold.
        self._blocks = list(range(2 * options.workers + 2))
        self._counts = shared_file(len(self._blocks))
        self._questions = count()
        self._listener = listener
        self._at: dict[int, _Worker] = {}
        self._all: set[_Worker] = set()
        self._failed: dict[int, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._replace = asyncio.Event()
        self._end = asyncio.Event()

    async def run(self) -> int:
        """Serve until told to end; returns the exit code."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._told_to_end)
        loop.add_signal_handler(signal.SIGHUP, self._replace.set)
        try:
            if not await self._begin():
                return 0 if self._end.is_set() else 1
            self._in_background(self._replacing())
            await self._end.wait()
            return 0
        finally:
            await self._dismiss()

    def _told_to_end(self) -> None:
        if self._end.is_set():  # for the second time: at once
            for worker in self._all:
                with suppress(ProcessLookupError):
                    worker.process.kill()
        self._end.set()

    async def _begin(self) -> bool:
        """The first worker brings the store up to date, and shows whether there is anything to serve."""
        first = await self._hire(1)
        ending = asyncio.ensure_future(self._end.wait())
        starting = asyncio.ensure_future(first.started())
        await asyncio.wait({ending, starting}, return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        lines = starting.result() if starting.done() else None
        if lines is None:
            starting.cancel()
            return False
        self._at[1] = first
        for number in range(2, self._count + 1):
            self._at[number] = await self._hire(number)
        await asyncio.gather(*(worker.started() for worker in self._at.values()))
        for line in lines:
            note(line)
        host, port = self._listener.getsockname()[:2]
        address = f"[{host}]" if ":" in host else host
        note(f"running on http://{address}:{port}, {self._count} workers")
        return True

    async def _hire(self, number: int) -> _Worker:
        ours, theirs = socket.socketpair()
        block = self._blocks.pop()
        with theirs:
            handles = self._listener.fileno(), theirs.fileno(), self._counts
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", "svc_notebook.cli", "serve", "--worker", ",".join(map(str, handles)),
                stdin=asyncio.subprocess.DEVNULL, pass_fds=handles, process_group=0,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )  # fmt: skip
        worker = _Worker(number, block, process, *await asyncio.open_unix_connection(sock=ours, limit=_LONGEST))
        self._all.add(worker)
        worker.say(json.dumps({**self._hello, "worker": number, "block": block}, default=str).encode() + b"\n")
        self._in_background(self._look_after(worker))
        return worker

    async def _look_after(self, worker: _Worker) -> None:
        with suppress(OSError):
            async for said in worker.reader:
                self._heard(worker, said)
        code = await worker.process.wait()
        worker.writer.close()
        self._all.discard(worker)
        self._blocks.append(worker.block)
        lasted = worker.ready.done() and time.monotonic() - worker.since >= _LASTED
        for asked in worker.asked.values():
            if not asked.done():
                asked.set_result(_GONE)
        if not worker.ready.done():
            worker.ready.set_result(None)
        if self._at.get(worker.number) is not worker or self._end.is_set():
            return
        how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
        note(f"worker {worker.number} (process {worker.process.pid}) {how}: another one takes its place")
        times = self._failed[worker.number] = 0 if lasted else self._failed.get(worker.number, -1) + 1
        await asyncio.sleep(_PAUSES[min(times, len(_PAUSES) - 1)])
        if not self._end.is_set() and self._at.get(worker.number) is worker:
            self._at[worker.number] = await self._hire(worker.number)

    def _heard(self, worker: _Worker, said: bytes) -> None:
        told: dict[str, Any] = json.loads(said)
        if "ready" in told and not worker.ready.done():
            note(f"worker {worker.number} is process {worker.process.pid}")
            worker.ready.set_result(told["ready"])
        if "ring" in told:
            for other in self._all:
                if other is not worker and other.ready.done():
                    other.say(said)
        if "ask" in told:
            self._in_background(self._ask_others(worker, told))
        if "answer" in told:
            asked = worker.asked.get(told["number"])
            if asked is not None and not asked.done():
                asked.set_result(told["answer"])

    async def _ask_others(self, worker: _Worker, told: dict[str, Any]) -> None:
        """Ask all who serve what one of them wants to know, and tell it what they said."""
        others = [other for other in self._all if other is not worker and other.serves]
        asked = (other.answer(told["ask"], next(self._questions), told["patience"]) for other in others)
        said = zip(others, await asyncio.gather(*asked), strict=True)
        answers = [(other.number, answer) for other, answer in said if answer is not _GONE]
        worker.say(json.dumps({"told": answers, "number": told["number"]}).encode() + b"\n")

    async def _replacing(self) -> None:
        while True:
            await self._replace.wait()
            self._replace.clear()
            note("the workers are replaced, one after the other")
            for number in sorted(self._at):
                if not await self._replaced(number):
                    note(f"worker {number} cannot be replaced: the ones that serve go on as they are")
                    break
            else:
                note("every worker has been replaced")

    async def _replaced(self, number: int) -> bool:
        new = await self._hire(number)
        if await new.started() is None:
            return False
        old, self._at[number] = self._at[number], new
        old.say(json.dumps({"retire": _FINISHING}).encode() + b"\n")
        await self._gone(old, _FINISHING + _ENDING)
        return True

    async def _dismiss(self) -> None:
        for worker in self._all:
            with suppress(ProcessLookupError):
                worker.process.terminate()
        await asyncio.gather(*(self._gone(worker, _ENDING) for worker in list(self._all)))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _gone(self, worker: _Worker, seconds: float) -> None:
        try:
            await asyncio.wait_for(worker.process.wait(), seconds)
        except TimeoutError:
            note(f"worker {worker.number} (process {worker.process.pid}) does not end: it is ended")
            worker.process.kill()
            await worker.process.wait()

    def _in_background(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
