"""Expressions in SQL as expressions of a form, in one way where SQL has several."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from ..expressions import (
    Aggregate,
    Arithmetic,
    Bin,
    Call,
    Case,
    Cast,
    Difference,
    Expression,
    Member,
    Over,
    Ratio,
    Scalar,
    Test,
    Value,
)  # fmt: skip
from ..vocabulary import OperatorName
from .aggregates import AGGREGATES, filtered, read_aggregate, read_window
from .calls import CALL_READERS, moved_by, read_cast, read_named
from .kinds import kind_of
from .names import NoForm
from .scope import Outer, Scope

__all__ = ["read_expression"]

_OPERATORS: dict[type[exp.Expr], OperatorName] = {
    exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Mod: "%", exp.IntDiv: "//",
}  # fmt: skip
_UNITS = {60: "minute", 3600: "hour", 86400: "day", 604800: "week"}
_CONDITIONS = (exp.Predicate, exp.Connector, exp.Not)


def read_expression(node: exp.Expr, scope: Scope) -> Expression:
    """One expression.

    Raises
    ------
    NoForm
        If no form says it.
    """
    reader = _READERS.get(type(node))
    if reader is not None:
        return reader(node, scope)
    if type(node) in AGGREGATES:
        return read_aggregate(node, scope, read_expression)
    if type(node) in CALL_READERS:
        return CALL_READERS[type(node)](node, scope, read_expression)
    if type(node) in _OPERATORS:
        return _arithmetic(node, scope)
    if isinstance(node, _CONDITIONS) and (test := _test(node, scope)) is not None:
        return test
    if isinstance(node, exp.Func) and not isinstance(node, exp.Anonymous):
        raise NoForm(f"The function {node.sql_name()} is none a form knows.")
    raise NoForm(f"'{node.sql()[:60]}' is nothing a form says.")


def _column(node: exp.Column, scope: Scope) -> Expression:
    if isinstance(node.this, exp.Star):
        raise NoForm("A star stands where one value is wanted.")
    alias = node.name.lower() if not node.table else ""
    if scope.by_alias and alias in scope.shown and alias not in scope.following:
        return _aliased(alias, scope)
    found = scope.column(node)
    if found is None and alias in scope.shown and alias not in scope.following:
        return _aliased(alias, scope)
    if found is None and node.this.args.get("quoted") and not node.table and scope.dialect == "sqlite":
        return Value(node.name)
    if found is None:
        raise NoForm(f"'{node.sql()[:60]}' is no member of what the query reads.")
    if isinstance(found, Outer):
        return found  # type: ignore[return-value]  # taken out again by the condition it stands in
    return found


def _aliased(alias: str, scope: Scope) -> Expression:
    scope.following.add(alias)
    try:
        return read_expression(scope.shown[alias], scope)
    finally:
        scope.following.discard(alias)


def _literal(node: exp.Literal, scope: Scope) -> Expression:
    if node.is_string:
        return Value(node.this)
    text = str(node.this)
    return Value(int(text)) if text.isdigit() else Value(float(text))


def _negative(node: exp.Neg, scope: Scope) -> Expression:
    inner = read_expression(node.this, scope)
    if isinstance(inner, Value) and isinstance(inner.value, (int, float)):
        return Value(-inner.value)
    return Arithmetic("-", Value(0), inner)


def _arithmetic(node: exp.Expr, scope: Scope) -> Expression:
    operator = _OPERATORS[type(node)]
    left_node, right_node = node.this, node.args["expression"]
    for one, other in ((left_node, right_node), (right_node, left_node)):
        if isinstance(other, exp.Interval) and operator in ("+", "-"):
            return moved_by(read_expression(one, scope), other, 1 if operator == "+" else -1)
    left, right = read_expression(left_node, scope), read_expression(right_node, scope)
    if operator == "-" and kind_of(left, scope.names) == kind_of(right, scope.names) == "time":
        return Difference("day", right, left) if scope.dialect != "svc" else Arithmetic("-", left, right)
    if isinstance(left, Value) and isinstance(right, Value):
        return _folded(operator, left, right)
    if operator == "*":
        return _product(left, right)
    return Arithmetic(operator, left, right)


def _folded(operator: OperatorName, left: Value, right: Value) -> Expression:
    one, two = left.value, right.value
    if isinstance(one, (int, float)) and isinstance(two, (int, float)) and operator in ("+", "-", "*"):
        return Value({"+": one + two, "-": one - two, "*": one * two}[operator])
    return Arithmetic(operator, left, right)


def _product(left: Expression, right: Expression) -> Expression:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Value) and one.value == 1:
            return other
        if isinstance(one, Value) and one.value == 100 and isinstance(other, Ratio) and not other.percent:
            return Ratio(other.above, other.below, percent=True)
        if isinstance(one, Value) and isinstance(other, Call) and other.name == "floor":
            inner = other.arguments[0]
            if isinstance(inner, Ratio) and not inner.percent and inner.below == one and _is_number(one):
                return Bin(inner.above, one.value)  # type: ignore[arg-type]  # a number, as was just asked
    return Arithmetic("*", left, right)


def _is_number(value: Value) -> bool:
    return isinstance(value.value, (int, float)) and not isinstance(value.value, bool)


def _division(node: exp.Expr, scope: Scope) -> Expression:
    counted, percent = _hundredfold(node.this)
    above, below = read_expression(counted, scope), read_expression(node.args["expression"], scope)
    if isinstance(below, Call) and below.name == "nullif" and below.arguments[1] == Value(0):
        below = below.arguments[0]
    above, below = (_unwrapped(e) for e in (above, below))
    if (
        not percent
        and isinstance(above, Arithmetic)
        and above.operator == "*"
        and Value(100) in (above.left, above.right)
    ):
        above, percent = (above.right if above.left == Value(100) else above.left), True
    return _ratio(above, below, percent)


def _hundredfold(node: exp.Expr) -> tuple[exp.Expr, bool]:
    """What a hundred times of is divided, before it is read: a ratio of its own would take the hundred for itself."""
    if isinstance(node, exp.Mul):
        for one, other in ((node.this, node.expression), (node.expression, node.this)):
            if isinstance(one, exp.Literal) and not one.is_string and float(one.this) == 100:
                return other, True
    return node, False


def _ratio(above: Expression, below: Expression, percent: bool) -> Expression:
    if isinstance(below, Value) and isinstance(above, Difference) and above.exact and above.unit == "second":
        unit = _UNITS.get(below.value) if _is_number(below) else None  # type: ignore[arg-type]  # a number then
        if unit is not None:
            return Difference(unit, above.start, above.end, exact=True)  # type: ignore[arg-type]  # one of those above
    if isinstance(below, Over) and below.function == "sum" and below.of == above and not below.order:
        share = Over("share", above, below.within)
        return Arithmetic("*", Value(100), share) if percent else share
    return Ratio(above, below, percent)


def _unwrapped(of: Expression) -> Expression:
    """A number without the cast that makes its division exact."""
    return of.of if isinstance(of, Cast) and of.type == "number" and not isinstance(of.of, (Member, Test)) else of


def _case(node: exp.Case, scope: Scope) -> Expression:
    from .conditions import read_condition

    subject = node.this
    branches = []
    for branch in node.args.get("ifs") or []:
        condition = branch.this if subject is None else exp.EQ(this=subject.copy(), expression=branch.this.copy())
        branches.append((read_condition(condition, scope), read_expression(branch.args["true"], scope)))
    default = node.args.get("default")
    otherwise = read_expression(default, scope) if default is not None else None
    return Case(tuple(branches), None if otherwise == Value(None) else otherwise)


def _if(node: exp.If, scope: Scope) -> Expression:
    return _case(exp.Case(ifs=[node.copy()], default=node.args.get("false")), scope)


def _test(node: exp.Expr, scope: Scope) -> Test | None:
    from .conditions import is_read, read_condition

    return Test(read_condition(node, scope)) if is_read(node) else None


def _cast(node: exp.Expr, scope: Scope) -> Expression:
    return read_cast(node, read_expression(node.this, scope), scope)


def _filter(node: exp.Filter, scope: Scope) -> Expression:
    from .conditions import read_condition

    return filtered(read_expression(node.this, scope), read_condition(node.args["expression"].this, scope))


def _subquery(node: exp.Expr, scope: Scope) -> Expression:
    from .query import read_query

    query = node.this if isinstance(node, exp.Subquery) else node
    form = read_query(query, scope.inner())
    from .scope import first_of

    if len(first_of(form).shown) != 1:
        raise NoForm("A subquery that is compared shows one column.")
    from ..form import Form

    if not isinstance(form, Form):
        form = Form(form, columns=tuple(first_of(form).shown))
    return Scalar(form)


def _within_group(node: exp.WithinGroup, scope: Scope) -> Expression:
    call, order = node.this, node.args.get("expression")
    if not isinstance(call, (exp.PercentileCont, exp.Quantile)) or order is None:
        raise NoForm("This ordered aggregate is none a form knows.")
    return Aggregate("quantile", read_expression(order.expressions[0].this, scope), at=float(call.this.name))


def _anonymous(node: exp.Anonymous, scope: Scope) -> Expression:
    name, arguments = node.name.lower(), node.expressions
    if name == "measure" and len(arguments) == 1:
        return Aggregate("measure", read_expression(arguments[0], scope))
    if name in ("quantile_cont", "quantile") and len(arguments) == 2:
        return Aggregate("quantile", read_expression(arguments[0], scope), at=float(arguments[1].name))
    return read_named(node.name, arguments, scope, read_expression)


_READERS: dict[type[exp.Expr], Callable[[Any, Scope], Expression]] = {
    exp.Column: _column,
    exp.Literal: _literal,
    exp.Neg: _negative,
    exp.Null: lambda node, scope: Value(None),
    exp.Boolean: lambda node, scope: Value(bool(node.this)),
    exp.Paren: lambda node, scope: read_expression(node.this, scope),
    exp.Alias: lambda node, scope: read_expression(node.this, scope),
    exp.Div: _division,
    exp.Case: _case,
    exp.If: _if,
    exp.Cast: _cast,
    exp.TryCast: _cast,
    exp.Filter: _filter,
    exp.Window: lambda node, scope: read_window(node, scope, read_expression),
    exp.Subquery: _subquery,
    exp.Select: _subquery,
    exp.WithinGroup: _within_group,
    exp.Anonymous: _anonymous,
    exp.DPipe: lambda node, scope: Call(
        "concat", (read_expression(node.this, scope), read_expression(node.args["expression"], scope))
    ),
}
