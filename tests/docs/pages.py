"""The pages as their authors wrote them: files, links, snippets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
AT_THE_TOP = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
FENCE = re.compile(
    r"^(?:<!-- not run: (?P<why>[^\n]+) -->\n)?```(?P<kind>\w+)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Snippet:
    """A fenced block. ``why`` is the reason it is not run, where it has one."""

    page: str
    line: int
    kind: str
    text: str
    why: str | None

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def pages() -> list[Path]:
    found = [ROOT / name for name in AT_THE_TOP] + sorted((ROOT / "docs").glob("*.md"))
    return [*found, ROOT / "binder/README.md", ROOT / "src/svc_notebook/demo/data/README.md"]


def snippets(*kinds: str) -> list[Snippet]:
    """Every snippet of these kinds, page by page, in order."""
    return [
        Snippet(
            str(page.relative_to(ROOT)),
            text[: found.start()].count("\n") + 1,
            found["kind"],
            found["text"],
            found["why"],
        )
        for page in pages()
        for text in [page.read_text("utf-8")]
        for found in FENCE.finditer(text)
        if found["kind"] in kinds
    ]
