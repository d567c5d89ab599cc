"""Notebooks as pages: what their stored outputs look like without a kernel.

A chart's bundle holds a Vega-Lite specification and a PNG. The page shows the PNG; beside it stands the specification,
from which ``charts.js`` draws the living chart where there is JavaScript. Widgets show the static text they have. The
links at a notebook's end are left out: every page has "next" and "previous".
"""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

import nbformat
from nbformat import NotebookNode

__all__ = ["CHART", "read"]

CHART = "application/vnd.vegalite.v5+json"
WIDGET = "application/vnd.jupyter.widget-view+json"
LINKS_AT_THE_END = re.compile(r"\s*---\s*\n[^\n]*\.ipynb\)[^\n]*\s*")
NOTHING_TO_SEE = re.compile(r'\s*<div class="svc-live" style="display:none"></div>\s*')


def read(text: str) -> NotebookNode:
    """The notebook as it is shown."""
    notebook = nbformat.reads(text, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if not LINKS_AT_THE_END.fullmatch(cell.source)]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            charts = [_alternative(data) for output in cell.outputs if CHART in (data := output.get("data") or {})]
            if charts:
                cell.metadata["mystnb"] = {"image": {"alt": "; ".join(charts)}}
            if any("svc-static" in output.get("data", {}).get("text/html", "") for output in cell.outputs):
                cell.outputs = [output for output in cell.outputs if WIDGET not in output.get("data", {})]
            cell.outputs = [shown for output in cell.outputs for shown in _shown(output)]
    return notebook


def _shown(output: NotebookNode) -> list[NotebookNode]:
    data: dict[str, Any] = output.get("data") or {}
    if NOTHING_TO_SEE.fullmatch(data.get("text/html", "")):
        return []
    if CHART in data:
        return [_part(output, {"image/png": data["image/png"]}), _part(output, {"text/html": _specification(data)})]
    if data.pop(WIDGET, None) is not None and data.keys() == {"text/plain"}:
        data["text/html"] = f"<p><em>{escape(data['text/plain'])} shows itself where a kernel runs.</em></p>"
    return [output]


def _part(output: NotebookNode, data: dict[str, Any]) -> NotebookNode:
    return NotebookNode(output_type="display_data", data=NotebookNode(data), metadata=NotebookNode())


def _specification(data: dict[str, Any]) -> str:
    text = json.dumps(data[CHART], separators=(",", ":")).replace("</", "<\\/")
    return f'<script type="{CHART}" class="drawn-chart" data-alt="{escape(_alternative(data))}">{text}</script>'


def _alternative(data: dict[str, Any]) -> str:
    """What the chart shows, in words."""
    text = " ".join(data.get("text/plain", "").split())
    title = data[CHART].get("title")
    return text if len(text) > len("<Chart>") + 2 else f"Chart: {title}" if isinstance(title, str) else "Chart"
