"""Calculations in several stages: dimensions over measures, aggregates of aggregates, ranks, shares; against SQL by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pandas as pd
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import InvalidQuery
from svc_notebook.semantic.layer import SemanticLayer

from .layers import OPERATOR, opened, rows

MODEL = """
cubes:
  - name: orders
    sql_table: orders
    joins:
      - {name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers.id}"}
      - {name: lines, relationship: one_to_many, sql: "{CUBE}.id = {lines}.order_id"}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true, public: true}
      - {name: status, sql: status, type: string}
      - {name: at, sql: at, type: time}
      - {name: customer_id, sql: customer_id, type: number}
      - name: band
        type: string
        multi_stage: true
        add_group_by: [customer_id]
        sql: "CASE WHEN {total} > 100 THEN 'big' WHEN {total} > 20 THEN 'middle' ELSE 'small' END"
      - name: fixed_band
        type: string
        multi_stage: true
        group_by: [customers.city]
        case: {when: [{sql: "{total} > 150", label: rich}], else: {label: poor}}
      - {name: spent, type: number, multi_stage: true, grain: {include: [customer_id]}, sql: "{total}", mask: -1}
    measures:
      - {name: count, type: count}
      - {name: total, type: sum, sql: amount}
      - {name: average, type: avg, sql: amount}
      - {name: people, type: count_distinct, sql: customer_id}
      - {name: per_customer, type: avg, multi_stage: true, sql: "{average}", add_group_by: [customer_id]}
      - {name: high_value, type: count, multi_stage: true, sql: "CASE WHEN {total} > 20 THEN 1 END", add_group_by: [customer_id]}
      - {name: best_status, type: count_distinct, multi_stage: true, sql: "{count}", add_group_by: [status]}
      - {name: spread, type: number, multi_stage: true, sql: "MAX({total}) - MIN({total})", add_group_by: [customer_id]}
      - {name: loose, type: number, multi_stage: true, sql: "{total}", add_group_by: [customer_id]}
      - {name: place, type: rank, multi_stage: true, order_by: [{sql: "{total}", dir: desc}], reduce_by: [customer_id]}
      - {name: best_of_each, type: sum, multi_stage: true, sql: "{total}", filters: [{sql: "{place} = 1"}], add_group_by: [customer_id]}
      - {name: share, type: number, multi_stage: true, sql: "1.0 * {total} / {whole}"}
      - {name: whole, type: number, multi_stage: true, sql: "{total}", group_by: []}
      - {name: above_share, type: max, multi_stage: true, sql: "{share}", add_group_by: [customer_id]}
      - {name: done_place, type: rank, order_by: [{sql: "{total}", dir: desc}], reduce_by: [status], filter: {exclude: [status]}}
      - {name: big_total, type: number, sql: "{total}", filters: [{sql: "{total} > 100"}]}
  - name: customers
    sql_table: customers
    joins: [{name: orders, relationship: one_to_many, sql: "{CUBE}.id = {orders}.customer_id"}]
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true, public: true}
      - {name: city, sql: city, type: string}
      - {name: orders_made, sub_query: true, propagate_filters_to_sub_query: true, type: number, sql: "{orders.count}"}
      - {name: orders_ever, sub_query: true, type: number, sql: "{orders.count}"}
    measures: [{name: n, type: count}]
  - name: lines
    sql_table: lines
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
    measures: [{name: pieces, type: sum, sql: pieces}]
views:
  - name: v
    cubes:
      - {join_path: orders, includes: "*"}
      - {join_path: orders.customers, includes: [city, orders_made, orders_ever]}
      - {join_path: orders.lines, includes: [pieces]}
