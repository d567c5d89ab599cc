"""Charts from any spec: drawn, repaired, bounded, or refused in a line, and never with data of their own."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svc_notebook.protocol.tools import Column
from svc_notebook.results.charts import MIME, render_chart

COLUMNS = [
    Column("orders.status", "String"),
    Column("total", "Decimal(38,2)"),
    Column("day", "Date"),
    Column("n", "Int64"),
]
ROWS = [["open", "12.50", "2024-01-01", 3], ["done", "9007199254740993.25", None, None], ["a b", None, "2024-02-01", 7]]
BAR = {
    "mark": "bar",
    "encoding": {"x": {"field": "orders.status", "type": "nominal"}, "y": {"field": "total", "type": "quantitative"}},
}


def values(spec: Any, rows: Any = ROWS) -> list[dict[str, Any]]:
    return list(render_chart(spec, COLUMNS, rows).to_dict()["data"]["values"])


def drawn(chart: Any) -> str:
    vl_convert = pytest.importorskip("vl_convert")
    return str(vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="5.21", allowed_base_urls=[]))


def test_a_dotted_name_is_escaped_and_really_drawn() -> None:
    chart = render_chart(BAR, COLUMNS, ROWS)
    assert chart.spec["encoding"]["x"]["field"] == r"orders\.status"
    assert ">open</text>" in drawn(chart)


@pytest.mark.parametrize(
    "written", ["orders.status", "Orders.Status", "status", "sales.orders.status", r"orders\.status"]
)
def test_names_are_found_in_any_spelling(written: str) -> None:
    spec = copy.deepcopy(BAR)
    spec["encoding"]["x"]["field"] = written
    assert render_chart(spec, COLUMNS, ROWS).spec["encoding"]["x"]["field"] == r"orders\.status"


def test_decimals_become_numbers_and_dates_local_midnight() -> None:
    spec = {"mark": "line", "encoding": {"x": {"field": "day"}, "y": {"field": "total"}}}
    records = values(spec)
    assert [record["total"] for record in records] == [12.5, 9007199254740993.25, None]
    assert records[0]["day"] == "2024-01-01T00:00:00"
    chart = render_chart(spec, COLUMNS, ROWS)
    assert chart.spec["encoding"]["x"]["type"] == "temporal"
    assert chart.spec["encoding"]["y"]["type"] == "quantitative"


def test_a_date_used_as_a_category_stays_as_it_is() -> None:
    assert values({"mark": "bar", "encoding": {"x": {"field": "day", "type": "ordinal"}}})[0]["day"] == "2024-01-01"


@pytest.mark.parametrize("version", ["v5", "v6"])
def test_json_text_inside_text_and_both_versions(version: str) -> None:
    spec = {**BAR, "$schema": f"https://vega.github.io/schema/vega-lite/{version}.json"}
    chart = render_chart(json.dumps(json.dumps(spec)), COLUMNS, ROWS)
    assert chart.to_dict()["$schema"].endswith("v5.json")
    assert chart.notes == []


def test_container_width_never_reaches_a_notebook() -> None:
    assert render_chart({**BAR, "width": "container"}, COLUMNS, ROWS).spec["width"] == 520


def test_sizes_are_clamped() -> None:
    spec = {**BAR, "width": 1e9, "height": {"step": 1e6}}
    chart = render_chart(spec, COLUMNS, ROWS)
    assert chart.spec["width"] == 4000
    assert chart.spec["height"] == {"step": 200}
    assert "width: 1e+09 is drawn as 4000" in chart.notes


def test_many_categories_share_one_side() -> None:
    rows = [[f"name {i}", "1", None, 1] for i in range(3000)]
    chart = render_chart(BAR, COLUMNS, rows)
    assert chart.spec["width"] <= 2000


def test_a_field_the_result_has_not_gives_a_reason() -> None:
    chart = render_chart({"mark": "bar", "encoding": {"x": {"field": "margin"}}}, COLUMNS, ROWS)
    assert not chart
    assert chart.problem == "the chart wants the field 'margin', which the result does not have"
    data, _ = chart._repr_mimebundle_()
    assert list(data) == ["text/plain"]


@pytest.mark.parametrize(
    "bad", [None, "", "null", "[]", "{", 3, [], "{}", {"mark": "blob"}, {"layer": []}, {"mark": 5}, '{"a": NaN}']
)
def test_what_is_no_chart_says_so_in_a_line(bad: Any) -> None:
    chart = render_chart(bad, COLUMNS, ROWS)
    assert not chart
    assert "\n" not in str(chart.problem)
    assert len(str(chart.problem)) < 120


def test_more_rows_than_the_limit_are_grouped_where_the_picture_stays_the_same() -> None:
    rows = [["open" if i % 2 else "done", "1.5", None, 1] for i in range(20_000)]
    spec = copy.deepcopy(BAR)
    spec["encoding"]["y"] |= {"aggregate": "sum"}
    chart = render_chart(spec, COLUMNS, rows)
    assert len(chart.rows) == 2
    assert chart.notes == ["20,000 rows were grouped before drawing"]
    assert sum(value for record in chart.rows for name, value in record.items() if name.startswith("__sum")) == 30_000


def test_more_rows_than_the_limit_are_sampled_with_a_loud_note() -> None:
    rows = [["open", str(i), None, i] for i in range(20_000)]
    chart = render_chart(
        {"mark": "point", "encoding": {"x": {"field": "n"}, "y": {"field": "total"}}}, COLUMNS, rows, limit=1000
    )
    assert len(chart.rows) == 1000
    assert "1,000 of 20,000 rows" in chart.notes[0]
    assert chart.rows[-1]["n"] > 19_000


def test_layers_facets_repeats_selections_and_transforms_pass() -> None:
    specs = [
        {"layer": [BAR, {"mark": "rule", "encoding": {"y": {"datum": 5}}}]},
        {"hconcat": [BAR, BAR], "resolve": {"scale": {"y": "independent"}}},
        {"facet": {"field": "orders.status"}, "spec": {"mark": "bar", "encoding": {"x": {"field": "n"}}}},
        {"repeat": ["n", "total"], "spec": {"mark": "bar", "encoding": {"x": {"field": {"repeat": "repeat"}, "bin": True}}}},
        {**BAR, "params": [{"name": "pick", "select": {"type": "interval", "encodings": ["x"]}}]},
        {**BAR, "transform": [{"filter": "datum.total > 1 && isValid(datum['orders.status'])"}]},
        {
            "transform": [{"window": [{"op": "sum", "field": "n", "as": "run"}], "sort": [{"field": "day"}]}],
            "mark": "line", "encoding": {"x": {"field": "day"}, "y": {"field": "run"}},
        },
        {"mark": {"type": "arc", "innerRadius": 40}, "encoding": {"theta": {"field": "n"}, "color": {"field": "orders.status"}}},
        {"mark": "bar", "encoding": {"x": {"field": "day", "timeUnit": "yearmonth"}, "y": {"aggregate": "count"}}},
        {"mark": "boxplot", "encoding": {"x": {"field": "orders.status"}, "y": {"field": "n"}}},
    ]  # fmt: skip
    for spec in specs:
        chart = render_chart(spec, COLUMNS, ROWS)
        assert chart.problem is None, spec
        assert chart.notes == [], spec
        assert "<svg" in drawn(chart)


def test_expressions_read_fields_and_nothing_else() -> None:
    for expression in [
        "event.view.alert(1)", "datum.constructor", "datum['__proto__'].x", "test(/a/, datum.n)", "this", "window",
        "data('x')", "{a: 1}", "datum.n = 3", "datum", "n;alert(1)", "(" * 60 + "1" + ")" * 60, "'//host/'+datum.n",
        "sequence(1e9)", "item", "warn(1)", "datum[datum.n]",
    ]:  # fmt: skip
        chart = render_chart({**BAR, "transform": [{"calculate": expression, "as": "z"}]}, COLUMNS, ROWS)
        assert "transform" not in chart.spec, expression
        assert chart.notes, expression


def test_bundle_is_the_same_on_every_run_and_has_no_html() -> None:
    one, other = (render_chart(BAR, COLUMNS, ROWS)._repr_mimebundle_() for _ in range(2))
    assert one == other
    data, metadata = one
    assert set(data) <= {MIME, "image/png", "text/plain"}
    assert metadata[MIME]["embed_options"]["actions"]["source"] is False
    assert "bar, x is orders.status" in data["text/plain"].replace("\\", "")


def test_as_altair_it_can_be_refined_and_draws_offline() -> None:
    chart = render_chart(BAR, COLUMNS, ROWS).to_altair().properties(title="Mine")
    data, _ = chart._repr_mimebundle_()
    assert data[MIME]["title"] == "Mine"
    assert "text/html" not in data


def test_charts_are_drawn_without_importing_altair() -> None:
    code = (
        "import sys; from svc_notebook.results.charts import render_chart; from svc_notebook.protocol.tools import Column;"
        "render_chart({'mark': 'bar', 'encoding': {'x': {'field': 'a'}}}, [Column('a', 'String')], [['x']])._repr_mimebundle_();"
        "sys.exit('altair' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["bar", "x", "n", "total", "image", "http://h/"]) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(
            ["mark", "encoding", "x", "y", "field", "type", "transform", "filter", "layer", "facet", "spec", "params", "bin",
             "axis", "scale", "config", "title", "width", "data", "url", "href", "condition", "value", "sort", "name", "bind"]
        ),
        inner,
        max_size=6,
    ),
    max_leaves=30,
)  # fmt: skip


@given(JSON)
def test_no_spec_raises_and_none_keeps_an_address(spec: Any) -> None:
    chart = render_chart(spec, COLUMNS, ROWS)
    if chart:
        text = json.dumps({**chart.spec, "title": ""}, allow_nan=False)
        assert '"url"' not in text
        assert '"href"' not in text
        json.dumps(chart.to_dict())
