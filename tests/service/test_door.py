"""The HTTP door: what the log says and does not say, what raw bytes get, and the configuration."""

from __future__ import annotations

import copy
import logging
import pickle
import socket
from pathlib import Path
from typing import Any

import pytest

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import QueryError
from svc_notebook.service.config import AgentConfig, ApiKey, ConfigError, load_config
from svc_notebook.service.web.door import error_response

from .service_world import ADMIN, BASIC, CHAT, OTHER, World


def raw(w: World, data: bytes) -> bytes:
    """Send bytes as they are; everything that comes back until the connection closes."""
    url = w.http.base_url
    with socket.create_connection((url.host, url.port), timeout=60) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while chunk := connection.recv(65_536):
            received += chunk
    return received


def test_the_access_log_holds_no_secret(w: World, caplog: Any) -> None:
    with caplog.at_level(logging.DEBUG, logger="svc_notebook"):
        session_id = w.session(externalId="ana").json()["sessionId"]
        w.get(f"/embed/d/32/chat?session={session_id}")
        token = w.post("/api/v1/embed/session/token", {"sessionId": session_id}, None).json()["token"]
        w.chat({"input": "a private question"}, key=f"Bearer {token}")
        w.get("/svc-api/v1/meta", "wrong-secret-key")
        text = "\n".join(record.getMessage() for record in caplog.records)
    assert "POST /api/v1/embed/generate-session 200" in text
    for secret in (session_id, token, ADMIN, "wrong-secret-key", "private"):
        assert secret not in text


def test_an_error_nobody_foresaw_is_logged_and_not_told(w: World, caplog: Any) -> None:
    def fail(cancel: Any) -> None:
        raise ZeroDivisionError("internal detail")

    w.layer.before_query = fail
    response = w.post("/svc-api/v1/sql", {"query": "SELECT * FROM orders"})
    assert response.status_code == 500
    assert "detail" not in response.text
    assert response.headers["x-request-id"] in response.json()["message"]
    [record] = [record for record in caplog.records if record.exc_info]
    assert response.headers["x-request-id"] in record.getMessage()


def test_both_lengths_are_refused_and_nothing_smuggled_is_answered(w: World) -> None:
    inner = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    answer = raw(
        w, b"POST /api/v1/embed/session/revoke HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + inner,
    )  # fmt: skip
    assert answer.startswith(b"HTTP/1.1 400")
    assert b"openapi" not in answer


def test_a_body_that_never_comes_does_not_hold_the_service(opened: Any) -> None:
    from .service_world import world

    with world(body_timeout=0.2) as w:
        url = w.http.base_url
        with socket.create_connection((url.host, url.port), timeout=60) as connection:
            connection.sendall(
                b"POST /api/v1/embed/session/revoke HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b"Content-Length: 10\r\n\r\n{"
            )
            assert connection.recv(4096).startswith(b"HTTP/1.1 408")


def test_a_non_admin_key_and_repr() -> None:
    assert ADMIN not in repr(ApiKey(ADMIN, admin=True))
    assert BASIC not in str([ApiKey(BASIC)])


def test_configuration_from_yaml(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("THE_KEY", "from the environment")
    path = tmp_path / "service.yml"
    path.write_text(
        "account: acme\nplan: premium\nsession_ttl: 60\nattributes: {region: string_array, level: {type: number}}\n"
        "groups: [a, {name: b, description: B}]\napi_keys: [{key_env: THE_KEY, admin: true}]\n"
    )
    config = load_config(path, base_url="http://x")
    [tenant] = config.tenants
    assert (tenant.name, tenant.plan, config.session_ttl, config.base_url) == ("acme", "premium", 60, "http://x")
    assert [(item.name, item.type) for item in tenant.attributes] == [("region", "string_array"), ("level", "number")]
    assert [group.name for group in tenant.groups] == ["a", "b"]
    assert tenant.api_keys[0].secret() == "from the environment"


@pytest.mark.parametrize("text,message", [
    ("plann: premium", "plann"), ("[1]", "mapping"), ("attributes: {a: text}", "attributes.a.type: .text. is not one of"),
    ("tenants: []\nplan: x", "inside one of the tenants"), ("session_ttl: soon", "session_ttl"),
])  # fmt: skip
def test_a_configuration_that_does_not_hold(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "service.yml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message):
        load_config(path)


def test_a_key_that_is_not_set_is_named(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(ConfigError, match="NO_SUCH_KEY"):
        ApiKey(key_env="NO_SUCH_KEY").secret()


def test_the_chat_path_has_no_trailing_slash_redirect(w: World) -> None:
    assert w.chat(input="x").status_code == 200
    assert w.post(CHAT + "/", {"input": "x"}).status_code == 404
    assert w.post("/" + CHAT, {"input": "x"}).status_code == 404


@pytest.mark.parametrize("encoding", ["gzip", "br", "GZIP", "identity, gzip", "x"])
def test_a_body_that_says_it_is_encoded_is_not_read_as_it_is(w: World, encoding: str) -> None:
    headers = {"Authorization": f"Api-Key {ADMIN}", "Content-Encoding": encoding}
    answer = w.http.post("/svc-api/v1/sql", json={"query": "SELECT * FROM orders"}, headers=headers)
    assert (answer.status_code, "Content-Encoding" in answer.json()["message"]) == (415, True)
    headers["Content-Encoding"] = "identity"
    assert w.http.post("/svc-api/v1/sql", json={"query": "SELECT * FROM orders"}, headers=headers).status_code == 200


def test_a_key_learns_nothing_of_other_accounts(w: World) -> None:
    """Another account and a key that nobody has are answered alike; an account that is not there is not found."""
    body = {"input": "orders", "sessionSettings": {"externalId": "ana"}}
    answers = [
        w.post(CHAT.replace("acme", account), body, key)
        for account, key in (("acme", OTHER), ("globex", ADMIN), ("acme", "wrong"))
    ]
    assert {answer.status_code for answer in answers} == {401}
    for part in ("acme", "data-analyst"):
        assert w.post(CHAT.replace(part, "nobody"), body).status_code == 404


def test_keys_are_not_pickled(w: World) -> None:
    config = w.service.config
    with pytest.raises(TypeError, match="key_env"):
        pickle.dumps(config)
    with pytest.raises(TypeError, match="environment"):
        pickle.dumps(AgentConfig(options={"api_key": "sk-1"}))
    assert copy.deepcopy(config).tenants[0].api_keys == config.tenants[0].api_keys
    named = ApiKey(key_env="ACME_KEY", admin=True)
    assert pickle.loads(pickle.dumps(named)) == named
    assert "sk-1" not in repr(AgentConfig(options={"api_key": "sk-1"}))


def test_a_query_that_its_own_values_make_fail_is_the_askers_to_mend() -> None:
    engine = DuckDBEngine.open(None, data={"t": {"a": [2**62]}})
    with pytest.raises(QueryError) as told:
        engine.execute("SELECT a * 4 FROM t", {})
    engine.close()
    answer = error_response(told.value)
    assert answer is not None
    assert (answer.status_code, b"out of range" in bytes(answer.body)) == (400, True)
