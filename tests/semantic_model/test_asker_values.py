"""Values of the asker outside plain row filters: among text, in masks, and in a cube's SQL. Bound, typed, closed."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.layer import SemanticLayer

from .layers import OPERATOR, opened, rows
from .models import raised

T = pd.DataFrame(
    {
        "id": [1, 2, 3, 4],
        "code": ["eu-1", "eu-2", "us-1", None],
        "n": [1, 2, 3, None],
        "flag": [True, False, True, None],
        "big": [2**53, 2**53 + 1, 1, 2],
    }
).astype({"n": "Int64", "flag": "boolean"})


def layer_of(extra: str, table: str = "sql_table: t") -> Any:
    model = f"""
cubes:
  - name: t
    {table}
    dimensions:
      - {{name: id, sql: id, type: number, primary_key: true, public: true}}
      - {{name: code, sql: code, type: string, mask: {{sql: "'of ' || {{ userAttributes.name }} || {{CUBE}}.id"}}}}
      - {{name: n, sql: n, type: number, mask: {{sql: "{{ securityContext.a.b }}"}}}}
    measures:
      - {{name: count, type: count, mask: {{sql: "{{ userAttributes.shown }}"}}}}
      - {{name: total, type: sum, sql: n}}
{extra}
"""
    return opened(model, {"t": T})


def asker(**attributes: Any) -> SecurityContext:
    return SecurityContext(user_attributes=attributes)


def ids(layer: SemanticLayer, ctx: SecurityContext) -> list[int]:
    return [row[0] for row in rows(layer, "SELECT id FROM t ORDER BY 1", ctx)]


FILTER = """
    access_policy:
      - group: "*"
        row_level: {filters: [{member: code, operator: OPERATOR, values: ["TEXT"]}]}
"""


@pytest.mark.parametrize(
    ("operator", "text", "attributes", "expected"),
    [
        ("equals", "eu-{ userAttributes.x }", {"x": "1"}, [1]),
        ("equals", "eu-{ userAttributes.x }", {"x": 2}, [2]),
        ("equals", "{ userAttributes.y }-${userAttributes.x}", {"x": [1, "2"], "y": ["eu", "us"]}, [1, 2, 3]),
        ("notEquals", "eu-{ userAttributes.x }", {"x": "1"}, [2, 3]),
        ("startsWith", "{ userAttributes.y }-", {"y": "us"}, [3]),
        ("notContains", "u-{ userAttributes.x }", {"x": 1}, [2, 3]),
        ("equals", "eu-{ userAttributes.x }", {"x": "1' OR '1'='1"}, []),
        ("startsWith", "{ userAttributes.x }%", {"x": "eu"}, []),
    ],
)
def test_a_value_among_text(operator: str, text: str, attributes: dict[str, Any], expected: list[int]) -> None:
    with layer_of(FILTER.replace("OPERATOR", operator).replace("TEXT", text)) as layer:
        assert ids(layer, asker(**attributes)) == expected


UNUSABLE = [..., None, "", [], [None], [""], math.nan, math.inf, 1.5, True, {}, {"a": 1}, [[1]], b"1", Decimal("1.5")]


@pytest.mark.parametrize("operator", ["equals", "notEquals", "contains", "notContains", "notStartsWith", "notEndsWith"])
def test_an_unusable_value_among_text_hides_everything(operator: str) -> None:
    with layer_of(FILTER.replace("OPERATOR", operator).replace("TEXT", "eu-{ userAttributes.x }")) as layer:
        for value in UNUSABLE:
            assert ids(layer, asker(**({} if value is ... else {"x": value}))) == [], value


MASKED = """
    access_policy:
      - group: "*"
        member_level: {includes: [id]}
        member_masking: {includes: "*"}
