"""Default deny: what is refused, and that the message says what to write instead."""

from __future__ import annotations

import pytest

from svc_notebook.semantic.errors import (
    InvalidQuery,
    NotAllowed,
    QueryError,
    SqlSyntaxError,
    TooComplex,
    UnknownMember,
)
from svc_notebook.semantic.layer import SemanticLayer

from .shop import rows


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM orders FOR UPDATE", "SELECT * FROM orders TABLESAMPLE 10%", "SELECT * FROM orders RIGHT JOIN LATERAL (SELECT 1) AS x ON TRUE",
        "SELECT * REPLACE (1 AS nothing) FROM orders", "SELECT * REPLACE (1 AS id, 2 AS id) FROM orders", "SELECT COLUMNS('a.*') FROM orders", "SELECT * FROM orders SEMI JOIN range(3) r ON TRUE",
        "SELECT * FROM orders ASOF JOIN customers ON orders.id >= customers.id", "WITH RECURSIVE r AS (SELECT 1) SELECT * FROM r", "SELECT [1, 2]",
        "SELECT {'a': 1}", "SELECT list_transform([1], x -> x)", "SELECT repeat('a', 9)", "SELECT getenv('HOME')", "SELECT version()",
        "SELECT current_user", "SELECT current_schema", "SELECT * FROM range(3)", "SELECT * FROM read_csv('x')", "TABLE orders",
        "SELECT status INTO x FROM orders", "SELECT 1; SELECT 2", "INSERT INTO orders VALUES (1)", "EXPLAIN SELECT 1", "SET x = 1",
        "SELECT $1", "SELECT ?", "SELECT `status` FROM orders", "FROM orders", "SELECT status FROM orders LIMIT (SELECT 1)",
        "SELECT x'41'", "SELECT CAST(status AS regclass) FROM orders", "SELECT status::json FROM orders", "SELECT E'a' FROM orders LIMIT ALL",
        "SELECT row(1, 2)", "SELECT (orders).status FROM orders", "SELECT status COLLATE nocase FROM orders", "SELECT DISTINCT ON (status) status FROM orders FETCH FIRST 1 ROWS WITH TIES",
        "SELECT nextval('x')", "SELECT sleep_ms(1)", "SELECT error('x')", "SELECT query('x')", "PIVOT orders ON status USING sum(amount)",
        "SELECT status, generate_series(1, 9) FROM orders", "SELECT unnest(status) FROM orders", "SELECT orders FROM orders", "SELECT rowid FROM orders",
        "SELECT string_agg(status, status) FROM orders", "SELECT status FROM orders GROUP BY GROUPING SETS ((status), ()) LIMIT -1",
    ],
)  # fmt: skip
def test_refused(shop: SemanticLayer, sql: str) -> None:
    with pytest.raises(QueryError):
        rows(shop, sql)


