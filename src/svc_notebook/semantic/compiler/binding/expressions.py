"""Binding expressions: each node type has one rule, each argument of a node is named in it, the rest is refused."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

from sqlglot import exp

from ...dialects.nodes import sql
from ...errors import InvalidQuery, NotAllowed
from ..refusals import check_args, check_schema
from ..values import Bound
from . import calls, comparisons, types
from .binding import Binder
from .patterns import similar
from .zones import at_time_zone

__all__ = ["bound"]

Rule = Callable[[Binder, Any], Bound]


def bound(b: Binder, node: exp.Expr) -> Bound:
    """The node as SQL, by the rule of its type.

    Raises
    ------
    NotAllowed, UnknownMember, InvalidQuery, TooComplex
    """
    rule = _RULES.get(type(node))
    if rule is None:
        return calls.call(b, node)
    allowed, bind = rule
    check_args(node, allowed)
    return bind(b, node)


# --- rules: names and literals ------------------------------------------------------------------------------------


def _column(b: Binder, node: exp.Column) -> Bound:
    # sqlglot reads t.* as a column whose name is a star.
    if isinstance(node.this, exp.Star):
        raise InvalidQuery("'*' stands only alone in a SELECT list or in COUNT(*).")
    check_schema(node)
    return b.scope.column(b, node.table or None, node.name)


def _number(text: str) -> Any:
    try:
        if text.isascii() and text.isdigit():
            return int(text)
        value = Decimal(text)
    except (InvalidOperation, ValueError):
        raise InvalidQuery(f"'{text[:40]}' is not a number.") from None
    # 1e5 is DOUBLE in SQL and 1.5 is DECIMAL.
    return float(value) if "e" in text.lower() else value


def _literal(b: Binder, node: exp.Literal) -> Bound:
    return b.literal(node.this if node.is_string else _number(node.this))


def _placeholder(b: Binder, node: exp.Placeholder) -> Bound:
    name = node.args.get("this")
    if not isinstance(name, str) or not name or node.args.get("jdbc"):
        raise NotAllowed("Placeholders are not read here; write a named parameter such as :region and give its value.")
    if name not in b.compilation.given:
        raise InvalidQuery(f"The parameter ':{name}' was given no value.")
    return b.literal(b.compilation.given[name])


def _interval(b: Binder, node: exp.Interval) -> Bound:
    return Bound(types.interval_literal(node), "interval")


# --- rules: arithmetic and the rest -------------------------------------------------------------------------------


def _arithmetic(b: Binder, node: exp.Binary) -> Bound:
    return types.arithmetic(b, node, b.bind(node.this), b.bind(node.args["expression"]))


def _negative(b: Binder, node: exp.Neg) -> Bound:
    inner = b.bind(node.this)
    # -1 as a value, not as an operation: LIMIT, frames and constants of functions want a literal.
    if inner.is_literal and inner.kind == "number":
        return b.literal(-inner.literal)
    inner = types.expect(b, inner, "number", "-") if inner.kind != "interval" else inner
    b.risky(inner)
    return Bound.of(sql("(-{})", types.wide(inner) if inner.narrow else inner.sql), inner.kind, inner)


def _paren(b: Binder, node: exp.Paren) -> Bound:
    return b.bind(node.this)


def _concat_operator(b: Binder, node: exp.DPipe) -> Bound:
    return types.concat(b, [b.bind(node.this), b.bind(node.args["expression"])], "||")


def _case(b: Binder, node: exp.Case) -> Bound:
    subject = node.args.get("this")
    conditions: list[Bound] = []
    values: list[Bound] = []
    for branch in node.args["ifs"]:
        check_args(branch, ("this", "true"))
        # As comparisons, so that each branch is brought to a kind by itself.
        test = branch.this if subject is None else exp.EQ(this=subject, expression=branch.this)
        conditions.append(b.condition(test, "WHEN"))
        values.append(b.bind(branch.args["true"]))
    default = node.args.get("default")
    if default is not None:
        values.append(b.bind(default))
    values = types.unified(b, values, "CASE")
    whens = " ".join(["WHEN {} THEN {}"] * len(conditions))
    pairs = [piece.sql for pair in zip(conditions, values, strict=False) for piece in pair]
    last, end = ([values[-1].sql], " ELSE {}") if default is not None else ([], "")
    growth = max(v.growth for v in values)
    return Bound.of(
        sql(f"(CASE {whens}{end} END)", *pairs, *last), types.common(values), *conditions, *values, growth=growth
    )


def _if(b: Binder, node: exp.If) -> Bound:
    test = b.condition(node.this, "IF")
    other = node.args.get("false")
    values = types.unified(b, [b.bind(node.args["true"])] + ([b.bind(other)] if other is not None else []), "IF")
    form = "(CASE WHEN {} THEN {} ELSE {} END)" if other is not None else "(CASE WHEN {} THEN {} END)"
    return Bound.of(sql(form, test.sql, *(v.sql for v in values)), types.common(values), test, *values)


def _cast(b: Binder, node: exp.Cast) -> Bound:
    # CAST('1' || ' day' AS INTERVAL), as BI tools write a length.
    if str(getattr(node.args["to"].this, "name", "")) == "INTERVAL" and (text := _constant_text(node.this)):
        return Bound(types.interval_literal(exp.Interval(this=exp.Literal.string(text))), "interval")
    return types.cast(b, b.bind(node.this), node.args["to"])


def _constant_text(node: exp.Expr) -> str:
    """The text of literals joined by ``||``; empty if there is more to it."""
    if isinstance(node, exp.Paren):
        return _constant_text(node.this)
    if isinstance(node, exp.DPipe):
        parts = [_constant_text(node.this), _constant_text(node.args["expression"])]
        return "".join(parts) if all(parts) else ""
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
        return f"-{node.this.this}"
    return str(node.this) if isinstance(node, exp.Literal) else ""


def _subquery(b: Binder, node: exp.Subquery) -> Bound:
    sub = b.scope.subquery(b, node, columns=1)
    b.compilation.raising = True  # more than one row is an error, and only the asker's own rows may cause it
    return Bound(sub.sql, sub.kind, sub.uses, True, narrow=sub.narrow)


def _exists(b: Binder, node: exp.Exists) -> Bound:
    sub = b.scope.subquery(b, node.this, columns=None)
    return Bound(sql("(EXISTS {})", sub.sql), "boolean", sub.uses, True)


_BINARY = ("this", "expression")
_RULES: dict[type[exp.Expr], tuple[tuple[str, ...], Rule]] = {
    exp.Column: (("this", "table", "db"), _column),
    exp.Literal: (("this", "is_string"), _literal),
    exp.Boolean: (("this",), lambda b, n: b.literal(bool(n.this))),
    exp.Null: ((), lambda b, n: b.literal(None)),
    exp.Placeholder: (("this", "jdbc"), _placeholder),
    exp.Interval: (("this", "unit"), _interval),
    exp.And: (_BINARY, comparisons.connect),
    exp.Or: (_BINARY, comparisons.connect),
    exp.Not: (("this",), comparisons.negation),
    **dict.fromkeys(comparisons.COMPARISONS, (_BINARY, comparisons.compare)),
    exp.Is: ((*_BINARY, "negate"), comparisons.truth),
    exp.Between: (("this", "low", "high", "symmetric"), comparisons.between),
    exp.In: (("this", "expressions", "query"), comparisons.inside),
    exp.Like: ((*_BINARY, "negate"), comparisons.like),
    exp.ILike: ((*_BINARY, "negate"), comparisons.like),
    exp.SimilarTo: (_BINARY, similar),
    exp.AtTimeZone: (("this", "zone"), lambda b, n: at_time_zone(b, b.bind(n.this), b.bind(n.args["zone"]))),
    exp.Overlaps: (_BINARY, comparisons.overlaps),
    exp.Escape: (_BINARY, comparisons.escape),
    exp.Add: (_BINARY, _arithmetic),
    exp.Sub: (_BINARY, _arithmetic),
    exp.Mul: (_BINARY, _arithmetic),
    exp.Div: ((*_BINARY, "typed", "safe"), _arithmetic),
    exp.Mod: (_BINARY, _arithmetic),
    exp.Neg: (("this",), _negative),
    exp.Paren: (("this",), _paren),
    exp.DPipe: ((*_BINARY, "safe"), _concat_operator),
    exp.Case: (("this", "ifs", "default"), _case),
    exp.If: (("this", "true", "false"), _if),
    exp.Cast: (("this", "to", "safe"), _cast),
    exp.TryCast: (("this", "to", "requires_string", "safe"), _cast),
    exp.Subquery: (("this", "with_"), _subquery),
    exp.Exists: (("this",), _exists),
}
