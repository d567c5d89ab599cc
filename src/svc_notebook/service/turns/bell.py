"""What services over one store tell each other at once: a turn is to stop, is read elsewhere, has news, has ended.

A word is a hint and never the fact: the fact stands in the store, and whoever heard nothing finds it at the next look.
So nothing is lost where words are, and looks may be rare where they arrive.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

__all__ = ["Bell", "Carrier", "Silence", "rung_within"]

_RELOAD = "reload"
_CHAT = "chat "


class Carrier(Protocol):
    """Brings words to every other service."""

    rung: Callable[[str], None]
    """Called with every word of another service, on the event loop."""

    @property
    def hears(self) -> bool:
        """Whether words of others arrive at the moment."""
        ...

    def ring(self, word: str) -> None:
        """Have the others hear a word, soon; nobody waits for it."""
        ...

    async def run(self) -> None:
        """Carry words until cancelled."""
        ...


class Silence:
    """There is nobody to talk to, or no way to."""

    hears = False
    rung: Callable[[str], None] = staticmethod(lambda word: None)

    def ring(self, word: str) -> None:
        pass

    async def run(self) -> None:
        pass


class Bell:
    """The words of one service, by what they are about.

    Parameters
    ----------
    reload
        Called when another service was told to read data, model and configuration again.
    team
        The processes behind the port of this one: they are asked to, and wait for no word.
    """

    def __init__(self, carrier: Carrier, reload: Callable[[], None], team: str = "") -> None:
        self._carrier = carrier
        self._reload = reload
        self._team = team
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self.watch: Callable[[str], None] = lambda chat_id: None
        """Told of every chat that is rung for."""
        carrier.rung = self._heard

    @property
    def hears(self) -> bool:
        """``Carrier.hears``."""
        return self._carrier.hears

    async def run(self) -> None:
        """``Carrier.run``."""
        await self._carrier.run()

    def ring(self, chat_id: str) -> None:
        """Something has happened to a chat's turn."""
        self._carrier.ring(_CHAT + chat_id)

    def ring_reload(self) -> None:
        """What is answered from is to be read again."""
        self._carrier.ring(f"{_RELOAD} {self._team}" if self._team else _RELOAD)

    @contextmanager
    def listening(self, chat_id: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever another service rings for the chat, while the block runs."""
        rung = asyncio.Event()
        waiting = self._waiting.setdefault(chat_id, set())
        waiting.add(rung)
        try:
            yield rung
        finally:
            waiting.discard(rung)
            if not waiting:
                self._waiting.pop(chat_id, None)

    def _heard(self, word: str) -> None:
        name, _, team = word.partition(" ")
        if name == _RELOAD:
            # Processes of one port are asked directly, and answer; told by the store as well they would read twice.
            if not team or team != self._team:
                self._reload()
        elif word.startswith(_CHAT):
            chat_id = word.removeprefix(_CHAT)
            self.watch(chat_id)
            for rung in self._waiting.get(chat_id, ()):
                rung.set()


async def rung_within(rung: asyncio.Event, seconds: float) -> None:
    """Return when the event is set, at the latest after so many seconds; it is clear again then."""
    with suppress(TimeoutError):
        await asyncio.wait_for(rung.wait(), seconds)
    rung.clear()
