"""A small shop: customers with orders (with items) and tickets; NULL keys, orders without a customer, a chasm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pyarrow as pa

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

OPERATOR = SecurityContext.operator()
at = datetime.fromisoformat

DATA = {
    "customers": pa.table({"id": [1, 2, 3], "country": ["DE", "FR", None], "email": ["a@x", "b@x", "c@x"]}),
    "orders": pa.table(
        {
            "id": [1, 2, 3, 4],
            "customer_id": [1, 1, 2, None],
            "status": ["paid", "open", "paid", "paid"],
            "amount": [10.0, 20.0, 30.0, 40.0],
            "placed_at": [at("2024-01-05 23:30"), at("2024-02-05"), at("2024-02-07"), at("2025-02-01")],
        }
    ),
    "items": pa.table(
        {"order_id": [1, 1, 2, 3], "line": [1, 2, 1, 1], "product": ["x", "y", "x", "x"], "price": [1, 2, 3, 4]}
    ),
    "tickets": pa.table({"id": [1, 2, 3], "customer_id": [1, 1, 3]}),
}  # fmt: skip


def dimension(name: str, kind: str = "number", **more: Any) -> dict[str, Any]:
    return {"name": name, "sql": name, "type": kind, **more}


CUBES: list[dict[str, Any]] = [
    {
        "name": "customers",
        "sql_table": "customers",
        "joins": [
            {"name": "orders", "relationship": "one_to_many", "sql": "{CUBE}.id = {orders}.customer_id"},
            {"name": "tickets", "relationship": "one_to_many", "sql": "{CUBE}.id = {tickets}.customer_id"},
        ],
        "dimensions": [
            dimension("id", primary_key=True, public=True),
            dimension("country", "string"),
            dimension("email", "string", mask="***"),
            {"name": "order_count", "type": "number", "sub_query": True, "sql": "{orders.count}"},
        ],
        "measures": [{"name": "count", "type": "count"}, {"name": "avg_orders", "type": "avg", "sql": "{order_count}"}],
    },
    {
        "name": "orders",
        "sql_table": "orders",
        "joins": [{"name": "items", "relationship": "one_to_many", "sql": "{CUBE}.id = {items}.order_id"}],
        "dimensions": [
            dimension("id", primary_key=True, public=True),
            dimension("status", "string"),
            dimension("amount"),
            dimension(
                "placed_at",
                "time",
                granularities=[
                    {"name": "fiscal_year", "interval": "1 year", "offset": "-3 months"},
                    {"name": "sunday_week", "interval": "1 week", "offset": "-1 day"},
                    {"name": "odd", "interval": "1 month 10 days", "origin": "2024-01-01"},
                ],
            ),
            {
                "name": "size",
                "type": "string",
                "case": {"when": [{"sql": "{CUBE}.amount > 15", "label": "large"}], "else": {"label": "small"}},
            },
        ],
        "measures": [
            {"name": "count", "type": "count"},
            {"name": "total", "type": "sum", "sql": "amount", "title": "Revenue", "format": "currency"},
            {"name": "paid_total", "type": "sum", "sql": "amount", "filters": [{"sql": "{CUBE}.status = 'paid'"}]},
            {"name": "average", "type": "number", "sql": "{total} / NULLIF({count}, 0)"},
            {"name": "raw_average", "type": "number", "sql": "SUM({CUBE}.amount) / COUNT(*)"},
            {"name": "statuses", "type": "count_distinct", "sql": "status"},
            {"name": "largest", "type": "max", "sql": "amount"},
            {"name": "all_total", "type": "sum", "sql": "{total}", "multi_stage": True, "reduce_by": ["status"]},
            {"name": "share", "type": "number", "sql": "{total} / {all_total}", "multi_stage": True},
            {
                "name": "place", "type": "rank", "multi_stage": True, "reduce_by": ["status"],
                "order_by": [{"sql": "{total}", "dir": "desc"}],
            },
            {
                "name": "year_before", "type": "number", "sql": "{total}", "multi_stage": True,
                "time_shift": [{"time_dimension": "placed_at", "interval": "1 year", "type": "prior"}],
            },
            {"name": "monthly_average", "type": "avg", "sql": "{total}", "multi_stage": True, "add_group_by": ["placed_at.month"]},
            {"name": "running", "type": "sum", "sql": "amount", "rolling_window": {"trailing": "unbounded"}},
            {"name": "two_months", "type": "sum", "sql": "amount", "rolling_window": {"trailing": "2 month"}},
            {"name": "to_date", "type": "sum", "sql": "amount", "rolling_window": {"type": "to_date", "granularity": "year"}},
        ],
        "segments": [{"name": "is_paid", "sql": "{CUBE}.status = 'paid'"}],
    },
    {
        "name": "items",
        "sql_table": "items",
        "dimensions": [
            dimension("order_id", primary_key=True),
            dimension("line", primary_key=True),
            dimension("product", "string"),
            dimension("price"),
        ],
        "measures": [{"name": "count", "type": "count"}, {"name": "revenue", "type": "sum", "sql": "price"}],
    },
    {
        "name": "tickets",
        "sql_table": "tickets",
        "dimensions": [dimension("id", primary_key=True)],
        "measures": [{"name": "count", "type": "count"}],
    },
]  # fmt: skip

VIEWS: list[dict[str, Any]] = [
    {
        "name": "shop",
        "cubes": [
            {"join_path": "customers", "includes": "*"},
            {"join_path": "customers.orders", "includes": "*", "prefix": True},
            {"join_path": "customers.orders.items", "includes": "*", "prefix": True},
            {"join_path": "customers.tickets", "includes": ["count"], "prefix": True},
        ],
        "measures": [{"name": "per_customer", "type": "number", "sql": "{orders_total} / {count}"}],
    },
    {
        "name": "sales",
        "cubes": [
            {"join_path": "orders", "includes": "*"},
            {"join_path": "orders.items", "includes": "*", "prefix": True},
        ],
    },
]


def open_shop(
    policies: Mapping[str, list[dict[str, Any]]] | None = None,
    more_views: Sequence[dict[str, Any]] = (),
    **settings: Any,
) -> SemanticLayer:
    """The shop with access policies by cube or view name."""
    given = policies or {}
    cubes = [{**c, "access_policy": given[c["name"]]} if c["name"] in given else c for c in CUBES]
    views = [{**v, "access_policy": given[v["name"]]} if v["name"] in given else v for v in (*VIEWS, *more_views)]
    return SemanticLayer(load_model({"cubes": cubes, "views": views}), DuckDBEngine.open(None, data=DATA, **settings))


def rows(layer: SemanticLayer, sql: str, ctx: SecurityContext = OPERATOR, **more: Any) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in layer.query(ctx, sql, **more).table.to_pylist()]


def user(*groups: str, **attributes: Any) -> SecurityContext:
    return SecurityContext(user="ana", groups=frozenset(groups), user_attributes=attributes)
