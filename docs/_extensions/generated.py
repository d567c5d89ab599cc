"""Reference pages are written by what they describe: a page's ``<!-- insert: endpoints -->`` is replaced on reading.

Whoever reads the page as a file sees the prose; the site also has the parts that follow from the code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from command_line import commands
from endpoints import endpoints, schemas
from navigation import navigation
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

PARTS: dict[str, Callable[[], str]] = {
    "commands": commands,
    "endpoints": endpoints,
    "schemas": schemas,
    "navigation": navigation,
}
MARK = re.compile(r"^<!-- insert: ([\w ]+) -->$", re.MULTILINE)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", insert)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def insert(_app: Sphinx, page: str, source: list[str]) -> None:
    """Put every part where its mark stands."""

    def part(mark: re.Match[str]) -> str:
        if mark[1] not in PARTS:
            raise ExtensionError(f"{page}: nothing is called {mark[1]!r}; there is {', '.join(sorted(PARTS))}")
        return PARTS[mark[1]]()

    if not page.startswith("notebooks/"):
        source[0] = MARK.sub(part, source[0])
