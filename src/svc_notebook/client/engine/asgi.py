"""An ASGI application as an httpx transport that really streams, for sync and async clients alike.

The application runs on the engine's loop; the reader may be a thread, a coroutine on the same loop or one on another.
Chunks that wait are handed over as one (httpx passes each through three nested generators, so that is what costs).
The buffer is bounded, closing early tells the application ``http.disconnect`` and, if it does not listen, cancels it.
httpx's own ``ASGITransport`` collects the whole body before it returns. Clients of httpx2 are served as well: responses
and errors are those of the library that made the request.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from ...waits import Waits
from ..wire.library import library_of
from .exchange import ASGIApp, EngineStopped, Exchange, Head, ResponseBroken, Scope
from .mailbox import Closed, Mailbox
from .portal import Portal, engine

if TYPE_CHECKING:
    import httpx

    from ..wire.target import Target

    class _Transport(httpx.BaseTransport, httpx.AsyncBaseTransport):
        """What httpx's clients ask of a transport."""

else:

    class _Transport:
        """The same without importing httpx: nothing is held that would have to be closed."""

        def __enter__(self):
            return self

        def __exit__(self, *_error):
            self.close()

        def close(self):
            """Nothing is to be done."""

        async def __aenter__(self):
            return self

        async def __aexit__(self, *_error):
            await self.aclose()

        async def aclose(self):
            """Nothing is to be done."""


__all__ = ["ASGIApp", "EmbeddedTransport"]

_BODILESS = ("GET", "HEAD", "DELETE", "OPTIONS")
# Above, a chunk is dearer to copy than to pass on by itself (httpx's three nested generators for each).
_LARGE = 16 * 1024
# Fits the second-level cache of common processors; with lines of 10 kB joining up to here saved a third.
_PIECE = 128 * 1024


class EmbeddedTransport(_Transport):
    """Carries requests to an application in the same process; opens no port.

    Parameters
    ----------
    app
        The ASGI application. Its lifespan is not this object's business (see
        :mod:`svc_notebook.client.engine.lifespan`).
    portal
        Where the application runs; the process's own engine unless given.

    Notes
    -----
    An application that asks for the extension ``svc.table`` may hand over an Arrow table by reference; the response
    then carries it in ``response.extensions["svc.table"]``.
    """

    # Read by Http, which then hands requests over without a client of httpx in between.
    in_process = True

    def __init__(self, app: ASGIApp, *, portal: Portal | None = None) -> None:
        self.app = app
        self.portal = portal or engine()
        self.state: dict[str, Any] = {}
        self._running: set[Exchange] = set()

    async def settle(self, patience: float = 2.0) -> None:
        """Wait until each request that runs has begun to answer (or ``patience`` is over). On the engine's loop."""
        loop = asyncio.get_running_loop()
        beginning = {asyncio.ensure_future(each.begun.wait()) for each in self._running if each.loop is loop}
        if beginning:
            await asyncio.wait(beginning, timeout=patience)
        for each in beginning:
            each.cancel()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        exchange = self._exchange(request, request.read())
        timeout = _read_timeout(request)
        try:
            with _failures_of(request):
                items = exchange.mail.take_blocking(timeout)
        except BaseException:
            exchange.leave()
            raise
        return _response(exchange, items, request, timeout)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        exchange = self._exchange(request, await request.aread(), asyncio.get_running_loop())
        timeout = _read_timeout(request)
        try:
            with _failures_of(request):
                items = await _in_time(exchange.mail, timeout)
        except BaseException:
            exchange.leave()
            raise
        return _response(exchange, items, request, timeout)

    async def answer(
        self, method: str, url: Target | httpx.URL, headers: Mapping[str, str], content: bytes, patience: float | None
    ) -> Answered:
        """The head of the application's answer to what is given, with no request of httpx made of it, nor response.

        Raises httpx's errors, as :meth:`handle_async_request` does.
        """
        exchange = Exchange(self.portal.loop, content)
        length = [(b"content-length", str(len(content)).encode())] if content or method not in _BODILESS else []
        given = [(name.lower().encode("ascii"), value.encode("ascii")) for name, value in headers.items()]
        raw = [(b"host", url.netloc), *given, *length]
        scope = _scope(method, url, raw, dict(self.state), exchange.offer)
        self._begin(exchange, scope, asyncio.get_running_loop())
        try:
            with _failures_of(None):
                items = await _in_time(exchange.mail, patience)
        except BaseException:
            exchange.leave()
            raise
        return Answered(exchange, items, patience)

    def _exchange(self, request: httpx.Request, body: bytes, here: asyncio.AbstractEventLoop | None = None) -> Exchange:
        exchange = Exchange(self.portal.loop, body)
        headers = [(name.lower(), value) for name, value in request.headers.raw]
        scope = _scope(request.method, request.url, headers, dict(self.state), exchange.offer)
        self._begin(exchange, scope, here)
        return exchange

    def _begin(self, exchange: Exchange, scope: Scope, here: asyncio.AbstractEventLoop | None) -> None:
        if exchange.loop is here:
            self._start(exchange, scope)
        else:
            exchange.loop.call_soon_threadsafe(self._start, exchange, scope)  # takes the caller's context along

    def _start(self, exchange: Exchange, scope: Scope) -> None:
        # asyncio holds its tasks weakly: without this set a request in flight could be collected as garbage.
        self._running.add(exchange)
        exchange.start(self.app, scope).add_done_callback(lambda _: self._running.discard(exchange))


