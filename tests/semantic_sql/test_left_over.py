"""A parsed query goes from the compiler to who reads it next: unchanged, once, and never into the compiler."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from svc_notebook.analyst.offline.forms import Form, NoForm, SetOf, from_sql
from svc_notebook.semantic.catalog import Catalog
from svc_notebook.semantic.compiler.query.left_over import leave, taken
from svc_notebook.semantic.compiler.query.text import parse_query
from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.layer import SemanticLayer

from .shop import OPERATOR, open_shop, user
from .test_golden import GOLDEN, POLICY, read

ASKED = sorted(
    {asked for name in ("operator", "policy") for asked, _ in read(GOLDEN / f"{name}.sql")[1]}
    | {
        "SELECT status FROM orders WHERE status = ANY (ARRAY['paid', 'open'])",
        "SELECT status, COUNT(*) AS n FROM orders GROUP BY 1 HAVING n > 1",
        "SELECT unnest(ARRAY[1, 2]) AS a",
        "SELECT generate_series(1, 3) AS a",
        "SELECT n FROM generate_series(1, 3) AS t(n)",
        "SELECT x FROM unnest(ARRAY[1, 2]) AS t(x)",
        "SELECT * FROM (VALUES (1, 'a')) AS t(x, y)",
        "VALUES (1), (2)",
    }
)


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    with_policy = open_shop({"orders": [POLICY]})
    yield with_policy
    with_policy.close()


def _form(sql: str, catalog: Catalog) -> Form | SetOf | str:
    try:
        return from_sql(sql, catalog)
    except NoForm as error:
        return str(error)


@pytest.mark.parametrize("sql", ASKED)
def test_a_query_that_was_compiled_is_read_as_one_that_was_not(sql: str, layer: SemanticLayer) -> None:
    ctx = user(status=["paid"])
    taken(sql)
    fresh = _form(sql, layer.catalog(ctx))
    try:
        layer.compile(ctx, sql)
    except QueryError:
        pass
    else:
        tree = taken(sql)
        assert repr(tree) == repr(parse_query(sql))
        assert all(child.parent is node for node in tree.walk() for child in node.iter_expressions())
        leave(sql, tree)
    assert _form(sql, layer.catalog(ctx)) == fresh


def test_a_tree_is_taken_once() -> None:
    other = parse_query("SELECT 2 AS b")
    leave("SELECT 1 AS a", other)
    assert taken("SELECT 1 AS a") == other
    assert taken("SELECT 1 AS a") == parse_query("SELECT 1 AS a")


def test_few_are_left_and_none_of_a_long_text() -> None:
    other = parse_query("SELECT 2 AS b")
    asked = [f"SELECT {n} AS a" for n in range(40)]
    for sql in asked:
        leave(sql, other)
    assert [taken(sql) == other for sql in asked] == [False] * 24 + [True] * 16
    long = f"SELECT '{'x' * 3_000}' AS a"
    leave(long, other)
    assert taken(long) != other


def test_what_is_left_is_not_compiled_for_anybody() -> None:
    layer, sql = open_shop({"orders": [POLICY]}), "SELECT status FROM orders LIMIT 3"
    expected = layer.compile(user(status=["paid"]), sql)
    leave(sql, parse_query("SELECT status FROM orders LIMIT 4"))
    layer.compile(OPERATOR, sql)
    again = open_shop({"orders": [POLICY]})
    leave(sql, parse_query("SELECT status FROM orders LIMIT 4"))
    assert again.compile(user(status=["paid"]), sql).sql == expected.sql
    for each in (layer, again):
        each.close()