@pytest.mark.parametrize(
    ("sql", "kind", "words"),
    [
        ("SELECT statsu FROM orders", UnknownMember, "Did you mean status"),
        ("SELECT status FROM ordres", UnknownMember, "Did you mean orders"),
        ("SELECT o.status FROM orders AS x", UnknownMember, "no relation 'o' in FROM"),
        ("SELECT status, MEASURE(total) FROM orders", InvalidQuery, "'status' must stand in GROUP BY"),
        ("SELECT MEASURE(status) FROM orders", InvalidQuery, "'status' is not a measure"),
        (
            "SELECT * FROM read_csv('x')",
            NotAllowed,
            "The function 'read_csv' is not available in FROM; select from a cube",
        ),
        ("SELECT * FROM duckdb_tables()", NotAllowed, "The function 'duckdb_tables' is not available in FROM"),
        ("SELECT * FROM range(3)", NotAllowed, "write FROM generate_series"),
        ("SELECT uper(status) FROM orders", NotAllowed, r"Did you mean upper\(\)"),
        ("SELECT medain(amount) FROM orders", NotAllowed, r"Did you mean median\(\)"),
        ("SELECT split(status, 1) FROM orders", NotAllowed, r"Did you mean split_part"),
        ("SELECT soundex(status) FROM orders", NotAllowed, r"'soundex' is not available\.$"),
        ("SELECT overly(status) FROM orders", NotAllowed, r"'overly' is not available\.$"),
        (
            "SELECT amount FROM orders WHERE amount = 'much'",
            InvalidQuery,
            "'much' is compared with a number but is not one",
        ),
        ("SELECT amount FROM orders WHERE placed_at > 'soon'", InvalidQuery, "write it like '2024-01-31'"),
        ("SELECT date_trunc('moth', placed_at) FROM orders", InvalidQuery, "Did you mean 'month'"),
        ("SELECT status FROM orders WHERE COUNT(*) > 1", InvalidQuery, "use HAVING"),
        ("SELECT id FROM orders o JOIN customers c ON o.id = c.id", InvalidQuery, "write o.id or c.id"),
        ("SELECT status FROM orders ORDER BY 7", InvalidQuery, "ORDER BY 7 names no column"),
        ("SELECT status FROM orders UNION SELECT 1", InvalidQuery, "cast one of them"),
        ("SELECT status, amount FROM orders UNION SELECT 1", InvalidQuery, "2 and 1 columns"),
        ("SELECT * FROM a.b.orders", UnknownMember, "no cube or view 'a.b.orders'"),
        ("SELECT :x", InvalidQuery, "':x' was given no value"),
        ("SELECT status FROM 'orders'", SqlSyntaxError, "in double quotes"),
        ("SELECT 1_000", SqlSyntaxError, "A number ends before"),
        (
            "SELECT o.s FROM (SELECT status AS s FROM orders) o NATURAL JOIN customers",
            InvalidQuery,
            "no column of one name",
        ),
        ("WITH RECURSIVE r AS (SELECT 1) SELECT * FROM r", NotAllowed, "generate_series"),
        ("SELECT * FROM generate_series(1, 1000000000)", TooComplex, "at most 100,000"),
        (
            "SELECT * FROM generate_series(DATE '0001-01-01', DATE '9999-01-01', '1 second')",
            TooComplex,
            "at most 100,000",
        ),
        ("SELECT * FROM orders o, generate_series(1, o.id) AS g(n)", UnknownMember, "no relation 'o'"),
        ("SELECT random()", NotAllowed, "'random' is not available; write"),
        ("SELECT json_agg(status) FROM orders", NotAllowed, "string_agg"),
        ("SELECT placed_at::time FROM orders", NotAllowed, "HH24:MI:SS"),
        ("SELECT to_char(placed_at, 'YYYY WW') FROM orders", InvalidQuery, "'WW' is not read here"),
        ("SELECT to_char(amount, '999') FROM orders", InvalidQuery, "round"),
        ("SELECT placed_at AT TIME ZONE 'Europe/Berln' FROM orders", InvalidQuery, "Did you mean 'Europe/Berlin'"),
        ("SELECT placed_at::date AT TIME ZONE 'Asia/Tokyo' FROM orders", InvalidQuery, "AS TIMESTAMP"),
        (
            "SELECT placed_at FROM orders WHERE (placed_at, (SELECT max(placed_at) FROM orders)) OVERLAPS (placed_at, placed_at)",
            NotAllowed,
            "in a subquery first",
        ),
        ("SELECT MEASURE(running) FILTER (WHERE id > 1) FROM orders", InvalidQuery, "filter in WHERE"),
        ("SELECT amount IN (SELECT status FROM orders) FROM orders", InvalidQuery, "cast one of them"),
        (
            "SELECT o.status, COUNT(*) FROM orders o JOIN customers c ON c.id = o.id GROUP BY 'x'",
            InvalidQuery,
            "'status' must stand in GROUP BY",
        ),
        ("SELECT id FROM orders WHERE 2 < (SELECT AVG(orders.id) FROM customers)", InvalidQuery, "query around it"),
        ("SELECT regexp_replace(status, 'a', '" + "x" * 21 + "') FROM orders", TooComplex, "20 characters"),
        ("SELECT lpad(status, 100000000, 'x') FROM orders", InvalidQuery, "at most 100"),
        ("SELECT lpad(status, 9, '') FROM orders", InvalidQuery, "to fill with"),
        ("SELECT (1", SqlSyntaxError, "cannot be read"),
        ("SELECT 'a", SqlSyntaxError, "left open"),
        ("SELECT status\u200bFROM orders", SqlSyntaxError, "U\\+200B"),
        ("SELECT " + "1+" * 9000 + "1", TooComplex, "parts|levels|nested"),
        ("SELECT " + "a" * 20_001, TooComplex, "20008 characters"),
        ("SELECT * FROM orders o1" + "".join(f", orders o{i}" for i in range(2, 14)), TooComplex, "at most"),
        (
            "SELECT status FROM orders WHERE amount IN (" + ",".join("1" * 1 for _ in range(1001)) + ")",
            TooComplex,
            "1000",
        ),
        ("SELECT status" + " || status" * 1001 + " FROM orders", TooComplex, "texts too long|levels"),
    ],
)
def test_the_message_says_what_is_wrong(shop: SemanticLayer, sql: str, kind: type[QueryError], words: str) -> None:
    with pytest.raises(kind, match=words):
        rows(shop, sql)


