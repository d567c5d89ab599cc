"""The two tools over the Model Context Protocol, with a real client on the other end of the command's pipes."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import Future
from typing import Any

import pytest

import svc_notebook as svc
from svc_notebook.mcp_server import http_app, make_server

from ..loops import run

pytest.importorskip("mcp")

AS_DELTA = ["-m", "svc_notebook.cli", "mcp", "--as", "dana", "--attribute", "carrier=DL"]


class Pipes:
    """One server at the end of the command's pipes, and the official client that speaks with it from a loop of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._ready: Future[Any] = Future()
        self._over = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._live(),))
        self._thread.start()
        self._session = self._ready.result(60)

    async def _live(self) -> None:
        from mcp import ClientSession, StdioServerParameters
        from mcp.client.stdio import stdio_client

        server = StdioServerParameters(command=sys.executable, args=AS_DELTA, env=dict(os.environ))
        try:
            async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
                await session.initialize()
                self._ready.set_result(session)
                await self._over.wait()
        except BaseException as error:
            if self._ready.done():
                raise
            self._ready.set_exception(error)

    def ask(self, question: Callable[[Any], Coroutine[Any, Any, Any]]) -> Any:
        return asyncio.run_coroutine_threadsafe(question(self._session), self._loop).result(60)

    def call(self, tool: str, **arguments: Any) -> Any:
        """What a tool says, once as text and once as data."""
        answer = self.ask(lambda session: session.call_tool(tool, arguments))
        said = json.loads(answer.content[0].text)
        assert answer.structured_content == said
        assert bool(answer.is_error) is ("error" in said)
        return said

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(20)
        self._loop.close()


@pytest.fixture(scope="module")
def pipes() -> Iterator[Pipes]:
    started = Pipes()
    yield started
    started.close()


def test_the_tools_say_that_they_only_read(pipes: Pipes) -> None:
    tools = pipes.ask(lambda session: session.list_tools()).tools
    assert {found.name for found in tools} == {"svcMeta", "svcSqlApi"}
    assert all(found.annotations is not None and found.annotations.read_only_hint for found in tools)


def test_sql_runs_under_the_users_policies(pipes: Pipes) -> None:
    sql = "SELECT carrier, MEASURE(count) AS flights FROM flights GROUP BY 1"
    result = pipes.call("svcSqlApi", sqlQuery=sql)
    assert result["data"] == [["DL", 48110]] and result["totalRows"] == 1
    assert result["schema"][1]["column_type"] == "Int64" and result["uuid"]


def test_the_tool_takes_and_gives_the_fields_of_the_specification(pipes: Pipes) -> None:
    given = {"queryTitle": "T", "description": "D", "userRequest": "U", "vegaSpec": '{"mark": "bar"}'}
    sql = "SELECT MEASURE(count) AS flights FROM flights"
    result = pipes.call("svcSqlApi", sqlQuery=sql, memoryId="m", **given)
    assert {name: result[name] for name in given} == given
    assert result["sqlQuery"] == sql


def test_metadata_is_searched(pipes: Pipes) -> None:
    result = pipes.call("svcMeta", searchQuery="departure delay")
    assert result["searchQuery"] == "departure delay"
    names = [member["name"] for cube in result["cubes"] for member in cube["members"]]
    assert any("departure_delay" in name for name in names)
    assert not any("tail" in name for name in names)


def test_a_refusal_says_what_to_write(pipes: Pipes) -> None:
    assert "count" in pipes.call("svcSqlApi", sqlQuery="SELECT MEASURE(cont) FROM flights")["error"]


def test_the_catalog_is_a_resource_under_the_users_rights(pipes: Pipes) -> None:
    async def read(session: Any) -> Any:
        (resource,) = (await session.list_resources()).resources
        return json.loads((await session.read_resource(resource.uri)).contents[0].text)

    found = pipes.ask(read)
    names = [member["name"] for cube in found["cubes"] for member in cube["members"]]
    assert any("departure_delay" in name for name in names)
    assert not any("tail" in name for name in names)


