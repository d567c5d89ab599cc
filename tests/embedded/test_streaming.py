"""Through service, transport and client together: frames come as they are made, all of them, and stopping stops."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.analyst.base import AnswerDelta, AnswerDone, Thinking
from svc_notebook.embedded import EmbeddedClient

from ..loops import run

MANY = 10_000


class Acted:
    """An analyst that does what the question says, and tells how it ended."""

    name = "acted"

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.finished = threading.Event()
        self.stopped = threading.Event()

    async def answer(self, turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        try:
            if turn.question == "many":
                for number in range(MANY):
                    yield AnswerDelta(f"{number} ")
                    if number % 100 == 0:
                        await asyncio.sleep(0)
                yield AnswerDone("".join(f"{number} " for number in range(MANY)))
            elif turn.question == "on and on":
                while True:
                    yield AnswerDelta("on ")
            else:
                yield Thinking("thinking")
                yield AnswerDelta("first ")
                await asyncio.to_thread(self.gate.wait, 20)
                yield AnswerDone("first and last")
            self.finished.set()
        except (asyncio.CancelledError, GeneratorExit):
            self.stopped.set()
            raise

    async def suggestions(self, toolbox: Any, limit: int = 4) -> list[str]:
        return []


@pytest.fixture
def acted() -> Acted:
    return Acted()


@pytest.fixture
def client(acted: Acted) -> Iterator[EmbeddedClient]:
    with svc.embedded(data={"orders": pd.DataFrame({"id": [1]})}, analyst=acted) as client:
        yield client
        acted.gate.set()


def test_the_first_words_are_there_before_the_analyst_has_finished(client: EmbeddedClient, acted: Acted) -> None:
    with client.chat().stream("wait") as stream:
        for _ in stream:
            if stream.answer.text == "first ":
                assert not acted.finished.is_set()
                acted.gate.set()
    assert (stream.answer.status, stream.answer.text) == ("complete", "first and last")
    assert stream.answer.thinking == "thinking"


def test_the_same_for_an_httpx_client_of_ones_own(client: EmbeddedClient, acted: Acted) -> None:
    body = {"input": "wait", "sessionSettings": {"internalId": "operator@svc.local"}}
    headers = {"Authorization": f"Api-Key {client._calls.address.api_key}"}

    async def read() -> bytes:
        got = b""
        async with (
            httpx.AsyncClient(transport=client.transport) as http,
            http.stream("POST", str(client.chat_api_url), json=body, headers=headers) as response,
        ):
            assert response.headers["content-type"].startswith("application/x-ndjson")
            async for chunk in response.aiter_bytes():
                got += chunk
                if b"first " in got and not acted.gate.is_set():
                    assert not acted.finished.is_set()
                    acted.gate.set()
        return got

    assert b"first and last" in run(read())


def test_ten_thousand_small_frames_arrive_whole_and_in_order(client: EmbeddedClient) -> None:
    text, sorts = "", []
    with client.chat().stream("many") as stream:
        for message in stream:
            if message.graph_path == ["final"] and message.is_delta:
                text += str(message.content)
                sorts.append(message.sort)
    assert text == "".join(f"{number} " for number in range(MANY)) == stream.answer.text
    assert sorts == sorted(set(sorts))
    assert len(sorts) == MANY


def test_a_reader_that_rests_loses_nothing(client: EmbeddedClient) -> None:
    chat = client.chat()
    with chat.stream("many") as stream:
        next(stream)
        time.sleep(0.5)
        count = sum(1 for _ in stream)
    assert count > MANY
    assert stream.answer.status == "complete"


def test_two_readers_of_one_turn_see_the_same(client: EmbeddedClient, acted: Acted) -> None:
    chat = client.chat()
    first = chat.submit("wait")
    while not first.answer.text:
        time.sleep(0.005)
    second = chat.with_thread(chat.chat_id).follow()
    while not second.answer.text:
        time.sleep(0.005)
    assert chat.history()[-1].status == "streaming"
    acted.gate.set()
    assert first.wait().text == second.wait().text == "first and last"


def test_abort_ends_the_analyst_and_keeps_what_was_said(client: EmbeddedClient, acted: Acted) -> None:
    chat = client.chat()
    handle = chat.submit("wait")
    while not handle.answer.text:
        time.sleep(0.005)
    assert chat.abort()
    answer = handle.wait()
    assert (answer.status, answer.text) == ("aborted", "first ")
    assert acted.stopped.wait(5)
    (past,) = chat.history()
    assert (past.status, past.text) == ("aborted", "first ")


def test_an_analyst_that_never_waits_is_read_and_stopped_all_the_same(client: EmbeddedClient, acted: Acted) -> None:
    chat = client.chat()
    handle = chat.submit("on and on")
    while not handle.answer.text:
        time.sleep(0.005)
    assert chat.abort()
    assert handle.wait().status == "aborted"
    assert acted.stopped.wait(5)


def test_closing_the_client_ends_a_running_turn(acted: Acted) -> None:
    client = svc.embedded(data={"orders": pd.DataFrame({"id": [1]})}, analyst=acted)
    handle = client.chat().submit("wait")
    while not handle.answer.text:
        time.sleep(0.005)
    client.close()
    assert acted.stopped.wait(5)
    assert handle.wait().status in {"aborted", "failed"}
    acted.gate.set()
