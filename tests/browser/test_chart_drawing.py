"""Charts in the page: one that shows nothing says so, one that nobody scrolled to is in the saved transcript all the same."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from svc_notebook.protocol.tools import Column

from ..widgets.acted_chat import CARRIERS, ActedAnswer, ActedChat, ActedResult, spoken
from .stage import Stage


def past(uuid: str, spec: Any) -> ActedAnswer:
    result = replace(CARRIERS, uuid=uuid, vega_spec=json.dumps(spec))
    return ActedAnswer(f"question {uuid}", "Words. " * 200, status="complete", results=[result])


def opened(page: Any, *answers: ActedAnswer) -> Stage:
    stage = Stage(page, ActedChat(spoken(["ok"]), answers, "t-1"))
    stage.until(lambda: stage.count(".svc-turn[data-turn]") == len(answers))
    return stage


def drawn(stage: Stage, how: str) -> Any:
    place = stage.page.locator(".svc-chart").last
    place.scroll_into_view_if_needed()
    stage.until(lambda: place.get_attribute("data-drawn") == how, what=how)
    return place


BARS = {"mark": "bar", "encoding": {"x": {"field": "carrier"}, "y": {"field": "flights"}}}


def test_a_chart_that_shows_nothing_says_so_and_leaves_the_table(page: Any) -> None:
    for spec, why in (
        ({**BARS, "transform": [{"filter": "datum.flights > 1e9"}]}, "no row of the result is drawn"),
        ({**BARS, "mark": {"type": "bar", "opacity": 0}}, "its marks have no size"),
    ):
        stage = opened(page.context.new_page(), past("p-1", spec))
        place = drawn(stage, "empty")
        assert f"No chart: it would show nothing: {why}. The table has the rows." in place.inner_text()
        assert place.locator("svg").count() == 0
        assert stage.page.locator(".svc-table tbody tr").count() == 5
        stage.page.close()


def test_a_chart_that_shows_nothing_until_a_parameter_is_set_stays(page: Any) -> None:
    bound = {"name": "least", "value": 1e9, "bind": {"input": "range", "min": 0, "max": 1e9}}
    stage = opened(page, past("p-1", {**BARS, "params": [bound], "transform": [{"filter": "datum.flights > least"}]}))
    place = drawn(stage, "empty")
    assert place.locator("svg").count() == 1
    assert "it would show nothing" in place.inner_text()


def test_charts_that_nobody_scrolled_to_are_in_the_transcript(page: Any) -> None:
    stage = opened(page, *(past(f"p-{n}", BARS) for n in range(12)))
    pictures = stage.conversation.pictures
    stage.until(lambda: len(pictures.known()) == 12, within=60, what="a picture of each")
    assert stage.count('.svc-chart[data-drawn="true"]') < 12
    before = len([m for _, m in stage.sent if m["t"] == "ack"])
    stage.page.reload()
    stage.page.wait_for_function("window.ready")
    stage.until(lambda: stage.count(".svc-turn[data-turn]") == 12)
    drawn(stage, "true")
    sent = [m for _, m in stage.sent if m["t"] == "ack"][before:]
    assert len(sent) <= 3, "nothing is pictured twice"  # sync, the renderer


AIRLINES = [f"{name} Airlines Incorporated" for name in ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta")]
LONG = ActedResult(
    schema=[Column("airline", "String"), Column("month", "Timestamp"), Column("delay", "Double")],
    rows=[
        [name, f"2013-{month:02d}-01T00:00:00", month * len(name) % 17 + 0.5]
        for name in AIRLINES
        for month in range(1, 10)
    ],
    total_rows=63,
    title="Average arrival delay by airline and month of scheduled departure, without those that were cancelled",
)
_X, _Y = {"field": "airline", "type": "nominal"}, {"field": "delay", "type": "quantitative"}
_MONTHS = {"field": "month", "type": "ordinal", "timeUnit": "yearmonth", "axis": {"format": "%b %Y"}}
NARROW = {
    "heat map": {"mark": "rect", "height": {"step": 18}, "encoding": {"x": _X, "y": _MONTHS, "color": _Y}},
    "lines": {"mark": "line", "encoding": {"x": {**_MONTHS, "type": "temporal"}, "y": _Y, "color": _X}},
    "bars": {"mark": "bar", "height": {"step": 13}, "encoding": {"x": {**_Y, "aggregate": "mean"}, "y": _X}},
    "columns": {"mark": "bar", "encoding": {"x": _X, "y": {**_Y, "aggregate": "mean"}}},
}
BELOW = (
    "Average arrival delay by airline and month of scheduled departure; January 2013 and September 2013 not complete"
)
_TEXTS = """(place) => {
    const svg = place.querySelector("svg").getBoundingClientRect();
    const texts = [...place.querySelectorAll("text")].filter((t) => t.textContent && t.getAttribute("opacity") !== "0");
    const boxes = texts.map((t) => [t.textContent, t.getBoundingClientRect(), /rotate\\(-?[1-9]/.test(t.getAttribute("transform") ?? "")]);
    const out = boxes.filter(([, b]) => b.left < svg.left - 1 || b.right > svg.right + 1 || b.top < svg.top - 1 || b.bottom > svg.bottom + 1);
    const over = [];
    for (const [i, [one, a, turned]] of boxes.entries()) for (const [other, b] of boxes.slice(i + 1))
        if (a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 3 && b.top < a.bottom - 3) over.push([one, other, turned]);
    return {out: out.map(([text]) => text), over, said: boxes.map(([text]) => text), wide: svg.width - place.clientWidth};
}"""


@pytest.mark.parametrize("width", [320, 900])
def test_no_words_of_a_chart_overlap_or_are_cut_off(page: Any, width: int) -> None:
    for name, spec in NARROW.items():
        result = replace(LONG, uuid=name, vega_spec=json.dumps(spec))
        fresh = page.context.new_page()
        fresh.set_viewport_size({"width": width, "height": 900})
        stage = opened(fresh, ActedAnswer("q", "a", status="complete", results=[result]))
        found = drawn(stage, "true").evaluate(_TEXTS)
        assert (found["out"], found["over"]) == ([], []), name
        assert found["wide"] <= 1
        assert set(AIRLINES) <= set(found["said"]), f"{name}: no name is left out"
        stage.page.close()


def test_what_stands_below_a_title_is_neither_cut_off_nor_makes_the_marks_small(page: Any) -> None:
    for name, below in (("one line", BELOW), ("lines", [BELOW[:60], BELOW[60:]])):
        spec = {**NARROW["lines"], "title": {"text": "Delays fell", "subtitle": below}}
        result = replace(LONG, uuid=name, vega_spec=json.dumps(spec))
        fresh = page.context.new_page()
        fresh.set_viewport_size({"width": 320, "height": 900})
        place = drawn(opened(fresh, ActedAnswer("q", "a", status="complete", results=[result])), "true")
        found = place.evaluate(_TEXTS)
        assert found["out"] == [] and "not complete" in " ".join(found["said"])
        marks = place.locator("g.mark-group.role-frame path.background").first.bounding_box()
        assert marks["width"] > 0.6 * place.bounding_box()["width"]


def test_names_below_bars_lie_where_they_fit_beside_each_other(page: Any) -> None:
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
    rows = [[day, kind, 1.0] for day in days for kind in ("one", "two")]
    spec = {"mark": "bar", "encoding": {"x": {**_X}, "y": _Y, "color": {"field": "kind"}}}
    columns = [Column("airline", "String"), Column("kind", "String"), Column("delay", "Double")]
    result = replace(LONG, uuid="days", schema=columns, rows=rows, total_rows=10, vega_spec=json.dumps(spec))
    place = drawn(opened(page, ActedAnswer("q", "a", status="complete", results=[result])), "true")
    turned = "(place) => [...place.querySelectorAll('text')].filter((t) => t.textContent.endsWith('day') && /rotate\\(-?[1-9]/.test(t.getAttribute('transform') ?? '')).length"
    assert place.evaluate(turned) == 0


_BESIDE = {"y": _X, "x": {**_Y, "aggregate": "mean"}}
_NEXT = {**_BESIDE, "y": {**_X, "axis": {"labels": False, "ticks": False}, "title": None}}
PARTS = {
    "above each other": {"vconcat": [{**NARROW["lines"], "width": 520, "height": 120}] * 2},
    "beside each other": {
        "hconcat": [{"mark": "bar", "width": 230, "height": {"step": 18}, "encoding": each} for each in (_BESIDE, _NEXT)]
    },
    "panels": {
        "mark": "line", "width": 130, "height": 80,
        "encoding": {"x": {**_MONTHS, "type": "temporal", "title": None}, "y": _Y, "facet": {**_X, "columns": 4, "title": "Airline"}},
    },
}  # fmt: skip


@pytest.mark.parametrize("width", [480, 900])
def test_charts_of_several_parts_fit_their_place(page: Any, width: int) -> None:
    for name, spec in PARTS.items():
        titled = {**spec, "title": {"text": LONG.title, "subtitle": BELOW}}
        result = replace(LONG, uuid=name, vega_spec=json.dumps(titled))
        fresh = page.context.new_page()
        fresh.set_viewport_size({"width": width, "height": 900})
        stage = opened(fresh, ActedAnswer("q", "a", status="complete", results=[result]))
        found = drawn(stage, "true").evaluate(_TEXTS)
        assert found["out"] == [] and found["wide"] <= 1, (name, found["wide"])
        assert "not complete" in " ".join(found["said"])
        stage.page.close()


def test_names_below_layers_lie_where_they_fit_beside_each_other(page: Any) -> None:
    layer = {"encoding": {"x": _X, "y": {**_Y, "aggregate": "mean"}}}
    spec = {"layer": [{"mark": "bar", **layer}, {"mark": "line", **layer}]}
    short = [[name.split()[0], month, delay] for name, month, delay in LONG.rows]
    result = replace(LONG, uuid="layers", rows=short, vega_spec=json.dumps(spec))
    place = drawn(opened(page, ActedAnswer("q", "a", status="complete", results=[result])), "true")
    turned = "(place) => [...place.querySelectorAll('text')].filter((t) => t.textContent === 'Alpha' && /rotate\\(-?[1-9]/.test(t.getAttribute('transform') ?? '')).length"
    assert place.evaluate(turned) == 0 and "Alpha" in place.evaluate(_TEXTS)["said"]
