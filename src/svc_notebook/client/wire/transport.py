"""The one seam with the HTTP library (see :mod:`.library`).

Requests come in as :class:`~svc_notebook.client.wire.requests.Request`, answers leave as bytes, errors as our own tree.
Redirects are followed only within the same origin: a key never travels to another host.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ...tracing import span
from .. import errors
from .library import LIBRARIES, httpx, libraries, library_of
from .requests import Request, bearer
from .target import target_of
from .tokens import TokenSource

if TYPE_CHECKING:
    from http.cookiejar import CookieJar

__all__ = ["Http", "Reply", "StreamingReply"]

MAX_REDIRECTS = 5
REFUSED = 401
MAX_BODY = 64 * 1024 * 1024
"""Bytes of an answer that is not made of rows."""

for _name in LIBRARIES:  # one INFO line per request would land in every notebook with root logging on
    if logging.getLogger(_name).level == logging.NOTSET:
        logging.getLogger(_name).setLevel(logging.WARNING)


class Reply(Struct, frozen=True):
    """A whole answer. ``table`` is an Arrow table handed over by reference (embedded only)."""

    status: int
    headers: dict[str, str]
    body: bytes
    table: Any = None


@dataclass(slots=True)
class StreamingReply:
    """The head of an answer whose body is read piece by piece."""

    status: int
    headers: dict[str, str]
    response: Any = field(repr=False)

    async def chunks(self) -> AsyncIterator[bytes]:
        with _mapped():
            async for chunk in self.response.aiter_bytes():
                yield chunk

    async def read(self) -> bytes:
        """The whole body, where it is an error instead of a stream."""
        return await _whole(self.response, MAX_BODY)


class Http:
    """An httpx client made where it is used (its pool belongs to one event loop), and made anew on another loop.

    Parameters
    ----------
    transport
        An httpx async transport, for instance an :class:`~svc_notebook.client.engine.asgi.EmbeddedTransport`.
    client
        A ready ``AsyncClient`` of httpx or httpx2; it stays the caller's to close.
    timeout
        Seconds for an ordinary request as a whole; where the answer may be large, for each read of it.
    tokens
        Who asks, where that is a user whose token is renewed.
    """

    def __init__(
        self, *, transport: Any = None, client: Any = None, timeout: float = 60.0, tokens: TokenSource | None = None
    ) -> None:
        self._transport = transport
        self._given = client
        self._timeout = timeout
        self._tokens = tokens
        self._client: Any = None
        self._loop: Any = None
        self._in_process = client is None and getattr(transport, "in_process", False)

    async def send(self, request: Request, progress: Callable[[int], object] | None = None) -> Reply:
        """The whole answer, whatever its status; ``progress`` is told the bytes that have come."""
        try:
            async with asyncio.timeout(None if request.large else self._timeout):
                async with self._open(request, {"timeout": self._timeout}) as response:
                    body = await _whole(response, None if request.large else MAX_BODY, progress)
                    table = response.extensions.get("svc.table")
                    return Reply(response.status_code, _headers(response), body, table)
        except TimeoutError:
            raise errors.RequestTimeout(f"No whole answer within {self._timeout:g} s") from None

    @asynccontextmanager
    async def stream(self, request: Request, *, silence: float | None) -> AsyncIterator[StreamingReply]:
        """The answer as it comes, its head within ``silence``; how long to wait between pieces the reader decides."""
        async with self._open(request, {"timeout": self._timeout, "read": None}, silence) as response:
            yield StreamingReply(response.status_code, _headers(response), response)

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    @asynccontextmanager
    async def _open(
        self, request: Request, patience: dict[str, float | None], silence: float | None = None
    ) -> AsyncIterator[Any]:
        library = None if self._in_process else library_of(self._ready())
        with _mapped():
            url = target_of(request.url, request.params) if library is None else _parsed(library, request.url)
        with span(request.method, "CLIENT", current=False, host=url.host) as told:
            headers = request.headers | told.headers()
            if self._tokens is not None:
                token = await self._tokens.current()
                response = await self._head(library, request, url, patience, silence, headers | bearer(token))
                if response.status_code == REFUSED:  # nothing was done: with a token that holds it is asked once more
                    await response.aclose()
                    headers |= bearer(await self._tokens.renewed(token))
                    response = await self._head(library, request, url, patience, silence, headers)
            else:
                response = await self._head(library, request, url, patience, silence, headers)
            told.answered(response.status_code, failed=400)
            try:
                yield response
            finally:
                await response.aclose()

    async def _head(
        self, library: Any, request: Request, url: Any, patience: dict[str, float | None], silence: float | None,
        headers: dict[str, str],
    ) -> Any:  # fmt: skip
        """The answer, its body yet to come."""
        if library is None:
            return await self._handed_over(request, url, patience, silence, headers)
        return await self._answered(request, url, library.Timeout(**patience), silence, headers)

    async def _handed_over(
        self, request: Request, url: Any, patience: dict[str, float | None], silence: float | None, headers: Any
    ) -> Any:
        """The head of the answer of an application in this process.

        There is nothing between that a client would have to see to (redirects, proxies, cookies, pools of connections),
        and its ways through all that cost more than the application's own.
        """
        silent = patience.get("read", patience["timeout"])
        answer = self._transport.answer(request.method, url, headers, request.content or b"", silent)
        with _mapped():
            return await _within(silence, answer)

    async def _answered(
        self, request: Request, url: Any, patience: Any, silence: float | None, headers: dict[str, str]
    ) -> Any:
        """The head of the answer, after redirects."""
        client = self._ready()
        for _ in range(MAX_REDIRECTS):
            built = client.build_request(
                request.method, url, params=request.params or None, headers=headers, content=request.content,
                timeout=patience,
            )  # fmt: skip
            with _mapped():
                response = await _within(silence, client.send(built, stream=True, follow_redirects=False))
            if response.status_code not in {301, 302, 303, 307, 308} or "location" not in response.headers:
                return response
            await response.aclose()
            url = _redirected(built.url, response)
        raise errors.RedirectRefused(f"{request.url} redirects in a circle; check the URL")

    def _ready(self) -> Any:
        if self._given is not None:
            return self._given
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._loop = loop
            try:
                self._client = httpx.AsyncClient(
                    transport=self._transport, timeout=self._timeout, cookies=_no_cookies()
                )
                weakref.finalize(self, _close_soon, loop, self._client).atexit = False
            except (ImportError, ValueError) as error:  # a proxy of the environment that cannot be used
                raise errors.ConfigurationError(f"No connection can be made: {error}") from error
        return self._client


def _no_cookies() -> CookieJar:
    """Keeps none: services of this kind set none, and reading every answer for some is a third of sending it."""
    from http.cookiejar import CookieJar  # with httpx, and not before

    class NoCookies(CookieJar):
        def extract_cookies(self, response: Any, request: Any) -> None:
            """Nothing of an answer is kept."""

    return NoCookies()


@lru_cache(64)
def _parsed(library: Any, url: str) -> Any:
    """A URL in the words of ``library``; few are asked often."""
    return library.URL(url)


def _close_soon(loop: asyncio.AbstractEventLoop, client: Any) -> None:
    """Whoever held the connections is freed; their loop, which would hold them for ever, lets go of them."""
    with suppress(RuntimeError):  # the loop is closed, and they with it
        loop.call_soon_threadsafe(lambda: loop.create_task(client.aclose()))


async def _within(seconds: float | None, sending: Awaitable[Any]) -> Any:
    if seconds is None:
        return await sending
    clock = asyncio.timeout(seconds)
    try:
        async with clock:
            return await sending
    except TimeoutError:
        if clock.expired():
            raise errors.RequestTimeout(f"No answer has begun within {seconds:g} s") from None
        raise


async def _whole(response: Any, limit: int | None, progress: Callable[[int], object] | None = None) -> bytes:
    pieces: list[bytes] = []
    size = 0
    with _mapped():
        async for piece in response.aiter_bytes():
            pieces.append(piece)
            size += len(piece)
            if progress is not None:
                progress(size)
            if limit is not None and size > limit:
                raise errors.NotAService(f"The answer is larger than {limit:,} bytes, as none here is: check the URL")
    return b"".join(pieces)


def _redirected(origin: Any, response: Any) -> Any:
    target = origin.join(response.headers["location"])
    upgraded = origin.scheme == "http" and target.scheme == "https" and origin.port == target.port is None
    if target.host != origin.host or not (upgraded or (origin.scheme, origin.port) == (target.scheme, target.port)):
        raise errors.RedirectRefused(
            f"{origin.scheme}://{origin.netloc.decode()} redirects to {target.scheme}://{target.netloc.decode()}, "
            "and the key is not carried to another host. If the service has moved, use its new URL"
        )
    if response.status_code not in {307, 308}:
        raise errors.RedirectRefused(f"{origin} redirects to {target} (HTTP {response.status_code}); use that URL")
    return target


def _headers(response: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


@contextmanager
def _mapped() -> Iterator[None]:
    """Errors of the HTTP library, as ours."""
    try:
        yield
    except tuple(library.TimeoutException for library in libraries()) as error:
        raise errors.RequestTimeout(f"No answer in time: {_said(error)}") from error
    except tuple(library.ConnectError for library in libraries()) as error:
        raise errors.ConnectionFailed(f"The service could not be reached: {error}. Check its URL") from error
    except tuple(library.HTTPError for library in libraries()) as error:
        raise errors.ConnectionFailed(f"The connection failed: {_said(error)}") from error
    except tuple(library.InvalidURL for library in libraries()) as error:
        raise errors.ConfigurationError(f"Not a usable URL: {error}") from error


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__
