"""Conditions: AND, OR, comparisons, IN, LIKE, and what else gives true or false."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from ...dialects.nodes import among_words, holes, sql
from ...errors import InvalidQuery, NotAllowed, TooComplex
from ..refusals import check_args, refuse
from ..values import Bound
from . import types
from .binding import Binder
from .list_calls import holds

__all__ = ["COMPARISONS", "between", "compare", "connect", "escape", "inside", "like", "negation", "overlaps", "truth"]

# As many as the list of values of a policy may hold.
_MAX_IN = 1000


def connect(b: Binder, node: exp.Connector) -> Bound:
    word = "AND" if isinstance(node, exp.And) else "OR"
    terms: list[exp.Expr] = []
    stack: list[exp.Expr] = [node]
    while stack:  # a chain of one operator leans to the left and may be long
        at = stack.pop()
        # A hook may know a part of the chain as a group key, so there each pair is bound by itself.
        if type(at) is type(node) and (b.hook is None or at is node):
            check_args(at, ("this", "expression"))
            stack += [at.args["expression"], at.this]
        else:
            terms.append(at)
    if len(terms) > _MAX_IN:
        raise TooComplex(f"A condition joins more than {_MAX_IN} terms; use IN (…).")
    bound = [b.condition(t, word) for t in terms]
    return Bound.of(_connected(f" {word} ", bound), "boolean", *bound, growth=1)


def negation(b: Binder, node: exp.Not) -> Bound:
    inner = b.condition(node.this, "NOT")
    return Bound.of(sql("(NOT {})", inner.sql), "boolean", inner, growth=1)


def _connected(between: str, parts: Sequence[Bound]) -> str:
    return among_words("({})", between, [part.sql for part in parts])


def _two(left: Bound, word: str, right: Bound) -> Bound:
    return Bound.of(sql(f"({{}} {word} {{}})", left.sql, right.sql), "boolean", left, right, growth=1)


COMPARISONS = {
    exp.EQ: "=", exp.NEQ: "<>", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<=",
    exp.NullSafeEQ: "IS NOT DISTINCT FROM", exp.NullSafeNEQ: "IS DISTINCT FROM",
}  # fmt: skip


def compare(b: Binder, node: exp.Binary) -> Bound:
    other = node.args["expression"]
    if (listed := listed_values(other)) is not None:
        return against_list(b, node, *listed)
    if isinstance(other, (exp.Any, exp.All)):
        return _quantified(b, node, other)
    if isinstance(node.this, exp.Tuple) and isinstance(other, exp.Tuple):
        return _rows(b, node, node.this, other)
    left, right = types.comparable(b, b.bind(node.this), b.bind(node.args["expression"]))
    return _two(left, COMPARISONS[type(node)], right)


def _rows(b: Binder, node: exp.Binary, left: exp.Tuple, right: exp.Tuple) -> Bound:
    """``(a, b) = (1, 2)``, and ``(a, b) < (1, 2)``: by the first parts that differ."""
    for side in (left, right):
        check_args(side, ("expressions",))
    if len(left.expressions) != len(right.expressions):
        raise InvalidQuery(f"Rows of {len(left.expressions)} and {len(right.expressions)} values are compared.")
    pairs = list(zip(left.expressions, right.expressions, strict=True))
    if isinstance(node, (exp.EQ, exp.NullSafeEQ, exp.NEQ, exp.NullSafeNEQ)):
        parts = [compare(b, type(node)(this=one, expression=other)) for one, other in pairs]
        word = " OR " if isinstance(node, (exp.NEQ, exp.NullSafeNEQ)) else " AND "
        return Bound.of(_connected(word, parts), "boolean", *parts, growth=1)
    strict = exp.LT if isinstance(node, (exp.LT, exp.LTE)) else exp.GT
    result: exp.Expr = type(node)(this=pairs[-1][0], expression=pairs[-1][1])
    for one, other in reversed(pairs[:-1]):
        equal = exp.and_(exp.EQ(this=one, expression=other), result)
        result = exp.or_(strict(this=one, expression=other), equal)
    return b.bind(result)


def listed_values(node: exp.Expr) -> tuple[list[exp.Expr], bool] | None:
    """The values of ``ANY (ARRAY[…])``, ``ALL (ARRAY[…])`` or ``ANY ('{…}')``, and whether all are meant."""
    every = isinstance(node, exp.All) or (isinstance(node, exp.Anonymous) and node.name.lower() == "all")
    if not every and not isinstance(node, exp.Any):
        return None
    inner = node.expressions[0] if isinstance(node, exp.Anonymous) and len(node.expressions) == 1 else node.this
    while isinstance(inner, exp.Paren):
        inner = inner.this
    # '{a,b}'::text[], as PostgreSQL's drivers write a list.
    if isinstance(inner, exp.Cast) and str(inner.args["to"]).endswith("[]"):
        inner = inner.this
    if isinstance(inner, exp.Array):
        check_args(inner, ("expressions",))
        return inner.expressions, every
    if isinstance(inner, exp.Literal) and inner.is_string and inner.this[:1] == "{" and inner.this[-1:] == "}":
        texts = [text.strip().strip('"') for text in inner.this[1:-1].split(",") if text.strip()]
        return [exp.Null() if text.upper() == "NULL" else exp.Literal.string(text) for text in texts], every
    return None


def against_list(b: Binder, node: exp.Binary, values: list[exp.Expr], every: bool) -> Bound:
    """``x = ANY (ARRAY[…])``, ``x NOT LIKE ALL (ARRAY[…])``: one comparison for each value."""
    if len(values) > _MAX_IN:
        raise TooComplex(f"A list holds more than {_MAX_IN} values.")
    # Of no values all are true and none is.
    if not values:
        return b.literal(every)
    parts = []
    for value in values:
        one = node.copy()
        one.set("expression", value.copy())
        parts.append(b.bind(one))
    return Bound.of(_connected(" AND " if every else " OR ", parts), "boolean", *parts, growth=1)


def _quantified(b: Binder, node: exp.Binary, right: exp.Expr) -> Bound:
    """``x = ANY (SELECT …)``, ``x > ALL (SELECT …)``."""
    check_args(right, ("this",))
    # x = ANY (tags): a column of lists and no query.
    if isinstance(node, exp.EQ) and isinstance(right, exp.Any) and isinstance(right.this, (exp.Paren, exp.Column)):
        held = b.bind(right.this)
        if not held.listed:
            raise InvalidQuery("= ANY (…) takes a column of lists, ARRAY[…] or a subquery; write = for one value.")
        return holds(b, held, b.bind(node.this))
    if type(node) in (exp.NullSafeEQ, exp.NullSafeNEQ) or not isinstance(right.this, (exp.Query, exp.Subquery)):
        raise refuse(right)
    sub = b.scope.subquery(b, right.this, columns=1)
    value = _beside(b, b.bind(node.this), sub)
    word = "ANY" if isinstance(right, exp.Any) else "ALL"
    return _two(value, f"{COMPARISONS[type(node)]} {word}", sub)


def truth(b: Binder, node: exp.Is) -> Bound:
    what = node.args["expression"]
    inner = b.bind(node.this)
    negate = "NOT " if node.args.get("negate") else ""
    if isinstance(what, exp.Null):
        return Bound.of(sql(f"({{}} IS {negate}NULL)", inner.sql), "boolean", inner, growth=1)
    if isinstance(what, exp.Boolean):
        inner = b.condition(node.this, "IS TRUE/FALSE")
        test = sql(f"({{}} IS {negate}{'TRUE' if what.this else 'FALSE'})", inner.sql)
        return Bound.of(test, "boolean", inner, growth=1)
    raise refuse(node, "expression")


def between(b: Binder, node: exp.Between) -> Bound:
    if node.args.get("symmetric"):
        # SYMMETRIC is not known to DuckDB: the lesser bound is taken for the low one.
        bounds = [node.args["low"], node.args["high"]]
        low_end, high_end = (
            exp.Least(this=bounds[0], expressions=bounds[1:]),
            exp.Greatest(this=bounds[0], expressions=bounds[1:]),
        )
        return between(b, exp.Between(this=node.this, low=low_end, high=high_end))
    value = b.bind(node.this)
    _, low = types.comparable(b, value, b.bind(node.args["low"]))
    value, high = types.comparable(b, value, b.bind(node.args["high"]))
    test = sql("({} BETWEEN {} AND {})", value.sql, low.sql, high.sql)
    return Bound.of(test, "boolean", value, low, high, growth=1)


def inside(b: Binder, node: exp.In) -> Bound:
    query = node.args.get("query")
    if query is not None:
        sub = b.scope.subquery(b, query, columns=len(node.this.expressions) if isinstance(node.this, exp.Tuple) else 1)
        if isinstance(node.this, exp.Tuple):
            check_args(node.this, ("expressions",))
            parts = b.all(node.this.expressions)
            b.risky(*parts)  # they meet the subquery's columns, whose kinds are not looked at here
            test = sql(f"(({holes(len(parts))}) IN {{}})", *(p.sql for p in parts), sub.sql)
            return Bound.of(test, "boolean", *parts, sub, growth=1)
        value = _beside(b, b.bind(node.this), sub)
        return _two(value, "IN", sub)
    items = node.expressions
    if len(items) > _MAX_IN:
        raise TooComplex(f"An IN list holds more than {_MAX_IN} values.")
    if isinstance(node.this, exp.Tuple):
        return _in_tuples(b, node.this, items)
    value = b.bind(node.this)
    bound = []
    for item in items:
        # The value changes with the first item of another kind, and the others are compared with what it became.
        value, one = types.comparable(b, value, b.bind(item))
        bound.append(one)
    test = sql(f"({{}} IN ({holes(len(bound))}))", value.sql, *(i.sql for i in bound))
    return Bound.of(test, "boolean", value, *bound, growth=1)


def _beside(b: Binder, value: Bound, sub: Bound) -> Bound:
    """A value to compare with a subquery's, which stays as it is."""
    value, other = types.comparable(b, value, Bound(sub.sql, sub.kind))
    # What is inside a subquery cannot be cast from without.
    if other.sql != sub.sql:
        raise InvalidQuery(f"A {value.kind} is compared with a subquery of {sub.kind}s; cast one of them.")
    return value


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
        rows.append(Bound.of(_connected(" AND ", parts), "boolean", *parts, growth=1))
    return Bound.of(_connected(" OR ", rows), "boolean", *rows, growth=1)


