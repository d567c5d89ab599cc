"""Vega for the pages that draw a chart: the package's own bundle, as a plain script that works from a file too."""

from __future__ import annotations

import gzip
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

EXPORTS = re.compile(r"export\{([^{}]+)\};?\s*$")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("html-page-context", add_script)
    app.connect("build-finished", write_bundle)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def add_script(
    app: Sphinx, _page: str, _template: str, _context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """``charts.js`` on pages with a chart, and on no other."""
    if doctree is not None and any('class="drawn-chart"' in node.astext() for node in doctree.findall(nodes.raw)):
        app.add_js_file("charts.js", loading_method="defer")


def write_bundle(app: Sphinx, failure: Exception | None) -> None:
    """The ES module as a script that leaves its exports in ``window.svcVega``."""
    if failure is None:
        packed = files("svc_notebook.front").joinpath("static", "vega.js.gz").read_bytes()
        Path(app.outdir, "_static", "vega.js").write_text(as_script(gzip.decompress(packed).decode()), "utf-8")


def as_script(module: str) -> str:
    """The module's text with its export statement turned into an assignment."""
    found = EXPORTS.search(module)
    if found is None:
        raise ValueError("the Vega bundle does not end in an export statement")
    names = ",".join(":".join(reversed(name.split(" as "))) for name in found[1].split(","))
    return f'(()=>{{"use strict";{module[: found.start()]}window.svcVega={{{names}}};}})();\n'
