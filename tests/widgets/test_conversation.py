"""The conversation behind the widget: what it sends, when, and that it survives what goes wrong."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import svc_notebook as svc
from svc_notebook.client.errors import NotFound
from svc_notebook.front.payloads import turn_payload
from svc_notebook.protocol.tools import Column
from svc_notebook.results.growing_markdown import utf16_length
from svc_notebook.widgets.conversation import Conversation
from svc_notebook.widgets.transcript import BUDGET, transcript_bundle

from .acted_chat import CARRIERS, ActedAnswer, ActedChat, spoken


class Browser:
    """Puts together what a page would show from the messages it gets."""

    def __init__(self, chat: Any, **options: Any) -> None:
        self.messages: list[dict[str, Any]] = []
        self.text = ""
        self.changed = threading.Condition()
        self.conversation = Conversation(chat, self.receive, renderer=lambda: b"packed", **options)

    def receive(self, message: dict[str, Any], buffers: list[bytes] | None) -> None:
        with self.changed:
            self.messages.append(message)
            if message["t"] == "begin":
                self.text = ""
            if message["t"] == "d" and message["k"] == "text":
                units = self.text.encode("utf-16-le")
                assert len(units) // 2 == message["off"] or message.get("reset")
                self.text = message["d"] if message.get("reset") else self.text + message["d"]
            self.changed.notify_all()

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.messages if message["t"] == kind]

    def wait(self, true: Callable[[], Any], within: float = 20) -> None:
        with self.changed:
            assert self.changed.wait_for(true, within), [m["t"] for m in self.messages]


def test_text_crosses_once_with_offsets_that_javascript_counts() -> None:
    words = ["Zürich 🛫 ", "→ ", "\u2028 ", "東京 🗼 "] * 20
    browser = Browser(ActedChat(spoken(words, pause=0.002)))
    browser.conversation.handle({"t": "ask", "q": "where?"})
    browser.wait(lambda: browser.of("turn"))
    assert browser.text == "".join(words)
    sent = "".join(m["d"] for m in browser.of("d") if m["k"] == "text")
    assert len(sent) == len(browser.text)
    assert browser.of("turn")[0]["turn"]["status"] == "complete"


@pytest.mark.parametrize(("text", "length"), [("", 0), ("abc", 3), ("é", 1), ("🛫", 2), ("a🛫b", 4)])
def test_utf16_length(text: str, length: int) -> None:
    assert utf16_length(text) == length == len(text.encode("utf-16-le")) // 2


def test_handling_returns_at_once_and_commands_keep_their_order() -> None:
    come = threading.Event()

    class Slow(ActedChat):
        def history(self) -> list[ActedAnswer]:
            assert come.wait(20), "handling waits for the history"
            return []

    browser = Browser(Slow(spoken(["ok"]), chat_id="t-1"))
    browser.conversation.load()
    browser.conversation.handle({"t": "ask", "q": "now", "id": 7})
    come.set()
    assert browser.of("ack") == [{"t": "ack", "id": 7}]
    browser.wait(lambda: browser.of("turn"))
    assert next(m["t"] for m in browser.messages if m["t"] in {"state", "begin"}) == "state"


def test_stop_before_the_question_was_even_sent() -> None:
    started = threading.Event()

    class Slow(ActedChat):
        def submit(self, question: str, on_frame: Any, on_done: Any) -> Any:
            started.set()
            time.sleep(0.2)
            return super().submit(question, on_frame, on_done)

    chat = Slow(spoken(["word "] * 500))
    browser = Browser(chat)
    browser.conversation.handle({"t": "ask", "q": "long"})
    started.wait(20)
    browser.conversation.handle({"t": "stop"})
    browser.wait(lambda: browser.of("turn"))
    assert browser.of("turn")[0]["turn"]["status"] == "aborted"


def test_a_refusal_is_shown_and_the_next_question_works() -> None:
    class Refusing(ActedChat):
        refused = False

        def submit(self, question: str, on_frame: Any, on_done: Any) -> Any:
            if not self.refused:
                self.refused = True
                raise RuntimeError("the service is stopped")
            return super().submit(question, on_frame, on_done)

    browser = Browser(Refusing(spoken(["ok"])))
    browser.conversation.handle({"t": "ask", "q": "one"})
    browser.wait(lambda: browser.of("problem"))
    assert browser.of("problem")[0]["message"] == "the service is stopped"
    browser.conversation.handle({"t": "ask", "q": "two"})
    browser.wait(lambda: browser.of("turn"))


def test_a_running_turn_of_the_thread_is_followed() -> None:
    past = [
        ActedAnswer(question="earlier", text="done", status="complete"),
        ActedAnswer(question="running", status="streaming"),
    ]
    browser = Browser(ActedChat(spoken(["goes ", "on"]), history=past, chat_id="t-1"))
    browser.conversation.load()
    browser.wait(lambda: browser.of("turn"))
    assert [turn["question"] for turn in browser.conversation.turns] == ["earlier", "followed"]


def test_unknown_and_malformed_messages_do_nothing() -> None:
    browser = Browser(ActedChat(spoken(["ok"])))
    for message in (None, 3, "ask", [], {}, {"t": "eval"}, {"t": "__init__"}, {"q": "x"}, {"t": "ask", "q": "   "}):
        browser.conversation.handle(message)
    browser.conversation.handle({"t": "sync"})
    browser.wait(lambda: browser.of("state"))
    assert not browser.of("begin")


def test_the_renderer_is_sent_when_asked_for() -> None:
    browser = Browser(ActedChat(spoken(["ok"])))
    browser.conversation.handle({"t": "vega"})
    browser.wait(lambda: browser.of("vega"))


def test_the_transcript_of_fifty_turns_stays_small_and_keeps_the_newest_charts() -> None:

    answers = [
        ActedAnswer(
            f"Question {n}?", "Some **text**. " * 40, status="complete", results=[replace(CARRIERS, uuid=f"r-{n}")]
        )
        for n in range(1, 51)
    ]
    turns = [turn_payload(n, answer) for n, answer in enumerate(answers, 1)]
    bundle = transcript_bundle(turns, "ana", pictures=lambda uuid: "A" * 20_000)
    assert len(json.dumps(bundle)) < 500_000
    html = bundle["text/html"]
    assert "Question 1?" in html
    assert 9 < html.count("<img") < 20, "charts get what the texts leave"
    assert html.index("<img") > html.index("Question 30?"), "the newest have their pictures"
    assert html.rindex("<img") > html.index("Question 50?")
    long = turn_payload(51, ActedAnswer("q", "x" * 49_000, status="complete"))
    assert len(transcript_bundle([long] * 60, "ana", pictures=lambda uuid: "A" * 90_000)["text/html"]) < BUDGET + 10_000


def test_a_table_of_two_hundred_columns_does_not_fill_the_file() -> None:
    wide = replace(
        CARRIERS, schema=[Column(f"c{n}", "Int64") for n in range(200)], rows=[list(range(200))] * 100, total_rows=100,
        vega_spec=None,
    )  # fmt: skip
    html = transcript_bundle([turn_payload(1, ActedAnswer("q", "a", status="complete", results=[wide]))], "")[
        "text/html"
    ]
    assert len(html) < 30_000
    assert "24 of 200 columns shown here" in html


def test_worker_thread_ends_when_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    from svc_notebook.widgets import worker

    monkeypatch.setattr(worker, "_IDLE_SECONDS", 0.05)
    done = threading.Event()
    one = worker.Worker(lambda problem: None)
    one.post(done.set)
    assert done.wait(20)
    thread = one._thread
    if thread is not None:
        thread.join(20)
        assert not thread.is_alive()
    done.clear()
    one.post(done.set)
    assert done.wait(20)


def test_older_turns_keep_their_tables_while_there_is_room() -> None:
    answers = [ActedAnswer(f"question {n}", "yes", status="complete", results=[CARRIERS]) for n in range(60)]
    turns = [turn_payload(n, answer) for n, answer in enumerate(answers, 1)]
    html = transcript_bundle(turns, "ana")["text/html"]
    assert html.count("<table") == 60
    tight = transcript_bundle(turns, "ana", budget=60_000)["text/html"]
    assert len(tight) < 70_000
    assert 10 < tight.count("<table") < 60
    assert "question 0" in tight, "the oldest are still named"


def test_what_the_service_refuses_is_a_line_and_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    class Refusing(ActedChat):
        def threads(self) -> list[Any]:
            raise NotFound("No such user.", status=404)

    browser = Browser(Refusing(spoken(["ok"])))
    browser.conversation.handle({"t": "threads", "id": 1})
    browser.wait(lambda: browser.of("problem"))
    assert browser.of("problem")[0]["message"].startswith("No such user.")
    assert caplog.records == []


def test_a_table_pages_through_all_rows_of_the_kept_result() -> None:
    browser = Browser(svc.demo().chat(), cell=lambda _: {})
    browser.conversation.handle({"t": "ask", "q": "flights per day"})
    browser.wait(lambda: browser.of("turn"), 60)
    (shown,) = browser.of("turn")[0]["turn"]["results"]
    assert shown["table"]["far"] == 365 and len(shown["table"]["rows"]) == 100
    assert shown["table"]["said"] == "all 365 rows" and not shown["table"]["partial"]
    look = {"result": shown["evidence"]["uuid"], "sort": 1, "up": False, "wanted": "", "page": 14}
    browser.conversation.handle({"t": "rows", "id": 7, **look})
    browser.wait(lambda: browser.of("rows"))
    (page,) = browser.of("rows")
    assert (page["for"], page["page"], page["found"], len(page["rows"])) == (7, 14, 365, 15)
    assert page["rows"][-1] == ["2013-11-28", "634"]
    assert page["keys"] == [None, [float(row[1]) for row in page["rows"]]] and page["tops"][1] == 1014
    browser.conversation.handle({"t": "file", "id": 8, "kind": "csv", **look})
    browser.wait(lambda: len(browser.of("rows")) == 2)
    assert browser.of("rows")[1]["for"] == 8


def test_rows_that_are_not_kept_are_told_to_be_gone() -> None:
    browser = Browser(ActedChat(spoken(["x"])))
    browser.conversation.handle({"t": "rows", "id": 1, "result": "unknown"})
    browser.wait(lambda: browser.of("rows"))
    assert browser.of("rows")[0]["for"] == 1 and "ask again" in browser.of("rows")[0]["gone"]
