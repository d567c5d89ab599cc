"""The collected bad requests: each gets one of its statuses and its text, and a refused one changes nothing."""

from __future__ import annotations

import json
import os
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from svc_notebook.analyst.base import AnswerDelta
from svc_notebook.service.store.accounts import set_tenant
from svc_notebook.service.store.statehash import state_dump

from .service_world import CANARY, CHAT, Gate, World, final_text, lines, tool_results, world

CASES = Path(os.environ.get("SVC_CASES", Path(__file__).parents[3] / "shared" / "cases")) / "http" / "dev.jsonl"
ROWS = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()] if CASES.exists() else []

pytestmark = pytest.mark.skipif(not ROWS, reason=f"no cases at {CASES}")


class Fixture:
    """The world the cases speak of."""

    def __init__(self, w: World) -> None:
        self.w = w
        self.gate = Gate()
        self.open = ExitStack()
        definitions = {
            "groupDefinitions": [{"name": "acme-admins", "description": "D"}],
            "userAttributeDefinitions": [{"name": "territory", "type": "string"}],
        }
        assert w.creator("setup", **definitions).status_code == 200
        assert w.creator("setup", "other-tenant", groupDefinitions=[{"name": "theirs"}]).status_code == 200
        for user in ("user-1", "user-2"):
            region = [{"name": "region", "value": ["EMEA"]}]
            assert w.session(externalId=user, groups=["analysts"], userAttributes=region).status_code == 200
        self.names = {
            "chat_api_url": CHAT,
            "chat_api_url_agent_999": CHAT.replace("data-analyst", "999"),
            "chat_of_user-1": w.ask("first", "user-1")[0]["state"]["chatId"],
            "chat_of_user-2": w.ask("first", "user-2")[0]["state"]["chatId"],
            "recently_completed_chat_of_user-1": w.ask("done", "user-1")[0]["state"]["chatId"],
            "id_of_acme-admins": str(w.listed()["acme-admins"]["id"]),
            "id_of_other-tenant_group": str(w.listed(tenant="other-tenant")["theirs"]["id"]),
            "id_of_territory_attribute": str(w.listed("user-attributes")["territory"]["id"]),
        }

    def name(self, match: re.Match[str]) -> str:
        if match[1] == "active_chat_of_user-1" and match[1] not in self.names:
            self.w.analyst.scripts["never ends"] = self.never_ends
            self.names[match[1]] = self.open.enter_context(self.w.streaming("never ends")).chat_id
        return self.names.get(match[1], match[0])

    async def never_ends(self, turn: Any, toolbox: Any, cancel: Any) -> AsyncIterator[Any]:
        yield AnswerDelta("…")
        await self.gate.passed()

    def filled(self, value: Any) -> Any:
        if isinstance(value, str):
            return re.sub(r"\{([a-z_]+[\w\-]*)\}", self.name, value) if value.startswith(("{", "/")) else value
        if isinstance(value, list):
            return [self.filled(item) for item in value]
        if isinstance(value, dict):
            return {key: self.filled(item) for key, item in value.items()}
        return value


class Worlds:
    """The fixture for the next case: the same one as long as requests are refused, since those change nothing."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._fixture: Fixture | None = None

    def fixture(self, **config: Any) -> Fixture:
        if config:
            self.close()
        if self._fixture is None:
            self._fixture = Fixture(self._stack.enter_context(world(**config)))
        return self._fixture

    def close(self) -> None:
        if self._fixture is not None:
            self._fixture.gate.open()
            self._fixture.open.close()
        self._fixture = None
        self._stack.close()


@pytest.fixture(scope="module")
def worlds() -> Iterator[Worlds]:
    kept = Worlds()
    yield kept
    kept.close()


def generated(parts: list[list[Any]]) -> str:
    return "".join(text * count for text, count in parts)


def content(body: Any) -> bytes | None:
    if body is None:
        return None
    if isinstance(body, dict):
        if "__raw__" in body:
            return str(body["__raw__"]).encode("utf-8", "surrogatepass")
        if "__raw_gen__" in body:
            return generated(body["__raw_gen__"]).encode()
        if "__raw_bytes_hex__" in body:
            return bytes.fromhex(body["__raw_bytes_hex__"])
        body = {
            key.removesuffix("_gen"): generated(value) if key.endswith("_gen") else value for key, value in body.items()
        }
    return json.dumps(body).encode()


def request_headers(raw: dict[str, Any]) -> list[tuple[str, str]]:
    found = []
    for name, value in raw.items():
        if name.endswith("_gen"):
            found.append((name.removesuffix("_gen"), generated(value)))
        else:
            found += [(name, item) for item in (value if isinstance(value, list) else [value])]
    return found


@pytest.mark.parametrize("case", ROWS, ids=[row["id"] for row in ROWS])
def test_case(case: dict[str, Any], worlds: Worlds) -> None:
    pre = case.get("pre") or ""
    fixture = worlds.fixture(**({"tenant_user_limit": 4} if "10,000 external users" in pre else {}))
    w = fixture.w
    if "plan Starter" in pre:
        w.service.store.write(set_tenant, "acme", plan="starter")
    path, body = fixture.filled(case["path"]), fixture.filled(case["body"])
    before = w.service.store.read(state_dump)
    response = send(w, case, path, content(body))
    expected = case["expect_status"] if isinstance(case["expect_status"], list) else [case["expect_status"]]
    text = response.text
    assert response.status_code in expected, text
    assert response.status_code < 500
    assert "Traceback" not in text
    assert not re.search("test-(admin|basic)-key|other-account-key", text)
    assert response.status_code < 400 or "SELECT " not in text
    if case.get("expect_message"):
        assert case["expect_message"] in response.json()["message"]
    if response.status_code >= 400:
        assert w.service.store.read(state_dump) == before, "a refused request changed the state"
        if not (case["endpoint"] == "abort" and response.status_code in {403, 404}):
            assert set(response.json()) == {"statusCode", "error", "message"}
    check_more(w, case, response)
    if response.status_code < 400 or pre:
        worlds.close()


def send(w: World, case: dict[str, Any], path: str, data: bytes | None) -> httpx.Response:
    url = httpx.URL(str(w.http.base_url).rstrip("/"))
    raw = re.sub(r"[^\x21-\x7e]", lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), path)
    request = httpx.Request(case["method"], url.copy_with(raw_path=raw.encode()), content=data)
    request.headers = httpx.Headers([*request.headers.multi_items(), *request_headers(case["headers"])])
    return w.http.send(request)


def check_more(w: World, case: dict[str, Any], response: httpx.Response) -> None:
    check = case.get("check", "")
    if response.status_code == 200 and case["endpoint"] == "chat":
        frames = lines(response.content)
        assert CANARY not in response.text or "CANARY" in json.dumps(case["body"])
        assert frames[-1]["id"] == "__usage__"
        if "data is empty" in check:
            assert tool_results(frames)[0]["data"] == []
        if "exactly one final message" in check:
            finals = {frame["id"] for frame in frames if frame.get("graphPath", [""])[0] == "final"}
            assert len(finals) == 1
            assert final_text(frames)
    if "response body is empty" in check:
        assert response.content == b""
    if "sessionId" in check:
        assert re.fullmatch("[0-9a-f]{32}", response.json()["sessionId"])
    if case.get("state", "").startswith("description is still D"):
        assert w.listed()["acme-admins"]["description"] == "D"
    if "memberships of user-1 are empty" in case.get("state", ""):
        members = w.service.store.read(state_dump)["memberships"]
        assert not [row for row in members if row[0][3] == "user-1"]
