"""Endpoint 3, the streaming Chat API, and the messages of its stream."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from ..service.service_world import ADMIN, CHAT, OTHER, Gate, World, final_text, lines, tool_results
from .conftest import Names
from .test_generate_session import dumped, groups_of, refused, values_of

REGION = {"name": "region", "value": ["EMEA"]}


def body(n: Names, **settings: Any) -> dict[str, Any]:
    return {"input": "orders", "sessionSettings": {"externalId": n.user, **settings}}


def test_a_stream_of_json_objects_one_per_line(w: World, n: Names) -> None:
    """The response is a stream of JSON objects, one per line (NDJSON)."""
    response = w.chat(body(n))
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/x-ndjson"
    assert response.headers["cache-control"] == "no-cache"
    assert response.headers["x-accel-buffering"] == "no"
    assert all(isinstance(frame, dict) for frame in lines(response.content))


def test_lines_are_split_by_newline_alone(w: World, n: Names) -> None:
    text = 'a\u2028b\u0085c\rd\ne "__cutoff__" {"id":"x","graphPath":["final"]} \U0001f600'
    frames = w.ask(text, n.user)
    assert [frame["content"] for frame in frames if frame.get("role") == "user"] == [text]


def test_cutoff_carries_the_thread_id(w: World, n: Names) -> None:
    """A message with id `__cutoff__` carries the thread id in `state.chatId`."""
    first = w.ask("orders", n.user)
    assert first[0]["id"] == "__cutoff__"
    again = w.ask("more", n.user, chatId=first[0]["state"]["chatId"])
    assert again[0]["state"]["chatId"] == first[0]["state"]["chatId"]


def test_omitted_chat_id_creates_a_new_thread(w: World, n: Names) -> None:
    """`chatId`: thread id. If omitted, a new thread is created."""
    ids = {w.ask("orders", n.user)[0]["state"]["chatId"] for _ in range(3)}
    assert len(ids) == 3


@pytest.mark.parametrize("chat_id,status", [("unknown", 404), ("__cutoff__", 404), ("", 400), (5, 400), ("a\0b", 404)])
def test_chat_id_must_be_one_the_service_returned(w: World, n: Names, chat_id: Any, status: int) -> None:
    """If provided it must match the `chatId` previously returned; 404: chat thread not found."""
    before = w.state()
    refused(w.chat({**body(n), "chatId": chat_id}), status)
    assert w.state() == before


def test_omitted_input_returns_the_state_of_the_thread(w: World, n: Names) -> None:
    """`input`: if omitted, the current state of the thread identified by `chatId` is returned."""
    first = w.ask("orders", n.user)
    chat_id = first[0]["state"]["chatId"]
    w.ask("more", n.user, chatId=chat_id)
    replay = lines(w.chat({"chatId": chat_id, "sessionSettings": {"externalId": n.user}}).content)
    assert [frame["content"] for frame in replay if frame.get("role") == "user"] == ["orders", "more"]
    assert len([frame for frame in replay if frame.get("graphPath") == ["final"]]) == 2
    assert replay[0]["state"] == {"chatId": chat_id, "isStreaming": False, "user": f"{n.user} (external)"}
    assert [frame["id"] for frame in replay[-2:]] == ["__state__", "__usage__"]
    sorts = [frame["sort"] for frame in replay if "sort" in frame]
    assert sorts == sorted(set(sorts))


def test_neither_input_nor_chat_id(w: World, n: Names) -> None:
    refused(w.chat({"sessionSettings": {"externalId": n.user}}), 400, "input")


@pytest.mark.parametrize("wrong", [5, ["x"], {"a": 1}, True, "", "  ", "a\0b"])
def test_input_is_a_string(w: World, n: Names, wrong: Any) -> None:
    """400: invalid body or parameters (required fields, data types)."""
    refused(w.chat({**body(n), "input": wrong}), 400, "input")


@pytest.mark.parametrize("field", ["images", "attachments"])
def test_images_and_attachments_are_refused_in_words(w: World, n: Names, field: str) -> None:
    body = {"input": "what is this", "sessionSettings": {"externalId": n.user}}
    refused(w.chat({**body, field: [{"mimeType": "image/png", "data": "AAAA"}]}), 400, "as text")
    assert w.chat({**body, field: []}).status_code == 200


@pytest.mark.parametrize("wrong", [None, [], "x", {}, {"externalId": "a", "internalId": "ivy@example.com"}])
def test_session_settings_are_required_with_exactly_one_identity(w: World, wrong: Any) -> None:
    """`sessionSettings`: object, required; one of externalId / internalId."""
    refused(w.chat({"input": "x", "sessionSettings": wrong}), 400)
    refused(w.chat({"input": "x"}), 400, "sessionSettings")


def test_internal_user_by_email(w: World) -> None:
    """`internalId`: email address of an existing internal user; the user must already exist."""
    frames = lines(w.chat({"input": "orders", "sessionSettings": {"internalId": "ivy@example.com"}}).content)
    assert final_text(frames) == "There are 2 rows."
    refused(w.chat({"input": "x", "sessionSettings": {"internalId": "ivy"}}), 404)
    refused(w.chat({"input": "x", "sessionSettings": {"internalId": "nobody@example.com"}}), 404)


@pytest.mark.parametrize("field,value", [("roles", ["admin"]), ("groups", []), ("userAttributes", []),
                                         ("securityContext", {})])  # fmt: skip
def test_nothing_about_rights_with_internal_id(w: World, field: str, value: Any) -> None:
    """With `internalId`, `roles`, `groups`, `userAttributes` and `securityContext` must not be supplied."""
    refused(w.chat({"input": "x", "sessionSettings": {"internalId": "ivy@example.com", field: value}}), 400, field)


@pytest.mark.parametrize("name", ["Bob", " bob", "b b", "", 5])
def test_external_id_lowercase_no_spaces(w: World, name: Any) -> None:
    """`externalId`: unique id of external user; lowercase, no spaces."""
    refused(w.chat({"input": "x", "sessionSettings": {"externalId": name}}), 400)


def test_row_level_security(w: World, n: Names) -> None:
    """Its answers can be filtered by row-level security; they drive row-level filtering."""
    for region, count in ((["EMEA"], 2), (["EMEA", "APAC"], 4), ([], 0), (None, 0)):
        frames = lines(w.chat(body(n, userAttributes=[{"name": "region", "value": region}])).content)
        [result] = tool_results(frames)
        assert result["totalRows"] == len(result["data"]) == count
    assert "region" in result["notes"][0]


def test_attributes_must_be_configured(w: World, n: Names) -> None:
    """User attributes must be configured in the admin area before use."""
    before = w.state()
    refused(w.chat(body(n, userAttributes=[{"name": "ghost", "value": "x"}])), 400, "User attributes not found")
    refused(w.chat(body(n, userAttributes=[REGION, REGION])), 400, "Duplicate")
    refused(w.chat(body(n, userAttributes=[{"name": "region", "value": "EMEA"}])), 400, "string_array")
    refused(w.chat(body(n, groups=["nope"])), 400, "Groups with names nope not found")
    assert w.state() == before


def test_groups_and_values_are_kept_for_the_user(w: World, n: Names) -> None:
    """Holds persisted user attribute values and group memberships."""
    w.chat(body(n, groups=["analysts"], userAttributes=[REGION]))
    assert groups_of(w, n.user) == ["analysts"]
    assert values_of(w, n.user) == {"region": '["EMEA"]'}
    assert tool_results(lines(w.chat(body(n)).content))[0]["totalRows"] == 2


def test_ephemeral_by_default(w: World, n: Names) -> None:
    """Chat users created through the API are ephemeral unless `isEphemeral` is false; default one week."""
    w.chat(body(n))
    assert dumped_user(w, n)[-1] is True
    w.chat(body(n, isEphemeral=False))
    assert dumped_user(w, n)[-1] is False
    w.chat(body(n, ephemeralTtlSeconds=5))
    assert dumped_user(w, n)[-1] is False  # never turned ephemeral again


def dumped_user(w: World, n: Names) -> list[Any]:
    from svc_notebook.service.store.statehash import state_dump

    [row] = [row for row in w.service.store.read(state_dump)["users"] if row[3] == n.user]
    return list(row)


@pytest.mark.parametrize("wrong", [True, "5", -1, 0, 1e308, [5]])
def test_ephemeral_ttl_is_a_positive_number(w: World, n: Names, wrong: Any) -> None:
    """`ephemeralTtlSeconds`: number, lifetime in seconds of an ephemeral user."""
    refused(w.chat(body(n, ephemeralTtlSeconds=wrong)), 400, "ephemeralTtlSeconds")


def test_booleans_are_booleans(w: World, n: Names) -> None:
    refused(w.chat(body(n, isEphemeral="false")), 400, "isEphemeral")
    refused(w.chat({**body(n), "isDefaultBranch": "yes"}), 400, "isDefaultBranch")


@pytest.mark.parametrize("branch,status", [
    ({"activeBranchName": "main", "isDefaultBranch": True}, 200), ({"isDefaultBranch": True}, 200),
    ({"activeBranchName": "release", "isDefaultBranch": True}, 400), ({"activeBranchName": "dev"}, 200),
    ({"activeBranchName": "dev", "isDefaultBranch": True}, 400), ({"activeBranchName": "main"}, 404),
    ({"activeBranchName": "gone"}, 404), ({"activeBranchName": "../main"}, 404), ({"isDefaultBranch": False}, 400),
])  # fmt: skip
def test_branches(w: World, n: Names, branch: dict[str, Any], status: int) -> None:
    """activeBranchName: queries run against it instead of the main branch. isDefaultBranch defaults to true when
    `activeBranchName` is not set, false when it is set; pass true when giving the main branch name."""
    assert w.chat({**body(n), **branch}).status_code == status


def test_message_fields(w: World, n: Names) -> None:
    """id, role, content, graphPath, isDelta, isInProcess, sort, toolCall {name, input, result} as JSON strings."""
    frames = lines(w.chat(body(n, userAttributes=[REGION])).content)
    known = {"id", "role", "content", "thinking", "toolCall", "graphPath", "isDelta", "isInProcess", "sort", "state",
             "type", "usage"}  # fmt: skip
    assert all(set(frame) <= known for frame in frames)
    agent = [frame for frame in frames if frame.get("graphPath") == ["svc_data_analyst_agent"]]
    assert agent[0]["isDelta"] is True
    assert agent[0]["isInProcess"] is True
    assert agent[-1]["thinking"] == "Let me look at the data."
    assert agent[-1]["content"] == "Searching."
    tools = [frame for frame in frames if "toolCall" in frame]
    assert all(frame["graphPath"] == ["svc_data_analyst_agent", "tools"] for frame in tools)
    for frame in tools:
        assert json.loads(frame["toolCall"]["input"])
        # result: present only when the call is complete (`isInProcess` false)
        assert ("result" in frame["toolCall"]) is not frame["isInProcess"]
    assert len({frame["id"] for frame in tools}) == len(tools) / 2
    final = [frame for frame in frames if frame.get("graphPath", [""])[0] == "final"]
    assert final[-1]["content"] == final_text(frames)
    assert final[-1]["isInProcess"] is False


def test_svc_meta(w: World, n: Names) -> None:
    """svcMeta: `cubes` (array of definitions with their members) and `searchQuery` (the query used)."""
    [result] = tool_results(lines(w.chat(body(n)).content), "Meta")
    assert result["searchQuery"] == "orders"
    [cube] = result["cubes"]
    assert cube["name"] == "orders"
    assert {member["name"] for member in cube["members"]} >= {"orders.region", "orders.amount"}


def test_svc_sql_api(w: World, n: Names) -> None:
    """svcSqlApi result fields."""
    [result] = tool_results(lines(w.chat(body(n, userAttributes=[REGION])).content))
    wanted = {"sqlQuery", "queryTitle", "description", "userRequest", "schema", "data", "totalRows", "uuid"}
    assert wanted <= set(result)
    assert result["schema"][0]["name"] == "id"
    assert result["schema"][0]["column_type"] == "Int64"
    assert all(isinstance(row, list) for row in result["data"])


def test_tool_errors(w: World, n: Names) -> None:
    """When a tool fails, the `result` JSON string of its `toolCall` contains an `error` property."""
    frames = w.ask("Run: SELECT * FROM raw.salaries", n.user)
    [result] = tool_results(frames)
    assert set(result) == {"error"}
    assert frames[-2]["id"] == "__state__"  # the stream itself ends well


def test_authentication(w: World, n: Names) -> None:
    """401: invalid or missing API key."""
    for key in (None, "wrong", "Bearer wrong", "Basic dGVzdA==", f"Api-Key {ADMIN} extra", f"api-key  {ADMIN}"):
        refused(w.post(CHAT, body(n), key), 401)
    unknown_agent = CHAT.replace("data-analyst", "999")
    refused(w.post(unknown_agent, body(n), None), 401)


def test_agent_and_tenant_not_found(w: World, n: Names) -> None:
    """404: agent, tenant or chat thread not found."""
    refused(w.post(CHAT.replace("data-analyst", "999"), body(n)), 404)
    refused(w.post(CHAT.replace("acme", "nowhere"), body(n)), 404)
    refused(w.post(CHAT, body(n), OTHER), 401)


def test_server_errors_end_in_an_error_frame(w: World, n: Names) -> None:
    """500: server processing error; inside a stream that has begun, an error frame and then `__usage__`."""

    @w.analyst.on("fail")
    async def fail(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        raise RuntimeError("secret detail")
        yield

    frames = w.ask("fail", n.user)
    assert [sorted(frame) for frame in frames[-2:]] == [["error"], ["id", "type", "usage"]]
    assert "secret" not in str(frames)


def test_streamed_incrementally(w: World, n: Names) -> None:
    """Message content; streamed incrementally for assistant messages."""
    gate = Gate()

    @w.analyst.on("step by step")
    async def steps(turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        from svc_notebook.analyst.base import AnswerDelta, AnswerDone

        yield AnswerDelta("one ")
        await gate.passed()
        yield AnswerDelta("two")
        yield AnswerDone("one two")

    with w.streaming("step by step", n.user) as stream:
        assert stream.until(lambda frame: frame.get("graphPath") == ["final"])[-1]["content"] == "one "
        gate.open()
        assert final_text(stream.rest()) == "one two"


def test_another_users_thread_does_not_exist(w: World, n: Names) -> None:
    chat_id = w.ask("orders", n.user)[0]["state"]["chatId"]
    other = w.chat({"input": "x", "chatId": chat_id, "sessionSettings": {"externalId": n.user + "b"}})
    unknown = w.chat({"input": "x", "chatId": "0" * 32, "sessionSettings": {"externalId": n.user}})
    refused(other, 404)
    assert other.json() == unknown.json()
    assert dumped(w, "values", n.user + "b") == []
