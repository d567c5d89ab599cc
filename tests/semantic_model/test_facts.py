"""Measures of several facts of one view in one query, against SQL written by hand over the permitted rows."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pandas as pd
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import InvalidQuery, UnknownMember
from svc_notebook.semantic.layer import SemanticLayer

from .layers import OPERATOR, opened, rows

MODEL = """
cubes:
  - name: customers
    sql_table: customers
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true, public: true}
      - {name: name, sql: name, type: string}
      - {name: city, sql: city, type: string}
    measures: [{name: people, type: count}]
  - name: orders
    sql_table: orders
    joins:
      - {name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers.id}"}
      - {name: lines, relationship: one_to_many, sql: "{CUBE}.id = {lines}.order_id"}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: status, sql: status, type: string}
      - {name: amount, sql: amount, type: number}
      - {name: at, sql: at, type: time}
    measures:
      - {name: count, type: count}
      - {name: total, type: sum, sql: amount}
      - {name: all_total, type: number, sql: "{total}", multi_stage: true, group_by: []}
      - {name: place, type: rank, multi_stage: true, order_by: [{sql: "{total}", dir: desc}], reduce_by: [customers.name]}
      - {name: running, type: sum, sql: amount, rolling_window: {trailing: unbounded}}
    segments: [{name: done, sql: "{CUBE}.status = 'done'"}]
  - name: lines
    sql_table: lines
    dimensions: [{name: id, sql: id, type: number, primary_key: true}]
    measures: [{name: pieces, type: sum, sql: pieces}]
  - name: returns
    sql_table: returns
    joins: [{name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers.id}"}]
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: reason, sql: reason, type: string}
      - {name: at, sql: at, type: time}
    measures:
      - {name: count, type: count}
      - {name: refund, type: sum, sql: refund}
      - {name: reasons, type: count_distinct, sql: reason}
views:
  - name: both
    cubes:
      - {join_path: orders, prefix: true, includes: [count, total, status, all_total, place, amount, running, at, done]}
      - {join_path: orders.lines, includes: [pieces]}
      - {join_path: customers, includes: [name, city, people]}
      - {join_path: returns, prefix: true, includes: [count, refund, reason, reasons, at]}
    measures:
      - {name: kept, type: number, sql: "{orders_total} - COALESCE({returns_refund}, 0)"}
      - {name: kept_share, type: number, sql: "1.0 * {kept} / {orders_total}"}
"""
CUSTOMERS = pd.DataFrame(
    {"id": [1, 2, 3, 4], "name": ["Ann", "Bo", "Cy", "Di"], "city": ["Rome", "Oslo", "Rome", "Oslo"]}
)
ORDERS = pd.DataFrame(
    {
        "id": range(1, 8),
        "customer_id": [1, 1, 2, 2, 4, None, 9],
        "status": ["done", "open", "done", "open", "done", "done", None],
        "amount": [10, 20, 40, 80, 160, 320, 640],
        "at": pd.to_datetime(
            ["2024-01-05", "2024-02-05", "2024-01-09", "2024-03-01", "2024-02-02", "2024-03-03", None]
        ),
    }
)
LINES = pd.DataFrame({"id": range(6), "order_id": [1, 1, 2, 3, 5, 5], "pieces": [1, 2, 4, 8, 16, 32]})
RETURNS = pd.DataFrame(
    {
        "id": range(1, 6),
        "customer_id": [1, 3, 3, 2, None],
        "reason": ["late", "late", "broken", None, "late"],
        "refund": [1, 2, 4, 8, 16],
        "at": pd.to_datetime(["2024-02-07", "2024-02-08", "2024-04-01", "2024-03-01", "2024-01-31"]),
    }
)
TABLES = {"customers": CUSTOMERS, "orders": ORDERS, "lines": LINES, "returns": RETURNS}


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    with opened(MODEL, TABLES) as layer:
        yield layer


def by_hand(sql: str, tables: dict[str, pd.DataFrame] | None = None) -> list[tuple[object, ...]]:
    with duckdb.connect() as connection:
        for name, table in (tables or TABLES).items():
            connection.register(name, table)
        return [
            tuple(int(v) if isinstance(v, (int, float)) and v == int(v) else v for v in row)
            for row in connection.execute(sql).fetchall()
        ]


BY_NAME = """
WITH o AS (SELECT c.name AS k, count(*) n, sum(amount) s FROM orders o LEFT JOIN customers c ON c.id = o.customer_id
           WHERE {orders} GROUP BY 1),
     r AS (SELECT c.name AS k, count(*) n, sum(refund) s FROM returns r LEFT JOIN customers c ON c.id = r.customer_id
           WHERE {returns} GROUP BY 1)
