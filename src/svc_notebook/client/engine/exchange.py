"""One request to an application in this process, and its response, seen from the application's side."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from .mailbox import Mailbox

__all__ = ["ASGIApp", "EngineStopped", "Exchange", "Head", "ResponseBroken", "Scope"]

HIGH_WATER = 1024 * 1024
"""Bytes that may wait for the reader before the application is held: to hand over to another thread takes as long as
to make some dozen lines, so it is not done for a few large ones.
"""
GRACE = 0.5
"""Seconds an application may go on after the reader has left, before it is cancelled."""

logger = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
ASGIApp = Callable[[Scope, Callable[[], Awaitable[Event]], Callable[[Event], Awaitable[None]]], Awaitable[None]]


class EngineStopped(Exception):
    """The application's loop went away."""


class ResponseBroken(Exception):
    """The application failed, or ended, in the middle of its response."""


class Head:
    __slots__ = ("headers", "status")

    def __init__(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        self.status = status
        self.headers = headers


class Exchange:
    """One request and its response, seen from the application's side."""

    def __init__(self, loop: asyncio.AbstractEventLoop, body: bytes) -> None:
        self.loop = loop
        self.begun = asyncio.Event()
        self.mail: Mailbox[Any] = Mailbox(loop, HIGH_WATER)
        self.table: Any = None
        self._body: bytes | None = body
        self._left = asyncio.Event()
        self._head: Head | None = None
        self._flowing = False  # the first piece has gone out, and somebody reads
        self._leaving = False
        self._complete = False
        self._task: asyncio.Task[None] | None = None

    def start(self, app: ASGIApp, scope: Scope) -> asyncio.Task[None]:
        self._task = self.loop.create_task(self._run(app, scope))
        self._task.add_done_callback(self._ended)
        return self._task

    def _ended(self, _: asyncio.Task[None]) -> None:
        self._task = None  # whoever still holds the response frees no task
        self.begun.set()

    def leave(self) -> None:
        """The reader is gone. From any thread, also from a finalizer (so it takes no lock)."""
        if self._leaving or self._complete:  # after the last piece the mail is closed, and nobody waits
            return
        self._leaving = True
        try:
            self.loop.call_soon_threadsafe(self._leave)
        except RuntimeError:  # the engine has stopped, and the application with it
            return

    def offer(self, table: Any) -> None:
        self.table = table

    def _leave(self) -> None:
        self.mail.close()
        if self._left.is_set():
            return
        self._left.set()
        self._flowing = False
        if self._task is not None and not self._task.done():
            # A grace, since an application that is told of the disconnect ends its turn in order: the store is written
            # to first.
            late = self.loop.call_later(GRACE, self._task.cancel)
            self._task.add_done_callback(lambda _: late.cancel())

    async def _run(self, app: ASGIApp, scope: Scope) -> None:
        cause: Exception | None = None
        try:
            await app(scope, self._receive, self._send)
        except asyncio.CancelledError:
            self.mail.close(EngineStopped("The engine stopped while the response was being read"))
            raise
        except Exception as error:  # the outer door: an application's failure is a failed response, as on a server
            cause = error
            # What fails after its reader has left is most often the leaving itself.
            logger.log(logging.DEBUG if self.mail.closed else logging.ERROR, "The application failed", exc_info=error)
        if self._head is None:
            self._fail()
        elif not self._complete:
            broken = ResponseBroken("The application ended in the middle of its response")
            broken.__cause__ = cause
            self.mail.close(broken)

    def _fail(self) -> None:
        # Spelled here and not by protocol/: this stands in for an application of any kind, which may have no such
        # module.
        body = b'{"statusCode":500,"error":"Internal Server Error","message":"Internal server error"}'
        self.mail.post(Head(500, [(b"content-type", b"application/json")]), 0)
        self.mail.post(body, len(body))
        self.mail.close()

    async def _receive(self) -> Event:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        # A second receive() means that the application watches for a disconnect; ASGI has it wait until there is one.
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, event: Event) -> None:
        if event["type"] == "http.response.body":
            body = event.get("body", b"")
            if self._flowing and body and event.get("more_body"):  # as nearly all pieces are
                if self.mail.post(body, len(body)):
                    await self.mail.room()
                return
            left = self._left.is_set()
            if body and not left and self.mail.post(body, len(body)):
                await self.mail.room()
            elif not self._flowing or left:
                # The first piece goes out before a busy application makes the second; and where nobody listens any
                # more (nothing is kept then, as on a server) a cancellation gets in.
                self._flowing = not left
                await asyncio.sleep(0)
            if not event.get("more_body") and not self._left.is_set():
                self._complete = True
                self.mail.close()
                self._left.set()
        elif event["type"] == "http.response.start":
            self._head = Head(event["status"], list(event.get("headers", ())))
            self.begun.set()
            self.mail.post(self._head, 0)
