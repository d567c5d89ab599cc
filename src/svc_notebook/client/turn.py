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
from .answer import EMPTY, Answer, AnswerContext, Snapshot, finish, fold_thread
from .errors import ChatRefused, SvcError
from .fold import abandoned
from .portal import HEARTBEAT, PortalStopped
from .stream import frames

if TYPE_CHECKING:
    from .calls import Calls
    from .mailbox import Mailbox
    from .requests import Request
    from .users import User

__all__ = ["OnDone", "OnFrame", "StreamHandle", "Tick"]

logger = logging.getLogger(__name__)

OnFrame = Callable[[Message, Answer], object]
OnDone = Callable[[Answer], object]
Tick = Callable[[Answer], object]
NAME_PATIENCE = 2.0
ABORT_PATIENCE = 5.0
"""Seconds a stream may take to end after its abort was accepted."""


class StreamHandle:
    """One request to the chat endpoint and what comes of it.

    Parameters
    ----------
    calls, user
        The service, and as whom it is asked.
    request
        A question, or without one the replay of a thread.
    on_chat_id
        Told the thread's id when the stream names it.
    on_frame, on_done
        Called on the engine thread; they must not block, and what they raise is logged.
    mailbox
        Gets every frame, and holds the reading when its reader falls behind.
    """

    def __init__(
        self,
        calls: Calls,
        user: User,
        request: Request,
        *,
        context: AnswerContext,
        chat_id: str | None = None,
        on_chat_id: Callable[[str], object] = lambda _: None,
        on_frame: OnFrame | None = None,
        on_done: OnDone | None = None,
        mailbox: Mailbox[tuple[Message, Answer]] | None = None,
    ) -> None:
        self._calls = calls
        self._user = user
        self._request = request
        self._context = context
        self._chat_id = chat_id
        self._on_chat_id = on_chat_id
        self._on_frame = on_frame
        self._on_done = on_done
        self._mailbox = mailbox
        self._turns: tuple[Snapshot, ...] = ()
        self._answer = Answer(EMPTY, context)
        self._stopping = False
        self.frames = 0
        self._named = asyncio.Event()
        self._task: asyncio.Task[Answer] | None = None
        self.started = False
        self.future: concurrent.futures.Future[Answer] = concurrent.futures.Future()

    def start(self) -> StreamHandle:
        """Send the request. A handle that is known before it starts cannot be lost to an interrupt."""
        self.future = self._calls.portal.submit(self._run())
        self.started = True
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
        return self._calls.portal.submit(self._abort())

    def cancel(self) -> None:
        """Stop reading; the turn itself may go on at the service."""
        self.future.cancel()

    def wait(self, tick: Tick | None = None, heartbeat: float = 0.1) -> Answer:
        """Block until the stream has ended; ``tick`` is called with every heartbeat."""
        while not self.future.done():
            concurrent.futures.wait([self.future], timeout=heartbeat)
            if tick is not None:
                tick(self._answer)
        return self._result()

    async def wait_async(self, tick: Tick | None = None, heartbeat: float = HEARTBEAT) -> Answer:
        """:meth:`wait`, awaited on any loop."""
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.future.add_done_callback(_opener(ended))
        while not self.future.done():
            await asyncio.wait({ended}, timeout=heartbeat)
            if tick is not None:
                tick(self._answer)
        return self._result()

    def _result(self) -> Answer:
        if self.future.cancelled():
            raise PortalStopped("The stream was left before the answer was complete")
        return self.future.result()

    async def _run(self) -> Answer:
        self._task = asyncio.current_task()
        failure: SvcError | None = None
        try:
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

    async def _read(self) -> None:
        async with self._calls.stream(self._request) as reply:
            async for batch in frames(reply, silence=self._calls.silence):
                full = False
                for frame in batch:
                    self.frames += 1
                    self._turns = fold_thread(frame, self._turns)
                    self._answer = Answer(self._turns[-1], self._context)
                    self._tell(frame)
                    full = (self._mailbox is not None and self._mailbox.post((frame, self._answer))) or full
                if full and self._mailbox is not None:
                    await self._mailbox.room()

    def _tell(self, frame: Message) -> None:
        chat_id = self._answer.chat_id
        if chat_id is not None and not self._named.is_set():
            self._chat_id = chat_id
            self._on_chat_id(chat_id)
            self._named.set()
        if self._on_frame is not None:
            _safely(self._on_frame, frame, self._answer)

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
            return False
        if self._chat_id is None:  # the service has not yet said which thread it is
            await asyncio.wait(
                {asyncio.ensure_future(self._named.wait()), task}, timeout=2, return_when="FIRST_COMPLETED"
            )
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

    async def _until_named(self, task: asyncio.Task[Answer]) -> None:
        """Wait, for a moment, until the service has said which thread it is."""
        named = asyncio.ensure_future(self._named.wait())
        if self._chat_id is None:
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
