"""Charts of several users beside each other, on the same scales."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from svc_notebook.front.modules import STATIC


def shared(page: Any, specs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    source = (STATIC / "chat" / "shared_scales.js").read_text(encoding="utf-8")
    page.goto("about:blank")
    return page.evaluate(
        """async ([source, specs]) => {
            const { shareScales } = await import("data:text/javascript," + encodeURIComponent(source));
            const charts = specs.map((spec) => ({ spec }));
            shareScales(charts);
            return charts.map((chart) => chart.spec);
        }""",
        [source, specs],
    )


def chart(values: list[tuple[str, str, float]], mark: Any = "bar", **y: Any) -> dict[str, Any]:
    rows = [{"month": month, "carrier": carrier, "n": n} for month, carrier, n in values]
    encoding = {
        "x": {"field": "month", "type": "nominal"},
        "y": {"field": "n", "type": "quantitative", **y},
        "color": {"field": "carrier", "type": "nominal"},
    }
    return {"mark": mark, "encoding": encoding, "data": {"values": rows}}


ONE = [("1", "DL", 10.0), ("1", "UA", 30.0), ("2", "DL", 5.0)]
OTHER = [("1", "AA", 7.0), ("2", "AA", 90.0)]


@pytest.mark.parametrize(
    ("mark", "domain"), [("bar", [0, 90]), ({"type": "bar"}, [0, 90]), ("line", [5, 90]), ("area", [0, 90])]
)
def test_numbers_and_colours_mean_the_same_on_both_sides(page: Any, mark: Any, domain: list[float]) -> None:
    for spec in shared(page, [chart(ONE, mark), chart(OTHER, mark)]):
        assert spec["encoding"]["y"]["scale"]["domain"] == domain
        assert spec["encoding"]["color"]["scale"]["domain"] == ["DL", "UA", "AA"]


def test_stacked_marks_are_added_up(page: Any) -> None:
    high = [("1", "DL", 60.0), ("1", "UA", 50.0)]
    assert shared(page, [chart(high), chart(OTHER)])[0]["encoding"]["y"]["scale"]["domain"] == [0, 110]


@pytest.mark.parametrize("other", [chart(OTHER, "line"), chart(OTHER, aggregate="sum"), {"layer": []}])
def test_what_cannot_be_compared_stays_as_it_is(page: Any, other: dict[str, Any]) -> None:
    before = [chart(ONE), other]
    after = shared(page, copy.deepcopy(before))
    assert [json.dumps(spec.get("encoding", {}).get("y")) for spec in after] == [
        json.dumps(spec.get("encoding", {}).get("y")) for spec in before
    ]