"""
TABLES = {
    "orders": pd.DataFrame(
        {
            "id": range(1, 9),
            "customer_id": [1, 1, 2, 2, 3, 4, 4, None],
            "status": ["done", "open", "done", "done", "open", "done", "open", None],
            "amount": [10, 20, 100, 50, 5, 30, 60, 7],
            "at": pd.to_datetime(["2023-01-05", "2024-01-05", "2023-06-01", "2024-06-01", "2024-02-02", "2023-03-03", "2023-04-04", "2024-05-05"]),
        }
    ),
    "customers": pd.DataFrame({"id": [1, 2, 3, 4, 5], "city": ["Rome", "Oslo", "Rome", "Oslo", "Rome"]}),
    "lines": pd.DataFrame({"id": range(6), "order_id": [1, 1, 2, 3, 4, 8], "pieces": [1, 2, 4, 8, 16, 32]}),
}  # fmt: skip
BAND = "CASE WHEN s > 100 THEN 'big' WHEN s > 20 THEN 'middle' ELSE 'small' END"
JOINED = "orders o LEFT JOIN customers c ON c.id = o.customer_id"


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    with opened(MODEL, TABLES) as layer:
        yield layer


def by_hand(sql: str, **tables: pd.DataFrame) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        for name, table in {**TABLES, **tables}.items():
            connection.register(name, table)
        found = connection.execute(sql).fetchall()
    return [tuple(_plain(value) for value in row) for row in found]


def _plain(value: Any) -> Any:
    if hasattr(value, "isoformat"):
        return value.isoformat()[:10]
    return (
        value
        if value is None or isinstance(value, str)
        else int(value)
        if value == int(value)
        else round(float(value), 6)
    )


BANDED = f"(SELECT customer_id AS k, {BAND} AS band FROM (SELECT customer_id, sum(amount) AS s FROM orders {{where}} GROUP BY 1)) b"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("SELECT band, MEASURE(count), MEASURE(total), MEASURE(people) FROM v GROUP BY 1 ORDER BY 1",
         f"SELECT band, count(*), sum(amount), count(DISTINCT customer_id) FROM orders JOIN {BANDED.format(where='')} ON k IS NOT DISTINCT FROM customer_id GROUP BY 1 ORDER BY 1"),
        # under the query's filters, and at the grain of its other keys
        ("SELECT band, MEASURE(count) FROM orders WHERE status = 'done' GROUP BY 1 ORDER BY 1",
         f"SELECT band, count(*) FROM orders JOIN {BANDED.format(where=chr(87) + 'HERE status = ' + chr(39) + 'done' + chr(39))} ON k IS NOT DISTINCT FROM customer_id WHERE status = 'done' GROUP BY 1 ORDER BY 1"),
        ("SELECT date_trunc('year', at), band, MEASURE(total) FROM v GROUP BY 1, 2 ORDER BY 1, 2",
         f"SELECT y, {BAND} AS band, sum(s) FROM (SELECT date_trunc('year', orders.at) AS y, customer_id, sum(amount) AS s FROM orders GROUP BY 1, 2) GROUP BY 1, 2 ORDER BY 1, 2"),
        # a filter on it chooses among the values, it does not change them
        ("SELECT city, MEASURE(total) FROM v WHERE band <> 'small' GROUP BY 1 ORDER BY 1",
         f"SELECT city, sum(amount) FROM {JOINED} JOIN (SELECT c2.city AS cc, o2.customer_id AS k, sum(amount) AS s FROM orders o2 LEFT JOIN customers c2 ON c2.id = o2.customer_id GROUP BY 1, 2) b ON k IS NOT DISTINCT FROM o.customer_id WHERE s > 20 GROUP BY 1 ORDER BY 1"),
        # beside rows that other joins repeat
        ("SELECT band, MEASURE(total), MEASURE(pieces) FROM v GROUP BY 1 ORDER BY 1",
         f"SELECT band, sum(amount), sum(p) FROM orders o LEFT JOIN (SELECT order_id, sum(pieces) AS p FROM lines GROUP BY 1) l ON l.order_id = o.id JOIN {BANDED.format(where='')} ON k IS NOT DISTINCT FROM customer_id GROUP BY 1 ORDER BY 1"),
        ("SELECT fixed_band, status, MEASURE(count) FROM v GROUP BY 1, 2 ORDER BY 1, 2",
         f"SELECT CASE WHEN s > 150 THEN 'rich' ELSE 'poor' END, status, count(*) FROM {JOINED} JOIN (SELECT city AS cc, sum(amount) AS s FROM {JOINED} GROUP BY 1) b ON cc IS NOT DISTINCT FROM city GROUP BY 1, 2 ORDER BY 1, 2"),
        ("SELECT DISTINCT customer_id, band FROM orders ORDER BY 1", f"SELECT k, band FROM {BANDED.format(where='')} ORDER BY 1"),
        ("SELECT COUNT(*) FROM v WHERE band = 'small'", f"SELECT count(*) FROM orders JOIN {BANDED.format(where='')} ON k IS NOT DISTINCT FROM customer_id WHERE band = 'small'"),
        ("SELECT spent, MEASURE(count) FROM v GROUP BY 1 ORDER BY 1",
         "SELECT s, sum(n) FROM (SELECT customer_id, sum(amount) AS s, count(*) AS n FROM orders GROUP BY 1) GROUP BY 1 ORDER BY 1"),
        # aggregates of aggregates
        ("SELECT city, MEASURE(per_customer), MEASURE(high_value), MEASURE(spread) FROM v GROUP BY 1 ORDER BY 1",
         f"SELECT city, avg(a), count(CASE WHEN s > 20 THEN 1 END), max(s) - min(s) FROM (SELECT city, customer_id, avg(amount) AS a, sum(amount) AS s FROM {JOINED} GROUP BY 1, 2) GROUP BY 1 ORDER BY 1"),
        ("SELECT city, MEASURE(best_status) FROM v GROUP BY 1 ORDER BY 1",
         f"SELECT city, count(DISTINCT n) FROM (SELECT city, status, count(*) AS n FROM {JOINED} GROUP BY 1, 2) GROUP BY 1 ORDER BY 1"),
        ("SELECT MEASURE(per_customer), MEASURE(spread) FROM v",
         "SELECT avg(a), max(s) - min(s) FROM (SELECT customer_id, avg(amount) AS a, sum(amount) AS s FROM orders GROUP BY 1)"),
        ("SELECT customer_id, MEASURE(high_value), MEASURE(spread) FROM v GROUP BY 1 ORDER BY 1",
         "SELECT customer_id, count(CASE WHEN s > 20 THEN 1 END), 0 FROM (SELECT customer_id, sum(amount) AS s FROM orders GROUP BY 1) GROUP BY 1 ORDER BY 1"),
        # of ranks, in stages within stages
        ("SELECT city, MEASURE(best_of_each) FROM v GROUP BY 1 ORDER BY 1",
         f"SELECT city, sum(CASE WHEN r = 1 THEN s END) FROM (SELECT city, s, rank() OVER (PARTITION BY city ORDER BY s DESC) AS r FROM (SELECT city, customer_id, sum(amount) AS s FROM {JOINED} GROUP BY 1, 2)) GROUP BY 1 ORDER BY 1"),
        ("SELECT city, MEASURE(above_share) FROM v GROUP BY 1 ORDER BY 1",
         f"SELECT city, max(1.0 * s / (SELECT sum(amount) FROM orders)) FROM (SELECT city, customer_id, sum(amount) AS s FROM {JOINED} GROUP BY 1, 2) GROUP BY 1 ORDER BY 1"),
        ("SELECT status, MEASURE(done_place) FROM v WHERE status = 'open' GROUP BY 1 ORDER BY 1", "SELECT 'open', 2"),
        ("SELECT status, MEASURE(big_total) FROM v GROUP BY 1 ORDER BY 1",
         "SELECT status, CASE WHEN sum(amount) > 100 THEN sum(amount) END FROM orders GROUP BY 1 ORDER BY 1"),
        # filters that go into a subquery, and those that do not
        ("SELECT orders_made, orders_ever, MEASURE(count) FROM v WHERE status = 'done' AND city = 'Oslo' GROUP BY 1, 2 ORDER BY 1, 2",
         "SELECT made, ever, sum(made) FROM (SELECT c.id, count(*) FILTER (status = 'done') AS made, count(*) AS ever FROM customers c JOIN orders o ON o.customer_id = c.id WHERE city = 'Oslo' GROUP BY 1) GROUP BY 1, 2 ORDER BY 1, 2"),
    ],
)  # fmt: skip
def test_as_by_hand(layer: SemanticLayer, asked: str, expected: str) -> None:
    assert rows(layer, asked) == by_hand(expected)


def test_what_has_no_answer_is_told(layer: SemanticLayer) -> None:
    with pytest.raises(InvalidQuery, match="does not say how its values for each customer_id are taken together"):
        rows(layer, "SELECT city, MEASURE(loose) FROM v GROUP BY 1")
    assert rows(layer, "SELECT customer_id, MEASURE(loose) FROM v WHERE customer_id = 2 GROUP BY 1") == [(2, 150)]
    with pytest.raises(InvalidQuery, match="computed over the groups of a query"):
        rows(layer, "SELECT o.band, COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1")


POLICY = """
    access_policy:
      - group: "*"
        member_level: {includes: "*", excludes: [spent]}
        member_masking: {includes: [spent]}
        row_level: {filters: [{member: status, operator: equals, values: ["{ userAttributes.status }"]}]}
