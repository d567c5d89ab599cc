"""What the README and the pages say of each other is so: links, names, one line for each."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import svc_notebook as svc

from .pages import pages


def linked(page: Path) -> list[str]:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    return [
        target for target in re.findall(r"\]\(([^)\s]+)\)", text) if not target.startswith(("http", "#", "mailto:"))
    ]


def test_every_relative_link_leads_somewhere(root: Path):
    broken = [
        f"{page.relative_to(root)}: {target}"
        for page in pages()
        for target in linked(page)
        if not (page.parent / target.partition("#")[0]).exists()
    ]
    assert broken == []


def test_every_public_name_appears_in_the_readme_the_docs_or_a_notebook(root: Path):
    text = "\n".join(path.read_text("utf-8") for path in [*pages(), *sorted((root / "notebooks").glob("*.ipynb"))])
    assert [name for name in svc.__all__ if not re.search(rf"\b{name}\b", text)] == []


@pytest.mark.parametrize("name", svc.__all__)
def test_every_public_name_has_a_docstring(name):
    assert (getattr(svc, name).__doc__ or "").strip()


def test_a_page_leads_to_every_page(root: Path):
    """Whoever reads the folder without a site finds every page from the front page, the README or a page they lead to."""
    found, waiting = set(), [root / "README.md", root / "docs/index.md"]
    while waiting:
        page = waiting.pop()
        if page in found or page.suffix != ".md":
            continue
        found.add(page)
        waiting += [(page.parent / target.partition("#")[0]).resolve() for target in linked(page)]
    assert sorted(path.name for path in set((root / "docs").glob("*.md")) - found) == []


def test_what_the_readme_tells_to_install_is_there(root: Path):
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    named = [
        extra
        for page in pages()
        for extras in re.findall(r"pip install [\"']?\.\[([\w,]+)\]", page.read_text("utf-8"))
        for extra in extras.split(",")
    ]
    assert named
    assert set(named) <= project["optional-dependencies"].keys()
