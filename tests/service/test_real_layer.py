"""The service over the real semantic layer and the offline analyst."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pyarrow as pa
import pytest

import svc_notebook as svc
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.service.deployments.branches import Branches

from .service_world import final_text, lines

MODEL: dict[str, Any] = {
    "cubes": [{
        "name": "orders", "sql_table": "orders",
        "dimensions": [
            {"name": "id", "sql": "id", "type": "number", "primary_key": True},
            {"name": "region", "sql": "region", "type": "string"},
        ],
        "measures": [{"name": "count", "type": "count"}, {"name": "revenue", "sql": "amount", "type": "sum"}],
        "access_policy": [{
            "group": "*",
            "member_level": {"includes": "*"},
            "row_level": {"filters": [
                {"member": "region", "operator": "equals", "values": ["{ userAttributes.region }"]},
            ]},
        }],
    }],
}  # fmt: skip
DATA = {"orders": pa.table({"id": [1, 2, 3], "region": ["EMEA", "EMEA", "APAC"], "amount": [1.0, 2.0, 4.0]})}
CHAT = "/api/v1/public/local/agents/data-analyst/chat/stream-chat-state"
EMEA = {"externalId": "ana", "userAttributes": [{"name": "region", "value": ["EMEA"]}]}


@pytest.fixture(scope="module")
def http() -> Iterator[httpx.Client]:
    with svc.embedded(MODEL, data=DATA) as client:
        key = client.service.config.tenants[0].api_keys[0].secret()
        headers = {"Authorization": f"Api-Key {key}"}
        with httpx.Client(base_url="http://svc.local", transport=client.transport, headers=headers) as http:
            yield http


def test_a_question_is_answered_under_the_askers_policy(http: httpx.Client) -> None:
    body = {"input": "revenue by region", "sessionSettings": EMEA}
    frames = lines(http.post(CHAT, json=body).content)
    assert "EMEA" in final_text(frames)
    assert "APAC" not in json.dumps(frames)
    assert frames[-2]["id"] == "__state__"


def test_json_queries(http: httpx.Client) -> None:
    query = {"measures": ["orders.revenue"], "dimensions": ["orders.region"], "order": {"orders.region": "asc"}}
    whole = http.post("/svc-api/v1/load", json={"query": query}).json()
    assert [row["orders.region"] for row in whole["data"]] == ["APAC", "EMEA"]
    assert set(whole["annotation"]) == {"measures", "dimensions", "segments", "timeDimensions"}
    part = http.post("/svc-api/v1/load", json={"query": query, "sessionSettings": EMEA}).json()
    assert [row["orders.region"] for row in part["data"]] == ["EMEA"]
    wrong = http.post("/svc-api/v1/load", json={"query": {"measures": ["orders.revenu"]}})
    assert wrong.status_code == 400
    assert "revenu" in wrong.json()["message"]


def test_explain_shows_the_row_filter(http: httpx.Client) -> None:
    body = {"query": "SELECT region, MEASURE(revenue) FROM orders GROUP BY 1", "sessionSettings": EMEA}
    told = http.post("/svc-api/v1/sql/explain", json=body).json()
    assert told["rowFilters"][0]["cube"] == "orders"
    missing = {"query": body["query"], "sessionSettings": {"externalId": "nobody"}}
    rows = lines(http.post("/svc-api/v1/sql", json=missing).content)
    assert rows[1:] == [{"data": []}]
    assert "region" in rows[0]["notes"][0]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT region, MEASURE(revenue), COUNT(*) FROM orders GROUP BY 1",
        "SELECT COUNT(*) AS n, AVG(LENGTH(region)) AS mean, MAX(LENGTH(region)) AS most, MIN(region) AS low FROM orders",
        "SELECT LENGTH(region) > 2 AS large, CAST('2024-05-01' AS DATE) AS day, CAST('2024-05-01' AS TIMESTAMP) AS at FROM orders",
    ],
)
def test_explain_tells_the_types_that_the_query_returns(http: httpx.Client, query: str) -> None:
    told = http.post("/svc-api/v1/sql/explain", json={"query": query}).json()["schema"]
    returned = lines(http.post("/svc-api/v1/sql", json={"query": query}).content)[0]["schema"]
    assert told == returned


def test_branches_of_a_real_model(tmp_path: Path) -> None:
    import yaml

    engine = DuckDBEngine.open(None, data=DATA)
    model = tmp_path / "model"
    other = json.loads(json.dumps(MODEL))
    other["cubes"][0]["measures"].append({"name": "biggest", "sql": "amount", "type": "max"})
    for folder, content in ((model, MODEL), (tmp_path / "branches" / "dev", other)):
        folder.mkdir(parents=True)
        (folder / "orders.yml").write_text(yaml.safe_dump(content))
    branches = Branches(
        SemanticLayer(load_model(model), engine), model, lambda path: SemanticLayer(load_model(path), engine)
    )
    from svc_notebook.semantic.context import SecurityContext

    ctx = SecurityContext.operator()
    assert "biggest" not in branches["main"].catalog(ctx).relations["orders"].members
    assert "biggest" in branches["dev"].catalog(ctx).relations["orders"].members
    engine.close()
