"""Run inside an environment with sidemantic: prints one JSON line per question. Usage: sidemantic_peer.py shop.duckdb ROUNDS."""

from __future__ import annotations

import sys

from sidemantic import Dimension, Metric, Model, Relationship, SemanticLayer
from timing import report

layer = SemanticLayer(f"duckdb:///{sys.argv[1]}")
layer.add_model(
    Model(
        name="items", table="items", primary_key="item_id",
        dimensions=[Dimension(name="region", type="categorical", sql="region"), Dimension(name="quantity", type="numeric", sql="quantity")],
        metrics=[Metric(name="revenue", agg="sum", sql="amount"), Metric(name="n", agg="count")],
        relationships=[
            Relationship(name="orders", type="many_to_one", foreign_key="order_id"),
            Relationship(name="products", type="many_to_one", foreign_key="product_id"),
        ],
    )
)  # fmt: skip
layer.add_model(
    Model(
        name="orders", table="orders", primary_key="order_id",
        dimensions=[
            Dimension(name="status", type="categorical", sql="status"),
            Dimension(name="ordered_at", type="time", sql="ordered_at", granularity="day"),
        ],
        metrics=[Metric(name="freight", agg="sum", sql="freight")],
    )
)  # fmt: skip
layer.add_model(
    Model(
        name="products", table="products", primary_key="product_id",
        dimensions=[Dimension(name="category", type="categorical", sql="category")], metrics=[],
    )
)  # fmt: skip

QUESTIONS = {
    "revenue by region": {"metrics": ["items.revenue", "items.n"], "dimensions": ["items.region"]},
    "filtered, by category": {
        "metrics": ["items.revenue"],
        "dimensions": ["products.category"],
        "filters": ["items.region IN ('north', 'east')", "items.quantity > 3"],
    },
    "by month and status": {"metrics": ["items.revenue"], "dimensions": ["orders.ordered_at__month", "orders.status"]},
    "fan-out: revenue and freight by status": {
        "metrics": ["items.revenue", "orders.freight"],
        "dimensions": ["orders.status"],
    },
}
for name, question in QUESTIONS.items():
    report(
        name,
        compile_=lambda q=question: layer.compile(**q),
        execute=lambda q=question: layer.query(**q).fetchall(),
        rounds=int(sys.argv[2]),
    )
