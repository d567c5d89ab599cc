"""Queries of the Cube project's driver tests over its e-commerce model: JSON through the translator, SQL as is."""

from __future__ import annotations

import csv
import itertools
import json
import re
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pyarrow.csv
import pytest

from svc_notebook.semantic.context import SecurityContext
from svc_notebook.semantic.engine import DuckDBEngine
from svc_notebook.semantic.json_queries.json_query import translate
from svc_notebook.semantic.layer import SemanticLayer
from svc_notebook.semantic.loader import load_model

from .cases import FOLDER, read

CASES = read("semantic_rest/dev.jsonl")
OPERATOR = SecurityContext.operator()
NOW = datetime(2025, 1, 15)  # noqa: DTZ001
pytestmark = pytest.mark.skipif(not CASES, reason=f"no e-commerce cases in {FOLDER}")


@pytest.fixture(scope="module")
def shop() -> Iterator[SemanticLayer]:
    folder = FOLDER / "semantic_rest"
    data = {path.stem: pyarrow.csv.read_csv(path) for path in sorted((folder / "data").glob("*.csv"))}
    model = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    for cube in model["cubes"]:
        cube["sql_table"] = cube["name"].lower()
    layer = SemanticLayer(load_model(model), DuckDBEngine.open(None, data=data))
    yield layer
    layer.close()


@pytest.mark.parametrize("case", [case for case in CASES if case["kind"] == "rest"], ids=lambda case: case["name"])
def test_json_query(case: dict[str, Any], shop: SemanticLayer) -> None:
    (query,) = translate(case["query"], shop.catalog(OPERATOR), now=NOW)
    table = shop.query(OPERATOR, query.sql, timezone=query.timezone).table
    keys = [column.key for column in query.columns]
    rows = [dict(zip(keys, row, strict=True)) for row in zip(*[c.to_pylist() for c in table.columns], strict=True)]
    wanted = by_calendar(case["query"]) or case["expected"]
    names = [name for name in (wanted[0] if wanted else {}) if name in keys]
    assert set(keys) <= set(names) or not wanted, f"columns {keys}"
    got = [[canonical(row[name]) for name in names] for row in rows]
    expected = [[canonical(row.get(name)) for name in names] for row in wanted]
    if not case["ordered"]:
        got.sort(key=repr)
        expected.sort(key=repr)
    assert got == expected, query.sql
    if case["total"] is not None:
        assert query.total_sql is not None
        assert shop.query(OPERATOR, query.total_sql).table.column(0).to_pylist() == [case["total"]]


def by_calendar(query: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The rows of a query by a custom granularity, counted in calendar months from its origin.

    The snapshot's rows are not these: the driver that made it counts six months as 180 days and truncates towards zero
    before the origin, so that it puts 10 April into the half-year before 1 April, and February into the one of July.
    """
    model = json.loads((FOLDER / "semantic_rest" / "model.json").read_text(encoding="utf-8"))
    (span,) = query.get("timeDimensions") or [{}]
    cube_name, _, dimension = span.get("dimension", ".").partition(".")
    cube = next((cube for cube in model["cubes"] if cube["name"] == cube_name), {"dimensions": [], "measures": []})
    members = {member["name"]: member for member in cube["dimensions"] + cube["measures"]}
    grain = span.get("granularity")
    custom = [item for item in members.get(dimension, {}).get("granularities", ()) if item["name"] == grain]
    custom = [item for item in custom if re.fullmatch(r"\d+ months?", item["interval"])]
    if not custom:
        return None
    origin, step = datetime.fromisoformat(custom[0]["origin"]), int(custom[0]["interval"].split()[0])
    grouped: dict[tuple[Any, ...], float] = {}
    (measure,) = query["measures"]
    dims = [name.partition(".")[2] for name in query.get("dimensions", [])]
    with (FOLDER / "semantic_rest" / "data" / f"{cube_name.lower()}.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            day = row[members[dimension]["sql"]]
            if not span["dateRange"][0] <= day <= span["dateRange"][1]:
                continue
            months = (int(day[:4]) - origin.year) * 12 + int(day[5:7]) - origin.month
            first = origin.year * 12 + origin.month - 1 + months // step * step
            start = f"{first // 12}-{first % 12 + 1:02d}-01"
            kind = members[measure.partition(".")[2]]
            key = (start, *[row[members[name]["sql"]] for name in dims])
            grouped[key] = grouped.get(key, 0) + (1 if kind["type"] == "count" else float(row[kind["sql"]]))
    names = [f"{span['dimension']}.{span['granularity']}", *query.get("dimensions", [])]
    return [dict(zip((*names, measure), (*key, value), strict=True)) for key, value in sorted(grouped.items())]


@pytest.mark.parametrize("case", [case for case in CASES if case["kind"] == "sql"], ids=lambda case: case["name"])
def test_sql_api(case: dict[str, Any], shop: SemanticLayer) -> None:
    table = shop.query(OPERATOR, case["sql"]).table
    got = [[canonical(value) for value in row] for row in zip(*[c.to_pylist() for c in table.columns], strict=True)]
    wanted = [[canonical(value) for value in row.values()] for row in case["expected"]]
    assert len(got) == len(wanted)
    # The snapshot sorts its keys by name: some order of our columns must give its rows.
    orders = itertools.permutations(range(len(wanted[0]))) if wanted else iter([()])
    assert any(
        sorted(([row[i] for i in order] for row in got), key=repr) == sorted(wanted, key=repr) for order in orders
    )


def canonical(value: Any) -> Any:
    """Numbers as numbers, midnight as its day; the expected rows hold numbers as text and times with or without Z."""
    if isinstance(value, bool | type(None)):
        return value
    if isinstance(value, datetime | date):
        value = value.isoformat()
    if isinstance(value, str):
        text = value.removesuffix("Z").removesuffix(".000").removesuffix("T00:00:00")
        try:
            value = float(text)
        except ValueError:
            return text
    return round(float(value), 6) if isinstance(value, int | float | Decimal) else value
