"""A model's divisions by zero give NULL, as a query's do: infinity would come first in a descending order."""

from __future__ import annotations

import math

import duckdb
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_notebook.semantic.compiler.authored.divisions import guarded

from .layers import opened, rows

DATA = pd.DataFrame({"id": [1, 2], "n": [1, 5], "d": [0, 2]})


@pytest.mark.parametrize(
    "sql",
    [
        "1.0 * {n} / {d}", "SUM(n) * 1.0 / SUM({CUBE}.d)", "{n} / NULLIF({d}, 0)", "ROUND(100.0 * {n} / ({d} - 0), 1)",
        "1.0 * {n} / CASE WHEN {d} > 1 THEN 2 ELSE 0 END", "{n} / {d}::DOUBLE", "{n} / SUM({CUBE}.d) FILTER (WHERE {CUBE}.d < 9)",
        "0.0 / {d}", "{n} / -{d}", "{n} / (1.0 * {d} / 3)", "2 / 0.0 * {n}", "{n} / COALESCE({d}, 1)", "1e0 / {n} / {d} * {d}",
    ],
)  # fmt: skip
def test_measures(sql: str) -> None:
    model = f"""
cubes:
  - name: t
    sql_table: t
    dimensions: [{{name: id, sql: id, type: number, primary_key: true, public: true}}]
    measures:
      - {{name: n, type: sum, sql: n}}
      - {{name: d, type: sum, sql: d}}
      - {{name: x, type: number, sql: "{sql}"}}
"""
    with opened(model, {"t": DATA}) as layer:
        found = dict(rows(layer, "SELECT id, MEASURE(x) FROM t GROUP BY 1"))
        assert found[1] is None
        assert (found[2] is None) == (sql.startswith("2 / 0.0"))
        assert rows(layer, "SELECT id FROM t GROUP BY 1 HAVING MEASURE(x) > 1000000000") == []


def test_dimensions_and_what_is_aggregated() -> None:
    model = """
cubes:
  - name: t
    sql_table: t
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true, public: true}
      - {name: r, sql: "1.0 * {CUBE}.n / d", type: number}
    measures: [{name: a, type: avg, sql: "1.0 * n / d"}]
"""
    with opened(model, {"t": DATA}) as layer:
        assert sorted(rows(layer, "SELECT id, r FROM t")) == [(1, None), (2, 2.5)]
        assert rows(layer, "SELECT MEASURE(a) FROM t") == [(2.5,)]


@given(
    st.recursive(
        st.sampled_from(
            ["a", "b", "3", "0", "-a", "z", '"b"', "t.a", "a::DOUBLE", "abs(b)", "CASE WHEN a > 1 THEN b END"]
        ),
        lambda inner: (
            st.builds("({} {} {})".format, inner, st.sampled_from("/*+-"), inner)
            | st.builds("{} / {}".format, inner, inner)
        ),
        max_leaves=6,
    )
)
def test_what_divides_by_no_zero_keeps_its_value(text: str) -> None:
    table = "(SELECT 3.0::DOUBLE AS a, 7.0::DOUBLE AS b, 0.0::DOUBLE AS z) AS t"
    with duckdb.connect() as con:
        before, after = con.execute(f"SELECT {text}, {guarded(text)} FROM {table}").fetchall()[0]
        assert guarded(text).count("(") == guarded(text).count(")")
        finite = before is not None and math.isfinite(before)
        assert after is None or before == after or not finite
        if finite and "z" not in text and "0" not in text and "-" not in text:
            assert after == before