"""


def test_policies_hold_in_every_stage() -> None:
    guarded = MODEL.replace("    sql_table: orders\n", "    sql_table: orders" + POLICY)
    only = {**TABLES, "orders": TABLES["orders"][TABLES["orders"].status == "done"]}
    asker = SecurityContext(user_attributes={"status": "done"})
    with opened(guarded, TABLES) as layer, opened(MODEL, only) as plain:
        for asked in (
            "SELECT band, MEASURE(count), MEASURE(total) FROM orders GROUP BY 1 ORDER BY 1",
            "SELECT fixed_band, band, MEASURE(best_of_each), MEASURE(per_customer) FROM v GROUP BY 1, 2 ORDER BY 1, 2",
            "SELECT city, MEASURE(spread), MEASURE(share) FROM v WHERE band = 'big' GROUP BY 1 ORDER BY 1",
            "SELECT orders_made, orders_ever, MEASURE(count) FROM v GROUP BY 1, 2 ORDER BY 1, 2",
            "SELECT id, band FROM orders ORDER BY 1",
        ):
            assert rows(layer, asked, asker) == rows(plain, asked, OPERATOR), asked
        assert rows(layer, "SELECT spent, MEASURE(count) FROM orders GROUP BY 1", asker) == [(-1, 4)]
        assert rows(layer, "SELECT COUNT(*) FROM orders WHERE spent > 20", asker) == [(0,)]
