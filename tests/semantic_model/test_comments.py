"""Comments in a model's SQL: they may stand anywhere and hold anything, and what only looks like one stays."""

from __future__ import annotations

import pandas as pd
import pytest
import yaml

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.loading.comments import without_comments

from .layers import opened, rows

T = {"t": pd.DataFrame({"id": [1, 2], "code": ["a--b", "/* c */"]})}
ANA = SecurityContext(security_context={"code": "a--b"})
ALL = [(1, "a--b", 2), (2, "/* c */", 2)]


def answer(sql: str, dialect: str = "duckdb", code: str = "code", count: str = "COUNT(*)") -> list[tuple[object, ...]]:
    cube = {
        "name": "t", "sql": sql,
        "dimensions": [{"name": "id", "sql": "id", "type": "number", "primary_key": True, "public": True},
                       {"name": "code", "sql": code, "type": "string"}],
        "measures": [{"name": "count", "type": "number", "sql": count}],
    }  # fmt: skip
    with opened(yaml.safe_dump({"dialect": dialect, "cubes": [cube]}), T) as layer:
        asked = rows(layer, "SELECT id, code FROM t ORDER BY 1", ANA)
        [(count_of_all,)] = rows(layer, "SELECT MEASURE(count) FROM t", ANA)
        return [(*row, count_of_all) for row in asked]


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM t -- all of them", "SELECT * FROM t; -- it's {all}", "SELECT * /* don't */ FROM t /* {CUBE.x} */",
        "-- {SECURITY_CONTEXT.x.filter('y')} and {SECURITY_CONTEXT.x}\nSELECT * FROM t", "SELECT * FROM t /* {{ jinja }} */",
        "SELECT id, code FROM t -- {FILTER_PARAMS.t.id.filter('id')}\n", "SELECT * FROM t WHERE code <> '--' AND code <> '/*'",
    ],
)  # fmt: skip
def test_a_cube_is_read_without_what_is_noted_beside_it(sql: str, dialect: str) -> None:
    assert answer(sql, dialect) == ALL


def test_members_are_read_without_what_is_noted_beside_them() -> None:
    assert answer("SELECT * FROM t", code="code -- as it came", count="/* it's */ COUNT(*) -- {all}") == ALL


def test_a_value_of_the_asker_stands_between_comments() -> None:
    sql = "SELECT * FROM t -- don't write '{SECURITY_CONTEXT.other}' here\nWHERE code = {SECURITY_CONTEXT.code} -- ok"
    assert answer(sql) == [(1, "a--b", 1)]


@pytest.mark.parametrize(
    "text",
    ["'--'", "'it''s /* no */ comment'", '"a--b"', "E'\\'--'", "$$ -- /* $$", "$x$ $$ -- $x$", "a - -b", "a / *"],
)
def test_what_only_looks_like_a_comment_stays(text: str) -> None:
    assert without_comments(f"{text} -- '\n + {text} /* \" */") == f"{text}  \n + {text}  "
