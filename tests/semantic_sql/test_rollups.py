"""Rollups: what is answered from one, what is not, and that what they hold is governed as the rows are."""

from __future__ import annotations

import copy
import gc
from typing import Any

import pyarrow as pa
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .shop import CUBES, DATA, OPERATOR, VIEWS, at, rows, user

BY_DAY = {
    "name": "by_day",
    "measures": ["count", "total", "paid_total", "largest", "average"],
    "dimensions": ["status"],
    "time_dimension": "placed_at",
    "granularity": "day",
}


def open_with(
    *rollups: dict[str, Any], data: dict[str, Any] | None = None, views: bool = True, **orders: Any
) -> SemanticLayer:
    """The shop, its orders with rollups, and with other keys where they are given."""
    cubes = copy.deepcopy(CUBES)
    cubes[1] |= {"pre_aggregations": list(rollups), **orders}
    cubes[1]["dimensions"] = [*cubes[1]["dimensions"], {"name": "customer_id", "sql": "customer_id", "type": "number"}]
    model = load_model({"cubes": cubes, "views": VIEWS if views else []})
    return SemanticLayer(model, DuckDBEngine.open(None, data={**DATA, **(data or {})}))


def used(layer: SemanticLayer, sql: str, ctx: SecurityContext = OPERATOR, **more: Any) -> tuple[str, ...]:
    return layer.compile(ctx, sql, **more).rollups


@pytest.fixture(scope="module")
def shop() -> SemanticLayer:
    mean = {"name": "mean", "type": "avg", "sql": "amount"}
    by_day = BY_DAY | {"measures": [*BY_DAY["measures"], "mean"]}
    return open_with(by_day, measures=[*CUBES[1]["measures"], mean])


