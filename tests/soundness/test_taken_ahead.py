"""Rows that lead to others are taken together before they are joined: drawn tables against the same in plain Python."""

from __future__ import annotations

import random
from collections.abc import Iterator
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
    joins: [{name: orders, relationship: many_to_one, sql: "{CUBE}.order_id = {orders}.id"}]
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: kind, sql: kind, type: string}
      - {name: price, sql: amount, type: number}
      - {name: label, sql: "CONCAT({kind}, {orders.status})", type: string}
    measures:
      - {name: count, type: count}
      - {name: priced, type: count, sql: amount}
      - {name: amount, type: sum, sql: amount}
      - {name: least, type: min, sql: amount}
      - {name: most, type: max, sql: amount, filters: [{sql: "{kind} = 'a'"}]}
      - {name: recent, type: sum, sql: amount, rolling_window: {trailing: 3 day}}
      - {name: before, type: number, sql: "{amount}", multi_stage: true, time_shift: [{interval: 2 day, type: prior}]}
      - {name: mean, type: avg, sql: amount}
      - {name: done, type: sum, sql: amount, filters: [{sql: "{orders.status} = 'done'"}]}
    access_policy: [{group: staff, row_level: {filters: [{member: kind, operator: equals, values: [a]}]}}]
  - name: orders
    sql_table: orders
    joins: [{name: shops, relationship: many_to_one, sql: "{CUBE}.shop_id = {shops.id}"}]
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: status, sql: status, type: string}
      - {name: day, sql: "TIMESTAMP '2024-01-01' + to_days(CAST({CUBE}.id AS INTEGER))", type: time}
    measures:
      - {name: count, type: count}
      - {name: freight, type: sum, sql: "COALESCE({CUBE}.freight, 5)"}
  - name: shops
    sql_table: shops
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: town, sql: town, type: string}
    measures: [{name: mean_size, type: avg, sql: size}]
views:
  - name: sales
    cubes:
      - {join_path: items, includes: "*"}
      - {join_path: items.orders, prefix: true, includes: "*"}
      - {join_path: items.orders.shops, includes: [town, mean_size]}
