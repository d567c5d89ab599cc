"""Every Python snippet of the README is run, in order, as a reader would; every link leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import svc_notebook as svc

PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")


def snippets(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_the_tour_runs(root: Path):
    scope: dict = {}
    try:
        for number, snippet in enumerate(snippets(root / "README.md"), 1):
            exec(compile(snippet, f"README.md snippet {number}", "exec"), scope)
        assert scope["answer"].status == "complete"
        assert scope["stream"].answer.status == "aborted"
        assert scope["session"].session_id in scope["session"].embed_url("chat")
    finally:
        if "client" in scope:
            scope["client"].close()


@pytest.mark.parametrize("name", ["docs/python.md", "docs/demo.md"])
def test_snippets_of_the_docs_run(root: Path, name: str):
    scope: dict = {}
    try:
        for number, snippet in enumerate(snippets(root / name), 1):
            exec(compile(snippet, f"{name} snippet {number}", "exec"), scope)
    finally:
        if "client" in scope:
            scope["client"].close()


def linked(page: Path) -> list[str]:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    return [
        target for target in re.findall(r"\]\(([^)\s]+)\)", text) if not target.startswith(("http", "#", "mailto:"))
    ]


def pages(root: Path) -> list[Path]:
    found = [root / name for name in PAGES] + sorted((root / "docs").rglob("*.md"))
    return [*found, root / "binder/README.md", root / "src/svc_notebook/demo/data/README.md"]


def test_every_relative_link_leads_somewhere(root: Path):
    broken = [
        f"{page.relative_to(root)}: {target}"
        for page in pages(root)
        for target in linked(page)
        if not (page.parent / target.partition("#")[0]).exists()
    ]
    assert broken == []


def test_every_public_name_appears_in_the_readme_the_docs_or_a_notebook(root: Path):
    text = "\n".join(path.read_text("utf-8") for path in [*pages(root), *sorted((root / "notebooks").glob("*.ipynb"))])
    assert [name for name in svc.__all__ if not re.search(rf"\b{name}\b", text)] == []


@pytest.mark.parametrize("name", svc.__all__)
def test_every_public_name_has_a_docstring(name):
    assert (getattr(svc, name).__doc__ or "").strip()
