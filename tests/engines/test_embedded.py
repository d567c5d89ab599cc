"""A service over PostgreSQL: the same sentences, rows that are as they are now, and what is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

import svc_notebook as svc
from svc_notebook.cli import main
from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine.postgres import PostgresEngine

from .twins import filled

pytestmark = pytest.mark.postgres

MODEL = {
    "cubes": [
        {
            "name": "orders",
            "sql_table": "orders",
            "dimensions": [
                {"name": "id", "sql": "id", "type": "number", "primary_key": True, "public": True},
                {"name": "country", "sql": "country", "type": "string"},
                {"name": "placed_at", "sql": "placed_at", "type": "time"},
            ],
            "measures": [{"name": "count", "type": "count"}, {"name": "revenue", "type": "sum", "sql": "amount"}],
            "access_policy": [
                {"group": "*", "row_level": {"filters": [{"member": "country", "operator": "equals", "values": ["{ userAttributes.country }"]}]}}
            ],
        }
    ]
}  # fmt: skip
ORDERS = pa.table(
    {
        "id": [1, 2, 3, 4],
        "country": ["France", "Spain", "France", "Italy"],
        "amount": [10.0, 20.5, 30.0, 5.0],
        "placed_at": pa.array([1704067200 * 10**6 + i * 2_678_400 * 10**6 for i in range(4)], pa.timestamp("us")),
    }
)


@pytest.fixture(scope="module")
def url(postgres: Any) -> str:
    return filled(postgres.database(), {"orders": ORDERS})


@pytest.fixture(scope="module")
def client(url: str) -> Iterator[svc.Client]:
    with svc.embedded(MODEL, database=url) as made:
        yield made


def test_questions_are_answered_in_the_same_words(client: Any) -> None:
    assert isinstance(client.service.layer.engine, PostgresEngine)
    ana = {"external_id": "ana", "user_attributes": {"country": ["France"]}}
    with svc.embedded(MODEL, data={"orders": ORDERS}) as here:
        for who in ({}, ana):
            for question in ("revenue by country", "orders per month", "revenue in France"):
                one, other = here.chat(**who).ask(question), client.chat(**who).ask(question)
                assert (other.status, other.text) == ("complete", one.text)
                assert other.df.equals(one.df)


def test_rows_are_as_they_are_now(client: Any, url: str) -> None:
    import psycopg

    count = "SELECT MEASURE(count) AS n FROM orders"
    assert client.sql(count).iloc[0, 0] == 4
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("INSERT INTO orders VALUES (5, 'Malta', 1, '2024-06-01')")
        try:
            assert client.sql(count).iloc[0, 0] == 5
        finally:
            connection.execute("DELETE FROM orders WHERE id = 5")
    assert client.service.freshness.as_of == ""
    assert "may write" in str(client.notes)


def test_all_doors_lead_there(client: Any) -> None:
    ana = {"external_id": "ana", "user_attributes": {"country": ["France"]}}
    assert "OFFSET 0" in client.explain("SELECT MEASURE(revenue) FROM orders", **ana).sql
    with client.stream_sql("SELECT id FROM orders ORDER BY 1", **ana) as rows:
        assert pa.Table.from_batches(rows).column(0).to_pylist() == [1, 3]
    layer = client.service.layer
    operator = SecurityContext.operator()
    assert layer.values(operator, "orders.country", limit=2) == ["France", "Italy"]
    assert layer.value_sets(operator, "orders") == {"country": ["France", "Italy", "Spain"]}
    assert layer.schema(operator, "SELECT MEASURE(revenue), placed_at FROM orders GROUP BY 2").types == [
        pa.float64(),
        pa.timestamp("us"),
    ]


def test_a_table_that_came_later_is_seen_after_a_reload(client: Any, url: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE later (id integer)")
    assert "later" not in client.service.layer.engine.describe()
    client.reload()
    assert "later" in client.service.layer.engine.describe()


def test_a_database_that_stays_where_it_lies_stands_alone(url: str) -> None:
    with pytest.raises(ValueError, match="stands alone"):
        svc.embedded(MODEL, database=url, data={"more": {"a": [1]}})


def test_the_command_line_asks_it_too(url: str, tmp_path: Any, capsys: Any) -> None:
    import yaml

    (tmp_path / "orders.yml").write_text(yaml.safe_dump(MODEL))
    assert main(["validate", str(tmp_path), "--database", url]) == 0
    assert main(["sql", "SELECT MEASURE(count) AS n FROM orders", "--model", str(tmp_path), "--database", url]) == 0
    assert "4" in capsys.readouterr().out
