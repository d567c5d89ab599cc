"""Statements that cost far more than they are long."""

from __future__ import annotations

__all__ = ["heavy"]


def heavy() -> list[str]:
    """Statements that cost far more than they are long."""
    return [
        "SELECT " + "(" * 2000 + "1" + ")" * 2000,
        "SELECT " + "NOT " * 5000 + "TRUE",
        "SELECT " + "-" * 1 + " -".join(["1"] * 4000),
        "SELECT * FROM (" * 300 + "SELECT * FROM orders" + ")" * 300,
        "SELECT count(*) FROM orders WHERE " + " OR ".join(f"order_id = {n}" for n in range(5000)),
        "SELECT count(*) FROM orders WHERE order_id IN (" + ",".join(map(str, range(20000))) + ")",
        "SELECT " + ", ".join(f"amount AS c{n}" for n in range(3000)) + " FROM orders",
        "SELECT count(*) FROM " + ", ".join(f"orders o{n}" for n in range(12)),
        "SELECT count(*) FROM " + ", ".join(f"orders o{n}" for n in range(5)) + " WHERE o0.score + o1.score > o4.score",
        "SELECT * FROM orders a, orders b, orders c, orders d",
        ("SELECT date_trunc_gapfill('second', created_at), count(*) FROM orders WHERE created_at > '0001-01-01' "
        "AND created_at < '9999-01-01' GROUP BY 1"),
        ("SELECT date_trunc_gapfill('day', created_at), order_id, code, count(*) FROM orders WHERE created_at > '1800-01-01' "
        "AND created_at < '2070-01-01' GROUP BY 1, 2, 3"),
        " UNION ALL ".join(["SELECT order_id FROM orders"] * 300),
        "WITH " + ", ".join(
            f"q{n} AS (SELECT * FROM {'orders' if n == 0 else f'q{n - 1} a, q{n - 1} b'})" for n in range(12)
        ) + " SELECT count(*) FROM q11",
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
        "SELECT CASE " + " ".join(f"WHEN order_id = {n} THEN {n}" for n in range(3000)) + " END FROM orders",
        "SELECT '" + "a" * 1_000_000 + "'",
        "SELECT 1 " + "/*" * 20000 + "*/" * 20000,
        "SELECT count(DISTINCT a.code || b.code || c.code || d.code) FROM orders a, orders b, orders c, orders d",
        "SELECT string_agg(a.status, b.status ORDER BY a.order_id) FROM orders a, orders b, orders c, orders d",
        "SELECT regexp_matches('" + "a" * 5000 + "', '(a+)+$')",
        "SELECT " + "replace(" * 5 + "'aaaaaaaaaa'" + ", 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')" * 5,
        "SELECT 10 ** 10 ** 10 ** 10",
        "SELECT " + " || ".join(["status"] * 3000) + " FROM orders",
        "(" * 500 + "SELECT 1" + ")" * 500,
        "SELECT " + "CAST(" * 300 + "1" + " AS INTEGER)" * 300,
        "SELECT " + "coalesce(" * 400 + "1" + ")" * 400,
        "SELECT [" * 400 + "1" + "]" * 400,
        "SELECT * FROM orders " + " ".join(f"JOIN customers c{n} ON TRUE" for n in range(60)),
        "SELECT " + "x" * 100_000 + " FROM orders",
        "SELECT '" + "\\" * 10_000 + "' FROM orders LIMIT 1",
        "\ufeff" * 1000 + "SELECT 1",
        "SELECT 1" + "\n" * 100_000,
        "SELECT 1 -- " + "-" * 19_000,
    ]  # fmt: skip