SELECT COALESCE(o.k, r.k), COALESCE(o.n, 0), o.s, COALESCE(r.n, 0), r.s
FROM o FULL JOIN r ON o.k IS NOT DISTINCT FROM r.k {having} ORDER BY 1 NULLS LAST
"""
MEASURES = "MEASURE(orders_count), MEASURE(orders_total), MEASURE(returns_count), MEASURE(returns_refund)"


@pytest.mark.parametrize(
    ("where", "orders", "returns", "having"),
    [
        ("", "TRUE", "TRUE", ""),
        ("WHERE city = 'Rome'", "c.city = 'Rome'", "c.city = 'Rome'", ""),
        ("WHERE orders_status = 'done'", "o.status = 'done'", "TRUE", ""),
        ("WHERE orders_status = 'done' AND returns_reason = 'late' AND name <> 'Bo'",
         "o.status = 'done' AND c.name <> 'Bo'", "r.reason = 'late' AND c.name <> 'Bo'", ""),
        ("WHERE orders_at >= '2024-02-01'", "o.at >= '2024-02-01'", "TRUE", ""),
        ("HAVING MEASURE(returns_count) > 0", "TRUE", "TRUE", "WHERE r.n > 0"),
    ],
)  # fmt: skip
def test_each_fact_is_grouped_by_itself(
    layer: SemanticLayer, where: str, orders: str, returns: str, having: str
) -> None:
    condition, after = (where, "") if where.startswith("WHERE") else ("", where)
    asked = f"SELECT name, {MEASURES} FROM both {condition} GROUP BY 1 {after} ORDER BY 1"
    assert rows(layer, asked) == by_hand(BY_NAME.format(orders=orders, returns=returns, having=having))


def test_over_everything_and_in_other_shapes(layer: SemanticLayer) -> None:
    assert rows(layer, f"SELECT {MEASURES} FROM both") == [(7, 1270, 5, 31)]
    # lines repeat the orders they belong to, not the returns
    assert rows(layer, f"SELECT MEASURE(pieces), {MEASURES} FROM both") == [(63, 7, 1270, 5, 31)]
    assert rows(
        layer, "SELECT city, MEASURE(people), MEASURE(orders_count), MEASURE(returns_reasons) FROM both GROUP BY 1 ORDER BY 1"
    ) == [("Oslo", 2, 3, 0), ("Rome", 2, 2, 2), (None, 0, 2, 1)]  # fmt: skip
    assert rows(
        layer, "SELECT city, name, MEASURE(orders_count), MEASURE(returns_count) FROM both GROUP BY ROLLUP (1, 2) ORDER BY 1, 2, 3"
    ) == [
        ("Oslo", "Bo", 2, 1), ("Oslo", "Di", 1, 0), ("Oslo", None, 3, 1), ("Rome", "Ann", 2, 1), ("Rome", "Cy", 0, 2),
        ("Rome", None, 2, 3), (None, None, 2, 1), (None, None, 2, 1), (None, None, 7, 5),
    ]  # fmt: skip
    assert rows(
        layer,
        "SELECT q.city, n FROM (SELECT city, MEASURE(orders_count) + MEASURE(returns_count) AS n FROM both GROUP BY 1) q "
        "ORDER BY n DESC, 1",
    ) == [("Rome", 5), ("Oslo", 4), (None, 3)]


def test_measures_of_the_view_over_several_facts(layer: SemanticLayer) -> None:
    asked = "SELECT name, MEASURE(kept), MEASURE(kept_share) FROM both GROUP BY 1 ORDER BY 1"
    assert rows(layer, asked) == [
        ("Ann", 29, round(29 / 30, 6)), ("Bo", 112, round(112 / 120, 6)), ("Cy", None, None), ("Di", 160, 1),
        (None, 944, round(944 / 960, 6)),
    ]  # fmt: skip


def test_stages_and_ranks_are_over_all_groups(layer: SemanticLayer) -> None:
    asked = (
        "SELECT name, MEASURE(returns_count), MEASURE(orders_all_total), MEASURE(orders_place) FROM both "
        "WHERE name IS NOT NULL GROUP BY 1 ORDER BY 1"
    )
    assert rows(layer, asked) == [("Ann", 1, 310, 3), ("Bo", 1, 310, 2), ("Cy", 2, 310, 4), ("Di", 0, 310, 1)]


def test_plain_aggregates_beside_other_facts(layer: SemanticLayer) -> None:
    asked = "SELECT city, MAX(orders_amount), MEASURE(returns_count), SUM(orders_total) FROM both WHERE city IS NOT NULL GROUP BY 1 ORDER BY 1"
    assert rows(layer, asked) == [("Oslo", 160, 1, 280), ("Rome", 20, 3, 30)]
    for odd in ("COUNT(*)", "COUNT(DISTINCT name)"):
        with pytest.raises(InvalidQuery, match="beside measures of several parts"):
            rows(layer, f"SELECT city, {odd}, MEASURE(orders_count), MEASURE(returns_count) FROM both GROUP BY 1")


def test_what_one_fact_alone_has_is_told(layer: SemanticLayer) -> None:
    with pytest.raises(InvalidQuery, match="'returns_count' cannot be grouped by 'orders_status'"):
        rows(layer, "SELECT orders_status, MEASURE(orders_count), MEASURE(returns_count) FROM both GROUP BY 1")
    with pytest.raises(InvalidQuery, match="holds for no measure of this query as a whole"):
        rows(layer, f"SELECT name, {MEASURES} FROM both WHERE orders_status = returns_reason GROUP BY 1")
    with pytest.raises(InvalidQuery, match="have no rows in common"):
        rows(layer, "SELECT name, orders_total, returns_refund FROM both")
    with pytest.raises(UnknownMember, match="no member 'nonsense'"):
        rows(layer, f"SELECT nonsense, {MEASURES} FROM both GROUP BY 1")
    notes = layer.query(OPERATOR, f"SELECT {MEASURES} FROM both WHERE orders_status = 'done'").notes
    assert notes == ("the condition on orders_status holds for the measures that it can apply to",)


def test_one_query_with_each_fact_in_its_own_select(layer: SemanticLayer) -> None:
    asked = "SELECT MEASURE(orders_count) AS n FROM both UNION ALL SELECT MEASURE(returns_count) FROM both ORDER BY 1"
    assert rows(layer, asked) == [(5,), (7,)]
    assert rows(layer, "SELECT name FROM both GROUP BY 1 ORDER BY 1") == [("Ann",), ("Bo",), ("Cy",), ("Di",)]


POLICIES = """
    access_policy:
      - group: "*"
        row_level: {filters: [{member: FILTERED, operator: equals, values: ["{ userAttributes.allowed }"]}]}
