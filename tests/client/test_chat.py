"""Asking: blocking, awaiting, streaming, in the background; stopping; what goes wrong."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import threading
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from starlette.responses import JSONResponse, PlainTextResponse, Response

from svc_notebook.client import AsyncClient, Client, errors
from svc_notebook.client import chat as client_chat
from svc_notebook.protocol.chat import Message
from svc_notebook.results.answer import Answer

from ..loops import run
from .conftest import (
    ABORTED,
    ANSWER,
    BASE,
    CALL,
    CUTOFF,
    DONE,
    QUESTION,
    RESULT,
    TOOL,
    TOOL_DONE,
    TOOL_OPEN,
    USAGE,
    ScriptedService,
    final,
)  # fmt: skip

STOPPED = [CUTOFF, QUESTION, TOOL_OPEN, final("Two ", 5), "until aborted", ABORTED, USAGE]


def eventually(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while not (gc.collect() >= 0 and condition()):  # Starlette leaves a generator at its yield to the collector
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def test_an_answer_has_text_thinking_results_and_what_to_ask_next(service: ScriptedService, client: Client) -> None:
    service.script = ANSWER
    chat = client.chat(external_id="ana", user_attributes={"carrier": ["DL"]}, groups=["analysts"])
    answer = chat.ask("how many?")
    assert (answer.status, answer.text, answer.thinking) == ("complete", "Two carriers.", "let me see")
    assert answer.sql == "SELECT carrier, flights"
    assert answer.suggestions == ["and now?"]
    assert answer.usage == {"totalTokens": 3}
    assert chat.chat_id == answer.chat_id == "c1"
    (call,) = answer.tool_calls
    assert (call.name, call.state, call.elapsed_ms) == ("svcSqlApi", "complete", 12)
    frame = answer.df
    assert frame is not None
    assert dict(frame.dtypes.astype(str)) == {"carrier": "string", "flights": "Int64"}
    assert frame["flights"].tolist()[0] == 2
    assert frame.attrs["row_filters"] == [{"cube": "flights", "filter": "carrier = ?", "reason": "policy"}]
    assert frame.attrs["user"] == "ana (external), groups: analysts"
    assert answer.user_fields == {"external_id": "ana", "user_attributes": {"carrier": ["DL"]}, "groups": ["analysts"]}
    (body,) = service.asked("/chat/stream-chat-state")
    assert body == {
        "input": "how many?",
        "sessionSettings": {
            "externalId": "ana", "groups": ["analysts"], "userAttributes": [{"name": "carrier", "value": ["DL"]}],
        },
    }  # fmt: skip


def test_the_next_question_goes_to_the_same_thread(service: ScriptedService, client: Client) -> None:
    service.script = ANSWER
    chat = client.chat(external_id="ana")
    chat.ask("one")
    chat.ask("two")
    assert [body.get("chatId") for body in service.asked("/chat/stream-chat-state")] == [None, "c1"]
    assert [entry.role for entry in chat.messages].count("user") == 2
    assert chat.with_thread(None).chat_id is None


def test_awaiting_from_any_loop(service: ScriptedService, client: Client, async_client: AsyncClient) -> None:
    service.script = ANSWER

    async def ask() -> list[Answer]:
        one = await client.chat(external_id="ana").aask("how many?")
        two = await async_client.chat(external_id="ana").ask("how many?")
        return [one, two, *await asyncio.gather(*(async_client.chat(external_id="ana").aask("x") for _ in range(5)))]

    assert [answer.text for answer in run(ask())] == ["Two carriers."] * 7


def test_a_stream_is_an_iterator_with_an_answer_that_grows(service: ScriptedService, client: Client) -> None:
    service.script = ANSWER
    with client.chat(external_id="ana").stream("how many?") as stream:
        seen = [(message.id, stream.answer.text, stream.answer.status) for message in stream]
    assert [each[0] for each in seen] == [line["id"] for line in ANSWER]
    texts = ["", "", "", "", "", "Two ", "Two carriers.", "Two carriers.", "Two carriers.", "Two carriers."]
    assert [each[1] for each in seen] == texts
    assert [each[2] for each in seen] == ["streaming"] * 8 + ["complete"] * 2
    assert stream.answer.text == "Two carriers."


def test_an_async_stream(service: ScriptedService, async_client: AsyncClient) -> None:
    service.script = ANSWER

    async def read() -> list[Any]:
        async with async_client.chat(external_id="ana").stream("how many?") as stream:
            return [message.id async for message in stream]

    assert run(read()) == [line["id"] for line in ANSWER]


def test_frames_come_while_the_answer_is_made(service: ScriptedService, client: Client) -> None:
    service.script = STOPPED
    with client.chat(external_id="ana").stream("how many?") as stream:
        texts = []
        for message in stream:
            texts.append(stream.answer.status)
            if message.id == "f":
                assert stream.abort()  # the rest is only made after this
    assert texts[-1] == "aborted" or stream.answer.status == "aborted"


def test_submit_tells_its_listeners_and_returns_at_once(service: ScriptedService, client: Client) -> None:
    service.script = ANSWER
    frames: list[tuple[Message, Answer]] = []
    done: list[Answer] = []
    ended = threading.Event()
    chat = client.chat(external_id="ana")
    chat.submit("how many?", lambda m, a: frames.append((m, a)), lambda a: (done.append(a), ended.set()))
    assert ended.wait(5)
    assert [message.id for message, _ in frames] == [line["id"] for line in ANSWER]
    assert [answer.text for answer in done] == ["Two carriers."]


def test_a_listener_that_fails_does_not_stop_the_stream(service: ScriptedService, client: Client) -> None:
    service.script = ANSWER

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    assert client.chat(external_id="ana").submit("x", fail, fail).wait().text == "Two carriers."


def test_abort_keeps_what_has_come(service: ScriptedService, client: Client) -> None:
    service.script = STOPPED
    chat = client.chat(external_id="ana")
    handle = chat.submit("how many?")
    assert eventually(lambda: handle.answer.text == "Two ")
    assert chat.abort()
    answer = handle.wait()
    assert (answer.status, answer.text, answer.tool_calls[0].state) == ("aborted", "Two ", "aborted")
    assert service.asked("/chat/stream-chat-state/abort") == [
        {"chatId": "c1", "sessionSettings": {"externalId": "ana"}}
    ]


@pytest.mark.kernel  # sends a real interrupt: not among the workers
def test_an_interrupt_stops_the_turn_and_returns_the_partial_answer(service: ScriptedService, client: Client) -> None:
    service.script = STOPPED

    def press(message: Message, _: Answer) -> None:
        if message.id == "f":
            os.kill(os.getpid(), signal.SIGINT)

    chat = client.chat(external_id="ana")
    begin = chat._begin
    chat._begin = lambda question, **given: begin(question, press, **given)  # type: ignore[method-assign,assignment,misc]
    answer = chat.ask("how many?")
    assert (answer.status, answer.text) == ("aborted", "Two ")
    assert len(service.asked("/chat/stream-chat-state/abort")) == 1


@pytest.mark.kernel  # as above
def test_a_second_interrupt_raises(service: ScriptedService, client: Client) -> None:
    service.script = [CUTOFF, QUESTION, final("Two ", 5), "until aborted", 30]
    chat = client.chat(external_id="ana")
    begin = chat._begin

    def press(message: Message, _: Answer) -> None:
        if message.id == "f":
            os.kill(os.getpid(), signal.SIGINT)
            threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()

    chat._begin = lambda question, **given: begin(question, press, **given)  # type: ignore[method-assign,assignment,misc]
    with pytest.raises(KeyboardInterrupt):
        chat.ask("how many?")
    assert eventually(lambda: service.readers == 0)


async def cancelled(chat: client_chat.Chat) -> None:
    task = asyncio.create_task(chat.aask("how many?"))
    await asyncio.to_thread(eventually, lambda: chat.answer is not None and bool(chat.answer.text))
    task.cancel()
    await task


async def timed_out(chat: client_chat.Chat) -> None:
    async with asyncio.timeout(1):
        await chat.aask("how many?")


async def waited_for(chat: client_chat.Chat) -> None:
    await asyncio.wait_for(chat.aask("how many?"), 1)


async def in_a_group(chat: client_chat.Chat) -> None:
    async def fail() -> None:
        await asyncio.to_thread(eventually, lambda: chat.answer is not None and bool(chat.answer.text))
        raise LookupError("another task of the group failed")

    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(chat.aask("how many?"))
            group.create_task(fail())
    except* LookupError as failed:
        raise failed.exceptions[0] from None


@pytest.mark.parametrize(
    ("leave", "raised"),
    [
        (cancelled, asyncio.CancelledError),
        (timed_out, TimeoutError),
        (waited_for, TimeoutError),
        (in_a_group, LookupError),
    ],
)
def test_an_awaited_question_obeys_cancellation_and_its_turn_is_stopped(
    service: ScriptedService, client: Client, leave: Any, raised: type[BaseException]
) -> None:
    service.script = STOPPED
    chat = client.chat(external_id="ana")
    with pytest.raises(raised):
        run(leave(chat))
    assert eventually(lambda: bool(chat.answers))
    assert (chat.answers[-1].status, chat.answers[-1].text) == ("aborted", "Two ")
    assert any(path.endswith("/abort") for _, path, _, _ in service.requests)


def test_abort_tries_the_other_address_once_where_the_first_is_unknown(
    service: ScriptedService, client: Client
) -> None:
    service.answers = {"abort": [Response(status_code=404)], "/chat/abort": [Response(status_code=204)]}
    assert client.chat(external_id="ana", chat_id="c1").abort()
    assert [path for _, path, _, _ in service.requests] == ["/chat/stream-chat-state/abort", "/chat/abort"]


def test_abort_of_an_unknown_thread_is_not_tried_elsewhere(service: ScriptedService, client: Client) -> None:
    service.answers = {"abort": [JSONResponse({"message": "no such thread"}, 404)]}
    with pytest.raises(errors.NotFound, match="no such thread"):
        client.chat(external_id="ana", chat_id="c1").abort()
    assert len(service.requests) == 1


def test_leaving_a_stream_early_stops_the_reading_only(service: ScriptedService, client: Client) -> None:
    service.script = STOPPED
    with client.chat(external_id="ana").stream("how many?") as stream:
        next(stream)
    assert eventually(lambda: service.readers == 0)
    assert service.asked("/chat/stream-chat-state/abort") == []


def test_a_dropped_stream_is_let_go(service: ScriptedService, client: Client) -> None:
    service.script = STOPPED
    stream = client.chat(external_id="ana").stream("how many?")
    next(stream)
    del stream
    gc.collect()
    assert eventually(lambda: service.readers == 0)


def test_history_and_follow(service: ScriptedService, client: Client) -> None:
    service.script = [
        *ANSWER[:8],
        {"id": "u2", "role": "user", "content": "and?", "sort": 20},
        final("x", 21) | {"id": "f2"},
        DONE,
    ]
    chat = client.chat(external_id="ana", chat_id="c1")
    assert [(a.question, a.text, a.status) for a in chat.history()] == [
        ("how many?", "Two carriers.", "complete"), ("and?", "x", "complete"),
    ]  # fmt: skip
    assert chat.follow().wait().text == "x"
    assert all("input" not in body for body in service.asked("/chat/stream-chat-state"))


def test_history_of_a_thread_that_runs_returns(
    service: ScriptedService, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    service.script = [CUTOFF, QUESTION, final("Two ", 5), "until aborted"]
    (answer,) = client.chat(external_id="ana", chat_id="c1").history()
    assert (answer.status, answer.text) == ("streaming", "Two ")
    assert eventually(lambda: service.readers == 0)
    client.portal.run(asyncio.sleep(0))
    gc.collect()
    assert "never retrieved" not in caplog.text


def test_a_failure_in_mid_answer_is_told_by_the_answer(service: ScriptedService, client: Client) -> None:
    service.script = [CUTOFF, QUESTION, TOOL_OPEN, final("Two ", 5), {"error": {"message": "model overloaded"}}]
    answer = client.chat(external_id="ana").ask("how many?")
    assert (answer.status, answer.error, answer.text) == ("failed", "model overloaded", "Two ")
    assert answer.tool_calls[0].state == "failed"


def test_a_stream_that_ends_too_early_is_a_failed_answer(service: ScriptedService, client: Client) -> None:
    service.script = [CUTOFF, QUESTION, final("Two ", 5)]
    answer = client.chat(external_id="ana").ask("how many?")
    assert (answer.status, answer.text) == ("failed", "Two ")
    assert "before the answer was complete" in str(answer.error)


def test_a_stream_that_breaks_off_is_picked_up_by_reading_the_thread(service: ScriptedService, client: Client) -> None:
    earlier = [
        {"id": "u0", "role": "user", "content": "before", "sort": -5},
        final("old", -4, delta=False) | {"id": "f0"},
    ]
    service.scripts = [ANSWER[:6], [CUTOFF, *earlier, *ANSWER[1:]]]
    seen: list[str] = []
    answer = client.chat(external_id="ana").submit("how many?", lambda _, a: seen.append(a.text)).wait()
    assert (answer.status, answer.text, len(answer.results)) == ("complete", "Two carriers.", 1)
    assert "old" not in seen
    assert [(b.get("input"), b.get("chatId")) for b in service.asked("/chat/stream-chat-state")] == [
        ("how many?", None), (None, "c1"),
    ]  # fmt: skip


def test_a_thread_that_cannot_be_read_again_leaves_what_had_come(service: ScriptedService, client: Client) -> None:
    service.scripts = [[CUTOFF, QUESTION, final("Two ", 5)]]
    handle = client.chat(external_id="ana").submit("how many?")
    service.answers = {"chat": []}
    begun = handle._calls.stream

    def refuse(request: Any) -> Any:
        if b'"input"' not in (request.content or b""):
            raise errors.NotFound("gone", status=404)
        return begun(request)

    handle._calls.stream = refuse  # type: ignore[method-assign]
    answer = handle.wait()
    assert (answer.status, answer.text) == ("failed", "Two ")
    assert "before the answer was complete" in str(answer.error)


def test_a_service_without_terminal_frames_is_complete_when_its_answer_is(
    service: ScriptedService, client: Client
) -> None:
    service.script = [CUTOFF, QUESTION, final("Two.", 5, delta=False)]
    assert client.chat(external_id="ana").ask("how many?").status == "complete"


@pytest.mark.parametrize(
    "line",
    [
        {"error": "Streaming for thread is in progress"},
        {"jsonrpc": "2.0", "error": {"code": -32001, "message": "Streaming for thread is in progress"}},
    ],
)
def test_a_refusal_in_a_200_raises(service: ScriptedService, client: Client, line: dict[str, Any]) -> None:
    service.script = [CUTOFF, line, USAGE]
    with pytest.raises(errors.ChatRefused, match="in progress"):
        client.chat(external_id="ana").ask("how many?")


@pytest.mark.parametrize(
    "status, kind",
    [(400, errors.BadRequest), (401, errors.AuthenticationFailed), (404, errors.NotFound), (500, errors.ServerFailed)],
)
def test_a_status_raises(service: ScriptedService, client: Client, status: int, kind: type[Exception]) -> None:
    service.answers = {"chat": [JSONResponse({"statusCode": status, "message": "said so"}, status)]}
    with pytest.raises(kind, match="said so"):
        client.chat(external_id="ana").ask("how many?")
    assert len(service.requests) == 1


def test_busy_services_are_asked_again(service: ScriptedService, client: Client) -> None:
    service.answers = {"chat": [Response(status_code=429, headers={"retry-after": "1"}), Response(status_code=503)]}
    service.script = ANSWER
    assert client.chat(external_id="ana").ask("how many?").status == "complete"
    assert len(service.requests) == 3


def test_a_page_is_not_a_service(service: ScriptedService, client: Client) -> None:
    service.answers = {"chat": [PlainTextResponse("<!doctype html><html>login</html>")]}
    with pytest.raises(errors.NotAService, match="check the URL"):
        client.chat(external_id="ana").ask("how many?")


def test_silence_has_a_limit(service: ScriptedService, client: Client) -> None:
    service.script = [CUTOFF, QUESTION, final("Two ", 5), 30]
    client._calls.silence = 0.2
    answer = client.chat(external_id="ana").ask("how many?")
    assert (answer.status, answer.text) == ("failed", "Two ")
    assert "sent nothing for 0.2 s" in str(answer.error)


def test_what_cannot_be_read_is_reported_and_skipped(service: ScriptedService, client: Client) -> None:
    broken = TOOL | {"id": "t2", "toolCall": CALL | {"result": "{not json"}, "sort": 4.5}
    service.script = [CUTOFF, QUESTION, b"not json\n", TOOL_DONE, broken, final("Two.", 5, delta=False), DONE]
    answer = client.chat(external_id="ana").ask("how many?")
    assert answer.status == "complete"
    assert len(answer.results) == 1
    assert ["not JSON" in warning or "not a JSON" in warning for warning in answer.warnings] == [True, True]
    assert answer.tool_calls[1].error == "{not json"


def test_other_services_spell_results_otherwise(service: ScriptedService, client: Client) -> None:
    other = {
        "query": "SELECT 1",
        "schema": [{"name": "amount", "columnType": "decimal(10, 2)"}, {"name": "n", "columnType": "INT32"}],
        "data": [{"n": "7", "amount": "12.50"}, {"amount": None}],
        "totalRows": "2",
        "vegaSpec": {"mark": "bar"},
    }
    call = {
        "name": "cubeSqlApiWithChart",
        "input": json.dumps(json.dumps({"query": "SELECT 1"})),
        "result": json.dumps(other),
    }
    service.script = [
        CUTOFF,
        QUESTION,
        TOOL | {"toolCall": call, "isInProcess": False},
        final("x", 5, delta=False),
        DONE,
    ]
    (result,) = client.chat(external_id="ana").ask("how many?").results
    frame = result.to_frame()
    assert frame["amount"].tolist()[0] == Decimal("12.50")
    assert frame["n"].tolist()[0] == 7
    assert (result.sql, result.vega_spec) == ("SELECT 1", '{"mark": "bar"}')


def test_a_truncated_result_says_so_and_loads_the_rest_as_the_same_user(
    service: ScriptedService, client: Client
) -> None:
    first = RESULT | {"totalRows": 3}
    call = CALL | {"result": json.dumps(first)}
    service.script = [
        CUTOFF,
        QUESTION,
        TOOL | {"toolCall": call, "isInProcess": False},
        final("x", 5, delta=False),
        DONE,
    ]
    rows = (
        b'{"schema":%s}\n{"data":[["DL",2],["AA",null]]}\n{"data":[["UA",9]]}\n' % json.dumps(RESULT["schema"]).encode()
    )
    service.answers = {"/svc-api/v1/sql": [Response(rows, media_type="application/x-ndjson")]}
    result = client.chat(external_id="ana", groups=["x"]).ask("how many?").results[0]
    assert result.truncated
    assert "TRUNCATED" in repr(result)
    with pytest.warns(UserWarning, match="only 2 of 3 rows"):
        assert result.to_frame().attrs["truncated"]
    assert result.load_all()["carrier"].tolist() == ["DL", "AA", "UA"]
    assert not result.truncated
    (body,) = service.asked("/svc-api/v1/sql")
    settings = {"externalId": "ana", "groups": ["x"]}
    assert body == {"query": RESULT["sqlQuery"], "sessionSettings": settings, "uuid": "u-1"}  # where its rows are kept


def test_who_asks_must_be_said(client: Client) -> None:
    with pytest.raises(errors.ConfigurationError, match="Who asks"):
        client.chat()
    with pytest.raises(errors.ConfigurationError, match="not by both"):
        client.chat(external_id="a", internal_id="b")


def test_a_client_without_a_chat_says_what_is_missing() -> None:
    with pytest.raises(errors.ConfigurationError, match="chat_api_url"):
        Client(BASE, "key").chat(external_id="ana").ask("x")
