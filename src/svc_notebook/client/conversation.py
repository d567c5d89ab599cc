"""What the blocking and the awaiting chat share: who asks, in which thread, and what was answered."""

from __future__ import annotations

import asyncio
import weakref
from functools import partial
from typing import TYPE_CHECKING, Self

from ..protocol.chat import FrameState, Message, Verdict
from ..protocol.spelling import spelled
from ..results.answer import Answer, AnswerContext
from ..results.feedback import feedback_of
from ..results.fold import Entry
from .calls import SqlLoader, query_result
from .engine.mailbox import Mailbox
from .errors import ConfigurationError
from .feedback import ChatJudge
from .turn import OnDone, OnFrame, StreamHandle

if TYPE_CHECKING:
    from ..results.reading import Reading
    from ..results.result import Result
    from .calls import Calls
    from .users import User
    from .wire.requests import Request

__all__ = ["Conversation", "asked_in_words"]

QUIET = 0.25
"""Seconds without a frame after which the replay of a running thread has come to the present."""


class Conversation:
    """What both faces share: who asks, in which thread, and what was answered here."""

    def __init__(
        self,
        calls: Calls,
        user: User,
        chat_id: str | None = None,
        *,
        branch: str | None = None,
        is_default_branch: bool | None = None,
    ) -> None:
        self._calls = calls
        self._user = user
        self._branch = branch
        self._is_default_branch = is_default_branch
        self._handle: StreamHandle | None = None
        self.chat_id = chat_id
        self.answers: list[Answer] = []

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.chat_id or 'new'} as {self.whoami}>"

    @property
    def whoami(self) -> str:
        """As whom this chat asks."""
        last = self.answers[-1].whoami if self.answers else ""
        return last or self._label

    @property
    def _label(self) -> str:
        return "the token's user" if self._calls.address.is_user and not self._user.named else self._user.label

    @property
    def answer(self) -> Answer | None:
        """The latest answer, also while it grows."""
        if self._handle is not None and not self._handle.done:
            return self._handle.answer
        return self.answers[-1] if self.answers else None

    @property
    def messages(self) -> list[Entry]:
        """The messages of all answers that came through this object, in order."""
        return [entry for answer in self.answers for entry in answer.messages]

    def with_thread(self, chat_id: str | None) -> Self:
        """Another thread of the same user; a fresh one without an id.

        Examples
        --------
        >>> chat.with_thread(None).ask("how many planes are there?").status
        'complete'
        """
        return type(self)(
            self._calls, self._user, chat_id, branch=self._branch, is_default_branch=self._is_default_branch
        )

    def submit(
        self,
        question: str | None = None,
        on_frame: OnFrame | None = None,
        on_done: OnDone | None = None,
        *,
        reading: Reading | None = None,
        after: Answer | int | None = None,
    ) -> StreamHandle:
        """Ask and return at once; ``on_frame(message, answer)`` and ``on_done(answer)`` are called on the engine.

        With a ``reading`` its clauses are asked as they are; ``question`` then is what the thread shows. ``after``
        as in :meth:`ask`.

        Returns
        -------
        StreamHandle
            ``.answer`` as far as it is, ``.wait()``, ``.abort()``, ``.done``.

        Examples
        --------
        >>> handle = chat.submit("flights by carrier")
        >>> handle.wait().df.shape
        (16, 2)
        """
        return self._begin(asked_in_words(question, reading), on_frame, on_done, reading=reading, after=after)

    def follow(self, on_frame: OnFrame | None = None, on_done: OnDone | None = None) -> StreamHandle:
        """Replay the thread and, while a turn runs, follow it live; returns as :meth:`submit`.

        Examples
        --------
        >>> client.chat(chat_id=chat.chat_id).follow().wait().status
        'complete'
        """
        if self.chat_id is None:
            raise ConfigurationError("There is no thread to follow yet: ask something first, or give chat_id=")
        return self._begin(None, on_frame, on_done)

    def _begin(
        self,
        question: str | None,
        on_frame: OnFrame | None = None,
        on_done: OnDone | None = None,
        mailbox: Mailbox[tuple[Message, Answer]] | None = None,
        reading: Reading | None = None,
        after: Answer | int | None = None,
    ) -> StreamHandle:
        def done(answer: Answer) -> None:
            if question is not None:
                self.answers.append(answer)
            if on_done is not None:
                on_done(answer)

        self._handle = self._open(question, on_frame, done, mailbox, reading, number_of(after))
        return self._handle.start()

    def _open(
        self,
        question: str | None,
        on_frame: OnFrame | None = None,
        on_done: OnDone | None = None,
        mailbox: Mailbox[tuple[Message, Answer]] | None = None,
        reading: Reading | None = None,
        after: int | None = None,
    ) -> StreamHandle:
        context = self._context(question or "")
        handle = StreamHandle(
            self._calls, self._user, self._request(question, self.chat_id, reading, after), context=context,
            chat_id=self.chat_id, follow=partial(self._request, None), on_chat_id=self._named, on_frame=on_frame,
            on_done=on_done, mailbox=mailbox, before=self._handle,
        )  # fmt: skip
        context.stop = partial(_stop, weakref.ref(handle))
        return handle

    def _request(
        self, question: str | None, chat_id: str | None, reading: Reading | None = None, after: int | None = None
    ) -> Request:
        return self._calls.address.chat(
            self._user,
            question=question,
            reading=reading.wire if reading is not None else None,
            chat_id=chat_id,
            after=after,
            branch=self._branch,
            is_default_branch=self._is_default_branch,
        )

    async def _query(self, query: str) -> Result:
        loaded = await self._calls.sql(self._user, query)
        return query_result(self._calls, self._user, query, loaded)

    async def _judge(self, turn: Answer | int, verdict: Verdict | None, why: str) -> None:
        number, feedback = number_of(turn), feedback_of(verdict, why)
        if self.chat_id is None or number is None:
            raise ConfigurationError("There is no answer to judge yet: ask something first, or give chat_id=")
        await self._calls.give_feedback(self._user, self.chat_id, number, feedback)

    def _named(self, chat_id: str) -> None:
        self.chat_id = chat_id

    async def _abort(self) -> bool:
        handle = self._handle
        if handle is not None and not handle.done:
            return await asyncio.wrap_future(handle.abort())
        if self.chat_id is None:
            return False
        await self._calls.abort(self._user, self.chat_id)
        return True

    async def _history(self) -> list[Answer]:
        if self.chat_id is None:
            return []
        handle = self._open(None).start()
        reading = asyncio.wrap_future(handle.future)
        known = -1
        while not reading.done():
            await asyncio.wait({reading}, timeout=QUIET)
            if handle.frames == known and handle.answer.snapshot.state.get(spelled(FrameState, "is_streaming")):
                reading.cancel()  # nobody asks how the reading ended
                handle.cancel()
                break
            known = handle.frames
        else:
            reading.result()
        return [Answer(turn, self._context("")) for turn in handle.turns if turn.entries]

    def _context(self, question: str) -> AnswerContext:
        served = not self._branch or self._is_default_branch  # the data API reads no other branch
        loader, judge = SqlLoader(self._calls, self._user) if served else None, ChatJudge(self._calls, self._user)
        return AnswerContext(question, self._label, loader, self._user.fields, judge=judge)


def asked_in_words(question: str | None, reading: Reading | None) -> str:
    """What a turn asks in words; of a reading without any, its edit."""
    if question is not None:
        return question
    if reading is None:
        raise TypeError("ask something: a question, or reading=")
    return reading.edit or f"The same: {reading}"[:2000]


def number_of(turn: Answer | int | None) -> int | None:
    """The number of a turn to ask after; of an answer, its own."""
    if not isinstance(turn, Answer):
        return turn
    if turn.turn is None:
        raise ConfigurationError("This answer does not know its place in a thread: its service does not number turns")
    return turn.turn


def _stop(turn: weakref.ref[StreamHandle]) -> bool:
    """Stop a turn that still runs; an answer keeps its turn alive no longer than the turn itself."""
    handle = turn()
    if handle is None or handle.done:
        return False
    handle.abort()
    return True
