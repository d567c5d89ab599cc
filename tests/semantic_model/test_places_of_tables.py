"""A table is read where the model says it is, or not at all: another schema may be another tenant's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import ModelError
from svc_notebook.semantic.fitting.check import check_data
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model


@pytest.fixture(scope="module")
def engine() -> Iterator[DuckDBEngine]:
    opened = DuckDBEngine.open(
        None, data={"orders": {"id": [1]}, "acme.orders": {"id": [2]}, "acme.notes": {"id": [3]}}
    )
    yield opened
    opened.close()


def model(**table: str) -> dict[str, Any]:
    own = {"name": "id", "sql": "id", "type": "number", "primary_key": True, "public": True}
    return {"cubes": [{"name": "o", **table, "dimensions": [own]}]}


def rows(engine: DuckDBEngine, **table: str) -> list[Any]:
    layer = SemanticLayer(load_model(model(**table)), engine)
    return list(layer.query(SecurityContext.operator(), "SELECT id FROM o").table.column(0).to_pylist())


@pytest.mark.parametrize(
    "table",
    [
        "{COMPILE_CONTEXT.securityContext.tenant}.orders", "{ COMPILE_CONTEXT.security_context.tenant }.orders",
        "{SECURITY_CONTEXT.tenant}.orders", "${SECURITY_CONTEXT.tenant.unsafeValue()}.orders", "${tenant}.orders", "{schema}.orders",
        "orders_{schema}", "acme.{table}", '"{schema}".orders', "{{ schema }}.orders", "{CUBE}.orders",
    ],
)  # fmt: skip
@pytest.mark.parametrize("key", ["sql_table", "sql"])
def test_a_name_that_nothing_fills_in_is_an_error_at_loading(table: str, key: str) -> None:
    written = table if key == "sql_table" else f"SELECT * FROM {table}"
    with pytest.raises(ModelError) as told:
        load_model(model(**{key: written}))
    assert "cubes[0]" in str(told.value) and key in str(told.value)


@pytest.mark.parametrize("table", ["{}.orders", "orders}", "{other.sql()}"])
def test_no_brace_is_part_of_a_name(table: str) -> None:
    with pytest.raises(ModelError, match="which nothing fills in"):
        load_model(model(sql_table=table))


@pytest.mark.parametrize(
    "table, told",
    [
        ("nosuch.orders", "'nosuch' (there is acme, main); if the table in 'acme' is meant, write 'acme.orders'"),
        ("public.orders", "there is no schema 'public'"),
        ("nosuch.elsewhere", "there is no schema 'nosuch'"),
        ("shop.main.orders", "there is no database 'shop'; if the data that is open is meant, write 'main.orders'"),
        ("memory.nosuch.orders", "there is no schema 'nosuch'"),
    ],
)
def test_a_schema_that_is_not_there_is_an_error_at_loading(engine: DuckDBEngine, table: str, told: str) -> None:
    for written in ({"sql_table": table}, {"sql": f"SELECT * FROM {table} WHERE id > 0"}):
        loaded = load_model(model(**written))
        with pytest.raises(ModelError) as problem:
            SemanticLayer(loaded, engine)
        assert "cube 'o'" in str(problem.value) and told in str(problem.value)
        assert [found.severity for found in check_data(loaded, engine)] == ["error"]


def test_a_members_own_query_is_held_to_the_same(engine: DuckDBEngine) -> None:
    written = model(sql_table="orders")
    written["cubes"][0]["dimensions"].append(
        {"name": "other", "type": "number", "sql": "(SELECT max(id) FROM nosuch.orders)"}
    )
    with pytest.raises(ModelError, match="there is no schema 'nosuch'"):
        SemanticLayer(load_model(written), engine)


@pytest.mark.parametrize(
    "table, found",
    [
        ("orders", [1]), ("main.orders", [1]), ("MAIN.Orders", [1]), ("acme.orders", [2]), ("memory.acme.orders", [2]),
        ('"acme"."orders"', [2]), ("notes", [3]),
    ],
)  # fmt: skip
def test_what_is_there_is_read_where_it_is(engine: DuckDBEngine, table: str, found: list[int]) -> None:
    assert rows(engine, sql_table=table) == found


def test_a_table_that_its_schema_does_not_hold_is_not_taken_from_another(engine: DuckDBEngine) -> None:
    with pytest.raises(Exception, match="cannot be read"):
        rows(engine, sql_table="main.notes")