"""
QUESTIONS = [  # keys, measures, and whether the items are read but once
    (("orders_status",), ("orders_freight",), "SELECT DISTINCT"),
    (("orders_status", "town"), ("orders_freight", "orders_count"), "SELECT DISTINCT"),
    (("town",), ("mean_size",), "SELECT DISTINCT"),
    (("orders_status",), ("amount", "orders_freight"), "#ahead"),
    (("town",), ("count", "priced", "orders_count"), "#ahead"),
    (("orders_status", "town"), ("least", "most", "amount", "orders_freight"), "#ahead"),
    (("town",), ("count", "mean_size"), "#ahead"),
    (("town",), ("amount", "done", "mean_size"), "#ahead"),
    (("label",), ("orders_freight", "orders_count"), ""),
    (("kind",), ("orders_freight", "orders_count"), 'SELECT DISTINCT "items".order_id, '),
    (("kind", "town"), ("orders_freight",), 'SELECT DISTINCT "items".order_id, '),
    (("kind", "orders_status"), ("mean_size",), "SELECT DISTINCT"),
]
APART = [  # what cannot be taken of parts, beside what can
    (("orders_status",), ("amount", "mean", "orders_freight")),
    (("orders_status",), ("mean", "orders_freight")),
    (("town",), ("done", "orders_freight", "orders_count")),
    (("town",), ("orders_freight", "mean_size")),
    (("town",), ("mean_size", "orders_freight")),
    (("town",), ("amount", "orders_freight", "mean_size")),
    ((), ("orders_freight", "orders_count")),
    ((), ("amount", "orders_freight")),
]
AS_WRITTEN = [
    ("orders_status", "SUM(price + 0)"), ("town", "SUM(price + 0)"),
    ("town", "MEASURE(amount) FILTER (WHERE kind = 'a')"),
    ("date_trunc('day', orders_day)", "MEASURE(recent)"), ("date_trunc('day', orders_day)", "MEASURE(before)"),
]  # fmt: skip
STAFF = SecurityContext(user="ana", groups=frozenset({"staff"}))


def drawn(seed: int, keys: str) -> dict[str, pd.DataFrame]:
    """Items that point nowhere, at nothing, and at the same; orders that nothing leads to."""
    draw = random.Random(seed)
    shops = [(n, draw.choice(["x", "y", None]), draw.choice([None, 2, 4])) for n in range(draw.randint(0, 3))]
    orders = [
        (n, draw.choice([0, 1, 2, 9, None]), draw.choice(["done", "open", None]), draw.choice([None, 3, 7]))
        for n in range(draw.randint(0, 5))
    ]
    items = [
        (n, draw.choice([0, 1, 2, 3, 7, 8, None]), draw.choice("ab"), draw.choice([None, 10, 20]))
        for n in range(draw.randint(0, 12))
    ]
    found = {
        "shops": pd.DataFrame(shops, columns=["id", "town", "size"]),
        "orders": pd.DataFrame(orders, columns=["id", "shop_id", "status", "freight"]),
        "items": pd.DataFrame(items, columns=["id", "order_id", "kind", "amount"]),
    }
    whole = {
        "id": "int64",
        "shop_id": "Int64",
        "order_id": keys,
        "size": "Int64",
        "freight": "Int64",
        "amount": "Int64",
    }
    texts = dict.fromkeys(("town", "status", "kind"), "string")
    return {n: t.astype({c: k for c, k in (whole | texts).items() if c in t}) for n, t in found.items()}


def truth(tables: dict[str, pd.DataFrame], keys: tuple[str, ...], measures: tuple[str, ...], kinds: str) -> Any:
    """The same, one row after the other."""

    def records(name: str) -> dict[Any, dict[str, Any]]:
        each = tables[name].astype(object).where(tables[name].notna(), None).to_dict("records")
        return {row["id"]: row for row in each}

    orders, shops = records("orders"), records("shops")
    groups: dict[tuple[Any, ...], list[tuple[Any, Any, Any]]] = {} if keys else {(): []}
    for item in records("items").values():
        if item["kind"] not in kinds:
            continue
        order = orders.get(item["order_id"])
        shop = shops.get(order["shop_id"]) if order else None
        label = f"{item['kind']}{(order and order['status']) or ''}"
        named = {
            "kind": item["kind"],
            "label": label,
            "orders_status": order and order["status"],
            "town": shop and shop["town"],
        }
        groups.setdefault(tuple(named[key] for key in keys), []).append((item, order, shop))

    def value(name: str, found: list[tuple[Any, Any, Any]]) -> Any:
        amounts = [i["amount"] for i, _, _ in found if i["amount"] is not None]
        some = [i["amount"] for i, _, _ in found if i["amount"] is not None and i["kind"] == "a"]
        once = list({o["id"]: o for _, o, _ in found if o}.values())
        sizes = [s["size"] for s in {s["id"]: s for _, _, s in found if s}.values() if s["size"] is not None]
        match name:
            case "count":
                return len(found)
            case "priced":
                return len(amounts)
            case "amount":
                return sum(amounts) if amounts else None
            case "least":
                return min(amounts, default=None)
            case "most":
                return max(some, default=None)
            case "mean":
                return round(sum(amounts) / len(amounts), 6) if amounts else None
            case "done":
                done = [i["amount"] for i, o, _ in found if i["amount"] is not None and o and o["status"] == "done"]
                return sum(done) if done else None
            case "orders_count":
                return len(once)
            case "orders_freight":
                return sum(5 if o["freight"] is None else o["freight"] for o in once) if once else None
            case _:
                return sum(sizes) / len(sizes) if sizes else None

    return in_order([(*key, *(value(name, found) for name in measures)) for key, found in groups.items()])


def in_order(found: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(found, key=repr)


def asked(keys: tuple[str, ...], measures: tuple[str, ...]) -> str:
    return f"SELECT {', '.join([*keys, *(f'MEASURE({m}) AS {m}' for m in measures)])} FROM sales GROUP BY ALL"


@pytest.fixture(scope="module")
def layers() -> Iterator[list[tuple[dict[str, pd.DataFrame], SemanticLayer]]]:
    found = []
    for seed in range(6):
        tables = drawn(seed, "Int64")
        around = opened(MODEL, tables)
        found.append((tables, around.__enter__(), around))
    yield [(tables, layer) for tables, layer, _ in found]
    for _, _, around in found:
        around.__exit__(None, None, None)


@pytest.mark.parametrize(("keys", "measures", "mark"), QUESTIONS)
def test_each_row_counts_once(layers: Any, keys: tuple[str, ...], measures: tuple[str, ...], mark: str) -> None:
    for tables, layer in layers:
        for ctx, kinds in ((OPERATOR, "ab"), (STAFF, "a")):
            sql = asked(keys, measures)
            assert in_order(rows(layer, sql, ctx)) == truth(tables, keys, measures, kinds)
            assert mark in layer.compile(ctx, sql).sql


@pytest.mark.parametrize(("keys", "measures"), APART)
def test_what_no_part_tells_is_read_apart(layers: Any, keys: tuple[str, ...], measures: tuple[str, ...]) -> None:
    for tables, layer in layers:
        sql = asked(keys, measures)
        assert in_order(rows(layer, sql)) == truth(tables, keys, measures, "ab")
        assert "#ahead" not in layer.compile(OPERATOR, sql).sql


@pytest.mark.parametrize(("key", "written"), AS_WRITTEN)
def test_what_is_read_apart_is_what_is_asked_apart(layers: Any, key: str, written: str) -> None:
    for _, layer in layers:
        sql = f"SELECT {key}, {written} AS x, MEASURE(orders_freight) AS freight FROM sales GROUP BY 1"
        alone = dict(rows(layer, f"SELECT {key}, {written} AS x FROM sales GROUP BY 1"))
        freight = dict(rows(layer, f"SELECT {key}, MEASURE(orders_freight) AS freight FROM sales GROUP BY 1"))
        assert {group: (x, sum_) for group, x, sum_ in rows(layer, sql)} == {
            group: (alone.get(group), freight.get(group)) for group in alone | freight
        }
        assert "#ahead" not in layer.compile(OPERATOR, sql).sql


def test_a_key_that_takes_values_together_finds_a_row_once(layers: Any) -> None:
    for tables, layer in layers:
        for given in ((), ("town",)):
            by = [*given, "length(kind) AS k"]
            sql = f"SELECT {', '.join(by)}, MEASURE(orders_freight) FROM sales GROUP BY ALL"
            expected = truth(tables, given, ("orders_freight",), "ab")
            assert in_order(rows(layer, sql)) == in_order([(*row[:-1], 1, row[-1]) for row in expected])
        outer = "SELECT (SELECT MEASURE(orders_freight) FROM sales GROUP BY t.k) FROM (SELECT 'z' AS k) AS t"
        assert rows(layer, outer) == truth(tables, (), ("orders_freight",), "ab")


HOME = "access_policy: [{group: '*', row_level: {filters: [{member: status, operator: equals, values: [done]}]}}]"
ORDERS = "    sql_table: orders\n"
BOTH = """access_policy: [{group: '*', row_level: {filters: [{or: [
      {member: kind, operator: equals, values: [a]}, {member: orders_status, operator: equals, values: [done]}]}]}}]"""


@pytest.mark.parametrize("where", ["orders", "view"])
def test_policies_of_what_is_led_to_hold(where: str) -> None:
    """A row whose order is hidden is hidden; a condition on both sides is on neither."""
    open_items = MODEL.replace("group: staff", "group: '*'").replace("values: [a]", "values: [a, b]")
    if where == "view":
        model = open_items.replace("    cubes:", f"    {BOTH}\n    cubes:")
    else:
        model = open_items.replace(ORDERS, f"{ORDERS}    {HOME}\n")
    for seed in range(2):
        tables = drawn(seed, "Int64")
        orders, items = tables["orders"], tables["items"]
        done = items["order_id"].isin(orders["id"][orders["status"].eq("done").fillna(False)]).fillna(False)
        seen = items[done if where == "orders" else done | items["kind"].eq("a")]
        with opened(model, tables) as layer:
            for keys, measures_, _ in QUESTIONS:
                expected = truth(tables | {"items": seen}, keys, measures_, "ab")
                assert in_order(rows(layer, asked(keys, measures_), STAFF)) == expected


def test_numbers_of_two_types_are_joined_as_they_were() -> None:
    """Two values that are not the same may be equal to one key: 2^53 and the next, as floating numbers."""
    for seed in range(6):
        tables = drawn(seed, "Float64")
        with opened(MODEL, tables) as layer:
            for keys, measures, _ in QUESTIONS:
                sql = asked(keys, measures)
                assert in_order(rows(layer, sql)) == truth(tables, keys, measures, "ab")
                assert 'SELECT DISTINCT "items".order_id' not in layer.compile(OPERATOR, sql).sql
