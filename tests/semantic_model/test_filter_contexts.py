"""Filters that the model brings: of multi-stage measures, and a view's defaults; pandas is the oracle."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import InvalidQuery
from svc_notebook.semantic.layer import SemanticLayer

from .layers import OPERATOR, opened, rows

MODEL = """
cubes:
  - name: orders
    sql_table: orders
    joins: [{name: shops, relationship: many_to_one, sql: "{CUBE}.shop = {shops.name}"}]
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: status, sql: status, type: string}
      - {name: category, sql: category, type: string}
      - {name: amount, sql: amount, type: number}
      - {name: at, sql: at, type: time}
      - {name: shop, sql: shop, type: string}
    measures:
      - {name: total, type: sum, sql: amount}
      - {name: all_statuses, type: number, sql: "{total}", filter: {exclude: [status]}}
      - {name: share, type: number, sql: "100.0 * {total} / {all_statuses}", multi_stage: true}
      - {name: by_category_only, type: number, sql: "{total}", filter: {keep_only: [category]}}
      - {name: in_the_north, type: number, sql: "{total}", filter: {include: [{member: shops.region, operator: equals, values: [north]}]}}
      - name: large_or_done
        type: number
        sql: "{total}"
        filter:
          exclude: [orders.status]
          include: [{or: [{member: amount, operator: gt, values: ["50"]}, {member: status, operator: equals, values: [done]}]}]
      - {name: done_only, type: number, sql: "{all_statuses}", filter: {include: [{member: status, operator: equals, values: [done]}]}}
      - {name: relative, type: number, sql: "{inner_relative}", filter: {exclude: [category]}}
      - {name: inner_relative, type: number, sql: "{total}", filter: {exclude: [status], mode: relative}}
      - {name: absolute, type: number, sql: "{inner_fixed}", filter: {exclude: [category]}}
      - {name: inner_fixed, type: number, sql: "{total}", filter: {exclude: [status], mode: fixed}}
      - {name: of_all, type: sum, sql: "{total}", group_by: [category], filter: {exclude: [status]}}
      - {name: early, type: number, sql: "{total}", filter: {include: [{member: at, operator: beforeDate, values: ["2024-01-03"]}]}}
    segments: [{name: big, sql: "{CUBE}.amount > 40"}]
  - name: shops
    sql_table: shops
    dimensions:
      - {name: name, sql: name, type: string, primary_key: true}
      - {name: region, sql: region, type: string}
views:
  - name: v
    cubes: [{join_path: orders, includes: "*"}, {join_path: orders.shops, includes: [region]}]
  - name: done
    cubes: [{join_path: orders, includes: [status, category, total, all_statuses, id]}]
    default_filters:
      - {member: status, operator: equals, values: [done], unless: [status]}
      - {member: category, operator: notEquals, values: [c]}
