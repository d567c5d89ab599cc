"""Charts know the rows they show: holes, missing groups, very many series, one number, two units, colours that stay."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest

import svc_notebook as svc
from svc_notebook.analyst.charts import ChartColumn, ChartRequest, choose_chart, fitted, wrapped
from svc_notebook.protocol.tools import Column
from svc_notebook.results.charts import render_chart, render_result
from svc_notebook.results.vega.scene import data_marks, scene_of

MONTHS = [datetime.fromisoformat(f"2022-{month:02d}-01") for month in (1, 2, 3, 5, 6)]


def spec_of(*columns: ChartColumn, **wishes: Any) -> dict[str, Any]:
    spec = choose_chart(ChartRequest(columns, "Title", **wishes))
    assert spec is not None
    return spec


def drawn(spec: dict[str, Any], *columns: ChartColumn) -> str:
    """The chart by the way of the client's guard, which must change nothing."""
    kinds = {"time": "Timestamp", "number": "Double", "bin": "Double", "ordinal": "Int64"}
    heads = [Column(c.name, kinds.get(c.kind, "String")) for c in columns]
    rows = [list(row) for row in zip(*(map(_wire, c.cells or ()) for c in columns), strict=True)]
    chart = render_chart(spec, heads, rows)
    assert not chart.notes, chart.notes
    svg = chart.to_svg()
    assert svg is not None and "NaN" not in svg
    return svg


