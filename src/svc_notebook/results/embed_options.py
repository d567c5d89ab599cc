"""How a front end's own renderer is told to draw a chart in a cell: as narrow as the cell, in the page's colours.

JupyterLab hands the options of an output to vega-embed. By itself that paints a canvas in the colours the page had
when it was drawn, as wide as the chart says: on a page that changes its theme the chart stays as it was, and in a
narrow cell it is cut off. An SVG without a background that says ``currentColor`` follows the page at any time, and a
few rules let it shrink; where it would become too small to read, it is scrolled.
"""

from __future__ import annotations

from typing import Any

__all__ = ["EMBED_OPTIONS", "shrinking"]

# The page's own ink, so that a chart is read on light and dark; "svg", since a canvas does not know it.
_INK = "currentColor"
_FAINT = "rgba(128, 128, 128, 0.35)"
_LEAST = 340  # pixels below which letters are too small
_WORDS = {"labelColor": _INK, "titleColor": _INK}

_COLOURS: dict[str, Any] = {
    "background": "transparent",
    "view": {"stroke": "transparent"},
    "axis": {**_WORDS, "gridColor": _FAINT, "domainColor": _FAINT, "tickColor": _FAINT},
    "legend": _WORDS,
    "header": _WORDS,
    "title": {"color": _INK, "subtitleColor": _INK},
    "style": {"guide-label": {"fill": _INK}, "guide-title": {"fill": _INK}},
    "text": {"color": _INK},
    "rule": {"color": _INK},
}


def shrinking(within: str = "") -> str:
    """Rules of style for charts that are wider than their place, of all or of those ``within`` a selector."""
    return (
        f"{within} .vega-embed,{within} .vega-embed .chart-wrapper{{max-width:100%;box-sizing:border-box}}"
        f"{within} .vega-embed .chart-wrapper{{overflow-x:auto}}"
        f"{within} .vega-embed svg.marks{{max-width:max(100%,{_LEAST}px);height:auto}}"
    )


# The menu of vega-embed is placed by its own style, which is replaced where another is given.
_MENU = (
    ".vega-embed{position:relative;display:inline-block}.vega-embed.has-actions{padding-right:38px}"
    ".vega-embed details:not([open])>:not(summary){display:none!important}"
    ".vega-embed summary{list-style:none;position:absolute;top:0;right:0;padding:6px;z-index:1000;color:inherit;"
    "border:1px solid rgba(128,128,128,.6);border-radius:999px;opacity:.4;cursor:pointer;line-height:0}"
    ".vega-embed summary::-webkit-details-marker{display:none}"
    ".vega-embed summary svg{width:14px;height:14px}"
    ".vega-embed:hover summary,.vega-embed:focus-within summary{opacity:1}"
    ".vega-embed .vega-actions{position:absolute;z-index:1001;top:32px;right:0;display:flex;flex-direction:column;"
    "padding:6px 0;border-radius:4px;border:1px solid #aaa;background:#fff}"
    ".vega-embed .vega-actions a{padding:6px 14px;font:600 13px sans-serif;white-space:nowrap;color:#333;"
    "text-decoration:none}"
    ".vega-embed .vega-actions a:hover,.vega-embed .vega-actions a:focus{background:#eee;color:#000}"
)

EMBED_OPTIONS: dict[str, Any] = {
    "renderer": "svg",
    "actions": {"export": True, "source": False, "compiled": False, "editor": False},
    "config": _COLOURS,
    "defaultStyle": _MENU + shrinking(),
}
"""What is said of a chart in the metadata of its output."""
