"""JSON queries over the models of ``by_hand``, through HTTP, against the plain SQL that a reader would write for them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import duckdb
import httpx
import pytest

import svc_notebook as svc
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.json_queries.json_load import load
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .test_by_hand import FOLDER, filled

CASES = json.loads((FOLDER / "queries.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, tuple[httpx.Client, Any]]]:
    with ExitStack() as stack:
        found = {}
        for trade in sorted({case[0] for case in CASES}):
            file = tmp_path_factory.mktemp(trade) / "data.duckdb"
            filled(str(file), trade).close()
            client = stack.enter_context(svc.embedded(str(FOLDER / trade), database=str(file)))
            key = client.service.config.tenants[0].api_keys[0].secret()
            headers = {"Authorization": f"Api-Key {key}"}
            http = stack.enter_context(
                httpx.Client(base_url="http://svc.local", transport=client.transport, headers=headers, timeout=60)
            )
            found[trade] = (http, stack.enter_context(filled(":memory:", trade)))
        yield found


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}: {case[1]}")
def test_a_json_query_is_answered_as_plain_sql(
    case: list[Any], services: dict[str, tuple[httpx.Client, duckdb.DuckDBPyConnection]]
) -> None:
    trade, _, query, plain, *user = case
    http, connection = services[trade]
    body = {"query": {**query, "total": True}}
    if user:
        attributes = [{"name": name, "value": value} for name, value in user[0].items()]
        body["sessionSettings"] = {"externalId": "ana", "userAttributes": attributes}
    answer = http.post("/svc-api/v1/load", json=body)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    got = [[_canonical(value) for value in row.values()] for row in found["data"]]
    wanted = [[_canonical(value) for value in row] for row in connection.execute(plain).fetchall()]
    if "order" not in query:
        got.sort(key=repr)
        wanted.sort(key=repr)
    assert got == wanted
    assert found["total"] == len(wanted) or "limit" in query
    keys = {key for kind in found["annotation"].values() for key in kind}
    assert all(set(row) == keys for row in found["data"])


def _canonical(value: Any) -> Any:
    if isinstance(value, datetime):
        value = value.isoformat()
    if isinstance(value, str) and re.fullmatch(r"-?\d+\.\d+", value):
        value = Decimal(value)  # decimals are text in JSON
    if isinstance(value, str):
        try:
            return f"{datetime.fromisoformat(value):%Y-%m-%dT%H:%M:%S}"
        except ValueError:
            return value
    return round(float(value), 6) if isinstance(value, int | float | Decimal) and not isinstance(value, bool) else value


def test_totals_and_pages(services: dict[str, tuple[httpx.Client, Any]]) -> None:
    http, _ = services["shop"]
    query = {"dimensions": ["orders.id"], "order": {"orders.id": "asc"}, "limit": 2, "offset": 117, "total": True}
    found = http.post("/svc-api/v1/load", json={"query": query}).json()
    assert [row["orders.id"] for row in found["data"]] == [118, 119]
    assert found["total"] == 120


def test_the_annotation_names_relation_and_granularity(services: dict[str, tuple[httpx.Client, Any]]) -> None:
    http, _ = services["saas"]
    times = [{"dimension": "events.happened", "granularity": "fiscal_year"}]
    query = {"measures": ["events.users"], "dimensions": ["events.kind"], "timeDimensions": times}
    told = http.post("/svc-api/v1/load", json={"query": query}).json()["annotation"]
    assert told["measures"]["events.users"] == {"title": "Events Users", "shortTitle": "Users", "type": "number"}
    assert told["dimensions"]["events.kind"]["shortTitle"] == "Kind"
    granularity = {"name": "fiscal_year", "title": "Fiscal year", "interval": "1 year"}
    assert told["timeDimensions"]["events.happened.fiscal_year"]["granularity"] == granularity
    assert told["segments"] == {}


def test_ranges_that_are_compared(services: dict[str, tuple[httpx.Client, Any]]) -> None:
    http, connection = services["shop"]
    spans = [["2024-01-01", "2024-01-31"], ["2024-02-01", "2024-02-29"]]
    times = [{"dimension": "orders.placed_at", "granularity": "month", "compareDateRange": spans}]
    answer = http.post(
        "/svc-api/v1/load", json={"query": {"measures": ["orders.count"], "timeDimensions": times}}
    ).json()
    wanted = connection.execute(
        "SELECT COUNT(*) FROM orders WHERE placed_at >= '2024-01-01' AND placed_at < '2024-03-01' "
        "GROUP BY date_trunc('month', placed_at) ORDER BY date_trunc('month', placed_at)"
    ).fetchall()
    assert [(result["data"][0]["orders.count"],) for result in answer["results"]] == wanted


@pytest.mark.parametrize(
    "query, words",
    [
        ({"dimensions": ["orders.status"], "measures": ["orders.count"], "order": {"orders.coupon": "asc"}, "limit": 3}, "dimensions"),
        ({"measures": ["orders.count"], "timeDimensions": [{"dimension": "orders.placed_at", "dateRange": "this 3 days"}]}, "not a date"),
        ({"measures": ["orders.count"], "timeDimensions": [{"dimension": "orders.placed_at", "granularity": "moon"}]}, "moon"),
        ({"measures": ["orders.cuont"]}, "did you mean orders.count"),
        ({"measures": ["orders.count"], "filters": [{"member": "orders.status", "operator": "equal", "values": ["a"]}]}, "did you mean equals"),
        ({"measures": ["orders.count"], "joinHints": []}, "joinHints"),
        ({"measures": ["orders.count"], "timezone": "Mars/Phobos"}, "time zone"),
        ({"measures": ["orders.count"], "segments": ["orders.status"]}, "segment"),
        ({"measures": ["orders.count"], "filters": [{"or": [{"member": "orders.count", "operator": "set"}, {"member": "orders.status", "operator": "set"}]}]}, "all over"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(
    services: dict[str, tuple[httpx.Client, Any]], query: dict[str, Any], words: str
) -> None:
    http, _ = services["shop"]
    answer = http.post("/svc-api/v1/load", json={"query": query})
    assert answer.status_code == 400
    assert words in answer.json()["message"]


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SemanticLayer]:
    """One row for each quarter of an hour of two years; the time zone of the asker is Berlin."""
    file = tmp_path_factory.mktemp("moments") / "data.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute(
            "CREATE TABLE m AS SELECT TIMESTAMP '2023-06-01' + INTERVAL (i * 15) MINUTE AS at FROM range(70000) t(i)"
        )
    cube = {
        "name": "m", "sql_table": "m",
        "dimensions": [{"name": "at", "sql": "at", "type": "time"}],
        "measures": [{"name": "first", "type": "min", "sql": "at"}, {"name": "last", "type": "max", "sql": "at"}],
    }  # fmt: skip
    layer = SemanticLayer(load_model({"cubes": [cube]}), DuckDBEngine.open(file))
    yield layer
    layer.close()


@pytest.mark.parametrize("text, first, last", [
    ("today", "2024-05-31 00:00", "2024-05-31 23:45"),
    ("yesterday", "2024-05-30 00:00", "2024-05-30 23:45"),
    ("tomorrow", "2024-06-01 00:00", "2024-06-01 23:45"),
    ("this week", "2024-05-27 00:00", "2024-06-02 23:45"),
    ("Last Week", "2024-05-20 00:00", "2024-05-26 23:45"),
    ("this month", "2024-05-01 00:00", "2024-05-31 23:45"),
    ("last month", "2024-04-01 00:00", "2024-04-30 23:45"),
    ("this quarter", "2024-04-01 00:00", "2024-06-30 23:45"),
    ("last year", "2023-06-01 02:00", "2023-12-31 23:45"),
    ("last 7 days", "2024-05-24 00:00", "2024-05-30 23:45"),
    ("next 2 months", "2024-06-01 00:00", "2024-07-31 23:45"),
    ("last 2 hours", "2024-05-31 13:00", "2024-05-31 14:45"),
    ("this hour", "2024-05-31 15:00", "2024-05-31 15:45"),
    ("from 3 months ago to now", "2024-02-29 00:00", "2024-05-31 15:15"),
    ("from 7 days ago to now", "2024-05-24 00:00", "2024-05-31 15:15"),
    ("from 1 month ago to today", "2024-04-30 00:00", "2024-05-31 23:45"),
    ("from 2 hours ago to now", "2024-05-31 13:00", "2024-05-31 15:15"),
    ("from 2024-01-01 to yesterday", "2024-01-01 00:00", "2024-05-30 23:45"),
    ("20240229", "2024-02-29 00:00", "2024-02-29 23:45"),
])  # fmt: skip
def test_relative_ranges(moments: SemanticLayer, text: str, first: str, last: str) -> None:
    """On the last day of May, at 15:20 in Berlin."""
    now = datetime(2024, 5, 31, 15, 20, tzinfo=ZoneInfo("Europe/Berlin"))
    query = {
        "measures": ["m.first", "m.last"],
        "timezone": "Europe/Berlin",
        "timeDimensions": [{"dimension": "m.at", "dateRange": text}],
    }
    (answer,) = load(moments, SecurityContext.operator(), query, now=now)
    found = [column[0].as_py() for column in answer.result.table.columns]
    assert [f"{moment:%Y-%m-%d %H:%M}" for moment in found] == [first, last]
