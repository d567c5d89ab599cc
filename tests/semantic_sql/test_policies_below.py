"""Policies of cubes below one-to-many steps: hidden rows are gone before the join, and what stands above them stays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import InvalidQuery
from svc_notebook.semantic.layer import SemanticLayer

from ..semantic_model.layers import OPERATOR, opened, rows

MODEL = """
cubes:
  - name: customers
    sql_table: customers
    joins:
      - {name: orders, relationship: one_to_many, sql: "{CUBE}.customer = {orders}.customer"}
      - {name: regions, relationship: many_to_one, sql: "{CUBE}.region = {regions}.region"}
    dimensions: [{name: customer, sql: customer, type: number, primary_key: true, public: true}]
    measures: [{name: people, type: count}]
  - name: orders
    sql_table: orders
    public: false
    joins:
      - {name: items, relationship: one_to_many, sql: "{CUBE}.number = {items}.number"}
      - {name: shops, relationship: many_to_one, sql: "{CUBE}.shop = {shops}.shop"}
    dimensions:
      - {name: number, sql: number, type: number, primary_key: true, public: true}
      - {name: secret, sql: secret, type: boolean}
    measures: [{name: bought, type: count}]
    access_policy: [{group: "*", row_level: {filters: [{member: secret, operator: equals, values: [false]}]}}]
  - name: items
    sql_table: items
    public: false
    dimensions:
      - {name: item, sql: item, type: number, primary_key: true, public: true}
      - {name: secret, sql: secret, type: boolean}
    measures: [{name: pieces, type: sum, sql: n}]
    access_policy: [{group: "*", row_level: {filters: [{member: secret, operator: equals, values: [false]}]}}]
  - name: shops
    sql_table: shops
    public: false
    dimensions:
      - {name: shop, sql: shop, type: number, primary_key: true, public: true}
      - {name: closed, sql: closed, type: boolean}
    access_policy: [{group: "*", row_level: {filters: [{member: closed, operator: equals, values: [false]}]}}]
  - name: regions
    sql_table: regions
    public: false
    dimensions:
      - {name: region, sql: region, type: string, primary_key: true, public: true}
      - {name: closed, sql: closed, type: boolean}
    access_policy: [{group: "*", row_level: {filters: [{member: closed, operator: equals, values: [false]}]}}]
views:
  - name: v
    cubes:
      - {join_path: customers, includes: "*"}
      - {join_path: customers.orders, includes: [number, bought]}
      - {join_path: customers.orders.items, includes: [item, pieces]}
      - {join_path: customers.orders.shops, includes: [shop]}
  - name: w
    cubes:
      - {join_path: customers, includes: "*"}
      - {join_path: customers.regions, includes: [region]}
      - {join_path: customers.orders, includes: [number, bought]}
      - {join_path: customers.orders.items, includes: [item, pieces]}
    access_policy: [{group: "*", row_level: {filters: [{member: customer, operator: lt, values: [3]}]}}]
  - name: long
    cubes: [{join_path: customers, includes: "*", prefix: true}]
    access_policy: [{group: "*", row_level: {filters: [{member: customers.customer, operator: lt, values: [3]}]}}]
  - {name: open, cubes: [{join_path: customers, includes: "*"}]}
  - name: own
    cubes: [{join_path: customers, includes: "*"}]
    access_policy: [{group: "*", row_level: {filters: [{member: customer, operator: lt, values: [3]}]}}]
  - {name: sold, cubes: [{join_path: orders, includes: [number]}]}
