"""A question on its way into a thread: its turn begins, and its first line leaves as soon as that is certain."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from ...analyst.base import Event, Turn
from ...cancellation import CancellationToken
from ...protocol.chat import FrameState, SessionSettings
from ...protocol.spelling import spelled
from ...waits import first_end
from ..callers.auth import Caller
from ..clock import as_datetime
from .accepted import accepted
from .readings import Answers, SentReading, answers_of, check_of
from .threads import Room
from .turn_opening import OpenedTurn, foresee, open_turn
from .turns import RunningTurn

if TYPE_CHECKING:
    from ..callers.scope import Opening, Scope
    from ..runtime import Service

__all__ = ["Asking"]

_SOON = 0.1
"""Seconds in which a turn mostly begins: a look ahead costs a third as much."""


class Asking(Struct):
    """What was asked, by whom, and where; ``new`` is whether the thread begins with it, ``told`` whether its first
    line leaves before its turn has begun.
    """

    service: Service
    caller: Caller
    settings: SessionSettings | None
    opening: Opening
    room: Room
    chat_id: str
    new: bool
    after: int | None
    question: str
    reading: SentReading | None
    timezone: str
    told: bool = False
    looking: asyncio.Event | None = None
    """Set when it is known whether the first line can leave; there is one while that is being looked at."""

    def begun(self) -> asyncio.Task[tuple[RunningTurn, OpenedTurn]]:
        """Have the turn opened in the store and started, by a task of its own.

        A client that leaves right now must not leave a turn in the store that nobody runs. The task fails with
        whatever :func:`open_turn` or the asker's share of the service speaks against it.
        """
        task = asyncio.create_task(self._begin())
        # To ask for the exception is to have seen it: else asyncio tells of one that was never retrieved.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # it may be that nobody waits
        return task

    async def _begin(self) -> tuple[RunningTurn, OpenedTurn]:
        with self.service.turns.beginning(self.chat_id) as begun:
            share = self.service.admission.enter(self.opening.place.asker)
            try:
                await self.service.turns.settle(self.chat_id)
                opened = await self._opened()
                scope = self.opening.bind(opened.asker.context)
                turn = self._start(scope, answers_of(await scope.analyst(), self.reading), opened)
            except BaseException:
                share.leave()
                raise
            turn.on_end(share.leave)
            turn.on_end(scope.release)
            begun(turn)
        return turn, opened

    async def _opened(self) -> OpenedTurn:
        """As many at once as the store takes; whose first line has left lets those go first who wait for theirs."""
        while True:
            if self.looking is not None:
                await self.looking.wait()
            if self.told:
                await self.service.after_first_lines()
            async with self.service.slot():
                # Looked at again: to wait for the slot takes time, in which both may have changed.
                if self.looking is None and (not self.told or self.service.quiet):
                    return await self._open()

    async def _open(self) -> OpenedTurn:
        service = self.service
        opened = await service.write(
            open_turn, self.caller, self.settings, chat_id=self.chat_id, new=self.new, room=self.room,
            branch=self.opening.branch, question=self.question, after=self.after, now=service.now(),
            default_ttl=service.config.ephemeral_ttl, monotonic=service.clock.monotonic,
            check=check_of(self.opening, self.reading), **service.turns.lease(self.chat_id),
        )  # fmt: skip
        service.expires(opened.asker.expires_at)
        return opened

    async def foreseen(self, beginning: asyncio.Task[tuple[RunningTurn, OpenedTurn]]) -> str | None:
        """Who asks, once it is as good as known that the turn begins; None where it has begun, failed, or may fail.

        While many turns wait for the store, each that does so for a while is told as soon as the store has taken
        somebody else's and a look at it finds nothing that speaks against this one. What the store cannot do at all is
        so still a status.
        """
        sign = asyncio.ensure_future(self.service.takes_writes())
        try:
            await first_end(beginning, within=_SOON)
            await first_end(beginning, sign)
        finally:
            sign.cancel()
        if beginning.done():
            return None
        self.looking = looked = asyncio.Event()
        try:
            label = await self.service.read(
                foresee, self.caller, self.settings, chat_id=self.chat_id, new=self.new, room=self.room,
                branch=self.opening.branch, after=self.after, now=self.service.now(),
                check=check_of(self.opening, self.reading),
            )  # fmt: skip
            if beginning.done():
                return None
            self.told = label is not None
            return label
        finally:
            self.looking = None
            looked.set()

    def _start(self, scope: Scope, answers: Answers, opened: OpenedTurn) -> RunningTurn:
        service, frames = self.service, opened.frames
        now = as_datetime(service.now())
        where = {spelled(FrameState, "chat_id"): frames.chat_id}
        asked = Turn(self.question, opened.history, self.timezone, now, where)

        def events(cancel: CancellationToken) -> AsyncIterator[Event]:
            toolbox = scope.toolbox(
                self.question, timezone=self.timezone, cancel=cancel, row_cap=service.config.row_cap, ids=frames.new_id,
                accepted=partial(accepted, service, frames.chat_id),
            )  # fmt: skip
            return answers(asked, toolbox, cancel)

        return service.turns.start(
            frames, opened.asker.user_id, opened.asker.expires_at, events, lambda: scope.place.waiting
        )
