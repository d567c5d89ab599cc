from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from svc_notebook.analyst.base import AnswerDelta, AnswerDone, AnswerReset, Thinking, ToolStarted
from svc_notebook.service.store.threads import renew_leases, running_turns

from .service_world import CHAT, Gate, World, eventually, final_text, held_back, lines, tool_results


def test_frames_come_in_the_order_of_the_protocol(w: World) -> None:
    frames = w.ask("orders", settings={"userAttributes": [{"name": "region", "value": ["EMEA"]}]})
    assert frames[0]["id"] == "__cutoff__"
    assert frames[0]["state"]["isStreaming"] is True
    assert frames[0]["sort"] == 0
    assert frames[1]["role"] == "user"
    assert frames[1]["content"] == "orders"
    assert final_text(frames) == "There are 2 rows."
    assert frames[-2]["id"] == "__state__"
    assert frames[-2]["state"]["isStreaming"] is False
    assert frames[-2]["state"]["suggestions"] == ["And by status?"]
    assert frames[-1] == {
        "id": "__usage__", "type": "usage",
        "usage": {"models": ["scripted"], "llmCalls": 1, "inputTokens": 3, "outputTokens": 5, "totalTokens": 8},
    }  # fmt: skip
    sorts = [frame["sort"] for frame in frames if "sort" in frame]
    assert sorts == sorted(set(sorts))
    paths = [tuple(frame["graphPath"]) for frame in frames if "graphPath" in frame]
    assert set(paths) == {("svc_data_analyst_agent",), ("svc_data_analyst_agent", "tools"), ("final",)}
    [result] = tool_results(frames)
    assert [row[1] for row in result["data"]] == ["EMEA", "EMEA"]
    assert result["totalRows"] == 2


