"""``svc-notebook validate`` against the data: what is not there, of another type, not unique, or joined the wrong way."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from svc_notebook.cli import main

MODEL = """\
cubes:
  - name: orders
    sql_table: orders
    joins:
      - name: customers
        relationship: many_to_one
        sql: "{CUBE}.customer_id = {customers.id}"
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: status, sql: status, type: string}
      - {name: ordered_at, sql: ordered_at, type: time}
    measures:
      - {name: count, type: count}
      - {name: revenue, sql: amount, type: sum}
      - {name: done, sql: amount, type: sum, filters: [{sql: "{CUBE}.status = 'done'"}]}
      - {name: per_order, sql: "{revenue} / {count}", type: number}
      - {name: running, sql: amount, type: sum, rolling_window: {trailing: 1 month}}
    segments:
      - {name: open, sql: "{CUBE}.status = 'open'"}
    access_policy:
      - {group: nobody, row_level: {filters: [{member: status, operator: equals, values: [open]}]}}
  - name: customers
    sql: SELECT * FROM customers
    public: false
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: city, sql: city, type: string}
    measures:
      - {name: count, type: count}
"""
ORDERS = (
    "id,customer_id,status,ordered_at,amount\n1,1,open,2024-01-01,2.5\n2,1,done,2024-01-02,3.5\n3,2,done,2024-02-01,1\n"
)
CUSTOMERS = "id,city\n1,Rome\n2,Paris\n3,Oslo\n"


@pytest.fixture
def validated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Validate with one replacement in the model and one in each file; the findings."""

    def run(model: tuple[str, str] = ("", ""), orders: Sequence[str] = ("", ""), customers: Sequence[str] = ("", "")):
        for name, text, (old, new) in (
            ("model.yml", MODEL, model), ("orders.csv", ORDERS, orders), ("customers.csv", CUSTOMERS, customers)
        ):  # fmt: skip
            assert old in text
            (tmp_path / name).write_text(text.replace(old, new, 1))
        data = [part for name in ("orders", "customers") for part in ("--data", f"{name}={tmp_path}/{name}.csv")]
        code = main(["validate", str(tmp_path / "model.yml"), *data, "--format", "json"])
        found = json.loads(capsys.readouterr().out)
        assert code == any(item["severity"] == "error" for item in found)
        return found

    return run


def test_a_model_that_fits_has_no_findings(validated):
    assert validated() == []


@pytest.mark.parametrize(
    ("old", "new", "line", "severity", "words"),
    [
        ("sql_table: orders", "sql_table: oders", 2, "error", "no table 'oders' for cube 'orders'; did you mean 'orders'?"),
        ("FROM customers", "FROM clients", 22, "error", "does not understand the sql of cube 'customers'"),
        ("sql: status", "sql: state", 10, "error", "no column 'state'; did you mean 'status'?"),
        ("sql: city", "sql: town", 27, "error", "the sql of cube 'customers' has no column 'town'; it has id, city"),
        ("sql: amount", "sql: amont", 14, "error", "table 'orders' of cube 'orders' has no column 'amont'; did you mean"),
        ("{CUBE}.status = 'done'", "{CUBE}.state = 'done'", 15, "error", "no column 'state'; did you mean 'status'?"),
        ("{CUBE}.status = 'open'", "{CUBE}.stats = 'open'", 19, "error", "segment 'open'"),
        ("sql: amount", "sql: frobnicate(amount)", 14, "error", "does not understand its SQL"),
        ("sql: city, type: string", "sql: city, type: number", 27, "warning", "TRY_CAST({CUBE}.city AS DOUBLE)"),
        ("sql: ordered_at, type: time", "sql: id, type: time", 11, "warning", "is a time, but of type int64 in the data"),
        ("{name: id, sql: id", "{name: id, sql: customer_id", 9, "error", "not unique: 1 of its values stand in several of 3"),
        ("many_to_one", "one_to_many", 5, "error", "1 values stand in several rows of 'orders'"),
        ("many_to_one", "one_to_many", 5, "error", "write many_to_one"),
        ("many_to_one", "one_to_one", 5, "error", "write many_to_one"),
        ("{CUBE}.customer_id = {customers.id}", "{CUBE}.status = {customers.id}", 5, "error", "compares texts with numbers"),
        ("{CUBE}.customer_id = {customers.id}", "{CUBE}.customer_no = {customers.id}", 5, "error", "is not understood"),
        ("{CUBE}.customer_id = {customers.id}", "{CUBE}.status = {customers}.city", 5, "warning", "no row of 'orders'"),
    ],
)  # fmt: skip
def test_what_of_the_model_does_not_fit(validated, old, new, line, severity, words):
    found = validated(model=(old, new))
    told = [item for item in found if words in item["message"]]
    assert [(item["line"], item["severity"]) for item in told] == [(line, severity)], found


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("customers", "2,Paris", "1,Paris", "says many_to_one, but 1 values stand in several rows of 'customers'"),
        ("customers", "2,Paris", "1,Paris", "the primary key 'id' of cube 'customers' is not unique"),
        ("customers", "2,Paris", ",Paris", "is empty in 1 of 3 rows"),
    ],
)
def test_what_of_the_data_does_not_fit(validated, file, old, new, words):
    found = validated(**{file: (old, new)})
    assert any(words in item["message"] for item in found), found


def test_one_to_many_said_the_wrong_way_round_says_the_right_one(validated):
    unique = "id,customer_id,status,ordered_at,amount\n1,1,open,2024-01-01,2.5\n2,2,done,2024-01-02,3.5\n"
    found = validated(orders=(ORDERS, unique), customers=("2,Paris\n", "2,Paris\n2,Nice\n"))
    assert any(item["message"].endswith("write one_to_many") for item in found), found


def test_tables_without_rows_are_no_reason_to_doubt_a_join(validated):
    assert validated(orders=(ORDERS, ORDERS.partition("\n")[0] + "\n")) != []  # columns without values are texts
    assert validated(customers=(CUSTOMERS, "id,city\n9,Rome\n"))[0]["message"].startswith(
        "no row of 'orders' finds one"
    )


def test_a_model_with_errors_is_not_held_against_data(validated):
    (found,) = validated(model=("sql_table: orders", "sql_tabel: oders"))
    assert "sql_tabel" in found["message"]


def test_an_sqlite_file_and_one_that_is_not_there(tmp_path, capsys):
    (tmp_path / "m.yml").write_text(MODEL)
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as lite, lite:
        lite.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
    assert main(["validate", str(tmp_path / "m.yml"), "--database", str(tmp_path / "shop.sqlite")]) == 1
    assert "there is no table 'orders' for cube 'orders'; there are customers" in capsys.readouterr().out
    assert main(["validate", str(tmp_path / "m.yml"), "--database", str(tmp_path / "gone.duckdb")]) == 1
    assert "there is no database file" in capsys.readouterr().err
