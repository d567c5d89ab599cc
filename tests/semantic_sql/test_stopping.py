"""Which queries may be settled before all rows are read, and the barrier that their rows end in."""

from __future__ import annotations

import pytest

from svc_notebook.semantic.compiler.query.stopping import stops_early
from svc_notebook.semantic.compiler.query.text import parse_query
from svc_notebook.semantic.dialects.duckdb import barrier


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a FROM t", "SELECT sum(a) FROM t GROUP BY b", "SELECT a FROM (SELECT a FROM t) u", "WITH q AS (SELECT a FROM t) SELECT a FROM q",
        "SELECT a FROM t UNION SELECT b FROM t", "(SELECT a FROM t) UNION ALL (SELECT b FROM t)", "SELECT a FROM t ORDER BY a LIMIT 3",
        "SELECT b, sum(a) FROM t GROUP BY b LIMIT 3", "SELECT count(*) FROM t LIMIT 1", "SELECT a FROM ((SELECT a FROM t)) u",
        "SELECT a FROM (SELECT a FROM t UNION SELECT b FROM t) u", "WITH q AS (SELECT a FROM t UNION SELECT a FROM u) SELECT a FROM q",
        "SELECT a FROM t UNION SELECT a FROM u ORDER BY a LIMIT 2", "SELECT a FROM t WHERE a IN (1, 2)",
    ],
)  # fmt: skip
def test_what_reads_everything(sql: str) -> None:
    assert stops_early(parse_query(sql).walk()) is False


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a FROM t JOIN u ON t.a = u.a", "SELECT a FROM t, u", "SELECT a FROM t INTERSECT SELECT a FROM u", "SELECT a FROM t EXCEPT SELECT a FROM u",
        "SELECT a FROM t LIMIT 3", "SELECT a FROM t OFFSET 3", "SELECT a FROM (SELECT a FROM t LIMIT 3) u", "SELECT a FROM t FETCH FIRST ROW ONLY",
        "SELECT a FROM t UNION SELECT a FROM u LIMIT 2", "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u)", "SELECT a FROM t WHERE a IN (SELECT a FROM u)",
        "SELECT (SELECT max(a) FROM t) AS m FROM t", "SELECT a FROM t WHERE a = ANY (SELECT a FROM u)", "SELECT sum(a) FROM t HAVING sum(a) > (SELECT 1)",
        "SELECT a FROM t WHERE a IN (SELECT a FROM u UNION SELECT a FROM v)", "WITH q AS (SELECT a FROM t LIMIT 3) SELECT a FROM q",
        "SELECT a FROM t WHERE a > (SELECT b FROM (SELECT b FROM u) v)", "SELECT a FROM t, LATERAL (SELECT b FROM u) v",
    ],
)  # fmt: skip
def test_what_may_not(sql: str) -> None:
    assert stops_early(parse_query(sql).walk()) is True


def test_the_barrier() -> None:
    assert barrier("SELECT 1", packed=False) == "(SELECT 1 OFFSET 0)"
    packed = barrier("SELECT 1", packed=True)
    assert packed == "(SELECT svc_rows.* FROM (VALUES (1)) AS svc_one(n) CROSS JOIN (SELECT 1 OFFSET 0) AS svc_rows)"