def like(b: Binder, node: exp.Binary, escaped_by: str = "") -> Bound:
    if (listed := listed_values(node.args["expression"])) is not None:
        if escaped_by:
            raise InvalidQuery("ESCAPE follows one pattern; write x LIKE 'a!%' ESCAPE '!' OR x LIKE 'b!%' ESCAPE '!'.")
        return against_list(b, node, *listed)
    left, right = (b.to(b.bind(n), "string") for n in (node.this, node.args["expression"]))
    left, right = types.expect(b, left, "string", "LIKE"), types.expect(b, right, "string", "LIKE")
    word = ("NOT " if node.args.get("negate") else "") + ("ILIKE" if isinstance(node, exp.ILike) else "LIKE")
    # A pattern that ends in a lone escape makes DuckDB fail; a constant one fails for everybody alike.
    if not right.is_literal or escaped_by:
        b.risky(left, right)
    if not escaped_by:
        return _two(left, word, right)
    test = sql(f"({{}} {word} {{}} ESCAPE {{}})", left.sql, right.sql, b.compilation.params.add(escaped_by))
    return Bound.of(test, "boolean", left, right, growth=1)


def overlaps(b: Binder, node: exp.Overlaps) -> Bound:
    """``(a, b) OVERLAPS (c, d)``: each from its earlier to before its later moment; where one is unknown, unknown.

    The second of a pair may be a length.
    """
    spans = [side.expressions if isinstance(side, exp.Tuple) else [] for side in (node.this, node.expression)]
    if any(len(span) != 2 for span in spans):
        raise InvalidQuery("Write (start_1, end_1) OVERLAPS (start_2, end_2).")
    # Each end is written several times below: a nested one would grow with every level.
    if any(end.find(exp.Overlaps, exp.Query) is not None for span in spans for end in span):
        raise NotAllowed("OVERLAPS compares columns and constants; compute its times in a subquery first.")
    (low, high), (other_low, other_high) = (_span(b, *span) for span in spans)
    meet = exp.and_(exp.LT(this=low, expression=other_high), exp.LT(this=other_low, expression=high))
    # SQL's OVERLAPS: a span of no length lies in the one that begins with it.
    return b.bind(exp.paren(exp.or_(meet, exp.EQ(this=low.copy(), expression=other_low.copy()))))


def _span(b: Binder, start: exp.Expr, end: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    if b.bind(end).kind == "interval":
        end = exp.Add(this=start, expression=end)

    def first(one: exp.Expr, other: exp.Expr) -> exp.Expr:
        # Two tests without ELSE, so that an unknown end stays unknown.
        forward, backward = exp.LTE(this=start, expression=end), exp.GT(this=start, expression=end)
        ifs = [exp.If(this=forward, true=one), exp.If(this=backward, true=other)]
        return exp.Case(ifs=ifs).copy()

    return first(start, end), first(end, start)


def escape(b: Binder, node: exp.Escape) -> Bound:
    escape = node.args["expression"]
    if not isinstance(node.this, (exp.Like, exp.ILike)) or not isinstance(escape, exp.Literal) or len(escape.this) != 1:
        raise refuse(node)
    check_args(node.this, ("this", "expression", "negate"))
    return like(b, node.this, escape.this)
