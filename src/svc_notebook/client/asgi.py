"""An ASGI application as an httpx transport that really streams, for sync and async clients alike.

The application runs on the engine's loop; the reader may be a thread, a coroutine on the same loop or one on another.
Chunks that wait are handed over as one (httpx passes each through three nested generators, so that is what costs).
The buffer is bounded, closing early tells the application ``http.disconnect`` and, if it does not listen, cancels it.
httpx's own ``ASGITransport`` collects the whole body before it returns.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, MutableMapping
from typing import Any

from .mailbox import Closed, Mailbox
from .portal import Portal, engine
from .transport import httpx

__all__ = ["ASGIApp", "EmbeddedTransport"]

HIGH_WATER = 64 * 1024
GRACE = 0.5
"""Seconds an application may go on after the reader has left, before it is cancelled."""

logger = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
ASGIApp = Callable[[Scope, Callable[[], Awaitable[Event]], Callable[[Event], Awaitable[None]]], Awaitable[None]]


class EmbeddedTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Carries requests to an application in the same process; opens no port.

    Parameters
    ----------
    app
        The ASGI application. Its lifespan is not this object's business (see :mod:`svc_notebook.client.lifespan`).
    portal
        Where the application runs; the process's own engine unless given.

    Notes
    -----
    An application that asks for the extension ``svc.table`` may hand over an Arrow table by reference; the response
    then carries it in ``response.extensions["svc.table"]``.
    """

    def __init__(self, app: ASGIApp, *, portal: Portal | None = None) -> None:
        self.app = app
        self.portal = portal or engine()
        self.state: dict[str, Any] = {}
        self._running: set[_Exchange] = set()

    async def settle(self, patience: float = 2.0) -> None:
        """Wait until each request that runs has begun to answer (or ``patience`` is over). On the engine's loop."""
        beginning = {asyncio.ensure_future(exchange.begun.wait()) for exchange in self._running}
        if beginning:
            await asyncio.wait(beginning, timeout=patience)
        for each in beginning:
            each.cancel()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        exchange = self._exchange(request, request.read())
        timeout = _read_timeout(request)
        try:
            items = exchange.mail.take_blocking(timeout)
        except (Closed, TimeoutError) as error:
            exchange.leave()
            raise _reading_failed(error, request) from None
        except BaseException:
            exchange.leave()
            raise
        return exchange.response(items, request, timeout)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        exchange = self._exchange(request, await request.aread())
        timeout = _read_timeout(request)
        try:
            async with asyncio.timeout(timeout):
                items = await exchange.mail.take_async()
        except (Closed, TimeoutError) as error:
            exchange.leave()
            raise _reading_failed(error, request) from None
        except BaseException:
            exchange.leave()
            raise
        return exchange.response(items, request, timeout)

    def _exchange(self, request: httpx.Request, body: bytes) -> _Exchange:
        exchange = _Exchange(self.portal.loop, body)
        scope = _scope(request, dict(self.state), exchange.offer)
        exchange.loop.call_soon_threadsafe(self._start, exchange, scope)  # takes the caller's context along
        return exchange

    def _start(self, exchange: _Exchange, scope: Scope) -> None:
        self._running.add(exchange)
        exchange.start(self.app, scope).add_done_callback(lambda _: self._running.discard(exchange))


