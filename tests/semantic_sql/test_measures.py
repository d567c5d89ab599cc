"""Right numbers: every aggregate over its own cube's rows, once each, whatever the joins do to them."""

from __future__ import annotations

from datetime import datetime

import pytest

from svc_notebook.semantic.errors import InvalidQuery
from svc_notebook.semantic.layer import SemanticLayer

from .shop import at, open_shop, rows


def test_chasm_counts_each_branch_once(shop: SemanticLayer) -> None:
    asked = "SELECT country, MEASURE(count), MEASURE(orders_count), MEASURE(tickets_count), MEASURE(orders_total) FROM shop GROUP BY 1 ORDER BY 1"
    assert rows(shop, asked) == [("DE", 1, 2, 2, 30.0), ("FR", 1, 1, 0, 30.0), (None, 1, 0, 1, None)]


def test_fan_out_counts_each_order_once_per_product(shop: SemanticLayer) -> None:
    asked = "SELECT items_product, MEASURE(total), MEASURE(items_revenue), MEASURE(count), MEASURE(average) FROM sales GROUP BY 1 ORDER BY 1"
    assert rows(shop, asked) == [("x", 60.0, 8, 3, 20.0), ("y", 10.0, 2, 1, 10.0), (None, 40.0, None, 1, 40.0)]


def test_plain_aggregates_run_over_the_rows_their_argument_belongs_to(shop: SemanticLayer) -> None:
    asked = "SELECT items_product, SUM(amount), COUNT(*), AVG(items_price) FROM sales GROUP BY 1 ORDER BY 1"
    assert rows(shop, asked) == [("x", 60.0, 3, 8 / 3), ("y", 10.0, 1, 2.0), (None, 40.0, 1, None)]


def test_cubes_joined_by_name_give_the_joined_rows(shop: SemanticLayer) -> None:
    asked = "SELECT country, COUNT(*), AVG(amount) FROM customers CROSS JOIN orders GROUP BY 1 ORDER BY 1"
    expected = [("DE", 2, 15.0), ("FR", 1, 30.0), (None, 1, None)]
    assert rows(shop, asked) == expected
    hinted = "SELECT c.country, COUNT(*), AVG(o.amount) FROM customers c LEFT JOIN orders o ON c.__svcJoinField = o.__svcJoinField GROUP BY 1 ORDER BY 1"
    assert rows(shop, hinted) == expected


def test_filters_on_a_to_many_cube_do_not_repeat_rows(shop: SemanticLayer) -> None:
    assert rows(shop, "SELECT MEASURE(total) FROM sales WHERE items_price > 0") == [(60.0,)]
    assert rows(shop, "SELECT MEASURE(tickets_count), MEASURE(orders_total) FROM shop WHERE items_price > 0") == [
        (2, 60.0)
    ]


def test_a_measure_of_an_empty_selection(shop: SemanticLayer) -> None:
    assert rows(shop, "SELECT MEASURE(count), MEASURE(total), MEASURE(average) FROM orders WHERE status = 'none'") == [
        (0, None, None)
    ]
    assert rows(shop, "SELECT status, MEASURE(count) FROM orders WHERE status = 'none' GROUP BY 1") == []


def test_calculated_filtered_and_raw_measures(shop: SemanticLayer) -> None:
    asked = "SELECT status, MEASURE(average), MEASURE(raw_average), MEASURE(paid_total), MEASURE(largest) FROM orders GROUP BY 1 ORDER BY 1"
    assert rows(shop, asked) == [("open", 20.0, 20.0, None, 20.0), ("paid", 80 / 3, 80 / 3, 80.0, 40.0)]
    assert rows(shop, "SELECT MEASURE(per_customer) FROM shop") == [(20.0,)]


@pytest.mark.parametrize("sql", ["SUM(total)", "MEASURE(total)", "AGG(total)", "sum(orders.total)"])
def test_spellings_of_a_sum(shop: SemanticLayer, sql: str) -> None:
    assert rows(shop, f"SELECT {sql} FROM orders") == [(100.0,)]


def test_an_aggregate_of_another_kind_is_told(shop: SemanticLayer) -> None:
    with pytest.raises(InvalidQuery, match=r"measure of type sum; write MEASURE\(total\)"):
        rows(shop, "SELECT AVG(total) FROM orders")
    with pytest.raises(InvalidQuery, match="HAVING instead of WHERE"):
        rows(shop, "SELECT status FROM orders WHERE total > 5")


