"""Altair, on request only: the import costs seconds in an environment that holds JupyterLab, and there is a cure.

jsonschema, which Altair imports, compiles a grammar for IRIs when ``rfc3987_syntax`` is installed, as JupyterLab has it
installed; four of Altair's five seconds go there. Hiding that module during the import costs only jsonschema's check of
the format "iri", which no chart needs.
"""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

    import altair as alt

__all__ = ["altair_chart", "import_altair"]

_GRAMMAR = "rfc3987_syntax"
RENDERER = "svc_notebook"


def import_altair() -> ModuleType:
    """Altair, imported without the grammar; its default renderer is replaced by one that draws offline.

    A renderer that somebody chose (anything but Altair's own default) is left alone.
    """
    # jsonschema imports it to check addresses, which no chart has; building its grammar takes longer than all of
    # Altair.
    hidden = _GRAMMAR not in sys.modules and "jsonschema" not in sys.modules
    if hidden:
        # None makes an import fail as if it were not installed, which jsonschema is prepared for.
        sys.modules[_GRAMMAR] = None  # type: ignore[assignment]
    try:
        altair = importlib.import_module("altair")
    except ImportError as missing:
        raise ImportError("charts as Altair objects need Altair: pip install altair") from missing
    finally:
        if hidden:
            del sys.modules[_GRAMMAR]
    if RENDERER not in altair.renderers.names():
        altair.renderers.register(RENDERER, _bundle)
        if altair.renderers.active in {"", "default", "html"}:
            altair.renderers.enable(RENDERER)
    return altair


def altair_chart(spec: dict[str, Any]) -> alt.Chart:
    """A whole spec (with data) as an Altair chart.

    Raises
    ------
    ValueError
        When Altair's schema refuses the spec; the message is its first line.
    """
    altair = import_altair()
    try:
        chart: alt.Chart = altair.Chart.from_dict(_lifted(spec))
    except altair.utils.schemapi.SchemaValidationError as invalid:
        first = str(invalid).strip().split("\n")[0][:300]
        raise ValueError(f"Altair cannot take this chart: {first}") from None
    return chart


def _lifted(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The spec with the selections of composed views at its top, tied to their views by name.

    Altair moves them there itself, and loses the tie where a view has no name.
    """
    count = itertools.count(1)
    moved: list[dict[str, Any]] = []

    def lifted(view: Mapping[str, Any]) -> dict[str, Any]:
        out = dict(view)
        for key in ("layer", "hconcat", "vconcat", "concat"):
            if key in out:
                out[key] = [lifted(part) for part in out[key]]
        selections = [param for param in out.get("params", ()) if "select" in param and "mark" in out]
        if selections and view is not spec:
            out.setdefault("name", f"view_{next(count)}")
            moved.extend({**param, "views": [out["name"]]} for param in selections)
            out["params"] = [param for param in out["params"] if param not in selections]
        return {key: value for key, value in out.items() if key != "params" or value}

    whole = lifted(spec)
    return {**whole, "params": [*whole.get("params", ()), *moved]} if moved else whole


def _bundle(spec: dict[str, Any], **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What Altair shows: the offline format, a PNG where possible, and no script."""
    from .charts import MIME, SCHEMA, _converted
    from .embed_options import EMBED_OPTIONS

    spec = {**spec, "$schema": SCHEMA}
    # vega-embed takes options from it, in which a chart would decide what its page does.
    spec.pop("usermeta", None)
    if spec.get("width") == "container":
        # JupyterLab measures a container that has no width yet, and again at each redraw: the page freezes.
        spec["width"] = 520
    data: dict[str, Any] = {MIME: spec, "text/plain": "Chart"}
    if (png := _converted("vegalite_to_png", spec)) is not None:
        data["image/png"] = png
    return data, {MIME: {"embed_options": EMBED_OPTIONS}}
