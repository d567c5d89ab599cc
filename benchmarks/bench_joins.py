"""What joins cost against the engine planning by all that it knows: where nothing is hidden, and beside hidden rows."""

from __future__ import annotations

import math
import shutil
import tempfile
from pathlib import Path
from typing import Any

import duckdb

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .bench_semantic import pair
from .report import Measurement
from .semantic_data import build, model

OPERATOR = SecurityContext.operator()
LIMITED = SecurityContext(user="ana", user_attributes={"region": ["north", "west"]})
JOINS = {
    "dimension first": "SELECT p.category, sum(i.amount) AS x FROM products p JOIN items i ON i.product_id = p.product_id GROUP BY 1",
    "fact first": "SELECT p.category, sum(i.amount) AS x FROM items i JOIN products p ON i.product_id = p.product_id GROUP BY 1",
    "left join of the fact": "SELECT p.category, sum(i.amount) AS x FROM products p LEFT JOIN items i ON i.product_id = p.product_id GROUP BY 1",
    "three, smallest first": "SELECT c.tier, sum(i.amount) AS x FROM customers c JOIN orders o ON o.customer_id = c.customer_id "
    "JOIN items i ON i.order_id = o.order_id GROUP BY 1",
    "a filtered dimension": "SELECT sum(i.amount) AS x FROM items i JOIN products p ON i.product_id = p.product_id WHERE p.category = 'food'",
    "a filtered fact": "SELECT p.category, count(*) AS n FROM products p JOIN (SELECT product_id FROM items WHERE amount > 90) i "
    "ON i.product_id = p.product_id GROUP BY 1",
    "in": "SELECT count(*) AS n FROM items WHERE product_id IN (SELECT product_id FROM products WHERE category = 'food')",
}
FAILING = {
    "joined": "SELECT p.category, sum(s.v) AS x FROM (SELECT product_id, item_id * quantity AS v FROM items WHERE item_id * quantity > 100) s "
    "JOIN products p ON s.product_id = p.product_id GROUP BY 1",
    "exists": "SELECT count(*) AS n FROM products p WHERE EXISTS (SELECT 1 FROM items i WHERE i.product_id = p.product_id AND "
    "i.item_id * i.quantity > 800)",
    "in": "SELECT count(*) AS n FROM items i WHERE i.item_id * i.quantity > 100 AND i.product_id IN (SELECT product_id FROM products "
    "WHERE category = 'food')",
}


def run(quick: bool = False) -> list[Measurement]:
    rows = 1_000_000 if quick else 6_000_000
    with tempfile.TemporaryDirectory() as name:
        path = build(Path(name), rows)
        theirs = duckdb.connect(str(shutil.copy(path, path.with_name("own.duckdb"))), read_only=True)
        engine = DuckDBEngine.open(path)
        theirs.execute("SET threads = " + str(engine.execute("SELECT current_setting('threads') AS n", {})["n"][0]))
        try:
            label = f"{rows // 1_000_000} M rows"
            shown = _joined(engine, theirs, shop(), "join", label)  # first: what hides rows ends planning by the data
            hiding = _joined(engine, theirs, shop(policy=True), "join beside hidden rows", label)
            return shown + hiding + _packed(engine, label)
        finally:
            theirs.close()
            engine.close()


def shop(*, policy: bool = False) -> dict[str, Any]:
    """The shop, with the keys to join by as members."""
    found = model(policy=policy)
    keys = {"items": ("product_id", "order_id"), "orders": ("customer_id",)}
    for cube in found["cubes"]:
        cube["dimensions"] += [
            {"name": key, "sql": f"{{CUBE}}.{key}", "type": "number"} for key in keys.get(cube["name"], ())
        ]
    return found


def _joined(
    engine: DuckDBEngine, theirs: duckdb.DuckDBPyConnection, shown: dict[str, Any], what: str, label: str
) -> list[Measurement]:
    layer, found, ratios = SemanticLayer(load_model(shown), engine), [], []
    for name, sql in JOINS.items():
        compiled = layer.compile(OPERATOR, sql)
        one, other = pair(
            lambda c=compiled: engine.execute(c.sql, c.params), lambda s=sql: theirs.execute(s).to_arrow_table()
        )
        ratios.append(one / other)
        found.append(
            Measurement(f"{what}: {name} ({label})", one * 1000, "ms", other * 1000, "the engine's own plan", 1.5)
        )
    return [*found, _mean(what, ratios)]


def _packed(engine: DuckDBEngine, label: str) -> list[Measurement]:
    """Queries that can fail and may be settled early, under a policy, against the same without packed rows."""
    layer, found, ratios = SemanticLayer(load_model(shop(policy=True)), engine), [], []
    for name, sql in FAILING.items():
        compiled = layer.compile(LIMITED, sql)
        plain = compiled.sql.replace("SELECT svc_rows.* FROM (VALUES (1)) AS svc_one(n) CROSS JOIN ", "SELECT * FROM ")
        assert plain != compiled.sql, name
        one, other = pair(
            lambda c=compiled: engine.execute(c.sql, c.params), lambda s=plain, c=compiled: engine.execute(s, c.params)
        )
        ratios.append(one / other)
        found.append(Measurement(f"packed: {name} ({label})", one * 1000, "ms", other * 1000, "not packed", 1.5))
    return [*found, _mean("packed rows", ratios)]


def _mean(name: str, ratios: list[float]) -> Measurement:
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    return Measurement(f"{name}: geometric mean", mean, "times", 1.0, "as fast", 1.1)
