"""The SQL of an answer as a cell: laid out as people write it, and the same query."""

from __future__ import annotations

import re

import sqlglot
from hypothesis import given
from hypothesis import strategies as st

from svc_notebook.widgets.sql_layout import laid_out

LONG = (
    "SELECT carrier, DATE_TRUNC('month', departed) AS month, MEASURE(flights) AS flights, MEASURE(average_delay) AS late "
    "FROM flights WHERE origin IN ('JFK', 'from (here)') AND \"group by\" > 3 GROUP BY 1, 2 ORDER BY 2, 1 LIMIT 100"
)


def test_clauses_and_the_items_of_a_long_list_have_lines_of_their_own() -> None:
    assert laid_out(LONG).split("\n") == [
        "SELECT",
        "  carrier,",
        "  DATE_TRUNC('month', departed) AS month,",
        "  MEASURE(flights) AS flights,",
        "  MEASURE(average_delay) AS late",
        "FROM flights",
        "WHERE origin IN ('JFK', 'from (here)') AND \"group by\" > 3",
        "GROUP BY 1, 2",
        "ORDER BY 2, 1",
        "LIMIT 100",
    ]


def test_short_queries_and_those_that_have_lines_stay() -> None:
    for sql in ("SELECT MEASURE(n) FROM t", "SELECT a,\n  b FROM t WHERE " + "x = 1 AND " * 20 + "y = 2"):
        assert laid_out(sql) == sql


def test_the_query_is_the_same() -> None:
    assert sqlglot.parse_one(laid_out(LONG), read="duckdb") == sqlglot.parse_one(LONG, read="duckdb")


PIECES = st.sampled_from(
    ["SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY", "JOIN", "LEFT JOIN", ",", "(", ")", "'a, FROM (b'", '"x, y"', "name", "1", "--", "/* , */", "'"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=60))
def test_nothing_but_white_space_changes(words: list[str]) -> None:
    text = " ".join(words)
    assert re.sub(r"\s", "", laid_out(text)) == re.sub(r"\s", "", text)
