"""JSON and lists that columns hold, and the words for what is not read of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .shop import dimension, rows

INFO = [
    '{"a": {"b": 5, "c d": "x"}, "l": [1, "two", null], "n": null, "q\\"*": 1, "s/~": 2}',
    '{"a": {"b": 7}}',
    "no JSON at all [",
    None,
]
TABLE = pa.table({
    "id": [1, 2, 3, 4], "region": ["n", "n", "s", "n"], "info": INFO, "word": ["x", "y", "z", None],
    "tags": [["x", "y"], ["y", None], ["secret"], []], "sizes": [[1, 2], [3], [99], None],
})  # fmt: skip


def _layer(**more: Any) -> SemanticLayer:
    names = {
        "id": "number",
        "region": "string",
        "info": "string",
        "word": "string",
        "tags": "string",
        "sizes": "number",
    }
    cube = {
        "name": "facts", "sql_table": "facts", "measures": [{"name": "count", "type": "count"}], **more,
        "dimensions": [dimension(n, k, **({"primary_key": True, "public": True} if n == "id" else {})) for n, k in names.items()],
    }  # fmt: skip
    return SemanticLayer(load_model({"cubes": [cube]}), DuckDBEngine.open(None, data={"facts": TABLE}))


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    opened = _layer()
    yield opened
    opened.close()


# Whether something unknown is one of none: false, as in PostgreSQL; before 2.0.1 DuckDB said that it is unknown.
_AMONG_NONE = None if duckdb.__version__ == "2.0.0" else False


@pytest.mark.parametrize(
    ("expression", "values"),
    [
        ("info->>'a'", ['{"b":5,"c d":"x"}', '{"b":7}', None, None]), ("info->'a'->>'b'", ["5", "7", None, None]),
        ("info->'a'->>'c d'", ["x", None, None, None]), ("(info->'a'->>'b')::int * 2", [10, 14, None, None]),
        ("info->'l'->0", ["1", None, None, None]), ("info->'l'->>-2", ["two", None, None, None]), ("info->>'n'", [None] * 4),
        ("info #>> '{a,b}'", ["5", "7", None, None]), ("info #> '{l,1}'", ['"two"', None, None, None]),
        ("info ? 'a'", [True, True, None, None]), ("info->>'q\"*'", ["1", None, None, None]), ("info->>'s/~'", ["2", None, None, None]),
        ("info->>'*'", [None] * 4), ("info->>'$.a'", [None] * 4), ("json_extract_string(info, '$.a.b')", ["5", "7", None, None]),
        ("json_extract_string(info, '$.l[1]')", ["two", None, None, None]), ("json_extract_path_text(info, 'a', 'b')", ["5", "7", None, None]),
        ("jsonb_extract_path_text(info, 'l', 1)", ["two", None, None, None]), ("json_array_length(info->'l')", [3, None, None, None]),
        ("json_array_length(info)", [0, 0, None, None]), ("upper((info->'a')->>'c d')", ["X", None, None, None]), ("word->>'a'", [None] * 4),
        ("tags[1]", ["x", "y", "secret", None]), ("tags[2]", ["y", None, None, None]), ("sizes[1]", ["1", "3", "99", None]),
        ("array_length(tags)", [2, 2, 1, 0]), ("array_length(sizes, 1)", [2, 1, 1, None]), ("cardinality(tags)", [2, 2, 1, 0]),
        ("array_to_string(tags, '-')", ["x-y", "y", "secret", ""]), ("'y' = ANY (tags)", [True, True, False, False]),
        ("3 = ANY (sizes)", [False, True, False, None]), ("word = ANY (tags)", [True, True, False, _AMONG_NONE]),
        ("tags @> ARRAY['x', 'y']", [True, False, False, False]), ("list_contains(tags, 'x')", [True, False, False, False]),
        ("array_contains(sizes, 2)", [True, False, False, None]),
        ("tags && ARRAY['x', 'secret']", [True, False, True, False]), ("list_has_any(sizes, ARRAY[2, 3])", [True, True, False, None]),
        ("list_has_all(sizes, ARRAY[1, 2])", [True, False, False, None]),
        ("json_array_length(info->'l'->0)", [0, None, None, None]), ("upper(info->'a'->>'c d')", ["X", None, None, None]),
        ("coalesce(info->'a'->>'b' = '5', false)", [True, False, False, False]),
    ],
)  # fmt: skip
def test_what_is_read(layer: SemanticLayer, expression: str, values: list[Any]) -> None:
    assert [v for _, v in rows(layer, f"SELECT id, {expression} AS v FROM facts ORDER BY id")] == values
    through = f"SELECT id, v FROM (SELECT id, {expression} AS v FROM facts) t ORDER BY id"
    assert [v for _, v in rows(layer, through)] == values


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT region, array_agg(word ORDER BY id DESC) FROM facts GROUP BY 1 ORDER BY 1", [("n", '[null, "y", "x"]'), ("s", '["z"]')]),
        ("SELECT array_agg(id) FILTER (WHERE region = 'n') FROM facts", [("[1, 2, 4]",)]),
        ("SELECT array_agg(DISTINCT region) FROM facts", [('["n", "s"]',)]), ("SELECT array_agg(id) FROM facts WHERE id > 9", [(None,)]),
        ("SELECT region, (array_agg(word ORDER BY id))[1], cardinality(array_agg(id)), 'y' = ANY (array_agg(word)) FROM facts GROUP BY 1 ORDER BY 1",
         [("n", "x", 3, True), ("s", "z", 1, False)]),
        ("SELECT t.all_of[2] FROM (SELECT array_agg(id) AS all_of FROM facts) AS t", [("2",)]),
    ],
)  # fmt: skip
def test_values_of_a_group_are_a_list(layer: SemanticLayer, sql: str, expected: list[Any]) -> None:
    assert rows(layer, sql) == expected


def test_columns_without_a_name_are_called_as_they_were_written(layer: SemanticLayer) -> None:
    asked = (
        "SELECT info->'a'->>'b', info->0, info #>> '{l,0}', info ? 'a', strpos(word, 'x'), array_length(tags), "
        "max(char_length(word)) OVER () FROM facts"
    )
    names = layer.query(SecurityContext.operator(), asked).table.column_names
    assert names == ["b", "info", "l", "a", "strpos", "array_length", "max"]


def test_fields_group_and_filter(layer: SemanticLayer) -> None:
    asked = (
        "SELECT info->'a'->>'b' AS b, MEASURE(count) AS n FROM facts WHERE info->>'a' IS NOT NULL GROUP BY 1 ORDER BY 1"
    )
    assert rows(layer, asked) == [("5", 1), ("7", 1)]
    assert rows(layer, "SELECT t.v[1] FROM (SELECT tags AS v FROM facts WHERE id = 1) AS t") == [("x",)]


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("info->id", "named by a constant"), ("jsonb_extract_path_text(info, 'l', 9999999999)", "named by a constant"),
        ("json_extract(info, '$.*')", "no wildcards"), ("json_extract_string(info, '$[')", "no path"),
        ("json_extract_string(info)", "Write json_extract_string"), ("json_value(info, '$.a')", "write json_extract_string"),
        ("info->>'a'->'l'->>'q\"'->>-1", ""), ("word[1]", "substring"), ("'x' = ANY (word)", "write = for one value"),
        ("cardinality(word)", "holds one value"), ("tags[id]", "constant place"), ("tags[-1]", "constant place"),
        ("tags @> ARRAY[]", "tags @> ARRAY"), ("array_to_string(word, ',')", "column of lists"), ("array_contains(word, 'x')", "IN"),
        ("overlay(word placing 'a' from 1 for 2)", "write left"), ("json_array_length(x -> x + 1)", "lambda"),
        ("info::jsonb", "write x->>'field'"), ("id->>'a'", "a text that holds JSON"), ("word && ARRAY['x']", "tags && ARRAY"),
        ("list_has_any(tags, word)", "tags && ARRAY"),
    ],
)  # fmt: skip
def test_what_is_not_read_is_refused_with_what_to_write(layer: SemanticLayer, expression: str, words: str) -> None:
    if not words:
        assert rows(layer, f"SELECT {expression} FROM facts WHERE id = 4") == [(None,)]
        return
    with pytest.raises(QueryError, match=words.replace("[", r"\[")):
        rows(layer, f"SELECT {expression} FROM facts")


def test_ties_are_refused_with_the_window_that_gives_them(layer: SemanticLayer) -> None:
    for end in ("2 ROWS WITH TIES", "10 PERCENT ROWS ONLY"):
        with pytest.raises(QueryError, match=r"QUALIFY RANK\(\) OVER"):
            rows(layer, f"SELECT id FROM facts ORDER BY id FETCH FIRST {end}")
    with pytest.raises(QueryError, match=r"LIMIT takes .* QUALIFY RANK\(\) OVER"):
        rows(layer, "SELECT id FROM facts ORDER BY id LIMIT 2 WITH TIES")


def test_hidden_rows_and_masked_columns_give_nothing_of_themselves() -> None:
    north = {"member": "region", "operator": "equals", "values": ["n"]}
    policy = {
        "group": "*", "row_level": {"filters": [north]}, "member_level": {"includes": "*", "excludes": ["tags", "info"]},
        "member_masking": {"includes": ["tags", "info"]},
    }  # fmt: skip
    ana = SecurityContext(user="ana")
    opened = _layer(access_policy=[policy])
    try:
        assert rows(opened, "SELECT id FROM facts WHERE 'secret' = ANY (tags) OR tags[1] IS NOT NULL", ana) == []
        assert rows(opened, "SELECT count(info->>'a'), count(array_length(tags)) FROM facts", ana) == [(0, 0)]
        assert rows(opened, "SELECT max(sizes[1]) FROM facts WHERE json_array_length(word) IS NULL", ana) == [("3",)]
        assert "OFFSET 0" in opened.compile(ana, "SELECT id FROM facts WHERE word->>'a' = 'x'").sql
    finally:
        opened.close()