def test_doubling_texts_through_subqueries_is_counted(shop: SemanticLayer) -> None:
    steps = ", ".join(f"t{i} AS (SELECT s || s AS s FROM t{i - 1} LIMIT 5)" for i in range(1, 15))
    with pytest.raises(TooComplex, match="texts too long"):
        rows(shop, f"WITH t0 AS (SELECT status AS s FROM orders LIMIT 5), {steps} SELECT s FROM t14")


def test_nesting_does_not_depend_on_the_caller(shop: SemanticLayer) -> None:
    sql = "SELECT " + "(" * 25 + "1" + ")" * 25

    def deep(levels: int) -> list[tuple[object, ...]]:
        return deep(levels - 1) if levels else rows(shop, sql)

    assert deep(700) == [(1,)]


def test_parameters_are_values_of_their_type(shop: SemanticLayer) -> None:
    asked = "SELECT COUNT(*) FROM orders WHERE status = :status AND amount > :least"
    assert rows(shop, asked, parameters={"status": "paid", "least": 15}) == [(2,)]
    assert rows(shop, asked, parameters={"status": "paid' OR '1'='1", "least": 0}) == [(0,)]
    with pytest.raises(InvalidQuery, match="parameter of type list"):
        rows(shop, asked, parameters={"status": ["paid"], "least": 0})


def test_literals_are_bound_and_identifiers_quoted(shop: SemanticLayer) -> None:
    from .shop import OPERATOR

    plan = shop.compile(
        OPERATOR, "SELECT status AS \"a\"\"b\" FROM orders WHERE status = 'it''s' AND placed_at > '2024-01-01'"
    )
    assert "it's" not in plan.sql
    assert "2024" not in plan.sql
    assert 'AS "a""b"' in plan.sql
    assert len(plan.params) == 2


def test_shadowing_names_never_reach_a_table(shop: SemanticLayer) -> None:
    assert rows(shop, "WITH orders AS (SELECT * FROM orders WHERE amount > 25) SELECT COUNT(*) FROM orders") == [(2,)]
    assert rows(
        shop,
        "WITH t AS (SELECT * FROM orders), orders AS (SELECT 1 AS n) SELECT (SELECT COUNT(*) FROM t), n FROM orders",
    ) == [(4, 1)]
    assert rows(shop, 'WITH "memory" AS (SELECT 1 AS id), "main" AS (SELECT 2 AS id) SELECT COUNT(*) FROM orders') == [
        (4,)
    ]
    assert rows(shop, "SELECT COUNT(*) FROM orders AS customers, customers AS orders") == [(12,)]
