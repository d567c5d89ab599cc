"""The widget's conversation over the real embedded service: turns always end, threads are managed, refusals are told."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import svc_notebook as svc

from .test_conversation import Browser


def becomes(true: Callable[[], object], within: float = 20) -> None:
    until = time.monotonic() + within
    while not true():
        assert time.monotonic() < until, "it does not come about"
        time.sleep(0.01)


@pytest.fixture
def own() -> Iterator[Any]:
    with svc.demo() as started:
        yield started


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.demo() as started:
        yield started


def test_a_stop_at_any_moment_ends_the_turn(own: Any) -> None:
    browser = Browser(own.chat(external_id="stopper", user_attributes={"carrier": ["DL"]}))
    for number in range(1, 13):
        browser.conversation.handle({"t": "ask", "q": "average arrival delay by origin"})
        browser.wait(lambda n=number: len(browser.of("begin")) >= n, 20)
        browser.conversation.handle({"t": "stop"})
        browser.wait(lambda n=number: len(browser.of("turn")) >= n, 20)
    assert {turn["status"] for turn in browser.conversation.turns} <= {"aborted", "complete"}
    browser.conversation.handle({"t": "ask", "q": "how many flights were there"})
    browser.wait(lambda: len(browser.of("turn")) == 13, 20)
    assert "48,110" in browser.conversation.turns[-1]["html"]


def test_a_stopped_service_is_told_and_the_next_question_works() -> None:
    client = svc.demo()
    browser = Browser(client.chat())
    client.service.stop()
    browser.conversation.handle({"t": "ask", "q": "how many flights were there"})
    browser.wait(lambda: browser.of("turn") or browser.of("problem"), 20)
    told = [m["message"] for m in browser.of("problem")] + [m["turn"]["error"] for m in browser.of("turn")]
    assert "stopped" in told[0]
    client.restart()
    browser.conversation.handle({"t": "ask", "q": "how many flights were there"})
    browser.wait(lambda: any(m["turn"]["status"] == "complete" for m in browser.of("turn")), 20)
    client.close()


def test_threads_are_listed_renamed_resumed_and_deleted(client: Any) -> None:
    browser = Browser(client.chat(external_id="reader", user_attributes={"carrier": ["DL"]}))
    browser.conversation.handle({"t": "ask", "q": "how many flights were there"})
    browser.wait(lambda: browser.of("turn"), 20)
    chat_id = browser.conversation.chat.chat_id
    browser.conversation.handle({"t": "rename", "chat_id": chat_id, "title": "Mine"})
    browser.wait(lambda: browser.of("threads"), 20)
    assert browser.of("threads")[-1]["items"] == [{"chatId": chat_id, "title": "Mine"}]
    browser.conversation.handle({"t": "new"})
    browser.wait(lambda: browser.of("state") and not browser.of("state")[-1]["turns"], 20)
    browser.conversation.handle({"t": "open", "chat_id": chat_id})
    browser.wait(lambda: browser.of("state")[-1]["turns"], 20)
    again = browser.of("state")[-1]["turns"][0]
    assert again["question"] == "how many flights were there"
    assert "48,110" in again["html"]
    assert again["tools"][-1]["state"] == "complete"
    browser.conversation.handle({"t": "delete", "chat_id": chat_id})
    browser.wait(lambda: browser.of("threads")[-1]["items"] == [], 20)


def test_evidence_says_as_whom_and_which_rows(client: Any) -> None:
    browser = Browser(client.chat(external_id="dora", user_attributes={"carrier": ["DL"]}))
    browser.conversation.handle({"t": "ask", "q": "average arrival delay by origin"})
    browser.wait(lambda: browser.of("turn"), 20)
    found = browser.of("turn")[0]["turn"]["results"][0]["evidence"]
    assert "dora" in found["whom"]
    assert found["filters"]
    assert "carrier" in found["filters"][0]
    assert "SELECT" in found["sql"]


def test_progress_of_a_long_query_reaches_the_card() -> None:
    from tests.browser.slow_analyst import SlowAnalyst

    with svc.demo(analyst=SlowAnalyst()) as client:
        browser = Browser(client.chat())
        browser.conversation.handle({"t": "ask", "q": "query"})
        browser.wait(lambda: any(m["tool"]["progress"] is not None for m in browser.of("tool")), 60)
        card = browser.of("tool")[-1]["tool"]
        assert card["state"] == "running"
        assert 0 <= card["progress"] <= 1
        browser.conversation.handle({"t": "stop"})
        browser.wait(lambda: browser.of("turn"), 20)
        assert browser.of("turn")[0]["turn"]["tools"][-1]["progress"] is None


def test_closing_the_widget_ends_its_turn_and_the_next_question_works() -> None:
    from tests.browser.slow_analyst import SlowAnalyst

    analyst = SlowAnalyst()
    with svc.demo(analyst=analyst) as client:
        widget = svc.ChatWidget(client)
        widget.ask("long")
        becomes(lambda: widget.conversation.busy and analyst.running)
        chat = widget.chat
        widget.close()
        becomes(lambda: not widget.conversation.busy and not analyst.running)
        assert widget.conversation.turns[-1]["status"] == "aborted"
        assert analyst.cancelled == 1
        assert chat.ask("short").status == "complete"


@pytest.mark.parametrize(("may_be_gone", "told"), [(True, "suggestions"), (False, "problem")])
def test_a_remembered_thread_that_is_gone_begins_anew_and_a_named_one_is_told(
    client: Any, may_be_gone: bool, told: str
) -> None:
    chat = client.chat(external_id="dora", user_attributes={"carrier": ["DL"]}, chat_id="no-such-thread")
    browser = Browser(chat, may_be_gone=may_be_gone)
    browser.conversation.load()
    browser.wait(lambda: browser.of(told), 20)
    assert bool(browser.of("problem")) is not may_be_gone


def test_the_answer_itself_stops_its_turn() -> None:
    from tests.browser.slow_analyst import SlowAnalyst

    analyst = SlowAnalyst()
    with svc.demo(analyst=analyst) as client:
        chat = client.chat()
        with chat.stream("long") as stream:
            for _ in stream:
                if stream.answer.text:
                    assert stream.answer.abort()
                    break
            for _ in stream:
                pass
            answer = stream.answer
        assert answer.status == "aborted"
        assert answer.text.startswith("piece 0")
        assert not answer.abort(), "nothing runs any more"
        becomes(lambda: not analyst.running)
        assert chat.ask("short").status == "complete"
