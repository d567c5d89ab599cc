"""Models over files: a file that the SQL names stands for the table of that name."""

from __future__ import annotations

import pandas as pd
import pytest

from svc_notebook.semantic.loader import load_model

from .layers import opened, rows

USERS = {"users": pd.DataFrame({"id": [1, 2]}), "orders": pd.DataFrame({"id": [1, 1, 2], "user": [1, 2, 2]})}


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("sql", "SELECT * FROM 's3://bucket/users.csv'", 2),
        (
            "sql",
            "SELECT u.id FROM 'a/users.parquet' AS u JOIN read_parquet('s3://b/orders/*.parquet') o ON o.user = u.id",
            3,
        ),
        ("sql", "SELECT * FROM read_csv_auto('https://host/users.csv.gz', header = true) WHERE id = 1", 1),
        ("sql", "SELECT * FROM read_parquet(['lake/orders/year=*/*.parquet'])", 3),
        ("sql_table", "'data/users.csv'", 2),
        ("sql_table", "read_json('users.json')", 2),
        ("sql", "SELECT * FROM users WHERE 'from ''x.csv''' <> 'y'", 2),
        ("sql", "SELECT * FROM users -- don't\\nWHERE 'it is from ' || id || ' join ' <> 'y'", 2),
    ],
)
def test_a_file_stands_for_the_table_of_its_name(key: str, text: str, expected: int) -> None:
    model = f'cubes: [{{name: c, {key}: "{text}", measures: [{{name: n, type: count}}]}}]'
    with opened(model, USERS) as layer:
        assert rows(layer, "SELECT MEASURE(n) FROM c") == [(expected,)]
        told = {(p.severity, "it stands for the table" in p.message) for p in layer.model.warnings}
        assert told == (set() if "FROM users" in text else {("info", True)})


def test_no_file_is_opened_where_there_is_no_such_table() -> None:
    model = load_model({"cubes": [{"name": "c", "sql": "SELECT * FROM '/etc/passwd'"}]})
    assert model.cubes["c"].sql == 'SELECT * FROM "passwd"'
