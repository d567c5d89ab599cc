"""Notes: what running turns have complete is kept before it is told, for all that are due in one transaction."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...protocol.errors import ServiceError
from ...waits import first_end
from ..store.errors import StoreFailed
from ..store.threads import save_messages_of
from .threads import rows_of
from .turns import RunningTurn

if TYPE_CHECKING:
    from ..runtime import Service

__all__ = ["HOLD", "Notes"]

_log = logging.getLogger(__name__)
HOLD = 2.0
"""Seconds that a stream waits for the store to keep what it tells next."""
_SOON = 0.05
"""Seconds that what is complete may wait to be kept with what comes after it, and with the end most of all."""


class Notes:
    """Keeps messages of running turns; a store that takes long is not waited for, the stream matters more."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._due: list[RunningTurn] = []
        self._timer: asyncio.TimerHandle | None = None
        self._keeping: set[asyncio.Task[None]] = set()
        self._under_way: dict[str, asyncio.Task[None]] = {}

    def soon(self, turn: RunningTurn) -> None:
        """Have what is complete of a turn kept in a moment, unless it has ended by then; the turn is told."""
        self._due.append(turn)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_SOON, self._begin)

    async def ended(self, chat_id: str) -> None:
        """Wait for a thread's note: it must not come after the turn's end and bring back what was before it."""
        note = self._under_way.get(chat_id)
        if note is not None:
            await first_end(note)

    @property
    def tasks(self) -> Sequence[asyncio.Task[None]]:
        """What is under way."""
        return [*self._keeping, *set(self._under_way.values())]

    def hold(self) -> float:
        """How long a stream may wait for the store now."""
        return 0.0 if self._service.store_silent else HOLD

    def _begin(self) -> None:
        self._timer = None
        due, self._due = [turn for turn in self._due if turn.goes_on], []
        if due:
            keeping = asyncio.create_task(self._keep(due))
            self._keeping.add(keeping)
            keeping.add_done_callback(self._keeping.discard)

    async def _keep(self, due: Sequence[RunningTurn]) -> None:
        counts = [turn.held for turn in due]
        # Of the others the note before still waits; all of them is kept at their end.
        turns = [turn for turn in due if turn.chat_id not in self._under_way]
        if turns:
            note = asyncio.create_task(self._note(turns))
            self._under_way |= dict.fromkeys((turn.chat_id for turn in turns), note)
            note.add_done_callback(lambda _: [self._under_way.pop(turn.chat_id, None) for turn in turns])
            await first_end(note, within=self.hold())
        for turn, count in zip(due, counts, strict=True):
            turn.noted(count)

    async def _note(self, turns: Sequence[RunningTurn]) -> None:
        found = [(turn, turn.unkept()) for turn in turns]
        rows = [(turn.chat_id, turn.frames.number, rows_of(messages)) for turn, messages in found]
        try:
            await self._service.note(save_messages_of, rows)
        except ServiceError as error:
            if len(turns) > 1 and isinstance(error, StoreFailed):
                # One thread may be gone: the others' messages are kept without it.
                await asyncio.gather(*(self._note([turn]) for turn in turns))
                return
            for turn in turns:
                _log.warning("turn %s/%d: %s", turn.chat_id, turn.frames.number, error.message)
        else:
            for turn, messages in found:
                turn.kept(messages)
                if turn.read_afar:
                    self._service.bell.ring(turn.chat_id)
