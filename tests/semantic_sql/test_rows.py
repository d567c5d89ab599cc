"""Plain SQL over rows: joins, subqueries, windows, set operations."""

from __future__ import annotations

import pytest

from svc_notebook.semantic.layer import SemanticLayer

from .shop import OPERATOR, rows


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT id FROM orders WHERE amount > (SELECT AVG(amount) FROM orders) ORDER BY 1", [(3,), (4,)]),
        ("SELECT id, (SELECT COUNT(*) FROM orders x WHERE x.status = o.status) FROM orders o ORDER BY 1", [(1, 3), (2, 1), (3, 3), (4, 3)]),
        ("SELECT id FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.id = c.id AND o.status = 'open')", [(2,)]),
        ("SELECT id FROM customers WHERE id NOT IN (SELECT id FROM orders WHERE amount > 15) ORDER BY 1", [(1,)]),
        ("SELECT c.id, o.id FROM customers c LEFT JOIN orders o ON c.id = o.id AND o.amount > 15 ORDER BY 1", [(1, None), (2, 2), (3, 3)]),
        ("SELECT COUNT(*) FROM customers c FULL OUTER JOIN orders o ON FALSE", [(7,)]),
        ("SELECT id FROM customers JOIN orders USING (id) ORDER BY id DESC", [(3,), (2,), (1,)]),
        ("SELECT id, ROW_NUMBER() OVER (PARTITION BY status ORDER BY amount DESC) AS n FROM orders QUALIFY n = 1 ORDER BY 1", [(2, 1), (4, 1)]),
        ("SELECT id, SUM(amount) OVER w FROM orders WINDOW w AS (ORDER BY id ROWS 1 PRECEDING) ORDER BY 1", [(1, 10.0), (2, 30.0), (3, 50.0), (4, 70.0)]),
        ("SELECT id, LAG(amount, 1, 0) OVER (ORDER BY id) FROM orders ORDER BY 1 LIMIT 2", [(1, 0.0), (2, 10.0)]),
        ("SELECT status FROM orders UNION SELECT country FROM customers ORDER BY 1", [("DE",), ("FR",), ("open",), ("paid",), (None,)]),
        ("SELECT id FROM orders EXCEPT SELECT id FROM customers", [(4,)]),
        ("(SELECT id FROM orders) INTERSECT (SELECT id FROM customers) ORDER BY 1 LIMIT 1 OFFSET 1", [(2,)]),
        ("SELECT DISTINCT status FROM orders ORDER BY 1", [("open",), ("paid",)]),
        ("SELECT DISTINCT ON (status) status, id FROM orders ORDER BY status, id DESC", [("open", 2), ("paid", 4)]),
        ("SELECT x, y FROM (VALUES (1, 'a'), (2, NULL)) AS v(x, y) ORDER BY 1", [(1, "a"), (2, None)]),
        ("SELECT size, COUNT(*) FROM orders GROUP BY ALL ORDER BY 1", [("large", 3), ("small", 1)]),
        ("SELECT COUNT(*) FROM orders WHERE is_paid", [(3,)]),
        ("SELECT COUNT(*) FROM orders WHERE is_paid IS TRUE AND NOT (amount > 35)", [(2,)]),
        ("SELECT COUNT(*) FILTER (WHERE amount > 15), COUNT(DISTINCT status), MEDIAN(amount) FROM orders", [(3, 2, 25.0)]),
        ("SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY amount DESC), STRING_AGG(DISTINCT status, '+') FROM orders", [(25.0, "open+paid")]),
        ("SELECT STRING_AGG(status, '>' ORDER BY amount DESC, id) FROM orders", [("paid>paid>open>paid",)]),
        ("SELECT STRING_AGG(status, '>' ORDER BY id > 0) FROM orders", [("open>paid>paid>paid",)]),  # what ties, by itself
        ("SELECT FLOOR(amount / 20) * 20 AS bin, COUNT(*) FROM orders GROUP BY 1 ORDER BY 1", [(0.0, 1), (20.0, 2), (40.0, 1)]),
        ("SELECT 1 / 0, 5 / 2, 5 % 0, CAST('x' AS INTEGER), '7'::INT + 1", [(None, 2.5, None, None, 8)]),
        ("SELECT COUNT(*) FROM orders WHERE placed_at BETWEEN '2024-02-05' AND '2024-02-07'", [(2,)]),
        ("SELECT COUNT(*) FROM orders WHERE placed_at + INTERVAL '1 month' > TIMESTAMP '2024-03-06'", [(2,)]),
        ("SELECT EXTRACT(ISODOW FROM placed_at), date_diff('day', placed_at, TIMESTAMP '2024-01-08') FROM orders WHERE id = 1", [(5, 3)]),
        ("SELECT CASE status WHEN 'paid' THEN 1 ELSE 0 END AS flag, SUM(amount) FROM orders GROUP BY flag ORDER BY flag", [(0, 20.0), (1, 80.0)]),
        ("SELECT COALESCE(country, 'none') AS c, COUNT(*) FROM customers GROUP BY 1 HAVING COUNT(*) > 0 ORDER BY c", [("DE", 1), ("FR", 1), ("none", 1)]),
        ("WITH q AS (SELECT status, MEASURE(total) AS x FROM orders GROUP BY 1) SELECT status, x / SUM(x) OVER () FROM q ORDER BY 1", [("open", 0.2), ("paid", 0.8)]),
        ("SELECT AVG(x) FROM (SELECT status, MEASURE(total) AS x FROM orders GROUP BY 1) AS q", [(50.0,)]),
        ("SELECT a.status, a.x - b.x FROM (SELECT status, SUM(amount) AS x FROM orders GROUP BY 1) a JOIN (SELECT 5 AS x) b ON TRUE ORDER BY 1", [("open", 15.0), ("paid", 75.0)]),
        ("SELECT * FROM (SELECT id, status FROM orders) AS t(a, b) WHERE a = 1", [(1, "paid")]),
        ("SELECT STATUS, \"Amount\" FROM \"ORDERS\" WHERE ID = 1", [("paid", 10.0)]),
        ("SELECT status FROM public.orders WHERE id = 2 -- a remark", [("open",)]),
        ("SELECT o.id FROM orders o SEMI JOIN customers c ON o.id = c.id ORDER BY 1", [(1,), (2,), (3,)]),
        ("SELECT * FROM (SELECT id, status FROM orders) o ANTI JOIN (SELECT id FROM customers) c USING (id)", [(4, "paid")]),
        ("SELECT COUNT(*) FROM orders o ANTI JOIN (SELECT NULL AS id) c ON o.id = c.id", [(4,)]),
        ("SELECT c.id FROM customers c SEMI JOIN orders o ON o.id = c.id AND o.amount > 15 ANTI JOIN (SELECT 3 AS id) x ON x.id = c.id", [(2,)]),
        ("SELECT id FROM orders WHERE status = ANY (SELECT status FROM orders WHERE id = 2)", [(2,)]),
        ("SELECT id FROM orders WHERE amount >= ALL (SELECT amount FROM orders)", [(4,)]),
        ("SELECT id FROM orders WHERE (id, status) IN ((1, 'paid'), (2, 'paid'), (3, 'open'))", [(1,)]),
        ("SELECT COUNT(DISTINCT (status, amount > 15)) FROM orders", [(3,)]),
        ("SELECT * EXCLUDE (id, amount) FROM (SELECT id, status, amount FROM orders) t WHERE id = 1", [("paid",)]),
        ("SELECT t.* EXCLUDE (id) FROM (SELECT id, status FROM orders) t WHERE id = 2", [("open",)]),
        ("SELECT status, GROUPING(status) AS g, COUNT(*) FROM orders GROUP BY ROLLUP (status) ORDER BY 2, 1", [("open", 0, 1), ("paid", 0, 3), (None, 1, 4)]),
        ("SELECT size, status, GROUPING(status, size) AS g, MEASURE(total) FROM orders GROUP BY CUBE (size, status) HAVING GROUPING(size) = 1 ORDER BY 3, 2",
         [(None, "open", 1, 20.0), (None, "paid", 1, 80.0), (None, None, 3, 100.0)]),
        ("SELECT status, GROUPING(status), SUM(n) FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY 1) q GROUP BY ROLLUP (status) ORDER BY 2, 1", [("open", 0, 1), ("paid", 0, 3), (None, 1, 4)]),
        ("SELECT COUNT(*) FROM orders WHERE regexp_matches(status, '^p')", [(3,)]),
        ("SELECT COUNT(*) FROM orders WHERE date_add(placed_at, INTERVAL '1 month') > TIMESTAMP '2024-03-06'", [(2,)]),
    ],
)  # fmt: skip
def test_answers(shop: SemanticLayer, sql: str, expected: list[tuple[object, ...]]) -> None:
    assert rows(shop, sql) == expected


