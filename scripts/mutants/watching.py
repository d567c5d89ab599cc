"""A module that tells where one of its breaks would have made a difference.

That a test runs a line says little: of thousands that do, a handful give it values with which the broken line comes out
otherwise. So what a break changes is worked out beside what stands there, and the test is named where the two differ.
What gives the same in a whole test cannot be noticed by it. Where the two cannot be held side by side (a call that is
not made, a refusal not raised, a name bound in what is left out), whoever runs the statement counts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from copy import deepcopy

from .breaks import breaks, nodes_of

__all__ = ["RUN", "WEIGHED", "watched"]

RUN = "__svc_run__"
"""The builtin that a statement tells a name to before it runs; where it is not (another process), nobody is told."""
WEIGHED = "__svc_weighed__"
"""The builtin given a name, what an expression gave, how to work out the broken one, and whether truth is all."""

_HELD = "__import__('builtins').__dict__.get"
_NOT_TWICE = ast.Await | ast.Yield | ast.YieldFrom
_Weights = dict[int, list[tuple[str, ast.expr]]]


def watched(source: str, names: Mapping[tuple[int, int], str]) -> str:
    """The source in which these breaks (by the number of their node and their place there) tell their names."""
    tree = ast.parse(source)
    in_classes = {id(node) for body in _classes(tree) for node in _own(body)}
    told: dict[int, list[str]] = {}
    weights: _Weights = {}
    for number, (_, node) in enumerate(nodes_of(tree)):
        for place, (what, instead) in enumerate(breaks(node)):
            if (number, place) not in names:
                continue
            side = None if id(node) in in_classes else _side_by_side(node, what, instead)
            if side is None:
                told.setdefault(id(node), []).append(names[number, place])
            else:
                weights.setdefault(id(side[0]), []).append((names[number, place], deepcopy(side[1])))
    for node in list(ast.walk(tree)):
        for field, block in ast.iter_fields(node):
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                setattr(node, field, [each for statement in block for each in (*_telling(statement, told), statement)])
    return ast.unparse(ast.fix_missing_locations(_Weighing(weights, set(_tests(tree))).visit(tree)))


def _side_by_side(node: ast.AST, what: str, instead: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """The expression to watch and what stands there in the broken module, where both can be worked out in turn."""
    if isinstance(node, ast.Return) and node.value is not None:
        return node.value, ast.Constant(None)
    if isinstance(node, ast.comprehension):
        return node.ifs[int(what.split()[1])], ast.Constant(True)
    if not isinstance(node, ast.BoolOp | ast.Compare | ast.BinOp | ast.Call) or not isinstance(instead, ast.expr):
        return None
    if _bound(node) != _bound(instead) or any(isinstance(part, _NOT_TWICE) for part in ast.walk(instead)):
        return None
    if any(isinstance(part, ast.Name) and part.id == "super" for part in ast.walk(instead)):
        return None
    return node, instead


def _bound(node: ast.AST) -> set[str]:
    return {part.target.id for part in ast.walk(node) if isinstance(part, ast.NamedExpr)}


class _Weighing(ast.NodeTransformer):
    """The tree whose watched expressions are handed over with what would stand there broken."""

    def __init__(self, weights: _Weights, tests: set[int]) -> None:
        self._weights, self._tests = weights, tests

    def visit(self, node: ast.AST) -> ast.AST:
        weights, test = self._weights.get(id(node), ()), id(node) in self._tests
        node = self.generic_visit(node)
        for name, instead in weights:
            node = _weighed(name, node, instead, test)
        return node


def _weighed(name: str, was: ast.AST, instead: ast.expr, test: bool) -> ast.Call:
    none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    given = [ast.Constant(name), was, ast.Lambda(none, instead), ast.Constant(test)]
    held = ast.parse(f"{_HELD}({WEIGHED!r}, lambda *given: given[1])", mode="eval").body
    return ast.Call(held, given, [])  # type: ignore[list-item]  # an expression was, as its place tells


def _tests(tree: ast.AST) -> Iterator[int]:
    """Expressions of which only the truth is used."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            yield from _parts(node.test)
        elif isinstance(node, ast.comprehension):
            for condition in node.ifs:
                yield from _parts(condition)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield from _parts(node.operand)


def _parts(node: ast.expr) -> Iterator[int]:
    yield id(node)
    for value in node.values if isinstance(node, ast.BoolOp) else ():
        yield from _parts(value)


def _telling(statement: ast.stmt, told: Mapping[int, list[str]]) -> Iterator[ast.stmt]:
    for name in sorted({name for node in _own(statement) for name in told.get(id(node), ())}):
        yield from ast.parse(f"{_HELD}({RUN!r}, len)({name!r})").body


def _classes(tree: ast.AST) -> Iterator[ast.stmt]:
    """Statements that run while a class is made: what they name is not seen from within a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from (statement for statement in node.body if not isinstance(statement, ast.FunctionDef))


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """A statement with what it is made of, but for the statements within it."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt):
            yield from _own(child)