"""
COUNT = 240
ORDERS = pd.DataFrame(
    {
        "id": range(COUNT),
        "status": [("done", "open", "lost")[(i * 7) % 3] for i in range(COUNT)],
        "category": ["abc"[(i // 5) % 3] for i in range(COUNT)],
        "amount": [(i * 13) % 97 for i in range(COUNT)],
        "at": pd.Timestamp("2024-01-01") + pd.to_timedelta([i * 37 for i in range(COUNT)], unit="min"),
        "shop": [f"s{i % 4}" for i in range(COUNT)],
    }
)
SHOPS = pd.DataFrame({"name": ["s0", "s1", "s2"], "region": ["north", "south", "north"]})


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    with opened(MODEL, {"orders": ORDERS, "shops": SHOPS}) as layer:
        yield layer


def total(rows: pd.Series) -> int:
    return int(ORDERS[rows].amount.sum())


DONE, B, A = ORDERS.status == "done", ORDERS.category == "b", ORDERS.category == "a"
NORTH = ORDERS.shop.isin(["s0", "s2"])


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("total", total(DONE & B)),
        ("all_statuses", total(B)),
        ("by_category_only", total(B)),
        ("in_the_north", total(DONE & B & NORTH)),
        ("large_or_done", total(B & ((ORDERS.amount > 50) | DONE))),
        ("done_only", total(B)),
        ("relative", int(ORDERS.amount.sum())),
        ("absolute", total(B)),
        ("share", round(100 * total(DONE & B) / total(B), 6)),
    ],
)
def test_under_a_filtered_query(layer: SemanticLayer, measure: str, expected: float) -> None:
    assert rows(layer, f"SELECT MEASURE({measure}) FROM v WHERE status = 'done' AND category = 'b'") == [(expected,)]


def test_by_a_key_that_is_filtered(layer: SemanticLayer) -> None:
    found = rows(layer, "SELECT category, MEASURE(total), MEASURE(all_statuses), MEASURE(of_all) FROM v WHERE status = 'done' GROUP BY 1 ORDER BY 1")  # fmt: skip
    grouped = ORDERS.groupby("category").amount.sum()
    done = ORDERS[DONE].groupby("category").amount.sum()
    assert found == [(c, int(done[c]), int(grouped[c]), int(grouped[c])) for c in "abc"]


def test_a_date_means_the_asker_s_day(layer: SemanticLayer) -> None:
    for zone in ("UTC", "America/New_York"):
        local = ORDERS["at"].dt.tz_localize("UTC").dt.tz_convert(zone)
        expected = total(local < pd.Timestamp("2024-01-03", tz=zone))
        assert rows(layer, "SELECT MEASURE(early) FROM v", timezone=zone) == [(expected,)]


def test_a_condition_that_mixes_is_refused(layer: SemanticLayer) -> None:
    with pytest.raises(InvalidQuery, match="conditions of their own, joined by AND"):
        layer.query(OPERATOR, "SELECT MEASURE(all_statuses) FROM v WHERE status = 'done' OR category = 'b'")
    alone = "SELECT MEASURE(all_statuses) FROM v WHERE status = 'done' OR status = 'open'"
    assert rows(layer, alone) == [(int(ORDERS.amount.sum()),)]


def test_a_policy_is_no_filter_to_set_aside() -> None:
    policy = '    access_policy: [{group: "*", row_level: {filters: [{member: status, operator: equals, values: ["{ userAttributes.status }"]}]}}]\n'  # fmt: skip
    model = MODEL.replace("  - name: shops\n", policy + "  - name: shops\n", 1)
    asker = SecurityContext(user_attributes={"status": "open"})
    with opened(model, {"orders": ORDERS, "shops": SHOPS}) as guarded:
        sql = "SELECT MEASURE(all_statuses), MEASURE(large_or_done) FROM v WHERE category = 'a'"
        held = ORDERS.status == "open"
        assert rows(guarded, sql, asker) == [(total(held & A), total(held & A & (ORDERS.amount > 50)))]


def test_a_view_s_default_filters(layer: SemanticLayer) -> None:
    not_c = ORDERS.category != "c"
    assert rows(layer, "SELECT MEASURE(total) FROM done") == [(total(DONE & not_c),)]
    assert rows(layer, "SELECT MEASURE(total) FROM done WHERE status = 'open'") == [(total((ORDERS.status == "open") & not_c),)]  # fmt: skip
    assert rows(layer, "SELECT COUNT(*) FROM done WHERE category = 'c'") == [(0,)]
    assert rows(layer, "SELECT COUNT(id) FROM (SELECT id FROM done) AS s") == [(int((DONE & not_c).sum()),)]
    assert rows(layer, "SELECT MEASURE(all_statuses) FROM done") == [(total(not_c),)]
    by_status = rows(layer, "SELECT status, MEASURE(total) FROM done GROUP BY 1")
    assert by_status == [("done", total(DONE & not_c))]
    joined = "SELECT COUNT(*) FROM shops LEFT JOIN (SELECT id, category FROM done) AS d ON d.category = shops.region"
    assert rows(layer, joined) == [(3,)]
    with pytest.raises(InvalidQuery, match="join it as a subquery"):
        layer.query(OPERATOR, joined.replace("(SELECT id, category FROM done)", "done"))
