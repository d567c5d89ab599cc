"""Switches: lists of values every row stands under once, and measures that choose by them."""

from __future__ import annotations

from collections.abc import Iterator

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
      - {name: lines, relationship: one_to_many, sql: "{CUBE}.id = {lines}.order_id"}
      - {name: choice, relationship: many_to_one, sql: "1 = 1"}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true, public: true}
      - {name: shop, sql: shop, type: string}
      - {name: currency, type: switch, values: [USD, EUR, GBP]}
      - {name: plan, type: switch, values: [A, "B'"]}
      - {name: label, type: string, sql: "{currency} || '/' || {shop}"}
      - name: spelt
        type: string
        case: {switch: "{CUBE.currency}", when: [{value: USD, sql: "'dollars'"}], else: {sql: "'other'"}}
    measures:
      - {name: count, type: count}
      - {name: usd, type: sum, sql: usd}
      - {name: eur, type: sum, sql: eur}
      - name: amount
        type: number
        multi_stage: true
        case: {switch: "{CUBE.currency}", when: [{value: USD, sql: "{usd}"}, {value: EUR, sql: "{eur}"}], else: {sql: "0"}}
      - {name: per_order, type: number, sql: "{amount} / {count}"}
      - name: shown
        type: number
        multi_stage: true
        case: {switch: "{choice.unit}", when: [{value: money, sql: "{usd}"}], else: {sql: "{count}"}}
    access_policy:
      - {group: "*", row_level: {filters: [{member: shop, operator: equals, values: ["{ userAttributes.shop }"]}]}}
  - name: lines
    sql_table: lines
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
    measures: [{name: pieces, type: sum, sql: pieces}]
  - name: choice
    sql: SELECT 1 AS one
    dimensions:
      - {name: one, sql: one, type: number, primary_key: true}
      - {name: unit, type: switch, values: [money, number]}
views:
  - name: v
    cubes:
      - {join_path: orders, includes: "*"}
      - {join_path: orders.choice, includes: [unit]}
      - {join_path: orders.lines, includes: [pieces]}
