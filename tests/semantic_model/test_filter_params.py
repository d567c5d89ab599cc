"""FILTER_PARAMS reads as TRUE, and where a filter would belong inside the SQL, queries with one are refused."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import InvalidQuery, ModelError
from svc_notebook.semantic.layer import SemanticLayer
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
        "SELECT i, max(kind) AS kind FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')} GROUP BY 1",
        "SELECT kind, count(*) AS n FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')} GROUP BY ROLLUP (kind)",
        "SELECT kind FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')} UNION ALL SELECT kind FROM u",
        "SELECT * FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')} UNION ALL SELECT * FROM u WHERE {FILTER_PARAMS.a.kind.filter('kind')}",
        "SELECT kind, x FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')} UNION ALL SELECT x, kind FROM u WHERE {FILTER_PARAMS.a.kind.filter('kind')}",
        "SELECT kind FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')} EXCEPT SELECT kind FROM u",
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
        "SELECT * FROM t WHERE {FILTER_PARAMS.a.at.filter(lambda x, y: f'created > {x}')}",
        "SELECT * FROM t WHERE {FILTER_PARAMS.a.at.filter(lambda x, y: f'created > {x} AND {y} > 1')}",
        "SELECT * FROM t WHERE {FILTER_GROUP(FILTER_PARAMS.a.kind.filter('kind'), FILTER_PARAMS.a.at.filter('c'))}",
    ],
)
def test_where_it_would_be_another_question(sql: str) -> None:
    model = load_model(with_sql(sql))
    read = model.cubes["a"].sql or ""
    assert "TRUE" in read and "FILTER" not in read and "{" not in read
    (warning,) = model.warnings
    assert "queries that filter by" in warning.message
    assert {d.name for d in model.cubes["a"].dimensions if d.inside} == {
        name for name in ("at", "kind", "made") if f"PARAMS.a.{name}" in sql
    }


@pytest.mark.parametrize(
    "sql,said",
    [
        ("SELECT * FROM t WHERE {FILTER_PARAMS.b.kind.filter('kind')}", "FILTER_PARAMS is not supported"),
        ("SELECT * FROM t WHERE {FILTER_PARAMS.a.kimd.filter('kind')}", "did you mean 'kind'"),
        ("SELECT * FROM t WHERE {FILTER_PARAMS}", "FILTER_PARAMS is not supported"),
    ],
)
def test_what_names_no_dimension_of_the_cube_is_refused(sql: str, said: str) -> None:
    with pytest.raises(ModelError, match=said.replace("?", "")):
        load_model(with_sql(sql))


PLACE = "{FILTER_PARAMS.a.kind.filter('kind')}"


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT kind, count(*) AS n FROM t WHERE {PLACE} GROUP BY 1",
        f"SELECT count(*) AS n, t.kind FROM t WHERE {PLACE} GROUP BY t.kind HAVING count(*) > 1",
        f"SELECT kind, 1 AS n FROM t WHERE {PLACE} UNION ALL SELECT kind, 2 FROM u WHERE {PLACE}",
        f"SELECT * FROM (SELECT kind, 1 AS n FROM t WHERE {PLACE} UNION (SELECT kind, 1 FROM u WHERE {PLACE} AND kind <> 'z') UNION SELECT kind, sum(1) FROM t WHERE {PLACE} GROUP BY 1) AS s",
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["x", "y", "z"])
def test_below_a_group_by_and_a_union_a_filter_outside_does_the_same(sql: str, kind: str) -> None:
    model = {
        "cubes": [
            {**CUBE, "sql": sql, "dimensions": [CUBE["dimensions"][1], {"name": "n", "sql": "n", "type": "number"}]}
        ]
    }
    data = {"t": pa.table({"kind": ["x", "x", "y", None]}), "u": pa.table({"kind": ["x", "z"]})}
    with closing(SemanticLayer(load_model(model), DuckDBEngine.open(None, data=data))) as layer:
        asked = f"SELECT kind, n FROM a WHERE kind = '{kind}' ORDER BY 1, 2"
        outside = layer.query(SecurityContext(unrestricted=True), asked).table.to_pylist()
        with duckdb.connect() as plain:
            for name, table in data.items():
                plain.register(name, table)
            written = sql.replace(PLACE, f"kind = '{kind}'")
            inside = plain.sql(f"SELECT kind, n FROM ({written}) ORDER BY 1, 2").fetchall()
    assert [tuple(row.values()) for row in outside] == inside


def test_such_a_dimension_is_shown_but_not_filtered_by() -> None:
    sql = "SELECT DISTINCT kind FROM t WHERE {FILTER_PARAMS.a.kind.filter('kind')}"
    model = {"cubes": [{**CUBE, "sql": sql, "dimensions": CUBE["dimensions"][1:2], "measures": [
        {"name": "rows", "type": "count"}]}]}  # fmt: skip
    engine = DuckDBEngine.open(None, data={"t": pa.table({"kind": ["x", "x", "y"]})})
    with closing(SemanticLayer(load_model(model), engine)) as layer:
        operator = SecurityContext(unrestricted=True)
        shown = layer.query(operator, "SELECT kind, MEASURE(rows) AS n FROM a GROUP BY 1 ORDER BY 1").table
        assert shown.to_pydict() == {"kind": ["x", "y"], "n": [1, 1]}
        for query in (
            "SELECT MEASURE(rows) FROM a WHERE kind = 'x'",
            "SELECT kind FROM a WHERE upper(kind) LIKE 'X%' OR kind IS NULL",
            "SELECT a.kind FROM a WHERE a.kind IN (SELECT kind FROM a WHERE kind = 'x')",
            "SELECT MEASURE(rows) FROM (SELECT * FROM a WHERE kind = 'x') AS s",
        ):
            with pytest.raises(InvalidQuery, match=r"'kind'.*FILTER_PARAMS"):
                layer.query(operator, query)


def test_it_is_pointed_at(tmp_path: Path) -> None:
    (tmp_path / "m.yml").write_text(
        "cubes:\n  - name: a\n    sql: >\n      SELECT *\n      FROM t\n      WHERE {FILTER_PARAMS.a.k.filter('k')}\n"
        "    dimensions:\n      - {name: k, sql: k, type: string}\n"
    )
    (warning,) = load_model(tmp_path).warnings
    assert (warning.line, warning.column) == (6, 14)
