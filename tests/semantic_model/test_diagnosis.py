"""A model whose SQL does not fit the database: the query is refused with the name of the member that does not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.errors import EngineFailure, NotComputed, NotPlanned
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .layers import OPERATOR, opened, rows
from .models import written

MODEL = """
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true, public: true}
      - {name: bad, sql: "FROM_DAYS({CUBE}.id)", type: number}
      - {name: gone, sql: no_such_column, type: string}
    measures:
      - {name: n, type: count}
      - {name: odd, type: number, sql: "NO_SUCH_FUNCTION(SUM({CUBE}.id))"}
    segments:
      - {name: strange, sql: "{CUBE}.id ~~~ 3"}
    access_policy:
      - {group: "*", member_level: {excludes: [gone]}}
  - name: lost
    sql_table: elsewhere
    measures: [{name: n, type: count}]
  - name: broken
    sql: "SELECT no_such_column AS x FROM orders"
    dimensions: [{name: x, sql: x, type: string}]
views:
  - {name: far, cubes: [{join_path: lost, includes: [n]}]}
  - {name: v, cubes: [{join_path: orders, includes: [n, {name: bad, alias: worse}]}]}
"""


@pytest.fixture
def layer(tmp_path: Path) -> Iterator[SemanticLayer]:
    engine = DuckDBEngine.open(None, data={"orders": pd.DataFrame({"id": [1, 2]})})
    with closing(SemanticLayer(load_model(written(tmp_path, MODEL)), engine)) as opened:
        yield opened


@pytest.mark.parametrize(
    ("sql", "name", "line"),
    [
        ("SELECT bad, MEASURE(n) FROM orders GROUP BY 1", "orders.bad", 7),
        ("SELECT id, gone FROM orders", "orders.gone", 8),
        ("SELECT MEASURE(odd) FROM orders", "orders.odd", 11),
        ("SELECT COUNT(*) FROM orders WHERE strange", "orders.strange", 13),
        ("SELECT worse FROM v", "v.worse", 7),
        ("SELECT x FROM broken", "broken", 19),
        ("SELECT q.worse FROM (SELECT worse FROM v) AS q", "v.worse", 7),
    ],
)
def test_the_member_is_named_with_its_place(layer: SemanticLayer, sql: str, name: str, line: int) -> None:
    with pytest.raises(NotPlanned) as caught:
        rows(layer, sql)
    assert caught.value.message.startswith(f"'{name}' cannot be ")
    assert f"(model.yml:{line})" in caught.value.message
    assert "dialect:" in caught.value.message
    with pytest.raises(NotPlanned):
        layer.schema(OPERATOR, sql)


@pytest.mark.parametrize("relation", ["lost", "far"])
def test_a_table_that_is_not_there_is_said_plainly(layer: SemanticLayer, relation: str) -> None:
    told = {}
    for asker in (OPERATOR, SecurityContext(user="ana")):
        with pytest.raises(NotPlanned) as caught:
            rows(layer, f"SELECT MEASURE(n) FROM {relation}", asker)
        told[asker.unrestricted] = caught.value.message
    assert f"'{relation}' cannot be read (model.yml:" in told[True]
    assert told[True].endswith("): there is no table 'elsewhere' in this database.")
    assert told[False] == f"'{relation}' cannot be read: its table is missing."


def test_an_asker_is_not_told_of_files_and_of_nothing_hidden(layer: SemanticLayer) -> None:
    somebody = SecurityContext()
    with pytest.raises(EngineFailure) as caught:
        rows(layer, "SELECT bad, MEASURE(n) FROM orders GROUP BY 1", somebody)
    assert caught.value.message.startswith("'orders.bad' cannot be computed:")
    assert "model.yml" not in caught.value.message
    assert "gone" not in caught.value.message


def test_a_value_that_does_not_fit_is_no_matter_of_the_model() -> None:
    model = """
cubes: [{name: t, sql_table: t, dimensions: [{name: n, type: number, sql: "CAST('x' || {CUBE}.id AS INTEGER)"}]}]
"""
    with opened(model, {"t": pd.DataFrame({"id": [1]})}) as layer, pytest.raises(NotComputed):
        rows(layer, "SELECT n FROM t")