def test_a_query_that_a_rollup_holds_is_answered_from_its_table(shop: SemanticLayer) -> None:
    sql = "SELECT status, MEASURE(total) FROM orders GROUP BY 1 ORDER BY 1"
    assert rows(shop, sql) == [("open", 20.0), ("paid", 80.0)]
    assert used(shop, sql) == ("orders.by_day",)
    assert '"svc_rollups"."main"."orders.by_day' in shop.explain(OPERATOR, sql).sql
    assert '"memory"."main"."orders"' not in shop.explain(OPERATOR, sql).sql


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT MEASURE(count) FROM orders", [(4,)]),
        ("SELECT COUNT(*) FROM orders WHERE status = 'paid'", [(3,)]),
        ("SELECT MEASURE(average) FROM orders", [(25.0,)]),
        ("SELECT status, MEASURE(mean) FROM orders GROUP BY 1 ORDER BY 1", [("open", 20.0), ("paid", 80 / 3)]),
        ("SELECT MEASURE(largest) FROM orders WHERE status = 'open'", [(20.0,)]),
        ("SELECT MEASURE(count), MEASURE(total) FROM orders WHERE status = 'none'", [(0, None)]),
        ("SELECT MEASURE(total) FROM orders WHERE placed_at >= '2024-02-05' AND placed_at < '2024-02-06'", [(20.0,)]),
        ("SELECT MEASURE(total) FROM orders WHERE placed_at <= '2024-02-05 23:59:59.999999'", [(30.0,)]),
        ("SELECT MEASURE(total) FROM orders WHERE placed_at BETWEEN DATE '2025-01-01' AND '2025-12-31 23:59:59.999999'", [(40.0,)]),
        ("SELECT date_trunc('year', placed_at), MEASURE(count) FROM orders GROUP BY 1 ORDER BY 1",
         [(at("2024-01-01"), 3), (at("2025-01-01"), 1)]),
        ("SELECT EXTRACT(month FROM placed_at), MEASURE(count) FROM orders GROUP BY 1 ORDER BY 1", [(1, 1), (2, 3)]),
        ("SELECT status, COUNT(*) FROM sales GROUP BY 1 ORDER BY 1", [("open", 1), ("paid", 3)]),
        ("SELECT status, MEASURE(share) FROM orders GROUP BY 1 ORDER BY 1", [("open", 0.2), ("paid", 0.8)]),
        ("SELECT COUNT(DISTINCT status) FROM orders", [(2,)]),
        ("SELECT COUNT(*) FROM (SELECT status FROM orders) AS o", [(4,)]),
        ("SELECT status FROM orders GROUP BY 1 ORDER BY 1", [("open",), ("paid",)]),
    ],
)  # fmt: skip
def test_what_groups_can_be_taken_together_for(shop: SemanticLayer, sql: str, expected: list[Any]) -> None:
    assert rows(shop, sql) == expected
    assert used(shop, sql) == ("orders.by_day",)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT status, MEASURE(raw_average) FROM orders GROUP BY 1",
        "SELECT SUM(amount) FROM orders",
        "SELECT AVG(amount) FROM orders GROUP BY status",
        "SELECT size, MEASURE(count) FROM orders GROUP BY 1",
        "SELECT status FROM orders",
        "SELECT DISTINCT status FROM orders",
        "SELECT COUNT(status) FROM orders",
        "SELECT status, MODE(status) FROM orders GROUP BY 1",
        "SELECT date_trunc('hour', placed_at), MEASURE(count) FROM orders GROUP BY 1",
        "SELECT placed_at, MEASURE(count) FROM orders GROUP BY 1",
        "SELECT MAX(placed_at) FROM orders",
        "SELECT date_trunc('fiscal_year', placed_at), MEASURE(count) FROM orders GROUP BY 1",
        "SELECT MEASURE(count) FROM orders WHERE placed_at >= '2024-01-05 12:00:00'",
        "SELECT MEASURE(count) FROM orders WHERE placed_at > '2024-01-05'",
        "SELECT MEASURE(count) FROM orders WHERE placed_at <= '2024-02-05'",
        "SELECT MEASURE(count) FROM orders WHERE placed_at <= '2024-02-05 23:59:59.999'",
        "SELECT MEASURE(count) FROM orders WHERE placed_at = '2024-02-05'",
        "SELECT MEASURE(count) FROM orders WHERE is_paid",
        "SELECT MEASURE(running), date_trunc('month', placed_at) FROM orders GROUP BY 2",
        "SELECT MEASURE(year_before), date_trunc('month', placed_at) FROM orders GROUP BY 2",
        "SELECT items_product, MEASURE(count) FROM sales GROUP BY 1",
        "SELECT country, MEASURE(orders_total) FROM shop GROUP BY 1",
    ],
)
def test_what_it_does_not_hold_is_read_from_the_rows(shop: SemanticLayer, sql: str) -> None:
    assert used(shop, sql) == ()
    plain = open_with()
    assert sorted(map(str, rows(shop, sql))) == sorted(map(str, rows(plain, sql)))
    plain.close()


def test_another_zone_has_other_days(shop: SemanticLayer) -> None:
    sql = "SELECT date_trunc('month', placed_at) AS m, MEASURE(count) FROM orders GROUP BY 1 ORDER BY 1"
    assert used(shop, sql, timezone="Asia/Kolkata") == ()
    assert used(shop, "SELECT MEASURE(count) FROM orders", timezone="Asia/Kolkata") == ("orders.by_day",)


def test_joins_go_by_the_dimensions_that_they_compare() -> None:
    layer = open_with({**BY_DAY, "dimensions": ["customer_id"]})
    sql = "SELECT country, MEASURE(orders_total) FROM shop GROUP BY 1 ORDER BY 1 NULLS LAST"
    assert rows(layer, sql) == [("DE", 30.0), ("FR", 30.0), (None, None)]
    assert used(layer, sql) == ("orders.by_day",)


# --- whose rows ---------------------------------------------------------------------------------------------------------

OWN = [
    {
        "group": "*",
        "row_level": {"filters": [{"member": "status", "operator": "equals", "values": ["{ userAttributes.status }"]}]},
    }
]
BY_AMOUNT = [{"group": "*", "row_level": {"filters": [{"member": "amount", "operator": "gt", "values": [15]}]}}]
AFTER = [{"group": "*", "row_level": {"filters": [{"member": "placed_at", "operator": "afterDate", "values": ["2024-02-01"]}]}}]  # fmt: skip


def test_row_policies_are_those_of_the_rows() -> None:
    layer = open_with(BY_DAY, access_policy=OWN)
    sql = "SELECT MEASURE(count), MEASURE(total) FROM orders"
    found = layer.compile(user(status=["paid"]), sql)
    assert found.rollups == ("orders.by_day",)
    assert [item.cube for item in found.row_filters] == ["orders"]
    assert rows(layer, sql, user(status=["paid"])) == [(3, 80.0)]
    assert rows(layer, sql, user(status=[])) == [(0, None)]


