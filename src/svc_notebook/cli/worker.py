"""One of the processes behind a port: it is told what to serve, serves it, and goes when it is told to.

The line to the process that looks after it carries JSON, one object a line. When it breaks, that process is gone, and
the worker ends as it does for SIGTERM: nobody would start it anew, or tell it to stop.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..service.operation.colleagues import Told
    from ..service.operation.counts import Counts

__all__ = ["Line", "run"]

_QUEUE = 2048
"""Connections that the system keeps for whoever has time next."""
_AT_ONCE = 4
"""Connections one worker takes before it does something else: the others are there for the rest."""
_LAST = 1.0
"""Seconds without a request after which a worker that is to go closes the connections it has."""
_LOOK = 0.05
_CLOSE = (b"connection", b"close")
_LATE = 0.5
"""Seconds on top of what the others may take, before the process in the middle is taken for stuck."""
_LONGEST = 2**24
"""Bytes of a line: what each of many workers says may be in it."""


class Line:
    """What a worker hears from the process that looks after it, and tells it: see ``service.bell.Carrier`` and
    ``service.colleagues.Colleagues``.
    """

    counts: Counts

    def __init__(self, handle: int) -> None:
        self._socket = socket.socket(fileno=handle)
        self._writer: asyncio.StreamWriter | None = None
        self._numbers = count()
        self._asked: dict[int, asyncio.Future[list[Told]]] = {}
        self._answering: set[asyncio.Task[None]] = set()
        self.answers: Mapping[str, Callable[[], Awaitable[Any]]] = {}
        self.team = ""
        self.leaving = False
        self.rung: Callable[[str], None] = lambda word: None

    def hello(self) -> dict[str, Any]:
        """What to serve; nothing else is said before the worker is ready."""
        said = b""
        while not said.endswith(b"\n"):
            piece = self._socket.recv(65_536)
            if not piece:
                raise EOFError
            said += piece
        told: dict[str, Any] = json.loads(said)
        self.team = told["team"]
        return told

    async def open(self) -> asyncio.StreamReader:
        """Have the line heard by the running loop."""
        reader, self._writer = await asyncio.open_unix_connection(sock=self._socket, limit=_LONGEST)
        return reader

    async def follow(self, reader: asyncio.StreamReader, retire: Callable[[float], None]) -> None:
        """Do as the line says until it breaks."""
        async for said in reader:
            told = json.loads(said)
            if "ring" in told:
                self.rung(told["ring"])
            if "retire" in told:
                self.leaving = True
                retire(told["retire"])
            if "ask" in told:
                task = asyncio.create_task(self._answer(told["ask"], told["number"]))
                self._answering.add(task)
                task.add_done_callback(self._answering.discard)
            if "told" in told:
                self._tell(told["number"], told["told"])

    async def _answer(self, word: str, number: int) -> None:
        answer = self.answers.get(word)
        if answer is not None:  # of another version of this package, it may be
            self.say(answer=await answer(), number=number)

    def _tell(self, number: int, told: list[tuple[int, Any]]) -> None:
        from ..service.operation.colleagues import Told

        waiting = self._asked.pop(number, None)
        if waiting is not None and not waiting.done():
            waiting.set_result([Told(worker, said) for worker, said in told])

    def say(self, **told: Any) -> None:
        assert self._writer is not None
        self._writer.write(json.dumps(told).encode() + b"\n")

    async def ask(self, word: str, patience: float) -> list[Told]:
        """What each of the other workers says to a word, within so many seconds."""
        if not self.hears:
            return []
        number = next(self._numbers)
        asked: asyncio.Future[list[Told]] = asyncio.get_running_loop().create_future()
        self._asked[number] = asked
        self.say(ask=word, number=number, patience=patience)
        try:
            async with asyncio.timeout(patience + _LATE):
                return await asked
        except TimeoutError:
            logging.getLogger(__name__).warning("the process that looks after the workers does not answer")
            return []
        finally:
            self._asked.pop(number, None)

    @property
    def hears(self) -> bool:
        """Whether the line is open."""
        return self._writer is not None and not self._writer.is_closing()

    def ring(self, word: str) -> None:
        """Have every other worker hear a word."""
        if self.hears:
            self.say(ring=word)

    async def run(self) -> None:
        """Nothing more than :meth:`follow` does."""


class _Shared(socket.socket):
    """The port that all workers listen on."""

    def listen(self, backlog: int = 0, /) -> None:
        super().listen(_QUEUE)  # what the server says is how many it takes at once


def run(handles: str) -> int:
    """Serve on the port with the first of three handles, as the line with the second one says; the third one's file
    holds what is counted of all.
    """
    from ..service.operation.counts import SharedCounts
    from .serve import make_app, make_server, quietly

    port, line, counts = (int(handle) for handle in handles.split(","))
    listener, link = _Shared(fileno=port), Line(line)
    hello = link.hello()
    link.counts = SharedCounts(counts, hello["block"])
    options = _options(hello["options"])
    app, lines = make_app(options, hello["key"], workers=hello["workers"], worker=hello["worker"], line=link)
    server = make_server(app, options, backlog=_AT_ONCE)
    serve = server.startup

    def retire(seconds: float) -> None:
        app.state.leaving = asyncio.create_task(_leave(server, seconds))

    async def startup(*given: Any, **named: Any) -> None:
        await serve(*given, **named)
        app.state.following = asyncio.create_task(link.follow(await link.open(), retire))
        app.state.following.add_done_callback(lambda _: setattr(server, "should_exit", True))
        link.say(ready=lines)

    server.startup = startup
    code = quietly(lambda: server.run(sockets=[listener]), server)
    logging.shutdown()
    os._exit(code)  # everything is kept and closed; taking the interpreter apart would only take time


async def _leave(server: Any, seconds: float) -> None:
    """Take no new connection, end each with its next answer, and go once nothing is asked on any: a request that meets
    a closed connection is lost.
    """
    for listening in server.servers:
        listening.close()
    server.config.encoded_headers.append(_CLOSE)
    server.server_state.default_headers = [*server.server_state.default_headers, _CLOSE]
    now = asyncio.get_running_loop().time
    busy, end = now(), now() + seconds
    while now() < min(end, busy + _LAST):
        await asyncio.sleep(_LOOK)
        if server.server_state.tasks:
            busy = now()
    server.config.timeout_graceful_shutdown = max(1.0, end - now())
    server.should_exit = True


def _options(told: dict[str, Any]) -> argparse.Namespace:
    paths = {name: Path(told[name]) if told[name] else None for name in ("model", "config")}
    return argparse.Namespace(**{**told, **paths})
