"""Each thread keeps one parser: what it read before, and what it could not read, changes nothing of what it reads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlglot

from svc_notebook.semantic.compiler.query.text import _Asked, parse_query
from svc_notebook.semantic.errors import QueryError

GOOD = (
    "SELECT a, SUM(b) AS total FROM t WHERE c = 'x' AND d IN (1, 2) GROUP BY 1 ORDER BY 2 DESC LIMIT 5",
    'WITH w AS (SELECT a AS "A b" FROM t) SELECT * FROM w WHERE "A b" // 2 > 1',
    "SELECT 1 AS a UNION ALL (SELECT 2 ORDER BY 1)",
    "VALUES (1, 'a'), (2, 'b')",
)
BAD = (
    "SELECT 'open", 'SELECT "open', "SELECT (1", "SELECT a FROM", "SELECT 1; SELECT 2", "SELECT CASE WHEN 1", "",
    "DROP TABLE t", f"SELECT {'(' * 140}1", "SELECT /* open", "WITH w AS (SELECT 1 SELECT",
)  # fmt: skip


def fresh(sql: str) -> str:
    found = sqlglot.parse_one(sql, read=_Asked)
    return repr(sqlglot.exp.select("*").from_(found) if isinstance(found, sqlglot.exp.Values) else found)


@pytest.mark.parametrize("before", BAD)
def test_what_could_not_be_read_leaves_nothing_behind(before: str) -> None:
    with pytest.raises(QueryError):
        parse_query(before)
    for sql in GOOD:
        assert repr(parse_query(sql)) == fresh(sql)


def test_threads_read_beside_each_other() -> None:
    wanted = {sql: fresh(sql) for sql in GOOD}
    with ThreadPoolExecutor(8) as pool:
        texts = GOOD * 100
        assert all(repr(tree) == wanted[sql] for sql, tree in zip(texts, pool.map(parse_query, texts), strict=True))


def test_a_tree_is_the_callers_own() -> None:
    first, second = parse_query(GOOD[0]), parse_query(GOOD[0])
    first.set("limit", None)
    assert repr(second) == fresh(GOOD[0])
