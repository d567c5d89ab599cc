"""``information_schema`` over the data API: what the asker may see as tables, and nothing of anything else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

import svc_notebook as svc
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

MODEL: dict[str, Any] = {
    "cubes": [
        {
            "name": "orders",
            "sql_table": "orders_physical",
            "description": "What was ordered.",
            "dimensions": [
                {"name": "id", "sql": "id", "type": "number", "primary_key": True},
                {"name": "status", "sql": "status", "type": "string"},
                {"name": "placed_at", "sql": "placed_column", "type": "time"},
                {"name": "margin", "sql": "secret_margin", "type": "number"},
            ],
            "measures": [{"name": "count", "type": "count"}],
            "segments": [{"name": "open", "sql": "{CUBE}.status = 'open'"}],
            "pre_aggregations": [{"name": "by_status", "measures": ["count"], "dimensions": ["status"]}],
            "access_policy": [
                {"group": "staff", "member_level": {"excludes": ["margin"]}, "row_level": {"allow_all": True}},
                {"group": "bosses", "row_level": {"allow_all": True}},
            ],
        },
        {
            "name": "salaries",
            "sql_table": "salaries_physical",
            "dimensions": [{"name": "amount", "sql": "amount", "type": "number"}],
            "access_policy": [{"group": "bosses", "row_level": {"allow_all": True}}],
        },
    ],
    "views": [{"name": "sales", "cubes": [{"join_path": "orders", "includes": ["status", "count"]}]}],
}
ORDERS = {"id": [1, 2], "status": ["open", "paid"], "placed_column": ["2024-01-01"] * 2, "secret_margin": [7, 8]}
DATA = {"orders_physical": pd.DataFrame(ORDERS), "salaries_physical": pd.DataFrame({"amount": [1]})}
COLUMNS = "SELECT table_name, column_name, data_type FROM information_schema.columns"


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with svc.embedded(MODEL, data=DATA, config={"groups": ["staff", "bosses"]}) as client:
        yield client


def told(client: Any, sql: str, *groups: str) -> list[tuple[Any, ...]]:
    frame = client.sql(sql, external_id="ana", groups=list(groups))
    return [tuple(None if pd.isna(value) else value for value in row) for row in frame.itertuples(index=False)]


def test_it_lists_what_the_asker_may_see(client: Any) -> None:
    tables = "SELECT table_name, table_type, description FROM information_schema.tables ORDER BY 1"
    assert told(client, tables, "staff") == [
        ("orders", "BASE TABLE", "What was ordered."), ("sales", "VIEW", None),
    ]  # fmt: skip
    names = [row[0] for row in told(client, tables, "bosses")]
    assert names == ["orders", "salaries", "sales"]


def test_columns_have_types_and_an_order(client: Any) -> None:
    sql = f"{COLUMNS} WHERE table_schema = 'public' AND table_name = 'orders' ORDER BY ordinal_position"
    assert told(client, sql, "staff") == [
        ("orders", "status", "character varying"), ("orders", "placed_at", "timestamp without time zone"),
        ("orders", "count", "double precision"), ("orders", "open", "boolean"),
    ]  # fmt: skip


def test_it_is_queried_like_any_table(client: Any) -> None:
    sql = """
        WITH seen AS (SELECT t.table_name, c.column_name FROM information_schema.tables AS t
                      JOIN information_schema.columns AS c ON c.table_name = t.table_name)
        SELECT table_name, COUNT(*) AS n FROM seen GROUP BY 1 HAVING COUNT(*) > 1 ORDER BY 1
    """
    assert [row[0] for row in told(client, sql, "staff")] == ["orders", "sales"]
    assert told(client, 'SELECT schema_name FROM "INFORMATION_SCHEMA".schemata', "staff") == [("public",)]


@pytest.mark.parametrize("groups", [("staff",), ()])
def test_nothing_hidden_physical_or_of_the_engine_is_in_it(client: Any, groups: tuple[str, ...]) -> None:
    found = ""
    for table in ("schemata", "tables", "columns"):
        found += str(told(client, f"SELECT * FROM information_schema.{table}", *groups))
    hidden = ["margin", "salaries", "amount", "physical", "placed_column", "svc_rollups", "duckdb", "main", "memory"]
    assert [word for word in hidden if word in found] == []
    assert ("orders" in found) == bool(groups)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM information_schema.tables, orders",
        "SELECT (SELECT MAX(sql) FROM sqlite_master) FROM information_schema.tables",
        "SELECT * FROM information_schema.tables UNION ALL SELECT * FROM duckdb_tables()",
        "SELECT * FROM information_schema.character_sets",
        "SELECT * FROM memory.information_schema.tables",
        "SELECT * FROM pg_catalog.pg_tables",
        "SELECT * FROM information_schema.tables WHERE table_name = getenv('HOME')",
        "SELECT * FROM information_schema.tables; SELECT 1",
        "DELETE FROM information_schema.tables",
        "SELECT * FROM orders_physical WHERE 'x' = ' from information_schema.tables'",
        "SELECT * FROM information_schema.read_csv('/etc/passwd')",
    ],
)
def test_nothing_else_is_reached_by_way_of_it(client: Any, sql: str) -> None:
    with pytest.raises((svc.errors.BadRequest, svc.errors.QueryFailed)) as refused:
        client.sql(sql, external_id="ana", groups=["staff"])
    assert not {"salaries", "margin", "duckdb"} & set(str(refused.value).split())


def test_who_answers_questions_has_the_catalog_from_its_own_tool() -> None:
    layer = SemanticLayer(load_model(MODEL), DuckDBEngine.open(None, data=DATA))
    with pytest.raises(QueryError, match="GET /svc-api/v1/meta"):
        layer.query(SecurityContext.operator(), "SELECT * FROM information_schema.tables")
