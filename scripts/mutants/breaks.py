"""What may be broken in a module, and how."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PACKAGE", "ROOT", "Mutant", "breaks", "broken", "mutants_of", "nodes_of", "source_of"]

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path("src/svc_notebook")


@dataclass(frozen=True)
class Mutant:
    """One break. ``key`` names it whatever line it stands on."""

    module: str
    function: str
    what: str
    was: str
    line: int
    number: int
    place: int

    @property
    def key(self) -> str:
        return f"{self.module} | {self.function} | {self.what} | {self.was}"


_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
}  # fmt: skip
_SETS = {"set", "frozenset"}


def breaks(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Every break of one node: what it is, and what stands in its place."""
    if isinstance(node, ast.If | ast.IfExp):
        negated = deepcopy(node)
        negated.test = ast.UnaryOp(ast.Not(), negated.test)
        yield "condition negated", negated
    if isinstance(node, ast.BoolOp):
        swapped = deepcopy(node)
        swapped.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and/or swapped", swapped
        for place in range(len(node.values)):
            rest = [value for at, value in enumerate(node.values) if at != place]
            yield f"operand {place} left out", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _TURNED:
        yield "comparison turned", ast.Compare(node.left, [_TURNED[type(node.ops[0])]()], node.comparators)
    if isinstance(node, ast.comprehension):
        for place in range(len(node.ifs)):
            without = deepcopy(node)
            del without.ifs[place]
            yield f"filter {place} of a comprehension left out", without
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr | ast.Sub):
        yield "left operand alone", node.left
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.BitAnd | ast.BitOr):
        yield "emptied", ast.Assign([node.target], ast.Call(ast.Name("set", ast.Load()), [], []))
        yield "not done", ast.Pass()
    if isinstance(node, ast.Call):
        yield from _of_call(node)
    if isinstance(node, ast.Raise):
        yield "not raised", ast.Pass()
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await):
        yield "not called", ast.Pass()
    if isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
        yield "nothing returned", ast.Return(ast.Constant(None))
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "constant turned", ast.Constant(not node.value)


def _of_call(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in {"all", "any"}:
        yield "all/any swapped", ast.Call(ast.Name("any" if name == "all" else "all", ast.Load()), node.args, [])
    if name in _SETS and node.args:
        yield "emptied", ast.Call(node.func, [], [])
    if name == "where":
        for place in range(len(node.args)):
            yield (
                f"condition {place} of where left out",
                ast.Call(node.func, node.args[:place] + node.args[place + 1 :], []),
            )


class _Broken(ast.NodeTransformer):
    """The tree with one node exchanged."""

    def __init__(self, target: ast.AST, instead: ast.AST) -> None:
        self._target, self._instead = target, instead

    def visit(self, node: ast.AST) -> ast.AST:
        return self._instead if node is self._target else self.generic_visit(node)


def mutants_of(module: str, within: tuple[str, ...] = ()) -> list[Mutant]:
    """Every mutant of a module in order: of the functions that are named, or of all."""
    found: dict[str, Mutant] = {}
    for number, (function, node) in enumerate(nodes_of(ast.parse(source_of(module)))):
        if not function or (within and not set(function.split(".")) & set(within)) or _aside(node):
            continue
        was = ""
        for place, (what, _) in enumerate(breaks(node)):
            was = was or " ".join(ast.unparse(node).split())[:160]
            mutant = Mutant(module, function, what, was, getattr(node, "lineno", 0), number, place)
            found.setdefault(mutant.key, mutant)
    return list(found.values())


def broken(mutant: Mutant) -> str:
    """The module's source with the break."""
    tree = ast.parse(source_of(mutant.module))
    node = list(nodes_of(tree))[mutant.number][1]
    instead = list(breaks(node))[mutant.place][1]
    return ast.unparse(ast.fix_missing_locations(_Broken(node, instead).visit(tree)))


@functools.cache
def source_of(module: str) -> str:
    """The module as it was at first: an edit while mutants run changes none of them."""
    return (ROOT / PACKAGE / module).read_text("utf-8")


def _aside(node: ast.AST) -> bool:
    """What guards nothing: texts, assertions about types, imports for type checkers."""
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def nodes_of(tree: ast.AST, function: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Every node that may be broken, with the function it stands in; annotations and decorators say nothing."""
    for name, value in ast.iter_fields(tree):
        if name in {"annotation", "returns", "decorator_list", "args" if isinstance(tree, ast.FunctionDef) else ""}:
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or isinstance(
                node, ast.Assert | ast.Import | ast.ImportFrom | ast.JoinedStr
            ):
                continue
            named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            inner = f"{function}.{node.name}".lstrip(".") if named else function  # type: ignore[attr-defined]
            yield function, node
            yield from nodes_of(node, inner)
