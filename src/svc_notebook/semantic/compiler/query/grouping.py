"""Whether a SELECT is grouped, and its GROUP BY: ordinals, output names, ``ALL`` and grouping sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from ...errors import InvalidQuery
from ..binding.aggregate_calls import is_aggregate, is_measure
from ..plan.leaves import Grouping
from ..refusals import check_args
from ..values import Bound
from .limits import ordinal
from .select_list import SelectList

__all__ = ["grouped_expressions", "holds_aggregate", "is_grouped", "read_group"]


def is_grouped(select: exp.Select) -> bool:
    """Whether a SELECT groups its rows, by GROUP BY or by holding an aggregate."""
    if select.args.get("group") is not None or select.args.get("having") is not None:
        return True
    order = select.args.get("order")
    nodes: list[exp.Expr] = [*select.expressions, *(order.expressions if order else [])]
    if (qualify := select.args.get("qualify")) is not None:
        nodes.append(qualify)
    return any(holds_aggregate(n) for n in nodes)


def holds_aggregate(node: exp.Expr) -> bool:
    """Whether an aggregate stands in ``node`` itself, not in a nested query and not as a window function."""
    # Not walk(): a window's aggregate is none, what stands in its PARTITION BY may be one.
    stack = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, exp.Query):
            continue
        if isinstance(at, exp.Window):
            inner = at.this.this if isinstance(at.this, (exp.IgnoreNulls, exp.RespectNulls)) else at.this
            if isinstance(inner, exp.Filter):
                stack.append(inner.args["expression"])
                inner = inner.this
            stack += [c for c in at.iter_expressions() if c is not at.this] + list(inner.iter_expressions())
            continue
        if is_aggregate(at) or is_measure(at):
            return True
        stack += list(at.iter_expressions())
    return False


def read_group(shape: SelectList, bind: Any) -> Grouping:
    """GROUP BY with ordinals, output names, ``ALL`` and grouping sets."""
    grouping = Grouping()
    node = shape.select.args.get("group")
    if node is None:
        return grouping
    check_args(node, ("expressions", "all"))
    if node.args.get("all"):
        for item in shape.items:
            if not holds_aggregate(item.node):
                _key(grouping, bind(item.node))
        return grouping
    pieces: list[str] = []
    plain = True
    for element in node.expressions:
        if isinstance(element, exp.Tuple) and not element.expressions:
            continue
        if isinstance(element, (exp.Rollup, exp.Cube, exp.GroupingSets)):
            check_args(element, ("expressions",))
            plain = False
            word = {"Rollup": "ROLLUP", "Cube": "CUBE", "GroupingSets": "GROUPING SETS"}[type(element).__name__]
            inner = ", ".join(_set(shape, grouping, e, bind) for e in element.expressions)
            pieces.append(f"{word} ({inner})")
        else:
            pieces.append(_set(shape, grouping, element, bind))
    grouping.structure = None if plain else ", ".join(pieces)
    return grouping


def grouped_expressions(shape: SelectList) -> list[exp.Expr]:
    """The columns of the SELECT list by which GROUP BY groups: all that hold no aggregate, or those it names."""
    node = shape.select.args.get("group")
    if node is None:
        return []
    if node.args.get("all"):
        return [item.node for item in shape.items if not holds_aggregate(item.node)]
    return [_grouped_expression(shape, each) for element in node.expressions for each in _elements(element)]


def _elements(node: exp.Expr) -> Iterator[exp.Expr]:
    """What is named in an element of GROUP BY, however it is put in sets."""
    if isinstance(node, (exp.Tuple, exp.Rollup, exp.Cube, exp.GroupingSets)):
        for each in node.expressions:
            yield from _elements(each)
    else:
        yield node.this if isinstance(node, exp.Paren) else node


def _set(shape: SelectList, grouping: Grouping, node: exp.Expr, bind: Any) -> str:
    if isinstance(node, (exp.Tuple, exp.Paren)):
        parts = node.expressions if isinstance(node, exp.Tuple) else [node.this]
        return "(" + ", ".join(_set(shape, grouping, p, bind) for p in parts) + ")"
    return "{" + str(_key(grouping, bind(_grouped_expression(shape, node)))) + "}"


def _key(grouping: Grouping, bound: Bound) -> int:
    for i, known in enumerate(grouping.keys):
        if known.sql == bound.sql:
            return i
    grouping.keys.append(bound)
    return len(grouping.keys) - 1


def _grouped_expression(shape: SelectList, node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Literal) and not node.is_string:
        item = shape.items[ordinal(node, len(shape.items), "GROUP BY") - 1]
    elif (
        isinstance(node, exp.Column)
        and not node.table
        and not any(r.find(node.name) is not None for r in shape.scope.relations)
    ):
        found = shape.aliased(node.name)
        if found is None:
            return node
        item = found
    else:
        return node
    if holds_aggregate(item.node):
        raise InvalidQuery(f"GROUP BY names '{item.name}', which is an aggregate.")
    return item.node
