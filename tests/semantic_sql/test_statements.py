"""Statements as analysts and BI tools write them, against the same SQL over plain tables of the permitted rows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import duckdb
import pytest

from svc_notebook.semantic.layer import SemanticLayer

from .shop import DATA, open_shop, rows, user

POLICY = {"group": "*", "row_level": {"filters": [{"member": "amount", "operator": "lt", "values": [35]}]}}
ANA = user("analysts")


@pytest.fixture(scope="module")
def policed() -> Iterator[SemanticLayer]:
    layer = open_shop({"orders": [POLICY]})
    yield layer
    layer.close()


@pytest.fixture(scope="module")
def plain() -> Iterator[duckdb.DuckDBPyConnection]:
    """The permitted rows as plain tables."""
    with duckdb.connect() as connection:
        connection.execute("SET default_null_order = 'nulls_last'")
        for name, table in DATA.items():
            connection.register("given", table)
            where = " WHERE amount < 35" if name == "orders" else ""
            connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given{where}")
        yield connection


def alike(found: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted((tuple(map(_value, row)) for row in found), key=str)


at = datetime.fromisoformat


def _value(value: Any) -> Any:
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        return round(float(value), 9)
    return at(value.isoformat()) if type(value) is date else value


SAME = [
    'SELECT "public"."orders"."status" AS "status", COUNT(*) AS "n" FROM "orders" GROUP BY "orders"."status"',
    "SELECT id, COUNT(*) FILTER (WHERE amount > 15) OVER (PARTITION BY status) FROM orders",
    "SELECT id, SUM(amount) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW) FROM orders",
    "SELECT concat_ws('-', status, NULL, id) FROM orders",
    "SELECT COUNT(*) FROM orders WHERE (status, id) IN (('paid', 1))",
    "SELECT regexp_replace(status, '[ae]', '*', 'g'), lpad(status, 6, '.'), translate(status, 'pd', 'PD') FROM orders",
    "SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY n DESC) FROM (VALUES (1), (2), (3), (4)) AS v(n)", "VALUES (1, 'a'), (2, 'b')",
    "SELECT * FROM generate_series(5, 1, -2) AS g(n)", "SELECT status FROM orders LIMIT ALL",
    "SELECT g.n, COUNT(o.id) FROM generate_series(1, 3) AS g(n) LEFT JOIN orders o ON o.id = g.n GROUP BY 1",
    ("SELECT c.id, t.id AS o FROM customers c LEFT JOIN LATERAL (SELECT o.id FROM orders o WHERE o.id = c.id ORDER BY o.amount DESC "
    "LIMIT 1) AS t ON TRUE"),
    ("SELECT c.id, x.n, y.twice FROM customers c, LATERAL (SELECT COUNT(*) AS n FROM orders o WHERE o.id = c.id) AS x, "
    "LATERAL (SELECT x.n * 2 AS twice) AS y"),
    "SELECT o.status, c.country, COUNT(*) + 1 AS n FROM orders o JOIN customers c ON o.id = c.id GROUP BY o.status, c.country",
    "SELECT trunc(amount / 3, 1), degrees(id), atan2(id, 2) FROM orders",
    "SELECT MODE() WITHIN GROUP (ORDER BY product) FROM items", "SELECT bit_or(id), bit_and(id) FROM orders",
    "SELECT status, SUM(amount) FROM orders GROUP BY ALL ORDER BY ALL", "SELECT make_date(2024, id, 1) FROM orders",
    "SELECT TIMESTAMP '2024-07-01 12:00:00' + INTERVAL '1 day' * id FROM orders",
    "SELECT * FROM (SELECT id, status FROM orders) o NATURAL JOIN (SELECT id, country FROM customers) c",
    "SELECT id, country FROM (SELECT id, status FROM orders) o NATURAL FULL JOIN (SELECT id, country FROM customers) c",
]  # fmt: skip


@pytest.mark.parametrize("sql", SAME)
def test_the_same_sql_gives_the_same_rows(policed: SemanticLayer, plain: duckdb.DuckDBPyConnection, sql: str) -> None:
    asked = sql.replace('"public".', "")
    assert alike(rows(policed, sql, ANA)) == alike(plain.execute(asked).fetchall())


WRITTEN = [
    ("SELECT id FROM orders WHERE id BETWEEN SYMMETRIC 3 AND 2", "SELECT id FROM orders WHERE id IN (2, 3)"),
    ("SELECT status FROM orders WHERE status SIMILAR TO 'p(a|x)_d%'", "SELECT status FROM orders WHERE status = 'paid'"),
    ("SELECT status FROM orders WHERE status NOT SIMILAR TO 'pai.'", "SELECT status FROM orders"),
    ("SELECT status FROM orders WHERE status = ANY (ARRAY['open', 'x'])", "SELECT status FROM orders WHERE status IN ('open', 'x')"),
    ("SELECT id FROM orders WHERE status <> ALL ('{open,x}')", "SELECT id FROM orders WHERE status NOT IN ('open', 'x')"),
    ("SELECT id FROM orders WHERE status LIKE ANY (ARRAY['p%', 'x%'])", "SELECT id FROM orders WHERE status LIKE 'p%'"),
    ("SELECT id FROM orders WHERE (status, id) > ('open', 2)", "SELECT id FROM orders WHERE status > 'open' OR (status = 'open' AND id > 2)"),
    ("SELECT id FROM orders WHERE (status, id) = ('open', 2)", "SELECT 2"),
    ("SELECT substring(status FROM '^p(..)') FROM orders", "SELECT CASE WHEN status LIKE 'p%' THEN substring(status, 2, 2) END FROM orders"),
    ("SELECT to_char(placed_at, 'YYYY-\"Q\"Q') FROM orders", "SELECT year(placed_at) || '-Q' || quarter(placed_at) FROM orders"),
    ("SELECT to_char(placed_at, 'FMDD FMMonth, HH24:MI') FROM orders", "SELECT strftime(placed_at, '%-d %B, %H:%M') FROM orders"),
    ("SELECT id FROM orders WHERE placed_at < TO_TIMESTAMP('2024-02-06', 'YYYY-MM-DD')", "SELECT id FROM orders WHERE placed_at < '2024-02-06'"),
    ("SELECT placed_at + (-6 || ' day')::INTERVAL FROM orders", "SELECT placed_at - INTERVAL 6 DAY FROM orders"),
    ("SELECT dateadd('day', id, placed_at) FROM orders", "SELECT placed_at + id * INTERVAL 1 DAY FROM orders"),
    ("SELECT date_bin('15 minutes', placed_at, TIMESTAMP '2001-01-01') FROM orders",
     "SELECT time_bucket(INTERVAL 15 MINUTE, placed_at, TIMESTAMP '2001-01-01') FROM orders"),
    ("SELECT LISTAGG(status, '|') WITHIN GROUP (ORDER BY id) FROM orders", "SELECT string_agg(status, '|' ORDER BY id) FROM orders"),
    ("SELECT decode(status, 'paid', 1, 0), width_bucket(amount, 0, 30, 3) FROM orders",
     "SELECT (status = 'paid')::INT, floor(amount / 10) + 1 FROM orders"),
    ("SELECT id FROM orders WHERE (placed_at, INTERVAL '2 days') OVERLAPS (TIMESTAMP '2024-02-08', TIMESTAMP '2024-02-06')", "VALUES (2), (3)"),
    ("SELECT id, (placed_at, placed_at) OVERLAPS (TIMESTAMP '2024-02-05', NULL) FROM orders", "SELECT id, NULL FROM orders"),
    ("SELECT id FROM orders WHERE (placed_at, placed_at) OVERLAPS (TIMESTAMP '2024-02-05', TIMESTAMP '2024-02-05')", "SELECT 2"),
    ("SELECT every(amount > 15) FROM orders", "SELECT bool_and(amount > 15) FROM orders"),
    ("SELECT generate_series(1, 3) AS n", "SELECT unnest([1, 2, 3])"), ("SELECT unnest(ARRAY['a', 'b']) AS x", "SELECT unnest(['a', 'b'])"),
    (("SELECT g.m, COUNT(o.id) FROM generate_series((SELECT date_trunc('month', MIN(placed_at)) FROM orders), (SELECT MAX(placed_at) FROM orders), "
     "INTERVAL '1 month') AS g(m) LEFT JOIN orders o ON date_trunc('month', o.placed_at) = g.m GROUP BY 1"),
     "SELECT date_trunc('month', placed_at), COUNT(*) FROM orders GROUP BY 1"),
    ("SELECT c.id, t.total FROM customers c CROSS JOIN LATERAL (SELECT MEASURE(total) AS total FROM orders o WHERE o.id = c.id) AS t",
     "SELECT c.id, (SELECT SUM(amount) FROM orders o WHERE o.id = c.id) FROM customers c"),
    # filtered measures: plain, calculated, of distinct values, over a repeating join, with no row left
    (("SELECT status, MEASURE(total) FILTER (WHERE id > 1), MEASURE(count) FILTER (WHERE id > 1), MEASURE(average) FILTER (WHERE id > 1) FROM orders "
     "GROUP BY 1"),
     "SELECT status, SUM(amount) FILTER (WHERE id > 1), COUNT(*) FILTER (WHERE id > 1), AVG(amount) FILTER (WHERE id > 1) FROM orders GROUP BY 1"),
    ("SELECT MEASURE(statuses) FILTER (WHERE id > 99), MEASURE(raw_average) FILTER (WHERE id > 99), MEASURE(total) FROM orders",
     "SELECT 0, NULL, SUM(amount) FROM orders"),
    ("SELECT status, SUM(total) FILTER (WHERE id > 1) FROM orders GROUP BY 1 HAVING MEASURE(count) FILTER (WHERE id > 1) > 0",
     "SELECT status, SUM(amount) FROM orders WHERE id > 1 GROUP BY 1"),
    ("SELECT items_product, MEASURE(total) FILTER (WHERE status = 'paid') FROM sales GROUP BY 1",
     ("SELECT product, SUM(amount) FILTER (WHERE status = 'paid') FROM (SELECT DISTINCT i.product, o.* FROM orders o LEFT JOIN items i "
     "ON i.order_id = o.id) AS d GROUP BY 1")),
    ("SELECT MEASURE(total) FILTER (WHERE items_product = 'x') FROM sales",
     "SELECT SUM(amount) FROM orders WHERE id IN (SELECT order_id FROM items WHERE product = 'x')"),
    ("SELECT status, MEASURE(count) FILTER (WHERE id > 1) FROM orders GROUP BY ROLLUP (status)",
     "SELECT status, COUNT(*) FILTER (WHERE id > 1) FROM orders GROUP BY ROLLUP (status)"),
]  # fmt: skip


@pytest.mark.parametrize(("sql", "same"), WRITTEN)
def test_what_it_means_in_plain_sql(
    policed: SemanticLayer, plain: duckdb.DuckDBPyConnection, sql: str, same: str
) -> None:
    assert alike(rows(policed, sql, ANA)) == alike(plain.execute(same).fetchall())


def test_moments_and_clocks(policed: SemanticLayer) -> None:
    """A reading AT TIME ZONE is a moment, a moment AT TIME ZONE a reading, summer time included."""
    one = "FROM orders WHERE id = 1"  # 2024-01-05 23:30
    assert rows(policed, f"SELECT placed_at AT TIME ZONE 'America/New_York' {one}", ANA) == [(at("2024-01-06 04:30"),)]
    asked = f"SELECT date_trunc('day', placed_at AT TIME ZONE 'UTC' AT TIME ZONE 'asia/kolkata') {one}"
    assert rows(policed, asked, ANA) == [(at("2024-01-06"),)]
    asked = (
        "SELECT MAX(m) AT TIME ZONE 'Europe/Berlin' FROM (SELECT DISTINCT placed_at::timestamptz AS m FROM orders) AS t"
    )
    assert rows(policed, asked, ANA) == [(at("2024-02-07 01:00"),)]
    summer = "SELECT TIMESTAMPTZ '2024-07-01 10:00:00+02' AT TIME ZONE 'America/New_York' AS t"
    assert rows(policed, summer, ANA) == [(at("2024-07-01 04:00"),)]


def test_a_moment_with_a_zone_is_shown_in_the_zone_of_the_query(policed: SemanticLayer) -> None:
    asked = "SELECT COUNT(*) FROM orders WHERE placed_at {} '2024-01-05T23:30:00Z'"
    for zone in ("UTC", "America/New_York"):
        assert rows(policed, asked.format("="), ANA, timezone=zone) == [(1,)]


def test_lengths_of_time_are_written_out(policed: SemanticLayer) -> None:
    asked = "SELECT INTERVAL '14 months 3 days' AS a, placed_at - TIMESTAMP '2024-01-04 22:00:00' AS b FROM orders WHERE id = 1"
    assert rows(policed, asked, ANA) == [("1 year 2 mons 3 days", "1 day 01:30:00")]
