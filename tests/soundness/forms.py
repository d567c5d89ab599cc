"""Thirteen forms of a query that fails on rows the asker sees, over two small tables with hidden rows, few and many.

A condition stands around what fails, with a bound that no visible row meets. If an engine plans by what whole tables
span, whether the query fails depends on hidden rows meeting it, and a bisection gives their extremes. :func:`told` is
that bisection, asked of the world of all rows and of a world of the permitted rows alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import Limits, SemanticLayer
from svc_notebook.semantic.loader import load_model

from ..cases_sql import attack_world
from .compare import ask, difference

__all__ = ["BOUNDS", "FORMS", "SHAPES", "SIZES", "open_shops", "told"]

SHAPES = attack_world.SHAPES
SIZES = {"base": 12, "big": 300_000}  # hidden orders; the big table has more than one row group
_FAILS = "order_id * 9000000000000000000 * 9000000000000000000"
FORMS = {
    "window": "SELECT sum(b) FROM (SELECT *, max({f}) OVER () AS b FROM orders) t WHERE {c}",
    "window by": "SELECT sum(b) FROM (SELECT *, min({f}) OVER (PARTITION BY status) AS b FROM orders) t WHERE {c}",
    "running": "SELECT sum(b) FROM (SELECT *, sum({f}) OVER (ORDER BY order_id ROWS 2 PRECEDING) AS b FROM orders) t WHERE {c}",
    "row number": "SELECT sum(b) FROM (SELECT *, row_number() OVER (ORDER BY {f}) AS b FROM orders) t WHERE {c}",
    "limit": "SELECT sum(b) FROM (SELECT *, {f} AS b FROM orders ORDER BY order_id LIMIT 6) t WHERE {c}",
    "offset": "SELECT sum(b) FROM (SELECT *, {f} AS b FROM orders ORDER BY order_id LIMIT 5 OFFSET 1) t WHERE {c}",
    "top": "SELECT count(*) FROM (SELECT * FROM orders ORDER BY {f} LIMIT 5) t WHERE {c}",
    "distinct": "SELECT count(b) FROM (SELECT DISTINCT ON (order_id) *, {f} AS b FROM orders ORDER BY order_id) t WHERE {c}",
    "group": "SELECT sum(b) FROM (SELECT {m}, max(max({f})) OVER () AS b FROM orders GROUP BY 1) t WHERE {c}",
    "join": "SELECT count(t.b) FROM customers c LEFT JOIN (SELECT *, max({f}) OVER () AS b FROM orders) t ON t.region = c.region AND {c}",
    "union": "SELECT count(b) FROM (SELECT *, max({f}) OVER () AS b FROM orders UNION ALL SELECT *, 1 FROM orders) t WHERE {c}",
    "cte": "WITH q AS (SELECT *, max({f}) OVER () AS b FROM orders) SELECT (SELECT max(b) FROM q t WHERE {c}) AS a, "
    "(SELECT min(b) FROM q t WHERE {c}) AS z",
    "in": "SELECT count(*) FROM customers WHERE customer_id IN (SELECT b FROM (SELECT *, max({f}) OVER () AS b FROM orders) t WHERE {c})",
}  # fmt: skip
# Member → a condition that no visible row meets, and the ends of its bound; hidden rows lie on both sides of each end.
BOUNDS = {
    "amount": ("t.amount > {x}", 400, 900_000),
    "order_id": ("t.order_id > {x}", 6, 500_000),
    "created_at": ("t.created_at < DATE '2024-12-31' - CAST({x} AS INTEGER)", 0, 400),
    "status": ("t.status > repeat('z', CAST({x} AS INTEGER))", 1, 9),
    "region": ("t.region = chr(CAST({x} AS INTEGER))", 65, 90),
}
_VISIBLE = """CREATE SCHEMA raw;
CREATE TABLE raw.orders AS SELECT i::INTEGER AS order_id, (1 + i % 3)::INTEGER AS customer_id, 'EMEA' AS region,
  CASE WHEN i < 4 THEN 'done' ELSE 'open' END AS status, DATE '2025-01-01' + i::INTEGER AS created_at,
  (50 * i)::DECIMAL(12, 2) AS amount FROM range(1, 7) t(i);
CREATE TABLE raw.customers AS SELECT i::INTEGER AS customer_id, 'c' || i AS name, 'EMEA' AS region, 'e' || i AS email
  FROM range(1, 4) t(i);"""
_HIDDEN = """INSERT INTO raw.orders SELECT 100 + i, 4 + i % 2, chr(75 + (i % 9)::INTEGER),
  repeat('z', (2 + i % 5)::INTEGER), DATE '2024-10-01' - (i % 60)::INTEGER, 1000 + 777777 * i / {rows}
  FROM range({rows}) t(i);
INSERT INTO raw.customers SELECT i, 'h' || i, chr(75 + i::INTEGER), 'h' || i FROM range(4, 7) t(i);"""


@contextmanager
def open_shops(
    folder: Path, size: str, settings: dict[str, str] | None = None
) -> Iterator[dict[str, tuple[SemanticLayer, SemanticLayer]]]:
    """For each shape of policy the layer over all rows, and over the permitted ones alone."""
    engines = []
    for name, hidden in (("all", SIZES[size]), ("permitted", 0)):
        path = folder / f"{size}-{name}.duckdb"
        if not path.exists():
            with duckdb.connect(str(path)) as con:
                con.execute(_VISIBLE)
                if hidden:
                    con.execute(_HIDDEN.replace("{rows}", str(hidden)))
        engines.append(DuckDBEngine.open(path, settings=settings or {}))
    try:
        yield {
            shape: tuple(
                SemanticLayer(load_model(attack_world.model(shape)), one, Limits(timeout=20)) for one in engines
            )
            for shape in SHAPES
        }  # type: ignore[misc]
    finally:
        for engine in engines:
            engine.close()


def told(layers: tuple[SemanticLayer, SemanticLayer], shape: str, form: str, member: str, steps: int) -> str | None:
    """What a bisection of the bound tells of hidden rows; None if it tells nothing."""
    condition, low, high = BOUNDS[member]
    ctx = attack_world.context({}, shape)
    seen = {}
    for bound in _bounds(low, high, steps):
        sql = (
            FORMS[form]
            .replace("{f}", _FAILS)
            .replace("{m}", member)
            .replace("{c}", condition.replace("{x}", str(bound)))
        )
        mine, theirs = (ask(layer, ctx, sql) for layer in layers)
        if (differs := difference(mine, theirs)) is not None:
            return f"{differs}\n    {sql}"
        seen[mine.error] = sql
    if len(seen) > 1:
        return "fails at one bound and not at another, which no visible row meets:\n    " + "\n    ".join(seen.values())
    return None


def _bounds(low: float, high: float, steps: int) -> list[int]:
    """The ends, and as many between them as a bisection would try."""
    return sorted({round(low + (high - low) * step / (steps + 1)) for step in range(steps + 2)})
