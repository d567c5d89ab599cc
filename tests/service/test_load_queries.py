"""JSON queries as the page on the wire describes them: every key of its table, and the usual order and limit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.semantic.json_queries.json_order import MAX_ROWS, ROW_LIMIT

MODEL = """
cubes:
  - name: sales
    sql_table: sales
    dimensions:
      - {name: region, sql: region, type: string}
      - {name: status, sql: status, type: string}
      - {name: ordered_at, sql: ordered_at, type: time}
    measures:
      - {name: count, type: count}
      - {name: revenue, sql: amount, type: sum}
    segments:
      - {name: big, sql: "{CUBE}.amount > 15"}
"""
SALES = pd.DataFrame(
    {
        "region": ["EMEA", "EMEA", "APAC", "APAC"],
        "status": ["paid", "new", "paid", "paid"],
        "amount": [10.0, 20.0, 30.0, 40.0],
        "ordered_at": pd.to_datetime(["2024-01-10", "2024-01-20", "2024-03-05", "2023-12-31"]),
    }
)
KEY = "a key of these tests"


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    model = tmp_path_factory.mktemp("model") / "sales.yml"
    model.write_text(MODEL, "utf-8")
    with (
        svc.embedded(model=model, data={"sales": SALES}, config={"api_keys": [{"key": KEY, "admin": True}]}) as client,
        httpx.Client(transport=client.transport, base_url=client.base_url) as http,
    ):
        http.headers["Authorization"] = f"Api-Key {KEY}"
        yield http


def loaded(http: httpx.Client, **query: Any) -> Any:
    response = http.post("/svc-api/v1/load", json={"query": query})
    assert response.status_code == 200, response.text
    return response.json()


def values(http: httpx.Client, **query: Any) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in loaded(http, **query)["data"]]


REVENUE = {"measures": ["sales.revenue"], "dimensions": ["sales.region"]}
BY_MONTH = {"dimension": "sales.ordered_at", "granularity": "month"}


def test_without_an_order_time_leads_then_the_first_measure_then_the_first_dimension(http: httpx.Client) -> None:
    assert values(http, **REVENUE) == [("APAC", 70), ("EMEA", 30)]
    assert values(http, dimensions=["sales.status"]) == [("new",), ("paid",)]
    months = values(http, measures=["sales.count"], timeDimensions=[BY_MONTH])
    assert [row[1] for row in months] == [1, 2, 1]


@pytest.mark.parametrize("order", [{"sales.region": "desc"}, [["sales.region", "desc"]]])
def test_an_order_is_an_object_or_pairs(http: httpx.Client, order: Any) -> None:
    assert [row[0] for row in values(http, **REVENUE, order=order)] == ["EMEA", "APAC"]


def test_segments_filters_limits_and_totals(http: httpx.Client) -> None:
    assert values(http, **REVENUE, segments=["sales.big"]) == [("APAC", 70), ("EMEA", 20)]
    paid = {"member": "sales.status", "operator": "equals", "values": ["paid"]}
    emea = {"member": "sales.region", "operator": "equals", "values": ["EMEA"]}
    assert values(http, measures=["sales.count"], filters=[{"or": [paid, emea]}]) == [(4,)]
    assert values(http, measures=["sales.count"], filters=[paid, emea]) == [(1,)]
    much = {"member": "sales.revenue", "operator": "gt", "values": [50]}
    assert values(http, **REVENUE, filters=[much]) == [("APAC", 70)]
    answer = loaded(http, **REVENUE, limit=1, offset=1, total=True)
    assert ([row["sales.region"] for row in answer["data"]], answer["total"]) == (["EMEA"], 2)
    mixed = http.post("/svc-api/v1/load", json={"query": {**REVENUE, "filters": [{"or": [paid, much]}]}})
    assert "all over dimensions or all over measures" in mixed.json()["message"]


def test_ranges_compared_ranges_gaps_and_rows(http: httpx.Client) -> None:
    january = {**BY_MONTH, "dateRange": ["2024-01-01", "2024-01-20"]}
    assert [row[1] for row in values(http, measures=["sales.count"], timeDimensions=[january])] == [2]
    ranges = {**BY_MONTH, "compareDateRange": [["2024-01-01", "2024-01-31"], ["2024-03-01", "2024-03-31"]]}
    compared = loaded(http, measures=["sales.count"], timeDimensions=[ranges])
    assert compared["queryType"] == "compareDateRangeQuery"
    assert [[row["sales.count"] for row in each["data"]] for each in compared["results"]] == [[2], [1]]
    filled = values(http, measures=["sales.count"], timeDimensions=[BY_MONTH], fillMissingDates=True)
    assert [row[1] for row in filled] == [1, 2, 0, 1]
    assert len(values(http, dimensions=["sales.status"], ungrouped=True)) == 4
    zoned = loaded(
        http, measures=["sales.count"], dimensions=["sales.ordered_at.month"], timezone="America/New_York",
        filters=[{"member": "sales.region", "operator": "equals", "values": ["APAC"]}],
    )  # fmt: skip
    assert sorted(row["sales.ordered_at.month"][:7] for row in zoned["data"]) == ["2023-12", "2024-03"]


def test_the_page_names_the_limits(root: Path) -> None:
    [told] = re.findall(r"\| `limit`, `offset` \| ([\d,]+) rows if nothing is said, at most ([\d,]+) \|", (root / "docs/wire.md").read_text("utf-8"))  # fmt: skip
    assert [int(number.replace(",", "")) for number in told] == [ROW_LIMIT, MAX_ROWS]
