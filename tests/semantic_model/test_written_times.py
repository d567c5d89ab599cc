"""Time dimensions over columns of text, as SQLite has them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.semantic.context import SecurityContext

from .layers import opened, rows

MODEL = """
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true, public: true}
      - name: placed
        sql: placed
        type: time
        granularities: [{name: half, interval: 6 months}]
      - {name: is_late, sql: "{placed} >= TIMESTAMP '2024-02-10'", type: boolean}
    measures:
      - {name: count, type: count}
      - {name: late, type: count, filters: [{sql: "{placed} >= TIMESTAMP '2024-02-10'"}]}
      - {name: running, type: count, rolling_window: {trailing: unbounded}}
      - {name: month_before, type: number, sql: "{count}", time_shift: [{interval: 1 month, type: prior}]}
    access_policy:
      - group: "*"
        row_level: {filters: [{member: placed, operator: afterOrOnDate, values: ["{ userAttributes.since }"]}]}
"""
WRITTEN = ["2024-01-31 23:59:59", "2024-02-01", "2024-02-20T10:00:00", "9.3.2024", None]
ORDERS = pd.DataFrame({"id": range(5), "placed": pd.Series(WRITTEN, dtype="string")})
SINCE = SecurityContext(user_attributes={"since": "2024-02-01"})


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT placed FROM orders ORDER BY 1", ["2024-01-31T23:59:59", "2024-02-01", "2024-02-20T10:00:00", None, None]),
        ("SELECT date_trunc('month', placed) FROM orders GROUP BY 1 ORDER BY 1", ["2024-01-01", "2024-02-01", None]),
        ("SELECT date_trunc('half', placed) FROM orders GROUP BY 1 ORDER BY 1", ["2024-01-01", None]),
        ("SELECT MEASURE(count) FROM orders WHERE placed < '2024-02-01'", [1]),
        ("SELECT MEASURE(count) FROM orders WHERE is_late", [1]),
        ("SELECT MEASURE(late) FROM orders", [1]),
        ("SELECT EXTRACT(day FROM placed) FROM orders WHERE id = 2", [20]),
    ],
)  # fmt: skip
def test_text_is_read_as_a_time(sql: str, expected: list[object]) -> None:
    with opened(MODEL, {"orders": ORDERS}) as layer:
        assert [row[0] for row in rows(layer, sql)] == expected


def test_measures_over_time_know_it() -> None:
    with opened(MODEL, {"orders": ORDERS}) as layer:
        running = "SELECT date_trunc('month', placed), MEASURE(running) FROM orders WHERE placed IS NOT NULL GROUP BY 1"
        assert rows(layer, running + " ORDER BY 1") == [("2024-01-01", 1), ("2024-02-01", 3)]
        before = (
            "SELECT date_trunc('month', placed), MEASURE(month_before) FROM orders WHERE placed IS NOT NULL GROUP BY 1"
        )
        assert rows(layer, before + " ORDER BY 1") == [("2024-02-01", 1), ("2024-03-01", 2)]


def test_policies_compare_moments_and_unreadable_text_passes_none() -> None:
    with opened(MODEL, {"orders": ORDERS}) as layer:
        assert rows(layer, "SELECT id FROM orders ORDER BY 1", SINCE) == [(1,), (2,)]


def test_a_file_of_sqlite_answers_over_time(tmp_path: Path) -> None:
    file = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE orders (id INTEGER, placed TIMESTAMP)")
        connection.executemany("INSERT INTO orders VALUES (?, ?)", list(enumerate(WRITTEN)))
        connection.commit()
    model = tmp_path / "model.yml"
    model.write_text(MODEL, "utf-8")
    client = svc.embedded(model=model, database=file)
    try:
        frame = client.sql(
            "SELECT date_trunc('month', placed) AS month, MEASURE(count) AS n FROM orders GROUP BY 1 ORDER BY 1"
        )
        assert str(frame["month"].dtype) == "datetime64[us]"
        assert frame["n"].tolist() == [1, 2, 2]
    finally:
        client.close()
