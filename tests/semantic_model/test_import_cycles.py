"""Imports of the semantic layer lead one way, those inside functions and those for type checking counted."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import svc_notebook.semantic

ROOT = Path(svc_notebook.semantic.__file__).parent


def modules() -> dict[str, Path]:
    """Every module by its dotted name below ``semantic``, packages by theirs."""
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") or "__init__": path
            for path in ROOT.rglob("*.py")}  # fmt: skip


def imported(name: str, path: Path, known: dict[str, Path]) -> set[str]:
    """The modules of ``semantic`` that a module imports, wherever in it the import stands."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    package = [] if name == "__init__" else package
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.ImportFrom) or node.level > len(package) + 1:
            continue
        if node.level:
            base = package[: len(package) + 1 - node.level]
        elif (node.module or "").startswith("svc_notebook.semantic"):
            base = []
        else:
            continue
        parts = (node.module or "").split(".")[0 if node.level else 2 :] if node.module else []
        for alias in node.names:
            whole = ".".join([*base, *parts, alias.name])
            found.add(whole if whole in known else ".".join([*base, *parts]) or "__init__")
    return {other for other in found if other in known and other != name}


def test_no_module_leads_back_to_itself() -> None:
    known = modules()
    graph = {name: imported(name, path, known) for name, path in known.items()}
    assert len(graph) > 150
    assert sum(map(len, graph.values())) > 700
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as cycle:
        pytest.fail(" → ".join(cycle.args[1]))


def test_imports_are_seen_wherever_they_stand(tmp_path: Path) -> None:
    module = tmp_path / "one.py"
    module.write_text(
        "from typing import TYPE_CHECKING\nfrom .errors import QueryError\n"
        "if TYPE_CHECKING:\n    from .layer import SemanticLayer\n"
        "def late():\n    from .compiler.compile import compile\n"
    )
    assert imported("one", module, modules()) == {"errors", "layer", "compiler.compile"}
