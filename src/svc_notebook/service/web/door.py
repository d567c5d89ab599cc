"""The outer door: headers, request ids, the access log, and one shape for every error.

The only place where any exception is caught: what is not a known error is logged with the request id and answered
with a 500 that tells nothing but that id.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...protocol.errors import BadRequest, ErrorBody, PayloadTooLarge, ServiceError
from ...semantic.errors import EngineFailure, QueryError
from ...tracing import Span, span
from .references import REFERENCE
from .responses import json_response

__all__ = ["Door", "error_response"]

_log = logging.getLogger(__name__)
_access = logging.getLogger("svc_notebook.access")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
# Sent twice, proxies and servers disagree on which one counts: requests are smuggled by that.
_ONCE = (b"authorization", b"content-length", b"content-type", b"host", b"transfer-encoding")
_TRACE = (b"traceparent", b"tracestate")
_WATCHED = ("/livez", "/readyz", "/metrics")  # asked every few seconds; traces of them would be all there is
_MAX_HEADERS = 100
# Only of a refused request; beyond, the client loses the answer, which it may have for its size.
_DRAIN_BYTES = 67_108_864
_DRAIN_SECONDS = 5.0
_MAX_HEADER_BYTES = 32_768


def error_response(error: Exception) -> Response | None:
    """The answer to a known error, ``None`` for an unknown one."""
    if isinstance(error, ServiceError):
        headers = {}
        if error.status == 401:
            headers["WWW-Authenticate"] = "Api-Key"
        if error.retry_after is not None or error.status == 503:
            headers["Retry-After"] = str(error.retry_after or 1)
        return json_response(_body(error.status, error.message), error.status, headers)
    if isinstance(error, QueryError):
        status = 500 if isinstance(error, EngineFailure) else 400
        return json_response(_body(status, error.message), status)
    if isinstance(error, HTTPException):
        words = {404: "No such path.", 405: "This path does not answer to that method."}
        text = words.get(error.status_code, str(error.detail))
        return json_response(_body(error.status_code, text), error.status_code, dict(error.headers or {}))
    return None


def _body(status: int, message: str) -> ErrorBody:
    return ErrorBody(status, HTTPStatus(status).phrase, message)


class Door:
    """ASGI middleware around all routes.

    Parameters
    ----------
    body_limit
        A larger ``Content-Length`` is refused before anything is read.
    seen
        Told of every request: endpoint, status, seconds to its end, and to the first byte of the body.
    """

    def __init__(
        self, app: ASGIApp, *, body_limit: int, seen: Callable[[str, int, float, float | None], None] | None = None
    ) -> None:
        self._app = app
        self._body_limit = body_limit
        self._seen = seen

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # The lifespan; websockets have no route here.
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        visit = _Visit(scope, receive, send)
        if scope["path"] in _WATCHED:
            await self._through(scope, visit)
            return
        with span(scope["method"], "SERVER", sent=_trace_of(scope["headers"]), request=visit.id) as told:
            await self._through(scope, visit)
            _tell(told, scope, visit)

    async def _through(self, scope: Scope, visit: _Visit) -> None:
        known = REFERENCE.set(visit.id)
        try:
            _check_headers(scope["headers"], self._body_limit)
            await self._app(scope, visit.receive, visit.send)
        except Exception as error:  # noqa: BLE001 (the outer door)
            await visit.fail(error)
        finally:
            visit.log()
            if self._seen is not None:
                self._seen(_endpoint(scope), visit.status, visit.seconds, visit.first)
            REFERENCE.reset(known)


def _trace_of(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Which trace the request belongs to, by its headers; no other header is of interest to one."""
    return {name.decode(): value.decode("latin-1") for name, value in headers if name in _TRACE}


def _tell(told: Span, scope: Scope, visit: _Visit) -> None:
    told.called(f"{scope['method']} {_endpoint(scope)}")
    told.answered(visit.status, failed=500)


