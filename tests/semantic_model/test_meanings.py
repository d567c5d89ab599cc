"""The same name, another meaning: what a model's own database would have answered is what is answered here."""

from __future__ import annotations

import pandas as pd
import pytest

from svc_notebook.semantic.errors import QueryError

from .layers import opened, rows

#: 31 January 2024, 22:00 (a Wednesday) and 1 February, 01:00: three hours, another day and another month
TIMES = {"t": pd.DataFrame({"a": pd.to_datetime(["2024-01-31 22:00"]), "b": pd.to_datetime(["2024-02-01 01:00"])})}


def model(dialect: str, sql: str) -> str:
    return f"""
dialect: {dialect}
cubes:
  - name: t
    sql_table: t
    measures:
      - name: m
        type: max
        sql: >-
          {sql}
"""


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("mysql", "TIMESTAMPDIFF(MONTH, {CUBE}.a, {CUBE}.b)", 0),
        ("mysql", "TIMESTAMPDIFF(HOUR, {CUBE}.b, {CUBE}.a)", -3),
        ("mysql", "DATEDIFF({CUBE}.b, {CUBE}.a)", 1),
        ("databricks", "TIMESTAMPDIFF(DAY, {CUBE}.a, {CUBE}.b)", 0),
        ("trino", "date_diff('day', {CUBE}.a, {CUBE}.b)", 0),
        ("trino", "date_diff('minute', {CUBE}.a, {CUBE}.b)", 180),
        ("bigquery", "TIMESTAMP_DIFF({CUBE}.b, {CUBE}.a, DAY)", 0),
        ("bigquery", "DATETIME_DIFF({CUBE}.b, {CUBE}.a, DAY)", 1),
        ("snowflake", "TIMESTAMPDIFF('DAY', {CUBE}.a, {CUBE}.b)", 1),
        ("snowflake", "DATEDIFF('month', {CUBE}.a, {CUBE}.b)", 1),
        ("redshift", "DATEDIFF(day, {CUBE}.a, {CUBE}.b)", 1),
        ("bigquery", "EXTRACT(DAYOFWEEK FROM {CUBE}.a)", 4),
        ("mysql", "DAYOFWEEK({CUBE}.a)", 4),
        ("mysql", "WEEKDAY({CUBE}.a)", 2),
        ("databricks", "dayofweek({CUBE}.a)", 4),
        ("snowflake", "DAYOFWEEK({CUBE}.a)", 3),
        ("postgres", "EXTRACT(dow FROM {CUBE}.a)", 3),
        ("trino", "day_of_week({CUBE}.a)", 3),
    ],
)
def test_what_the_other_database_would_answer(dialect: str, sql: str, expected: int) -> None:
    with opened(model(dialect, sql), TIMES) as layer:
        assert rows(layer, "SELECT MEASURE(m) FROM t") == [(expected,)]


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("mysql", "WEEK({CUBE}.a)"),
        ("mysql", "YEARWEEK({CUBE}.a)"),
        ("bigquery", "EXTRACT(WEEK FROM {CUBE}.a)"),
        ("tsql", "DATEPART(weekday, {CUBE}.a)"),
    ],
)
def test_what_nothing_here_answers_is_refused(dialect: str, sql: str) -> None:
    with opened(model(dialect, sql), TIMES) as layer:
        assert ["counted in another way" in p.message for p in layer.model.warnings] == [True]
        with pytest.raises(QueryError):
            rows(layer, "SELECT MEASURE(m) FROM t")
