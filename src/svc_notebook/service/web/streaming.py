"""Streaming responses: lines leave as they arise, a reader that vanishes or stalls is let go of at once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ...waits import Waits

__all__ = ["LineStream", "disconnected"]

_log = logging.getLogger(__name__)


async def disconnected(receive: Receive) -> None:
    """Return when the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


class LineStream(Response):
    """A response whose body is an async generator of whole lines (one or more per chunk).

    Parameters
    ----------
    lines
        Closed in every case: at its end, when the client goes, or when one chunk takes longer than ``stall_limit``.
    """

    def __init__(
        self,
        lines: AsyncGenerator[bytes, None],
        *,
        stall_limit: float,
        media_type: str,
        headers: dict[str, str] | None = None,
    ) -> None:
        # Response.__init__ would set a Content-Length for a body that is not known yet.
        self.status_code = 200
        self.media_type = media_type
        self.background = None
        self._lines = lines
        self._stall_limit = stall_limit
        # nginx gathers a response before it passes it on, unless this header says otherwise.
        self.init_headers({"Cache-Control": "no-cache", "X-Accel-Buffering": "no", **(headers or {})})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        task = asyncio.current_task()
        assert task is not None
        before, gone, over = task.cancelling(), False, False

        def left(_: object) -> None:
            nonlocal gone
            if not over:
                gone = True
                task.cancel()

        watching = asyncio.ensure_future(disconnected(receive))
        watching.add_done_callback(left)
        try:
            await self._stream(send)
        except asyncio.CancelledError:
            # Somebody else has cancelled this task as well, and is owed the error.
            if not gone or task.cancelling() > before + 1:
                raise
        finally:
            over = True
            watching.cancel()
            if gone:
                task.uncancel()
            await self._lines.aclose()

    async def _stream(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        waits = Waits(self._stall_limit)
        try:
            async for chunk in self._lines:
                with waits:
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
            with waits:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        # Before OSError, of which it is a kind.
        except TimeoutError:
            _log.warning("a reader took nothing for %.0f s and was dropped", self._stall_limit)
        except OSError:
            return  # the connection broke while sending: the same as a client that has gone
        finally:
            waits.close()
