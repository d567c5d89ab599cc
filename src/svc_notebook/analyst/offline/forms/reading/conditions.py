"""Conditions in SQL as conditions of a form, in one way where SQL has several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

from sqlglot import exp

from ..conditions import And, Compare, Condition, Extreme, Holds, Like, Missing, Not, OneOf, Or, Range, Related
from ..expressions import Aggregate, Call, Expression, Member, Scalar, Test, Value
from ..form import Form, Role
from ..vocabulary import MIRRORED, ComparisonName, MatchName
from ..walking import conjuncts
from .expressions import read_expression
from .kinds import as_kind, kind_of
from .names import NoForm
from .scope import Outer, Scope

__all__ = ["is_read", "merged", "negated", "read_condition"]

_COMPARED: dict[type[exp.Expr], ComparisonName] = {
    exp.EQ: "=", exp.NEQ: "!=", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<=", exp.NullSafeEQ: "=",
}  # fmt: skip


def read_condition(node: exp.Expr, scope: Scope) -> Condition:
    """One condition.

    Raises
    ------
    NoForm
        If no form says it.
    """
    reader = _READERS.get(type(node))
    if reader is not None:
        return reader(node, scope)
    if type(node) in _COMPARED:
        return _compare(node, scope)
    return _holds(read_expression(node, scope), scope)


def is_read(node: exp.Expr) -> bool:
    """Whether a condition of this kind is one that forms have."""
    return type(node) in _READERS or type(node) in _COMPARED


def _holds(of: Expression, scope: Scope) -> Condition:
    if isinstance(of, Test):
        return of.condition
    if isinstance(of, Value) and isinstance(of.value, (bool, int)):
        return And(()) if of.value else Or(())
    return Holds(of)


def _compare(node: exp.Expr, scope: Scope) -> Condition:
    operator = _COMPARED[type(node)]
    left, right = _compared(node.this, scope), _compared(node.args["expression"], scope)
    if isinstance(left, (Value, Scalar)) and not isinstance(right, (Value, Scalar)):
        left, right, operator = right, left, MIRRORED[operator]
    told = _truth(left, right, scope) if isinstance(right, Value) and operator in ("=", "!=") else None
    if told is not None:
        return told if operator == "=" else negated(told)
    left, right = as_kind(left, kind_of(right, scope.names)), as_kind(right, kind_of(left, scope.names))
    if operator == "=" and isinstance(right, Scalar):
        return _extreme(left, right) or Compare(left, operator, right)
    return Compare(left, operator, right)


def _compared(node: exp.Expr, scope: Scope) -> Expression:
    while isinstance(node, exp.Paren):
        node = node.this
    return read_expression(node, scope)


def _truth(left: Expression, right: Value, scope: Scope) -> Condition | None:
    if kind_of(left, scope.names) != "boolean":
        return None
    text = str(right.value).lower()
    if text not in ("true", "false", "1", "0", "t", "f", "yes", "no"):
        return None
    told = _holds(left, scope)
    return told if text in ("true", "1", "t", "yes") else negated(told)


def _extreme(left: Expression, right: Scalar) -> Extreme | None:
    """``x = (SELECT MAX(x) …)`` as the rows of a maximum."""
    inner = right.form
    shown = inner.shown
    best = shown[0].expression
    if inner.groups or inner.limit is not None or not isinstance(best, Aggregate) or best.where is not None:
        return None
    if best.function not in ("min", "max") or not isinstance(left, Member) or not isinstance(best.of, Member):
        return None
    if best.of != replace(left, role=best.of.role):
        return None
    plain = Form(Role(left.relation), measures=inner.measures)
    among = None if inner == plain else inner.with_(measures=())
    return Extreme(left, best.function == "max", among) if among is None or best.of == left else None


def _in(node: exp.In, scope: Scope) -> Condition:
    query = node.args.get("query")
    if query is None:
        of = read_expression(node.this, scope)
        values = [as_kind(read_expression(n, scope), kind_of(of, scope.names)) for n in node.expressions]
        values = list(dict.fromkeys(values))
        return Compare(of, "=", values[0]) if len(values) == 1 else OneOf(of, tuple(values))
    from .query import read_query

    left = node.this.expressions if isinstance(node.this, exp.Tuple) else [node.this]
    inner = read_query(query.this if isinstance(query, exp.Subquery) else query, scope.inner())
    form = inner if isinstance(inner, Form) else Form(inner, columns=_outputs(inner))
    if len(form.shown) != len(left):
        raise NoForm("A subquery shows as many columns as stand before IN.")
    return Related(form, tuple(read_expression(n, scope) for n in left))


def _outputs(of: Any) -> Any:
    from ..expressions import Output
    from ..form import Clause
    from .scope import first_of

    return tuple(Clause(Output(c.expression)) for c in first_of(of).shown)


def _exists(node: exp.Exists, scope: Scope) -> Condition:
    from .query import read_query

    query = node.this.this if isinstance(node.this, exp.Subquery) else node.this
    form = read_query(query, scope.inner(correlated=True))
    if not isinstance(form, Form):
        raise NoForm("EXISTS holds one SELECT.")
    kept, ties = [], []
    for item in form.where:
        for term in conjuncts(item.condition):
            tie = _tie(term)
            ties += [tie] if tie else []
            kept += [] if tie else [replace(item, condition=term)]
    if not ties:
        raise NoForm("EXISTS compares members of its rows with those outside.")
    return Related(form.with_(where=tuple(kept), columns=(), order=(), limit=None), correlated=tuple(ties))


def _tie(term: Condition) -> tuple[Member, Member] | None:
    if isinstance(term, Compare) and term.operator == "=":
        sides: tuple[Any, Any] = (term.left, term.right)  # an Outer may stand here while reading
        for one, other in (sides, sides[::-1]):
            if isinstance(one, Outer) and isinstance(other, Member):
                return one.member, other
    return None


def _between(node: exp.Between, scope: Scope) -> Condition:
    of = read_expression(node.this, scope)
    low, high = (as_kind(read_expression(node.args[k], scope), kind_of(of, scope.names)) for k in ("low", "high"))
    return Range(of, low, high, closed=True)


def _like(cased: bool, escape: str = "") -> Callable[[Any, Scope], Condition]:
    def read(node: exp.Binary, scope: Scope) -> Condition:
        of, pattern = read_expression(node.this, scope), read_expression(node.args["expression"], scope)
        if not isinstance(pattern, Value) or not isinstance(pattern.value, str):
            raise NoForm("LIKE wants a constant text.")
        text, sensitive = pattern.value, cased and scope.dialect != "sqlite"
        if isinstance(of, Call) and of.name in ("lower", "upper") and text == getattr(text, of.name)():
            of, sensitive = of.arguments[0], False
        how, plain = _pattern(text, escape)
        return Like(of, how, plain, cased=sensitive)

    return read


def _escaped(node: exp.Escape, scope: Scope) -> Condition:
    if not isinstance(node.this, (exp.Like, exp.ILike)):
        raise NoForm("ESCAPE follows LIKE.")
    return _like(isinstance(node.this, exp.Like), node.args["expression"].name)(node.this, scope)


def _pattern(text: str, escape: str) -> tuple[MatchName, str]:
    """What a pattern looks for, where it does so by ``%`` at its ends alone."""
    pieces: list[tuple[str, bool]] = []  # characters, and whether each stands for itself
    i = 0
    while i < len(text):
        quoted = bool(escape) and text[i] == escape and i + 1 < len(text)
        i += quoted
        pieces.append((text[i], quoted or text[i] not in "%_"))
        i += 1
    start, end = (bool(pieces) and pieces[k] == ("%", False) for k in (0, -1))
    inner = pieces[int(start) : len(pieces) - int(end)]
    if (start or end) and inner and all(plain for _, plain in inner):
        how = "contains" if start and end else "ends" if start else "starts"
        return cast(MatchName, how), "".join(c for c, _ in inner)
    if escape:
        raise NoForm("A pattern with ESCAPE looks for a text by % at its ends.")
    return "like", text


def _is(node: exp.Is, scope: Scope) -> Condition:
    what = node.args["expression"]
    if isinstance(what, exp.Null):
        return Missing(read_expression(node.this, scope), negated=bool(node.args.get("negate")))
    if isinstance(what, exp.Boolean):
        told = read_condition(node.this, scope)
        return told if what.this else negated(told)
    raise NoForm("IS is followed by NULL, TRUE or FALSE.")


def negated(of: Condition) -> Condition:
    """The condition that holds where this one does not."""
    if isinstance(of, (OneOf, Range, Like, Missing, Related)):
        return replace(of, negated=not of.negated)
    if isinstance(of, Not):
        return of.term
    if isinstance(of, Compare) and of.operator in ("=", "!="):
        return replace(of, operator="!=" if of.operator == "=" else "=")
    return Not(of)


def merged(terms: Sequence[Condition]) -> list[Condition]:
    """Conditions that all hold, with ``from`` and ``before`` of one thing as one period."""
    found = list(terms)
    for start in list(found):
        if not (isinstance(start, Compare) and start.operator == ">=" and isinstance(start.right, Value)):
            continue
        for end in found:
            same = isinstance(end, Compare) and end.operator == "<" and end.left == start.left
            if same and isinstance(end, Compare) and isinstance(end.right, Value):
                found[found.index(start)] = Range(start.left, start.right, end.right)
                found.remove(end)
                break
    return found


def _connect(kind: type[And | Or]) -> Callable[[Any, Scope], Condition]:
    def read(node: exp.Connector, scope: Scope) -> Condition:
        terms: list[Condition] = []
        for side in (node.this, node.args["expression"]):
            term = read_condition(side, scope)
            terms += term.terms if isinstance(term, kind) else [term]
        return kind(tuple(_as_periods(term) for term in terms) if kind is Or else tuple(terms))

    return read


def _as_periods(of: Condition) -> Condition:
    """One of several conditions of which any may hold, with ``from`` and ``before`` of one thing as one period."""
    if not isinstance(of, And):
        return of
    found = merged(of.terms)
    return found[0] if len(found) == 1 else And(tuple(found))


_READERS: dict[type[exp.Expr], Callable[[Any, Scope], Condition]] = {
    exp.And: _connect(And),
    exp.Or: _connect(Or),
    exp.Not: lambda node, scope: negated(read_condition(node.this, scope)),
    exp.Paren: lambda node, scope: read_condition(node.this, scope),
    exp.In: _in,
    exp.Exists: _exists,
    exp.Between: _between,
    exp.Like: _like(True),
    exp.ILike: _like(False),
    exp.Is: _is,
    exp.Escape: _escaped,
}
