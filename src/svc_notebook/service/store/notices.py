"""Words between services over one PostgreSQL database, by its LISTEN and NOTIFY.

One connection a service listens; what is said goes through the store, like everything else. A connection that breaks
is made again. Where words do not arrive (a pooler that gives every transaction another connection) that is found out
by a word to oneself, and the services look into the store as often as they do without.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from ...protocol.errors import ServiceError
from .database import Store

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["Notices"]

_log = logging.getLogger(__name__)
_CHANNEL = "svc_notebook"
_AGAIN = 2.0


class Notices:
    """A carrier of words.

    Parameters
    ----------
    note
        Does small work on the store.
    """

    def __init__(self, store: Store, note: Callable[..., Awaitable[None]]) -> None:
        self._store = store
        self._note = note
        self._name = secrets.token_hex(6)
        self._saying: set[asyncio.Task[None]] = set()
        self.hears = False
        self.rung: Callable[[str], None] = lambda word: None

    def ring(self, word: str) -> None:
        task = asyncio.create_task(self._say(word))
        self._saying.add(task)
        task.add_done_callback(self._saying.discard)

    async def run(self) -> None:
        from psycopg import Error

        while True:
            try:
                await self._listen()
            except (Error, OSError) as error:
                if self.hears:
                    _log.warning("other services are not heard for a moment: %s", error)
            finally:
                self.hears = False
            await asyncio.sleep(_AGAIN)

    async def _listen(self) -> None:
        from psycopg import AsyncConnection

        _, named = self._store.engine.dialect.create_connect_args(self._store.engine.url)
        settings: dict[str, Any] = {
            "connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, **named,
        }  # fmt: skip
        # A connection of its own, and outside of the pool: it is idle for ever, and hears nothing within a transaction.
        async with await AsyncConnection.connect(**settings, autocommit=True) as connection:
            await connection.execute(f"LISTEN {_CHANNEL}")
            # A word to itself: that it comes back shows that words arrive on this connection.
            self.ring("")
            async for notice in connection.notifies():
                sender, _, word = notice.payload.partition(" ")
                if sender != self._name:
                    self.rung(word)
                elif not word:
                    self.hears = True

    async def _say(self, word: str) -> None:
        try:
            await self._note(_say, f"{self._name} {word}")
        except ServiceError as error:
            _log.info("other services could not be told: %s", error.message)


def _say(connection: Connection, said: str) -> None:
    from sqlalchemy import text

    connection.execute(text("SELECT pg_notify(:channel, :said)"), {"channel": _CHANNEL, "said": said})
