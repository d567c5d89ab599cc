"""Session exchange and revocation, authentication, the data API, and the one shape of errors."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from svc_notebook.protocol.data import ARROW_STREAM

from ..service.service_world import ADMIN, BASIC, CHAT, World, final_text, headers, lines
from .conftest import Names
from .test_generate_session import refused

TOKEN = "/api/v1/embed/session/token"
REVOKE = "/api/v1/embed/session/revoke"
SQL = "/svc-api/v1/sql"
REGION = {"name": "region", "value": ["EMEA"]}


def test_a_session_is_exchanged_once(w: World, n: Names) -> None:
    session_id = w.session(externalId=n.user).json()["sessionId"]
    token = w.post(TOKEN, {"sessionId": session_id}, None).json()
    assert list(token) == ["token"]
    refused(w.post(TOKEN, {"sessionId": session_id}, None), 401)
    for wrong in ("0" * 32, "x", "", session_id.upper()):
        refused(w.post(TOKEN, {"sessionId": wrong}, None), 401)
    refused(w.post(TOKEN, {"sessionId": 5}, None), 400)


def test_revoking_ends_session_and_token(w: World, n: Names) -> None:
    session_id = w.session(externalId=n.user, userAttributes=[REGION]).json()["sessionId"]
    token = "Bearer " + w.post(TOKEN, {"sessionId": session_id}, None).json()["token"]
    assert final_text(lines(w.chat({"input": "orders"}, key=token).content)) == "There are 2 rows."
    for _ in range(2):
        assert w.post(REVOKE, {"sessionId": session_id}, None).status_code == 204
    refused(w.chat({"input": "orders"}, key=token), 401)
    unused = w.session(externalId=n.user).json()["sessionId"]
    w.post(REVOKE, {"sessionId": unused}, None)
    refused(w.post(TOKEN, {"sessionId": unused}, None), 401)
    assert w.post(REVOKE, {"sessionId": "unknown"}, None).status_code == 204


def test_a_token_acts_for_its_user_only(w: World, n: Names) -> None:
    """With a user token the identity comes from the token; settings that name another user are 403."""
    token = "Bearer " + w.token(externalId=n.user, userAttributes=[REGION])
    for settings in ({"externalId": "other"}, {"internalId": "ivy@example.com"}, {"userAttributes": []},
                     {"groups": []}, {"securityContext": {}}):  # fmt: skip
        refused(w.chat({"input": "x", "sessionSettings": settings}, key=token), 403)
        refused(w.post(SQL, {"query": "SELECT * FROM orders", "sessionSettings": settings}, token), 403)
    assert w.chat({"input": "x", "sessionSettings": {"externalId": n.user}}, key=token).status_code == 200
    for path in ("/api/v1/embed/generate-session", "/api/v1/embed-tenants/acme-corp/groups"):
        method = (
            w.post(path, {"deploymentId": 32, "externalId": n.user}, token)
            if "generate" in path
            else w.get(path, token)
        )
        refused(method, 401)


def test_creator_mode_session_resolves_in_its_embed_tenant(w: World, n: Names) -> None:
    made = w.creator(n.user, n.tenant, userAttributeDefinitions=[{"name": "region", "type": "string_array"}],
                     userAttributes=[{"name": "region", "value": ["APAC"]}])  # fmt: skip
    token = w.post(TOKEN, {"sessionId": made.json()["sessionId"]}, None).json()["token"]
    assert "APAC" in w.chat({"input": "orders"}, key=f"Bearer {token}").text
    w.session(externalId=n.user, userAttributes=[REGION])  # the tenant-wide user of that name is another one
    assert "EMEA" not in w.chat({"input": "orders"}, key=f"Bearer {token}").text


def test_a_key_may_be_limited_to_deployments(w: World, n: Names) -> None:
    path = "/api/v1/embed/generate-session"
    assert w.post(path, {"deploymentId": 33, "externalId": n.user}, "scoped-key").status_code == 200
    refused(w.post(path, {"deploymentId": 32, "externalId": n.user}, "scoped-key"), 403)
    refused(w.post(path, {"deploymentId": 34, "externalId": n.user}, "scoped-key"), 404)
    sales = CHAT.replace("data-analyst", "sales")
    refused(w.post(sales, {"input": "x", "sessionSettings": {"externalId": n.user}}, "scoped-key"), 403)


def test_any_account_key_generates_sessions(w: World, n: Names) -> None:
    body = {"deploymentId": 32, "externalId": n.user}
    assert w.post("/api/v1/embed/generate-session", body, BASIC).status_code == 200


def test_data_api_lines(w: World, n: Names) -> None:
    """A line schema, one or more lines data (at least one, even when empty), then end."""
    settings = {"externalId": n.user, "userAttributes": [REGION]}
    response = w.post(SQL, {"query": "SELECT id, region FROM orders", "sessionSettings": settings})
    head, *data = lines(response.content)
    assert [(column["name"], column["column_type"]) for column in head["schema"]] == [
        ("id", "Int64"),
        ("region", "String"),
    ]
    assert data == [{"data": [[1, "EMEA"], [2, "EMEA"]]}]
    assert head["rowFilters"][0]["cube"] == "orders"
    nobody = w.post(SQL, {"query": "SELECT id FROM orders", "sessionSettings": {"externalId": n.user + "x"}})
    assert lines(nobody.content)[1:] == [{"data": []}]


def test_data_api_arrow(w: World) -> None:
    accept = {"Accept": ARROW_STREAM, **headers(ADMIN)}
    response = w.http.post(SQL, json={"query": "SELECT * FROM orders"}, headers=accept)
    if response.headers.get("svc-table") == "reference":
        return  # in process the table itself is handed over
    assert response.headers["content-type"] == ARROW_STREAM
    table = pa.ipc.open_stream(response.content).read_all()
    assert table.num_rows == 4
    assert table.schema.field("id").type == pa.int64()
    assert b"svc" in table.schema.metadata


def test_data_api_authentication(w: World, n: Names) -> None:
    query = {"query": "SELECT * FROM orders"}
    refused(w.post(SQL, query, None), 401)
    refused(w.post(SQL, query, BASIC), 403)
    assert len(lines(w.post(SQL, query).content)[1]["data"]) == 4  # the administrator sees all rows
    token = "Bearer " + w.token(externalId=n.user, userAttributes=[REGION])
    assert len(lines(w.post(SQL, query, token).content)[1]["data"]) == 2


@pytest.mark.parametrize("query", ["", "  ", "nonsense", "SELECT * FROM secrets", "SELECT ghost FROM orders"])
def test_data_api_refuses_before_the_first_line(w: World, query: str) -> None:
    refused(w.post(SQL, {"query": query}), 400)


def test_explain_and_meta(w: World, n: Names) -> None:
    """`sql/explain` returns the compiled SQL and the row filters applied; meta lists members the user may see."""
    w.session(externalId=n.user, userAttributes=[REGION])
    told = w.post(
        f"{SQL}/explain", {"query": "SELECT id FROM orders", "sessionSettings": {"externalId": n.user}}
    ).json()
    assert told["rowFilters"] == [{"cube": "orders", "filter": "region IN (?)", "reason": "userAttributes.region"}]
    assert "WHERE" in told["sql"]
    meta = w.get(f"/svc-api/v1/meta?externalId={n.user}").json()
    assert [cube["name"] for cube in meta["cubes"]] == ["orders"]
    refused(w.get("/svc-api/v1/meta?externalId=never-seen"), 404)


@pytest.mark.parametrize("raw,status", [
    (b"", 400), (b"[]", 400), (b"null", 400), (b'{"a":', 400), (b'{"deploymentId":NaN}', 400), (b'{"a":1,"a":1}', 400),
    (b'{"a":"\\ud800"}', 400), (b'{"a":\xff}', 400), (b"[" * 100_000, 400), (b'{"a":' * 70 + b"1" + b"}" * 70, 400),
    (b'{"deploymentId":1' + b"0" * 5000 + b"}", 400), (b'{"deploymentId":1e999}', 400), (b"x" * 2_000_000, 413),
])  # fmt: skip
def test_strict_json(w: World, raw: bytes, status: int) -> None:
    response = w.http.post("/api/v1/embed/generate-session", content=raw,
                           headers={**headers(ADMIN), "Content-Type": "application/json"})  # fmt: skip
    refused(response, status)


@pytest.mark.parametrize("kind,status", [("text/plain", 415), ("application/json; charset=latin-1", 415), ("", 415),
                                         ("application/json; charset=UTF-8", 200), ("APPLICATION/JSON", 200)])  # fmt: skip
def test_content_type(w: World, n: Names, kind: str, status: int) -> None:
    """Request headers: `Content-Type: application/json` (required)."""
    raw = b'{"deploymentId":32,"externalId":"%s"}' % n.user.encode()
    response = w.http.post(
        "/api/v1/embed/generate-session", content=raw, headers={**headers(ADMIN), "Content-Type": kind}
    )
    assert response.status_code == status


def test_one_error_shape(w: World) -> None:
    """`{"statusCode": 400, "error": "Bad Request", "message": "…"}` on every error of every endpoint."""
    for response in (
        w.get("/nowhere"),
        w.get(CHAT),
        w.post("/api/v1/embed/generate-session", []),
        w.get("/svc-api/v1/meta", None),
    ):
        body: dict[str, Any] = response.json()
        assert set(body) == {"statusCode", "error", "message"}
        assert body["statusCode"] == response.status_code
        assert response.headers["x-request-id"]


def test_headers_that_must_be_single(w: World) -> None:
    both = [("Authorization", f"Api-Key {ADMIN}"), ("Authorization", f"Api-Key {ADMIN}")]
    refused(w.http.get("/svc-api/v1/meta", headers=both), 400, "authorization")


def test_request_ids(w: World) -> None:
    assert w.http.get("/nowhere", headers={"X-Request-Id": "abc-1"}).headers["x-request-id"] == "abc-1"
    assert w.http.get("/nowhere", headers={"X-Request-Id": "a b<script>"}).headers["x-request-id"] != "a b<script>"


def test_suggestions(w: World, n: Names) -> None:
    path = CHAT.replace("stream-chat-state", "suggestions")
    assert w.get(f"{path}?externalId={n.user}").json() == {"suggestions": ["How many orders are there?"]}


def test_openapi_document(w: World) -> None:
    document = w.get("/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    assert "/api/v1/embed/generate-session" in document["paths"]
