"""A granularity and a function are one entry each: those of CONTRIBUTING.md are added as they stand there, and asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from svc_notebook.semantic import intervals
from svc_notebook.semantic.dialects.duckdb import functions
from svc_notebook.semantic.errors import QueryError
from svc_notebook.semantic.json_queries.json_load import load
from svc_notebook.semantic.layer import SemanticLayer

from ..semantic_model.layers import OPERATOR, opened, rows

MODEL = """
cubes:
  - name: visits
    sql_table: visits
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true, public: true}
      - {name: at, sql: at, type: time}
      - {name: who, sql: who, type: string}
    measures:
      - {name: count, type: count}
      - {name: of_four_weeks, type: count, rolling_window: {trailing: SPAN}}
"""
TABLES = {
    "visits": pd.DataFrame(
        {
            "id": [1, 2, 3, 4],
            "at": pd.to_datetime(["2024-01-01", "2024-01-14 23:00", "2024-01-15", "2024-02-20"], format="ISO8601"),
            "who": ["ada LOVELACE", "émile o'neil", "x", None],
        }
    )
}
FIRST, SECOND, THIRD, FOURTH = "2024-01-01", "2024-01-15", "2024-01-29", "2024-02-12"


def entries() -> list[str]:
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text("utf-8")
    section = text.split("## One entry in one place")[1].split("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", section, re.DOTALL)


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> None:
    granularity, function = entries()
    for table, entry, names in (
        (intervals.GRANULARITIES, granularity, vars(intervals)),
        (functions.FUNCTIONS, function, vars(functions)),
    ):
        new: dict[Any, Any] = eval("{" + entry + "}", dict(names))
        assert len(new) == 1 and not set(new) & set(table)
        for key, value in new.items():
            monkeypatch.setitem(table, key, value)


@pytest.fixture
def layer(added: None) -> Iterator[SemanticLayer]:
    with opened(MODEL.replace("SPAN", "2 fortnights"), TABLES) as made:
        yield made


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT date_trunc('fortnight', at), count(*) FROM visits GROUP BY 1 ORDER BY 1", [(FIRST, 2), (SECOND, 1), (FOURTH, 1)]),
        ("SELECT date_trunc_gapfill('fortnight', at), MEASURE(count) FROM visits GROUP BY 1 ORDER BY 1", [(FIRST, 2), (SECOND, 1), (THIRD, 0), (FOURTH, 1)]),
        ("SELECT date_trunc('fortnight', at), MEASURE(of_four_weeks) FROM visits GROUP BY 1 ORDER BY 1", [(FIRST, 2), (SECOND, 3), (THIRD, 1), (FOURTH, 1)]),
        ("SELECT CAST(max(at) - INTERVAL '1 fortnight' AS DATE) FROM visits", [("2024-02-06",)]),
        ("SELECT CAST(dateadd('fortnight', 2, min(at)) AS DATE) FROM visits", [(THIRD,)]),
        ("SELECT initcap(who) FROM visits ORDER BY id", [("Ada Lovelace",), ("Émile O'Neil",), ("X",), (None,)]),
    ],
)  # fmt: skip
def test_in_sql(layer: SemanticLayer, sql: str, expected: list[tuple[Any, ...]]) -> None:
    assert rows(layer, sql, OPERATOR) == expected


def test_in_json(layer: SemanticLayer) -> None:
    query = {
        "measures": ["visits.count"],
        "timeDimensions": [{"dimension": "visits.at", "granularity": "fortnight", "dateRange": "last 2 fortnights"}],
        "order": {"visits.at": "asc"},
    }
    (answer,) = load(layer, OPERATOR, query, now=datetime(2024, 2, 14, tzinfo=UTC))
    assert [[str(value)[:10] for value in row.values()] for row in answer.result.table.to_pylist()] == [[SECOND, "1"]]


def test_neither_is_known_without_its_entry() -> None:
    with opened(MODEL.replace("SPAN", "1 month"), TABLES) as layer:
        for sql in ("SELECT date_trunc('fortnight', at) FROM visits", "SELECT initcap(who) FROM visits"):
            with pytest.raises(QueryError):
                layer.query(OPERATOR, sql)
