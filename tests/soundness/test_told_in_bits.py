"""Rows of one cube by what stands beside them: a row for all values that led there; drawn tables against plain Python."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.layer import SemanticLayer

from ..semantic_model.layers import OPERATOR, opened, rows

MODEL = """
cubes:
  - name: items
    sql_table: items
    joins:
      - {name: orders, relationship: many_to_one, sql: "{CUBE}.order_id = {orders}.id"}
      - {name: products, relationship: many_to_one, sql: "{CUBE}.product_id = {products}.id"}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: kind, sql: kind, type: string}
    measures: [{name: count, type: count}]
    access_policy: [{group: staff, row_level: {filters: [{member: kind, operator: equals, values: [a]}]}}]
  - name: orders
    sql_table: orders
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
    measures:
      - {name: orders, type: count}
      - {name: freight, type: sum, sql: "COALESCE({CUBE}.freight, 5)"}
      - {name: least, type: min, sql: freight}
      - {name: most, type: max, sql: freight}
      - {name: mean, type: avg, sql: freight}
      - {name: levels, type: count_distinct, sql: freight}
  - name: products
    sql_table: products
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: category, sql: category, type: string}
      - {name: shelf, sql: shelf, type: number}
      - {name: upper_category, sql: "upper({CUBE}.category)", type: string}
views:
  - name: sales
    cubes:
      - {join_path: items, includes: "*"}
      - {join_path: items.orders, includes: [orders, freight, least, most, mean, levels]}
      - {join_path: items.products, includes: [category, shelf, upper_category]}
"""
HIDING = "    sql_table: products\n"
HIDDEN = (
    f"{HIDING}    access_policy: [{{group: '*', row_level: "
    "{filters: [{member: category, operator: notEquals, values: [c1]}]}}]\n"
)
OPEN = MODEL.replace("group: staff", "group: '*'").replace("values: [a]", "values: [a, b]")
STAFF = SecurityContext(user="ana", groups=frozenset({"staff"}))
KEYS = ("category", "shelf", "upper_category")
OF_PARTS = ("orders", "freight", "least", "most")


def drawn(seed: int, values: int) -> dict[str, pd.DataFrame]:
    """Items that point nowhere, at nothing, and at the same; products of no category; several items of an order alike."""
    draw = random.Random(seed)
    names = [f"c{n}" for n in range(values)]
    products = [
        (n, draw.choice([*names, None]), draw.choice([*range(values), None])) for n in range(draw.randint(0, 40))
    ]
    orders = [(n, draw.choice([None, 3, 7])) for n in range(draw.randint(0, 5))]
    items = [
        (n, draw.choice([*range(6), None]), draw.choice([*range(len(products) + 2), None]), draw.choice("ab"))
        for n in range(draw.randint(0, 60))
    ]
    whole = dict.fromkeys(("id", "freight", "shelf", "order_id", "product_id"), "Int64")
    texts = dict.fromkeys(("category", "kind"), "string")
    found = {
        "products": pd.DataFrame(products, columns=["id", "category", "shelf"]),
        "orders": pd.DataFrame(orders, columns=["id", "freight"]),
        "items": pd.DataFrame(items, columns=["id", "order_id", "product_id", "kind"]),
    }
    return {name: t.astype({c: k for c, k in (whole | texts).items() if c in t}) for name, t in found.items()}


def truth(tables: dict[str, pd.DataFrame], key: str, shown: Callable[[dict[str, Any], Any], bool]) -> Any:
    """Of each value: how many orders, their freight, the least and the most of it, its mean, how many levels."""

    def records(name: str) -> dict[Any, dict[str, Any]]:
        each = tables[name].astype(object).where(tables[name].notna(), None).to_dict("records")
        return {row["id"]: row for row in each}

    orders, products = records("orders"), records("products")
    groups: dict[Any, dict[Any, Any]] = {}
    for item in records("items").values():
        product = products.get(item["product_id"])
        if not shown(item, product):
            continue
        value = product and product["category" if key == "upper_category" else key]
        value = value.upper() if key == "upper_category" and value else value
        found = groups.setdefault(value, {})
        if item["order_id"] in orders:
            found[item["order_id"]] = orders[item["order_id"]]["freight"]

    def told(found: dict[Any, Any]) -> tuple[Any, ...]:
        some = [freight for freight in found.values() if freight is not None]
        paid = [5 if freight is None else freight for freight in found.values()]
        mean = round(sum(some) / len(some), 6) if some else None
        return (
            len(found),
            sum(paid) if found else None,
            min(some, default=None),
            max(some, default=None),
            mean,
            len(set(some)),
        )

    return sorted(((value, *told(found)) for value, found in groups.items()), key=repr)


def asked(key: str, *measures: str) -> str:
    return f"SELECT {key}, {', '.join(f'MEASURE({m}) AS {m}' for m in measures)} FROM sales GROUP BY 1"


def in_bits(layer: SemanticLayer, sql: str, ctx: SecurityContext) -> bool:
    return "BIT_OR" in layer.compile(ctx, sql).sql


@pytest.mark.parametrize("values", [0, 1, 4, 12, 13, 40])
def test_each_order_counts_once_for_each_value(values: int) -> None:
    for seed in range(3):
        tables = drawn(seed, values)
        with opened(MODEL, tables) as layer:
            for ctx, kinds in ((OPERATOR, "ab"), (STAFF, "a")):
                for key in KEYS:
                    expected = truth(tables, key, lambda item, _, kinds=kinds: item["kind"] in kinds)  # type: ignore[misc]
                    sql = asked(key, *OF_PARTS)
                    assert sorted(rows(layer, sql, ctx), key=repr) == [row[:5] for row in expected]
                    assert in_bits(layer, sql, ctx)


@pytest.mark.parametrize("measure", ["mean", "levels", "freight"])
def test_what_is_not_of_parts_is_as_right(measure: str) -> None:
    tables = drawn(7, 5)
    place = 1 + (*OF_PARTS, "mean", "levels").index(measure)
    expected = truth(tables, "category", lambda *_: True)
    with opened(MODEL, tables) as layer:
        assert sorted(rows(layer, asked("category", measure)), key=repr) == sorted(
            ((row[0], row[place]) for row in expected), key=repr
        )


def test_values_of_hidden_rows_are_not_read_apart() -> None:
    for seed in range(2):
        tables = drawn(seed, 4)
        with opened(OPEN.replace(HIDING, HIDDEN), tables) as layer:
            for key in KEYS:
                sql = asked(key, *OF_PARTS)
                expected = truth(
                    tables, key, lambda _, product: bool(product) and product["category"] not in ("c1", None)
                )
                assert sorted(rows(layer, sql, STAFF), key=repr) == [row[:5] for row in expected]
                assert not in_bits(layer, sql, STAFF)


def test_what_is_told_by_two_columns_or_of_the_items_is_not_in_bits() -> None:
    with opened(MODEL, drawn(1, 4)) as layer:
        for key in ("category, shelf", "kind", "kind, category", "length(category) AS n"):
            sql = f"SELECT {key}, MEASURE(freight) AS f FROM sales GROUP BY ALL"
            rows(layer, sql)
            assert not in_bits(layer, sql, OPERATOR)
        assert not in_bits(layer, asked("category", "mean"), OPERATOR)
