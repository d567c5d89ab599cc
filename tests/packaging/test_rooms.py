"""Rooms inside the large packages: no two of them import each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import svc_notebook

PACKAGE = Path(svc_notebook.__file__).parent
FLATS = ("service", "semantic/compiler", "analyst/offline")
KNOWN = {  # and why
    ("plans", "schema"): "a measure of the model is told as a plan's",
}


def rooms_of(folder: Path) -> set[str]:
    return {each.parent.name for each in folder.glob("*/__init__.py")}


def reached(path: Path, folder: Path) -> Iterator[str]:
    """The rooms of a folder that a module imports, wherever the import stands but for type checking."""
    here = path.relative_to(folder).parts[:-1]
    tree = ast.parse(path.read_text("utf-8"))
    aside = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level and id(node) not in aside and node.level - 1 <= len(here):
            base = (*here[: len(here) - node.level + 1], *(node.module or "").split("."))
            names = base if base[0] else tuple(alias.name for alias in node.names)
            yield names[0]


def pairs(folder: Path) -> set[tuple[str, str]]:
    """Rooms that import each other."""
    rooms = rooms_of(folder)
    arrows = {
        (path.relative_to(folder).parts[0], other)
        for path in folder.rglob("*.py")
        if path.parent != folder
        for other in reached(path, folder)
        if other in rooms
    }
    return {(one, other) for one, other in arrows if one < other and (other, one) in arrows}


@pytest.mark.parametrize("flat", FLATS)
def test_no_two_rooms_import_each_other(flat: str) -> None:
    assert len(rooms_of(PACKAGE / flat)) >= 6
    assert pairs(PACKAGE / flat) - set(KNOWN) == set()


def test_what_is_known_is_still_so() -> None:
    assert set(KNOWN) == {pair for flat in FLATS for pair in pairs(PACKAGE / flat)}


def test_two_rooms_that_do_are_found(tmp_path: Path) -> None:
    for name, text in {"a/__init__.py": "", "b/__init__.py": "", "a/one.py": "from ..b.two import x\n",
                       "b/two.py": "def late():\n    from ..a import one\n"}.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert pairs(tmp_path) == {("a", "b")}
