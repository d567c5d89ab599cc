"""The client against a service that somebody else wrote from the specification: read right, or told; never wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from svc_notebook.client import Client
from svc_notebook.client.errors import AuthenticationFailed, ConfigurationError, NotAService, NotFound, SvcError
from svc_notebook.client.records import Group
from svc_notebook.client.wire.pages import read_page
from svc_notebook.client.wire.transport import Reply

from .independent_service import CHAT, KEY, Independent, independent_service

House = tuple[Independent, str]


@pytest.fixture(scope="module")
def running() -> Iterator[House]:
    with independent_service() as found:
        yield found


@pytest.fixture
def house(running: House) -> Independent:
    running[0].__init__()  # type: ignore[misc]
    return running[0]


@pytest.fixture
def client(running: House, house: Independent) -> Iterator[Client]:
    with Client(running[1], KEY, chat_api_url=running[1] + CHAT) as client:
        yield client


# --- sessions and admin -------------------------------------------------------------------------------------------


def test_ids_that_are_texts_in_edges_page_after_page(client: Client, house: Independent) -> None:
    tenant = client.tenant("acme-corp")
    assert [group.id for group in tenant.groups()] == [f"g-{n}" for n in range(1, 6)]
    assert [(a.id, a.name, a.type) for a in tenant.user_attributes()] == [
        ("a/1", "city", "string"), ("a/2", "since", "date"),
    ]  # fmt: skip
    tenant.delete_group("g-2")
    tenant.delete_user_attribute("a/1")
    assert list(house.groups) == ["g-1", "g-3", "g-4", "g-5"]
    assert list(house.attributes) == ["a/2"]
    with pytest.raises(NotFound, match="no such record"):
        tenant.delete_group("g-2")


@pytest.mark.parametrize("wrong", ["", " ", "..", ".", True])
def test_an_id_that_is_none_is_told_before_anything_is_sent(client: Client, wrong: Any) -> None:
    with pytest.raises(ConfigurationError, match="is no id"):
        client.tenant("acme-corp").delete_group(wrong)


def test_a_session_and_a_key_that_opens_nothing(client: Client, house: Independent, running: House) -> None:
    session = client.generate_session(deployment_id=3, external_id="ana", groups=["g"])
    assert session.session_id == "s1"
    assert house.sessions == [{"deploymentId": 3, "externalId": "ana", "groups": ["g"]}]
    with Client(running[1], "wrong", chat_api_url=running[1] + CHAT) as stranger:
        with pytest.raises(AuthenticationFailed, match="this key; opens nothing"):
            stranger.tenant("acme-corp").groups()


ONE = {"id": "g", "name": "n"}
ENVELOPES: dict[str, tuple[Any, list[Any], str | None]] = {
    "items": ({"items": [ONE], "pageInfo": {"hasNextPage": False}}, ["g"], None),
    "items and a cursor": ({"items": [ONE], "pageInfo": {"hasNextPage": True, "endCursor": "x"}}, ["g"], "x"),
    "a last page with a cursor": ({"items": [ONE], "pageInfo": {"hasNextPage": False, "endCursor": "x"}}, ["g"], None),
    "edges": ({"edges": [{"node": ONE, "cursor": "c"}], "pageInfo": {"hasNextPage": True}}, ["g"], "c"),
    "nodes": ({"nodes": [ONE], "pageInfo": {"hasNextPage": True, "endCursor": "z"}}, ["g"], "z"),
    "data": ({"data": [ONE]}, ["g"], None),
    "data in data": ({"data": {"items": [ONE], "pageInfo": {"hasNextPage": True, "endCursor": "d"}}}, ["g"], "d"),
    "named as what it lists": ({"groups": [ONE], "next_cursor": "n"}, ["g"], "n"),
    "a bare list": ([ONE, {"id": 7, "name": "m"}], ["g", 7], None),
    "empty": ({"items": [], "pageInfo": {"hasNextPage": False, "endCursor": None}}, [], None),
    "no list yet": ({"items": None}, [], None),
    "numbers as text": ({"items": [{"id": 1, "name": "n", "userCount": "3"}]}, [1], None),
}


@pytest.mark.parametrize("name", ENVELOPES)
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_every_envelope_of_a_list_is_read(name: str, bom: bytes) -> None:
    body, ids, cursor = ENVELOPES[name]
    records, after = read_page(Reply(200, {}, bom + json.dumps(body).encode()), Group, None)
    assert [record.id for record in records] == ids
    assert after == cursor


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"count": 3}, "no list"),
        ({"one": [1], "two": [2]}, "no list"),
        ("text", "no list"),
        ({"items": [{"name": "n"}]}, "cannot be read as Group"),
        ({"items": ["g-1"]}, "cannot be read as Group"),
        ({"items": [ONE], "pageInfo": {"hasNextPage": True}}, "no way to its next page"),
    ],
)
def test_a_list_that_cannot_be_read_is_told_and_never_empty(body: Any, words: str) -> None:
    with pytest.raises(NotAService, match=words):
        read_page(Reply(200, {}, json.dumps(body).encode()), Group, "same")


# --- streams ------------------------------------------------------------------------------------------------------

CUTOFF = {"id": "__cutoff__", "state": {"chatId": "th-1"}}
USER = {"id": "u1", "role": "user", "content": "how many?", "sort": 1}
SCHEMA = [{"name": "city", "column_type": "String"}, {"name": "n", "column_type": "Int64"}]


def agent(text: str, **more: Any) -> dict[str, Any]:
    return {"id": "a1", "role": "assistant", "content": text, "graphPath": ["svc_data_analyst_agent"], **more}


def final(text: str, **more: Any) -> dict[str, Any]:
    path = {"graphPath": ["final"], "isDelta": False, "isInProcess": False}
    return {"id": "f1", "role": "assistant", "content": text, **path, **more}


def tool(result: Any = None, **more: Any) -> dict[str, Any]:
    call: dict[str, Any] = {"name": "svcSqlApi", "input": json.dumps({"sqlQuery": "SELECT 1"})}
    if result is not None:
        call["result"] = result if isinstance(result, str) else json.dumps(result)
    return {
        "id": "t1", "role": "assistant", "toolCall": call, "graphPath": ["svc_data_analyst_agent", "tools"],
        "isInProcess": result is None, **more,
    }  # fmt: skip


def rows(*data: Any, **more: Any) -> dict[str, Any]:
    return {"sqlQuery": "SELECT 1", "schema": SCHEMA, "data": list(data), "totalRows": len(data), "uuid": "q", **more}


def written(*frames: Any, end: bytes = b"\n", last: bytes = b"\n") -> list[bytes]:
    lines = [frame if isinstance(frame, bytes) else json.dumps(frame).encode() for frame in frames]
    return [end.join(lines) + last]


STATE = {"id": "__state__", "state": {"chatId": "th-1"}}
PLAIN = [CUTOFF, USER, final("42", sort=5), STATE]
BAR = json.dumps({"mark": "bar", "encoding": {"x": {"field": "city"}, "y": {"field": "n", "type": "quantitative"}}})


def bytewise(pieces: list[bytes]) -> list[bytes]:
    return [bytes([each]) for each in b"".join(pieces)]


@dataclass
class Told:
    """What must come of a stream."""

    text: str = "42"
    status: str = "complete"
    chat_id: str | None = "th-1"
    frame: list[list[Any]] | None = None
    error: str = ""
    warns: str = ""
    chart: bool = False


VARIANTS: dict[str, tuple[list[bytes], Told]] = {
    "as specified": (written(*PLAIN), Told()),
    "a byte at a time": (bytewise(written(*PLAIN)), Told()),
    "a byte order mark": (written(b"\xef\xbb\xbf" + json.dumps(CUTOFF).encode(), *PLAIN[1:]), Told()),
    "a byte order mark, byte by byte": (bytewise(written(b"\xef\xbb\xbf" + json.dumps(CUTOFF).encode(), *PLAIN[1:])), Told()),
    "carriage returns": (written(*PLAIN, end=b"\r\n"), Told()),
    "no last newline": (written(*PLAIN, last=b""), Told()),
    "blank lines": (written(CUTOFF, b"", b"  ", USER, b"", final("42"), b""), Told()),
    "no terminal frame": (written(CUTOFF, USER, final("42")), Told()),
    "no final and no terminal frame": (written(CUTOFF, USER, agent("42", isInProcess=False)), Told()),
    "no final frame after tools": (
        written(CUTOFF, USER, tool(), tool(rows(["Rome", 3])), agent("42", isInProcess=False)),
        Told(frame=[["Rome", 3]]),
    ),
    "no final, no flags at all": (written(CUTOFF, {"id": "x", "role": "assistant", "content": "42"}), Told()),
    "an answer that was not ended": (
        written(CUTOFF, USER, {**final("4"), "isInProcess": True}), Told("4", "failed", error="ended before"),
    ),
    "a tool that was not ended": (
        written(CUTOFF, USER, agent("Let me see", isInProcess=False), tool()), Told("Let me see", "failed", error="ended before"),
    ),
    "nothing but the cutoff": (written(CUTOFF), Told("", "refused", error="ended before")),
    "deltas without sort": (
        written(CUTOFF, *[{**final(c), "isDelta": True, "isInProcess": True} for c in "42"], final("42")), Told(),
    ),
    "deltas all of one sort": (
        written(CUTOFF, *[{**final(c, sort=3), "isDelta": True} for c in ("4", "2")], final("42", sort=3), STATE), Told(),
    ),
    "a whole answer only": (written(CUTOFF, final("42"), STATE), Told()),
    "frames twice": (written(CUTOFF, USER, USER, final("42", sort=5), final("42", sort=5), STATE), Told()),
    "a path of two": (written(CUTOFF, {**final("42"), "graphPath": ["final", "writer"]}, STATE), Told()),
    "a path of three is not final": (
        written(CUTOFF, final("42"), {**final("draft"), "id": "d", "graphPath": ["final", "a", "b"]}, STATE), Told(),
    ),
    "two finals, the last counts": (written(CUTOFF, final("41", sort=3), {**final("42", sort=9), "id": "f2"}, STATE), Told()),
    "out of order": (written(CUTOFF, {**final("42", sort=9), "id": "f2"}, final("41", sort=3), STATE), Told()),
    "nulls for what is absent": (
        written(CUTOFF, {**final("42"), "thinking": None, "toolCall": None, "sort": None, "state": None}, STATE), Told(),
    ),
    "numbers and flags as text": (written(CUTOFF, {**final("42"), "sort": "7", "isDelta": "false"}, STATE), Told()),
    "content in parts": (written(CUTOFF, {**final(""), "content": [{"type": "text", "text": "42"}]}, STATE), Told()),
    "unknown sentinels and fields": (
        written(CUTOFF, {"id": "__heartbeat__", "beat": 1}, {**final("42"), "brand": {"x": 1}}, STATE), Told(),
    ),
    "a line that is no JSON": (written(CUTOFF, b"{oops", final("42"), STATE), Told(warns="not JSON")),
    "a line that is no object": (written(CUTOFF, b"[1]", final("42"), STATE), Told(warns="not an object")),
    "separators within text": (written(CUTOFF, final("4\u2028\u00852"), STATE), Told("4\u2028\u00852")),
    "an error as a word": (written(CUTOFF, USER, {"error": "no budget"}), Told("", "failed", error="no budget")),
    "an error as an object": (
        written({"error": {"message": "no budget"}}), Told("", "refused", error="no budget"),
    ),
    "an error after half an answer": (
        written(CUTOFF, {**final("4"), "isDelta": True, "isInProcess": True}, {"error": "broke"}),
        Told("4", "failed", error="broke"),
    ),
    "aborted": (
        written(CUTOFF, {**final("4"), "isDelta": True}, {"id": "__aborted__", "type": "abort", "code": "chat_aborted"}),
        Told("4", "aborted"),
    ),
    "rows of every kind": (
        written(CUTOFF, tool(rows(["Rome", "3"], None, ["Oslo"], {"city": "Bonn", "n": 1})), final("42"), STATE),
        Told(frame=[["Rome", 3], [None, None], ["Oslo", None], ["Bonn", 1]]),
    ),
    "a chart over null rows": (
        written(CUTOFF, tool(rows(["Rome", 3], None, ["Oslo", None], vegaSpec=BAR)), final("42"), STATE),
        Told(frame=[["Rome", 3], [None, None], ["Oslo", None]], chart=True),
    ),
    "a result that is an object, not text": (
        written(CUTOFF, {**tool(), "toolCall": {"name": "svcSqlApi", "input": {"sqlQuery": "x"}, "result": rows(["Rome", 3])}}, final("42"), STATE),
        Told(frame=[["Rome", 3]]),
    ),
    "JSON in JSON in JSON": (
        written(CUTOFF, tool(json.dumps(json.dumps(rows(["Rome", 3])))), final("42"), STATE), Told(frame=[["Rome", 3]]),
    ),
    "another brand": (
        written(CUTOFF, {**tool(), "toolCall": {"name": "brandSqlApi", "input": "{}", "result": json.dumps(rows(["Rome", 3]))}}, final("42"), STATE),
        Told(frame=[["Rome", 3]]),
    ),
    "columns named the other way": (
        written(CUTOFF, tool({**rows(["Rome", 3]), "schema": [{"name": "city", "columnType": "string"}, {"name": "n", "columnType": "INT64"}]}), final("42"), STATE),
        Told(frame=[["Rome", 3]]),
    ),
    "a tool that failed": (written(CUTOFF, tool({"error": "no such view"}), final("42"), STATE), Told()),
    "a result that is no JSON": (written(CUTOFF, tool("oops {"), final("42"), STATE), Told(warns="")),
    "no cutoff": (written(USER, final("42"), STATE), Told(chat_id="th-1")),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::svc_notebook.results.frames.ResultWarning")  # told, where a row has too few cells
@pytest.mark.parametrize("name", VARIANTS)
def test_a_stream_is_read_right_or_told(client: Client, house: Independent, name: str) -> None:
    house.stream, told = VARIANTS[name]
    chat = client.chat(external_id="ana")
    if told.status == "refused":
        with pytest.raises(SvcError, match=told.error):
            chat.ask("how many?")
        return
    answer = chat.ask("how many?")
    assert (answer.text, answer.status, answer.chat_id) == (told.text, told.status, told.chat_id)
    assert told.error in (answer.error or "")
    assert bool(answer.error) is bool(told.error)
    if told.frame is not None:
        assert answer.df is not None
        found = answer.df.astype(object).where(answer.df.notna(), None)
        assert found.to_numpy().tolist() == told.frame
    assert any(told.warns in warning for warning in answer.warnings) if told.warns else True
    assert (answer.chart is not None) is told.chart
    assert answer.to_html() and answer.to_markdown()
    asked, *again = house.chats
    assert asked == {"input": "how many?", "sessionSettings": {"externalId": "ana"}}
    assert all("input" not in body for body in again), "what breaks off is read again, never asked twice"


def test_there_are_as_many_variants_as_were_promised() -> None:
    assert len(VARIANTS) >= 38


NOT_STREAMS: dict[str, tuple[int, bytes, str]] = {
    "an HTML page": (200, b"<html>log in</html>", "HTML"),
    "an error object in a 200": (200, b'{"statusCode": 403, "message": "not yours"}', "not yours"),
    "an error status with text": (500, b"out of order", "out of order"),
    "nothing at all": (200, b"", "ended before"),
}


@pytest.mark.parametrize("name", NOT_STREAMS)
def test_what_is_no_stream_is_an_error(client: Client, house: Independent, name: str) -> None:
    house.status, body, words = NOT_STREAMS[name]
    house.stream = [body] if body else []
    with pytest.raises(SvcError, match=words):
        client.chat(external_id="ana").ask("how many?")


def test_an_abort_is_sent_where_the_specification_says(client: Client, house: Independent) -> None:
    house.stream = written(*PLAIN)
    chat = client.chat(external_id="ana")
    chat.ask("how many?")
    chat.abort()
    assert house.aborted in ([], [{"chatId": "th-1", "sessionSettings": {"externalId": "ana"}}])
