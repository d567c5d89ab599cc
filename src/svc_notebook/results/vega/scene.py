"""Whether a chart shows anything: its scene, laid out by vl-convert where that is installed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["VEGA_LITE", "data_marks", "scene_of", "trouble_of"]

VEGA_LITE = "5.21"
"""The version that the charts are drawn with, here and in the browser."""


def scene_of(spec: Mapping[str, Any]) -> Any:
    """The scene of a whole specification; nothing is fetched.

    Raises
    ------
    ImportError
        Without vl-convert.
    ValueError
        When it cannot be drawn.
    """
    import vl_convert

    return vl_convert.vegalite_to_scenegraph(dict(spec), vl_version=VEGA_LITE, allowed_base_urls=[])["scenegraph"]


def data_marks(scene: Any) -> Iterator[dict[str, Any]]:
    """Items of a scene that stand for data: not its axes, legends, titles and backgrounds."""
    stack = [scene]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            if node.get("role") == "mark" and node.get("marktype") != "group":
                yield from (item | {"marktype": node["marktype"]} for item in node.get("items", ()))
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)


def trouble_of(spec: Mapping[str, Any]) -> str | None:
    """Why nobody would see this chart, in a line; None where it shows something or cannot be looked at."""
    try:
        marks = list(data_marks(scene_of(spec)))
    except ImportError:
        return None
    except ValueError as failed:
        return f"it cannot be drawn ({_first_line(str(failed))})"
    if not marks:
        return "it would show nothing: no row of the result is drawn"
    return None if any(_seen(mark) for mark in marks) else "it would show nothing: its marks have no size"


def _seen(mark: Mapping[str, Any]) -> bool:
    if mark.get("opacity", 1) == 0 or not any(mark.get(paint) for paint in ("fill", "stroke")):
        return False
    if mark["marktype"] == "rect":
        return bool(mark.get("width", 1)) and bool(mark.get("height", 1))
    if mark["marktype"] == "arc":
        return bool(mark.get("startAngle") != mark.get("endAngle"))
    # 64 is what Vega draws where no size is said.
    return bool(mark["marktype"] != "symbol" or mark.get("size", 64) != 0)


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if "Error:" in line), lines[0] if lines else "no reason given")[:160]