def _endpoint(scope: Scope) -> str:
    """What answered, by the name of its handler: paths hold names of accounts and users."""
    handler = scope.get("endpoint")
    return getattr(getattr(handler, "func", handler), "__name__", "none")


class _Visit:
    """One request on its way through."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # latin-1 decodes any bytes; what is not plain then fails the pattern below.
        sent = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"").decode("latin-1")
        # Taken over only where it is harmless: it goes into log lines as it is.
        self.id = sent if _REQUEST_ID.fullmatch(sent) else secrets.token_hex(8)
        self.status = 0
        self._bytes = 0
        self._unread = True
        self._receive = receive
        self._send = send
        self._scope = scope
        self.first: float | None = None
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        """Since its head came."""
        return time.monotonic() - self._began

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.disconnect" or not message.get("more_body", False):
            self._unread = False
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message = {**message, "headers": [*message.get("headers", ()), (b"x-request-id", self.id.encode())]}
        else:
            self._bytes += len(message.get("body", b""))
            if self.first is None:
                self.first = self.seconds
        await self._send(message)

    async def fail(self, error: Exception) -> None:
        response = error_response(error)
        if response is None:
            _log.error("request %s failed", self.id, exc_info=error)
            text = f"The service failed; its log says why under request id {self.id}."
            response = json_response(_body(500, text), 500)
        elif response.status_code >= 500:
            _log.warning("request %s was answered %d: %s", self.id, response.status_code, error)
        if self.status:
            return  # the answer has begun: all that is left is to end it here
        nowhere = isinstance(error, HTTPException)  # no handler has begun: half a body is not waited for
        if not nowhere and (not await self._drained() or isinstance(error, _BadHeaders)):
            response.headers["Connection"] = "close"
        await response(self._scope, self.receive, self.send)

    async def _drained(self) -> bool:
        """Read what the client still sends: closing on a client that is writing would lose it the answer."""
        size = 0
        try:
            async with asyncio.timeout(_DRAIN_SECONDS):
                while self._unread and size < _DRAIN_BYTES:
                    size += len((await self.receive()).get("body", b""))
        except TimeoutError:
            return False
        return not self._unread

    def log(self) -> None:
        """Method, path, status, bytes, time. Neither query string nor headers: they may carry secrets."""
        milliseconds = self.seconds * 1000
        # A path holds what a client sent, line breaks included: unescaped it could forge lines of the log.
        path = self._scope["path"].encode("unicode_escape").decode()
        _access.info(
            "%s %s %s %d bytes %.1f ms id=%s", self._scope["method"], path, self.status or "-", self._bytes,
            milliseconds, self.id,
        )  # fmt: skip


def _check_headers(headers: list[tuple[bytes, bytes]], body_limit: int) -> None:
    names = [name for name, _ in headers]
    for name in _ONCE:
        if names.count(name) > 1:
            raise _BadHeaders(f"The header {name.decode()} must be sent once.")
    if b"content-length" in names and b"transfer-encoding" in names:
        raise _BadHeaders("Send either Content-Length or Transfer-Encoding, not both.")
    if len(headers) > _MAX_HEADERS or sum(len(name) + len(value) for name, value in headers) > _MAX_HEADER_BYTES:
        raise _HeadersTooLarge(f"At most {_MAX_HEADERS} headers with {_MAX_HEADER_BYTES:,} bytes together.")
    length: Any = dict(headers).get(b"content-length")
    if length is not None:
        # Below 64 bits, and no sign or blank, which int() would take.
        if not length.isdigit() or len(length) > 18:
            raise _BadHeaders("Content-Length is not a number.")
        if int(length) > body_limit:
            raise PayloadTooLarge(f"The request body is larger than {body_limit:,} bytes.")


class _BadHeaders(BadRequest):
    """Where this request ends is in doubt: what follows on the connection must not be read as another one."""


class _HeadersTooLarge(ServiceError):
    status = 431
