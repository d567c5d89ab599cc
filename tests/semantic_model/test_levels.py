"""An aggregate inside the value of a row would count something else than rows: told at load, refused when asked for."""

from __future__ import annotations

import pandas as pd
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import InvalidQuery

from .layers import opened, rows

TABLE = {"t": pd.DataFrame({"id": [1, 2, 3], "k": ["a", "a", "b"], "a": [1, 2, 4]})}
MODEL = """
cubes:
  - name: t
    sql_table: t
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true, public: true}
      - {name: most, sql: "MAX({CUBE}.a)", type: number}
    measures:
      - {name: rows, type: count, sql: "COUNT(*)"}
      - {name: twice, type: sum, sql: "SUM({CUBE}.a)"}
      - {name: few, type: count, filters: [{sql: "SUM({CUBE}.a) > 2"}]}
      - {name: fine, type: number, sql: "SUM({CUBE}.a) / COUNT(*)"}
      - {name: listed, type: sum, sql: "list_sum([{CUBE}.a])"}
      - {name: all_of_it, type: max, sql: "(SELECT SUM(a) FROM t)"}
    segments:
      - {name: large, sql: "SUM({CUBE}.a) > 3"}
"""


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT most, COUNT(*) FROM t GROUP BY 1",
        "SELECT id, most FROM t",
        "SELECT MEASURE(rows) FROM t",
        "SELECT MEASURE(twice) FROM t",
        "SELECT id, MEASURE(twice) FROM t GROUP BY 1",
        "SELECT MEASURE(few) FROM t",
        "SELECT COUNT(*) FROM t WHERE large",
    ],
)
def test_it_is_refused_and_never_a_wrong_number(sql: str) -> None:
    with opened(MODEL, TABLE) as layer, pytest.raises(InvalidQuery, match=r"'t\.\w+' aggregates rows inside"):
        rows(layer, sql)


def test_aggregates_of_their_own_rows_and_functions_of_lists_are_no_matter() -> None:
    with opened(MODEL, TABLE) as layer:
        assert rows(layer, "SELECT MEASURE(fine), MEASURE(listed), MEASURE(all_of_it) FROM t") == [(2.333333, 7, 7)]
        told = [p.message for p in layer.model.warnings]
        assert len(told) == 5
        assert all("aggregates" in message and "queries with it are refused" in message for message in told)


def test_what_a_policy_rests_on_is_not_named() -> None:
    policy = '\n    access_policy: [{group: "*", row_level: {filters: [{member: most, operator: gt, values: [1]}]}}]'
    with opened(MODEL.replace("sql_table: t", "sql_table: t" + policy), TABLE) as layer:
        with pytest.raises(InvalidQuery) as caught:
            rows(layer, "SELECT COUNT(*) FROM t", SecurityContext())
        assert "most" not in caught.value.message