class _Body:
    """The response's bytes. Dropping it, closed or not, ends the exchange."""

    def __init__(self, exchange: Exchange, first: bytes, request: httpx.Request | None, timeout: float | None) -> None:
        self._exchange = exchange
        self._first = first
        self._request = request
        self._timeout = timeout

    def __iter__(self) -> Iterator[bytes]:
        if self._first:
            yield self._first
        take = self._exchange.mail.take_blocking
        with _failures_of(self._request):
            while True:
                try:
                    items = take(self._timeout)
                except Closed:
                    return
                yield from _pieces(items)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._first:
            yield self._first
        take, waits = self._exchange.mail.take_async, Waits(self._timeout)
        try:
            with _failures_of(self._request):
                while True:
                    try:
                        with waits:
                            items = await take()
                    except Closed:
                        return
                    for piece in _pieces(items):
                        yield piece
        finally:
            waits.close()

    def close(self) -> None:
        self._exchange.leave()

    async def aclose(self) -> None:
        self._exchange.leave()

    def __del__(self) -> None:
        self._exchange.leave()


class Answered:
    """An answer of the application with those of a response's ways that the client reads it by."""

    def __init__(self, exchange: Exchange, items: list[Any], patience: float | None) -> None:
        head: Head = items[0]
        self.status_code = head.status
        self.headers: dict[str, str] = {}
        for name, value in head.headers:
            key, text = name.decode("latin-1").lower(), value.decode("latin-1")
            # Repeated headers are one, joined by commas (RFC 9110, 5.3), which is how httpx's Headers give them too.
            self.headers[key] = f"{self.headers[key]}, {text}" if key in self.headers else text
        self.extensions = {"svc.table": exchange.table}
        self._body = _Body(exchange, b"".join(items[1:]), None, patience)

    def aiter_bytes(self) -> AsyncIterator[bytes]:
        """The body as it comes."""
        return self._body.__aiter__()

    async def aclose(self) -> None:
        """Read no further."""
        await self._body.aclose()


async def _in_time(mail: Mailbox[Any], patience: float | None) -> list[Any]:
    if patience is None:
        return await mail.take_async()
    async with asyncio.timeout(patience):
        return await mail.take_async()


def _pieces(items: list[bytes]) -> list[bytes]:
    """Small chunks as one, since each that is passed on costs; large ones as they are, since a copy costs more.

    No piece is much larger than a processor's cache, or reading it would be from memory.
    """
    if len(items) == 1 or len(items[0]) >= _LARGE:
        return items
    each = max(1, _PIECE * len(items) // (1 + sum(map(len, items))))
    return [b"".join(items[at : at + each]) for at in range(0, len(items), each)]


@cache
def _body_of(library: Any) -> type[_Body]:
    """The body as a stream of ``library``, whose clients insist on their own base classes."""
    return type("_Body", (_Body, library.SyncByteStream, library.AsyncByteStream), {})


def _response(exchange: Exchange, items: list[Any], request: httpx.Request, timeout: float | None) -> httpx.Response:
    head: Head = items[0]
    library = library_of(request)
    response: httpx.Response = library.Response(
        head.status,
        headers=head.headers,
        stream=_body_of(library)(exchange, b"".join(items[1:]), request, timeout),
        extensions={"http_version": b"HTTP/1.1", "svc.table": exchange.table},
    )
    return response


@contextmanager
def _failures_of(request: httpx.Request | None) -> Iterator[None]:
    """What goes wrong on the application's side, as the errors the client's library has for it."""
    try:
        yield
    except TimeoutError:
        text = "The application has sent nothing for too long"
        raise library_of(request).ReadTimeout(text, request=request) from None
    except Closed:
        raise library_of(request).ReadError("The engine stopped before the response began", request=request) from None
    except EngineStopped as stopped:
        raise library_of(request).ReadError(str(stopped), request=request) from None
    except ResponseBroken as broken:
        raise library_of(request).RemoteProtocolError(str(broken), request=request) from broken.__cause__


def _read_timeout(request: httpx.Request) -> float | None:
    timeout: float | None = request.extensions.get("timeout", {}).get("read")
    return timeout


def _scope(
    method: str,
    url: Target | httpx.URL,
    headers: list[tuple[bytes, bytes]],
    state: dict[str, Any],
    offer: Callable[[Any], None],
) -> Scope:
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},  # 2.4 would make Starlette deaf to disconnects
        "http_version": "1.1",
        "method": method,
        "scheme": url.scheme,
        "path": url.path,
        # httpx's raw_path has the query in it, which ASGI keeps apart.
        "raw_path": url.raw_path.partition(b"?")[0],
        "query_string": url.query,
        "root_path": "",
        "headers": headers,
        # Nobody connects; but middlewares and access logs index into this pair.
        "client": ("127.0.0.1", 0),
        "server": (url.host, url.port or {"http": 80, "https": 443}.get(url.scheme)),
        "state": state,
        "extensions": {"svc.table": {"offer": offer}},
    }
