"""The values of all of a cube's dimensions by one statement are those that a statement for each finds."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model
from svc_notebook.semantic.value_sets import FEW

from .shop import OPERATOR, open_shop, user

PAID = {"member": "status", "operator": "equals", "values": ["paid"]}
LARGE = {"member": "amount", "operator": "gt", "values": ["15"]}
BY_STATUS = {"member": "status", "operator": "equals", "values": ["{ userAttributes.status }"]}


def one(*filters: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [{"group": "*", "row_level": {"filters": list(filters)} if filters else {"allow_all": True}, **more}]


def alone(layer: SemanticLayer, ctx: SecurityContext, relation: str) -> dict[str, Any]:
    members = layer.catalog(ctx).relations[relation].members.values()
    return {
        m.name: layer.values(ctx, m.path)
        for m in members
        if m.kind == "dimension" and m.type == "string" and not m.masked
    }


@pytest.mark.parametrize("policies, ctx", [
    ({}, OPERATOR),
    ({"items": one({"member": "product", "operator": "equals", "values": ["x"]})}, user()),
    ({"items": one({"member": "product", "operator": "equals", "values": ["{ userAttributes.product }"]})}, user()),
    ({"items": one(member_level={"excludes": ["line"]})}, user()),
    ({"items": one({"member": "price", "operator": "gt", "values": ["2"]}, member_masking={"includes": ["line"]},
                   member_level={"includes": ["order_id", "product", "price"]})}, user()),
])  # fmt: skip
def test_one_statement_finds_what_one_for_each_does(policies: dict[str, Any], ctx: SecurityContext) -> None:
    layer = open_shop(policies)
    assert layer.value_sets(ctx, "items") == alone(layer, ctx, "items")
    assert set(layer.value_sets(ctx, "items")) == {"product"}
    layer.close()


def test_the_most_frequent_come_first_and_no_more_than_asked() -> None:
    layer = open_shop()
    assert layer.value_sets(OPERATOR, "items") == {"product": ["x", "y"]}
    assert layer.value_sets(OPERATOR, "items", limit=1) == {"product": ["x"]}
    layer.close()


@pytest.mark.parametrize("rows", [1, FEW, FEW + 1, 3 * FEW])
@pytest.mark.parametrize("distinct", [3, 1_500])
def test_a_short_and_a_long_table_are_told_alike(rows: int, distinct: int) -> None:
    """Below some length the rows themselves are read: the same values, in the same order, of the asker's own rows."""
    towns = [None if n % 7 == 5 else f"town {n * n % distinct}" for n in range(rows)]
    table = pd.DataFrame({"id": range(rows), "town": towns, "hidden": [n % 2 for n in range(rows)]})
    policy = one({"member": "hidden", "operator": "equals", "values": ["0"]})
    dimensions = [
        {"name": "id", "sql": "id", "type": "number", "primary_key": True},
        {"name": "hidden", "sql": "hidden", "type": "number"},
        {"name": "town", "sql": "town", "type": "string"},
        {"name": "loud", "sql": "upper(town)", "type": "string"},
    ]
    cube = {"name": "places", "sql_table": "places", "dimensions": dimensions, "access_policy": policy}
    layer = SemanticLayer(load_model({"cubes": [cube]}), DuckDBEngine.open(data={"places": table}))
    shown = layer.value_sets(user(), "places")
    assert shown == alone(layer, user(), "places")
    assert set(shown["town"]) <= {town for town, hidden in zip(towns, table["hidden"], strict=True) if not hidden}
    layer.close()


def test_rows_that_depend_on_what_is_asked_together_are_asked_one_by_one() -> None:
    """Two policies cover different members: beside the other, each would show fewer rows, or none."""
    two = [
        {"group": "*", "member_level": {"includes": ["order_id", "line"]}},
        {
            "group": "*", "member_level": {"includes": "*"},
            "row_level": {"filters": [{"member": "price", "operator": "gt", "values": ["2"]}]},
        },
    ]  # fmt: skip
    layer = open_shop({"items": two})
    assert layer.value_sets(user(), "items") == {}
    layer.close()


@pytest.mark.parametrize("relation", ["customers", "orders", "shop", "sales", "nosuch"])
def test_what_is_computed_of_other_cubes_or_cases_is_asked_one_by_one(relation: str) -> None:
    layer = open_shop()
    assert layer.value_sets(OPERATOR, relation) == {}
    layer.close()


def test_a_cube_that_is_not_seen_has_none() -> None:
    layer = open_shop({"items": [{"group": "nobody"}]})
    assert layer.value_sets(user(), "items") == {}
    layer.close()
