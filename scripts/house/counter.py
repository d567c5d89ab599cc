"""What can be counted of a package's source, ours and the models' alike."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from .source import Package

__all__ = ["FIGURES", "Counts", "counted"]

_MARKS = re.compile(r"#\s*(?:type:|noqa|fmt:|pragma|isort|ruff|mypy|pylint|!|-{3}|={3}|-\*-)")
_FORKS = (
    ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.comprehension, ast.match_case,
    ast.Assert,
)  # fmt: skip

FIGURES = {
    "modules": "modules",
    "lines": "lines of code in a module, in the middle",
    "longest": "lines of code in the longest",
    "function": "lines of a function, in the middle",
    "branches": "ways through a function, in the mean",
    "tangled": "functions with more than ten ways, of 100",
    "reasons": "comments on lines of their own, for 100 lines of code",
    "behind": "comments behind code, for 100 lines of it",
    "annotated": "functions annotated whole, of 100",
    "any": "`Any`, for 1,000 lines of code",
    "broad": "handlers of every exception",
    "single": "modules that one other imports alone, of 100",
    "doubled": "modules whose name another folder has too, of 100",
    "rings": "modules in a ring of imports at loading",
}
"""Every figure by its name, and what it counts."""


@dataclass(frozen=True)
class Counts:
    """The figures of one package, by the names of :data:`FIGURES`."""

    figures: Mapping[str, float]


def counted(root: Path) -> Counts:
    """The figures of the package whose folder is ``root``."""
    package = Package.at(root)
    texts = {name: module.text for name, module in package.modules.items()}
    nodes_of = {name: list(ast.walk(module.tree)) for name, module in package.modules.items()}
    nodes = [node for found in nodes_of.values() for node in found]
    lines = {name: _code_lines(text, nodes_of[name]) for name, text in texts.items()}
    code = sum(lines.values())
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    branches = [1 + sum(_forks(node)) for node in functions]
    of_importers = Counter(imported for _, imported in {(each.importer, each.imported) for each in package.imports})
    alone = [name for name, module in package.modules.items() if not module.is_package and of_importers[name] == 1]
    stems = Counter(name.rpartition(".")[2] for name, module in package.modules.items() if not module.is_package)
    plain = sum(stems.values())
    return Counts(
        {
            "modules": len(texts),
            "lines": median(each for each in lines.values() if each),
            "longest": max(lines.values()),
            "function": median((node.end_lineno or 0) - node.lineno + 1 for node in functions),
            "branches": sum(branches) / len(functions),
            "tangled": 100 * sum(each > 10 for each in branches) / len(functions),
            "reasons": 100 * sum(map(_reasons, texts.values())) / code,
            "behind": 100 * sum(map(_behind, texts.values())) / code,
            "annotated": 100 * sum(map(_annotated, functions)) / len(functions),
            "any": 1000 * sum(map(_is_any, nodes)) / code,
            "broad": sum(map(_is_broad, nodes)),
            "single": 100 * len(alone) / plain,
            "doubled": 100 * sum(number for number in stems.values() if number > 1) / plain,
            "rings": len(_in_rings(package)),
        }
    )


def _code_lines(text: str, nodes: Iterable[ast.AST]) -> int:
    """Lines that hold code: neither blank, nor comment, nor docstring."""
    told: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            told.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in told
        for number, line in enumerate(text.splitlines(), 1)
    )


def _reasons(text: str) -> int:
    """Comments on lines of their own, those that follow one another as one; marks for tools are none."""
    own = [line.lstrip().startswith("#") and not _MARKS.match(line.lstrip()) for line in text.splitlines()]
    return sum(now and not before for before, now in zip([False, *own], own, strict=False))


def _behind(text: str) -> int:
    """Comments that stand behind code on its line; marks for tools are none."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(
        token.type == tokenize.COMMENT and bool(token.line[: token.start[1]].strip()) and not _MARKS.match(token.string)
        for token in tokens
    )


def _forks(node: ast.AST) -> Iterator[int]:
    """Where a function's way parts, functions within it left to themselves."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if isinstance(child, _FORKS):
            yield 1
        elif isinstance(child, ast.BoolOp):
            yield len(child.values) - 1
        yield from _forks(child)


def _annotated(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    given = node.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    more = [each for each in (given.vararg, given.kwarg) if each is not None]
    wanting = [each for each in (*named, *more) if each.annotation is None and each.arg not in {"self", "cls"}]
    return not wanting and (node.returns is not None or node.name == "__init__")


def _is_any(node: ast.AST) -> bool:
    return getattr(node, "id", None) == "Any" or getattr(node, "attr", None) == "Any"


def _is_broad(node: ast.AST) -> bool:
    """A handler of every exception; one that raises it again after it has tidied up is none."""
    if not isinstance(node, ast.ExceptHandler):
        return False
    names = {node.type.id} if isinstance(node.type, ast.Name) else set()
    again = any(isinstance(each, ast.Raise) and each.exc is None for each in node.body)
    return (node.type is None or bool(names & {"Exception", "BaseException"})) and not again


def _in_rings(package: Package) -> set[str]:
    """Modules that are loaded by what they load; a package's own ``__init__`` is no part of a ring."""
    below: dict[str, set[str]] = {name: set() for name in package.modules}
    for each in package.imports:
        if each.when == "loading" and not package.modules[each.imported].is_package:
            below[each.importer].add(each.imported)
    while below:
        ends = {name for name, found in below.items() if not found & below.keys()}
        tops = below.keys() - {other for name, found in below.items() for other in found if name in below}
        if not ends | tops:
            return set(below)
        below = {name: found for name, found in below.items() if name not in ends | tops}
    return set()