"""


def test_masks_show_values_of_the_asker() -> None:
    with layer_of(MASKED) as layer:
        ctx = SecurityContext(user_attributes={"name": "o'Hara", "shown": -1}, security_context={"a": {"b": 7}})
        assert rows(layer, "SELECT id, code, n FROM t ORDER BY 1 LIMIT 2", ctx) == [
            (1, "of o'Hara1", 7),
            (2, "of o'Hara2", 7),
        ]
        assert rows(layer, "SELECT MEASURE(count), MEASURE(total) FROM t", ctx) == [(-1, None)]
        for name in [*UNUSABLE[:8], ["a"], {}, 10**400, "\ud800"]:
            found = rows(layer, "SELECT code, n FROM t LIMIT 1", asker(**({} if name is ... else {"name": name})))
            assert found == [(None, None)], name
        assert rows(layer, "SELECT code FROM t ORDER BY id LIMIT 1", OPERATOR) == [("eu-1",)]


SQL = 'sql: "SELECT * FROM t WHERE WHERE_TEXT"'


@pytest.mark.parametrize(
    ("condition", "attributes", "expected"),
    [
        ("{SECURITY_CONTEXT.x.filter('code')}", {"x": "eu-1"}, [1]),
        ("${userAttributes.x.filter(`t.code`)}", {"x": ["eu-1", "us-1"]}, [1, 3]),
        ("{ SECURITY_CONTEXT.x.requiredFilter('n') }", {"x": 2}, [2]),
        ("{SECURITY_CONTEXT.x.filter('n')}", {"x": 2.0}, [2]),
        ("NOT {SECURITY_CONTEXT.x.filter('n')}", {"x": 2}, [1, 3]),
        ("{SECURITY_CONTEXT.x.filter('flag')}", {"x": True}, [1, 3]),
        ("{SECURITY_CONTEXT.x.filter('big')}", {"x": 2**53 + 1}, [2]),
        ("{SECURITY_CONTEXT.x.filter('code')} OR id = 4", {}, [4]),
        ("{SECURITY_CONTEXT.x.filter('code')}", {"x": "eu-1' OR 1=1 --"}, []),
        # of another type: never shown, nor under NOT
        ("{SECURITY_CONTEXT.x.filter('n')}", {"x": "2"}, []),
        ("NOT {SECURITY_CONTEXT.x.filter('n')}", {"x": "2"}, []),
        ("NOT {SECURITY_CONTEXT.x.filter('code')}", {"x": 1}, []),
        ("NOT {SECURITY_CONTEXT.x.filter('n')}", {"x": True}, []),
    ],
)
def test_a_filter_inside_the_sql_of_a_cube(condition: str, attributes: dict[str, Any], expected: list[int]) -> None:
    with layer_of("", SQL.replace("WHERE_TEXT", condition)) as layer:
        given = {"user_attributes": attributes} if "userAttributes" in condition else {"security_context": attributes}
        assert ids(layer, SecurityContext(**given)) == expected
        assert ids(layer, OPERATOR) == ([] if condition.startswith("NOT") else [1, 2, 3, 4])


@pytest.mark.parametrize("scope", ["SECURITY_CONTEXT", "COMPILE_CONTEXT.securityContext", "userAttributes"])
@pytest.mark.parametrize(
    ("condition", "value", "expected"),
    [
        ("code = {S.x}", "eu-1", [1]), ("code = '${S.x}'", "eu-1", [1]), ("code LIKE { S.x } || '%'", "eu", [1, 2]),
        ("code = ('eu-' || {S.x})", 2, [2]), ("n = {S.x}", 2, [2]), ("n >= {S.x}", "2", [2, 3]), ("n = {S.x}", 2.0, [2]),
        ("flag = {S.x}", True, [1, 3]), ("big = {S.x}", 2**53 + 1, [2]), ("n < CAST({S.x} AS INTEGER) * 2", 1, [1]),
        ("code = {S.x}", "eu-1' OR 1=1 --", []), ("code = {S.x} OR n = 3", "eu-2", [2, 3]), ("NOT code = {S.x}", "eu-1", [2, 3]),
    ],
)  # fmt: skip
def test_a_value_inside_the_sql_of_a_cube(scope: str, condition: str, value: Any, expected: list[int]) -> None:
    kind = "user_attributes" if scope == "userAttributes" else "security_context"
    with layer_of("", SQL.replace("WHERE_TEXT", condition.replace("S.x", f"{scope}.x"))) as layer:
        ctx = SecurityContext(**{kind: {"x": value}})  # type: ignore[arg-type]
        assert ids(layer, ctx) == expected
        assert ids(layer, OPERATOR) == [], "nobody's value is no value"
        plan = layer.explain(ctx, "SELECT id FROM t")
        assert f"'{value}'" not in plan.sql
        assert [f.cube for f in plan.row_filters] == ["t"]


@pytest.mark.parametrize(
    "condition", ["code = {x}", "NOT code = {x}", "code = {x} OR {x} IS NULL", "coalesce({x}, 'eu-1') = code", "TRUE OR code = {x}"]
)  # fmt: skip
def test_a_missing_value_inside_the_sql_hides_everything(condition: str) -> None:
    with layer_of("", SQL.replace("WHERE_TEXT", condition.replace("{x}", "{userAttributes.x}"))) as layer:
        for value in [*UNUSABLE[:8], ["eu-1"], {}, {"a": 1}, [[1]], b"1", 10**400, -(2**70), "\ud800"]:
            ctx = asker(**({} if value is ... else {"x": value}))
            assert ids(layer, ctx) == [], value
            assert rows(layer, "SELECT MEASURE(count) FROM t", ctx) == [(0,)], value
            assert "'userAttributes.x' is not set" in layer.explain(ctx, "SELECT id FROM t").notes[0]


@pytest.mark.parametrize("negation", ["", "NOT ", "FALSE = "])
def test_an_unusable_value_inside_the_sql_hides_everything(negation: str) -> None:
    with layer_of("", SQL.replace("WHERE_TEXT", negation + "{userAttributes.x.filter('code')}")) as layer:
        for value in [*UNUSABLE[:8], {}, {"a": 1}, [[1]], ["eu-1", None], 10**400, -(2**70)]:
            assert ids(layer, asker(**({} if value is ... else {"x": value}))) == [], value


def test_such_a_filter_is_explained() -> None:
    with layer_of("", SQL.replace("WHERE_TEXT", "{userAttributes.x.filter('code')}")) as layer:
        plan = layer.explain(asker(x="eu-1"), "SELECT MEASURE(count) FROM t")
        assert [(f.cube, f.filter) for f in plan.row_filters] == [("t", "code is 'eu-1'")]
        assert "eu-1" not in plan.sql
        assert "'userAttributes.x' is not set" in layer.explain(asker(), "SELECT id FROM t").notes[0]


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT * FROM {SECURITY_CONTEXT.x.unsafeValue()}", "unsafeValue is not supported"),
        ("SELECT * FROM {SECURITY_CONTEXT.x}", "in a cube's sql {SECURITY_CONTEXT.region.filter('region')}"),
        ("SELECT * FROM t JOIN {userAttributes.x} u ON TRUE", "in a cube's sql {SECURITY_CONTEXT.region.filter"),
        ("SELECT * FROM {COMPILE_CONTEXT.securityContext.x}.t", "a model is the same for everybody"),
        ("SELECT *, 1 AS {SECURITY_CONTEXT.x} FROM t", "in a cube's sql {SECURITY_CONTEXT.region.filter('region')}"),
        ("SELECT t.{SECURITY_CONTEXT.x} FROM t", "in a cube's sql {SECURITY_CONTEXT.region.filter('region')}"),
        ('SELECT "{SECURITY_CONTEXT.x}" FROM t', "in a cube's sql {SECURITY_CONTEXT.region.filter('region')}"),
        ("SELECT * FROM t WHERE code = 'eu-{SECURITY_CONTEXT.x}'", "join them: '…' || {SECURITY_CONTEXT.x}"),
        ("SELECT * FROM t WHERE code = '''{SECURITY_CONTEXT.x}'''", "stands inside of a text"),
        ("SELECT * FROM t WHERE code = {userAttributes.x.y}", "user attributes are not nested"),
        ("SELECT * FROM t WHERE {SECURITY_CONTEXT.x.filter('a OR 1=1')}", "is no column"),
        ("SELECT * FROM t WHERE {userAttributes.x.y.filter('a')}", "user attributes are not nested"),
        ("SELECT * FROM t{COMPILE_CONTEXT.securityContext.x}", "a model is the same for everybody"),
    ],
)
def test_what_would_splice_a_value_is_refused(sql: str, words: str) -> None:
    dimensions = [{"name": "id", "sql": "id", "type": "number", "primary_key": True}]
    found = raised({"cubes": [{"name": "t", "sql": sql, "dimensions": dimensions}]})
    assert words in "\n".join(map(str, found))
