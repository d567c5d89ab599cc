"""Models written for other databases: their SQL is translated when the model is loaded."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import UnknownPlace
from svc_notebook.semantic.loader import check_model, load_model

from .layers import opened, rows
from .models import SHOP, errors, findings, load

ORDERS = pd.DataFrame(
    {
        "id": [1, 2, 3],
        "status": ["done", "open", "done"],
        "amount": [10, 0, 5],
        "placed": pd.to_datetime(["2024-01-05", "2024-01-20", "2024-03-01"]),
        "sent": pd.to_datetime(["2024-01-08", "2024-02-20", "2024-03-01"]),
    }
)


@pytest.mark.parametrize(
    ("dialect", "table", "sql", "expected"),
    [
        ("bigquery", "`shop.orders`", 'SAFE_DIVIDE(SUM({CUBE}.`amount`), COUNTIF({status} = "done"))', 7.5),
        ("bigquery", "shop.orders", "SUM(SAFE_CAST({CUBE}.amount AS INT64))", 15),
        ("snowflake", "PUBLIC.ORDERS", "SUM(TIMESTAMPDIFF('DAY', {placed}, {CUBE}.sent))", 34),
        ("snowflake", '"PUBLIC"."ORDERS"', "SUM(IFF({status} = 'done', 1, 0))", 2),
        ("postgres", "public.orders", "MAX(TO_CHAR({placed}, 'YYYY-MM'))", "2024-03"),
        ("mysql", "orders", "MIN(DATE_FORMAT({CUBE}.`placed`, '%Y/%m'))", "2024/01"),
        ("clickhouse", "orders", "COUNT(DISTINCT toStartOfMonth({placed}))", 2),
        ("duckdb", "orders", "SUM({CUBE}.amount)", 15),
    ],
)
def test_what_another_database_says_is_understood(dialect: str, table: str, sql: str, expected: object) -> None:
    kind = "string" if isinstance(expected, str) else "number"
    model = f"""
dialect: {dialect}
cubes:
  - name: o
    sql_table: '{table}'
    dimensions:
      - {{name: id, sql: id, type: number, primary_key: true}}
      - {{name: status, sql: status, type: string}}
      - {{name: placed, sql: placed, type: time}}
    measures:
      - name: m
        type: {kind}
        sql: >-
          {sql}
"""
    with opened(model, {table.translate({ord(c): None for c in '`"'}): ORDERS}) as layer:
        assert rows(layer, "SELECT MEASURE(m) FROM o") == [(expected,)]
        assert len(rows(layer, "SELECT status, MEASURE(m) FROM o GROUP BY 1")) == 2


def test_the_whole_query_of_a_cube_and_its_references() -> None:
    model = """
dialect: bigquery
cubes:
  - name: late
    sql: >
      SELECT o.id, DATE_TRUNC(o.placed, MONTH) AS m FROM {o.sql()} AS o WHERE o.status != "open"
    dimensions: [{name: id, sql: id, type: number, primary_key: true}, {name: m, sql: m, type: time}]
    measures: [{name: n, type: count}]
  - name: o
    sql_table: "`d.orders`"
"""
    with opened(model, {"d.orders": ORDERS}) as layer:
        assert rows(layer, "SELECT m, MEASURE(n) FROM late GROUP BY 1 ORDER BY 1") == [
            ("2024-01-01", 1),
            ("2024-03-01", 1),
        ]


def test_sql_that_is_none_is_found_where_it_stands(tmp_path: Path) -> None:
    text = "dialect: snowflake\n" + SHOP.lstrip("\n").replace("sql: amount, format", 'sql: "CASE WHEN", format')
    (found,) = errors(tmp_path, text)
    assert (found.line, "not readable as snowflake" in found.message) == (16, True)
    (found,) = errors(tmp_path, "dialect: snowflak\n" + SHOP)
    assert (found.line, "did you mean 'snowflake'" in found.message) == (1, True)


def test_the_caller_may_say_it_and_goes_before_the_model() -> None:
    model = {"dialect": "mysql", "cubes": [{"name": "o", "sql_table": "`a.b`.`orders`", "dimensions": []}]}
    assert load_model(model).cubes["o"].sql_table == '"a.b"."orders"'
    assert load_model(model, dialect="bigquery").cubes["o"].sql_table == '"a"."b"."orders"'
    assert load_model(model).version != load_model(model, dialect="bigquery").version
    assert "is no dialect" in check_model(model, dialect="basic")[0].message


def test_backticks_that_leave_the_dialect_open_ask_for_it(tmp_path: Path) -> None:
    (found, _) = findings(tmp_path, SHOP.replace("sql: amount, format", 'sql: "CAST(`amount` AS STRING(3))", format'))
    assert (found.severity, "dialect: bigquery" in found.message) == ("warning", True)
    assert load(tmp_path, SHOP).version == load(tmp_path, SHOP).version


def test_a_schema_the_database_has_is_meant(tmp_path: Path) -> None:
    path = tmp_path / "d.duckdb"
    with closing(duckdb.connect(path)) as database:
        database.execute(
            "CREATE SCHEMA hr; CREATE TABLE hr.people AS SELECT 1 AS n; CREATE TABLE orders AS SELECT 2 AS n"
        )
    with closing(DuckDBEngine.open(path)) as engine:
        assert engine.qualify("hr", "people")[1:] == ("hr", "people")
        assert engine.qualify("hr", "orders")[1:] == ("hr", "orders")  # which is not there, and is not main's
        for schema, catalog in (("public", None), ("main", "elsewhere"), (None, "elsewhere")):
            with pytest.raises(UnknownPlace):
                engine.qualify(schema, "orders", catalog)
