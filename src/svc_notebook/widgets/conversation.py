"""A conversation as a widget holds it: turns, the running one, and what the browser has been told of it.

The browser is sent only what is new, in pieces that are worth a message (:mod:`..front.pace`): text with the offset
at which it belongs, tool cards that changed, and a finished turn once. Whoever misses something asks for everything
(``sync``). Frames arrive on the engine thread, which only stores the newest snapshot; all work happens on the
widget's worker.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..client.chat import Chat
from ..client.errors import NotFound, SvcError
from ..client.turn import StreamHandle
from ..front.live_turn import LiveTurn
from ..front.past_turns import PastTurns
from ..front.payloads import feedback_payload, turn_payload
from ..front.table_requests import REQUESTS, RowsRefused, TableRequests
from ..results.answer import Answer
from ..results.feedback import feedback_of
from ..results.markdown import plain_text
from ..results.reading import reading_from
from ..tracing import SURFACE
from .pictures import Pictures
from .sql_cells import sql_cell
from .worker import Worker

if TYPE_CHECKING:
    from ..results.pages import Pages

__all__ = ["Conversation"]

# Thirty messages a second look continuous; each costs some 600 bytes of envelope whatever is in it.
INTERVAL = 1 / 30
_SETTLE = 0.4  # seconds in which several pictures of one transcript are gathered

Send = Callable[[dict[str, Any], list[bytes] | None], None]


class Conversation:
    """Speaks with one ``Chat`` for any number of views.

    Parameters
    ----------
    chat : Chat
        Offers ``submit``, ``follow``, ``history``, ``suggestions``, ``threads``, ``with_thread`` and ``whoami``.
    send : callable
        Takes a message for the browser, and buffers.
    renderer : callable
        The chart renderer's packed source, sent when a page asks for it.
    on_turns : callable, optional
        Told when finished turns have changed, with the newest of them.
    cell : callable, optional
        Makes of a query what a cell of the notebook needs to run it.
    may_be_gone : bool
        The chat's thread may be unknown to its service; a new one then begins.
    """

    def __init__(
        self,
        chat: Chat,
        send: Send,
        *,
        renderer: Callable[[], bytes],
        on_turns: Callable[[list[dict[str, Any]]], None] | None = None,
        cell: Callable[[str], dict[str, str]] = sql_cell,
        may_be_gone: bool = False,
    ) -> None:
        self.chat = chat
        self.past = PastTurns(paged=True)
        self.pictures = Pictures()
        self.suggestions: list[str] = []
        self._send = send
        self._renderer = renderer
        self._on_turns = on_turns
        self._cell = cell
        self._may_be_gone = may_be_gone
        self._worker = Worker(self._failed)
        # rows that are fetched keep no question waiting, and a file that is written no look at a table
        self._tables = TableRequests(send, self._rows, Worker(self._failed), Worker(self._failed))
        self._lock = threading.Lock()
        self._loaded = False
        self._settling = False
        self._reset_live()
        self._commands: dict[str, Callable[[Mapping[str, Any]], object]] = {
            "ask": lambda m: self._ask(str(m.get("q", "")), m.get("reading"), m.get("after")),
            "feedback": lambda m: self._judge(m),
            "stop": lambda m: self._stop(),
            "sync": lambda m: self._sync(),
            "more": lambda m: self._more(int(m.get("before", 0))),
            "picture": lambda m: self._pictured(m),
            "cell": lambda m: self._make_cell(m),
            # Sent when asked for: most conversations in a notebook share a page that has it already.
            "vega": lambda m: self._send({"t": "vega"}, [self._renderer()]),
            "new": lambda m: self._switch(None),
            "open": lambda m: self._switch(str(m["chat_id"])),
            "threads": lambda m: self._list_threads(),
            "rename": lambda m: self._rename(str(m["chat_id"]), str(m.get("title", ""))),
            "delete": lambda m: self._delete(str(m["chat_id"])),
            **dict.fromkeys(REQUESTS, self._tables.handle),
        }

    # -- from the browser: any thread, returns at once ----------------------------------------------------------------
    def handle(self, message: object) -> None:
        """Take a command; what it needs is done on the worker."""
        if not isinstance(message, Mapping) or message.get("t") not in self._commands:
            return
        command = self._commands[message["t"]]
        self._send({"t": "ack", "id": message.get("id", 0)}, None)
        # Here, not on the worker, which may be waiting for the very turn that is to be stopped.
        if message["t"] == "stop":
            self._wanted_stop = True
            if (handle := self._handle) is not None:
                handle.abort()
                return
        if message["t"] in REQUESTS:
            command(message)
        else:
            self._worker.post(lambda: command(message))

    def ask(self, question: str) -> None:
        """Ask as if it had been typed into the widget."""
        self._worker.post(lambda: self._ask(question))

    def load(self) -> None:
        """Fetch what the thread holds already, in the background."""
        self._worker.post(self._load)

    def stop(self) -> None:
        """Stop the running turn, if any."""
        self.handle({"t": "stop"})

    @property
    def turns(self) -> list[dict[str, Any]]:
        """The newest finished turns, as the browser gets them."""
        return self.past.turns

    @property
    def busy(self) -> bool:
        """Whether a turn is running."""
        return self._live is not None

    # -- on the worker ------------------------------------------------------------------------------------------------
    def _reset_live(self) -> None:
        self._live: LiveTurn | None = None
        self._handle: StreamHandle | None = None
        self._snapshot: Answer | None = None
        self._scheduled = False
        self._looking_again = False
        self._wanted_stop = False
        self._last_flush = 0.0

    def _load(self) -> None:
        if self._loaded:
            return
        self._loaded = True
        history = self._history()
        finished = [answer for answer in history if answer.status != "streaming"]
        self.past = PastTurns(finished, paged=True)
        if self.turns and self.turns[-1]["suggestions"]:
            self.suggestions = self.turns[-1]["suggestions"]
        if len(finished) < len(history):
            self._begin(history[-1].question or "", history[-1].after)
            self._handle = self.chat.follow(on_frame=self._on_frame, on_done=self._on_done)
            self._watch()
        self._sync()
        if self.turns:
            self._turns_changed()
        if not self.suggestions and not self.busy:
            self.suggestions = [str(idea) for idea in self.chat.suggestions()][:6]
            self._send({"t": "suggestions", "items": self.suggestions}, None)

    def _history(self) -> list[Answer]:
        if not self.chat.chat_id:
            return []
        try:
            return list(self.chat.history())
        except NotFound:
            if not self._may_be_gone:
                raise
            self.chat = self.chat.with_thread(None)
            return []
        finally:
            self._may_be_gone = False

    def _sync(self) -> None:
        turns, left = self.past.page()
        state = {
            "t": "state",
            "turns": turns,
            "left": left,
            "live": self._live.state() if self._live is not None else None,
            "whoami": str(self.chat.whoami or ""),
            "chat_id": self.chat.chat_id or "",
            "suggestions": self.suggestions,
            "pictured": self.pictures.known(),
        }
        self._send(state, None)

    def _ask(self, question: str, reading: object = None, after: object = None) -> None:
        if not question.strip():
            return
        changed = reading_from(reading) if reading is not None else None
        if reading is not None and changed is None:
            self._send({"t": "problem", "message": "This change of the reading cannot be asked."}, None)
            self._sync()
            return
        if self._live is not None:
            self._send(
                {"t": "problem", "message": "Still answering the question before. Stop it first, or wait."}, None
            )
            self._sync()
            return
        asked: dict[str, Any] = {"reading": changed} if changed is not None else {}
        if isinstance(after, int):
            asked["after"] = after
        self._begin(question, asked.get("after"))
        known = SURFACE.set("widget")
        try:
            self._handle = self.chat.submit(question, on_frame=self._on_frame, on_done=self._on_done, **asked)
        except Exception:
            self._reset_live()
            raise
        finally:
            SURFACE.reset(known)
        self._watch()
        # Clicked while the question was being handed over: there was no handle to stop yet.
        if self._wanted_stop:
            self._handle.abort()

    def _watch(self) -> None:
        """Whatever becomes of the stream, the turn ends: one that was never sent calls nobody back."""
        if self._live is not None and (handle := self._handle) is not None:
            n = self._live.n
            handle.future.add_done_callback(lambda _: self._worker.post(lambda: self._ended(n, handle)))

    def _ended(self, n: int, handle: StreamHandle) -> None:
        if self._live is None or self._live.n != n:
            return
        cancelled = handle.future.cancelled()
        problem = None if cancelled else handle.future.exception()
        self._finish(handle.answer, status="aborted" if cancelled else "failed", error=str(problem or ""))

    def _begin(self, question: str, after: int | None = None) -> None:
        self._reset_live()
        self._live = LiveTurn(len(self.past) + 1, question, after=after)
        self._send({"t": "begin", "n": self._live.n, "question": question, "after": after}, None)

    def _stop(self) -> None:
        if self._handle is not None:
            self._handle.abort()

    # -- from the engine thread ---------------------------------------------------------------------------------------
    def _on_frame(self, _message: object, snapshot: Answer) -> None:
        with self._lock:
            self._snapshot = snapshot
            if self._scheduled:
                return
            self._scheduled = True
        self._worker.post_at(self._last_flush + INTERVAL, self._flush)

    def _on_done(self, answer: Answer) -> None:
        self._worker.post(lambda: self._finish(answer))

    # -- on the worker again ------------------------------------------------------------------------------------------
    def _flush(self) -> None:
        with self._lock:
            self._scheduled = False
            snapshot = self._snapshot
        self._last_flush = time.monotonic()
        if snapshot is None or self._live is None:
            return
        for message in self._live.news(snapshot):
            self._send(message, None)
        if (due := self._live.due) is not None and not self._looking_again:
            self._looking_again = True
            self._worker.post_at(max(due, self._last_flush + INTERVAL), self._look_again)

    def _look_again(self) -> None:
        self._looking_again = False
        if self._live is not None and not self._scheduled:
            self._flush()  # nothing new has come: what waited for more goes out

    def _finish(self, answer: Answer, *, status: str | None = None, error: str = "") -> None:
        if self._live is None:
            return
        for message in self._live.news(answer, last=True):
            self._send(message, None)
        turn = turn_payload(self._live.n, answer, paged=True)
        if status is not None:
            turn |= {"status": status, "error": error}
        if not turn["question"]:
            turn["question"] = self._live.question
        self.past.append(turn, answer)
        self.suggestions = turn["suggestions"] or self.suggestions
        told = self._live.finished(turn)
        self._reset_live()
        self._send({"t": "turn", "turn": told, "chat_id": self.chat.chat_id or ""}, None)
        self._turns_changed()

    def _judge(self, message: Mapping[str, Any]) -> None:
        """Bring a verdict to the service, then to all views and to the transcript."""
        turn, verdict, why = int(message["turn"]), message.get("verdict"), str(message.get("why") or "")
        self.chat.judge(turn, verdict, why)
        feedback = feedback_payload(feedback_of(verdict, why))
        self._send({"t": "judged", "turn": turn, "feedback": feedback}, None)
        if self.past.judged(turn, feedback) is not None:
            self._turns_changed()

    def _turns_changed(self) -> None:
        if self._on_turns is not None:
            self._on_turns(self.turns)

    def _more(self, before: int) -> None:
        turns, left = self.past.page(before)
        self._send({"t": "older", "turns": turns, "left": left}, None)

    def _pictured(self, message: Mapping[str, Any]) -> None:
        """A page has drawn a chart: the transcript gets its picture, together with others that come now."""
        if self.pictures.take(message.get("uuid"), message.get("png")) and not self._settling:
            self._settling = True
            self._worker.post_at(time.monotonic() + _SETTLE, self._settled)

    def _settled(self) -> None:
        self._settling = False
        self._turns_changed()

    def _make_cell(self, message: Mapping[str, Any]) -> None:
        self._send({"t": "cell", "for": message.get("id", 0), **self._cell(str(message.get("sql", "")))}, None)

    def _rows(self, uuid: str, progress: Callable[[int], object]) -> Pages | None:
        """The rows of an answer's result, for its table."""
        try:
            return self.past.rows.pages(uuid, progress)
        except SvcError as refused:
            raise RowsRefused(str(refused)) from refused

    def _failed(self, problem: Exception) -> None:
        self._send({"t": "problem", "message": str(problem) or type(problem).__name__}, None)
        self._sync()

    # -- threads ------------------------------------------------------------------------------------------------------
    def _switch(self, chat_id: str | None) -> None:
        if self._live is not None:
            self._send({"t": "problem", "message": "Stop the running answer before leaving this conversation."}, None)
            return
        self.chat = self.chat.with_thread(chat_id)
        self.past, self.pictures, self.suggestions, self._loaded = PastTurns(paged=True), Pictures(), [], False
        self._load()

    def _list_threads(self) -> None:
        items = [{"chatId": thread.chat_id, "title": plain_text(thread.title)} for thread in self.chat.threads()]
        self._send({"t": "threads", "items": items}, None)

    def _rename(self, chat_id: str, title: str) -> None:
        self.chat.rename_thread(chat_id, title.strip()[:200])
        self._list_threads()

    def _delete(self, chat_id: str) -> None:
        self.chat.delete_thread(chat_id)
        if chat_id == self.chat.chat_id:
            self._switch(None)
        self._list_threads()
