"""A conversation: questions in a thread, asked as one user.

``ask`` blocks, ``aask`` awaits, ``stream`` hands out the frames, ``submit`` returns at once and tells listeners. All of
them read on the engine thread. An interrupt of ``ask`` stops the turn at the service and returns the partial answer; a
second one raises. ``aask`` obeys cancellation as every awaitable does: it stops the turn, and raises.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from ..protocol.chat import Message, Thread, Verdict
from ..results.answer import Answer
from ..results.endings import added_usage
from ..results.live import live_view
from ..results.named_answers import leave_in_cell
from .chat_stream import AHEAD, AsyncChatStream, ChatStream
from .conversation import Conversation, asked_in_words
from .engine.mailbox import Mailbox
from .engine.portal import blocking
from .turn import NotStarted, StreamHandle

if TYPE_CHECKING:
    import pandas as pd

    from ..results.reading import Reading

__all__ = ["AsyncChat", "Chat"]


class Chat(Conversation):
    """A conversation with blocking calls (and ``aask`` beside them, for cells that await).

    Examples
    --------
    >>> talk = client.chat()
    >>> talk.ask("flights by month").df.shape
    (12, 2)
    >>> talk.ask("only Delta").df.shape
    (12, 2)
    """

    def ask(
        self, question: str | None = None, *, reading: Reading | None = None, after: Answer | int | None = None
    ) -> Answer:
        """Ask and wait for the answer. ■ or Ctrl-C stops it and returns what has come, with status ``"aborted"``.

        With a ``reading`` (``answer.reading``, changed) its clauses are asked again as they are, without language.
        With ``after`` (an earlier answer, or the number of its turn) the thread branches there: what was asked since
        then is not part of what was said before. ``chat.ask("…", after=answer.after)`` asks in the place of ``answer``.

        Raises
        ------
        SvcError
            When the question was refused or the service could not be reached. What fails later is told by the
            answer: ``status`` ``"failed"`` and ``error``.

        Examples
        --------
        >>> answer = chat.ask("flights by origin")
        >>> answer.df.shape
        (3, 2)
        >>> chat.ask(reading=answer.reading.with_(limit=1)).df.shape
        (1, 2)
        """
        before = self._handle
        asked = asked_in_words(question, reading)
        with live_view(asked) as live:
            try:
                answer = self._begin(asked, reading=reading, after=after).wait(live.tick)
            except KeyboardInterrupt:
                if self._handle is None or self._handle is before:
                    raise
                answer = _wait_for_abort(self._handle)
        leave_in_cell(answer)
        return answer

    async def aask(
        self, question: str | None = None, *, reading: Reading | None = None, after: Answer | int | None = None
    ) -> Answer:
        """:meth:`ask`, awaited: from a cell or any event loop.

        Cancelled (by ``asyncio.timeout``, ``wait_for``, a task group, ■) it raises as asyncio says, at once; the turn
        is stopped at the service, and what had come is the last of ``answers``. To stop it and have it return the
        partial answer, call ``abort()`` meanwhile.

        Examples
        --------
        >>> answer = await chat.aask("flights by month")  # doctest: +SKIP
        """
        return await _ask(self, question, reading, after)

    def stream(self, question: str, *, after: Answer | int | None = None) -> ChatStream:
        """The frames of the answer as they come: an iterator and a context manager.

        Returns
        -------
        ChatStream
            Yields a ``Message`` for each frame; ``.answer`` is what they have come to so far, ``.abort()`` stops.

        Examples
        --------
        >>> with chat.stream("flights by weekday") as frames:
        ...     for message in frames:
        ...         pass
        >>> frames.answer.status
        'complete'
        """
        with blocking():
            mailbox: Mailbox[tuple[Message, Answer]] = Mailbox(self._calls.portal.loop, AHEAD)
            return ChatStream(self._begin(question, mailbox=mailbox, after=after), mailbox)

    def abort(self) -> bool:
        """Stop the running turn at the service, its query included; returns whether the service was told.

        Examples
        --------
        >>> chat.abort()  # a turn that has ended stays as it is
        True
        """
        return self._calls.portal.run(self._abort())

    def history(self) -> list[Answer]:
        """The answers of the whole thread, from the service; the last may still be streaming.

        Examples
        --------
        >>> [answer.question for answer in chat.history()][:1]
        ['flights by origin']
        """
        return self._calls.portal.run(self._history())

    def usage(self) -> dict[str, Any]:
        """What a language model took for the whole thread, as in :attr:`Answer.usage`.

        Examples
        --------
        >>> chat.usage()["totalTokens"]  # the offline analyst takes none
        0
        """
        return added_usage(answer.usage for answer in self.history())

    def sql(self, query: str) -> pd.DataFrame:
        """Run SQL over the data model as this chat's user, under the same policies: a typed DataFrame.

        Examples
        --------
        >>> ana = client.chat(external_id="ana", groups=["airlines"], user_attributes={"carrier": ["DL"]})
        >>> ana.sql("SELECT MEASURE(count) AS flights FROM flights")
           flights
        0    48110
        """
        return self._calls.portal.run(self._query(query)).to_frame()

    def suggestions(self) -> list[str]:
        """Questions to begin with.

        Examples
        --------
        >>> len(chat.suggestions()) > 0
        True
        """
        return self._calls.portal.run(self._calls.suggestions(self._user))

    def judge(self, turn: Answer | int, verdict: Verdict | None, why: str = "") -> None:
        """Say of a turn of this thread whether its answer is right; as :meth:`Answer.judge`.

        Examples
        --------
        >>> chat.judge(chat.answers[0], "right")
        """
        self._calls.portal.run(self._judge(turn, verdict, why))

    def threads(self, limit: int | None = None) -> list[Thread]:
        """The threads of this user, the latest first; with ``limit`` no more than so many are fetched.

        Examples
        --------
        >>> len(chat.threads(limit=1))
        1
        """
        return self._calls.portal.run(self._calls.threads(self._user, limit))

    def rename_thread(self, chat_id: str, title: str) -> None:
        """Give a thread of this user another title (1 to 200 characters).

        Examples
        --------
        >>> chat.rename_thread(chat.chat_id, "Flights in 2013")
        """
        self._calls.portal.run(self._calls.rename_thread(self._user, chat_id, title))

    def delete_thread(self, chat_id: str) -> None:
        """Delete a thread of this user with everything in it.

        Examples
        --------
        >>> other = client.chat()
        >>> _ = other.ask("how many flights were there?")
        >>> chat.delete_thread(other.chat_id)
        """
        self._calls.portal.run(self._calls.delete_thread(self._user, chat_id))


class AsyncChat(Conversation):
    """A conversation with awaiting calls."""

    async def ask(
        self, question: str | None = None, *, reading: Reading | None = None, after: Answer | int | None = None
    ) -> Answer:
        """As :meth:`Chat.aask`."""
        return await _ask(self, question, reading, after)

    async def aask(
        self, question: str | None = None, *, reading: Reading | None = None, after: Answer | int | None = None
    ) -> Answer:
        """As :meth:`Chat.aask`."""
        return await _ask(self, question, reading, after)

    def stream(self, question: str, *, after: Answer | int | None = None) -> AsyncChatStream:
        """The frames of the answer as they come: an async iterator and context manager."""
        mailbox: Mailbox[tuple[Message, Answer]] = Mailbox(self._calls.portal.loop, AHEAD)
        return AsyncChatStream(self._begin(question, mailbox=mailbox, after=after), mailbox)

    async def abort(self) -> bool:
        """As :meth:`Chat.abort`."""
        return await self._calls.portal.arun(self._abort())

    async def history(self) -> list[Answer]:
        """As :meth:`Chat.history`."""
        return await self._calls.portal.arun(self._history())

    async def usage(self) -> dict[str, Any]:
        """As :meth:`Chat.usage`."""
        return added_usage(answer.usage for answer in await self.history())

    async def sql(self, query: str) -> pd.DataFrame:
        """As :meth:`Chat.sql`."""
        result = await self._calls.portal.arun(self._query(query))
        return await asyncio.to_thread(result.to_frame)

    async def suggestions(self) -> list[str]:
        """As :meth:`Chat.suggestions`."""
        return await self._calls.portal.arun(self._calls.suggestions(self._user))

    async def judge(self, turn: Answer | int, verdict: Verdict | None, why: str = "") -> None:
        """As :meth:`Chat.judge`."""
        await self._calls.portal.arun(self._judge(turn, verdict, why))

    async def threads(self, limit: int | None = None) -> list[Thread]:
        """As :meth:`Chat.threads`."""
        return await self._calls.portal.arun(self._calls.threads(self._user, limit))

    async def rename_thread(self, chat_id: str, title: str) -> None:
        """As :meth:`Chat.rename_thread`."""
        await self._calls.portal.arun(self._calls.rename_thread(self._user, chat_id, title))

    async def delete_thread(self, chat_id: str) -> None:
        """As :meth:`Chat.delete_thread`."""
        await self._calls.portal.arun(self._calls.delete_thread(self._user, chat_id))


async def _ask(chat: Conversation, question: str | None, reading: Reading | None, after: Answer | int | None) -> Answer:
    asked = asked_in_words(question, reading)
    with live_view(asked) as live:
        handle = chat.submit(asked, reading=reading, after=after)
        try:
            answer = await handle.wait_async(live.tick)
        except asyncio.CancelledError:
            handle.abort()  # on the engine: whoever cancels does not wait for the service
            raise
    leave_in_cell(answer)
    return answer


def _wait_for_abort(handle: StreamHandle) -> Answer:
    handle.abort()
    try:
        return handle.wait()
    except KeyboardInterrupt:
        handle.cancel()
        raise
    except NotStarted:
        raise KeyboardInterrupt from None
