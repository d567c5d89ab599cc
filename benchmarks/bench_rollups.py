"""Questions answered from a rollup against the same over the rows, on one engine, and under a policy."""

from __future__ import annotations

import copy
import tempfile
import time
from pathlib import Path
from typing import Any

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .bench_semantic import OPERATOR, _same, pair
from .report import Measurement
from .semantic_data import build, model

ROLLUP: dict[str, Any] = {
    "name": "by_product",
    "measures": ["count", "revenue", "pieces", "average_amount"],
    "dimensions": ["region", "product_id"],
}
QUESTIONS = {
    "revenue by region": "SELECT region, MEASURE(revenue) AS r FROM items GROUP BY 1",
    "average of one region": "SELECT MEASURE(average_amount) AS a FROM items WHERE region = 'north'",
    "pieces by product": "SELECT product_id, MEASURE(pieces) AS p FROM items GROUP BY 1",
    "revenue by category": "SELECT products.category AS c, MEASURE(items.revenue) AS r FROM items CROSS JOIN products GROUP BY 1",
}


def run(quick: bool = False) -> list[Measurement]:
    rows = 1_000_000 if quick else 10_000_000
    with tempfile.TemporaryDirectory() as name:
        engine = DuckDBEngine.open(build(Path(name), rows))
        try:
            return _measured(engine, f"{rows // 1_000_000} M rows", promised=not quick)
        finally:
            engine.close()


def _measured(engine: DuckDBEngine, label: str, *, promised: bool) -> list[Measurement]:
    declared = copy.deepcopy(model(policy=True))
    items = next(cube for cube in declared["cubes"] if cube["name"] == "items")
    items["dimensions"].append({"name": "product_id", "sql": "{CUBE}.product_id", "type": "number"})
    plain = SemanticLayer(load_model(declared), engine)
    items["pre_aggregations"] = [ROLLUP]
    began = time.perf_counter()
    rolled = SemanticLayer(load_model(declared), engine)
    found = [Measurement(f"building it ({label})", (time.perf_counter() - began) * 1000, "ms")]
    ana = SecurityContext(user="ana", user_attributes={"region": ["north", "west"]})
    for who, ctx in (("everything", OPERATOR), ("two regions", ana)):
        for name, sql in QUESTIONS.items():
            mine, theirs = rolled.query(ctx, sql), plain.query(ctx, sql)
            assert mine.rollups == ("items.by_product",), name
            assert _same(mine.table, theirs.table), name
            one, other = pair(lambda s=sql, c=ctx: rolled.query(c, s), lambda s=sql, c=ctx: plain.query(c, s))
            limit = 20 if promised else None
            title = f"{name}, {who} ({label})"
            found.append(Measurement(title, one * 1000, "ms", other * 1000, "the rows", limit, better="higher"))
    return found
