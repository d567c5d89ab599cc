"""Turns as they run: one task each, one shared log, any number of readers at their own pace.

Lines are encoded once. A reader holds nothing but a position in the turn's log; the log keeps the last few megabytes.
Who falls further behind is not waited for and costs no memory: it gets every message that changed since as a whole,
and goes on from there. A reader that joins late begins the same way.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from ...analyst.base import Event, Thinking
from ...cancellation import CancellationToken, Cancelled
from ...protocol.chat import Message
from ...protocol.ndjson import encode_line
from ...tracing import span
from ...waits import first_end
from ..clock import Clock
from ..web.references import reference
from .folding import sort_of
from .frames import TurnFrames, aborted_frame, error_frame, state_frame, usage_frame

__all__ = ["STOPPED_TEXT", "RunningTurn", "TurnLimits"]

_log = logging.getLogger(__name__)
# A late reader gets what waits in pieces of this size: one for each line would be a write to the socket for each.
_CHUNK = 65_536
_EXPIRED = "expired"
_PROGRESS_SECONDS = 0.5
_SOON = 0.05
"""Seconds that a turn goes without a reader before it is said to have none."""
_BRIEF = 0.002
"""Seconds of an analyst that never waits after which readers and other turns get theirs. After each of its events it
would send every line to the reader alone: 50 steps of the loop for a short answer, and not 40."""

ABORTED_TEXT = "The answer was stopped."
EXPIRED_TEXT = "The user of this chat has expired."
NO_READER_TEXT = "The answer was stopped because nobody was reading it."
STOPPED_TEXT = "The service is shutting down."
WAITING_TEXT = "Waiting for a free place. "


class TurnLimits:
    """Bytes the log keeps, bytes a turn may stream, seconds it may run, seconds it goes on without a reader."""

    def __init__(self, *, total: int, timeout: float, grace: float, log: int = 4_194_304) -> None:
        self.total, self.timeout, self.grace, self.log = total, timeout, grace, log


class RunningTurn:
    """One question being answered.

    Parameters
    ----------
    save
        Has the messages kept that are :meth:`unkept`, while the turn runs, and says :meth:`noted`: what is complete is
        kept before it is told. None where what is kept lasts no longer than this process: then it is kept at the end.
    finish
        Keeps the outcome; called once, before the terminal frame leaves.
    begin
        Awaited before the analyst is asked.
    waiting
        Whether something that the analyst asked for has no place yet; the stream then says so.
    seen
        Told of the turn's end, with the seconds it took.
    """

    def __init__(
        self,
        frames: TurnFrames,
        *,
        user_id: int,
        expires_at: float | None = None,
        clock: Clock,
        limits: TurnLimits,
        save: Callable[[RunningTurn], None] | None,
        finish: Callable[[RunningTurn], Awaitable[None]],
        begin: Callable[[], Awaitable[None]],
        waiting: Callable[[], bool] = lambda: False,
        seen: Callable[[RunningTurn, float], None] = lambda turn, seconds: None,
    ) -> None:
        self._seen = seen
        self._began = clock.monotonic()
        self.frames = frames
        self.user_id = user_id
        self.expires_at = expires_at
        self.cancel = CancellationToken()
        self.status = "running"
        self.error: str | None = None
        self.ended = asyncio.Event()
        self.tried: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done once it was tried to keep the outcome, whatever came of it."""
        self._clock = clock
        self._limits = limits
        self._save = save
        self._finish = finish
        self._begin = begin
        self._waiting = waiting
        self._log: deque[tuple[int, bytes]] = deque()  # (sort, line)
        self._first = 0  # position of the log's oldest line
        self._log_bytes = 0
        self._total = 0
        self._readers: set[asyncio.Event] = set()
        self._read_until = 0.0
        self.stopped_afar = False
        """Whether another service asked for it to be stopped, and waits for its end."""
        self._grace: asyncio.TimerHandle | asyncio.Task[None] | None = None
        self._work: asyncio.Task[None] | None = None
        self._looking: asyncio.TimerHandle
        self._waited = False
        self._progress = 0.0
        self._held: list[tuple[int, bytes]] = []  # what is told once it is kept
        self._keeping = False
        self._kept: dict[str, int] = {}  # sort of each message as the store has it
        self.task: asyncio.Task[None] | None = None

    @property
    def chat_id(self) -> str:
        return self.frames.chat_id

    @property
    def readers(self) -> int:
        """How many readers follow the turn."""
        return len(self._readers)

    @property
    def closed(self) -> bool:
        """Whether the last line has been written to the log."""
        return self.ended.is_set()

    def start(self, events: Callable[[CancellationToken], AsyncIterator[Event]]) -> None:
        for message in self.snapshot():  # the question
            self._kept[str(message.id)] = sort_of(message)
            self._emit(message)
        self._grace = asyncio.get_running_loop().call_later(_SOON, self._unread)  # until the first reader comes
        self.task = asyncio.create_task(self._run(events), name=f"turn {self.chat_id}/{self.frames.number}")

    def on_end(self, callback: Callable[[], None]) -> None:
        """Have ``callback`` called once the turn's task has ended, whatever it ended with."""
        assert self.task is not None
        self.task.add_done_callback(lambda _: callback())

    async def abort(self, reason: str = "aborted") -> None:
        """Stop at once: token first (it interrupts a running query), then the task; returns when the turn has ended."""
        if self.status == "running":
            self.cancel.cancel(reason)
            if self._work is not None:
                self._work.cancel()
        await self.ended.wait()

    # --- the producer -------------------------------------------------------------------------------------------

    @property
    def outcome(self) -> str:
        """How it ended: what the analyst says of a complete one, where that is no plain answer; else its status."""
        said = str(self.frames.memory.get("outcome") or "")
        return said if self.status == "complete" and said else self.status

    async def _run(self, events: Callable[[CancellationToken], AsyncIterator[Event]]) -> None:
        with span("svc.turn", chat=self.chat_id, turn=self.frames.number) as told:
            await self._through(events)
            told.tell(outcome=self.outcome, stopped=self.cancel.reason if self.status == "aborted" else None)
            if self.status == "failed":
                told.failed("turn")

    async def _through(self, events: Callable[[CancellationToken], AsyncIterator[Event]]) -> None:
        self._work = asyncio.create_task(self._pump(events))
        self._look_again()
        if self.cancel.cancelled:  # aborted before it began
            self._work.cancel()
        try:
            await first_end(self._work)
        finally:
            self._looking.cancel()
        if self._grace is not None:
            self._grace.cancel()
        self.status, self.error = self._outcome(self._work)
        self._seen(self, self._clock.monotonic() - self._began)
        for frame in self.frames.stop(self.status) if self.status != "complete" else ():
            self._tell(frame)
        try:
            await self._finish(self)
        finally:
            try:
                self._release()
                self._emit(self._terminal())
                self._emit(usage_frame(self.frames.usage))
            finally:  # whatever happens, no reader waits for ever
                self.ended.set()
                self._wake()

    async def _pump(self, events: Callable[[CancellationToken], AsyncIterator[Event]]) -> None:
        await self._begin()
        now = asyncio.get_running_loop().time
        until = now() + _BRIEF
        async with asyncio.timeout(self._limits.timeout), _closing(events(self.cancel)) as stream:
            async for event in stream:
                # An analyst that never awaits hears no cancel(): the token stops it at its next event.
                self.cancel.raise_if_cancelled()
                for frame in self.frames.on(event):
                    self._tell(frame)
                if self._total > self._limits.total:
                    raise _TooLong
                if self._held and not self.frames.complete:
                    self._keep_soon()
                if now() >= until:
                    await asyncio.sleep(0)
                    until = now() + _BRIEF
        if not self.frames.complete:
            raise _NoAnswer

    def _keep_soon(self) -> None:
        if self._save is None:
            self._release()
        elif not self._keeping:
            self._keeping = True
            self._save(self)

    @property
    def goes_on(self) -> bool:
        """Whether it runs and has not said all of its answer: else what it has complete is kept with its end."""
        return self.status == "running" and not self.frames.complete

    @property
    def held(self) -> int:
        """How many lines wait until what they tell is kept."""
        return len(self._held)

    def noted(self, count: int) -> None:
        """The first so many lines that are :attr:`held` wait no longer; those that came since wait for a note too."""
        self._keeping = False
        if self.status != "running":
            return
        self._release(count)
        if self._held and not self.frames.complete:
            self._keep_soon()

    def _look_again(self) -> None:
        self._looking = asyncio.get_running_loop().call_later(_PROGRESS_SECONDS, self._tell_progress)

    def _tell_progress(self) -> None:
        """Say twice a second how far a long query is, where the engine knows, and once that it waits for its place."""
        self._look_again()
        waits, waited = self._waiting(), self._waited
        self._waited = waits
        if waits and not waited:
            for said in self.frames.on(Thinking(WAITING_TEXT)):
                self._tell(said)
        done = self.cancel.progress
        if done is None:
            self._progress = 0.0
        elif done != self._progress and (frame := self.frames.progress(done)) is not None:
            self._progress = done
            self._tell(frame)

    def _outcome(self, work: asyncio.Task[None]) -> tuple[str, str | None]:
        failure = asyncio.CancelledError() if work.cancelled() else work.exception()
        if failure is None:
            return "complete", None
        if self.cancel.cancelled:
            why = self.cancel.reason or "aborted"
            _log.info("turn %s/%d was stopped: %s, request %s", self.chat_id, self.frames.number, why, reference())
            if self.cancel.reason == _EXPIRED:
                return "failed", EXPIRED_TEXT
            return "aborted", {"no reader": NO_READER_TEXT, "stopping": STOPPED_TEXT}.get(
                self.cancel.reason or "", ABORTED_TEXT
            )
        self.cancel.cancel("failed")  # whatever the analyst left running has no reader any more
        if isinstance(failure, _NoAnswer):
            return "failed", "The analyst ended without an answer."
        if isinstance(failure, _TooLong):
            return "failed", f"The answer is longer than {self._limits.total:,} bytes."
        if isinstance(failure, TimeoutError):
            return "failed", f"The answer took longer than {self._limits.timeout:.0f} seconds."
        if isinstance(failure, asyncio.CancelledError | Cancelled):
            return "aborted", ABORTED_TEXT
        _log.error("turn %s/%d failed, request %s", self.chat_id, self.frames.number, reference(), exc_info=failure)
        return "failed", f"The analyst failed while answering; the service's log says why under {reference()}."

    def _terminal(self) -> Message:
        if self.status == "complete":
            turns = [{"number": self.frames.number, "status": self.status}]
            return state_frame(
                self.chat_id, self.frames.next_sort(), self.frames.suggestions, turns, self.frames.memory
            )
        if self.status == "aborted":
            return aborted_frame(self.error or ABORTED_TEXT)
        return error_frame(self.error or "failed")

    def _tell(self, frame: Message) -> None:
        """Emit a frame; one that is complete waits until it is kept, and so does what comes after it."""
        if self._held or frame.is_in_process is False:
            self._held.append(self._line(frame))
        else:
            self._emit(frame)

    def _release(self, count: int | None = None) -> None:
        """Tell what was held; the first so many of it, or all."""
        told, self._held = self._held[:count], [] if count is None else self._held[count:]
        for line in told:
            self._add(line)

    def unkept(self) -> list[Message]:
        """Every message that changed since it was last kept, whole; while the turn runs, those that are complete."""
        changed = [item for item in self.frames.messages.changed(-1) if self._kept.get(str(item.id)) != sort_of(item)]
        return [item for item in changed if self.status != "running" or item.is_in_process is False]

    def kept(self, messages: list[Message]) -> None:
        """The store has these messages."""
        self._kept |= {str(message.id): sort_of(message) for message in messages}

    def _emit(self, frame: Message) -> None:
        self._add(self._line(frame))

    def _line(self, frame: Message) -> tuple[int, bytes]:
        line = encode_line(frame)
        self._total += len(line)
        return int(frame.sort) if isinstance(frame.sort, int | float) else self.frames.sort, line

    def _add(self, line: tuple[int, bytes]) -> None:
        self._log.append(line)
        self._log_bytes += len(line[1])
        # One line at least stays, whatever its size: a reader who waits for it must find it.
        while self._log_bytes > self._limits.log and len(self._log) > 1:
            self._log_bytes -= len(self._log.popleft()[1])
            self._first += 1
        self._wake()

    def _wake(self) -> None:
        for reader in self._readers:
            reader.set()

    # --- the readers --------------------------------------------------------------------------------------------

    def snapshot(self, after: int = -1) -> list[Message]:
        """Every message of the turn changed after ``sort`` ``after``, whole, in order; none that is not told yet."""
        changed = self.frames.messages.changed(after)
        if self._held:
            changed = [message for message in changed if sort_of(message) < self._held[0][0]]
        return changed

    @asynccontextmanager
    async def reader(self) -> AsyncIterator[asyncio.Event]:
        """Count as a reader while the block runs; the turn is given up some time after the last one has gone."""
        awake = asyncio.Event()
        self._readers.add(awake)
        if self._grace is not None:
            self._grace.cancel()
            self._grace = None
        try:
            yield awake
        finally:
            self._readers.discard(awake)
            if not self._readers and self.status == "running":
                self._unread()

    def read_elsewhere(self, seconds: float) -> bool:
        """Somebody follows at another service, for so long at least; whether that is news."""
        now = self._clock.monotonic()
        news, self._read_until = not self.read_afar, now + seconds
        return news

    @property
    def read_afar(self) -> bool:
        """Whether somebody follows the turn at another service."""
        return self._read_until > self._clock.monotonic()

    def _unread(self) -> None:
        self._grace = asyncio.create_task(self._give_up())

    async def _give_up(self) -> None:
        await self._clock.sleep(self._limits.grace)
        while self.read_afar:
            await self._clock.sleep(self._read_until - self._clock.monotonic() + self._limits.grace)
        self._grace = None
        if not self._readers:
            await self.abort("no reader")

    async def follow(self, *, late: bool = False) -> AsyncGenerator[bytes, None]:
        """The turn's lines from its beginning, or for a ``late`` reader whole messages first; then live to the end."""
        async with self.reader() as awake:
            position, seen = 0, -1
            if late:
                position, seen, lines = self._jump(seen)
                if lines:
                    yield lines
            while True:
                # Before looking, not after: a line that comes between the look and the wait sets it again.
                awake.clear()
                if position < self._first:
                    position, seen, lines = self._jump(seen)
                    if lines:
                        yield lines
                    continue
                if position < self._first + len(self._log):
                    position, seen, lines = self._next(position, seen)
                    yield lines
                    continue
                if self.closed:
                    return
                await awake.wait()

    def _jump(self, seen: int) -> tuple[int, int, bytes]:
        """Past the log's end: what the reader missed as whole messages (terminal lines are never jumped over)."""
        end = self._first + len(self._log)
        if self.status != "running":
            # The last two lines are the outcome and the usage, which are messages of no snapshot.
            end = max(self._first, end - 2) if self.closed else end
        changed = self.snapshot(seen)
        lines = b"".join(map(encode_line, changed))
        return end, sort_of(changed[-1]) if changed else seen, lines

    def _next(self, position: int, seen: int) -> tuple[int, int, bytes]:
        chunk: list[bytes] = []
        size = 0
        index = position - self._first
        while index < len(self._log) and (not chunk or size < _CHUNK):
            sort, line = self._log[index]
            chunk.append(line)
            size += len(line)
            seen = max(seen, sort)
            index += 1
        return self._first + index, seen, b"".join(chunk)


class _NoAnswer(Exception):
    """The analyst's events ended without ``AnswerDone``."""


class _TooLong(Exception):
    """The turn has streamed more than it may."""


@asynccontextmanager
async def _closing(stream: AsyncIterator[Event]) -> AsyncIterator[AsyncIterator[Event]]:
    """Close an analyst's generator in every case, so that its own clean-up runs now and here."""
    try:
        yield stream
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