"""
ORDERS = pd.DataFrame({"id": [1, 2, 3], "shop": ["x", "x", "y"], "usd": [10, 20, 40], "eur": [9, 18, 36]})
LINES = pd.DataFrame({"id": range(6), "order_id": [1, 1, 2, 3, 3, 3], "pieces": [1, 2, 3, 4, 5, 6]})


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    with opened(MODEL, {"orders": ORDERS, "lines": LINES}) as layer:
        yield layer


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT currency, MEASURE(usd) FROM orders GROUP BY 1 ORDER BY 1", [("EUR", 70), ("GBP", 70), ("USD", 70)]),
        ("SELECT currency, MEASURE(amount) FROM orders GROUP BY 1 ORDER BY 1", [("EUR", 63), ("GBP", 0), ("USD", 70)]),
        ("SELECT shop, MEASURE(usd), MEASURE(count) FROM v GROUP BY 1 ORDER BY 1", [("x", 30, 2), ("y", 40, 1)]),
        ("SELECT MEASURE(usd), MEASURE(count) FROM v WHERE currency IN ('USD', 'EUR')", [(70, 3)]),
        ("SELECT COUNT(*), SUM(usd) FROM v WHERE currency <> 'USD'", [(3, 70)]),
        ("SELECT MEASURE(amount) FROM v WHERE currency = 'EUR'", [(63,)]),
        ("SELECT MEASURE(amount), MEASURE(pieces) FROM v WHERE 'EUR' = currency AND shop = 'x'", [(27, 6)]),
        ("SELECT shop, MEASURE(per_order) FROM v WHERE currency IN ('EUR') GROUP BY 1 ORDER BY 1", [("x", 13.5), ("y", 36)]),
        ("SELECT currency, MEASURE(pieces) FROM v GROUP BY 1 ORDER BY 1", [("EUR", 21), ("GBP", 21), ("USD", 21)]),
        ("SELECT label, MEASURE(usd) FROM v WHERE shop = 'y' GROUP BY 1 ORDER BY 1", [("EUR/y", 40), ("GBP/y", 40), ("USD/y", 40)]),
        ("SELECT spelt, MEASURE(usd), MEASURE(pieces) FROM v GROUP BY 1 ORDER BY 1", [("dollars", 70, 21), ("other", 70, 21)]),
        ("SELECT plan, currency, MEASURE(count) FROM v WHERE currency <> 'GBP' GROUP BY 1, 2 ORDER BY 1, 2",
         [("A", "EUR", 3), ("A", "USD", 3), ("B'", "EUR", 3), ("B'", "USD", 3)]),
        ("SELECT unit, MEASURE(shown) FROM v GROUP BY 1 ORDER BY 1", [("money", 70), ("number", 3)]),
        ("SELECT shop, MEASURE(shown) FROM v WHERE unit = 'money' GROUP BY 1 ORDER BY 1", [("x", 30), ("y", 40)]),
        ("SELECT DISTINCT currency FROM orders ORDER BY 1", [("EUR",), ("GBP",), ("USD",)]),
        ("SELECT id, plan FROM orders WHERE id < 3 ORDER BY 1, 2", [(1, "A"), (1, "B'"), (2, "A"), (2, "B'")]),
    ],
)  # fmt: skip
def test_numbers_stay_what_they_are(layer: SemanticLayer, sql: str, expected: list[tuple[object, ...]]) -> None:
    assert rows(layer, sql) == expected


@pytest.mark.parametrize("where", ["", " WHERE currency <> 'USD'", " WHERE currency = 'EUR' OR shop = 'x'"])
def test_a_choice_that_is_not_made_is_asked_for(layer: SemanticLayer, where: str) -> None:
    with pytest.raises(InvalidQuery, match="'amount' needs 'currency' in GROUP BY, or one value of it in WHERE"):
        layer.query(OPERATOR, f"SELECT shop, MEASURE(amount) FROM v{where} GROUP BY 1")


def test_policies_hold() -> None:
    asker = SecurityContext(user_attributes={"shop": "y"})
    open_model = MODEL.replace(MODEL[MODEL.index("    access_policy") : MODEL.index("  - name: lines")], "")
    only = {"orders": ORDERS[ORDERS.shop == "y"], "lines": LINES}
    with opened(MODEL, {"orders": ORDERS, "lines": LINES}) as guarded, opened(open_model, only) as plain:
        for sql in (
            "SELECT currency, MEASURE(amount), MEASURE(pieces), COUNT(*) FROM v GROUP BY 1 ORDER BY 1",
            "SELECT MEASURE(usd) FROM v WHERE currency IN ('USD', 'EUR')",
            "SELECT id, shop, currency, unit FROM v ORDER BY 1, 2, 3, 4",
        ):
            assert rows(guarded, sql, asker) == rows(plain, sql)
        nobody = SecurityContext(user_attributes={})
        assert rows(guarded, "SELECT DISTINCT currency FROM orders", nobody) == []


def test_without_a_key_rows_are_not_counted_twice_in_silence() -> None:
    model = """
cubes:
  - name: t
    sql_table: t
    dimensions: [{name: unit, type: switch, values: [a, b]}, {name: k, sql: k, type: string}]
    measures: [{name: n, type: sum, sql: n}]
"""
    with opened(model, {"t": pd.DataFrame({"k": ["x", "y"], "n": [1, 2]})}) as layer:
        assert rows(layer, "SELECT unit, MEASURE(n) FROM t GROUP BY 1 ORDER BY 1") == [("a", 3), ("b", 3)]
        with pytest.raises(InvalidQuery, match="no primary key"):
            layer.query(OPERATOR, "SELECT MEASURE(n) FROM t WHERE unit IN ('a', 'b')")