def _wire(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def month(cells: Sequence[Any]) -> ChartColumn:
    return ChartColumn("m", "time", "Month", grain="month").filled(cells)


def text(name: str, cells: Sequence[Any], **more: Any) -> ChartColumn:
    return ChartColumn(name, "category", name.capitalize(), **more).filled(cells)


def number(cells: Sequence[Any], name: str = "n", **more: Any) -> ChartColumn:
    return ChartColumn(name, "number", name.capitalize(), measured=True, **more).filled(cells)


def lines(svg: str) -> int:
    """Runs that are drawn as lines."""
    return len(re.findall(r'aria-roledescription="line mark"', svg))


def test_a_line_ends_where_a_month_has_no_rows() -> None:
    pytest.importorskip("vl_convert")
    columns = (month(MONTHS), number([1, 2, 3, 4, 5]))
    assert lines(drawn(spec_of(*columns), *columns)) == 2
    whole = (month(MONTHS[:3]), number([1, 2, 3]))
    assert lines(drawn(spec_of(*whole), *whole)) == 1


def test_holes_are_found_in_each_series() -> None:
    pytest.importorskip("vl_convert")
    columns = (month(MONTHS * 2), text("s", ["a"] * 5 + ["b"] * 5), number(range(10)))
    assert lines(drawn(spec_of(*columns), *columns)) == 4


def test_a_missing_group_stands_last_named_and_grey() -> None:
    pytest.importorskip("vl_convert")
    group, value = text("region", [None, "South", "North"]), number([9, 1, 5], additive=True)
    spec = spec_of(group, value)
    assert spec["encoding"]["x"]["sort"] == ["North", "South"]
    svg = drawn(spec, group, value)
    assert "no region" in svg and svg.index(">South<") < svg.index(">no region<")
    series = (month([MONTHS[0], MONTHS[1]] * 2), text("region", ["North", "North", None, None]), number([1, 2, 3, 4]))
    assert spec_of(*series)["encoding"]["color"]["scale"] == {
        "domain": ["North", None],
        "range": ["#0072B2", "#9a9a9a"],
    }


def unit_of(spec: dict[str, Any]) -> dict[str, Any]:
    """The unit with the marks of the rows, where names stand beside them."""
    unit: dict[str, Any] = spec["layer"][0] if "layer" in spec else spec
    return unit


def test_a_group_keeps_its_colour_whatever_else_is_shown() -> None:
    known = ("East", "North", "South", "West")

    def colours(present: list[str]) -> dict[str, str]:
        series = text("region", [p for p in present for _ in range(2)], known=known)
        spec = spec_of(month(MONTHS[:2] * len(present)), series, number(range(2 * len(present))))
        scale = unit_of(spec)["encoding"]["color"]["scale"]
        return dict(zip(scale["domain"], scale["range"], strict=True))

    both, few = colours(list(known)), colours(["South", "West"])
    assert len(set(both.values())) == 4
    assert few == {name: both[name] for name in few}


def test_beyond_twelve_series_the_rest_are_one_and_last() -> None:
    pytest.importorskip("vl_convert")
    names = [f"s{place:02d}" for place in range(15)]
    columns = (
        month([m for m in MONTHS[:3] for _ in names]),
        text("s", names * 3),
        number([*range(15)] * 3, additive=True),
    )
    spec = spec_of(*columns)
    assert spec["encoding"]["y"]["aggregate"] == "sum"
    assert spec["encoding"]["color"]["scale"]["domain"][-1] == "other"
    svg = drawn(spec, *columns)
    assert lines(svg) == 8 and ">s14<" in svg and ">s00<" not in svg
    cells = [*names, None] * 3
    nameless = (
        month([m for m in MONTHS[:3] for _ in range(16)]),
        text("s", cells),
        number([*range(15), 99] * 3, additive=True),
    )
    svg = drawn(spec_of(*nameless), *nameless)
    assert lines(svg) == 9 and ">s08<" in svg and ">no s<" in svg


def test_a_pie_of_many_parts_has_the_rest_in_one_slice_and_is_drawn_of_no_averages() -> None:
    pytest.importorskip("vl_convert")
    names = [f"s{place:02d}" for place in range(15)]
    columns = (text("s", names), number(range(1, 16), additive=True))
    svg = drawn(spec_of(*columns, mark="arc"), *columns)
    slices = re.findall(r'aria-label="(\w+): (\d+)"', svg)
    assert sorted(slices) == [("other", "36"), *((f"s{place:02d}", str(place + 1)) for place in range(8, 15))]
    columns = (text("s", [*names, None]), number([*range(1, 16), 40], additive=True))
    svg = drawn(spec_of(*columns, mark="arc"), *columns)
    assert set(re.findall(r'aria-label="([\w ]+): (\d+)"', svg)) == {*slices, ("no s", "40")}
    assert svg.count(">no s<") == 1 and ">null<" not in svg
    very_many = (text("s", [f"s{place}" for place in range(70)]), number(range(1, 71), additive=True))
    assert "largest of" not in str(spec_of(*very_many, mark="arc"))
    assert "largest of" in str(spec_of(*very_many, mark="bar"))
    few = (text("s", names[:5]), number(range(5)))
    assert spec_of(*few, mark="arc")["mark"]["type"] == "arc"
    for numbers, more in ((range(15), {}), ([-1, *range(14)], {"additive": True})):
        bars = (text("s", names), number(numbers, **more))
        assert spec_of(*bars, mark="arc")["mark"]["type"] == "bar"


def test_averages_of_many_series_are_panels_on_one_scale() -> None:
    names = [f"s{place:02d}" for place in range(15)]
    spec = spec_of(month([m for m in MONTHS[:3] for _ in names]), text("s", names * 3), number([*range(15)] * 3))
    assert spec["encoding"]["facet"]["field"] == "s" and "resolve" not in spec


def test_one_number_is_written_not_drawn_as_a_bar() -> None:
    pytest.importorskip("vl_convert")
    columns = (text("c", ["F9"]), number([20.2155], unit="minutes"))
    spec = spec_of(*columns)
    assert spec["mark"]["type"] == "text" and ">20.22 minutes<" in drawn(spec, *columns)


def test_two_units_never_share_an_axis() -> None:
    group = text("c", ["a", "b", "c"])
    spec = spec_of(group, number([1, 2, 3], "delay", unit="minutes"), number([9, 8, 7], "flights", additive=True))
    titles = [part["encoding"]["x"]["title"] for part in spec["hconcat"]]
    assert titles == ["Delay (minutes)", "Flights"]
    orders = [part["encoding"]["y"]["sort"] for part in spec["hconcat"]]
    assert orders[0] == orders[1]


def test_stacked_and_grouped_differ() -> None:
    columns = (text("a", ["x", "x", "y", "y"]), text("b", ["p", "q"] * 2), number([1, 2, 3, 4], additive=True))
    stacked, grouped = spec_of(*columns), spec_of(*columns, grouped=True)
    assert stacked["encoding"]["y"]["stack"] == "zero" and "xOffset" not in stacked["encoding"]
    assert "xOffset" in grouped["encoding"] and "stack" not in grouped["encoding"]["y"]


@pytest.mark.parametrize(
    ("names", "order"),
    [
        (["Sun", "Mon", "Fri"], ["Mon", "Fri", "Sun"]),
        (["September", "April", "March"], ["March", "April", "September"]),
        (["Monday", "Moonday"], None),
        (["M", "XL", "S", "XXL", "XS", "L"], ["XS", "S", "M", "L", "XL", "XXL"]),
        (["medium", "low", "high"], ["low", "medium", "high"]),
        (["Large", "Small", "Medium"], ["Small", "Medium", "Large"]),
    ],
)
def test_names_of_days_months_and_sizes_stand_in_their_own_order(names: list[str], order: list[str] | None) -> None:
    sort = spec_of(text("d", names), number(range(len(names)), additive=True))["encoding"]["x"]["sort"]
    assert sort == (order or ["Moonday", "Monday"])


def test_names_at_the_ends_of_lines_stay_on_the_axis() -> None:
    names = list("abcd")
    columns = (
        month([m for m in MONTHS[:2] for _ in names]),
        text("g", names * 2),
        number([900, 0, 0, 0] * 2, additive=True),
    )
    layer = spec_of(*columns)["layer"][1]
    moved = next(step["calculate"] for step in layer["transform"] if step.get("as") == "__name_at")
    shifts = [float(found) for found in re.findall(r"\? (-?[\d.e-]+) :", moved)]
    assert shifts and min(shifts) >= 0, "a name below nothing would draw the axis on to it"


def test_quotes_in_names_are_names() -> None:
    pytest.importorskip("vl_convert")
    names = [f"it's \\ {place}" for place in range(13)]
    columns = (month([m for m in MONTHS[:2] for _ in names]), text("o'b", names * 2), number(range(26), additive=True))
    assert lines(drawn(spec_of(*columns), *columns)) == 8


def rings(svg: str) -> int:
    """Points with a hole: the path of an outer circle and of an inner one."""
    return len(re.findall(r'aria-roledescription="point"[^>]*? d="M[^"M]+M[^"M]+Z"', svg))


def test_points_have_the_colour_of_their_line() -> None:
    pytest.importorskip("vl_convert")
    columns = (month(MONTHS), number([1, 2, 3, 4, 5]))
    colours = re.findall(r'aria-roledescription="point"[^>]*? fill="([^"]+)"', drawn(spec_of(*columns), *columns))
    assert len(colours) == 5 and set(colours) == {"#0072B2"}


def test_points_of_periods_that_are_not_whole_are_hollow() -> None:
    pytest.importorskip("vl_convert")
    whole, cut = month(MONTHS), replace(month(MONTHS), partial=(MONTHS[0], MONTHS[-1]))
    values = number([1, 2, 3, 4, 5])
    assert rings(drawn(spec_of(whole, values), whole, values)) == 0
    assert rings(drawn(spec_of(cut, values), cut, values)) == 2


def test_points_of_every_series_are_hollow_where_a_period_is_not_whole() -> None:
    pytest.importorskip("vl_convert")
    columns = (
        replace(month(MONTHS * 2), partial=(MONTHS[-1],)),
        text("shop", ["a"] * 5 + ["b"] * 5),
        number(range(10)),
    )
    assert rings(drawn(spec_of(*columns), *columns)) == 2


def test_bars_of_periods_that_are_not_whole_are_pale() -> None:
    pytest.importorskip("vl_convert")
    columns = (replace(month(MONTHS), partial=(MONTHS[-1],)), number([1, 2, 3, 4, 5]))
    svg = drawn(spec_of(*columns, mark="bar"), *columns)
    assert svg.count('fill-opacity="0.45"') == 1


def test_a_trend_is_a_line_through_the_whole_periods() -> None:
    pytest.importorskip("vl_convert")
    time, value = replace(month(MONTHS), partial=(MONTHS[-1],)), number([1, 2, 3, 4, 0])
    svg = drawn(fitted(spec_of(time, value), time, value, 1.0, 1 / 2629746), time, value)
    (dashed,) = re.findall(r'<path[^>]*aria-roledescription="line mark"[^>]* d="([^"]+)"[^>]*stroke-dasharray', svg)
    points = [tuple(map(float, pair.split(","))) for pair in re.findall(r"[ML]([-\d.]+,[-\d.]+)", dashed)]
    assert len(points) == 4  # the last month is not whole
    slopes = [(y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in itertools.pairwise(points)]
    assert max(slopes) - min(slopes) < 0.02 * abs(slopes[0])  # straight, though months are of unequal length


def test_the_last_bin_ends_within_the_picture_and_labels_do_not_touch() -> None:
    pytest.importorskip("vl_convert")
    columns = (ChartColumn("b", "bin", "Kwh", width=2.0).filled([float(n) for n in range(0, 62, 2)]), number(range(31)))
    spec = spec_of(*columns)
    assert spec["encoding"]["x"]["scale"]["domain"] == [0, 62]
    assert "NaN" not in drawn(spec, *columns)


def test_a_legend_of_powers_of_ten_names_each() -> None:
    x, y = (ChartColumn(name, "bin", name, width=1.0).filled([0.0, 1.0, 2.0]) for name in "xy")
    spec = spec_of(x, y, number([3, 40, 5000]), mark="rect")
    assert spec["encoding"]["color"]["legend"]["values"] == [1, 10, 100, 1000]


def labels(svg: str) -> list[str]:
    """What is written along the axes."""
    axes = re.findall(r'<g class="mark-text role-axis-label".*?</g>', svg, re.DOTALL)
    return [text for axis in axes for text in re.findall(r">([^<>]+)</text>", axis)]


@pytest.mark.parametrize(
    ("most", "written"), [(120_000, {"0", "20k", "120k"}), (8_000, {"0", "2,000", "8,000"}), (0.8, {"0", "0.2", "0.8"})]
)
def test_amounts_along_an_axis_are_round_and_have_no_zeros_behind_a_point(most: float, written: set[str]) -> None:
    pytest.importorskip("vl_convert")
    shown = (text("shop", ["a", "b"]), number([most, most / 2], currency="EUR"))
    found = set(labels(drawn(spec_of(*shown), *shown)))
    assert written <= found, found
    assert not [one for one in found if re.search(r"\.0\D*$", one)]


def test_a_value_that_is_pointed_at_is_told_to_the_cent() -> None:
    spec = spec_of(text("shop", ["a", "b"]), number([136_722.34, 5], currency="EUR"))
    assert [tip.get("format") for tip in spec["encoding"]["tooltip"]] == [None, ",.2f"]


def test_numbers_below_a_histogram_stand_apart() -> None:
    """``100110120`` is no axis."""
    pytest.importorskip("vl_convert")
    edges = [float(low) for low in range(0, 290, 10)]
    bins = ChartColumn("from", "bin", "Amount", width=10.0, currency="EUR").filled(edges)
    shown = (bins, number([5] * len(edges)))
    svg = drawn(spec_of(*shown, ordered=True), *shown)
    axis = re.findall(r'<g class="mark-text role-axis-label".*?</g>', svg, re.DOTALL)[0]
    found = re.findall(r'translate\(([\d.]+),[^>]*opacity="1"[^>]*>([^<]+)<', axis)
    assert len(found) > 5
    places = [(float(at), len(text) * 5.6) for at, text in found]
    gaps = [b - a - (wide + wider) / 2 for (a, wide), (b, wider) in pairwise(places)]
    assert min(gaps) > 5, gaps


@pytest.mark.parametrize(
    ("question", "mark", "channels"),
    [
        ("flights per month by origin", "line", {"x", "y", "color"}),
        ("flights per month by origin as small multiples", "line", {"x", "y", "facet"}),
        ("flights by weekday by origin as small multiples", "bar", {"x", "y", "facet"}),
        ("flights by origin and weekday", "bar", {"x", "y", "color"}),
        ("flights by origin and weekday side by side", "bar", {"x", "y", "color", "xOffset"}),
        ("grouped bar chart of flights by origin and carrier", "bar", {"x", "y", "color", "xOffset"}),
    ],
)
def test_panels_and_bars_side_by_side_are_drawn_where_they_are_asked_for(
    question: str, mark: str, channels: set[str]
) -> None:
    pytest.importorskip("vl_convert")
    with svc.demo() as client:
        chart = render_result(client.chat().ask(question).result)
    unit = unit_of(chart.spec)
    assert chart.trouble is None and unit["mark"]["type"] == mark
    assert set(unit["encoding"]) & {"x", "y", "color", "facet", "xOffset"} == channels
    if "facet" in channels:  # what is compared by eye has one scale
        assert "resolve" not in chart.spec


@pytest.mark.parametrize("question", ["box plot of arrival delay by airline", "box plot of distance"])
def test_a_box_plot_draws_a_rule_a_box_and_a_median_for_each_group(question: str) -> None:
    pytest.importorskip("vl_convert")
    with svc.demo() as client:
        result = client.chat().ask(question).result
        chart = render_result(result)
    assert chart.notes == [] and chart.trouble is None
    marks = [mark for mark in data_marks(scene_of(chart.to_dict())) if mark["marktype"] in ("rule", "rect")]
    boxes = [mark for mark in marks if mark["marktype"] == "rect" and mark.get("width", 0) > 3]
    assert len(boxes) == len(result.rows) and len(marks) == 3 * len(boxes)


def test_lines_of_the_largest_and_of_all_others_end_where_a_month_has_no_rows() -> None:
    names = [f"s{n:02d}" for n in range(14)]
    cells = [(at, name) for at in MONTHS for name in names]
    columns = (month([at for at, _ in cells]), text("series", [name for _, name in cells]),
               number([float(int(name[1:])) for _, name in cells], additive=True))  # fmt: skip
    svg = drawn(spec_of(*columns), *columns)
    assert lines(svg) == 2 * 8, "seven and the rest, each before and after April"


def test_a_panel_too_has_a_gap_where_its_series_has_no_month() -> None:
    names = [f"s{n:02d}" for n in range(14)]
    cells = [(at, name) for at in MONTHS[:3] for name in names if (name, at.month) != ("s03", 2)]
    columns = (month([at for at, _ in cells]), text("series", [name for _, name in cells]),
               number([float(int(name[1:])) for _, name in cells]))  # fmt: skip
    spec = spec_of(*columns)
    assert "facet" in spec["encoding"] and "detail" in spec["encoding"]
    drawn(spec, *columns)


def test_groups_of_few_rows_are_pale_and_do_not_stretch_the_colours() -> None:
    grid = list(itertools.product([f"w{n}" for n in range(16)], [f"h{n}" for n in range(13)]))
    value = replace(number([float(n) for n in range(len(grid) - 1)] + [9999.0]), small=(len(grid) - 1,))
    columns = (text("wide", [a for a, _ in grid]), text("high", [b for _, b in grid]), value)
    spec = spec_of(*columns)
    assert spec["encoding"]["color"]["scale"]["domain"] == [0.0, len(grid) - 2.0]
    assert drawn(spec, *columns).count('opacity="0.3"') == 1
    bars = (text("ward", ["A", "B", None]), replace(number([1.0, 2.0, 3.0]), small=(2,)))
    assert drawn(spec_of(*bars), *bars).count('opacity="0.3"') == 1


def test_few_bars_are_wide_and_hours_stand_upright() -> None:
    pair = (text("side", ["A", "B"]), number([1.0, 2.0]))
    assert spec_of(*pair)["width"]["step"] == 104
    hours = (ChartColumn("h", "ordinal", "Hour", grain="hour_of_day").filled(range(24)), number([1.0] * 24))
    assert spec_of(*hours)["encoding"]["x"]["axis"]["labelAngle"] == 0


def test_no_line_of_a_title_is_a_word_by_itself() -> None:
    title = "Hall A and Tuesday have the highest average consumption of all, and Office the lowest"
    first, second = wrapped(title)
    assert len(second) > len(first) / 2 and f"{first} {second}" == title
    fell = "Average departure delay of all flights fell by 69.1 % from July 2013 to September 2013"
    assert all("69.1 %" in line or "69.1" not in line for line in wrapped(fell, 50))
