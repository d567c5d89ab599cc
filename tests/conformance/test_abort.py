"""Endpoint 4, Abort."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from svc_notebook.analyst.base import AnswerDelta

from ..service.service_world import CHAT, OTHER, Gate, Stream, World
from .conftest import Names
from .test_generate_session import refused


@pytest.fixture
def stopped() -> Gate:
    return Gate()


@pytest.fixture
def running(w: World, n: Names, stopped: Gate) -> Iterator[Stream]:
    """A turn that goes on until it is stopped."""

    @w.analyst.on("forever")
    async def forever(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        try:
            yield AnswerDelta("part")
            await asyncio.Event().wait()
        finally:
            stopped.open()

    with w.streaming("forever", n.user) as stream:
        stream.until(lambda frame: frame.get("content") == "part")
        yield stream
        w.abort(stream.chat_id, n.user)


@pytest.mark.parametrize("path", [f"{CHAT}/abort", CHAT.replace("stream-chat-state", "abort")])
def test_aborted(w: World, n: Names, running: Stream, stopped: Gate, path: str) -> None:
    """204 No Content (aborted); response body: none. Stops an in-progress chat stream."""
    response = w.post(path, {"chatId": running.chat_id, "sessionSettings": {"externalId": n.user}})
    assert (response.status_code, response.content) == (204, b"")
    stopped.wait()
    assert [frame["id"] for frame in running.rest()][-2:] == ["__aborted__", "__usage__"]
    assert w.abort(running.chat_id, n.user).status_code == 204  # again


def test_recently_completed_chat(w: World, n: Names) -> None:
    """`chatId` must match the `chatId` of an active or recently completed chat."""
    chat_id = w.ask("orders", n.user)[0]["state"]["chatId"]
    assert w.abort(chat_id, n.user).status_code == 204


def test_not_the_owner(w: World, n: Names, running: Stream, stopped: Gate) -> None:
    """403: authenticated user does not own the thread. Response body: none."""
    before = w.state()
    for user in ("stranger", n.user + "x"):
        response = w.abort(running.chat_id, user)
        assert (response.status_code, response.content) == (403, b"")
    assert w.state() == before
    turn = w.service.turns.get(running.chat_id)
    assert turn is not None
    assert turn.status == "running"


def test_unknown_chat(w: World, n: Names) -> None:
    """404: `chatId` does not exist. Response body: none."""
    for chat_id in ("unknown", "", "a\0b"):
        response = w.abort(chat_id, n.user)
        assert (response.status_code, response.content) == (404, b"")


@pytest.mark.parametrize("body", [
    [], {}, {"chatId": 5, "sessionSettings": {"externalId": "a"}}, {"chatId": "x"},
    {"chatId": "x", "sessionSettings": {}}, {"chatId": "x", "sessionSettings": {"externalId": ["a"]}},
    {"chatId": "x", "sessionSettings": {"externalId": "a", "internalId": "b"}}, {"sessionSettings": {"externalId": "a"}},
])  # fmt: skip
def test_invalid_body(w: World, body: Any) -> None:
    """400: invalid body or parameters; `chatId` string, required; `externalId` to authenticate the request."""
    refused(w.post(f"{CHAT}/abort", body), 400)


def test_authentication(w: World, n: Names, running: Stream) -> None:
    """Same API key authentication as the Chat API. 401: invalid or missing API key."""
    refused(w.abort(running.chat_id, n.user, None), 401)
    refused(w.abort(running.chat_id, n.user, "wrong"), 401)
    refused(w.abort(running.chat_id, n.user, OTHER), 401)


def test_internal_user_aborts_by_email(w: World) -> None:
    settings = {"sessionSettings": {"internalId": "ivy@example.com"}}
    frames = w.post(CHAT, {"input": "orders", **settings}).text
    chat_id = frames.split('"chatId":"')[1].split('"')[0]
    assert w.post(f"{CHAT}/abort", {"chatId": chat_id, **settings}).status_code == 204
    assert w.abort(chat_id, "stranger").status_code == 403
