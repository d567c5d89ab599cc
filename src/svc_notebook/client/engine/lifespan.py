"""The start and stop of an ASGI application that runs in this process."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

from .exchange import ASGIApp

__all__ = ["Lifespan", "LifespanFailed"]


class LifespanFailed(RuntimeError):
    """The application said that it could not start or stop."""


class Lifespan:
    """Runs one start–stop cycle of an application; both awaited on the loop the application runs on.

    An application without a lifespan is fine: it simply starts and stops.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.state: dict[str, Any] = {}
        self._inbox: asyncio.Queue[str] = asyncio.Queue()
        self._outbox: asyncio.Queue[MutableMapping[str, Any] | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._error: Exception | None = None
        self._supported = False

    async def start(self) -> None:
        self._task = asyncio.create_task(self._run())
        await self._inbox.put("lifespan.startup")
        answer = await self._outbox.get()
        if answer is None:  # left without a word: no lifespan, unless it had already begun to receive
            if self._supported and self._error is not None:
                raise LifespanFailed(f"The application failed while starting: {self._error}") from self._error
            return
        if answer["type"] == "lifespan.startup.failed":
            await self._task
            raise LifespanFailed(answer.get("message") or "The application could not start") from self._error

    async def stop(self) -> None:
        if self._task is None or self._task.done():
            return
        await self._inbox.put("lifespan.shutdown")
        answer = await self._outbox.get()
        await self._task
        if answer is not None and answer["type"] == "lifespan.shutdown.failed":
            raise LifespanFailed(answer.get("message") or "The application could not stop cleanly") from self._error

    async def _run(self) -> None:
        scope = {"type": "lifespan", "asgi": {"version": "3.0", "spec_version": "2.0"}, "state": self.state}
        try:
            await self._app(scope, self._receive, self._outbox.put)
        except Exception as error:  # noqa: BLE001  # whatever it is, whoever waits for the start is told
            self._error = error
        finally:
            # Also after a proper answer: an application that ends early would otherwise leave start() or stop()
            # waiting.
            self._outbox.put_nowait(None)

    async def _receive(self) -> MutableMapping[str, Any]:
        self._supported = True
        return {"type": await self._inbox.get()}