@pytest.mark.parametrize(("policy", "expected"), [(BY_AMOUNT, (3, 90.0)), (AFTER, (3, 90.0))])
def test_a_policy_that_reads_what_is_not_held_keeps_to_the_rows(policy: list[Any], expected: tuple[Any, ...]) -> None:
    layer = open_with(BY_DAY, access_policy=policy)
    sql = "SELECT MEASURE(count), MEASURE(total) FROM orders"
    assert used(layer, sql, user()) == ()
    assert rows(layer, sql, user()) == [expected]
    assert used(layer, sql) == ("orders.by_day",)  # the operator's rows are all of them


def test_a_view_is_governed_by_policies_of_all_its_cubes() -> None:
    policy = [{"group": "*", "row_level": {"filters": [{"member": "country", "operator": "equals", "values": ["DE"]}]}}]
    cubes = copy.deepcopy(CUBES)
    cubes[0] |= {"access_policy": policy, "joins": []}
    cubes[1] |= {
        "joins": [{"name": "customers", "relationship": "many_to_one", "sql": "{CUBE}.customer_id = {customers}.id"}],
        "dimensions": [*cubes[1]["dimensions"], {"name": "customer_id", "sql": "customer_id", "type": "number"}],
        "pre_aggregations": [BY_DAY, {**BY_DAY, "name": "by_customer", "dimensions": ["customer_id"]}],
    }
    view = {
        "name": "bought",
        "cubes": [{"join_path": "orders", "includes": "*"}, {"join_path": "orders.customers", "includes": ["country"]}],
    }
    layer = SemanticLayer(load_model({"cubes": cubes, "views": [view]}), DuckDBEngine.open(None, data=DATA))
    sql = "SELECT MEASURE(total) FROM bought"
    assert used(layer, sql, user()) == ("orders.by_customer",)
    assert rows(layer, sql, user()) == [(30.0,)]
    assert used(layer, "SELECT status, MEASURE(total) FROM bought GROUP BY 1", user()) == ()


def test_masks_stand_over_a_rollup_too() -> None:
    policy = [
        {"group": "*", "member_level": {"excludes": ["status", "total"]}, "member_masking": {"includes": ["status", "total"]},
         "row_level": {"allow_all": True}}
    ]  # fmt: skip
    cubes = copy.deepcopy(CUBES)
    cubes[1]["dimensions"][1]["mask"] = "kept back"
    layer = open_with(BY_DAY, access_policy=policy, dimensions=cubes[1]["dimensions"])
    sql = "SELECT status, MEASURE(count), MEASURE(total) FROM orders GROUP BY 1"
    assert used(layer, sql, user()) == ("orders.by_day",)
    assert rows(layer, sql, user()) == [("kept back", 4, None)]


def test_a_hidden_member_stays_hidden() -> None:
    policy = [{"group": "*", "member_level": {"excludes": ["total"]}, "row_level": {"allow_all": True}}]
    layer = open_with(BY_DAY, access_policy=policy)
    with pytest.raises(QueryError, match="'total'"):
        layer.compile(user(), "SELECT MEASURE(total) FROM orders")
    assert used(layer, "SELECT MEASURE(count) FROM orders", user()) == ("orders.by_day",)


def test_a_measure_that_reads_governed_rows_of_another_cube_is_not_held() -> None:
    measures = [*CUBES[1]["measures"], {"name": "sold", "type": "sum", "sql": "{items.price}"}]
    layer = open_with({**BY_DAY, "measures": ["count", "sold"]}, measures=measures)
    (built,) = layer.rollups
    assert built.remarks == ("'sold' is not in it: it reads rows of another cube",)


# --- tables -------------------------------------------------------------------------------------------------------------


def test_the_table_of_a_rollup_is_nobodys_to_name(shop: SemanticLayer) -> None:
    table = shop.explain(OPERATOR, "SELECT MEASURE(count) FROM orders").sql.partition('FROM "svc')[2]
    name = '"svc' + table.partition(" AS ")[0]
    for text in (name, name.rpartition(".")[2], "svc_rollups"):
        with pytest.raises(QueryError):
            shop.compile(OPERATOR, f"SELECT * FROM {text}")
    assert not any("svc" in table for table in shop.engine.describe())


