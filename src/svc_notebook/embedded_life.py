"""The life of a service in this process: its start and stop on the engine's loop, and its end.

Whoever speaks to the service holds its transport: the client, its chats, results that can still load the rest. What
works on the engine's loop holds a :class:`Life`, which holds none of those; so they are freed with their last
reference, and with the transport ends the service, its store and its engine.
"""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections.abc import Callable
from typing import Any

from .client.engine.asgi import ASGIApp, EmbeddedTransport
from .client.engine.lifespan import Lifespan, LifespanFailed

__all__ = ["Life"]


class Life:
    """A service that is started and stopped, any number of times, and ends once.

    Parameters
    ----------
    transport
        What clients reach it through; freeing it ends the life.
    make
        Makes the application; it must not hold the transport.
    close
        Closes what outlives a restart; it must not hold the transport either.
    """

    def __init__(self, transport: EmbeddedTransport, make: Callable[[], ASGIApp], close: Callable[[], None]) -> None:
        # Weakly: a finalizer of the transport holds this object, and would never run.
        self._transport = weakref.ref(transport)
        self._portal = transport.portal
        self._make = make
        self._close = close
        self._app: ASGIApp = _stopped
        self._lifespan: Lifespan | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._born = self._process = os.getpid()
        self._forget: Callable[[], None] = lambda: None
        # Also where nobody calls close(): an engine that is still open when the interpreter ends is an engine leaked.
        self._end = weakref.finalize(transport, _let_go, self)

    @property
    def running(self) -> bool:
        """Whether the service is at work: started, in this process, on a loop that runs."""
        loop_runs = self._loop is not None and self._loop.is_running()
        return self._lifespan is not None and loop_runs and self._process == os.getpid()

    async def serve(self, scope: Any, receive: Any, send: Any) -> None:
        """The application while it runs; else, and in a forked child, a word that it is stopped."""
        await (self._app if self.running else _stopped)(scope, receive, send)

    def start(self) -> None:
        if not self.running:
            self._portal.run(self._start())

    def stop(self) -> None:
        # On the engine's own thread to wait for the engine would be to wait for ever.
        if self.running and not self._portal.inside:
            self._portal.run(self._stop())

    def close(self) -> None:
        """End it: stop, and close what outlives a restart. Twice does nothing more."""
        self.stop()
        if self._end.detach() is not None:
            self._close_all()

    async def _start(self) -> None:
        lifespan = Lifespan(app := self._make())
        try:
            await lifespan.start()
        except LifespanFailed as failed:  # the reason is enough: a key or a group of the configuration that is missing
            raise (failed.__cause__ or failed).with_traceback(None) from None
        self._lifespan, self._app = lifespan, app
        self._loop, self._process = asyncio.get_running_loop(), os.getpid()
        self._forget = self._portal.on_stop(self._stop)
        if (transport := self._transport()) is not None:
            transport.state = lifespan.state

    async def _stop(self) -> None:
        lifespan, self._lifespan = self._lifespan, None
        self._app = _stopped
        self._forget()
        if (transport := self._transport()) is not None:
            await transport.settle()  # a request that has just come in still finds the service as it was
        if lifespan is not None:
            await lifespan.stop()

    async def _stop_and_close(self) -> None:
        try:
            await self._stop()
        finally:
            # The interpreter waits for it: a thread that is torn out of an engine ends in abort().
            threading.Thread(target=self._close_all, name="svc-end", daemon=False).start()

    def _end_soon(self) -> None:
        ending = asyncio.ensure_future(self._stop_and_close())
        # asyncio holds its tasks weakly.
        _endings.add(ending)
        ending.add_done_callback(_endings.discard)

    def _close_all(self) -> None:
        if self._born == os.getpid():  # a forked child must not touch the connections of its parent
            self._close()


_endings: set[asyncio.Future[None]] = set()


def _let_go(life: Life) -> None:
    """The transport was freed, on whatever thread, or the interpreter ends: nothing here may wait for the loop."""
    if life.running:
        life._portal.call(life._end_soon)
    else:
        life._close_all()


async def _stopped(scope: Any, receive: Any, send: Any) -> None:
    body = (
        b'{"statusCode":503,"error":"Service Unavailable",'
        b'"message":"The embedded service is stopped: call restart() on its client"}'
    )
    # An hour, so that no client tries again by itself: nothing but a call of restart() helps.
    headers = [(b"content-type", b"application/json"), (b"retry-after", b"3600")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body})