def test_names_of_columns(shop: SemanticLayer) -> None:
    from .shop import OPERATOR

    asked = "SELECT status, MEASURE(total), SUM(amount), COUNT(*), date_trunc('month', placed_at), amount + 1, status FROM orders GROUP BY 1, 5, 6, 7"
    result = shop.query(OPERATOR, asked)
    assert result.table.column_names == [
        "status",
        "total",
        "sum_amount",
        "count",
        "placed_at_month",
        "column",
        "status_2",
    ]
    assert [c.name for c in result.columns] == result.table.column_names
    assert [c.title for c in result.columns] == [
        "Status",
        "Revenue",
        "Sum of amount",
        "Count",
        "Placed at",
        None,
        "Status",
    ] or [c.title for c in result.columns][4] == "Placed at (month)"
    assert result.columns[1].format == "currency"
    assert result.columns[1].member == "orders.total"
    assert result.columns[4].member == "orders.placed_at.month"


def test_star_shows_dimensions(shop: SemanticLayer) -> None:
    from .shop import OPERATOR

    assert shop.query(OPERATOR, "SELECT * FROM orders").table.column_names == [
        "id",
        "status",
        "amount",
        "placed_at",
        "size",
    ]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT 'gold' AS g, SUM(o.amount) FROM orders o JOIN customers c ON o.id = c.id GROUP BY 1", [("gold", 60.0)]),
        ("SELECT 'gold' AS g, SUM(amount) FROM orders GROUP BY 1", [("gold", 100.0)]),
        ("SELECT 'gold' AS g, SUM(amount) FROM orders WHERE FALSE GROUP BY 1", []),
        ("SELECT SUM(CASE WHEN EXISTS (SELECT 1 FROM customers c WHERE c.id = o.id) THEN 1 ELSE 0 END) FROM orders o", [(3,)]),
        ("SELECT status, SUM(amount) FILTER (WHERE id IN (SELECT id FROM customers)) FROM orders GROUP BY 1 ORDER BY 1", [("open", 20.0), ("paid", 40.0)]),
    ],
)  # fmt: skip
def test_constants_as_keys_and_queries_inside_aggregates(
    shop: SemanticLayer, sql: str, expected: list[tuple[object, ...]]
) -> None:
    assert rows(shop, sql) == expected


