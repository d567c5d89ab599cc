"""The chat stream as a page reads it: the same request and the same turn, told in the messages of the view.

A page asks with ``Accept: application/vnd.svc-notebook.view+x-ndjson``. Frames are folded and formatted here by the
code that a notebook's widget uses, so that a page needs no reader of frames and no renderer of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import Request

from ...protocol.chat import Message
from ...protocol.errors import BadRequest
from ...results.result import Loader
from ...results.rows import Rows, rows_of_table

if TYPE_CHECKING:
    from ...front.thread_view import Out, ThreadView
    from ..callers.scope import Scope

__all__ = ["VIEW_TYPE", "ViewLoader", "view_of", "viewed", "wants_view"]

VIEW_TYPE = "application/vnd.svc-notebook.view+x-ndjson"
# Thirty pieces a second look continuous.
INTERVAL = 1 / 30
_frames = msgspec.json.Decoder(Message)
_json = msgspec.json.Encoder(enc_hook=str)
_renderers = ThreadPoolExecutor(4, thread_name_prefix="svc-view")


def _renew() -> None:
    """In a forked child: the threads did not come along, and a pool that believes them idle would wait for them."""
    global _renderers
    _renderers = ThreadPoolExecutor(4, thread_name_prefix="svc-view")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)


def wants_view(request: Request) -> bool:
    """Whether the answer is for a page."""
    return VIEW_TYPE in request.headers.get("accept", "")


def view_of(request: Request, *, asked: bool, thinking: bool, loader: Loader | None) -> ThreadView:
    """The view of one request; ``?before=N`` asks for the turns before number N.

    Raises
    ------
    BadRequest
        ``before`` is no number.
    """
    # Imported here: what draws for pages is never needed where a notebook is the only one that asks.
    from ...front.thread_view import ThreadView

    before = request.query_params.get("before")
    if before is not None and not (before.isdecimal() and len(before) < 10):
        raise BadRequest("before must be the number of a turn.")
    return ThreadView(asked=asked, before=None if before is None else int(before), thinking=thinking, loader=loader)


class ViewLoader:
    """All rows of a query, for a chart: run again as who looks at it."""

    def __init__(self, scope: Scope, timezone: str) -> None:
        self._scope, self._timezone = scope, timezone

    def load(self, sql: str, uuid: str = "", progress: Callable[[int], object] | None = None) -> Rows:
        return rows_of_table(self._scope.fetch(sql, timezone=self._timezone, uuid=uuid).table)

    async def aload(self, sql: str, uuid: str = "") -> Rows:
        return rows_of_table((await self._scope.query(sql, timezone=self._timezone, uuid=uuid)).table)


async def viewed(lines: AsyncGenerator[bytes, None], view: ThreadView) -> AsyncGenerator[bytes, None]:
    """Lines of frames as lines for the page, gathered for a moment; at the end the outcome.

    The first piece goes out at once.
    """
    fed, ended = asyncio.Event(), asyncio.Event()

    async def feed() -> None:
        try:
            async for chunk in lines:
                for frame in _frames.decode_lines(chunk):
                    view.feed(frame)
                fed.set()
        finally:
            ended.set()
            fed.set()

    feeding = asyncio.ensure_future(feed())
    try:
        while not ended.is_set():
            await _fed(fed, view)
            fed.clear()
            if not ended.is_set() and (said := await _rendered(view.news)):
                yield said
            await _pause(ended)
        await feeding
        if said := await _rendered(view.end):
            yield said
    finally:
        feeding.cancel()
        # Before aclose(): a generator cannot be closed while somebody is awaiting its next piece.
        await asyncio.gather(feeding, return_exceptions=True)
        await lines.aclose()


async def _fed(fed: asyncio.Event, view: ThreadView) -> None:
    """Wait for a frame, or until what has come may go out without one."""
    wait = None if view.due is None else max(0.0, view.due - time.monotonic())
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(wait):
            await fed.wait()


async def _pause(ended: asyncio.Event) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(INTERVAL):
            await ended.wait()


async def _rendered(told: Callable[[], Iterator[Out]]) -> bytes:
    """Charts and tables are made on threads of their own: queries of others do not wait for them."""

    def work() -> bytes:
        return b"".join(encoded(message) for message in told())

    return await asyncio.get_running_loop().run_in_executor(_renderers, work)


def encoded(message: dict[str, Any]) -> bytes:
    """A message for a page as a line."""
    return _json.encode(message) + b"\n"
