"""What an asker is told of the policies that bind them: their own values and what they see, nothing of what is hidden."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pyarrow as pa
import pytest

import svc_notebook as svc
from svc_notebook.embedded import EmbeddedClient

HIDDEN = ("vault", "clearance", "CANARY", "Merger", "unlisted", "owners")
DATA = {
    "deals": pa.table({
        "id": [1, 2, 3], "region": ["EMEA", "EMEA", "APAC"], "project": ["Bridge", "CANARY Merger", "Road"],
        "clearance": [1, 2, 3], "owner": [1, 2, 1], "amount": [1.0, 2.0, 4.0],
    }),
    "vault": pa.table({"id": [1, 2], "unlisted": [False, True]}),
}  # fmt: skip


def _filter(member: str, operator: str, *values: Any) -> dict[str, Any]:
    return {"member": member, "operator": operator, "values": list(values)}


def model() -> dict[str, Any]:
    def dimension(name: str, kind: str) -> dict[str, Any]:
        return {"name": name, "sql": name, "type": kind, "primary_key": name == "id", "public": True}

    rows = [
        _filter("region", "equals", "{ userAttributes.region }"),
        _filter("project", "notEquals", "CANARY Merger"),
        _filter("clearance", "lt", 9),
        {"or": [_filter("owners.unlisted", "equals", False), _filter("project", "notContains", "CANARY")]},
    ]
    deals = {
        "name": "deals",
        "sql_table": "deals",
        "joins": [{"name": "owners", "relationship": "many_to_one", "sql": "{CUBE}.owner = {owners}.id"}],
        "dimensions": [
            dimension("id", "number"), dimension("region", "string"), dimension("project", "string"), dimension("clearance", "number"),
        ],
        "measures": [{"name": "revenue", "sql": "amount", "type": "sum"}],
        "access_policy": [
            {"group": "*", "member_level": {"includes": "*", "excludes": ["clearance"]}, "row_level": {"filters": rows}},
        ],
    }  # fmt: skip
    owners = {
        "name": "owners",
        "public": False,
        "sql_table": "vault",
        "dimensions": [dimension("id", "number"), dimension("unlisted", "boolean")],
        "access_policy": [{"group": "*", "row_level": {"filters": [_filter("unlisted", "equals", False)]}}],
    }
    view = {"name": "business", "cubes": [{"join_path": "deals", "includes": ["region", "project", "revenue"]},
                                          {"join_path": "deals.owners", "includes": [{"name": "id", "alias": "holder"}]}]}  # fmt: skip
    return {"cubes": [deals, owners], "views": [view]}


@pytest.fixture(scope="module")
def client() -> Iterator[EmbeddedClient]:
    with svc.embedded(model(), data=DATA) as opened:
        yield opened


@pytest.fixture(scope="module")
def key(client: EmbeddedClient) -> str:
    return str(client.service.config.tenants[0].api_keys[0].secret())


@pytest.fixture(scope="module")
def http(client: EmbeddedClient) -> Iterator[httpx.Client]:
    with httpx.Client(base_url="http://svc.local", transport=client.transport) as opened:
        yield opened


@pytest.fixture(scope="module")
def token(http: httpx.Client, key: str) -> dict[str, str]:
    body = {
        "deploymentId": 1,
        "externalId": "ana",
        "userAttributes": [{"name": "region", "value": ["EMEA"]}],
    }
    made = http.post("/api/v1/embed/generate-session", json=body, headers={"Authorization": f"Api-Key {key}"}).json()
    told = http.post("/api/v1/embed/session/token", json={"sessionId": made["sessionId"]}).json()
    return {"Authorization": f"Bearer {told['token']}"}


QUERIES = [
    "SELECT region, MEASURE(revenue) FROM deals GROUP BY 1",
    "SELECT region, MEASURE(revenue) FROM business GROUP BY 1",
]


@pytest.mark.parametrize("query", QUERIES)
def test_a_user_is_told_their_own_values_and_nothing_hidden(
    query: str, http: httpx.Client, token: dict[str, str]
) -> None:
    answer = http.post("/svc-api/v1/sql", json={"query": query}, headers=token)
    assert answer.status_code == 200, answer.text
    head = json.loads(answer.text.splitlines()[0])
    told = json.dumps(head["rowFilters"], ensure_ascii=False)
    assert "region is 'EMEA'" in told
    assert "project is not …" in told
    assert not [word for word in HIDDEN if word in told], told


def test_the_compiled_sql_is_for_holders_of_a_key(http: httpx.Client, token: dict[str, str], key: str) -> None:
    body: dict[str, Any] = {"query": QUERIES[0]}
    refused = http.post("/svc-api/v1/sql/explain", json=body, headers=token)
    assert refused.status_code == 403
    assert not [word for word in HIDDEN if word in refused.text]
    ana = {"externalId": "ana"}
    whole = http.post(
        "/svc-api/v1/sql/explain", json={**body, "sessionSettings": ana}, headers={"Authorization": f"Api-Key {key}"}
    ).json()
    assert "CANARY Merger" in whole["rowFilters"][0]["filter"]
    assert "clearance" in whole["sql"]


def test_the_analyst_tells_nothing_hidden(http: httpx.Client, token: dict[str, str]) -> None:
    chat = "/api/v1/public/local/agents/data-analyst/chat/stream-chat-state"
    for text in (
        "revenue by region",
        "revenue by project",
        "which projects are there",
        "who are the owners",
        "clearance",
    ):
        answer = http.post(chat, json={"input": text}, headers=token)
        assert answer.status_code == 200
        said = answer.text.replace(text, "")
        assert not [word for word in HIDDEN if word in said], text