TOKEN = "t0ken"
CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("svcSqlApi", {}, "sqlQuery is missing or no text: svcSqlApi takes sqlQuery and, where there is more to say"),
    ("svcSqlApi", {"sqlQuery": 17}, "sqlQuery is missing or no text"),
    ("svcSqlApi", {"sqlQuery": "  "}, "sqlQuery is missing or no text"),
    ("svcSqlApi", {"query": "SELECT 1"}, "svcSqlApi has no argument 'query': svcSqlApi takes sqlQuery"),
    (
        "svcSqlApi",
        {"sqlQuery": "SELECT 1", "vegaSpec": {"mark": "bar"}},
        "vegaSpec is a dict: every argument is a text",
    ),
    ("svcSqlApi", {"sqlQuery": "SELECT 1", "externalId": "uwe"}, "Who asks is fixed where the server was started"),
    ("svcMeta", {"search": "x"}, "svcMeta has no argument 'search': svcMeta takes searchQuery"),
    ("dropTables", {}, "there is no tool 'dropTables': there are svcMeta and svcSqlApi"),
]


@pytest.fixture(scope="module")
def over_http() -> Iterator[str]:
    """The address of a server over HTTP, as Dana."""
    uvicorn = pytest.importorskip("uvicorn")
    with svc.demo() as client, socket.create_server(("127.0.0.1", 0)) as listening:
        app = http_app(make_server(client, external_id="dana", user_attributes={"carrier": ["DL"]}), TOKEN)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        server.should_exit = True
        thread.join(20)


def with_client(address: str, act: Callable[[Any], Awaitable[Any]], token: str = TOKEN) -> Any:
    """What the official client gets over HTTP."""
    import httpx2
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    async def main() -> Any:
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, timeout=60) as http,
            streamable_http_client(address, http_client=http) as streams,
            ClientSession(streams[0], streams[1]) as session,
        ):
            await session.initialize()
            return await act(session)

    return run(asyncio.wait_for(main(), 60))


def test_the_official_client_asks_over_http(over_http: str) -> None:
    async def act(session: Any) -> Any:
        tools = (await session.list_tools()).tools
        assert all(tool.annotations.read_only_hint for tool in tools)
        sql = "SELECT carrier, MEASURE(count) AS flights FROM flights GROUP BY 1"
        return await session.call_tool("svcSqlApi", {"sqlQuery": sql})

    answer = with_client(over_http, act)
    assert answer.structured_content["data"] == [["DL", 48110]] and not answer.is_error


def test_each_relation_is_a_resource_under_the_users_rights(over_http: str) -> None:
    async def act(session: Any) -> Any:
        (template,) = (await session.list_resource_templates()).resource_templates
        assert template.uri_template == "svc://catalog/{relation}"
        found = await session.read_resource("svc://catalog/flights")
        with pytest.raises(Exception, match="no 'nothing' that this user may see"):
            await session.read_resource("svc://catalog/nothing")
        return json.loads(found.contents[0].text)

    (cube,) = with_client(over_http, act)["cubes"]
    names = [member["name"] for member in cube["members"]]
    assert cube["name"] == "flights" and "flights.count" in names and not any("tail" in name for name in names)


@pytest.mark.parametrize(("tool", "arguments", "words"), CALLS)
def test_what_is_wrong_with_a_call_is_said_in_our_words(
    over_http: str, tool: str, arguments: dict[str, Any], words: str
) -> None:
    answer = with_client(over_http, lambda session: session.call_tool(tool, arguments))
    assert answer.is_error and words in answer.structured_content["error"]
    assert "pydantic" not in answer.content[0].text


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer wrong"}, {"authorization": TOKEN}])
def test_without_the_token_nothing_is_said(over_http: str, headers: dict[str, str]) -> None:
    import httpx

    answer = httpx.post(over_http, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=headers)
    assert answer.status_code == 401 and "svcSqlApi" not in answer.text
