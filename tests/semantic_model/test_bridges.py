"""Many to many, through the cube of the table in between: every row once in each group it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

import pyarrow as pa
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import ModelError
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import check_model, load_model

OPERATOR = SecurityContext.operator()
DATA = {
    "orders": pa.table({"id": [1, 2, 3, 4], "amount": [10, 20, 30, 5]}),
    "order_tags": pa.table({"id": [1, 2, 3, 4, 5], "order_id": [1, 1, 2, 3, 1], "tag_id": [1, 2, 1, 2, 1]}),
    "tags": pa.table({"id": [1, 2, 3], "word": ["new", "old", "none"]}),
}
TO_ORDERS = {"name": "orders", "relationship": "many_to_one", "sql": "{CUBE}.order_id = {orders}.id"}
TO_TAGS = {"name": "tags", "relationship": "many_to_one", "sql": "{CUBE}.tag_id = {tags}.id"}
MANY = {"name": "tags", "relationship": "many_to_many", "through": "order_tags"}


def cube(name: str, joins: list[Mapping[str, Any]], *dimensions: str, **more: Any) -> dict[str, Any]:
    key = {"name": "id", "sql": "id", "type": "number", "primary_key": True, "public": True}
    other = [{"name": each, "sql": each, "type": "string"} for each in dimensions]
    return {
        "name": name, "sql_table": name, "joins": joins, "dimensions": [key, *other],
        "measures": [{"name": "count", "type": "count"}], **more,
    }  # fmt: skip


def model(
    many: Mapping[str, Any] = MANY, to_orders: Mapping[str, Any] = TO_ORDERS, to_tags: Mapping[str, Any] = TO_TAGS
) -> dict[str, Any]:
    orders = cube("orders", [many])
    orders["measures"].append({"name": "total", "type": "sum", "sql": "amount"})
    view = {
        "name": "sales",
        "cubes": [{"join_path": "orders", "includes": ["total", "count"]}, {"join_path": "orders.tags", "includes": ["word"]}],
    }  # fmt: skip
    return {"cubes": [orders, cube("order_tags", [to_orders, to_tags]), cube("tags", [], "word")], "views": [view]}


def asked(whole: dict[str, Any], sql: str) -> list[tuple[Any, ...]]:
    with closing(SemanticLayer(load_model(whole), DuckDBEngine.open(data=DATA))) as layer:
        return [tuple(row.values()) for row in layer.query(OPERATOR, sql).table.to_pylist()]


@pytest.mark.parametrize(
    "sql",
    ["{CUBE}.order_id = {orders}.id", "{CUBE}.order_id = {orders.id}", "order_id = {orders}.id", "${orders}.id = ${CUBE}.order_id"],
)  # fmt: skip
def test_each_row_counts_once_in_each_group_and_once_in_all(sql: str) -> None:
    whole = model(to_orders={**TO_ORDERS, "sql": sql})
    assert not check_model(whole)
    grouped = "SELECT word, MEASURE(total), MEASURE(count) FROM sales GROUP BY 1 ORDER BY 1 NULLS LAST"
    assert asked(whole, grouped) == [("new", 30, 2), ("old", 40, 2), (None, 5, 1)]
    assert asked(whole, "SELECT MEASURE(total), MEASURE(count) FROM sales WHERE word IN ('new', 'old')") == [(60, 3)]


def test_both_sides_may_say_so_and_a_cube_that_extends_one_may_too() -> None:
    whole = model()
    back = {"name": "orders", "relationship": "many_to_many", "through": "order_tags"}
    whole["cubes"][2]["joins"] = [back]
    whole["cubes"].append({"name": "sold", "extends": "orders"})
    whole["views"] += [
        {"name": "words", "cubes": [{"join_path": "tags", "includes": ["word"]}, {"join_path": "tags.orders", "includes": ["total"]}]},
        {"name": "more", "cubes": [{"join_path": "sold", "includes": ["total"]}, {"join_path": "sold.tags", "includes": ["word"]}]},
    ]  # fmt: skip
    grouped = "SELECT word, MEASURE(total) FROM {} GROUP BY 1 ORDER BY 1 NULLS LAST"
    assert asked(whole, grouped.format("words")) == [("new", 30), ("none", None), ("old", 40)]
    assert asked(whole, grouped.format("more")) == [("new", 30), ("old", 40), (None, 5)]


@pytest.mark.parametrize(
    ("whole", "told"),
    [
        (model({"name": "tags", "relationship": "many_to_many", "sql": "TRUE"}), "and here 'through: <its name>'"),
        (model({**MANY, "through": "pairs"}), "through 'pairs', which must be a cube that joins both"),
        (model({**MANY, "sql": "TRUE"}), "leave sql out"),
        (model({**MANY, "relationship": "one_to_many"}), "'through' belongs to a join that is many_to_many"),
        (model(to_tags={**TO_TAGS, "relationship": "one_to_many"}), "it does not join 'tags' so"),
        (model(to_orders={**TO_TAGS, "name": "tags"}), "it does not join 'orders' so|declared twice"),
    ],
)
def test_a_bridge_that_is_none_is_told(whole: dict[str, Any], told: str) -> None:
    with pytest.raises(ModelError, match=told):
        load_model(whole)
