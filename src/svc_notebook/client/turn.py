"""A turn in flight: read on the engine, watched from anywhere, stopped at the service.

The engine's task folds frames into answers and tells whoever listens; the handle is what other threads hold.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..protocol.chat import Message
from ..results.answer import EMPTY, Answer, AnswerContext, Snapshot, finish, fold_thread
from ..results.fold import abandoned
from ..tracing import SURFACE, span
from .engine.portal import HEARTBEAT, PortalStopped, blocking, end_of
from .errors import ApiError, ChatRefused, StreamBroken, SvcError, TransportError
from .wire.reattached import Reattached
from .wire.stream import frames

if TYPE_CHECKING:
    from .calls import Calls
    from .engine.mailbox import Mailbox
    from .users import User
    from .wire.requests import Request

__all__ = ["NotStarted", "OnDone", "OnFrame", "StreamHandle", "Tick"]

logger = logging.getLogger(__name__)

OnFrame = Callable[[Message, Answer], object]
OnDone = Callable[[Answer], object]
Tick = Callable[[Answer], object]
REATTACHMENTS = 2
"""How often a stream that broke off is picked up again."""
NAME_PATIENCE = 2.0
ABORT_PATIENCE = 5.0
"""Seconds a stream may take to end after its abort was accepted."""


class NotStarted(Exception):
    """The request was stopped before it was sent."""


class StreamHandle:
    """One request to the chat endpoint and what comes of it.

    Parameters
    ----------
    calls, user
        The service, and as whom it is asked.
    request
        A question, or without one the replay of a thread.
    follow
        Makes the request that reads a thread again, should the stream break off.
    on_chat_id
        Told the thread's id when the stream names it.
    on_frame, on_done
        Called on the engine thread; they must not block, and what they raise is logged.
    mailbox
        Gets every frame, and holds the reading when its reader falls behind.
    before
        The turn before: a stop of it that is still under way is awaited, so that it cannot meet this turn.
    """

    def __init__(
        self,
        calls: Calls,
        user: User,
        request: Request,
        *,
        context: AnswerContext,
        chat_id: str | None = None,
        follow: Callable[[str], Request] | None = None,
        on_chat_id: Callable[[str], object] = lambda _: None,
        on_frame: OnFrame | None = None,
        on_done: OnDone | None = None,
        mailbox: Mailbox[tuple[Message, Answer]] | None = None,
        before: StreamHandle | None = None,
    ) -> None:
        self._calls = calls
        self._user = user
        self._request = request
        self._context = context
        self._chat_id = chat_id
        self._follow = follow
        self._on_chat_id = on_chat_id
        self._on_frame = on_frame
        self._on_done = on_done
        self._mailbox = mailbox
        self._turns: tuple[Snapshot, ...] = ()
        self._answer = Answer(EMPTY, context)
        self._stopping = False
        self._before = before
        self._aborts: list[concurrent.futures.Future[bool]] = []
        self.frames = 0
        self._named = asyncio.Event()
        self._task: asyncio.Task[Any] | None = None
        self.future: concurrent.futures.Future[Answer] = concurrent.futures.Future()

    def start(self) -> StreamHandle:
        """Send the request. The handle is known before, so that an interrupt meanwhile cannot lose the turn."""
        with blocking():
            self._calls.portal.submit(self._main())
        return self

    @property
    def answer(self) -> Answer:
        """The turn as far as it has come."""
        return self._answer

    @property
    def turns(self) -> tuple[Snapshot, ...]:
        """The turns of the thread that the stream has told of."""
        return self._turns

    @property
    def chat_id(self) -> str | None:
        return self._chat_id

    @property
    def done(self) -> bool:
        return self.future.done()

    def abort(self) -> concurrent.futures.Future[bool]:
        """Stop the turn at the service. Returns at once; the future tells whether the service was reached."""
        self._stopping = True
        self._aborts = [one for one in self._aborts if not one.done()]
        self._aborts.append(stopped := self._calls.portal.submit(self._abort()))
        return stopped

    def cancel(self) -> None:
        """Stop reading; the turn itself may go on at the service. From any thread, also from a finalizer."""
        self.future.cancel()  # which it heeds only before it has begun
        self._calls.portal.call(self._cancel)

    def wait(self, tick: Tick | None = None, heartbeat: float = 0.1) -> Answer:
        """Block until the stream has ended; ``tick`` is called with every heartbeat."""
        alive = self._calls.portal.alive()
        with blocking():
            ended, over = end_of(self.future), False
            while not over and alive():
                over = ended.acquire(timeout=heartbeat)
                if tick is not None:
                    tick(self._answer)
            return self._result()

    async def wait_async(self, tick: Tick | None = None, heartbeat: float = HEARTBEAT) -> Answer:
        """:meth:`wait`, awaited on any loop."""
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.future.add_done_callback(_opener(ended))
        alive = self._calls.portal.alive()
        while not self.future.done() and alive():
            await asyncio.wait({ended}, timeout=heartbeat)
            if tick is not None:
                tick(self._answer)
        return self._result()

    def _result(self) -> Answer:
        if self.future.cancelled():
            raise NotStarted("The question was not sent")
        if not self.future.done():
            raise PortalStopped("The engine was stopped before the answer was complete")
        return self.future.result()

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _main(self) -> None:
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            with span("svc.ask" if self._context.question else "svc.follow", surface=SURFACE.get()) as told:
                try:
                    answer = await self._run()
                finally:
                    self._task = None  # whoever still holds this handle frees no task
                told.tell(chat=self._chat_id, status=answer.status, outcome=answer.outcome)
        except asyncio.CancelledError:
            self.future.set_exception(PortalStopped("The stream was left before the answer was complete"))
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, whoever waits for the answer is told
            self.future.set_exception(error)
        else:
            self.future.set_result(answer)

    async def _run(self) -> Answer:
        self._task = asyncio.current_task()
        failure: SvcError | None = None
        try:
            await self._after_stop()
            await self._read()
        except asyncio.CancelledError:
            if not self._stopping:
                self._close(None)
                raise
        except SvcError as error:
            failure = error
        if self._stopping and self._answer.status == "streaming":
            self._set(abandoned(self._snapshot))
        refused = self._snapshot.status == "failed" and not self._snapshot.entries
        if failure is None and refused:
            failure = ChatRefused(self._snapshot.error or "The chat was refused")
        self._set(finish(self._snapshot, failure.message if failure else None))
        begun = bool(self._snapshot.entries) or self._stopping
        self._close(failure)
        if failure is not None and not begun:
            raise failure
        return self._answer

    async def _after_stop(self) -> None:
        """Wait, for a moment, until the turn before is told to be stopped."""
        before, self._before = self._before, None
        stops = [asyncio.wrap_future(one) for one in (before._aborts if before is not None else ())]
        if stops:
            await asyncio.wait(stops, timeout=ABORT_PATIENCE)

    async def _read(self) -> None:
        """Read to the end; what breaks off is picked up again by reading the thread, never by asking twice."""
        request = self._request
        for attempt in range(1, REATTACHMENTS + 2):
            try:
                await self._read_once(request)
                if finish(self._snapshot).status != "failed" or self._snapshot.status == "failed":
                    return
                broken = StreamBroken("The stream ended before the answer was complete")
            except StreamBroken as error:
                broken = error
            except (ApiError, TransportError):
                if attempt == 1:
                    raise
                break  # the thread cannot be read again: what broke first is the news
            if attempt > REATTACHMENTS or self._follow is None or self._chat_id is None or self._stopping:
                break
            request = self._follow(self._chat_id)
            await self._calls.retries.sleep(self._calls.retries.backoff * attempt)
        raise broken

    async def _read_once(self, request: Request) -> None:
        again = Reattached(self._snapshot) if self._turns else None
        async with self._calls.stream(request) as reply:
            async for batch in frames(reply, silence=self._calls.silence):
                full = False
                for frame in batch:
                    self.frames += 1
                    turns = fold_thread(frame, self._turns) if again is None else again.fold(frame)
                    if turns:
                        self._turns = turns
                        self._answer = Answer(turns[-1], self._context)
                        full = self._tell(frame) or full
                if full and self._mailbox is not None:
                    await self._mailbox.room()

    def _tell(self, frame: Message) -> bool:
        """Tell whoever listens; returns whether the reader has fallen behind."""
        chat_id = self._answer.chat_id
        if chat_id is not None and not self._named.is_set():
            self._chat_id = chat_id
            self._on_chat_id(chat_id)
            self._named.set()
        if self._on_frame is not None:
            _safely(self._on_frame, frame, self._answer)
        return self._mailbox is not None and self._mailbox.post((frame, self._answer))

    @property
    def _snapshot(self) -> Snapshot:
        return self._turns[-1] if self._turns else EMPTY

    def _set(self, snapshot: Snapshot) -> None:
        self._turns = (*self._turns[:-1], snapshot)
        self._answer = Answer(snapshot, self._context)

    def _close(self, failure: SvcError | None) -> None:
        if self._mailbox is not None:
            self._mailbox.close(failure)
        if self._on_done is not None:
            _safely(self._on_done, self._answer)

    async def _abort(self) -> bool:
        task = self._task
        if task is None or task.done():
            self.future.cancel()  # never sent, or ended
            return False
        await self._until_named(task)
        reached = False
        if self._chat_id is not None:
            try:
                await self._calls.abort(self._user, self._chat_id)
                reached = True
            except SvcError as error:
                logger.warning("The service could not be told to abort: %s", error)
        if reached:
            await asyncio.wait({task}, timeout=ABORT_PATIENCE)
        task.cancel()
        return reached

    async def _until_named(self, task: asyncio.Task[Any]) -> None:
        """Wait, for a moment, until the service has said which thread it is: before, there is nothing to stop."""
        named = asyncio.ensure_future(self._named.wait())
        if not self._named.is_set():
            await asyncio.wait({named, task}, timeout=NAME_PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        named.cancel()


def _safely(listener: Callable[..., object], *args: Any) -> None:
    try:
        listener(*args)
    except Exception:  # a listener's failure is its own; the stream goes on
        logger.exception("A listener of the stream failed")


def _opener(ended: asyncio.Future[None]) -> Callable[[object], None]:
    loop = ended.get_loop()

    def set_result() -> None:
        if not ended.done():
            ended.set_result(None)

    def opened(_: object) -> None:
        try:
            loop.call_soon_threadsafe(set_result)
        except RuntimeError:  # the waiter's loop is closed: nobody waits any more
            return

    return opened