"""


@pytest.mark.parametrize(
    ("cube", "member", "allowed", "permitted"),
    [
        ("orders", "status", ["done"], {"orders": ORDERS[ORDERS.status == "done"]}),
        ("returns", "reason", ["late"], {"returns": RETURNS[RETURNS.reason == "late"]}),
        ("customers", "city", ["Rome"],
         {"orders": ORDERS[ORDERS.customer_id.isin([1, 3])], "returns": RETURNS[RETURNS.customer_id.isin([1, 3])]}),
    ],
)  # fmt: skip
def test_policies_hold_for_each_fact(
    cube: str, member: str, allowed: list[str], permitted: dict[str, pd.DataFrame]
) -> None:
    text = MODEL.replace(f"    sql_table: {cube}\n", f"    sql_table: {cube}{POLICIES.replace('FILTERED', member)}")
    asker = SecurityContext(user_attributes={"allowed": allowed})
    asked = f"SELECT name, {MEASURES} FROM both GROUP BY 1 ORDER BY 1"
    with opened(text, TABLES) as layer:
        expected = by_hand(BY_NAME.format(orders="TRUE", returns="TRUE", having=""), {**TABLES, **permitted})
        assert rows(layer, asked, asker) == expected
        assert rows(layer, asked, SecurityContext()) != expected


def test_a_views_policy_over_one_fact_hides_the_others_rows() -> None:
    """What cannot be told of a row hides it."""
    text = MODEL + POLICIES.replace("FILTERED", "orders_status")
    with opened(text, TABLES) as layer:
        asker = SecurityContext(user_attributes={"allowed": ["done"]})
        assert rows(layer, f"SELECT {MEASURES} FROM both", asker) == [(4, 530, 0, None)]
        assert rows(layer, "SELECT MEASURE(returns_count) FROM both", asker) == [(0,)]


def test_no_policy_shows_two_facts_together_that_are_granted_apart() -> None:
    text = (
        MODEL
        + """
    access_policy:
      - group: "*"
        member_level: {includes: [orders_count, name, kept]}
      - group: "*"
        member_level: {includes: [returns_count, name]}
