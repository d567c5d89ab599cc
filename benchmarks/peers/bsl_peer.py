"""Run inside an environment with boring-semantic-layer: one JSON line per question. Usage: bsl_peer.py shop.duckdb ROUNDS."""

from __future__ import annotations

import sys

import ibis
from boring_semantic_layer import to_semantic_table
from timing import report

con = ibis.duckdb.connect(sys.argv[1], read_only=True)
orders = (
    to_semantic_table(con.table("orders"), name="orders")
    .with_dimensions(
        order_id=lambda t: t.order_id, status=lambda t: t.status, month=lambda t: t.ordered_at.truncate("M")
    )
    .with_measures(freight=lambda t: t.freight.sum())
)
products = to_semantic_table(con.table("products"), name="products").with_dimensions(
    product_id=lambda t: t.product_id, category=lambda t: t.category
)
items = (
    to_semantic_table(con.table("items"), name="items")
    .with_dimensions(region=lambda t: t.region, quantity=lambda t: t.quantity)
    .with_measures(revenue=lambda t: t.amount.sum(), n=lambda t: t.count())
)
with_orders = items.join_one(orders, on=lambda left, right: left.order_id == right.order_id)
with_products = items.join_one(products, on=lambda left, right: left.product_id == right.product_id)

QUESTIONS = {
    "revenue by region": lambda: items.group_by("region").aggregate("revenue", "n"),
    "filtered, by category": lambda: (
        with_products.filter(lambda t: t.items.region.isin(["north", "east"]) & (t.items.quantity > 3))
        .group_by("products.category")
        .aggregate("items.revenue")
    ),
    "by month and status": lambda: with_orders.group_by("orders.month", "orders.status").aggregate("items.revenue"),
    "fan-out: revenue and freight by status": lambda: with_orders.group_by("orders.status").aggregate(
        "items.revenue", "orders.freight"
    ),
}
for name, question in QUESTIONS.items():
    report(
        name,
        compile_=lambda q=question: ibis.to_sql(q().to_untagged(), dialect="duckdb"),
        execute=lambda q=question: q().execute().to_numpy().tolist(),
        rounds=int(sys.argv[2]),
    )