class _Head:
    __slots__ = ("headers", "status")

    def __init__(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        self.status = status
        self.headers = headers


class _Exchange:
    """One request and its response, seen from the application's side."""

    def __init__(self, loop: asyncio.AbstractEventLoop, body: bytes) -> None:
        self.loop = loop
        self.begun = asyncio.Event()
        self.mail: Mailbox[Any] = Mailbox(loop, HIGH_WATER)
        self.table: Any = None
        self._body: bytes | None = body
        self._left = asyncio.Event()
        self._head: _Head | None = None
        self._flowing = False
        self._complete = False
        self._task: asyncio.Task[None] | None = None

    def start(self, app: ASGIApp, scope: Scope) -> asyncio.Task[None]:
        self._task = self.loop.create_task(self._run(app, scope))
        self._task.add_done_callback(lambda _: self.begun.set())
        return self._task

    def leave(self) -> None:
        """The reader is gone. From any thread, also from a finalizer (so it takes no lock)."""
        try:
            self.loop.call_soon_threadsafe(self._leave)
        except RuntimeError:  # the engine has stopped, and the application with it
            return

    def offer(self, table: Any) -> None:
        self.table = table

    def response(self, items: list[Any], request: httpx.Request, timeout: float | None) -> httpx.Response:
        head: _Head = items[0]
        return httpx.Response(
            head.status,
            headers=head.headers,
            stream=_Body(self, b"".join(items[1:]), request, timeout),
            extensions={"http_version": b"HTTP/1.1", "svc.table": self.table},
        )

    def _leave(self) -> None:
        self.mail.close()
        if self._left.is_set():
            return
        self._left.set()
        if self._task is not None and not self._task.done():
            late = self.loop.call_later(GRACE, self._task.cancel)
            self._task.add_done_callback(lambda _: late.cancel())

    async def _run(self, app: ASGIApp, scope: Scope) -> None:
        cause: Exception | None = None
        try:
            await app(scope, self._receive, self._send)
        except asyncio.CancelledError:
            self.mail.close(httpx.ReadError("The engine stopped while the response was being read"))
            raise
        except Exception as error:  # the outer door: an application's failure is a failed response, as on a server
            cause = error
            logger.log(logging.DEBUG if self.mail.closed else logging.ERROR, "The application failed", exc_info=error)
        if self._head is None:
            self._fail()
        elif not self._complete:
            broken = httpx.RemoteProtocolError("The application ended in the middle of its response")
            broken.__cause__ = cause
            self.mail.close(broken)

    def _fail(self) -> None:
        body = b'{"statusCode":500,"error":"Internal Server Error","message":"Internal server error"}'
        self.mail.post(_Head(500, [(b"content-type", b"application/json")]), 0)
        self.mail.post(body, len(body))
        self.mail.close()

    async def _receive(self) -> Event:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, event: Event) -> None:
        if event["type"] == "http.response.body":
            body = event.get("body", b"")
            if body and not self._left.is_set() and self.mail.post(body, len(body)):
                await self.mail.room()
            elif not self._flowing or self._left.is_set():
                # The first piece goes out before a busy application makes the second; and where nobody listens any
                # more (nothing is kept then, as on a server) a cancellation gets in.
                self._flowing = True
                await asyncio.sleep(0)
            if not event.get("more_body", False) and not self._left.is_set():
                self._complete = True
                self.mail.close()
                self._left.set()
        elif event["type"] == "http.response.start":
            self._head = _Head(event["status"], list(event.get("headers", ())))
            self.begun.set()
            self.mail.post(self._head, 0)


class _Body(httpx.SyncByteStream, httpx.AsyncByteStream):
    """The response's bytes. Dropping it, closed or not, ends the exchange."""

    def __init__(self, exchange: _Exchange, first: bytes, request: httpx.Request, timeout: float | None) -> None:
        self._exchange = exchange
        self._first = first
        self._request = request
        self._timeout = timeout

    def __iter__(self) -> Iterator[bytes]:
        if self._first:
            yield self._first
        take = self._exchange.mail.take_blocking
        try:
            while True:
                yield b"".join(take(self._timeout))
        except Closed:
            return
        except TimeoutError as error:
            raise _reading_failed(error, self._request) from None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._first:
            yield self._first
        take = self._exchange.mail.take_async
        try:
            while True:
                async with asyncio.timeout(self._timeout):
                    items = await take()
                yield b"".join(items)
        except Closed:
            return
        except TimeoutError as error:
            raise _reading_failed(error, self._request) from None

    def close(self) -> None:
        self._exchange.leave()

    async def aclose(self) -> None:
        self._exchange.leave()

    def __del__(self) -> None:
        self._exchange.leave()


def _read_timeout(request: httpx.Request) -> float | None:
    timeout: float | None = request.extensions.get("timeout", {}).get("read")
    return timeout


def _reading_failed(error: Exception, request: httpx.Request) -> httpx.TransportError:
    if isinstance(error, TimeoutError):
        return httpx.ReadTimeout("The application has sent nothing for too long", request=request)
    return httpx.ReadError("The engine stopped before the response began", request=request)


def _scope(request: httpx.Request, state: dict[str, Any], offer: Callable[[Any], None]) -> Scope:
    url = request.url
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},  # 2.4 would make Starlette deaf to disconnects
        "http_version": "1.1",
        "method": request.method,
        "scheme": url.scheme,
        "path": url.path,
        "raw_path": url.raw_path.partition(b"?")[0],
        "query_string": url.query,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "client": ("127.0.0.1", 0),
        "server": (url.host, url.port or {"http": 80, "https": 443}.get(url.scheme)),
        "state": state,
        "extensions": {"svc.table": {"offer": offer}},
    }
