"""Row filters, members and masks, for one asker at a time."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import QueryError, UnknownMember
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .shop import at, dimension, open_shop, rows, user

BY_STATUS = {"member": "status", "operator": "equals", "values": ["{ userAttributes.status }"]}


def only(*filters: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [{"group": "*", "row_level": {"filters": list(filters)}, **more}]


def test_rows_and_counts_follow_the_attribute() -> None:
    layer = open_shop({"orders": only(BY_STATUS)})
    assert rows(layer, "SELECT COUNT(*), MEASURE(total) FROM orders", user(status=["paid"])) == [(3, 80.0)]
    assert rows(layer, "SELECT COUNT(*) FROM orders WHERE status = 'open' OR TRUE", user(status=["paid"])) == [(3,)]
    assert layer.values(user(status=["open"]), "orders.status") == ["open"]
    result = layer.query(user(), "SELECT COUNT(*) FROM orders")
    assert result.table.column(0).to_pylist() == [0]
    assert result.notes == ("user attribute 'status' is not set: no rows",)
    assert [f.cube for f in result.row_filters] == ["orders"]


def test_a_to_one_cube_hides_the_row_that_needs_it() -> None:
    cubes: dict[str, Any] = {
        "customers": only({"member": "country", "operator": "equals", "values": ["{ userAttributes.country }"]})
    }
    layer = open_shop(cubes)
    # below a one_to_many step hidden rows are gone, the row above stays
    assert rows(layer, "SELECT id, orders_id FROM shop ORDER BY 1, 2", user(country=["DE"])) == [(1, 1), (1, 2)]


def test_hidden_children_do_not_exist() -> None:
    layer = open_shop({"items": only({"member": "product", "operator": "equals", "values": ["y"]})})
    assert rows(layer, "SELECT id, items_product FROM sales ORDER BY 1", user()) == [
        (1, "y"),
        (2, None),
        (3, None),
        (4, None),
    ]
    assert rows(layer, "SELECT MEASURE(total), MEASURE(items_revenue) FROM sales", user()) == [(100.0, 2)]


def test_view_filter_and_cube_filter_both_apply() -> None:
    layer = open_shop({
        "orders": only(BY_STATUS),
        "sales": only({"member": "amount", "operator": "gt", "values": [15]}),
    })  # fmt: skip
    assert rows(layer, "SELECT COUNT(*) FROM sales", user(status=["paid"])) == [(2,)]
    assert rows(layer, "SELECT COUNT(*) FROM orders", user(status=["paid"])) == [(3,)]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [("id, status", {1, 3, 4}), ("status, amount", {2}), ("status", {1, 2, 3, 4}), ("id, status, amount", set())],
)
def test_a_policy_counts_only_if_it_grants_all_members_used(columns: str, expected: set[int]) -> None:
    layer = open_shop({
        "orders": [
            {"group": "*", "member_level": {"includes": ["id", "status"]}, "row_level": {"filters": [{"member": "status", "operator": "equals", "values": ["paid"]}]}},
            {"group": "*", "member_level": {"includes": ["status", "amount"]}, "row_level": {"filters": [{"member": "status", "operator": "equals", "values": ["open"]}]}},
        ],
    })  # fmt: skip
    assert len(rows(layer, f"SELECT {columns} FROM orders", user())) == len(expected)


def test_other_groups_see_nothing_and_hear_the_same_words() -> None:
    layer = open_shop({"orders": [{"group": "managers", "row_level": {"allow_all": True}}]})
    assert rows(layer, "SELECT COUNT(*) FROM orders", user("managers")) == [(4,)]
    heard = []
    for name in ("orders", "absent"):
        with pytest.raises(UnknownMember) as refused:
            rows(layer, f"SELECT COUNT(*) FROM {name}", user("analysts"))
        heard.append(refused.value.message.replace(name, "x").partition(" Did you mean")[0])
    assert heard[0] == heard[1]


def test_hidden_members_are_unknown_and_never_suggested() -> None:
    layer = open_shop({"customers": [{"group": "*", "member_level": {"includes": "*", "excludes": ["email"]}}]})
    for sql in (
        "SELECT email FROM customers",
        "SELECT emial FROM customers",
        "SELECT id FROM customers ORDER BY email",
    ):
        with pytest.raises(UnknownMember) as refused:
            rows(layer, sql, user())
        assert "email" not in refused.value.suggestions
    assert layer.query(user(), "SELECT * FROM customers").table.column_names == ["id", "country", "order_count"]


def test_masks_hide_the_value_everywhere() -> None:
    layer = open_shop(
        {
            "customers": [
                {"group": "*", "member_level": {"includes": ["id", "country"]}, "member_masking": {"includes": "*"}}
            ]
        }
    )
    assert rows(layer, "SELECT id, email FROM customers ORDER BY 1 LIMIT 1", user()) == [(1, "***")]
    assert rows(layer, "SELECT COUNT(*) FROM customers WHERE email = 'a@x'", user()) == [(0,)]
    assert rows(layer, "SELECT MEASURE(count) FROM customers", user()) == [(None,)]


def test_a_value_is_unmasked_only_on_the_rows_of_the_policy_that_shows_it() -> None:
    german = {"member": "country", "operator": "equals", "values": ["DE"]}
    layer = open_shop({
        "customers": [
            {"group": "*", "member_level": {"includes": ["id", "country"]}, "member_masking": {"includes": "*"}},
            {"group": "*", "member_level": {"includes": "*"}, "row_level": {"filters": [german]}},
        ],
    })  # fmt: skip
    assert rows(layer, "SELECT id, email FROM customers ORDER BY 1", user()) == [(1, "a@x"), (2, "***"), (3, "***")]


@pytest.mark.parametrize(
    "condition", ["{ userAttributes.level > 2 }", "{ securityContext.admin }", "{ 'boss' in groups }"]
)
def test_conditions_that_do_not_hold_leave_nothing(condition: str) -> None:
    layer = open_shop({"orders": [{"group": "*", "conditions": [{"if": condition}], "row_level": {"allow_all": True}}]})
    with pytest.raises(QueryError):
        rows(layer, "SELECT COUNT(*) FROM orders", user(level=1))


@pytest.mark.parametrize(
    ("operator", "values", "expected"),
    [
        ("equals", ["paid", "open"], 4), ("notEquals", ["paid"], 1), ("contains", ["AI"], 3), ("notContains", ["%"], 4),
        ("startsWith", ["o"], 1), ("notStartsWith", ["o"], 3), ("endsWith", ["id"], 3), ("notEndsWith", ["id"], 1),
        ("set", None, 4), ("notSet", None, 0),
    ],
)  # fmt: skip
def test_text_operators(operator: str, values: list[str] | None, expected: int) -> None:
    found = {"member": "status", "operator": operator, **({"values": values} if values else {})}
    assert rows(open_shop({"orders": only(found)}), "SELECT COUNT(*) FROM orders", user()) == [(expected,)]


@pytest.mark.parametrize(
    ("operator", "values", "expected"),
    [
        ("inDateRange", ["2024-02-05", "2024-02-07"], 2), ("notInDateRange", ["2024-02-05", "2024-02-07"], 2),
        ("beforeDate", ["2024-02-05"], 1), ("beforeOrOnDate", ["2024-02-05"], 2), ("afterDate", ["2024-02-07"], 1),
        ("afterOrOnDate", ["2024-02-07"], 2),
    ],
)  # fmt: skip
def test_date_operators_do_not_move_with_the_query_time_zone(operator: str, values: list[str], expected: int) -> None:
    layer = open_shop({"orders": only({"member": "placed_at", "operator": operator, "values": values})})
    for zone in ("UTC", "Pacific/Auckland"):
        assert rows(layer, "SELECT COUNT(*) FROM orders", user(), timezone=zone) == [(expected,)]


MOMENTS = pa.table({
    "id": [1, 2, 3, 4],
    "seen_at": pa.array([at("2024-02-04 23:30"), at("2024-02-05 00:00"), at("2024-02-05 23:30"), at("2024-02-06 12:00")],
                        pa.timestamp("us", "UTC")),
})  # fmt: skip


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/Los_Angeles"])
@pytest.mark.parametrize(
    ("operator", "values", "expected"),
    [
        ("equals", ["2024-02-05"], [2]), ("notEquals", ["2024-02-05"], [1, 3, 4]),
        ("inDateRange", ["2024-02-05", "2024-02-05"], [2, 3]), ("notInDateRange", ["2024-02-05", "2024-02-05"], [1, 4]),
        ("beforeDate", ["2024-02-05"], [1]), ("beforeOrOnDate", ["2024-02-05"], [1, 2, 3]),
        ("afterDate", ["2024-02-05"], [4]), ("afterOrOnDate", ["2024-02-05"], [2, 3, 4]),
        ("gte", ["{ userAttributes.since }"], [2, 3, 4]), ("lt", ["{ userAttributes.since }"], [1]),
    ],
)  # fmt: skip
def test_the_askers_time_zone_moves_no_moment_over_the_edge_of_a_policy(
    operator: str, values: list[str], expected: list[int], zone: str
) -> None:
    """Of a column that has a zone of its own: rows that a filter hides, and masks that a filter lifts."""
    filters = only({"member": "seen_at", "operator": operator, "values": values})
    cube: dict[str, Any] = {
        "name": "moments",
        "sql_table": "moments",
        "dimensions": [dimension("id", primary_key=True, public=True), dimension("seen_at", "time"),
                       {"name": "shown", "type": "number", "sql": "id", "mask": 0}],
    }  # fmt: skip
    everything: dict[str, Any] = {
        "group": "*",
        "member_level": {"includes": ["id"]},
        "member_masking": {"includes": ["shown"]},
        "row_level": {"allow_all": True},
    }
    asker = user(since="2024-02-05")
    for policy in (filters, [everything, *filters]):
        model = load_model({"cubes": [{**cube, "access_policy": policy}]})
        layer = SemanticLayer(model, DuckDBEngine.open(None, data={"moments": MOMENTS}))
        try:
            found = rows(layer, "SELECT id, shown FROM moments ORDER BY 1", asker, timezone=zone)
        finally:
            layer.close()
        if policy is filters:
            assert found == [(n, n) for n in expected]
        else:
            assert found == [(n, n if n in expected else 0) for n in (1, 2, 3, 4)]


@pytest.mark.parametrize("value", [None, [], [None], "", [""], float("nan"), [["paid"]], {"a": "paid"}, 5, True])
@pytest.mark.parametrize("operator", ["equals", "notEquals", "contains", "notContains"])
def test_a_value_that_is_none_denies(operator: str, value: object) -> None:
    layer = open_shop({"orders": only({**BY_STATUS, "operator": operator})})
    result = layer.query(user(status=value), "SELECT COUNT(*) FROM orders")
    assert result.table.column(0).to_pylist() == [0]
    assert result.notes


def test_plans_are_kept_apart_by_everything_a_policy_reads() -> None:
    layer = open_shop({"orders": only(BY_STATUS)})
    asked = "SELECT COUNT(*) FROM orders"
    found = [rows(layer, asked, user(status=value)) for value in ("paid", ["paid"], "open", ["open", "paid"], 1, True)]
    assert [f[0][0] for f in found] == [3, 3, 1, 4, 0, 0]


def test_explain_tells_what_was_applied_and_why() -> None:
    layer = open_shop({"orders": only(BY_STATUS)})
    plan = layer.explain(user(status=["paid"]), "SELECT MEASURE(total) FROM orders")
    assert plan.row_filters[0].filter == "status is 'paid'"
    assert plan.row_filters[0].reason == "access policy of orders for everyone"
    assert "paid" not in plan.sql
    assert "paid" in plan.params.values()
