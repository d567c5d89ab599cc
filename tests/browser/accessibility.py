"""axe-core over a part of a page."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

__all__ = ["violations"]


@cache
def _source() -> str:
    package = pytest.importorskip("axe_playwright_python", reason="axe-core is not installed")
    return (Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any, selector: str) -> list[str]:
    """What axe-core finds in every element of ``selector``: rule, and the first place."""
    page.evaluate(_source())
    found = page.evaluate(
        """async (selector) => (await axe.run(document.querySelectorAll(selector),
            {resultTypes: ["violations"]})).violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 160)}
            ${v.nodes[0].any.concat(v.nodes[0].all).map((c) => c.message).join("; ").slice(0, 200)} ×${v.nodes.length}`)""",
        selector,
    )
    return [str(problem) for problem in found]
