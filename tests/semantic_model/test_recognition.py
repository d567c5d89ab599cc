"""SQL of another database without a word about it: read as what it must be, asked about where that is open."""

from __future__ import annotations

import duckdb
import pandas as pd
import pytest

from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.loader import check_model, load_model
from svc_notebook.semantic.loading.recognition import MARKED_CALLS

from .layers import opened, rows

SALES = pd.DataFrame(
    {
        "id": [1, 2, 3],
        "amount": [10, 0, 5],
        "code": ["7", "x", "9"],
        "placed": pd.to_datetime(["2024-01-05", "2024-01-20", "2024-03-01"]),
        "sent": pd.to_datetime(["2024-01-08", "2024-02-20", "2024-03-01"]),
    }
)


def model(sql: str, kind: str = "number", *, cube: str = "", root: str = "") -> str:
    return f"""
{root}
cubes:
  - name: s
    sql_table: shop.sales
    {cube}
    dimensions:
      - {{name: id, sql: id, type: number, primary_key: true}}
      - {{name: placed, sql: placed, type: time}}
    measures:
      - name: m
        type: {kind}
        sql: >-
          {sql}
"""


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("bigquery", "SUM(CAST({CUBE}.amount AS FLOAT64))", 15),
        ("bigquery", "COUNT(DISTINCT TIMESTAMP_TRUNC({placed}, MONTH))", 2),
        ("bigquery", "COUNT(DISTINCT DATE_TRUNC(CAST({placed} AS DATE), MONTH))", 2),
        ("snowflake", "SUM(TIMESTAMPDIFF('DAY', {placed}, {CUBE}.sent))", 34),
        ("clickhouse", "COUNT(DISTINCT toStartOfMonth({placed}))", 2),
        ("postgres", "MAX(TO_CHAR({placed}, 'YYYY/MM'))", "2024/03"),
        ("snowflake", "SUM(NVL({CUBE}.amount, 0))", 15),
        ("mysql", "MIN(DATE_FORMAT({CUBE}.`placed`, '%Y/%m'))", "2024/01"),
        ("mysql", "MAX({CUBE}.`amount`)", 10),
    ],
)
def test_what_can_be_nothing_else_is_recognised(dialect: str, sql: str, expected: object) -> None:
    kind = "string" if isinstance(expected, str) else "number"
    with opened(model(sql, kind), {"shop.sales": SALES}) as layer:
        assert rows(layer, "SELECT MEASURE(m) FROM s") == [(expected,)]
        (told,) = layer.model.warnings
        assert (told.severity, "say 'dialect:'" in told.message) == ("info", True)
    with opened(model(sql, kind, root=f"dialect: {dialect}"), {"shop.sales": SALES}) as layer:
        assert rows(layer, "SELECT MEASURE(m) FROM s") == [(expected,)]  # as if it had been said
        assert layer.model.warnings == ()


def test_what_duckdb_understands_is_left_alone() -> None:
    for sql in ("SUM({CUBE}.amount)::INT64", "COUNT_IF({CUBE}.amount > 0)", "IF(TRUE, 1, 2)", "MAX('FLOAT6 IFF(x)')"):
        assert load_model({"cubes": [{"name": "s", "sql_table": "s", "measures": [_measure(sql)]}]}).warnings == ()


def test_no_mark_is_a_function_of_duckdb() -> None:
    known = {row[0] for row in duckdb.sql("SELECT DISTINCT lower(function_name) FROM duckdb_functions()").fetchall()}
    assert sorted(name for name in MARKED_CALLS if name.lower() in known) == []


def test_where_it_stays_open_which_one_is_asked() -> None:
    (found,) = check_model(
        {"cubes": [{"name": "s", "sql_table": "s", "measures": [_measure("MAX(TO_VARCHAR({CUBE}.a, 'YYYY'))")]}]}
    )
    assert found.severity == "warning"
    assert "TO_VARCHAR is not DuckDB's; it could be databricks or snowflake" in found.message
    assert "dialect:" in found.message
    two = [_measure("SUM({CUBE}.a::FLOAT64)"), {**_measure("MAX(DIV0({CUBE}.a, 2))"), "name": "n"}]
    (found,) = check_model({"cubes": [{"name": "s", "sql_table": "s", "measures": two}]})
    assert (found.severity, "FLOAT64 is bigquery" in found.message, "snowflake" in found.message) == (
        "warning",
        True,
        True,
    )


def test_each_data_source_and_each_cube_has_its_own() -> None:
    text = """
dialect: {default: postgres, lake: bigquery}
cubes:
  - {name: a, sql_table: sales, measures: [{name: m, type: string, sql: "MAX(TO_CHAR({CUBE}.placed, 'YYYY'))"}]}
  - {name: b, sql_table: sales, data_source: lake, measures: [{name: m, type: number, sql: "SUM(SAFE_CAST({CUBE}.code AS INT64))"}]}
  - {name: c, sql_table: sales, data_source: lake, dialect: mysql, measures: [{name: m, type: string, sql: "MAX(DATE_FORMAT({CUBE}.placed, '%Y'))"}]}
"""
    with opened(text, {"shop.sales": SALES}) as layer:
        assert [rows(layer, f"SELECT MEASURE(m) FROM {name}")[0][0] for name in "abc"] == ["2024", 16, "2024"]


def test_a_slip_in_a_cubes_dialect_is_an_error_there() -> None:
    found = check_model({"cubes": [{"name": "a", "sql_table": "a", "dialect": "snowflak"}]})
    assert ["did you mean 'snowflake'" in p.message and p.file == "cubes[0].dialect" for p in found] == [True]


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("snowflake", "MAX(TO_CHAR({placed}, 'MMMM'))"),
        ("snowflake", "MAX(TO_CHAR({CUBE}.amount, '999.9'))"),
        ("postgres", "MAX(TO_CHAR({placed}, 'Mon YYYY'))"),
        ("postgres", "MAX(TO_CHAR({CUBE}.amount, 'FM999'))"),
        ("databricks", "MAX(DATE_FORMAT({placed}, 'QQQ yyyy'))"),
    ],
)
def test_a_pattern_that_would_be_lost_is_refused_not_dropped(dialect: str, sql: str) -> None:
    text = model(sql, "string", root=f"dialect: {dialect}")
    with opened(text, {"shop.sales": SALES}) as layer:
        (told,) = layer.model.warnings
        assert (told.severity, "cannot be said in DuckDB's" in told.message) == ("warning", True)
        assert rows(layer, "SELECT COUNT(*) FROM s") == [(3,)]
        with pytest.raises(QueryError):
            rows(layer, "SELECT MEASURE(m) FROM s")


def _measure(sql: str) -> dict[str, str]:
    return {"name": "m", "type": "number", "sql": sql}
