"""Masks that ask for the asker's groups."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.loader import check_model

from .layers import OPERATOR, opened, rows

PEOPLE = {"people": pd.DataFrame({"id": [1, 2], "name": ["ann", "bo"]})}


def model(test: str, dialect: str = "duckdb") -> str:
    return f"""
dialect: {dialect}
cubes:
  - name: people
    sql_table: people
    dimensions:
      - {{name: id, sql: id, type: number, primary_key: true, public: true}}
      - name: name
        sql: name
        type: string
        mask:
          sql: |
            CASE WHEN {test} THEN {{CUBE}}.name ELSE '-' END
    access_policy:
      - {{group: "*", member_level: {{includes: [id]}}, member_masking: {{includes: "*"}}}}
"""


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "snowflake", "bigquery", "mysql"])
@pytest.mark.parametrize(
    ("groups", "inside"), [((), False), (("staff",), True), (("a", "staff"), True), (("staf", "Staff"), False)]
)
def test_a_group_opens_what_it_is_named_for(dialect: str, groups: tuple[str, ...], inside: bool) -> None:
    ctx = SecurityContext(groups=frozenset(groups))
    open_ones: list[tuple[Any, ...]] = [("ann",), ("bo",)]
    for test, expected in (
        ("{ groups.filter(\"'staff'\") }", inside),
        ("NOT { groups.filter(\"'staff'\") }", not inside),
    ):
        with opened(model(test, dialect), PEOPLE) as layer:
            shown = rows(layer, "SELECT name FROM people ORDER BY id", ctx)
            assert shown == (open_ones if expected else [("-",), ("-",)])
            assert rows(layer, "SELECT name FROM people ORDER BY id", OPERATOR) == open_ones


def test_anything_but_one_literal_is_refused() -> None:
    for test in (
        "{ groups.filter('name') }",
        "{ groups.filter(x) }",
        "{ groups.filter(\"'a', 'b'\") }",
        "{ groups.find('x') }",
    ):
        found = check_model({"cubes": [{"name": "p", "sql_table": "p", "dimensions": [_masked(test)]}]})
        assert [p.severity for p in found if p.severity == "error"] == ["error"], test


def _masked(test: str) -> dict[str, Any]:
    return {"name": "n", "sql": "n", "type": "string", "mask": {"sql": f"CASE WHEN {test} THEN 'x' END"}}
