"""The two tools over the Model Context Protocol, with a real client on the other end of the command's pipes."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

import pytest

from ..loops import run

pytest.importorskip("mcp")

AS_DELTA = ["-m", "svc_notebook.cli", "mcp", "--as", "dana", "--attribute", "carrier=DL"]


def called(tool: str, arguments: dict[str, Any]) -> Any:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def main() -> Any:
        server = StdioServerParameters(command=sys.executable, args=AS_DELTA, env=dict(os.environ))
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            tools = (await session.list_tools()).tools
            assert {found.name for found in tools} == {"svcMeta", "svcSqlApi"}
            assert all(found.annotations is not None and found.annotations.read_only_hint for found in tools)
            if tool == "catalog":
                (resource,) = (await session.list_resources()).resources
                return json.loads((await session.read_resource(resource.uri)).contents[0].text)
            answer = await session.call_tool(tool, arguments)
            said = json.loads(answer.content[0].text)
            assert answer.structured_content == said
            assert bool(answer.is_error) is ("error" in said)
            return said

    return run(asyncio.wait_for(main(), 60))


def test_sql_runs_under_the_users_policies() -> None:
    result = called("svcSqlApi", {"sqlQuery": "SELECT carrier, MEASURE(count) AS flights FROM flights GROUP BY 1"})
    assert result["data"] == [["DL", 48110]] and result["totalRows"] == 1
    assert result["schema"][1]["column_type"] == "Int64" and result["uuid"]


def test_the_tool_takes_and_gives_the_fields_of_the_specification() -> None:
    given = {"queryTitle": "T", "description": "D", "userRequest": "U", "vegaSpec": '{"mark": "bar"}'}
    sql = "SELECT MEASURE(count) AS flights FROM flights"
    result = called("svcSqlApi", {"sqlQuery": sql, "memoryId": "m", **given})
    assert {name: result[name] for name in given} == given
    assert result["sqlQuery"] == sql


def test_metadata_is_searched() -> None:
    result = called("svcMeta", {"searchQuery": "departure delay"})
    assert result["searchQuery"] == "departure delay"
    names = [member["name"] for cube in result["cubes"] for member in cube["members"]]
    assert any("departure_delay" in name for name in names)
    assert not any("tail" in name for name in names)


def test_a_refusal_says_what_to_write() -> None:
    assert "count" in called("svcSqlApi", {"sqlQuery": "SELECT MEASURE(cont) FROM flights"})["error"]


def test_the_catalog_is_a_resource_under_the_users_rights() -> None:
    found = called("catalog", {})
    names = [member["name"] for cube in found["cubes"] for member in cube["members"]]
    assert any("departure_delay" in name for name in names)
    assert not any("tail" in name for name in names)