"""
TABLES = {
    "customers": pd.DataFrame({"customer": [1, 2, 3, 4], "region": ["a", "b", "a", "a"]}),
    "regions": pd.DataFrame({"region": ["a", "b"], "closed": [False, True]}),
    # 10 is seen; 11 is of a closed shop; of 12 all items are hidden; 13 is hidden itself; 14 is of no known shop
    "orders": pd.DataFrame({"number": [10, 11, 12, 13, 14], "customer": [1, 1, 2, 3, 1], "shop": [1, 2, 1, 1, 9],
                            "secret": [False, False, False, True, False]}),
    "items": pd.DataFrame({"item": [100, 101, 102, 103, 104], "number": [10, 10, 12, 11, 13], "n": [1, 2, 4, 8, 16],
                           "secret": [False, True, True, False, False]}),
    "shops": pd.DataFrame({"shop": [1, 2], "closed": [False, True]}),
}  # fmt: skip
ANA = SecurityContext(user="ana")


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    with opened(MODEL, TABLES) as made:
        yield made


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT customer, MEASURE(bought) FROM v GROUP BY 1 ORDER BY 1", [(1, 1), (2, 1), (3, 0), (4, 0)]),
        ("SELECT customer, MEASURE(pieces) FROM v GROUP BY 1 ORDER BY 1", [(1, 1), (2, None), (3, None), (4, None)]),
        ("SELECT MEASURE(people), MEASURE(bought), MEASURE(pieces) FROM v", [(4, 2, 1)]),
        ("SELECT number, MEASURE(pieces) FROM v GROUP BY 1 ORDER BY 1", [(10, 1), (12, None), (None, None)]),
        ("SELECT item, MEASURE(bought) FROM v GROUP BY 1 ORDER BY 1", [(100, 1), (None, 1)]),
        ("SELECT customer, number, item FROM v ORDER BY 1, 2, 3",
         [(1, 10, 100), (2, 12, None), (3, None, None), (4, None, None)]),
        ("SELECT DISTINCT shop FROM v ORDER BY 1", [(1,), (None,)]),
        ("SELECT count(*) FROM v WHERE number = 13 OR item = 103", [(0,)]),
        ("SELECT MEASURE(people) FROM v WHERE number = 12", [(1,)]),
        ("SELECT MEASURE(people), MEASURE(bought), MEASURE(pieces) FROM w", [(1, 3, 9)]),
        ("SELECT MEASURE(bought) FROM w", [(3,)]),
        ("SELECT MEASURE(pieces) FROM w", [(9,)]),
        ("SELECT number, MEASURE(bought) FROM w GROUP BY 1 ORDER BY 1", [(10, 1), (11, 1), (14, 1)]),
        ("SELECT item, MEASURE(pieces) FROM w GROUP BY 1 ORDER BY 1", [(100, 1), (103, 8), (None, None)]),
        ("SELECT region, MEASURE(bought) FROM w WHERE number > 10 GROUP BY 1", [("a", 2)]),
        ("SELECT count(*) FROM w WHERE customer = 2 OR number = 12 OR region = 'b'", [(0,)]),
        ("SELECT max(number) FROM w", [(14,)]),
        ("SELECT customers_customer FROM long ORDER BY 1", [(1,), (2,)]),  # its policy names the cube's member
        ("SELECT count(DISTINCT item) FROM w", [(2,)]),
    ],
)  # fmt: skip
def test_what_is_hidden_below_is_gone_and_what_is_above_stays(
    layer: SemanticLayer, sql: str, expected: list[tuple[Any, ...]]
) -> None:
    assert rows(layer, sql, ANA) == expected


def test_a_policy_that_looks_back_at_what_is_above_is_refused_in_words() -> None:
    back = '{name: customers, relationship: many_to_one, sql: "{CUBE}.customer = {customers}.customer"}'
    model = MODEL.replace("      - {name: shops, rel", f"      - {back}\n      - {{name: shops, rel").replace(
        "{member: secret, operator: equals, values: [false]}",
        "{member: customers.customer, operator: gt, values: [1]}",
        1,
    )
    with (
        opened(model, TABLES) as made,
        pytest.raises(InvalidQuery, match="'orders' filters on a cube that is joined to it"),
    ):
        rows(made, "SELECT customer, MEASURE(bought) FROM v GROUP BY 1", ANA)


@pytest.mark.parametrize(
    ("relation", "ends"), [("open", False), ("customers", False), ("own", True), ("sold", True), ("v", True)]
)
def test_where_rows_may_be_hidden_nothing_that_can_fail_goes_below_their_end(
    layer: SemanticLayer, relation: str, ends: bool
) -> None:
    member = "number" if relation == "sold" else "customer"
    sql = f"SELECT {member} * 9000000000000000000 AS x FROM {relation} WHERE {member} * 9000000000000000000 > 5"
    assert ("OFFSET 0" in layer.compile(ANA, sql).sql) == ends
    assert "OFFSET 0" not in layer.compile(OPERATOR, sql).sql
