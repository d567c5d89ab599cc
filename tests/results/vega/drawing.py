"""A specification's scene, as vl-convert lays it out: what is compared instead of JSON."""

from __future__ import annotations

import json
from typing import Any

from svc_notebook.results.charts import Chart, render_chart
from svc_notebook.results.vega.scene import scene_of

from .table import COLUMNS, ROWS, records

__all__ = ["difference", "ours", "scene", "standard"]


def ours(spec: dict[str, Any]) -> Chart:
    return render_chart(json.dumps(spec), COLUMNS, ROWS)


def scene(spec: dict[str, Any]) -> Any:
    return _rounded(scene_of(spec))


def standard(spec: dict[str, Any], chart: Chart) -> Any:
    """The scene of the specification as it was written, at the size that its place gives it."""
    sizes = {side: chart.spec[side] for side in ("width", "height") if side in chart.spec and side not in spec}
    return scene({**spec, **sizes, "data": {"values": records()}})


def difference(one: Any, other: Any, where: str = "") -> str:
    """The first place where two scenes differ; empty when they are equal."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            if found := difference(one.get(key), other.get(key), f"{where}.{key}"):
                return found
        return ""
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return f"{where}: {len(one)} against {len(other)}"
        return next(
            (
                found
                for i, pair in enumerate(zip(one, other, strict=True))
                if (found := difference(*pair, f"{where}[{i}]"))
            ),
            "",
        )
    return "" if one == other else f"{where}: {str(one)[:80]} against {str(other)[:80]}"


def _rounded(node: Any) -> Any:
    if isinstance(node, float):
        return round(node, 3) + 0.0
    if isinstance(node, dict):
        return {key: _rounded(value) for key, value in node.items() if key != "name"}
    return [_rounded(item) for item in node] if isinstance(node, list) else node
