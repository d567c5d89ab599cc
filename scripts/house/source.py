"""A package read as text: its modules, and which of them imports which."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

__all__ = ["Import", "Module", "Package"]

When = Literal["loading", "calling"]


@dataclass(frozen=True)
class Import:
    """One module imports another: when it is loaded, or when a function of it is called."""

    importer: str
    imported: str
    when: When


@dataclass(frozen=True)
class Module:
    """A module by its name within the package (``""`` is the package itself)."""

    name: str
    text: str
    is_package: bool

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def summary(self) -> str:
        """The first sentence of its docstring."""
        return (ast.get_docstring(self.tree) or "").partition("\n\n")[0].replace("\n", " ")


@dataclass(frozen=True)
class Package:
    """The modules of an installed package, or of one in a working tree."""

    root: Path

    @classmethod
    @cache
    def at(cls, root: Path) -> Package:
        """The package in this folder, read once for all that is asked of it."""
        return cls(root)

    @cached_property
    def modules(self) -> Mapping[str, Module]:
        return {module.name: module for path in sorted(self.root.rglob("*.py")) for module in [self._module(path)]}

    def _module(self, path: Path) -> Module:
        *folders, stem = path.relative_to(self.root).with_suffix("").parts
        is_package = stem == "__init__"
        return Module(".".join(folders if is_package else [*folders, stem]), path.read_text("utf-8"), is_package)

    @cached_property
    def imports(self) -> frozenset[Import]:
        """Every import of one module by another; what only a type checker reads is none."""
        return frozenset(
            Import(module.name, target, when)
            for module in self.modules.values()
            for node, when in _imports(module.tree, "loading")
            for target in self._targets(module, node)
            if target != module.name
        )

    def _targets(self, module: Module, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
        if isinstance(node, ast.Import):
            yield from (found for alias in node.names if (found := self._inside(alias.name)) is not None)
            return
        base = self._base(module, node)
        if base is None:
            return
        for alias in node.names:
            member = f"{base}.{alias.name}".strip(".")
            if member in self.modules:
                yield member
            elif base in self.modules:
                yield base

    def _base(self, module: Module, node: ast.ImportFrom) -> str | None:
        if not node.level:
            return self._inside(node.module or "")
        parts = module.name.split(".") if module.name else []
        above = parts[: len(parts) - node.level + module.is_package]
        return ".".join([*above, *([node.module] if node.module else [])])

    def _inside(self, name: str) -> str | None:
        first, _, rest = name.partition(".")
        return rest if first == self.root.name and (rest in self.modules) else None


def _imports(node: ast.AST, when: When) -> Iterator[tuple[ast.Import | ast.ImportFrom, When]]:
    for child in _statements(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, when
        elif isinstance(child, ast.If) and _for_checkers(child.test):
            for other in child.orelse:
                yield from _imports(other, when)
        else:
            yield from _imports(child, "calling" if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) else when)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements in the blocks of a node, and what has blocks of its own: no expression holds an import."""
    for _, block in ast.iter_fields(node):
        if isinstance(block, list):
            yield from (each for each in block if isinstance(each, ast.stmt | ast.excepthandler | ast.match_case))


def _for_checkers(test: ast.expr) -> bool:
    return any("TYPE_CHECKING" in {getattr(node, "id", ""), getattr(node, "attr", "")} for node in ast.walk(test))
