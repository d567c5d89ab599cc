"""Conditions of a form as SQL."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlglot import exp

from ..conditions import And, Compare, Condition, Extreme, Holds, Like, Missing, Not, OneOf, Or, Range, Related
from ..expressions import Aggregate, Member
from ..form import Clause, Form, Role
from ..vocabulary import AggregateName
from .expressions import literal, write_expression
from .scope import CannotWrite, Scope

__all__ = ["extreme_form", "write_condition"]

_COMPARED: dict[str, type[exp.Expr]] = {
    "=": exp.EQ, "!=": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE,
}  # fmt: skip

_ESCAPE = "!"


def write_condition(condition: Condition, scope: Scope) -> exp.Expr:
    """A condition as SQL in the SELECT of ``scope``."""
    return _WRITERS[type(condition)](condition, scope)


def _term(condition: Condition, scope: Scope) -> exp.Expr:
    written = write_condition(condition, scope)
    return exp.Paren(this=written) if isinstance(written, (exp.Connector, exp.Not)) else written


def _side(expression: Any, scope: Scope) -> exp.Expr:
    written = write_expression(expression, scope)
    return exp.Paren(this=written) if isinstance(written, (exp.Predicate, exp.Connector, exp.Not)) else written


def _compare(of: Compare, scope: Scope) -> exp.Expr:
    return _COMPARED[of.operator](this=_side(of.left, scope), expression=_side(of.right, scope))


def _one_of(of: OneOf, scope: Scope) -> exp.Expr:
    inside = exp.In(this=_side(of.of, scope), expressions=[write_expression(v, scope) for v in of.values])
    return exp.Not(this=inside) if of.negated else inside


def _range(of: Range, scope: Scope) -> exp.Expr:
    if of.closed:
        written: exp.Expr = exp.Between(this=_side(of.of, scope), low=_side(of.low, scope), high=_side(of.high, scope))
    else:
        written = exp.And(this=_compare(Compare(of.of, ">=", of.low), scope),
                          expression=_compare(Compare(of.of, "<", of.high), scope))  # fmt: skip
    if not of.negated:
        return written
    return exp.Not(this=written if of.closed else exp.Paren(this=written))


def _like(of: Like, scope: Scope) -> exp.Expr:
    text = of.text if of.how == "like" else _quoted(of.text)
    pattern = {"contains": f"%{text}%", "starts": f"{text}%", "ends": f"%{text}", "like": text}[of.how]
    kind = exp.Like if of.cased else exp.ILike
    written: exp.Expr = kind(this=_side(of.of, scope), expression=literal(pattern))
    if text != of.text:
        written = exp.Escape(this=written, expression=exp.Literal.string(_ESCAPE))
    return exp.Not(this=written) if of.negated else written


def _quoted(text: str) -> str:
    """A text whose characters all stand for themselves; as it is where none means anything else."""
    if "%" not in text and "_" not in text:
        return text
    return "".join(_ESCAPE + c if c in ("%", "_", _ESCAPE) else c for c in text)


def _missing(of: Missing, scope: Scope) -> exp.Expr:
    written = exp.Is(this=_side(of.of, scope), expression=exp.Null())
    return exp.Not(this=written) if of.negated else written


def _extreme(of: Extreme, scope: Scope) -> exp.Expr:
    from .query import write_query

    best = exp.Subquery(this=write_query(extreme_form(of)))
    return exp.EQ(this=_side(of.of, scope), expression=best)


def extreme_form(of: Extreme) -> Form:
    """The form whose one number the rows of an extreme have."""
    function: AggregateName = "max" if of.largest else "min"
    if of.among is not None:
        return of.among.with_(measures=(Clause(Aggregate(function, of.of)),))
    if not isinstance(of.of, Member):
        raise CannotWrite("The rows of an extreme are those of a member's relation, or of a form.")
    return Form(Role(of.of.relation), measures=(Clause(Aggregate(function, replace(of.of, role=""))),))


def _related(of: Related, scope: Scope) -> exp.Expr:
    from .query import write_query

    if of.correlated:
        written: exp.Expr = exp.Exists(this=write_query(of.form, outer=scope, correlated=of.correlated))
    else:
        keys = [write_expression(k, scope) for k in of.keys]
        left = keys[0] if len(keys) == 1 else exp.Tuple(expressions=keys)
        written = exp.In(this=left, query=exp.Subquery(this=write_query(of.form)))
    return exp.Not(this=written) if of.negated else written


def _connect(kind: type[exp.Connector]) -> Callable[[Any, Scope], exp.Expr]:
    def write(of: And | Or, scope: Scope) -> exp.Expr:
        if not of.terms:
            return exp.Boolean(this=kind is exp.And)
        terms = [_term(term, scope) for term in of.terms]
        written = terms[0]
        for term in terms[1:]:
            written = kind(this=written, expression=term)
        return written

    return write


_WRITERS: dict[type, Callable[[Any, Scope], exp.Expr]] = {
    Compare: _compare,
    OneOf: _one_of,
    Range: _range,
    Like: _like,
    Missing: _missing,
    Holds: lambda of, scope: write_expression(of.of, scope),
    Extreme: _extreme,
    Related: _related,
    And: _connect(exp.And),
    Or: _connect(exp.Or),
    Not: lambda of, scope: exp.Not(this=exp.Paren(this=write_condition(of.term, scope))),
}
