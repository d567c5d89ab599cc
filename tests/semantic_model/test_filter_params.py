"""FILTER_PARAMS reads as TRUE only where that changes no answer; everywhere else it is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_notebook.semantic.errors import ModelError
from svc_notebook.semantic.loader import load_model

CUBE = {
    "name": "a",
    "dimensions": [
        {"name": "at", "sql": "{CUBE}.created", "type": "time"},
        {"name": "kind", "sql": "kind", "type": "string"},
        {"name": "made", "sql": "upper(kind)", "type": "string"},
    ],
}


def with_sql(sql: str) -> dict[str, object]:
    return {"cubes": [{**CUBE, "sql": sql}, {"name": "b", "sql_table": "b"}]}


@pytest.mark.parametrize(
    "sql,read",
    [
        (
            "SELECT * FROM t WHERE {FILTER_PARAMS.a.at.filter('created')}",
            "SELECT * FROM t WHERE TRUE",
        ),
        (
            'SELECT x.* FROM t AS x JOIN u ON x.i = u.i WHERE x.z > 1 AND (${FILTER_PARAMS.a.at.filter("x.created")} AND {FILTER_PARAMS.a.kind.filter("kind")})',
            "SELECT x.* FROM t AS x JOIN u ON x.i = u.i WHERE x.z > 1 AND (TRUE AND TRUE)",
        ),
        (
            "SELECT * FROM (SELECT * FROM t WHERE {FILTER_PARAMS.a.kind.filter(`kind`)}) AS s",
            "SELECT * FROM (SELECT * FROM t WHERE TRUE) AS s",
        ),
        (
            "SELECT t.kind, t.i AS created FROM t WHERE {FILTER_PARAMS.a.kind.filter('t.kind')}",
            "SELECT t.kind, t.i AS created FROM t WHERE TRUE",
        ),
        (
            "SELECT * FROM {b.sql()} WHERE {FILTER_PARAMS.a.kind.filter('kind')}",
            "SELECT * FROM (SELECT * FROM b) WHERE TRUE",
        ),
    ],
)
def test_where_rows_pass_through(sql: str, read: str) -> None:
    model = load_model(with_sql(sql))
    assert model.cubes["a"].sql == read
    assert ["reads as TRUE" in problem.message for problem in model.warnings] == [True]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT kind, count(*) AS n FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')} GROUP BY 1",
        "SELECT max(kind) AS kind FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')}",
        "SELECT kind, row_number() OVER () AS r FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')}",
        "SELECT DISTINCT kind FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')}",
        "SELECT * FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')} LIMIT 10",
        "SELECT * FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')} OR x",
        "SELECT * FROM t WHERE NOT {FILTER_PARAMS.a.kind.filter('kind')}",
        "SELECT * FROM t WHERE x IN (SELECT x FROM u WHERE {FILTER_PARAMS.a.kind.filter('kind')})",
        "SELECT * FROM t LEFT JOIN (SELECT * FROM u WHERE {FILTER_PARAMS.a.kind.filter('kind')}) AS s ON TRUE",
        "SELECT * FROM t LEFT JOIN u ON {FILTER_PARAMS.a.kind.filter('kind')}",
        "SELECT {FILTER_PARAMS.a.kind.filter('kind')} AS kind FROM t",
        "WITH s AS (SELECT * FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')}) SELECT * FROM s",
        "SELECT * FROM t WHERE {FILTER_PARAMS.a.kind.filter('other')}",
        "SELECT other AS kind FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')}",
        "SELECT * REPLACE (upper(kind) AS kind) FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')}",
        "SELECT *, upper(kind) AS kind FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')}",
        "SELECT i FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')}",
        "SELECT u.kind FROM t JOIN u ON t.i = u.i WHERE {FILTER_PARAMS.a.kind.filter('t.kind')}",
        "SELECT upper(kind) AS kind FROM (SELECT * FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')}) AS s",
        "SELECT u.* FROM t JOIN u ON t.i = u.i WHERE {FILTER_PARAMS.a.kind.filter('t.kind')}",
        "SELECT * FROM t WHERE {FILTER_PARAMS.a.made.filter('kind')}",
        "SELECT * FROM t WHERE {FILTER_PARAMS.b.kind.filter('kind')}",
        "SELECT * FROM t WHERE {FILTER_PARAMS.a.at.filter(lambda x, y: f'created > {x}')}",
        "SELECT * FROM t WHERE {FILTER_GROUP(FILTER_PARAMS.a.kind.filter('kind'))}",
        "SELECT * FROM WHERE ( {FILTER_PARAMS.a.kind.filter('kind')}",
    ],
)
def test_where_it_would_be_another_question(sql: str) -> None:
    with pytest.raises(ModelError, match=r"FILTER_\w+ is not supported"):
        load_model(with_sql(sql))


def test_it_is_pointed_at(tmp_path: Path) -> None:
    (tmp_path / "m.yml").write_text(
        "cubes:\n  - name: a\n    sql: >\n      SELECT *\n      FROM t\n      WHERE {FILTER_PARAMS.a.k.filter('k')}\n"
        "    dimensions:\n      - {name: k, sql: k, type: string}\n"
    )
    (warning,) = load_model(tmp_path).warnings
    assert (warning.line, warning.column) == (6, 14)