@pytest.mark.parametrize("written", ["CASE WHEN id = 1 THEN {day} ELSE placed_at END", "COALESCE(placed_at, {day})"])
@pytest.mark.parametrize("day", ["CAST(placed_at AS DATE)", "DATE '2024-03-01'"])
def test_days_beside_moments_are_moments(shop: SemanticLayer, written: str, day: str) -> None:
    told = shop.query(OPERATOR, f"SELECT {written.format(day=day)} AS x FROM orders").table.schema.field("x")
    assert str(told.type).startswith("timestamp")


def test_dates_stay_dates_whoever_asks_first() -> None:
    from concurrent.futures import ThreadPoolExecutor

    import pyarrow as pa

    from svc_notebook.semantic.engine import DuckDBEngine
    from svc_notebook.semantic.loader import load_model

    from .shop import OPERATOR, at, dimension

    days = pa.table({"day": pa.array([at("2024-03-01").date()])})
    cube = {"name": "days", "sql_table": "days", "dimensions": [dimension("day", "time")]}
    layer = SemanticLayer(load_model({"cubes": [cube]}), DuckDBEngine.open(None, data={"days": days}))

    def ask(number: int) -> object:
        sql = f"SELECT day, {number} AS n FROM days WHERE day <= '2024-03-01'"
        return layer.query(OPERATOR, sql, timezone="America/New_York").table.column(0)[0].as_py()

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(24))) == {at("2024-03-01").date()}
    layer.close()