def test_measures_are_evaluated_at_the_outermost_grouping(shop: SemanticLayer) -> None:
    asked = "SELECT size, MEASURE(average) FROM (SELECT size, average FROM orders WHERE status = 'paid') AS i GROUP BY 1 ORDER BY 1"
    assert rows(shop, asked) == [("large", 35.0), ("small", 10.0)]
    through_cte = "WITH i AS (SELECT * FROM orders) SELECT status, MEASURE(average) AS a FROM i GROUP BY 1 HAVING MEASURE(count) > 1"
    assert rows(shop, through_cte) == [("paid", 80 / 3)]


def test_rows_show_measures_of_one_row(shop: SemanticLayer) -> None:
    assert rows(shop, "SELECT status, total, count, paid_total FROM orders ORDER BY 2 LIMIT 2") == [
        ("paid", 10.0, 1, 10.0),
        ("open", 20.0, 1, None),
    ]
    assert rows(shop, "SELECT MAX(total), COUNT(DISTINCT total) FROM (SELECT total FROM orders) AS r") == [(40.0, 4)]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("SELECT SUM(total) AS x FROM r", 100.0),  # the measure itself
        ("SELECT SUM(total + 1) AS x FROM r", 104.0),  # the rows from here on
        ("SELECT SUM(total) + AVG(total) AS x FROM r", 125.0),
        ("SELECT SUM(total) FILTER (WHERE total > 15) AS x FROM r", 90.0),
        ("SELECT SUM(total) AS x FROM r WHERE EXISTS (SELECT 1 FROM customers WHERE r.total > 15)", 90.0),
        ("SELECT SUM(total) AS x FROM r GROUP BY status HAVING MAX(total) < 30", 20.0),
        ("SELECT COUNT(*) AS x FROM r GROUP BY total ORDER BY total LIMIT 1", 1),
        ("SELECT SUM(SUM(total)) OVER () AS x FROM r", 100.0),
    ],
)
def test_a_subquerys_measures_are_taken_together_or_values_of_rows(
    shop: SemanticLayer, asked: str, expected: float
) -> None:
    assert rows(shop, f"WITH r AS (SELECT * FROM orders) {asked}") == [(expected,)]


def test_sub_query_dimensions(shop: SemanticLayer) -> None:
    assert rows(shop, "SELECT id, order_count FROM customers ORDER BY 1") == [(1, 2), (2, 1), (3, 0)]
    assert rows(shop, "SELECT MEASURE(avg_orders) FROM customers") == [(1.0,)]


def test_shares_and_ranks(shop: SemanticLayer) -> None:
    asked = "SELECT status, MEASURE(total), MEASURE(all_total), MEASURE(share), MEASURE(place) FROM orders GROUP BY 1 ORDER BY 1"
    assert rows(shop, asked) == [("open", 20.0, 100.0, 0.2, 2), ("paid", 80.0, 100.0, 0.8, 1)]
    by_month = "SELECT date_trunc('month', placed_at), status, MEASURE(all_total) FROM orders WHERE placed_at < '2024-03-01' GROUP BY 1, 2 ORDER BY 1, 2"
    assert [r[1:] for r in rows(shop, by_month)] == [("paid", 10.0), ("open", 50.0), ("paid", 50.0)]


def test_an_average_of_monthly_sums(shop: SemanticLayer) -> None:
    assert rows(shop, "SELECT status, MEASURE(monthly_average) FROM orders GROUP BY 1 ORDER BY 1") == [
        ("open", 20.0),
        ("paid", 80 / 3),
    ]


def test_the_year_before(shop: SemanticLayer) -> None:
    asked = "SELECT date_trunc('month', placed_at) AS m, MEASURE(total), MEASURE(year_before) FROM orders WHERE placed_at >= '2025-01-01' AND placed_at < '2026-01-01' GROUP BY 1 ORDER BY 1"
    assert rows(shop, asked) == [(at("2025-01-01"), None, 10.0), (at("2025-02-01"), 40.0, 50.0)]
    with pytest.raises(InvalidQuery, match="group or filter by its time dimension"):
        rows(shop, "SELECT status, MEASURE(year_before) FROM orders GROUP BY 1")


