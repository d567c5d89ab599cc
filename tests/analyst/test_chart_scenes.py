"""What the analyst's charts look like when they are drawn as a client draws them: every mark has a size."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pyarrow.types as kinds
import pytest
import worlds
from asking import ask
from test_charts import QUESTIONS

from svc_notebook.protocol.tools import Column
from svc_notebook.results.charts import render_chart


def scene(asked: Any) -> ET.Element:
    """The chart of an answer, by the way of the client's guard, as a parsed SVG."""
    columns = [Column(name, _kind(asked.table.column(name))) for name in asked.table.column_names]
    rows = [[_wire(value) for value in row] for row in asked.rows()]
    svg = render_chart(asked.spec, columns, rows).to_svg()
    assert svg is not None
    return ET.fromstring(svg)


def _kind(column: Any) -> str:
    if kinds.is_temporal(column.type):
        return "Timestamp"
    return "String" if kinds.is_string(column.type) or kinds.is_large_string(column.type) else "Double"


def _wire(value: Any) -> Any:
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return float(value) if hasattr(value, "as_tuple") else value


def marks(svg: ET.Element) -> list[ET.Element]:
    return [
        path
        for group in svg.iter()
        if "mark-" in group.get("class", "") and "role-mark" in group.get("class", "")
        for path in group.iter()
        if path.get("d")
    ]


def rectangle(path: str) -> tuple[float, float] | None:
    """Width and height of ``M x,y h w v h h -w Z``; None for any other shape."""
    found = re.fullmatch(r"M[-\d.e]+,[-\d.e]+h([-\d.e]+)v([-\d.e]+)h[-\d.e]+Z", path)
    return (abs(float(found[1])), abs(float(found[2]))) if found else None


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_chart_kind_has_marks_with_a_size(question: str) -> None:
    pytest.importorskip("vl_convert")
    paths = [str(path.get("d")) for path in marks(scene(ask(worlds.shop(), question)))]
    assert paths
    assert not any("NaN" in path for path in paths)
    sizes = [size for path in paths if (size := rectangle(path)) is not None]
    assert all(width > 0.5 for width, _ in sizes), sizes[:5]
    assert not sizes or max(height for _, height in sizes) > 5
