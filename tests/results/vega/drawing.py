"""A specification's scene, as vl-convert lays it out: what is compared instead of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import vl_convert

from svc_notebook.results.charts import Chart, render_chart

from .table import COLUMNS, ROWS, records

__all__ = ["difference", "ours", "scene", "standard", "visible_marks"]


def ours(spec: dict[str, Any]) -> Chart:
    return render_chart(json.dumps(spec), COLUMNS, ROWS)


def scene(spec: dict[str, Any]) -> Any:
    return _rounded(vl_convert.vegalite_to_scenegraph(spec, vl_version="5.21", allowed_base_urls=[])["scenegraph"])


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
        return next((found for i, pair in enumerate(zip(one, other, strict=True)) if (found := difference(*pair, f"{where}[{i}]"))), "")
    return "" if one == other else f"{where}: {str(one)[:80]} against {str(other)[:80]}"


def visible_marks(node: Any) -> Iterator[dict[str, Any]]:
    """Items of a scene that belong to the data, not to axes, legends or titles."""
    if isinstance(node, dict):
        if node.get("role") == "mark" and node.get("marktype") != "group":
            yield from (item for item in node.get("items", ()) if isinstance(item, dict))
        for value in node.values():
            yield from visible_marks(value)
    elif isinstance(node, list):
        for item in node:
            yield from visible_marks(item)


def _rounded(node: Any) -> Any:
    if isinstance(node, float):
        return round(node, 3) + 0.0
    if isinstance(node, dict):
        return {key: _rounded(value) for key, value in node.items()}
    return [_rounded(item) for item in node] if isinstance(node, list) else node