def test_it_is_of_the_data_that_the_layer_answers_from() -> None:
    more = {
        name: column.to_pylist() * 2
        for name, column in zip(DATA["orders"].column_names, DATA["orders"].columns, strict=True)
    }
    more["id"] = list(range(8))
    before, after = open_with(BY_DAY), open_with(BY_DAY, data={"orders": pa.table(more)})
    sql = "SELECT MEASURE(count) FROM orders"
    assert (rows(before, sql), rows(after, sql)) == ([(4,)], [(8,)])
    assert used(before, sql) == used(after, sql) == ("orders.by_day",)


def test_two_models_of_one_engine_have_rollups_of_their_own() -> None:
    engine = DuckDBEngine.open(None, data=DATA)
    found = []
    for kept in ("paid", "open"):
        cubes = copy.deepcopy(CUBES)
        cubes[1]["measures"][2]["filters"] = [{"sql": f"{{CUBE}}.status = '{kept}'"}]
        cubes[1]["pre_aggregations"] = [BY_DAY]
        layer = SemanticLayer(load_model({"cubes": cubes}), engine)
        sql = "SELECT MEASURE(paid_total) FROM orders"
        found.append((used(layer, sql), rows(layer, sql)))
    assert found == [(("orders.by_day",), [(80.0,)]), (("orders.by_day",), [(20.0,)])]


def test_the_table_goes_with_the_last_layer_that_needs_it() -> None:
    engine = DuckDBEngine.open(None, data=DATA)

    def opened(*rollups: dict[str, Any]) -> SemanticLayer:
        cubes = copy.deepcopy(CUBES)
        cubes[1]["pre_aggregations"] = list(rollups)
        return SemanticLayer(load_model({"cubes": cubes}), engine)

    def tables() -> list[str]:
        found = engine.execute("SELECT table_name FROM duckdb_tables() WHERE database_name = 'svc_rollups'", {})
        return sorted(name.partition(" ")[0] for name in found.column(0).to_pylist())

    other = {**BY_DAY, "name": "other", "dimensions": []}
    first, again = opened(BY_DAY), opened(BY_DAY)
    assert tables() == ["orders.by_day"]
    del first
    gc.collect()
    third = opened(other)
    assert tables() == ["orders.by_day", "orders.other"]
    assert rows(again, "SELECT MEASURE(count) FROM orders") == [(4,)]
    del again, third
    gc.collect()
    last = opened({**other, "name": "last"})
    assert tables() == ["orders.last"]
    assert rows(last, "SELECT MEASURE(count) FROM orders") == [(4,)]


def test_the_first_that_holds_all_is_taken_whatever_their_sizes() -> None:
    wide, narrow = {**BY_DAY, "name": "wide"}, {**BY_DAY, "name": "narrow", "dimensions": [], "granularity": "year"}
    sql = "SELECT MEASURE(count) FROM orders"
    for rollups in ((wide, narrow), (narrow, wide)):
        assert used(open_with(*rollups), sql) == (f"orders.{rollups[0]['name']}",)
    assert used(open_with(narrow, wide), f"{sql} WHERE status = 'paid'") == ("orders.wide",)


def test_what_is_not_held_is_told() -> None:
    asked = {**BY_DAY, "measures": ["count", "statuses", "running"], "dimensions": ["status", "placed_at"]}
    (built,) = open_with(asked).rollups
    assert (built.name, built.rows) == ("orders.by_day", 4)
    assert [remark.partition(":")[0] for remark in built.remarks] == [
        "'placed_at' is not in it", "'statuses' is not in it", "'running' is not in it",
    ]  # fmt: skip


def test_a_cube_whose_rows_go_by_the_asker_has_none() -> None:
    sql = "SELECT * FROM orders WHERE {SECURITY_CONTEXT.status.filter('status')}"
    layer = open_with(BY_DAY, sql=sql, sql_table=None, views=False)
    assert [built.rows for built in layer.rollups] == [None]
    assert used(layer, "SELECT MEASURE(count) FROM orders") == ()