def test_the_first_line_leaves_before_the_analyst_has_finished(w: World) -> None:
    gate = Gate()

    @w.analyst.on("slow")
    async def slow(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        yield AnswerDelta("one ")
        await gate.passed()
        yield AnswerDone("one two")

    with w.streaming("slow") as stream:
        stream.until(lambda frame: frame.get("content") == "one ")
        gate.open()
        assert final_text(stream.rest()) == "one two"


def test_abort_keeps_the_partial_answer_and_marks_it(w: World) -> None:
    ended = Gate()

    @w.analyst.on("long")
    async def long(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        try:
            yield Thinking("hm")
            yield AnswerDelta("half an ")
            yield ToolStarted("t", "svcSqlApi", "{}")
            await asyncio.Event().wait()
        finally:
            ended.open()

    with w.streaming("long") as stream:
        stream.until(lambda frame: "toolCall" in frame)
        response = w.abort(stream.chat_id)
        assert (response.status_code, response.content) == (204, b"")
        ended.wait()
        frames = stream.rest()
    assert [frame["id"] for frame in frames[-2:]] == ["__aborted__", "__usage__"]
    assert frames[-2]["code"] == "chat_aborted"
    replay = lines(w.chat(chatId=stream.chat_id).content)
    assert final_text(replay) == "half an "
    assert replay[0]["state"]["isStreaming"] is False
    assert replay[-2]["state"]["turns"][0]["status"] == "aborted"
    [user] = [frame for frame in replay if frame.get("role") == "user"]
    assert user["state"]["status"] == "aborted"
    assert w.abort(stream.chat_id).status_code == 204  # long ended
    assert final_text(w.ask("more", chatId=stream.chat_id)) == "There are 0 rows."
    assert [(past.question, past.answer, past.status) for past in w.analyst.turns[-1].history] == [
        ("long", "half an ", "aborted")
    ]


def test_an_abort_that_is_late_does_not_stop_the_next_question(w: World) -> None:
    first, second = Gate(), Gate()

    @w.analyst.on("first")
    async def one(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        await first.passed()
        yield AnswerDone("one")

    @w.analyst.on("second")
    async def two(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        yield Thinking("hm")
        await second.passed()
        yield AnswerDone("two")

    with ThreadPoolExecutor(1) as other, held_back(w, "_owned") as (come, go):
        with w.streaming("first") as stream:
            stream.next()
            chat_id = stream.chat_id
            aborting = other.submit(w.abort, chat_id)
            come.wait()
            first.open()
            assert final_text(stream.rest()) == "one"
        with w.streaming("second", chatId=chat_id) as stream:
            stream.until(lambda frame: frame.get("thinking"))
            go.open()
            assert aborting.result(60).status_code == 204
            second.open()
            assert final_text(stream.rest()) == "two"


def test_an_abort_that_comes_while_a_turn_begins_stops_it(w: World) -> None:
    @w.analyst.on("for ever")
    async def for_ever(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        yield Thinking("hm")
        await asyncio.Event().wait()

    chat_id = w.ask("orders")[0]["state"]["chatId"]
    with ThreadPoolExecutor(2) as others, held_back(w, "open_turn") as (come, go):
        asked = others.submit(w.ask, "for ever", chatId=chat_id)
        come.wait()
        aborting = others.submit(w.abort, chat_id)
        eventually(lambda: w.service.turns.meant(chat_id))
        go.open()
        assert aborting.result(60).status_code == 204
        assert asked.result(60)[-2]["id"] == "__aborted__"


def test_both_abort_paths_answer(w: World) -> None:
    chat_id = w.ask("orders")[0]["state"]["chatId"]
    body = {"chatId": chat_id, "sessionSettings": {"externalId": "user-1"}}
    for path in (f"{CHAT}/abort", CHAT.replace("stream-chat-state", "abort")):
        assert w.post(path, body).status_code == 204
        assert w.post(path, {**body, "chatId": "nothing"}).status_code == 404
        assert w.post(path, {**body, "sessionSettings": {"externalId": "user-2"}}).status_code == 403


def test_a_second_reader_joins_a_running_turn(w: World) -> None:
    gate = Gate()

    @w.analyst.on("slow")
    async def slow(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        for word in ("a ", "b ", "c "):
            yield AnswerDelta(word)
        await gate.passed()
        yield AnswerDelta("d")
        yield AnswerDone("a b c d")

    with w.streaming("slow") as first:
        first.until(lambda frame: frame.get("content") == "c ")
        with w.streaming(None, chatId=first.chat_id) as second:
            seen = second.until(lambda frame: frame.get("graphPath") == ["final"])
            assert seen[-1]["content"] == "a b c "
            assert seen[-1]["isDelta"] is False
            gate.open()
            assert final_text([*seen, *second.rest()]) == "a b c d"
        assert first.rest()[-1]["id"] == "__usage__"


def test_a_second_input_while_streaming_is_refused(w: World) -> None:
    gate = Gate()

    @w.analyst.on("slow")
    async def slow(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        yield AnswerDelta("x")
        await gate.passed()
        yield AnswerDone("x")

    with w.streaming("slow") as stream:
        stream.until(lambda frame: frame.get("content") == "x")
        refused = w.ask("again", chatId=stream.chat_id)
        assert {"error": "Streaming for thread is in progress"} in refused
        assert refused[-1]["id"] == "__usage__"
        gate.open()
        stream.rest()
    assert final_text(w.ask("again", chatId=stream.chat_id)) == "There are 0 rows."


def test_an_analyst_that_fails_ends_in_an_error_frame(w: World) -> None:
    @w.analyst.on("fail")
    async def fail(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        yield AnswerDelta("so far ")
        raise RuntimeError("secret detail")

    @w.analyst.on("nothing")
    async def nothing(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        yield Thinking("…")

    for question in ("fail", "nothing"):
        frames = w.ask(question)
        assert "error" in frames[-2]
        assert "secret" not in str(frames)
        assert frames[-1]["id"] == "__usage__"


def test_a_taken_back_answer_is_replaced(w: World) -> None:
    @w.analyst.on("reset")
    async def reset(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        yield AnswerDelta("wrong")
        yield AnswerReset()
        yield AnswerDelta("right")
        yield AnswerDone("right")

    assert final_text(w.ask("reset")) == "right"


def test_a_turn_survives_its_reader_and_is_given_up_after_the_grace(w: World) -> None:
    started, ended = Gate(), Gate()

    @w.analyst.on("slow")
    async def slow(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        try:
            yield AnswerDelta("kept")
            started.open()
            await asyncio.Event().wait()
        finally:
            ended.open()

    with w.streaming("slow") as stream:
        stream.until(lambda frame: frame.get("content") == "kept")
    turn = w.service.turns.get(stream.chat_id)
    assert turn is not None
    eventually(lambda: not turn.readers)  # the server notices the closed connection by itself
    with w.streaming(None, chatId=stream.chat_id) as again:
        again.until(lambda frame: frame.get("content") == "kept")
    eventually(lambda: not turn.readers and w.clock.sleepers >= 3)  # reaper, leases, and this turn's grace

    def lease() -> float:
        return float(w.service.store.read(running_turns, [stream.chat_id])[stream.chat_id].lease_until)

    first = lease()
    w.service.store.write(renew_leases, "another runner", [stream.chat_id], first + 9_999)
    assert lease() == first
    w.clock.advance(29)
    assert turn.status == "running"
    eventually(lambda: lease() == first + 29)
    w.clock.advance(2)
    ended.wait()
    replay = lines(w.chat(chatId=stream.chat_id).content)
    assert final_text(replay) == "kept"


def test_threads_of_others_and_unknown_ones_are_404(w: World) -> None:
    chat_id = w.ask("orders")[0]["state"]["chatId"]
    theirs = w.chat({"input": "x", "chatId": chat_id, "sessionSettings": {"externalId": "user-2"}})
    unknown = w.chat(input="x", chatId="0" * 32)
    assert theirs.status_code == unknown.status_code == 404
    assert theirs.json() == unknown.json()


def test_a_user_token_stands_for_its_user(w: World) -> None:
    token = "Bearer " + w.token(externalId="ana", userAttributes=[{"name": "region", "value": ["APAC"]}])
    frames = lines(w.chat({"input": "orders"}, key=token).content)
    assert final_text(frames) == "There are 2 rows."
    other = w.chat({"input": "orders", "sessionSettings": {"externalId": "bob"}}, key=token)
    assert other.status_code == 403
    wider = {"userAttributes": [{"name": "region", "value": ["EMEA"]}]}
    assert w.chat({"input": "orders", "sessionSettings": wider}, key=token).status_code == 403
    chat_id = frames[0]["state"]["chatId"]
    assert w.post(f"{CHAT}/abort", {"chatId": chat_id}, token).status_code == 204


def test_threads_are_listed_renamed_and_deleted_by_their_owner(w: World) -> None:
    base = CHAT.replace("stream-chat-state", "threads")
    ids = []
    for number in range(3):
        ids.append(w.ask(f"question {number}")[0]["state"]["chatId"])
        w.clock.advance(1)
    page = w.get(f"{base}?externalId=user-1&first=2").json()
    assert [item["title"] for item in page["items"]] == ["question 2", "question 1"]
    assert page["pageInfo"]["hasNextPage"] is True
    rest = w.get(f"{base}?externalId=user-1&after={page['pageInfo']['endCursor']}").json()
    assert [item["chatId"] for item in rest["items"]] == [ids[0]]
    mine, theirs = f"{base}/{ids[0]}?externalId=user-1", f"{base}/{ids[0]}?internalId=ivy@example.com"
    rename = w.http.patch(mine, json={"title": "  New  name "}, headers={"Authorization": "Api-Key test-admin-key"})
    assert rename.status_code == 204
    titles = [item["title"] for item in w.get(f"{base}?externalId=user-1").json()["items"]]
    assert titles == ["question 2", "question 1", "New name"]
    assert w.delete(theirs).status_code == 404
    assert w.delete(mine).status_code == 204
    assert w.delete(mine).status_code == 404
    assert w.chat(input="x", chatId=ids[0]).status_code == 404
