"""All turns that run in this service: starting, finding, leasing, and ending them with their user or the service."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ...analyst.base import Event
from ...cancellation import CancellationToken
from ...protocol.errors import ServiceError, ServiceUnavailable
from ...waits import first_end
from ..store.errors import StoreClosed
from ..store.threads import STOPPING, finish_turn, renew_leases, request_stop, running_turns
from ..store.users import user_by_id
from .bell import rung_within
from .frames import TurnFrames
from .notes import HOLD, Notes
from .runners import new_runner, retire, runner_alive
from .threads import outcome_of, rows_of
from .turns import STOPPED_TEXT, RunningTurn, TurnLimits

if TYPE_CHECKING:
    from ..runtime import Service

__all__ = ["MeantTurns", "Turns"]

_log = logging.getLogger(__name__)
LEASE = 30.0
_LOOK = 0.2
_RARELY = 2.0
"""Seconds between two looks at what others want of the turns that run here, where that is told as well."""
_PATIENCE = 10.0
# Any write that the store takes meanwhile ends a pause sooner; see sooner().
_RETRY = (1.0, 2.0, 5.0, 15.0, 60.0)


class MeantTurns(Struct, frozen=True):
    """Turns of one thread at one moment."""

    running: RunningTurn | None
    beginning: frozenset[asyncio.Future[RunningTurn | None]]

    def __bool__(self) -> bool:
        return self.running is not None or bool(self.beginning)

    async def begun(self) -> list[RunningTurn]:
        """Those of them that run, or ran; awaits the ones that begin."""
        begun = await asyncio.gather(*self.beginning)
        return [turn for turn in (self.running, *begun) if turn is not None]


class Turns:
    """The running turns by thread id."""

    def __init__(self, service: Service) -> None:
        config = service.config
        self._service = service
        self._limits = TurnLimits(total=config.turn_limit, timeout=config.turn_timeout, grace=config.reader_grace)
        self._running: dict[str, RunningTurn] = {}
        self._beginning: dict[str, set[asyncio.Future[RunningTurn | None]]] = {}
        self._unsaved: set[asyncio.Task[None]] = set()
        self._notes = Notes(service)
        self._watching: asyncio.Task[None] | None = None
        self._rung: set[str] = set()
        self._rang = asyncio.Event()
        self._stopping = self._stopped = False
        self.runner = new_runner()
        service.bell.watch = self._ring

    def __len__(self) -> int:
        return len(self._running)

    def __iter__(self) -> Iterator[RunningTurn]:
        return iter(list(self._running.values()))

    @property
    def unsaved(self) -> int:
        """How many turns have ended and are not in the store yet."""
        return sum(turn.closed for turn in self._running.values())

    def get(self, chat_id: str) -> RunningTurn | None:
        return self._running.get(chat_id)

    def lease(self, chat_id: str) -> dict[str, Any]:
        """How a new turn is marked in the store, and how to tell whether the thread's marked one is still running."""
        return {"runner": self.runner, "lease_until": self._service.now() + LEASE, "alive": self.alive_in(chat_id, 1)}

    def alive_in(self, chat_id: str, beginning: int = 0) -> Callable[[str, float], bool]:
        """:meth:`alive` for a turn of that thread, in which ``beginning`` turns begin that are not meant."""

        def alive(runner: str, lease_until: float) -> bool:
            if runner == self.runner:  # the store may have kept a turn that this service was told nothing of
                return chat_id in self._running or len(self._beginning.get(chat_id, ())) > beginning
            return self.alive(runner, lease_until)

        return alive

    def alive(self, runner: str, lease_until: float) -> bool:
        """Whether the service that marked a turn may still be working on it."""
        return runner_alive(runner, lease_until, self._service.now())

    async def settle(self, chat_id: str) -> None:
        """Keep a turn of the thread that has ended and is not kept yet: the thread is free then.

        Raises
        ------
        StoreBusy, StoreAway, StoreFull, StoreFailed
            The store still does not take it.
        """
        turn = self._running.get(chat_id)
        if turn is not None and turn.closed:
            await self._keep(turn)

    async def streaming(self, chat_ids: list[str]) -> set[str]:
        """Those of the threads with a turn that runs, here or in another service on the same store."""
        marked = await self._service.read(running_turns, chat_ids)
        return {key for key in chat_ids if key in self._running or (key in marked and self._runs(marked[key]))}

    @contextmanager
    def beginning(self, chat_id: str) -> Iterator[Callable[[RunningTurn], None]]:
        """While the block runs, a turn of the thread begins here; call what it yields with the turn once it runs.

        Raises
        ------
        ServiceUnavailable
            The service is shutting down.
        """
        if self._stopping:
            raise ServiceUnavailable(STOPPED_TEXT)
        begun: asyncio.Future[RunningTurn | None] = asyncio.get_running_loop().create_future()
        waiting = self._beginning.setdefault(chat_id, set())
        waiting.add(begun)
        try:
            yield begun.set_result
        finally:
            if not begun.done():
                begun.set_result(None)
            waiting.discard(begun)
            if not waiting:
                self._beginning.pop(chat_id, None)

    async def opened(self, chat_id: str) -> None:
        """Wait while a turn of the thread begins: who asks may know of the thread before the store does."""
        while beginning := self._beginning.get(chat_id):
            # A copy: turns leave the set while it is waited for.
            await asyncio.wait(set(beginning))

    def meant(self, chat_id: str) -> MeantTurns:
        """The thread's turns that run or begin here at this moment: what an abort that arrives now is meant for."""
        running = self._running.get(chat_id)
        return MeantTurns(running, frozenset(self._beginning.get(chat_id, ())))

    async def abort(self, chat_id: str, meant: MeantTurns) -> None:
        """Stop the turns that were ``meant``, or the one that another service runs; returns when they have ended.

        A turn that has begun since is not touched: whoever aborts late must not stop the next question.

        Raises
        ------
        ServiceUnavailable
            The service that runs it does not stop it.
        """
        if meant:
            await asyncio.gather(*(turn.abort() for turn in await meant.begun()))
            return
        number: int | None = None
        with self._service.bell.listening(chat_id) as rung:
            for _ in range(round(_PATIENCE / _LOOK)):
                row = (await self._service.read(running_turns, [chat_id])).get(chat_id)
                if row is None or row.runner == self.runner or not self._runs(row):
                    return
                # The one that was meant has ended, and another has begun since.
                if number not in (None, row.number):
                    return
                number = row.number
                if row.status != STOPPING:
                    await self._service.write(request_stop, chat_id)
                self._service.bell.ring(chat_id)  # again and again: it may have come before the turn was known there
                await rung_within(rung, _LOOK)
        raise ServiceUnavailable("The service that runs this turn does not stop it; try again.")

    def _runs(self, row: Any) -> bool:
        if row.runner == self.runner:
            return row.thread_id in self._running or row.thread_id in self._beginning
        return self.alive(row.runner or "", row.lease_until or 0.0)

    async def renew(self) -> None:
        """Keep the marks of the running turns valid."""
        if self._running:
            await self._service.write(renew_leases, self.runner, list(self._running), self._service.now() + LEASE)

    def start(
        self,
        frames: TurnFrames,
        user_id: int,
        expires_at: float | None,
        events: Callable[[CancellationToken], AsyncIterator[Event]],
        waiting: Callable[[], bool] = lambda: False,
    ) -> RunningTurn:
        if self._stopped:
            raise ServiceUnavailable(STOPPED_TEXT)
        turn = RunningTurn(
            frames,
            user_id=user_id,
            expires_at=expires_at,
            clock=self._service.clock,
            limits=self._limits,
            save=self._notes.soon if self._service.lasts else None,
            finish=self._finish,
            begin=self._service.lanes.after_first_lines,
            waiting=waiting,
            seen=self._service.telemetry.turn,
        )
        self._running[turn.chat_id] = turn
        turn.start(events)
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())
        return turn

    async def _watch(self) -> None:
        """While turns run: heed what other services on the same store do to them (abort, delete, remove the user)."""
        looked = self._service.clock.monotonic()
        while turns := [turn for turn in self._running.values() if turn.status == "running"]:
            await rung_within(self._rang, _LOOK)
            rung, self._rung = self._rung, set()
            now = self._service.clock.monotonic()
            every = now - looked >= (_RARELY if self._service.bell.hears else 0.0)
            try:
                await self._expired(turns)
                if every:
                    looked = now
                await self._heed(turns if every else [turn for turn in turns if turn.chat_id in rung])
            except ServiceError as error:
                _log.warning("running turns could not be looked after: %s", error.message)

    def _ring(self, chat_id: str) -> None:
        if chat_id in self._running:
            self._rung.add(chat_id)
            self._rang.set()

    async def _expired(self, turns: list[RunningTurn]) -> None:
        """Have users removed who are due by the clock on the wall: the reaper sleeps by one that nobody can set."""
        due = [turn for turn in turns if turn.expires_at is not None and turn.expires_at <= self._service.now()]
        if due:
            for turn in due:
                turn.expires_at = None  # once: they may have been made to stay meanwhile
            await self._service.reap()

    async def _heed(self, turns: list[RunningTurn]) -> None:
        if not turns:
            return
        marked = await self._service.read(running_turns, [turn.chat_id for turn in turns])
        for turn in turns:
            row = marked.get(turn.chat_id)
            if row is not None:
                self._followed(turn, row.read_until or 0.0)
            if turn.status != "running" or (row is not None and row.status != STOPPING):
                continue
            if row is not None:
                turn.stopped_afar = True
                await turn.abort()
            else:
                user = await self._service.read(user_by_id, turn.user_id, self._service.now())
                await turn.abort("expired" if user is None else "deleted")

    def _followed(self, turn: RunningTurn, until: float) -> None:
        left = until - self._service.now()
        if left > 0 and turn.read_elsewhere(left):
            self._service.bell.ring(turn.chat_id)  # what was kept while nobody was known to follow

    async def expire(self, user_ids: Iterable[int]) -> None:
        """End the turns of users who are gone."""
        gone = set(user_ids)
        turns = [turn for turn in self._running.values() if turn.user_id in gone]
        await asyncio.gather(*(turn.abort("expired") for turn in turns))

    async def stop(self) -> None:
        """End every turn, those that begin included, keep what they have, and forget this runner."""
        self._stopping = True
        await self._end_all()
        if beginning := {each for waiting in self._beginning.values() for each in waiting}:
            await asyncio.wait(beginning, timeout=HOLD)
        self._stopped = True
        # Those that were still beginning run now; since _stopped no further one starts.
        await self._end_all()
        await asyncio.gather(*map(self._kept_at_last, list(self._running.values())))
        others = [*self._unsaved, *self._notes.tasks, *([self._watching] if self._watching is not None else [])]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        retire(self.runner)

    async def _end_all(self) -> None:
        await asyncio.gather(*(turn.abort("stopping") for turn in list(self._running.values())))

    async def _kept_at_last(self, turn: RunningTurn) -> None:
        try:
            await self._keep(turn)
        except ServiceError as error:
            _log.error("turn %s/%d is lost: %s", turn.chat_id, turn.frames.number, error.message)

    async def _finish(self, turn: RunningTurn) -> None:
        """Have the outcome kept; a store that takes long is not waited for."""
        keeping = asyncio.create_task(self._keep_sooner_or_later(turn))
        self._unsaved.add(keeping)
        keeping.add_done_callback(self._unsaved.discard)
        await first_end(keeping, turn.tried, within=self._notes.hold())

    async def _keep(self, turn: RunningTurn) -> None:
        await self._notes.ended(turn.chat_id)
        fields = outcome_of(turn, self._service.now())
        await self._service.write(
            finish_turn, turn.chat_id, turn.frames.number, rows_of(turn.unkept()),
            next_sort=turn.frames.sort + 1, fields=fields,
        )  # fmt: skip
        # Kept twice (by settle() and by its own task), the thread may have a new turn already.
        if self._running.get(turn.chat_id) is turn:
            del self._running[turn.chat_id]
        if turn.read_afar or turn.stopped_afar:
            self._service.bell.ring(turn.chat_id)

    async def _keep_sooner_or_later(self, turn: RunningTurn) -> None:
        """Until the store takes it, the turn stays readable from memory and the thread takes no new one."""
        attempt = 0
        while self._running.get(turn.chat_id) is turn:
            try:
                await self._keep(turn)
            except StoreClosed:  # the service has stopped, and said what it could not keep
                return
            except ServiceError as error:
                if not attempt:
                    _log.warning("turn %s/%d is not kept yet: %s", turn.chat_id, turn.frames.number, error.message)
            if not turn.tried.done():
                turn.tried.set_result(None)
            if self._running.get(turn.chat_id) is turn:
                await self._service.sooner(self._service.clock.sleep(_RETRY[min(attempt, len(_RETRY) - 1)]))
            attempt += 1
