"""Relations that a query joins are written with the many first, as the model's primary keys tell, never the data."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pandas as pd
import pytest

from svc_notebook.semantic.layer import SemanticLayer

from ..semantic_model.layers import OPERATOR, opened, rows

MODEL = """
cubes:
  - name: items
    sql_table: items
    dimensions:
      - {name: item, sql: item, type: number, primary_key: true, public: true}
      - {name: product, sql: product, type: number}
      - {name: "order", sql: '"order"', type: number}
      - {name: amount, sql: amount, type: number}
  - name: products
    sql_table: products
    dimensions:
      - {name: product, sql: product, type: number, primary_key: true, public: true}
      - {name: label, sql: label, type: string}
  - name: orders
    sql_table: orders
    dimensions:
      - {name: number, sql: number, type: number, primary_key: true, public: true}
      - {name: buyer, sql: buyer, type: number}
  - name: buyers
    sql_table: buyers
    dimensions:
      - {name: buyer, sql: buyer, type: number, primary_key: true, public: true}
      - {name: tier, sql: tier, type: string}
"""
TABLES = {
    "items": pd.DataFrame({"item": range(8), "product": [1, 1, 2, 2, 2, 9, 3, 1], "order": [1, 1, 2, 3, 3, 1, 7, 2],
                           "amount": [5, 7, 1, 2, 3, 4, 6, 8]}),
    "products": pd.DataFrame({"product": [1, 2, 3, 4], "label": ["a", "b", "c", "d"]}),
    "orders": pd.DataFrame({"number": [1, 2, 3, 4], "buyer": [1, 1, 2, 5]}),
    "buyers": pd.DataFrame({"buyer": [1, 2, 3], "tier": ["gold", "tin", "tin"]}),
}  # fmt: skip


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    with opened(MODEL, TABLES) as made:
        yield made


def order(layer: SemanticLayer, sql: str) -> list[str]:
    """The tables of a compiled query, in the order in which they are joined, with the words between them."""
    return re.findall(
        r'FROM "\w+"\."main"\."(\w+)"|(?<= )(LEFT|RIGHT|FULL|SEMI|CROSS)(?= JOIN)', layer.compile(OPERATOR, sql).sql
    )  # type: ignore[return-value]


def tables(layer: SemanticLayer, sql: str) -> str:
    return " ".join(table or word for table, word in order(layer, sql))


@pytest.mark.parametrize(
    ("sql", "written", "expected"),
    [
        ("SELECT p.label, sum(i.amount) FROM products p JOIN items i ON i.product = p.product GROUP BY 1 ORDER BY 1",
         "items products", [("a", 20), ("b", 6), ("c", 6)]),
        ("SELECT p.label, sum(i.amount) FROM items i JOIN products p ON i.product = p.product GROUP BY 1 ORDER BY 1",
         "items products", [("a", 20), ("b", 6), ("c", 6)]),
        ("SELECT p.label, sum(i.amount) FROM products p LEFT JOIN items i ON i.product = p.product GROUP BY 1 ORDER BY 1",
         "items RIGHT products", [("a", 20), ("b", 6), ("c", 6), ("d", None)]),
        (("SELECT b.tier, sum(i.amount) FROM buyers b JOIN orders o ON o.buyer = b.buyer JOIN items i ON i.\"order\" = o.number "
         "GROUP BY 1 ORDER BY 1"), "items orders buyers", [("gold", 25), ("tin", 5)]),
        (("SELECT b.tier, p.label, sum(i.amount) FROM buyers b JOIN orders o ON o.buyer = b.buyer JOIN items i ON i.\"order\" = "
         "o.number JOIN products p ON p.product = i.product GROUP BY 1, 2 ORDER BY 1, 2"), "items orders buyers products",
         [("gold", "a", 20), ("gold", "b", 1), ("tin", "b", 5)]),
        (("SELECT p.label, i.amount FROM products p JOIN (SELECT product, amount FROM items WHERE amount > 6) i "
         "ON i.product = p.product ORDER BY 2"), "items products", [("a", 7), ("a", 8)]),
    ],
)  # fmt: skip
def test_the_many_come_first(layer: SemanticLayer, sql: str, written: str, expected: list[object]) -> None:
    assert tables(layer, sql) == written
    assert rows(layer, sql) == expected


@pytest.mark.parametrize(
    ("sql", "written"),
    [
        ("SELECT count(*) FROM products p JOIN items i ON i.product < p.product", "products items"),  # no key is told
        ("SELECT count(*) FROM products p JOIN buyers b ON b.buyer = p.product", "products buyers"),  # both are one
        ("SELECT count(*) FROM products p FULL JOIN items i ON i.product = p.product", "products FULL items"),
        ("SELECT count(*) FROM products p SEMI JOIN items i ON i.product = p.product", "products SEMI items"),
        ("SELECT count(*) FROM items i LEFT JOIN products p ON i.product = p.product", "items LEFT products"),
        ("SELECT count(*) FROM products p LEFT JOIN items i ON i.product = p.product JOIN orders o ON o.number = i.\"order\"",
         "products LEFT items orders"),
        ("SELECT count(*) FROM products p JOIN items i ON i.product = p.product CROSS JOIN orders o", "products items CROSS orders"),
        ("SELECT count(*) FROM products p JOIN LATERAL (SELECT i.amount FROM items i WHERE i.product = p.product) x ON x.amount = p.product",
         "products items"),
    ],
)  # fmt: skip
def test_what_is_not_known_or_would_differ_stays_as_written(layer: SemanticLayer, sql: str, written: str) -> None:
    assert tables(layer, sql) == written


def test_columns_stay_in_the_order_of_the_query(layer: SemanticLayer) -> None:
    found = layer.query(OPERATOR, "SELECT * FROM products p JOIN items i USING (product) ORDER BY item LIMIT 1").table
    assert found.column_names[:2] == ["product", "label"]
    found = layer.query(
        OPERATOR, "SELECT * FROM products p JOIN items i ON i.product = p.product ORDER BY item LIMIT 1"
    ).table
    assert found.column_names == ["product", "label", "item", "product_2", "order", "amount"]
