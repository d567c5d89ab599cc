"""Conditions: AND, OR, comparisons, IN, LIKE, and what else gives true or false."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from ..errors import InvalidQuery, TooComplex
from . import types
from .refusals import check_args, refuse
from .values import Bound

if TYPE_CHECKING:
    from .expressions import Binder

__all__ = ["COMPARISONS", "between", "compare", "connect", "escape", "inside", "like", "negation", "truth"]

_MAX_IN = 1000


def connect(b: Binder, node: exp.Connector) -> Bound:
    word = "AND" if isinstance(node, exp.And) else "OR"
    terms: list[exp.Expr] = []
    stack: list[exp.Expr] = [node]
    while stack:  # a chain of one operator leans to the left and may be long
        at = stack.pop()
        if type(at) is type(node) and (b.hook is None or at is node):
            check_args(at, ("this", "expression"))
            stack += [at.args["expression"], at.this]
        else:
            terms.append(at)
    if len(terms) > _MAX_IN:
        raise TooComplex(f"A condition joins more than {_MAX_IN} terms; use IN (…).")
    bound = [b.condition(t, word) for t in terms]
    return Bound.of("(" + f" {word} ".join(t.sql for t in bound) + ")", "boolean", *bound, growth=1)


def negation(b: Binder, node: exp.Not) -> Bound:
    inner = b.condition(node.this, "NOT")
    return Bound.of(f"(NOT {inner.sql})", "boolean", inner, growth=1)


COMPARISONS = {
    exp.EQ: "=", exp.NEQ: "<>", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<=",
    exp.NullSafeEQ: "IS NOT DISTINCT FROM", exp.NullSafeNEQ: "IS DISTINCT FROM",
}  # fmt: skip


def compare(b: Binder, node: exp.Binary) -> Bound:
    if isinstance(node.args["expression"], (exp.Any, exp.All)):
        return _quantified(b, node, node.args["expression"])
    left, right = types.comparable(b, b.bind(node.this), b.bind(node.args["expression"]))
    return Bound.of(f"({left.sql} {COMPARISONS[type(node)]} {right.sql})", "boolean", left, right, growth=1)


def _quantified(b: Binder, node: exp.Binary, right: exp.Expr) -> Bound:
    """``x = ANY (SELECT …)``, ``x > ALL (SELECT …)``."""
    check_args(right, ("this",))
    if type(node) in (exp.NullSafeEQ, exp.NullSafeNEQ) or not isinstance(right.this, (exp.Query, exp.Subquery)):
        raise refuse(right)
    sub = b.scope.subquery(b, right.this, columns=1)
    value, _ = types.comparable(b, b.bind(node.this), Bound(sub.sql, sub.kind))
    word = "ANY" if isinstance(right, exp.Any) else "ALL"
    return Bound.of(f"({value.sql} {COMPARISONS[type(node)]} {word} {sub.sql})", "boolean", value, sub, growth=1)


def truth(b: Binder, node: exp.Is) -> Bound:
    what = node.args["expression"]
    inner = b.bind(node.this)
    negate = "NOT " if node.args.get("negate") else ""
    if isinstance(what, exp.Null):
        return Bound.of(f"({inner.sql} IS {negate}NULL)", "boolean", inner, growth=1)
    if isinstance(what, exp.Boolean):
        inner = b.condition(node.this, "IS TRUE/FALSE")
        return Bound.of(f"({inner.sql} IS {negate}{'TRUE' if what.this else 'FALSE'})", "boolean", inner, growth=1)
    raise refuse(node, "expression")


def between(b: Binder, node: exp.Between) -> Bound:
    value = b.bind(node.this)
    _, low = types.comparable(b, value, b.bind(node.args["low"]))
    value, high = types.comparable(b, value, b.bind(node.args["high"]))
    return Bound.of(f"({value.sql} BETWEEN {low.sql} AND {high.sql})", "boolean", value, low, high, growth=1)


def inside(b: Binder, node: exp.In) -> Bound:
    query = node.args.get("query")
    if query is not None:
        sub = b.scope.subquery(b, query, columns=len(node.this.expressions) if isinstance(node.this, exp.Tuple) else 1)
        if isinstance(node.this, exp.Tuple):
            check_args(node.this, ("expressions",))
            parts = b.all(node.this.expressions)
            b.risky(*parts)  # they meet the subquery's columns, whose kinds are not looked at here
            return Bound.of(f"(({', '.join(p.sql for p in parts)}) IN {sub.sql})", "boolean", *parts, sub, growth=1)
        value, _ = types.comparable(b, b.bind(node.this), Bound(sub.sql, sub.kind))
        return Bound.of(f"({value.sql} IN {sub.sql})", "boolean", value, sub, growth=1)
    items = node.expressions
    if len(items) > _MAX_IN:
        raise TooComplex(f"An IN list holds more than {_MAX_IN} values.")
    if isinstance(node.this, exp.Tuple):
        return _in_tuples(b, node.this, items)
    value = b.bind(node.this)
    bound = []
    for item in items:
        value, one = types.comparable(b, value, b.bind(item))
        bound.append(one)
    return Bound.of(f"({value.sql} IN ({', '.join(i.sql for i in bound)}))", "boolean", value, *bound, growth=1)


def _in_tuples(b: Binder, left: exp.Tuple, items: list[exp.Expr]) -> Bound:
    """``(a, b) IN ((1, 2), (3, 4))``: one equality for each pair of parts."""
    check_args(left, ("expressions",))
    rows: list[Bound] = []
    for item in items:
        if not isinstance(item, exp.Tuple) or len(item.expressions) != len(left.expressions):
            raise InvalidQuery(f"The IN list wants rows of {len(left.expressions)} values, as on its left.")
        check_args(item, ("expressions",))
        pairs = [
            exp.EQ(this=one, expression=other) for one, other in zip(left.expressions, item.expressions, strict=True)
        ]
        parts = [compare(b, pair) for pair in pairs]
        rows.append(Bound.of("(" + " AND ".join(p.sql for p in parts) + ")", "boolean", *parts, growth=1))
    return Bound.of("(" + " OR ".join(row.sql for row in rows) + ")", "boolean", *rows, growth=1)


def like(b: Binder, node: exp.Binary) -> Bound:
    left, right = (b.to(b.bind(n), "string") for n in (node.this, node.args["expression"]))
    left, right = types.expect(b, left, "string", "LIKE"), types.expect(b, right, "string", "LIKE")
    word = ("NOT " if node.args.get("negate") else "") + ("ILIKE" if isinstance(node, exp.ILike) else "LIKE")
    # A pattern that ends in a lone escape makes DuckDB fail; a constant one fails for everybody alike.
    if not right.is_literal:
        b.risky(left, right)
    return Bound.of(f"({left.sql} {word} {right.sql})", "boolean", left, right, growth=1)


def escape(b: Binder, node: exp.Escape) -> Bound:
    escape = node.args["expression"]
    if not isinstance(node.this, (exp.Like, exp.ILike)) or not isinstance(escape, exp.Literal) or len(escape.this) != 1:
        raise refuse(node)
    inner = b.bind(node.this)
    b.risky(inner)
    return Bound.of(f"({inner.sql[1:-1]} ESCAPE {b.compilation.params.add(escape.this)})", "boolean", inner, growth=1)