"""
    )
    with opened(text, TABLES) as layer:
        asker = SecurityContext()
        assert rows(layer, "SELECT MEASURE(orders_count) FROM both", asker) == [(7,)]
        assert rows(layer, "SELECT MEASURE(returns_count) FROM both", asker) == [(5,)]
        assert rows(layer, "SELECT MEASURE(orders_count), MEASURE(returns_count) FROM both", asker) == [(0, 0)]
        assert rows(layer, "SELECT MEASURE(kept) FROM both", asker) == [(1239,)]
        assert rows(layer, "SELECT MEASURE(kept), MEASURE(returns_count) FROM both", asker) == [(None, 0)]


def test_a_root_of_which_nothing_is_seen_answers_nothing() -> None:
    """Customers and dates are joined by orders alone; who sees nothing of the orders is told what there is without."""
    view = (
        MODEL[: MODEL.index("    measures:\n      - {name: kept")]
        .replace(
            "{join_path: customers, includes: [name, city, people]}",
            "{join_path: customers, includes: [name, city, people]}\n      - {join_path: lines, includes: [id]}",
        )
        .replace(
            "{name: id, sql: id, type: number, primary_key: true}]",
            "{name: id, sql: id, type: number, primary_key: true, public: true}]",
        )
    )
    hidden = "      - {join_path: orders, prefix: true, includes: [count, total, status, all_total, place, amount, running, at, done]}\n      - {join_path: orders.lines, includes: [pieces]}\n"
    policy = '    access_policy: [{group: "*", member_level: {includes: [name, city, people, id, returns_count]}}]\n'
    asked = "SELECT name, id FROM both GROUP BY 1, 2"
    outcomes = []
    for model in (view + policy, view.replace(hidden, "") + policy.replace(", returns_count", ", returns_count")):
        with opened(model, TABLES) as layer, pytest.raises(InvalidQuery) as refused:
            rows(layer, asked, SecurityContext())
        outcomes.append(str(refused.value))
    assert outcomes[0] == outcomes[1]
