"""Binding expressions: each node type has one rule, each argument of a node is named in it, the rest is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from ..errors import InvalidQuery, NotAllowed, TooComplex
from . import calls, types
from .context import Compilation
from .refusals import check_args, refuse
from .values import Bound, as_kind

if TYPE_CHECKING:
    from .scope import Scope

__all__ = ["Binder"]

Rule = Callable[["Binder", Any], Bound]
Hook = Callable[[exp.Expr], "Bound | None"]
_MAX_IN = 1000


class Binder:
    """Binds expressions in one scope.

    Parameters
    ----------
    hook
        Asked first for every node; the planner of aggregate queries puts group keys and aggregates in their places
        with it.
    """

    def __init__(self, compilation: Compilation, scope: Scope, hook: Hook | None = None) -> None:
        self.compilation = compilation
        self.scope = scope
        self.hook = hook
        self.windows: dict[str, exp.Window] = {}

    def bind(self, node: exp.Expr) -> Bound:
        """The node as SQL.

        Raises
        ------
        NotAllowed, UnknownMember, InvalidQuery, TooComplex
        """
        if self.hook is not None and (found := self.hook(node)) is not None:
            return found
        rule = _RULES.get(type(node))
        if rule is not None:
            allowed, bind = rule
            check_args(node, allowed)
            return bind(self, node)
        return calls.call(self, node)

    def all(self, nodes: Sequence[exp.Expr]) -> list[Bound]:
        return [self.bind(n) for n in nodes]

    def literal(self, value: Any) -> Bound:
        return self.compilation.params.literal(value)

    def to(self, value: Bound, kind: str) -> Bound:
        return as_kind(self.compilation.params, value, kind)

    def risky(self, *parts: Bound) -> None:
        """Record an operation that may fail on some value of its operands."""
        if any(p.row for p in parts):
            self.compilation.raising = True

    def condition(self, node: exp.Expr, where: str) -> Bound:
        bound = self.to(self.bind(node), "boolean")
        if bound.kind not in ("boolean", "null", "any"):
            raise InvalidQuery(f"{where} wants a condition, not a {bound.kind}; compare it with something.")
        return bound


# --- rules: names and literals ------------------------------------------------------------------------------------


def _column(b: Binder, node: exp.Column) -> Bound:
    if isinstance(node.this, exp.Star):
        raise InvalidQuery("'*' stands only alone in a SELECT list or in COUNT(*).")
    return b.scope.column(b, node.table or None, node.name)


def _number(text: str) -> Any:
    try:
        if text.isascii() and text.isdigit():
            return int(text)
        value = Decimal(text)
    except (InvalidOperation, ValueError):
        raise InvalidQuery(f"'{text[:40]}' is not a number.") from None
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


# --- rules: logic and comparison ----------------------------------------------------------------------------------


def _connect(b: Binder, node: exp.Connector) -> Bound:
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


def _not(b: Binder, node: exp.Not) -> Bound:
    inner = b.condition(node.this, "NOT")
    return Bound.of(f"(NOT {inner.sql})", "boolean", inner, growth=1)


_COMPARISONS = {
    exp.EQ: "=", exp.NEQ: "<>", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<=",
    exp.NullSafeEQ: "IS NOT DISTINCT FROM", exp.NullSafeNEQ: "IS DISTINCT FROM",
}  # fmt: skip


def _compare(b: Binder, node: exp.Binary) -> Bound:
    if isinstance(node.args["expression"], (exp.Any, exp.All)):
        return _quantified(b, node, node.args["expression"])
    left, right = types.comparable(b, b.bind(node.this), b.bind(node.args["expression"]))
    return Bound.of(f"({left.sql} {_COMPARISONS[type(node)]} {right.sql})", "boolean", left, right, growth=1)


def _quantified(b: Binder, node: exp.Binary, right: exp.Expr) -> Bound:
    """``x = ANY (SELECT …)``, ``x > ALL (SELECT …)``."""
    check_args(right, ("this",))
    if type(node) in (exp.NullSafeEQ, exp.NullSafeNEQ) or not isinstance(right.this, (exp.Query, exp.Subquery)):
        raise refuse(right)
    sub = b.scope.subquery(b, right.this, columns=1)
    value, _ = types.comparable(b, b.bind(node.this), Bound(sub.sql, sub.kind))
    word = "ANY" if isinstance(right, exp.Any) else "ALL"
    return Bound.of(f"({value.sql} {_COMPARISONS[type(node)]} {word} {sub.sql})", "boolean", value, sub, growth=1)


def _is(b: Binder, node: exp.Is) -> Bound:
    what = node.args["expression"]
    inner = b.bind(node.this)
    negate = "NOT " if node.args.get("negate") else ""
    if isinstance(what, exp.Null):
        return Bound.of(f"({inner.sql} IS {negate}NULL)", "boolean", inner, growth=1)
    if isinstance(what, exp.Boolean):
        inner = b.condition(node.this, "IS TRUE/FALSE")
        return Bound.of(f"({inner.sql} IS {negate}{'TRUE' if what.this else 'FALSE'})", "boolean", inner, growth=1)
    raise refuse(node, "expression")


def _between(b: Binder, node: exp.Between) -> Bound:
    value = b.bind(node.this)
    _, low = types.comparable(b, value, b.bind(node.args["low"]))
    value, high = types.comparable(b, value, b.bind(node.args["high"]))
    return Bound.of(f"({value.sql} BETWEEN {low.sql} AND {high.sql})", "boolean", value, low, high, growth=1)


def _in(b: Binder, node: exp.In) -> Bound:
    query = node.args.get("query")
    if query is not None:
        sub = b.scope.subquery(b, query, columns=len(node.this.expressions) if isinstance(node.this, exp.Tuple) else 1)
        if isinstance(node.this, exp.Tuple):
            check_args(node.this, ("expressions",))
            parts = b.all(node.this.expressions)
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
        parts = [_compare(b, pair) for pair in pairs]
        rows.append(Bound.of("(" + " AND ".join(p.sql for p in parts) + ")", "boolean", *parts, growth=1))
    return Bound.of("(" + " OR ".join(row.sql for row in rows) + ")", "boolean", *rows, growth=1)


def _like(b: Binder, node: exp.Binary) -> Bound:
    left, right = (b.to(b.bind(n), "string") for n in (node.this, node.args["expression"]))
    left, right = types.expect(b, left, "string", "LIKE"), types.expect(b, right, "string", "LIKE")
    word = ("NOT " if node.args.get("negate") else "") + ("ILIKE" if isinstance(node, exp.ILike) else "LIKE")
    # A pattern that ends in a lone escape makes DuckDB fail; a constant one fails for everybody alike.
    if not right.is_literal:
        b.risky(left, right)
    return Bound.of(f"({left.sql} {word} {right.sql})", "boolean", left, right, growth=1)


def _escape(b: Binder, node: exp.Escape) -> Bound:
    escape = node.args["expression"]
    if not isinstance(node.this, (exp.Like, exp.ILike)) or not isinstance(escape, exp.Literal) or len(escape.this) != 1:
        raise refuse(node)
    inner = b.bind(node.this)
    b.risky(inner)
    return Bound.of(f"({inner.sql[1:-1]} ESCAPE {b.compilation.params.add(escape.this)})", "boolean", inner, growth=1)


# --- rules: arithmetic and the rest -------------------------------------------------------------------------------


def _arithmetic(b: Binder, node: exp.Binary) -> Bound:
    return types.arithmetic(b, node, b.bind(node.this), b.bind(node.args["expression"]))


def _negative(b: Binder, node: exp.Neg) -> Bound:
    inner = b.bind(node.this)
    if inner.is_literal and inner.kind == "number":
        return b.literal(-inner.literal)
    inner = types.expect(b, inner, "number", "-") if inner.kind != "interval" else inner
    b.risky(inner)
    return Bound.of(f"(-{inner.sql})", inner.kind, inner)


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
        test = branch.this if subject is None else exp.EQ(this=subject, expression=branch.this)
        conditions.append(b.condition(test, "WHEN"))
        values.append(b.bind(branch.args["true"]))
    default = node.args.get("default")
    if default is not None:
        values.append(b.bind(default))
    values = types.unified(b, values, "CASE")
    text = " ".join(f"WHEN {c.sql} THEN {v.sql}" for c, v in zip(conditions, values, strict=False))
    end = f" ELSE {values[-1].sql}" if default is not None else ""
    growth = max(v.growth for v in values)
    return Bound.of(f"(CASE {text}{end} END)", types.common(values), *conditions, *values, growth=growth)


def _if(b: Binder, node: exp.If) -> Bound:
    test = b.condition(node.this, "IF")
    other = node.args.get("false")
    values = types.unified(b, [b.bind(node.args["true"])] + ([b.bind(other)] if other is not None else []), "IF")
    end = f" ELSE {values[1].sql}" if other is not None else ""
    return Bound.of(f"(CASE WHEN {test.sql} THEN {values[0].sql}{end} END)", types.common(values), test, *values)


def _cast(b: Binder, node: exp.Cast) -> Bound:
    return types.cast(b, b.bind(node.this), node.args["to"])


def _subquery(b: Binder, node: exp.Subquery) -> Bound:
    sub = b.scope.subquery(b, node, columns=1)
    b.compilation.raising = True  # more than one row is an error, and only the asker's own rows may cause it
    return Bound(sub.sql, sub.kind, sub.uses, True)


def _exists(b: Binder, node: exp.Exists) -> Bound:
    sub = b.scope.subquery(b, node.this, columns=None)
    return Bound(f"(EXISTS {sub.sql})", "boolean", sub.uses, True)


_BINARY = ("this", "expression")
_RULES: dict[type[exp.Expr], tuple[tuple[str, ...], Rule]] = {
    exp.Column: (("this", "table"), _column),
    exp.Literal: (("this", "is_string"), _literal),
    exp.Boolean: (("this",), lambda b, n: b.literal(bool(n.this))),
    exp.Null: ((), lambda b, n: b.literal(None)),
    exp.Placeholder: (("this", "jdbc"), _placeholder),
    exp.Interval: (("this", "unit"), _interval),
    exp.And: (_BINARY, _connect),
    exp.Or: (_BINARY, _connect),
    exp.Not: (("this",), _not),
    **dict.fromkeys(_COMPARISONS, (_BINARY, _compare)),
    exp.Is: ((*_BINARY, "negate"), _is),
    exp.Between: (("this", "low", "high"), _between),
    exp.In: (("this", "expressions", "query"), _in),
    exp.Like: ((*_BINARY, "negate"), _like),
    exp.ILike: ((*_BINARY, "negate"), _like),
    exp.Escape: (_BINARY, _escape),
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
