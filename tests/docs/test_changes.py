"""What CONTRIBUTING.md says of where a change goes is so: the files are there, and hold the names it speaks of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from svc_notebook.semantic.loading import conditions
from svc_notebook.semantic.policies import row_filters

from .pages import ROOT

PACKAGE = ROOT / "src" / "svc_notebook"
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Where a change goes")[1].split("\n## ")[0]
ROWS = {
    cells[0].strip(): (cells[1], cells[2])
    for line in PAGE.splitlines()
    if line.startswith("| a") and (cells := line.strip("|").split("|"))
}
SPOKEN = re.compile(r"`([^`]+)`(?: \(((?:`[^`]+`[^()`]*)+)\))?")


def place(name: str, before: Path) -> Path:
    """A file as the page names it: from the root, within the package, or beside the one named before it."""
    found = [each for each in (ROOT / name, PACKAGE / name, before.parent / name, before / name) if each.exists()]
    return found[0] if found else ROOT / name


def files(cell: str) -> list[tuple[Path, list[str]]]:
    """Every file of a cell, with the names the page says it holds."""
    found: list[tuple[Path, list[str]]] = []
    before = PACKAGE
    for match in SPOKEN.finditer(cell):
        if "/" not in match[1] and "." not in match[1]:
            continue
        before = place(match[1], before)
        found.append((before, re.findall(r"`([^`]+)`", match[2] or "")))
    return found


def test_the_seven_changes_are_there():
    assert len(ROWS) == 7


@pytest.mark.parametrize("change", ROWS)
def test_every_file_is_there_and_holds_what_is_named(change: str):
    changed, guards = (files(cell) for cell in ROWS[change])
    assert changed
    assert guards
    by_hand = {"questions.toml", "phrases.toml", "sayings.toml"}  # of the new language's own folder
    for path, names in [*changed, *guards]:
        if path.name in by_hand:
            assert list((PACKAGE / "analyst/offline/languages").glob(f"*/{path.name}"))
            continue
        assert path.exists(), path
        text = "" if path.is_dir() else path.read_text("utf-8")
        for name in names:
            assert (path / name).exists() if path.is_dir() else re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text), (
                path,
                name,
            )


def test_an_operator_that_is_read_can_be_written():
    assert set(conditions.OPERATORS) == row_filters.OPERATORS
