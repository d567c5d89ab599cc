"""What is tried again, when, and how often.

429 and 503 mean that nothing was done: any request is repeated, after the time the service asks for. A connection that
failed, 502 and 504 leave it open whether something was done: only requests that do no harm twice are repeated. A
chat turn that has begun to stream never is.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from .errors import ApiError, ConnectionFailed, RequestTimeout

__all__ = ["Retries"]

T = TypeVar("T")
_NOTHING_DONE = {429, 503}
_PERHAPS_DONE = {502, 504}


@dataclass(frozen=True, slots=True)
class Retries:
    """A policy.

    Attributes
    ----------
    attempts
        How often a request is sent at most.
    backoff
        Seconds before the second attempt, doubled with each further one and shortened at random by up to half.
    patience
        The longest ``Retry-After`` that is waited for; with a longer one the error is raised at once.
    sleep
        How waiting is done.
    """

    attempts: int = 4
    backoff: float = 0.25
    patience: float = 60.0
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep

    async def run(self, work: Callable[[], Awaitable[T]], *, repeatable: bool) -> T:
        """``await work()``, again where that is right."""
        for attempt in range(1, self.attempts + 1):
            try:
                return await work()
            except (ApiError, ConnectionFailed, RequestTimeout) as error:
                wait = self._wait(error, attempt, repeatable=repeatable)
                if wait is None:
                    raise
            await self.sleep(wait)
        raise AssertionError("unreachable")

    def _wait(self, error: Exception, attempt: int, *, repeatable: bool) -> float | None:
        if attempt >= self.attempts:
            return None
        backoff = self.backoff * 2 ** (attempt - 1) * random.uniform(0.5, 1.0)  # noqa: S311  # spreads retries, guards nothing
        if isinstance(error, ApiError):
            if error.status in _NOTHING_DONE:
                asked = error.retry_after
                return backoff if asked is None else (asked if asked <= self.patience else None)
            return backoff if error.status in _PERHAPS_DONE and repeatable else None
        return backoff if repeatable else None
