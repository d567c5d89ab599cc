"""A chart comes through whole: every specification of the set is drawn as a standard renderer draws it, or it is said."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from svc_notebook.results.vega.scene import data_marks

from .drawing import difference, ours, scene, standard
from .hostile import HOSTILE
from .specs import BAR, SPECS

pytest.importorskip("vl_convert")

_PARTS = 12
_NAMES = sorted(SPECS)


@pytest.mark.parametrize("part", range(_PARTS))
def test_every_specification_is_drawn_as_it_came(part: int) -> None:
    wrong = {}
    for name in _NAMES[part::_PARTS]:
        chart = ours(SPECS[name])
        drawn = scene(chart.to_dict()) if chart else None
        if chart.problem or chart.notes:
            wrong[name] = chart.problem_or_notes
        elif found := difference(standard(SPECS[name], chart), drawn):
            wrong[name] = found
        elif not list(data_marks(drawn)):
            wrong[name] = "nothing is drawn"
    assert not wrong


@pytest.mark.parametrize("part", range(3))
def test_the_same_chart_as_an_altair_object_is_the_same_picture(part: int) -> None:
    for name in _NAMES[::8][part::3]:
        chart = ours(SPECS[name])
        again = json.loads(chart.to_altair().to_json())
        if "config" not in SPECS[name]:
            again.pop("config", None)  # Altair's own size of a view
        assert not difference(scene(chart.to_dict()), scene(again | {"$schema": chart.to_dict()["$schema"]})), name


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_what_loads_links_or_runs_is_left_out_and_said(name: str) -> None:
    spec, said = HOSTILE[name]
    chart = ours(spec)
    assert said in chart.problem_or_notes
    written = json.dumps(chart.spec)
    assert "elsewhere.example" not in written
    assert not any(word in written for word in ('"signal"', "alert", "constructor", '"url"', '"href"', "event.view"))


def _places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(node, dict):
        yield path
        for key, value in node.items():
            yield from _places(value, (*path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from _places(value, (*path, index))


def test_a_key_that_nobody_knows_is_said_wherever_it_stands() -> None:
    free = {"value", "values", "datum", "bind", "style", "domain"}  # there a key is a name of the author's own
    for name in _NAMES[::6]:
        for path in _places(SPECS[name]):
            if free & set(path):
                continue
            spec = copy.deepcopy(SPECS[name])
            place = spec
            for step in path:
                place = place[step]
            place["nobodyKnows"] = 1
            assert "nobodyKnows" in ours(spec).problem_or_notes, (name, path)


def test_a_type_that_does_not_belong_there_is_left_out_and_said() -> None:
    spec = {"mark": "bar", "encoding": {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high", "type": "quantitative"}, "y": {"field": "kind", "type": "nominal"}}}  # fmt: skip
    chart = ours(spec)
    assert chart.notes == ["encoding.x2.type: not a key that Vega-Lite knows here"]
    chart.to_altair().to_dict()


def test_a_chart_that_would_show_nothing_says_so() -> None:
    nothing = ours({**BAR, "transform": [{"filter": "datum.n > 1000"}]})
    assert nothing.trouble == "it would show nothing: no row of the result is drawn"
    assert nothing._repr_mimebundle_()[0] == {"text/plain": f"No chart: {nothing.trouble}"}
    flat = ours({**BAR, "mark": {"type": "bar", "opacity": 0}})
    assert flat.trouble == "it would show nothing: its marks have no size"
    assert ours(BAR).trouble is None


def test_more_than_four_hundred_panels_are_refused_and_eighty_are_drawn() -> None:
    repeated = {"repeat": ["n", "v"] * 250, "spec": {"mark": "bar", "encoding": {"x": {"field": {"repeat": "repeat"}, "type": "quantitative"}}}}  # fmt: skip
    assert ours({"hconcat": [BAR] * 401}).problem == "the chart would have more than 400 panels"
    assert ours(repeated).problem == "the chart would have more than 400 panels"
    assert ours({"concat": [BAR] * 80, "columns": 8}).problem is None