def test_rolling_windows_have_no_gaps(shop: SemanticLayer) -> None:
    asked = "SELECT date_trunc('month', placed_at) AS m, MEASURE(running), MEASURE(two_months), MEASURE(to_date) FROM orders WHERE placed_at >= '2024-02-01' AND placed_at < '2024-05-01' GROUP BY 1 ORDER BY 1"
    assert [(m.month, *rest) for m, *rest in rows(shop, asked)] == [
        (2, 60.0, 60.0, 60.0),
        (3, 60.0, 50.0, 60.0),
        (4, 60.0, None, 60.0),
    ]
    assert rows(shop, "SELECT MEASURE(running) FROM orders") == [(100.0,)]
    with pytest.raises(InvalidQuery, match="date_trunc"):
        rows(shop, "SELECT MEASURE(two_months) FROM orders")


def test_rollup_over_measures(shop: SemanticLayer) -> None:
    assert rows(shop, "SELECT status, MEASURE(average) FROM orders GROUP BY ROLLUP(1) ORDER BY 1") == [
        ("open", 20.0),
        ("paid", 80 / 3),
        (None, 25.0),
    ]
    joined = (
        "SELECT country, MEASURE(orders_total), MEASURE(tickets_count) FROM shop GROUP BY ROLLUP(country) ORDER BY 2, 3"
    )
    assert sorted(map(str, rows(shop, joined))) == [
        "('DE', 30.0, 2)",
        "('FR', 30.0, 0)",
        "(None, 60.0, 3)",
        "(None, None, 1)",
    ]


@pytest.mark.parametrize(
    ("granularity", "expected"),
    [
        ("fiscal_year", [at("2023-10-01"), at("2024-10-01")]),
        ("sunday_week", [at("2023-12-31"), at("2024-02-04"), at("2025-01-26")]),
        ("odd", [at("2024-01-01"), at("2024-12-30")]),
    ],
)  # fmt: skip
def test_custom_granularities(shop: SemanticLayer, granularity: str, expected: list[datetime]) -> None:
    found = [r[0] for r in rows(shop, f"SELECT DISTINCT date_trunc('{granularity}', placed_at) FROM orders ORDER BY 1")]
    assert [f for f in found if f in expected] == expected


def test_the_time_zone_of_the_query_moves_days(shop: SemanticLayer) -> None:
    asked = (
        "SELECT date_trunc('day', placed_at) AS d, MEASURE(count) FROM orders WHERE placed_at < '2024-02-01' GROUP BY 1"
    )
    assert rows(shop, asked) == [(at("2024-01-05"), 1)]
    assert rows(shop, asked, timezone="Europe/Berlin") == [(at("2024-01-06"), 1)]
    with pytest.raises(InvalidQuery, match="time zone 'Mars' is unknown"):
        rows(shop, asked, timezone="Mars")
    for odd in (3, None, ["UTC"], b"UTC"):
        with pytest.raises(InvalidQuery, match="time zone is a name"):
            rows(shop, asked, timezone=odd)


def test_a_view_with_several_roots_is_read_by_the_one_that_reaches_what_is_asked() -> None:
    view = {
        "name": "both",
        "cubes": [
            {"join_path": "orders", "includes": ["total", "status"]},
            {"join_path": "tickets", "includes": ["count"]},
            {"join_path": "customers", "includes": ["country", "id"]},
        ],
        "measures": [{"name": "double_total", "type": "number", "sql": "{total} * 2"}],
    }
    layer = open_shop(more_views=[view])
    assert rows(layer, "SELECT status, MEASURE(total), MEASURE(double_total) FROM both GROUP BY 1 ORDER BY 1") == [
        ("open", 20.0, 40.0),
        ("paid", 80.0, 160.0),
    ]
    assert rows(layer, "SELECT MEASURE(count) FROM both") == [(3,)]
    assert rows(layer, "SELECT country, MEASURE(count), MEASURE(total) FROM both GROUP BY 1 ORDER BY 1") == [
        ("DE", 2, 30.0),
        ("FR", 0, 30.0),
        (None, 1, None),
    ]
    with pytest.raises(InvalidQuery, match="no join connects"):
        rows(
            open_shop(more_views=[{**view, "cubes": view["cubes"][:2]}]),
            "SELECT status, MEASURE(count) FROM both GROUP BY 1",
        )
