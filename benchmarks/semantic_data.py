"""The shop that the semantic benchmarks ask about: line items, orders, customers, products; made by SQL from row numbers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb

TABLES = {
    "customers": """SELECT i AS customer_id, 'C' || i AS name, ['north','south','east','west'][1 + (i * 7 % 4)::INT] AS region,
        ['gold','silver','bronze'][1 + (i % 3)::INT] AS tier FROM range(200000) t(i)""",
    "products": """SELECT i AS product_id, 'P' || i AS label, ['food','tools','books','toys','garden'][1 + (i % 5)::INT] AS category
        FROM range(1000) t(i)""",
    "orders": """SELECT i AS order_id, (hash(i) % 200000)::BIGINT AS customer_id,
        ['done','open','gone'][1 + (hash(i + 1) % 3)::INT] AS status,
        TIMESTAMP '2022-01-01' + INTERVAL (i % 1095) DAY AS ordered_at, (hash(i + 2) % 5000) / 100.0 AS freight
        FROM range({rows} // 3) t(i)""",
    "items": """SELECT i AS item_id, (hash(i * 3) % ({rows} // 3))::BIGINT AS order_id, (hash(i + 7) % 1000)::BIGINT AS product_id,
        (1 + hash(i + 9) % 9)::INT AS quantity, (hash(i + 11) % 10000) / 100.0 AS amount,
        ['north','south','east','west'][1 + (hash(i + 13) % 4)::INT] AS region FROM range({rows}) t(i)""",
}


def build(folder: Path, rows: int) -> Path:
    """Write ``shop.duckdb``, and the tables as Parquet for those who cannot read it."""
    path = folder / "shop.duckdb"
    with duckdb.connect(str(path)) as con:
        for name, sql in TABLES.items():
            con.execute(f"CREATE TABLE {name} AS {sql.format(rows=rows)}")
            con.execute(f"COPY {name} TO '{folder / name}.parquet' (FORMAT parquet)")
        con.execute("CHECKPOINT")
    return path


def model(*, policy: bool = False) -> dict[str, Any]:
    """The data model; with ``policy``, items show only the asker's regions."""

    def dimension(name: str, kind: str = "string", **more: Any) -> dict[str, Any]:
        return {"name": name, "sql": f"{{CUBE}}.{name}", "type": kind, **more}

    def join(name: str, key: str) -> dict[str, str]:
        return {"name": name, "relationship": "many_to_one", "sql": f"{{CUBE}}.{key} = {{{name}}}.{key}"}

    key: dict[str, Any] = {"primary_key": True, "public": True}
    items: dict[str, Any] = {
        "name": "items",
        "sql_table": "items",
        "joins": [join("orders", "order_id"), join("products", "product_id")],
        "dimensions": [
            dimension("item_id", "number", **key),
            dimension("region"),
            dimension("quantity", "number"),
            dimension("amount", "number"),
        ],
        "measures": [
            {"name": "count", "type": "count"},
            {"name": "revenue", "type": "sum", "sql": "amount"},
            {"name": "average_amount", "type": "avg", "sql": "amount"},
            {"name": "pieces", "type": "sum", "sql": "quantity"},
            {"name": "per_piece", "type": "number", "sql": "{revenue} / NULLIF({pieces}, 0)"},
        ],
    }
    if policy:
        values = ["{ userAttributes.region }"]
        rows = {"filters": [{"member": "region", "operator": "equals", "values": values}]}
        items["access_policy"] = [{"group": "*", "row_level": rows}]
    orders = {
        "name": "orders",
        "sql_table": "orders",
        "joins": [join("customers", "customer_id")],
        "dimensions": [dimension("order_id", "number", **key), dimension("status"), dimension("ordered_at", "time")],
        "measures": [{"name": "count", "type": "count"}, {"name": "freight", "type": "sum", "sql": "freight"}],
    }
    customers = {
        "name": "customers",
        "sql_table": "customers",
        "dimensions": [dimension("customer_id", "number", **key), dimension("region"), dimension("tier")],
        "measures": [{"name": "count", "type": "count"}],
    }
    products = {
        "name": "products",
        "sql_table": "products",
        "dimensions": [dimension("product_id", "number", **key), dimension("label"), dimension("category")],
    }
    view = {
        "name": "sales",
        "cubes": [
            {"join_path": "items", "includes": "*"},
            {"join_path": "items.orders", "includes": ["status", "ordered_at", "freight"]},
            {"join_path": "items.orders.customers", "includes": ["tier"]},
            {"join_path": "items.products", "includes": ["category"]},
        ],
    }
    return {"cubes": [items, orders, customers, products], "views": [view]}


