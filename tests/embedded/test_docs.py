"""The snippets of the client's page are run, in order."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any


def test_the_clients_page_runs(root: Path) -> None:
    scope: dict[str, Any] = {}
    found = re.findall(
        r"^```python\n(.*?)^```", (root / "docs" / "client.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    try:
        for number, snippet in enumerate(found, 1):
            exec(compile(snippet, f"client.md snippet {number}", "exec"), scope)  # our own page
        assert scope["frame"].attrs["truncated"] is False
        assert len(scope["frame"]) == scope["result"].total_rows > 100
    finally:
        if "client" in scope:
            scope["client"].close()
