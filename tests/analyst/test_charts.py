"""Specs are valid Vega-Lite v5 without data, and fit what they show."""

from __future__ import annotations

import json
from typing import Any

import pytest
import vl_convert
import worlds
from asking import ask
from hypothesis import given, settings
from hypothesis import strategies as st

from svc_notebook.analyst.charts import ChartColumn, ChartRequest, choose_chart, escape_field

QUESTIONS = [
    "revenue by country", "revenue by month", "revenue by month and country", "revenue by country and category", "pie chart of orders by channel",
    "heat map of revenue by country and category", "histogram of unit price", "scatter plot of unit price and quantity colored by category",
    "top 5 products by revenue", "revenue and profit by country", "area chart of revenue by month", "average unit price by category and channel",
    "revenue by weekday", "cumulative revenue by month", "revenue by city", "number of orders and revenue per month", "top 2 products for each country by units sold",
    "heat map of revenue by country and month", "heat map of revenue by quarter and category", "heat map of revenue by month and quarter",
]  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_specs_draw_and_carry_no_data(question: str) -> None:
    asked = ask(worlds.shop(), question)
    spec = asked.spec
    assert spec is not None
    assert "data" not in spec and "usermeta" not in spec and '"container"' not in json.dumps(spec)
    assert spec["$schema"].endswith("/v5.json") and spec["title"] and spec["description"]
    assert asked.table is not None
    assert _fields(spec) <= {
        *asked.table.column_names, "measure", "value", "__rank", "__moment", "__end", "__name_at",
    }  # fmt: skip
    values = [dict(zip(asked.table.column_names, map(_plain, row), strict=True)) for row in asked.rows()]
    svg = vl_convert.vegalite_to_svg({**spec, "data": {"values": values}}, vl_version="5.20")
    assert "<svg" in svg and "NaN" not in svg


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else float(value) if hasattr(value, "as_tuple") else value


def _fields(node: Any) -> set[str]:
    found: set[str] = set()
    if isinstance(node, dict):
        if isinstance(node.get("field"), str):
            found.add(node["field"].replace("\\", ""))
        for value in node.values():
            found |= _fields(value)
    elif isinstance(node, list):
        for value in node:
            found |= _fields(value)
    return found


def test_a_single_number_has_no_picture() -> None:
    assert ask(worlds.shop(), "total revenue").spec is None


def test_time_is_a_line_and_categories_are_bars() -> None:
    line, bars = ask(worlds.shop(), "revenue by month").spec, ask(worlds.shop(), "revenue by country").spec
    assert line is not None and line["mark"]["type"] == "line" and line["encoding"]["x"]["type"] == "temporal"
    assert bars is not None and bars["mark"]["type"] == "bar"


def test_many_categories_stay_readable() -> None:
    columns = (
        ChartColumn("name", "category", "Name", cardinality=1200),
        ChartColumn("n", "number", "Number", measured=True, additive=True),
    )
    spec = choose_chart(ChartRequest(columns, title="t"))
    assert spec is not None
    assert spec["encoding"]["y"]["field"] == "name" and spec["transform"][1]["filter"]["lte"] == 50


def test_few_categories_stand_upright() -> None:
    columns = (
        ChartColumn("name", "category", "Name", cardinality=4),
        ChartColumn("n", "number", "Number", measured=True, additive=True),
    )
    spec = choose_chart(ChartRequest(columns))
    assert spec is not None and spec["encoding"]["x"]["field"] == "name"


@given(st.text(min_size=1, max_size=20))
@settings(max_examples=100, deadline=None)
def test_any_alias_is_escaped_back_to_itself(name: str) -> None:
    escaped = escape_field(name)
    unescaped, place = "", 0
    while place < len(escaped):
        place += escaped[place] == "\\"
        unescaped += escaped[place]
        place += 1
    assert unescaped == name


def test_aliases_with_dots_and_brackets_are_drawn() -> None:
    columns = (ChartColumn("a.b[c]", "category", "A", cardinality=2), ChartColumn("n.m", "number", "N", measured=True))
    spec = choose_chart(ChartRequest(columns))
    assert spec is not None
    rows = [{"a.b[c]": "one", "n.m": 3}, {"a.b[c]": "two", "n.m": 5}]
    assert ">one<" in vl_convert.vegalite_to_svg({**spec, "data": {"values": rows}}, vl_version="5.20")


def test_bins_are_labelled_by_where_they_begin() -> None:
    bins = ChartColumn("from", "bin", "Hours", width=2.5, cells=(0, 2.5, 5))
    rows = ChartColumn("rows", "number", "Rows", measured=True, cells=(3, 2, 1))
    spec = choose_chart(ChartRequest((bins, rows), "Hours", ""))
    assert spec is not None
    assert spec["encoding"]["x"]["axis"]["format"] == ",~f" and spec["encoding"]["x"]["axis"]["tickMinStep"] == 2.5