def qualified(sql: str) -> str:
    """Hand-written SQL with the tables where the engine attaches them."""
    return re.sub(r"\b(FROM|JOIN) (items|orders|customers|products)\b", r"\1 data.main.\2", sql)


#: name of a question below → the join that one would write first, which counts an order once for each of its items
NAIVE: dict[str, str] = {
    "fan-out: revenue and freight by status": (
        "SELECT o.status, sum(i.amount) AS r, sum(o.freight) AS f FROM items i LEFT JOIN orders o ON i.order_id = o.order_id "
        "GROUP BY 1"
    ),
    "fan-out: freight by status": (
        "SELECT o.status, sum(o.freight) AS f FROM items i LEFT JOIN orders o ON i.order_id = o.order_id GROUP BY 1"
    ),
    "fan-out: freight by category": (
        "SELECT p.category, sum(o.freight) AS f FROM items i LEFT JOIN orders o ON i.order_id = o.order_id "
        "LEFT JOIN products p ON i.product_id = p.product_id GROUP BY 1"
    ),
}

#: name → (SQL over the model, SQL over the tables)
QUESTIONS: dict[str, tuple[str, str]] = {
    "revenue by region": (
        "SELECT region, MEASURE(revenue) AS r, MEASURE(count) AS n FROM sales GROUP BY 1",
        "SELECT region, sum(amount) AS r, count(*) AS n FROM items GROUP BY 1",
    ),
    "filtered, by category": (
        "SELECT category, MEASURE(revenue) AS r FROM sales WHERE region IN ('north', 'east') AND quantity > 3 GROUP BY 1",
        (
            "SELECT p.category, sum(i.amount) AS r FROM items i LEFT JOIN products p ON i.product_id = p.product_id "
            "WHERE i.region IN ('north', 'east') AND i.quantity > 3 GROUP BY 1"
        ),
    ),
    "by month and status": (
        "SELECT date_trunc('month', ordered_at) AS m, status, MEASURE(revenue) AS r FROM sales GROUP BY 1, 2",
        (
            "SELECT date_trunc('month', o.ordered_at) AS m, o.status, sum(i.amount) AS r FROM items i "
            "LEFT JOIN orders o ON i.order_id = o.order_id GROUP BY 1, 2"
        ),
    ),
    "three joins, by tier and category": (
        "SELECT tier, category, MEASURE(revenue) AS r, MEASURE(per_piece) AS p FROM sales GROUP BY 1, 2",
        (
            "SELECT c.tier, p.category, sum(i.amount) AS r, sum(i.amount) / nullif(sum(i.quantity), 0) AS p FROM items i "
            "LEFT JOIN orders o ON i.order_id = o.order_id LEFT JOIN customers c ON o.customer_id = c.customer_id "
            "LEFT JOIN products p ON i.product_id = p.product_id GROUP BY 1, 2"
        ),
    ),
    "fan-out: revenue and freight by status": (
        "SELECT status, MEASURE(revenue) AS r, MEASURE(freight) AS f FROM sales GROUP BY 1",
        (
            "SELECT o.status, sum(i.r) AS r, sum(o.freight) AS f FROM (SELECT order_id, sum(amount) AS r FROM items GROUP BY 1) i "
            "LEFT JOIN orders o ON i.order_id = o.order_id GROUP BY 1"
        ),
    ),
    "fan-out: freight by status": (
        "SELECT status, MEASURE(freight) AS f FROM sales GROUP BY 1",
        (
            "SELECT o.status, sum(o.freight) AS f FROM (SELECT DISTINCT order_id FROM items) i "
            "LEFT JOIN orders o ON i.order_id = o.order_id GROUP BY 1"
        ),
    ),
    "fan-out: freight by category": (
        "SELECT category, MEASURE(freight) AS f FROM sales GROUP BY 1",
        (
            "SELECT category, sum(freight) AS f FROM (SELECT DISTINCT p.category, i.order_id FROM items i "
            "LEFT JOIN products p ON i.product_id = p.product_id) d LEFT JOIN orders o ON d.order_id = o.order_id GROUP BY 1"
        ),
    ),
    "top products by window": (
        (
            "WITH q AS (SELECT category, region, MEASURE(revenue) AS r FROM sales GROUP BY 1, 2) "
            "SELECT *, rank() OVER (PARTITION BY region ORDER BY r DESC) AS place FROM q"
        ),
        (
            "WITH q AS (SELECT p.category, i.region, sum(i.amount) AS r FROM items i "
            "LEFT JOIN products p ON i.product_id = p.product_id GROUP BY 1, 2) "
            "SELECT *, rank() OVER (PARTITION BY region ORDER BY r DESC) AS place FROM q"
        ),
    ),
}
