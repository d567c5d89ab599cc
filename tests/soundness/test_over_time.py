"""Measures over time: rolling windows, running totals, period to date, shifted, shared and ranked; worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pyarrow as pa
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import InvalidQuery
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

OPERATOR = SecurityContext.operator()
MOMENTS = ["2024-01-05T23:30", "2024-01-31T12:00", "2024-02-29T01:00", "2024-04-01T00:00", "2024-04-30T23:59",
           "2024-06-15T00:00", None, "2024-06-30T00:00"]  # fmt: skip
TABLE = pa.table(
    {
        "id": list(range(1, 9)),
        "at": pa.array([moment and datetime.fromisoformat(moment) for moment in MOMENTS], pa.timestamp("us")),
        "s": ["a", "b", "a", "b", "a", None, "b", "a"],
        "n": [1, 2, 4, 8, 16, 32, 64, 128],
    }
)


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    def rolling(name: str, **window: Any) -> dict[str, Any]:
        return {"name": name, "type": "sum", "sql": "{CUBE}.n", "rolling_window": window}

    prior = [{"time_dimension": "at", "interval": "1 month", "type": "prior"}]
    cube = {
        "name": "x",
        "sql_table": "x",
        "dimensions": [
            {"name": "id", "sql": "id", "type": "number", "primary_key": True, "public": True},
            {"name": "at", "sql": "at", "type": "time"},
            {"name": "s", "sql": "s", "type": "string"},
        ],
        "measures": [
            {"name": "n", "type": "sum", "sql": "{CUBE}.n"},
            rolling("month", trailing="1 month"),
            rolling("days", trailing="45 day"),
            rolling("ahead", leading="1 month", offset="start"),
            rolling("running", trailing="unbounded"),
            rolling("quarter", type="to_date", granularity="quarter"),
            {"name": "before", "type": "number", "sql": "{n}", "multi_stage": True, "time_shift": prior},
            {"name": "total", "type": "sum", "sql": "{n}", "multi_stage": True, "reduce_by": ["s"]},
            {"name": "share", "type": "number", "sql": "{n} / NULLIF({total}, 0)", "multi_stage": True},
            {
                "name": "place", "type": "rank", "multi_stage": True, "reduce_by": ["s"],
                "order_by": [{"sql": "{n}", "dir": "desc"}],
            },
        ],
    }  # fmt: skip
    opened = SemanticLayer(load_model({"cubes": [cube]}), DuckDBEngine.open(None, data={"x": TABLE}))
    yield opened
    opened.close()


def ask(layer: SemanticLayer, sql: str, timezone: str = "UTC") -> list[tuple[Any, ...]]:
    columns = [column.to_pylist() for column in layer.query(OPERATOR, sql, timezone=timezone).table.columns]
    return [
        tuple(f"{value:%Y-%m-%d}" if isinstance(value, datetime) else value for value in row)
        for row in zip(*columns, strict=True)
    ]


def test_windows_over_a_series_without_gaps(layer: SemanticLayer) -> None:
    names = ("n", "month", "days", "ahead", "running", "quarter")
    measures = ", ".join(f"MEASURE({name})" for name in names)
    rows = ask(
        layer,
        f"SELECT date_trunc('month', at), {measures} FROM x WHERE at >= '2024-01-01' AND at < '2024-07-01' GROUP BY 1 ORDER BY 1",
    )
    assert rows == [
        ("2024-01-01", 3, 3, 3, 3, 3, 3),
        ("2024-02-01", 4, 4, 6, 4, 7, 7),
        ("2024-03-01", None, None, 4, None, 7, 7),
        ("2024-04-01", 24, 24, 24, 24, 31, 24),
        ("2024-05-01", None, None, 16, None, 31, 24),
        ("2024-06-01", 160, 160, 160, 160, 191, 184),
    ]


def test_a_filter_on_time_cuts_the_series_not_the_window(layer: SemanticLayer) -> None:
    rows = ask(
        layer,
        "SELECT date_trunc('month', at), s, MEASURE(n), MEASURE(running), MEASURE(before) FROM x "
        "WHERE at >= '2024-02-01' AND at < '2024-06-01' GROUP BY 1, 2 ORDER BY 1, 2",
    )
    assert rows == [
        ("2024-02-01", "a", 4, 5, 1),
        ("2024-02-01", "b", None, 2, 2),
        ("2024-03-01", "a", None, 5, 4),
        ("2024-03-01", "b", None, 2, None),
        ("2024-04-01", "a", 16, 21, None),
        ("2024-04-01", "b", 8, 10, None),
        ("2024-05-01", "a", None, 21, 16),
        ("2024-05-01", "b", None, 10, 8),
    ]


def test_windows_by_day(layer: SemanticLayer) -> None:
    rows = ask(
        layer,
        "SELECT date_trunc('day', at), MEASURE(days) FROM x WHERE at >= '2024-02-28' AND at < '2024-03-02' "
        "GROUP BY 1 ORDER BY 1",
    )
    assert rows == [("2024-02-28", 2), ("2024-02-29", 6), ("2024-03-01", 6)]


def test_shares_and_ranks(layer: SemanticLayer) -> None:
    assert ask(
        layer, "SELECT s, MEASURE(n), MEASURE(total), MEASURE(share), MEASURE(place) FROM x GROUP BY 1 ORDER BY 1"
    ) == [
        ("a", 149, 255, pytest.approx(149 / 255), 1),
        ("b", 74, 255, pytest.approx(74 / 255), 2),
        (None, 32, 255, pytest.approx(32 / 255), 3),
    ]
    by_month = "SELECT date_trunc('month', at), s, MEASURE(share), MEASURE(place) FROM x GROUP BY 1, 2 ORDER BY 1, 2"
    assert ask(layer, by_month)[:4] == [
        ("2024-01-01", "a", pytest.approx(1 / 3), 2),
        ("2024-01-01", "b", pytest.approx(2 / 3), 1),
        ("2024-02-01", "a", 1.0, 1),
        ("2024-04-01", "a", pytest.approx(2 / 3), 1),
    ]


def test_months_are_those_of_the_asker(layer: SemanticLayer) -> None:
    """In New York the first of April, midnight UTC, is still March; in Kolkata 30 April, 23:59 UTC, is May."""
    sql = "SELECT date_trunc('month', at), MEASURE(n) FROM x WHERE at IS NOT NULL GROUP BY 1 ORDER BY 1"
    assert ask(layer, sql) == [("2024-01-01", 3), ("2024-02-01", 4), ("2024-04-01", 24), ("2024-06-01", 160)]
    assert ask(layer, sql, "America/New_York") == [
        ("2024-01-01", 3), ("2024-02-01", 4), ("2024-03-01", 8), ("2024-04-01", 16), ("2024-06-01", 160),
    ]  # fmt: skip
    assert ask(layer, sql, "Asia/Kolkata") == [
        ("2024-01-01", 3), ("2024-02-01", 4), ("2024-04-01", 8), ("2024-05-01", 16), ("2024-06-01", 160),
    ]  # fmt: skip


def test_a_row_filter_on_time_does_not_follow_the_askers_time_zone() -> None:
    """Whoever may choose the time zone of a query must not move the edge of what is permitted."""
    cube = {
        "name": "x",
        "sql_table": "x",
        "dimensions": [
            {"name": "id", "sql": "id", "type": "number", "primary_key": True, "public": True},
            {"name": "at", "sql": "at", "type": "time"},
        ],
        "access_policy": [
            {
                "group": "*",
                "row_level": {"filters": [{"member": "at", "operator": "afterDate", "values": ["2024-03-31"]}]},
            }
        ],
    }
    layer = SemanticLayer(load_model({"cubes": [cube]}), DuckDBEngine.open(None, data={"x": TABLE}))
    try:
        for timezone in ("UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"):
            found = (
                layer.query(SecurityContext(user="u"), "SELECT id FROM x", timezone=timezone)
                .table.column(0)
                .to_pylist()
            )
            assert sorted(found) == [4, 5, 6, 8], timezone
    finally:
        layer.close()


@pytest.mark.parametrize("parameters", [{"p1": "b"}, {"p1": "b", "p2": 0, "p3": 0, "p4": datetime(2000, 1, 1)}])  # noqa: DTZ001
def test_a_callers_parameter_never_stands_in_for_a_policys_value(parameters: dict[str, Any]) -> None:
    cube = {
        "name": "x",
        "sql_table": "x",
        "dimensions": [
            {"name": "id", "sql": "id", "type": "number", "primary_key": True, "public": True},
            {"name": "s", "sql": "s", "type": "string"},
        ],
        "access_policy": [
            {
                "group": "*",
                "row_level": {"filters": [{"member": "s", "operator": "equals", "values": ["{ userAttributes.s }"]}]},
            }
        ],
    }
    layer = SemanticLayer(load_model({"cubes": [cube]}), DuckDBEngine.open(None, data={"x": TABLE}))
    ctx = SecurityContext(user="u", user_attributes={"s": "a"})
    try:
        table = layer.query(ctx, "SELECT id, :p1 AS z FROM x WHERE s <> :p1", parameters=parameters).table
        assert sorted(table.column(0).to_pylist()) == [1, 3, 5, 8]
    finally:
        layer.close()


def test_no_period_is_missing(layer: SemanticLayer) -> None:
    """July of 2024 and the days of a group without rows are there; counts are 0, sums are NULL."""
    asked = (
        "SELECT date_trunc_gapfill('month', at), MEASURE(n), COUNT(*) FROM x WHERE at IS NOT NULL GROUP BY 1 ORDER BY 1"
    )
    assert ask(layer, asked) == [
        ("2024-01-01", 3, 2), ("2024-02-01", 4, 1), ("2024-03-01", None, 0), ("2024-04-01", 24, 2), ("2024-05-01", None, 0),
        ("2024-06-01", 160, 2),
    ]  # fmt: skip
    bounded = asked.replace("at IS NOT NULL", "at >= '2023-12-01' AND at < '2024-03-01'")
    assert ask(layer, bounded) == [("2023-12-01", None, 0), ("2024-01-01", 3, 2), ("2024-02-01", 4, 1)]
    empty = asked.replace("at IS NOT NULL", "at >= '2030-01-01' AND at < '2030-03-01'")
    assert ask(layer, empty) == [("2030-01-01", None, 0), ("2030-02-01", None, 0)]
    having = bounded.replace("GROUP BY 1", "GROUP BY 1 HAVING COUNT(*) = 0")
    assert ask(layer, having) == [("2023-12-01", None, 0)]


def test_no_period_of_a_group_is_missing(layer: SemanticLayer) -> None:
    asked = (
        "SELECT date_trunc_gapfill('month', at) AS m, s, MEASURE(n) FROM x WHERE s IS NOT NULL AND at < '2024-03-01' "
        "GROUP BY 1, 2 ORDER BY 1, 2"
    )
    assert ask(layer, asked) == [
        ("2024-01-01", "a", 1), ("2024-01-01", "b", 2), ("2024-02-01", "a", 4), ("2024-02-01", "b", None),
    ]  # fmt: skip
    rows_without_a_time = ask(layer, asked.replace("AND at < '2024-03-01'", "AND at IS NULL"))
    assert rows_without_a_time == [(None, "b", 64)]


def test_a_series_too_long_to_read_is_not_filled(layer: SemanticLayer) -> None:
    asked = "SELECT date_trunc_gapfill('second', at), COUNT(*) FROM x WHERE at < '2024-02-01' GROUP BY 1 ORDER BY 1"
    assert ask(layer, asked) == [("2024-01-05", 1), ("2024-01-31", 1)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT date_trunc_gapfill('month', at) FROM x",
        "SELECT date_trunc_gapfill('month', at + INTERVAL '1 day'), COUNT(*) FROM x GROUP BY 1",
        "SELECT date_trunc_gapfill('month', q.at), COUNT(*) FROM (SELECT at FROM x LIMIT 3) AS q GROUP BY 1",
        "SELECT date_trunc_gapfill('month', at), s, COUNT(*) FROM x GROUP BY ROLLUP (1, 2)",
        "SELECT date_trunc_gapfill(at), COUNT(*) FROM x GROUP BY 1",
    ],
)
def test_what_cannot_be_filled_is_refused(layer: SemanticLayer, sql: str) -> None:
    with pytest.raises(InvalidQuery, match="date_trunc_gapfill"):
        layer.query(OPERATOR, sql)


def test_a_window_under_several_granularities(layer: SemanticLayer) -> None:
    """The finest makes the periods, the coarser are read off them."""
    asked = (
        "SELECT date_trunc('quarter', at), date_trunc('month', at), MEASURE(quarter) FROM x "
        "WHERE at >= '2024-01-01' AND at < '2024-07-01' GROUP BY 1, 2 ORDER BY 2"
    )
    assert ask(layer, asked) == [
        ("2024-01-01", "2024-01-01", 3), ("2024-01-01", "2024-02-01", 7), ("2024-01-01", "2024-03-01", 7),
        ("2024-04-01", "2024-04-01", 24), ("2024-04-01", "2024-05-01", 24), ("2024-04-01", "2024-06-01", 184),
    ]  # fmt: skip


def test_a_window_without_a_time_among_the_groups_ends_where_the_query_does(layer: SemanticLayer) -> None:
    assert ask(layer, "SELECT MEASURE(month), MEASURE(quarter) FROM x WHERE at < '2024-05-01'") == [(24, 24)]
    assert ask(layer, "SELECT s, MEASURE(month) FROM x WHERE at < '2024-05-01' GROUP BY 1 ORDER BY 1") == [
        ("a", 16), ("b", 8),
    ]  # fmt: skip
    with pytest.raises(InvalidQuery, match="up to when"):
        layer.query(OPERATOR, "SELECT MEASURE(month) FROM x")
    with pytest.raises(InvalidQuery, match="lower bound"):
        layer.query(OPERATOR, "SELECT MEASURE(ahead) FROM x WHERE at < '2024-05-01'")
