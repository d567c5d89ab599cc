"""All turns that run in this service: starting, finding, leasing, and ending them with their user or the service."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..analyst.base import Event
from ..cancellation import CancellationToken
from ..protocol.chat import Message
from ..protocol.errors import ServiceError
from .frames import TurnFrames
from .runners import new_runner, retire, runner_alive
from .store.threads import finish_turn, renew_leases, save_messages
from .threads import outcome_of, rows_of
from .turns import RunningTurn, TurnLimits

if TYPE_CHECKING:
    from .runtime import Service

__all__ = ["Turns"]

_log = logging.getLogger(__name__)
LEASE = 30.0
_RETRY = (1.0, 2.0, 5.0, 15.0, 60.0)


class Turns:
    """The running turns by thread id."""

    def __init__(self, service: Service) -> None:
        config = service.config
        self._service = service
        self._limits = TurnLimits(total=config.turn_limit, timeout=config.turn_timeout, grace=config.reader_grace)
        self._running: dict[str, RunningTurn] = {}
        self._unsaved: set[asyncio.Task[None]] = set()
        self.runner = new_runner()

    def __len__(self) -> int:
        return len(self._running)

    def __iter__(self) -> Iterator[RunningTurn]:
        return iter(list(self._running.values()))

    def get(self, chat_id: str) -> RunningTurn | None:
        return self._running.get(chat_id)

    def lease(self) -> dict[str, Any]:
        """How a new turn is marked in the store, and how to tell whether a marked one is still running."""
        now = self._service.now()

        def alive(runner: str, lease_until: float) -> bool:
            return runner_alive(runner, lease_until, now)

        return {"runner": self.runner, "lease_until": now + LEASE, "alive": alive}

    async def renew(self) -> None:
        """Keep the marks of the running turns valid."""
        if self._running:
            await self._service.write(renew_leases, self.runner, self._service.now() + LEASE)

    def start(
        self, frames: TurnFrames, user_id: int, events: Callable[[CancellationToken], AsyncIterator[Event]]
    ) -> RunningTurn:
        turn = RunningTurn(
            frames,
            user_id=user_id,
            clock=self._service.clock,
            limits=self._limits,
            save=self._save,
            finish=self._finish,
        )
        self._running[turn.chat_id] = turn
        turn.start(events)
        return turn

    async def expire(self, user_ids: Iterable[int]) -> None:
        """End the turns of users who are gone."""
        gone = set(user_ids)
        turns = [turn for turn in self._running.values() if turn.user_id in gone]
        await asyncio.gather(*(turn.abort("expired") for turn in turns))

    async def stop(self) -> None:
        """End every turn, keep what they have, and forget this runner."""
        await asyncio.gather(*(turn.abort("stopping") for turn in list(self._running.values())))
        for task in self._unsaved:
            task.cancel()
        await asyncio.gather(*self._unsaved, return_exceptions=True)
        retire(self.runner)

    async def _save(self, turn: RunningTurn, messages: list[Message]) -> None:
        try:
            await self._service.write(save_messages, turn.chat_id, turn.frames.number, rows_of(messages))
        except ServiceError as error:  # the whole turn is kept at its end; until then the stream matters more
            _log.warning("turn %s/%d: %s", turn.chat_id, turn.frames.number, error.message)

    async def _finish(self, turn: RunningTurn) -> None:
        try:
            await self._keep(turn)
        except ServiceError as error:
            _log.warning("turn %s/%d is not kept yet: %s", turn.chat_id, turn.frames.number, error.message)
            task = asyncio.create_task(self._keep_later(turn))
            self._unsaved.add(task)
            task.add_done_callback(self._unsaved.discard)
        else:
            self._running.pop(turn.chat_id, None)

    async def _keep(self, turn: RunningTurn) -> None:
        fields = outcome_of(turn, self._service.now())
        await self._service.write(
            finish_turn, turn.chat_id, turn.frames.number, rows_of(turn.snapshot()),
            next_sort=turn.frames.sort + 1, fields=fields,
        )  # fmt: skip

    async def _keep_later(self, turn: RunningTurn) -> None:
        """Until the store takes it, the turn stays readable from memory and the thread takes no new one."""
        attempt = 0
        while True:
            await self._service.clock.sleep(_RETRY[min(attempt, len(_RETRY) - 1)])
            attempt += 1
            try:
                await self._keep(turn)
            except ServiceError:
                continue
            self._running.pop(turn.chat_id, None)
            return
