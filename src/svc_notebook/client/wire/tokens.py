"""User tokens that are got when they are needed, and got anew when the service no longer takes them."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable

from ..errors import ConfigurationError
from .requests import usable_secret

__all__ = ["TokenGetter", "TokenSource"]

TokenGetter = Callable[[], str | Awaitable[str]]


class TokenSource:
    """The token in use, and how to get another.

    Parameters
    ----------
    get
        Returns a user token, or something to await for one. What it raises reaches whoever asked; a function that
        blocks runs in a thread.
    """

    def __init__(self, get: TokenGetter) -> None:
        self._get = get
        self._token: str | None = None
        self._getting = asyncio.Lock()

    async def current(self) -> str:
        """The token in use; the first one is got now."""
        return self._token or await self.renewed(None)

    async def renewed(self, refused: str | None) -> str:
        """A token in place of one that was refused; those who ask at the same time get the same one."""
        async with self._getting:
            if self._token is None or self._token == refused:
                self._token = await self._got()
            return self._token

    async def _got(self) -> str:
        got = self._get() if inspect.iscoroutinefunction(self._get) else await asyncio.to_thread(self._get)
        token = await got if inspect.isawaitable(got) else got
        if not isinstance(token, str) or not token:
            said = "an empty text" if token == "" else type(token).__name__
            raise ConfigurationError(f"token= is a function that returned {said}, not a user token")
        return usable_secret("The token that token= returned", token)
