"""Names that are defined and never spoken again: dead code, or what only the tests keep alive."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .source import Module, Package

__all__ = ["Unused", "unused"]

_WORD = re.compile(r"[A-Za-z_]\w+")
_READ = {".py", ".js", ".yml", ".yaml", ".md", ".toml", ".ipynb", ".html", ".json"}
_CALLED_BY_OTHERS = re.compile(
    r"__\w+__|_repr_\w+_|_ipython_display_"  # Python, and what shows a value
    r"|_esm|_css"  # anywidget
    r"|handle_request|extract_cookies"  # httpx: a transport, a jar
    r"|process_message|cancel_response|AnalystPersona"  # JupyterLab's chat: a persona
    r"|down_revision|branch_labels|depends_on|downgrade"  # Alembic: a migration
    r"|[A-Z]"  # a type variable
)
"""Names that somebody else calls by their name."""


@dataclass(frozen=True)
class Unused:
    """Where a name is defined, and whether anything outside of the package speaks of it."""

    module: str
    name: str
    line: int
    by_tests_alone: bool


def unused(root: Path) -> list[Unused]:
    """Names of functions, classes, methods and constants that the package defines and does not use."""
    package = Package(root / "src" / "svc_notebook")
    spoken = _spoken(root / "src")
    promised = _spoken(root / "docs") + _spoken(root / "notebooks") + _spoken(root / "README.md")
    outside = _spoken(root / "tests") + _spoken(root / "benchmarks") + _spoken(root / "scripts")
    defined = [(module.name, name, line) for module in package.modules.values() for name, line in _defined(module.tree)]
    times = Counter(name for _, name, _ in defined)
    prefixes = tuple({prefix for module in package.modules.values() for prefix in _prefixes(module.tree)})
    listed = Counter(name for module in package.modules.values() for name in _listed(module.tree))
    forgotten = {(module.name, name) for module in package.modules.values() for name in _forgotten(module)}
    borrowed = {name for module in package.modules.values() for name in _imported(module.tree)}
    return [
        Unused(module, name, line, name in outside)
        for module, name, line in defined
        if (spoken[name] - listed[name] <= times[name] or (module, name) in forgotten and name not in borrowed)
        and name not in promised
        and not name.startswith(prefixes)
        and not _CALLED_BY_OTHERS.fullmatch(name)
    ]


def _spoken(place: Path) -> Counter[str]:
    paths = [place] if place.is_file() else sorted(place.rglob("*"))
    texts = (path.read_text("utf-8", "replace") for path in paths if path.suffix in _READ and path.is_file())
    return Counter(word for text in texts for word in _WORD.findall(text))


def _defined(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if not node.decorator_list or _plain(node):
                yield node.name, node.lineno
        elif isinstance(node, ast.ClassDef):
            yield node.name, node.lineno
            yield from _defined(node)
        elif isinstance(node, ast.Assign) and not (isinstance(tree, ast.ClassDef) and tree.bases):  # a base may read it
            yield from ((target.id, node.lineno) for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(tree, ast.Module):
            yield node.target.id, node.lineno


def _forgotten(module: Module) -> Iterator[str]:
    """Private names of a module that it speaks of once, where it defines them, whatever others call so.

    Names within its classes are none: a class that extends them may be elsewhere.
    """
    times = Counter(_WORD.findall(module.text))
    inside = {name for node in module.tree.body if isinstance(node, ast.ClassDef) for name, _ in _defined(node)}
    own = (name for name, _ in _defined(module.tree) if name not in inside)
    return (name for name in own if name.startswith("_") and times[name] == 1)


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (each.name for each in node.names)


def _plain(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether nothing but the language decorates it: another decorator may hand it to somebody."""
    names = {ast.unparse(each).partition("(")[0].rpartition(".")[2] for each in node.decorator_list}
    return names <= {"property", "classmethod", "staticmethod", "cached_property", "cache", "lru_cache"}


def _prefixes(tree: ast.Module) -> Iterator[str]:
    """Beginnings of names that are put together when they are called, as in ``getattr(self, f"on_{kind}")``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            begin = str(node.values[0].value)
            if begin.isidentifier() and begin.endswith("_") and len(begin) > 2:
                yield begin


def _listed(tree: ast.Module) -> Iterator[str]:
    """What ``__all__`` holds: to be listed is not to be used."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            yield from (each.value for each in ast.walk(node.value) if isinstance(each, ast.Constant))
