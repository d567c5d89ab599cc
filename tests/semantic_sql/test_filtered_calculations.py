"""Filters of a measure that holds aggregates of its own are over the rows of those, wherever it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import InvalidQuery
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .shop import dimension, rows

DONE = [{"sql": "{CUBE}.done"}]
DATA = {
    "orders": pa.table(
        {"id": [1, 2, 3, 4, 5], "buyer": [1, 1, 2, 2, None], "amount": [2, 50, 7, 9, 20], "done": [True, True, False, True, True]}
    ),
    "buyers": pa.table({"id": [1, 2], "city": ["x", "y"], "credit": [10, 20], "done": [True, False]}),
}  # fmt: skip
KEY = dimension("id", "number", primary_key=True, public=True)


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    def measure(name: str, sql: str, **more: Any) -> dict[str, Any]:
        return {"name": name, "type": "number", "sql": sql, **more}

    orders = {
        "name": "orders", "sql_table": "orders", "dimensions": [KEY],
        "joins": [{"name": "buyers", "relationship": "many_to_one", "sql": "{CUBE}.buyer = {buyers}.id"}],
        "measures": [
            {"name": "n", "type": "count"},
            measure("total", "SUM({CUBE}.amount)", filters=DONE),
            measure("share", "SUM(amount) FILTER (WHERE {CUBE}.id > 1) / COUNT(*)", filters=DONE),
            measure("middle", "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY amount)", filters=DONE),
            measure("above", "{total} + 1"),
            measure("of_y", "SUM(amount)", filters=[*DONE, {"sql": "{buyers.city} = 'y'"}]),
            measure("mixed", "SUM(amount) / {n}", filters=DONE),
        ],
    }  # fmt: skip
    buyers = {
        "name": "buyers", "sql_table": "buyers", "dimensions": [KEY, dimension("city")],
        "measures": [measure("credits", "SUM(credit)", filters=DONE)],
    }  # fmt: skip
    view = {
        "name": "sales",
        "cubes": [{"join_path": "orders", "includes": "*", "excludes": ["id"]},
                  {"join_path": "orders.buyers", "includes": ["city", "credits"]}],
    }  # fmt: skip
    opened = SemanticLayer(load_model({"cubes": [orders, buyers], "views": [view]}), DuckDBEngine.open(data=DATA))
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("measure", "whole", "x", "y"),
    [
        ("total", 81, 52, 9),
        ("share", 79 / 4, 25, 9),
        ("middle", 14.5, 26, 9),
        ("above", 82, 53, 10),
        ("of_y", 9, None, 9),
        ("credits", 10, 10, None),
    ],
)
def test_rows_that_do_not_pass_are_not_aggregated(
    layer: SemanticLayer, measure: str, whole: float, x: float | None, y: float | None
) -> None:
    assert rows(layer, f"SELECT MEASURE({measure}) FROM sales") == [(whole,)]
    grouped = f"SELECT city, MEASURE({measure}), MEASURE(n) FROM sales WHERE city IS NOT NULL GROUP BY 1 ORDER BY 1"
    assert rows(layer, grouped) == [("x", x, 2), ("y", y, 2)]


def test_filters_that_would_not_reach_a_measure_named_beside_are_refused(layer: SemanticLayer) -> None:
    with pytest.raises(InvalidQuery, match=r"filters of the measure 'mixed' do not reach \{n\}"):
        rows(layer, "SELECT MEASURE(mixed) FROM sales")
