"""``* REPLACE (…)`` computes columns of ``*`` in their places; ``//`` is ``div``. Masks and policies hold in both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.errors import InvalidQuery, UnknownMember
from svc_notebook.semantic.layer import SemanticLayer

from ..semantic_model.layers import OPERATOR, opened, rows

MODEL = """
cubes:
  - name: people
    sql_table: people
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true, public: true}
      - {name: name, sql: name, type: string, mask: "**"}
      - {name: secret, sql: secret, type: string}
      - {name: region, sql: region, type: string}
    access_policy:
      - group: "*"
        member_level: {includes: [id, region]}
        member_masking: {includes: [name]}
        row_level: {filters: [{member: region, operator: equals, values: ["{ userAttributes.region }"]}]}
"""
PEOPLE = {"people": pd.DataFrame({"id": [1, 7, -7], "name": ["ann", "bo", "cy"], "secret": ["x", "y", "z"],
                                  "region": ["EMEA", "EMEA", "APAC"]})}  # fmt: skip
ANA = SecurityContext(user="ana", user_attributes={"region": "EMEA"})


@pytest.fixture(scope="module")
def layer() -> Iterator[SemanticLayer]:
    with opened(MODEL, PEOPLE) as made:
        yield made


def shown(layer: SemanticLayer, sql: str, ctx: SecurityContext = OPERATOR) -> list[dict[str, Any]]:
    return list(layer.query(ctx, sql).table.to_pylist())


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * REPLACE (upper(name) AS name) FROM people ORDER BY id DESC LIMIT 1",
        "SELECT p.* REPLACE (upper(p.name) AS Name) FROM people p ORDER BY id DESC LIMIT 1",
        "SELECT * FROM (SELECT * REPLACE (upper(name) AS name) FROM people) t ORDER BY id DESC LIMIT 1",
        "WITH q AS (SELECT * REPLACE (upper(name) AS name) FROM people WHERE name = 'bo') SELECT * FROM q",
        "SELECT * REPLACE (name AS name) FROM (SELECT * REPLACE (upper(name) AS name) FROM people) t WHERE name = 'BO'",
    ],
)
def test_a_replaced_column_keeps_its_name_and_place(layer: SemanticLayer, sql: str) -> None:
    [row] = shown(layer, sql)
    assert list(row.items()) == [("id", 7), ("name", "BO"), ("secret", "y"), ("region", "EMEA")]


def test_exclude_and_replace_stand_together(layer: SemanticLayer) -> None:
    sql = "SELECT * EXCLUDE (secret, region) REPLACE (id * 10 AS id, lower(region) AS name) FROM people WHERE id = 7"
    assert shown(layer, sql) == [{"id": 70, "name": "emea"}]
    for wrong in ("* EXCLUDE (id) REPLACE (1 AS id)", "* REPLACE (1 AS none)", "* REPLACE (1 AS id, 2 AS ID)"):
        with pytest.raises(InvalidQuery, match=r"REPLACE names '(id|none|ID)'"):
            layer.query(OPERATOR, f"SELECT {wrong} FROM people")


def test_what_is_masked_or_hidden_stays_so(layer: SemanticLayer) -> None:
    asked = "SELECT * REPLACE (upper(name) || '!' AS name) FROM people ORDER BY id"
    assert shown(layer, asked, ANA) == [
        {"id": 1, "name": "**!", "region": "EMEA"},
        {"id": 7, "name": "**!", "region": "EMEA"},
    ]
    moved = "SELECT * REPLACE (name AS region, region AS name) FROM people ORDER BY id LIMIT 1"
    assert shown(layer, moved, ANA) == [{"id": 1, "name": "EMEA", "region": "**"}]
    for hidden in ("secret AS name", "1 AS secret", "(SELECT max(secret) FROM people) AS name"):
        with pytest.raises((UnknownMember, InvalidQuery)) as one:
            layer.query(ANA, f"SELECT * REPLACE ({hidden}) FROM people")
        with pytest.raises((UnknownMember, InvalidQuery)) as other:
            layer.query(ANA, f"SELECT * REPLACE ({hidden.replace('secret', 'absent')}) FROM people")
        assert str(one.value).replace("secret", "absent") == str(other.value)


def test_whole_division_is_towards_zero_and_null_for_nothing(layer: SemanticLayer) -> None:
    assert rows(layer, "SELECT id // 2, id // 0, -id // 2, id // 2 * 2, 7.5 // 2 FROM people ORDER BY id") == [
        (-3, None, 3, -6, 3), (0, None, 0, 0, 3), (3, None, -3, 6, 3)]  # fmt: skip
    assert rows(layer, "SELECT count(*) FROM people WHERE id // 7 = 1", ANA) == [(1,)]
    assert rows(layer, "SELECT id // 2 AS h, count(*) FROM people GROUP BY 1 ORDER BY 1", ANA) == [(0, 1), (3, 1)]
    assert rows(layer, "SELECT a // b FROM (SELECT id AS a, id - 1 AS b FROM people) t ORDER BY 1 LIMIT 1", ANA) == [
        (1,)
    ]
