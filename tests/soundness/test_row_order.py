"""The order of rows, and which of equal ones a LIMIT keeps, do not depend on hidden rows.

A database puts groups and joined rows into an order of its plan's making, and the plan goes by how many rows a table has
and what values they span. The same policy is asked over two tables that differ in hidden rows alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

HIDDEN = 60_000
ANA = SecurityContext(user="ana")
QUERIES = [
    "SELECT k, count(*) FROM t GROUP BY 1",
    "SELECT k, count(*) FROM t GROUP BY 1 LIMIT 3",
    "SELECT s, count(*) FROM t GROUP BY 1",
    "SELECT s, MEASURE(total) FROM t GROUP BY 1 ORDER BY 2 DESC LIMIT 4",
    "SELECT k, g, count(*) FROM t GROUP BY 1, 2 ORDER BY 3 LIMIT 5",
    "SELECT DISTINCT k FROM t",
    "SELECT DISTINCT s FROM t LIMIT 2",
    "SELECT DISTINCT ON (g) g, id FROM t",
    "SELECT id FROM t LIMIT 5",
    "SELECT id, n FROM v LIMIT 5",
    "SELECT id, n FROM v",
    "SELECT t.id, c.n FROM t JOIN c ON t.c = c.id",
    "SELECT t.id, c.n FROM c JOIN t ON t.c = c.id LIMIT 5",
    "SELECT t.id, c.n FROM t CROSS JOIN c LIMIT 7",
    "SELECT n, count(*) FROM v GROUP BY 1",
    "SELECT n, count(*) FROM v GROUP BY 1 ORDER BY 2 LIMIT 3",
    "SELECT id FROM t ORDER BY g LIMIT 5",
    "SELECT n FROM v ORDER BY g LIMIT 5",
    "SELECT id FROM t UNION SELECT c FROM t LIMIT 3",
    "SELECT k FROM t EXCEPT SELECT g FROM t",
    "(SELECT k FROM t UNION SELECT g FROM t) LIMIT 3",
    "SELECT sum(id) FROM (SELECT id, n FROM v LIMIT 9) q",
    "SELECT sum(k) FROM (SELECT k, count(*) AS a FROM t GROUP BY 1 LIMIT 9) q",
    "WITH q AS (SELECT k, count(*) AS a FROM t GROUP BY 1) SELECT * FROM q",
    "WITH q AS (SELECT n, id FROM v ORDER BY g LIMIT 5) SELECT count(*), sum(id) FROM q",
    "SELECT k, count(*) FROM t GROUP BY ROLLUP (k)",
    "SELECT id FROM t WHERE id IN (SELECT id FROM v LIMIT 5)",
]


def build(path: Path, hidden: int) -> Path:
    with duckdb.connect(str(path)) as con:
        con.execute(
            "CREATE TABLE t AS SELECT i AS id, (i * 7919) % 101 AS k, (i * 31) % 7 AS g, 'v' || ((i * 31) % 13) AS s, TRUE AS seen, "
            "(i % 10)::DOUBLE AS a, i % 40 AS c FROM range(2000) x(i)"
        )
        con.execute("CREATE TABLE c AS SELECT i AS id, 'n' || i AS n, TRUE AS seen FROM range(40) x(i)")
        con.execute(
            f"INSERT INTO t SELECT 1000000 + i, 1000000000 + i * 1003, 5, 'h' || i, FALSE, 1, 3 FROM range({hidden}) x(i)"
        )
        con.execute(f"INSERT INTO c SELECT 1000 + i, 'CANARY', FALSE FROM range({hidden}) x(i)")
    return path


def open_layer(path: Path) -> SemanticLayer:
    policy = [{"group": "*", "row_level": {"filters": [{"member": "seen", "operator": "equals", "values": [True]}]}}]

    def dimensions(**kinds: str) -> list[dict[str, Any]]:
        return [
            {"name": n, "sql": f"{{CUBE}}.{n}", "type": k, "primary_key": n == "id", "public": True}
            for n, k in kinds.items()
        ]

    t = {
        "name": "t", "sql_table": "t", "access_policy": policy,
        "dimensions": dimensions(id="number", k="number", g="number", s="string", seen="boolean", c="number"),
        "measures": [{"name": "count", "type": "count"}, {"name": "total", "type": "sum", "sql": "a"}],
        "joins": [{"name": "c", "relationship": "many_to_one", "sql": "{CUBE}.c = {c}.id"}],
    }  # fmt: skip
    c = {
        "name": "c",
        "sql_table": "c",
        "dimensions": dimensions(id="number", n="string", seen="boolean"),
        "access_policy": policy,
    }
    view = {"name": "v", "cubes": [{"join_path": "t", "includes": "*"}, {"join_path": "t.c", "includes": ["n"]}]}
    return SemanticLayer(load_model({"cubes": [t, c], "views": [view]}), DuckDBEngine.open(path))


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[SemanticLayer]]:
    folder = tmp_path_factory.mktemp("order")
    layers = [open_layer(build(folder / f"{hidden}.duckdb", hidden)) for hidden in (HIDDEN, 0)]
    yield layers
    for layer in layers:
        layer.close()


@pytest.mark.parametrize("sql", QUERIES)
def test_hidden_rows_do_not_move_the_others(sql: str, worlds: list[SemanticLayer]) -> None:
    one, other = (layer.query(ANA, sql).table.to_pylist() for layer in worlds)
    assert one == other
    assert one
