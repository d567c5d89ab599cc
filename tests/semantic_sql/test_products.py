"""Relations that a comma lists and nothing compares are multiplied, as SQL says; a note tells so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from svc_notebook.semantic.layer import SemanticLayer

from ..semantic_model.layers import OPERATOR, opened, rows
from .test_join_order import MODEL, TABLES


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    with opened(MODEL, TABLES) as made:
        yield made


TOLD = {
    "SELECT count(*) FROM items, products": "'items' and 'products'",
    "SELECT count(*) FROM items i, products p WHERE i.amount > 3 AND p.label <> 'a'": "'i' and 'p'",
    "SELECT i.item FROM items i, products p, orders o WHERE i.product = p.product": "'i' and 'o'",
    "SELECT count(*) FROM items i, (SELECT product FROM products GROUP BY 1) t": "'i' and 't'",
    "WITH q AS (SELECT label FROM products UNION SELECT tier FROM buyers) SELECT count(*) FROM orders, q": "'orders' and 'q'",
    "SELECT count(*) FROM items JOIN products": "'items' and 'products'",
    "SELECT (SELECT count(*) FROM items i, orders o) AS n": "'i' and 'o'",
    "SELECT count(*) FROM items i, (SELECT label FROM products LIMIT 2) t": "'i' and 't'",
}
UNTOLD = [
    "SELECT count(*) FROM items i, products p WHERE i.product = p.product",
    "SELECT count(*) FROM items i, products p WHERE i.product < p.product OR i.item = 1",
    "SELECT count(*) FROM items i, products p, orders o WHERE i.product = p.product AND o.number = i.\"order\"",
    "SELECT count(*) FROM items CROSS JOIN products",
    "SELECT count(*) FROM items i CROSS JOIN (SELECT label FROM products) p",
    "SELECT i.amount / t.whole AS share FROM items i, (SELECT sum(amount) AS whole FROM items) t",
    "WITH t AS (SELECT sum(amount) AS whole FROM items) SELECT i.amount / whole AS share FROM items i, t",
    "SELECT count(*) FROM items i, (SELECT label FROM products ORDER BY 1 LIMIT 1) t",
    "SELECT count(*) FROM items i, (VALUES (1), (2)) AS v(n)",
    "SELECT count(*) FROM items i, generate_series(1, 3) AS g(n)",
    "SELECT count(*) FROM products p, LATERAL (SELECT max(i.amount) AS m FROM items i WHERE i.product = p.product) s",
    "SELECT count(*) FROM items i, products p WHERE EXISTS (SELECT 1 FROM orders o WHERE o.number = i.item + p.product)",
    "SELECT count(*) FROM items JOIN products USING (product)",
    "SELECT count(*) FROM items",
]  # fmt: skip


@pytest.mark.parametrize(("sql", "what"), TOLD.items())
def test_a_product_that_nothing_joins_is_told(layer: SemanticLayer, sql: str, what: str) -> None:
    [note] = layer.query(OPERATOR, sql).notes
    assert note.startswith(f"nothing joins {what}: every row")


@pytest.mark.parametrize("sql", UNTOLD)
def test_what_is_joined_or_meant_is_not(layer: SemanticLayer, sql: str) -> None:
    assert list(layer.query(OPERATOR, sql).notes) == []


def test_the_product_is_answered_all_the_same(layer: SemanticLayer) -> None:
    assert rows(layer, "SELECT count(*) FROM items, products") == [(8 * 4,)]
