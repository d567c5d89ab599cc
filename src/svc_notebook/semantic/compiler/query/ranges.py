"""WHERE taken apart into its terms, and those that merely bound one column recognised."""

from __future__ import annotations

from msgspec.structs import replace
from sqlglot import exp

from ...dialects import duckdb as say
from ..binding.binding import Binder
from ..binding.types import comparable
from ..plan.leaves import Filter
from ..values import Bound
from .filter_contexts import refuse_inside
from .held_bounds import bounded_by_periods

__all__ = ["conditions", "filters_of", "terms_of"]

_FLIPPED = {exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE}


def filters_of(binder: Binder, condition: exp.Expr) -> list[Filter]:
    """One filter for each term joined by AND."""
    return [_filter(binder, term) for term in terms_of(condition)]


def terms_of(condition: exp.Expr) -> list[exp.Expr]:
    """The terms of a condition that are joined by AND."""
    terms: list[exp.Expr] = []
    stack = [condition]
    while stack:
        node = stack.pop()
        if isinstance(node, exp.And) and {k for k, v in node.args.items() if v} <= {"this", "expression"}:
            stack += [node.args["expression"], node.this]
        elif isinstance(node, exp.Paren) and isinstance(node.this, (exp.And, exp.Paren)):
            stack.append(node.this)
        else:
            terms.append(node)
    return terms


def conditions(binder: Binder, condition: exp.Expr) -> tuple[Filter, ...]:
    """The terms of a FILTER: conditions on rows and no more, whatever column they bound."""
    return tuple(Filter(term.bound, safe=term.safe) for term in filters_of(binder, condition))


def _filter(binder: Binder, term: exp.Expr) -> Filter:
    before, binder.compilation.raising = binder.compilation.raising, False
    bound = binder.condition(term, "WHERE")
    refuse_inside(binder.scope, bound)
    safe = not binder.compilation.raising and term.find(exp.Query) is None
    safe = safe and (not binder.compilation.index.dialect.floats_fail or _never_fails(term))
    binder.compilation.raising = binder.compilation.raising or before
    found = replace(_bounded(binder, term, bound), safe=safe and len({alias for alias, _ in bound.uses}) == 1)
    return bounded_by_periods(binder, term, found)


_NEVER_FAIL = (
    exp.Column, exp.Identifier, exp.Literal, exp.Boolean, exp.Null, exp.Paren, exp.And, exp.Or, exp.Not, exp.EQ,
    exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In, exp.Between, exp.Like, exp.ILike, exp.Cast, exp.DataType,
)  # fmt: skip


def _never_fails(term: exp.Expr) -> bool:
    """Whether a condition compares columns with constants and no more, which fails on no engine."""
    return all(isinstance(node, _NEVER_FAIL) for node in term.walk())


def _bounded(binder: Binder, term: exp.Expr, bound: Bound) -> Filter:
    if isinstance(term, exp.Between) and isinstance(term.this, exp.Column):
        low, high = (_constant(binder, term.this, term.args[side]) for side in ("low", "high"))
        if low and high:
            return Filter(bound, low[0], low[1], _after(high[1]))
    if isinstance(term, exp.EQ) or (isinstance(term, exp.In) and len(term.expressions) == 1):
        return _equal(binder, term, bound)
    kind = type(term)
    if kind in _FLIPPED:
        column, value = term.this, term.args["expression"]
        if not isinstance(column, exp.Column):
            column, value, kind = value, column, _FLIPPED[kind]
        found = _constant(binder, column, value) if isinstance(column, exp.Column) else None
        if found:
            of, moment = found
            start = {exp.GT: _after(moment), exp.GTE: moment}.get(kind)
            return Filter(bound, of, start, {exp.LT: moment, exp.LTE: _after(moment)}.get(kind))
    return Filter(bound)


def _equal(binder: Binder, term: exp.Expr, bound: Bound) -> Filter:
    """``column = constant``, either way round, or ``column IN (constant)``."""
    column = term.this
    value = term.expressions[0] if isinstance(term, exp.In) else term.args["expression"]
    if not isinstance(column, exp.Column) and isinstance(term, exp.EQ):
        column, value = value, column
    if not isinstance(column, exp.Column) or not isinstance(value, exp.Literal):
        return Filter(bound)
    left = binder.bind(column)
    if len(left.uses) != 1 or left.kind != "string" or not value.is_string:
        return Filter(bound)
    return Filter(bound, next(iter(left.uses)), equal=binder.bind(value).sql)


def _after(moment: str) -> str:
    return say.a_moment_after(moment)


def _constant(binder: Binder, column: exp.Column, value: exp.Expr) -> tuple[tuple[str, str], str] | None:
    """The column and the constant moment it is compared with."""
    if value.find(exp.Column, exp.Query) is not None:
        return None
    left: Bound = binder.bind(column)
    if left.kind not in ("timestamp", "date") or len(left.uses) != 1:
        return None
    _, right = comparable(binder, left, binder.bind(value))
    if right.row or right.kind not in ("timestamp", "date"):
        return None
    return next(iter(left.uses)), say.cast(right.sql, say.TIMESTAMP)
