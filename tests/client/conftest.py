"""A small service of our own: it says what a test tells it to, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from svc_notebook.client import AsyncClient, Client
from svc_notebook.client.engine.asgi import EmbeddedTransport
from svc_notebook.client.retries import Retries

BASE = "http://svc.local"
CHAT = f"{BASE}/chat/stream-chat-state"


async def no_sleep(seconds: float) -> None:
    await asyncio.sleep(0)


class ScriptedService:
    """Chat streams ``script`` (lines, or an event to wait for); other routes answer from ``answers``, in order."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, Any, dict[str, str]]] = []
        self.script: list[Any] = []
        self.scripts: list[list[Any]] = []  # one for each request, where they differ
        self.answers: dict[str, list[Response]] = {}
        self.aborted = asyncio.Event()
        self.readers = 0
        catch_all = Route("/{path:path}", self.other, methods=["GET", "POST", "PATCH", "DELETE"])
        self.app = Starlette(
            routes=[
                Route("/chat/stream-chat-state", self.chat, methods=["POST"]),
                Route("/chat/stream-chat-state/abort", self.abort, methods=["POST"]),
                catch_all,
            ]
        )

    async def note(self, request: Request) -> Any:
        raw = await request.body()
        body = json.loads(raw) if raw else None
        self.requests.append((request.method, request.url.path, body, dict(request.headers)))
        return body

    async def chat(self, request: Request) -> Response:
        await self.note(request)
        if queued := self.answers.get("chat"):
            return queued.pop(0)
        if self.scripts:
            self.script = self.scripts.pop(0)
        return StreamingResponse(self.lines(), media_type="application/x-ndjson")

    async def lines(self) -> AsyncIterator[bytes]:
        self.readers += 1
        try:
            for step in self.script:
                if step == "until aborted":
                    await self.aborted.wait()
                elif isinstance(step, (int, float)):
                    await asyncio.sleep(step)
                else:
                    yield step if isinstance(step, bytes) else json.dumps(step).encode() + b"\n"
                    await asyncio.sleep(0)
        finally:
            self.readers -= 1

    async def abort(self, request: Request) -> Response:
        await self.note(request)
        if queued := self.answers.get("abort"):
            return queued.pop(0)
        self.aborted.set()
        return Response(status_code=204)

    async def other(self, request: Request) -> Response:
        await self.note(request)
        queued = self.answers.get(request.url.path) or []
        return queued.pop(0) if queued else Response(status_code=404)

    def asked(self, path: str) -> list[Any]:
        return [body for _, asked, body, _ in self.requests if asked == path]


def final(text: str, sort: int, *, delta: bool = True) -> dict[str, Any]:
    return {
        "id": "f", "role": "assistant", "graphPath": ["final"], "content": text, "isDelta": delta, "isInProcess": delta,
        "sort": sort,
    }  # fmt: skip


CUTOFF = {"id": "__cutoff__", "role": "assistant", "state": {"chatId": "c1", "isStreaming": True}, "sort": 0}
QUESTION = {"id": "u", "role": "user", "content": "how many?", "sort": 1}
DONE = {"id": "__state__", "role": "assistant", "state": {"chatId": "c1", "suggestions": ["and now?"]}, "sort": 99}
ABORTED = {"id": "__aborted__", "type": "abort", "code": "chat_aborted"}
USAGE = {"id": "__usage__", "type": "usage", "usage": {"totalTokens": 3}}
SCHEMA = [{"name": "carrier", "column_type": "String"}, {"name": "flights", "column_type": "Int64"}]
RESULT = {
    "sqlQuery": "SELECT carrier, flights", "queryTitle": "Flights", "schema": SCHEMA, "data": [["DL", 2], ["AA", None]],
    "totalRows": 2, "uuid": "u-1", "rowFilters": [{"cube": "flights", "filter": "carrier = ?", "reason": "policy"}],
}  # fmt: skip
CALL = {"name": "svcSqlApi", "input": json.dumps({"sqlQuery": "SELECT carrier, flights"})}
TOOL = {"id": "t", "role": "assistant", "graphPath": ["svc_data_analyst_agent", "tools"], "isDelta": False}
TOOL_OPEN = TOOL | {"toolCall": CALL, "isInProcess": True, "sort": 3}
TOOL_DONE = TOOL | {
    "toolCall": CALL | {"result": json.dumps(RESULT)}, "isInProcess": False, "sort": 4, "state": {"elapsedMs": 12},
}  # fmt: skip
THINKING = {"id": "a", "role": "assistant", "thinking": "let me see", "isDelta": True, "isInProcess": True, "sort": 2}
ANSWER = [
    CUTOFF, QUESTION, THINKING, TOOL_OPEN, TOOL_DONE, final("Two ", 5), final("carriers.", 6),
    final("Two carriers.", 7, delta=False), DONE, USAGE,
]  # fmt: skip


@pytest.fixture
def service() -> ScriptedService:
    return ScriptedService()


def options(service: ScriptedService) -> dict[str, Any]:
    return {
        "base_url": BASE, "chat_api_url": CHAT, "api_key": "test-key-0123456789",
        "transport": EmbeddedTransport(service.app), "retries": Retries(sleep=no_sleep),
    }  # fmt: skip


@pytest.fixture
def client(service: ScriptedService) -> Iterator[Client]:
    with Client(**options(service)) as client:
        yield client


@pytest.fixture
def async_client(service: ScriptedService) -> AsyncClient:
    return AsyncClient(**options(service))
