"""A chat that acts out a script, for the widget's own tests: the same methods as ``Chat``, no service behind it.

The seam between widget and client is what is tested here; the whole way through the real service is tested in
``tests/browser``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from svc_notebook.protocol.chat import Thread
from svc_notebook.protocol.tools import Column, RowFilter


@dataclass(frozen=True)
class ActedCall:
    id: str
    name: str
    input: dict[str, Any]
    result: dict[str, Any] | None = None
    error: str | None = None
    state: str = "running"
    elapsed_ms: int | None = None
    progress: float | None = None


@dataclass(frozen=True)
class ActedResult:
    schema: list[Column]
    rows: list[list[Any]]
    total_rows: int
    sql: str = "SELECT carrier, MEASURE(flights) FROM flights GROUP BY 1"
    title: str = "Flights by carrier"
    description: str = ""
    uuid: str = "r-1"
    row_filters: list[RowFilter] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    vega_spec: Any = None
    elapsed_ms: int | None = None
    whoami: str = "ana"
    can_load: bool = False

    @property
    def truncated(self) -> bool:
        return self.total_rows > len(self.rows)

    def first(self, count: int) -> list[Any]:
        return list(self.rows[:count])

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class ActedAnswer:
    question: str = ""
    text: str = ""
    thinking: str = ""
    status: str = "streaming"
    error: str | None = None
    tool_calls: Sequence[ActedCall] = ()
    results: Sequence[ActedResult] = ()
    suggestions: Sequence[str] = ()
    whoami: str = "ana"
    can_load: bool = False
    turn: int | None = None
    after: int | None = None
    outcome: str | None = None
    reading: None = None
    feedback: None = None
    choices: Sequence[None] = ()
    usage: Mapping[str, Any] = field(default_factory=dict)


Script = Callable[[ActedAnswer], Iterator[ActedAnswer]]


class ActedStream:
    def __init__(self) -> None:
        self.aborted = threading.Event()
        self.answer: ActedAnswer | None = None
        self.future: Future[ActedAnswer] = Future()

    def abort(self) -> None:
        self.aborted.set()


class ActedChat:
    """Plays ``script`` on a thread of its own, as the engine thread would call back."""

    whoami = "ana"

    def __init__(self, script: Script, history: Sequence[ActedAnswer] = (), chat_id: str | None = None) -> None:
        self.script = script
        self.past = list(history)
        self.chat_id = chat_id
        self.asked: list[str] = []
        self.streams: list[ActedStream] = []
        self.titles = {"t-1": "Flights by carrier", "t-2": "Delays"}

    def submit(self, question: str, on_frame: Any, on_done: Any) -> ActedStream:
        self.asked.append(question)
        self.chat_id = self.chat_id or "t-1"
        stream = ActedStream()
        self.streams.append(stream)
        threading.Thread(target=self._play, args=(question, stream, on_frame, on_done), daemon=True).start()
        return stream

    def _play(self, question: str, stream: ActedStream, on_frame: Any, on_done: Any) -> None:
        answer = ActedAnswer(question=question)
        for snapshot in self.script(answer):
            answer = snapshot
            if stream.aborted.is_set():
                calls = [replace(c, state="aborted") if c.state == "running" else c for c in answer.tool_calls]
                answer = replace(answer, status="aborted", tool_calls=calls)
                break
            on_frame(None, answer)
        else:
            answer = replace(answer, status="complete")
        stream.answer = answer
        self.past.append(answer)
        on_done(answer)
        stream.future.set_result(answer)

    def follow(self, on_frame: Any, on_done: Any) -> ActedStream:
        self.past = [answer for answer in self.past if answer.status != "streaming"]
        return self.submit("followed", on_frame, on_done)

    def history(self) -> list[ActedAnswer]:
        return list(self.past)

    def suggestions(self) -> list[str]:
        return ["How many flights were there?", "Average delay by carrier"]

    def with_thread(self, chat_id: str | None) -> ActedChat:
        return ActedChat(self.script, self.past if chat_id else (), chat_id)

    def threads(self) -> list[Thread]:
        now = datetime(2024, 1, 1, tzinfo=UTC)
        return [Thread(chat_id, title, now, now) for chat_id, title in self.titles.items()]

    def rename_thread(self, chat_id: str, title: str) -> None:
        self.titles[chat_id] = title

    def delete_thread(self, chat_id: str) -> None:
        del self.titles[chat_id]


CARRIERS = ActedResult(
    schema=[
        Column("carrier", "String", title="Carrier"),
        Column("flights", "Int64", title="Flights"),
        Column("avg_delay", "Double", title="Average delay"),
    ],
    rows=[["UA", 58665, 12.1], ["B6", 54635, 13.0], ["EV", 54173, 19.96], ["DL", 48110, 9.26], ["AS", 714, None]],
    total_rows=16,
    row_filters=[RowFilter("flight_facts", "carrier is one of the user's", "userAttributes.carrier")],
    vega_spec={
        "mark": {"type": "bar", "tooltip": True},
        "encoding": {"x": {"field": "carrier", "sort": "-y"}, "y": {"field": "flights"}},
        "width": "container",
    },
)


def spoken(words: Sequence[str], pause: float = 0.02) -> Script:
    """A script: some thinking, a query, then the words one by one."""

    def script(answer: ActedAnswer) -> Iterator[ActedAnswer]:
        answer = replace(answer, thinking="Looking for flights and carriers.")
        yield answer
        call = ActedCall("c-1", "svcSqlApi", {"queryTitle": "Flights by carrier", "sqlQuery": CARRIERS.sql})
        answer = replace(answer, tool_calls=[call])
        yield answer
        time.sleep(pause)
        done = replace(call, result={"totalRows": 16, "uuid": "r-1"}, state="complete", elapsed_ms=42)
        answer = replace(answer, tool_calls=[done], results=[CARRIERS])
        yield answer
        for word in words:
            time.sleep(pause)
            answer = replace(answer, text=answer.text + word)
            yield answer
        yield replace(answer, suggestions=["now by month", "only Delta"])

    return script
