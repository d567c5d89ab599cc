"""A model that is slow to accept is asked again as its provider wishes, and the asker sees it; all it takes counts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from pydantic_ai.exceptions import ModelAPIError, ModelConnectionError, ModelHTTPError, ModelQuotaExceededError
from pydantic_ai.models.wrapper import WrapperModel

from .limits import Meter, said_length

if TYPE_CHECKING:
    from pydantic_ai.models import Model

__all__ = ["LONGEST_WAIT", "PatientModel", "put_and_wait", "with_notes"]

LONGEST_WAIT = 60.0
"""Seconds; a provider that asks to wait longer has failed."""
_BACKOFF, _MOST = 0.5, 8.0
_AGAIN = frozenset({408, 409, 429})
_BUSY = frozenset({503, 529})


class PatientModel(WrapperModel):
    """Asks the wrapped model again where it did not take a request; a stream that has begun is never sent twice.

    Parameters
    ----------
    wrapped
        The model.
    retries
        How many times a request is sent again.
    meter
        Counts what is sent and looks after the caps before every request.
    tell
        Awaited with a sentence about each wait.
    """

    def __init__(self, wrapped: Model[Any], retries: int, meter: Meter, tell: Callable[[str], Awaitable[None]]) -> None:
        super().__init__(wrapped)
        self._retries, self._meter, self._tell = retries, meter, tell

    @asynccontextmanager
    async def request_stream(self, messages: Any, *rest: Any, **named: Any) -> AsyncGenerator[Any]:
        self._meter.asks(said_length(messages))
        async with AsyncExitStack() as stack:
            opened = await self._opened(stack, messages, *rest, **named)
            try:
                yield opened
            finally:
                self._meter.answered(measured=opened.usage.unmeasured_requests == 0)

    async def _opened(self, stack: AsyncExitStack, *given: Any, **named: Any) -> Any:
        for attempt in range(self._retries + 1):
            try:
                return await stack.enter_async_context(self.wrapped.request_stream(*given, **named))
            except ModelAPIError as error:
                wait = _wait(error, attempt)
                if wait is None or attempt == self._retries:
                    raise
                await self._tell(f"{_said(error)}: trying again in {wait:.3g} s.\n\n")
                await asyncio.sleep(wait)
        raise AssertionError("unreachable")


def _wait(error: ModelAPIError, attempt: int) -> float | None:
    """Seconds until the request is sent again; None where that would not help, or might ask twice."""
    if error.in_stream or isinstance(error, ModelQuotaExceededError):
        return None
    if isinstance(error, ModelConnectionError) and error.phase not in {"pool", "connect"}:
        return None
    if isinstance(error, ModelHTTPError) and error.status_code not in _AGAIN and error.status_code < 500:
        return None
    wished = error.retry_after
    if wished is not None and wished > LONGEST_WAIT:
        return None
    return wished if wished is not None and wished >= 0 else min(_BACKOFF * 2**attempt, _MOST)


def _said(error: ModelAPIError) -> str:
    status = getattr(error, "status_code", None)
    if status == 429:
        return "The provider's rate limit was reached (429)"
    if status in _BUSY:
        return f"The provider is overloaded ({status})"
    return f"The provider answered with status {status}" if status else "The provider could not be reached"


async def with_notes(run: Any, notes: asyncio.Queue[Any]) -> AsyncGenerator[Any, None]:
    """The events of a run, and what is put beside them meanwhile, in step: the run waits until each is dealt with."""

    async def pump() -> None:
        async with run as events:
            async for event in events:
                await put_and_wait(notes, event)

    task = asyncio.create_task(pump())
    task.add_done_callback(lambda _: notes.put_nowait(None))
    try:
        while (item := await notes.get()) is not None:
            yield item
            notes.task_done()
        await task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await task


async def put_and_wait(notes: asyncio.Queue[Any], item: Any) -> None:
    """Put something beside the events, and go on once it was dealt with."""
    notes.put_nowait(item)
    await notes.join()
