"""Aggregate calls: which nodes are any, and their arguments bound, before it is known over which rows they run."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace
from sqlglot import exp

from ...dialects import duckdb as say
from ...dialects.nodes import among, sql, word
from ...errors import InvalidQuery
from ..refusals import check_args
from ..values import Bound
from . import types
from .binding import Binder
from .ordering import ordering_direction

__all__ = ["AggregateCall", "aggregate_call", "is_aggregate", "is_measure", "measure_argument"]


class AggregateCall(Struct, frozen=True):
    """An aggregate before it is placed: ``render`` takes the SQL of its arguments."""

    render: Callable[[list[str]], str]
    args: tuple[Bound, ...]
    kind: str
    repeatable: bool = False
    every_row: bool = False  # COUNT(*)
    listed: bool = False


def is_measure(node: exp.Expr) -> bool:
    """``MEASURE(x)``, or ``AGG(x)`` as other dialects spell it."""
    return isinstance(node, exp.Agg) or (isinstance(node, exp.Anonymous) and node.name.upper() == "MEASURE")


def measure_argument(node: exp.Expr) -> exp.Expr | None:
    """What stands in ``MEASURE(…)``, if it is one thing."""
    inside = [node.this] if isinstance(node, exp.Agg) else node.expressions
    return inside[0] if len(inside) == 1 else None


def is_aggregate(node: exp.Expr) -> bool:
    """Whether a node is an aggregate call as a whole (with its FILTER or WITHIN GROUP)."""
    if isinstance(node, (exp.GroupConcat, exp.ArrayAgg, exp.WithinGroup, exp.Filter)) or type(node) in say.AGGREGATES:
        return True
    return isinstance(node, exp.Anonymous) and node.name.lower() in say.ANONYMOUS_AGGREGATES


def aggregate_call(b: Binder, node: exp.Expr) -> AggregateCall:
    """Bind an aggregate's arguments with ``b`` (which binds row values)."""
    call = _call(b, node)
    # SQL gives such an aggregate to the query around, where its rows are others than the reader thinks.
    if b.scope.parent is not None and _of_outside(b, node):
        raise InvalidQuery(
            "An aggregate in a subquery names columns of the query around it only; aggregate there, or name a "
            "column of the subquery."
        )
    return call


def _of_outside(b: Binder, node: exp.Expr) -> bool:
    columns = [c for c in node.find_all(exp.Column) if not isinstance(c.this, exp.Star)]
    return bool(columns) and all(b.scope.lookup(c.table or None, c.name) is None for c in columns)


def _call(b: Binder, node: exp.Expr) -> AggregateCall:
    if isinstance(node, exp.Filter):
        return _filtered(b, node)
    if isinstance(node, exp.WithinGroup):
        return _within_group(b, node)
    if isinstance(node, exp.GroupConcat):
        return _string_agg(b, node)
    if isinstance(node, exp.ArrayAgg):
        return _array_agg(b, node)
    anonymous = isinstance(node, exp.Anonymous)
    spec = say.ANONYMOUS_AGGREGATES[node.name.lower()] if anonymous else say.AGGREGATES[type(node)]
    if not anonymous:
        check_args(node, (*spec.args, *spec.ignored, *(("expressions",) if isinstance(node, exp.Count) else ())))
    args = list(node.expressions) if anonymous else [node.args[a] for a in spec.args if node.args.get(a) is not None]
    # COUNT(1) is COUNT(*). sqlglot keeps the second and further arguments of COUNT in `expressions`.
    if isinstance(node, exp.Count) and (not args or isinstance(args[0], (exp.Star, exp.Literal)) or node.expressions):
        if len(args) != 1 or node.expressions:
            raise InvalidQuery("COUNT takes one argument or *.")
        check_args(args[0], ("this", "is_string"))
        return AggregateCall(lambda a: word("COUNT(*)"), (), "number", every_row=True)
    if (
        isinstance(node, exp.Count)
        and isinstance(args[0], exp.Distinct)
        and isinstance(args[0].expressions[0], exp.Tuple)
    ):
        return _distinct_rows(b, args[0])
    return _ordinary(b, spec, args)


def _distinct_rows(b: Binder, node: exp.Distinct) -> AggregateCall:
    """``COUNT(DISTINCT (a, b))``: rows of values, of which none is NULL as a whole."""
    check_args(node, ("expressions",))
    if len(node.expressions) != 1:
        raise InvalidQuery("COUNT takes one argument or *.")
    check_args(node.expressions[0], ("expressions",))
    bound = b.all(node.expressions[0].expressions)
    # A row of NULLs is a value of its own in DuckDB, as it is in PostgreSQL.
    return AggregateCall(lambda a: among("COUNT(DISTINCT ({}))", a), tuple(bound), "number", True)


def _ordinary(b: Binder, spec: say.Aggregate, args: list[exp.Expr]) -> AggregateCall:
    distinct = bool(args) and isinstance(args[0], exp.Distinct)
    if distinct:
        check_args(args[0], ("expressions",))
        args = [*args[0].expressions, *args[1:]]
    name = spec.template.partition("(")[0]
    # The template knows how many arguments there are.
    if len(args) != spec.template.count("{1}") + 1:
        raise InvalidQuery(f"{name} takes another number of arguments.")
    bound = b.all(args)
    bound = [types.expect(b, v, spec.takes[i] if i < len(spec.takes) else "", name) for i, v in enumerate(bound)]
    kind = bound[0].kind if spec.kind == "same" else spec.kind
    bound[0] = _between(bound[0]) if spec.continuous else bound[0]
    template = spec.template.replace("({0}", "(DISTINCT {0}") if distinct else spec.template
    # A template that reads its argument in a CASE reads it several times, and DISTINCT would stand in one of them only.
    if "DISTINCT" in template and "CASE" in template:
        raise InvalidQuery(f"{name} takes no DISTINCT.")
    return AggregateCall(lambda a: sql(template, *a), tuple(bound), kind, spec.repeatable or distinct)


def _between(value: Bound) -> Bound:
    """A number with the digits that a value between two such numbers may need."""
    if value.kind != "number":
        return value
    return replace(value, sql=say.cast(value.sql, say.DOUBLE), floating=True, narrow=False)


def _filtered(b: Binder, node: exp.Filter) -> AggregateCall:
    check_args(node, ("this", "expression"))
    inner = aggregate_call(b, node.this) if is_aggregate(node.this) else None
    if inner is None or isinstance(node.this, exp.Filter):
        raise InvalidQuery("FILTER follows an aggregate.")
    test = b.condition(node.args["expression"].this, "FILTER")
    render = lambda a: sql("{} FILTER (WHERE {})", inner.render(a[:-1]), a[-1])  # noqa: E731
    return replace(inner, render=render, args=(*inner.args, test))


def _within_group(b: Binder, node: exp.WithinGroup) -> AggregateCall:
    check_args(node, ("this", "expression"))
    inner, order = node.this, node.args["expression"]
    if isinstance(inner, exp.Anonymous) and inner.name.lower() == "listagg" and 1 <= len(inner.expressions) <= 2:
        text, separator = inner.expressions[0], inner.expressions[1] if len(inner.expressions) > 1 else None
        listed = exp.Order(this=text, expressions=order.expressions)
        return _string_agg(b, exp.GroupConcat(this=listed, separator=separator or exp.Literal.string("")))
    if isinstance(inner, exp.Mode) and inner.this is None and len(order.expressions) == 1:
        value = b.bind(order.expressions[0].this)
        return AggregateCall(lambda a: say.mode(a[0]), (value,), value.kind)
    if not isinstance(inner, (exp.PercentileCont, exp.PercentileDisc)) or len(order.expressions) != 1:
        raise InvalidQuery(
            "WITHIN GROUP is read after PERCENTILE_CONT(p), PERCENTILE_DISC(p), MODE() and LISTAGG(x, ',')."
        )
    check_args(inner, ("this",))
    share = b.bind(inner.this)
    if not share.is_literal or isinstance(share.literal, str) or not 0 <= float(share.literal) <= 1:
        raise InvalidQuery("A percentile is a constant between 0 and 1.")
    ordered = order.expressions[0]
    value = b.bind(ordered.this)
    continuous = isinstance(inner, exp.PercentileCont)
    # The median of DECIMAL(3,1) 1.0 and 1.1 is 1.0 in DuckDB, which answers in the type of the column.
    value = _between(value) if continuous else value
    falling = bool(ordered.args.get("desc"))
    render = lambda a: say.quantile(a[0], share.sql, continuous=continuous, descending=falling)  # noqa: E731
    return AggregateCall(render, (value,), value.kind)


def _string_agg(b: Binder, node: exp.GroupConcat) -> AggregateCall:
    check_args(node, ("this", "separator", "on_overflow"))
    inner, orders, distinct = _ordered(node.this)
    text = types.expect(b, b.to(b.bind(inner), "string"), "string", "string_agg")
    # DuckDB's default; PostgreSQL has none and wants the argument.
    separator = b.bind(node.args["separator"]) if node.args.get("separator") is not None else b.literal(",")
    if not separator.is_literal or not isinstance(separator.literal, str):
        raise InvalidQuery("string_agg wants a constant separator.")
    keys = [b.bind(o.this) for o in orders]
    tails = [ordering_direction(o) for o in orders]

    def render(a: list[str]) -> str:
        return say.string_agg(a[0], separator.sql, _decided(a, tails), distinct=distinct)

    return AggregateCall(render, (text, *keys), "string", distinct)


def _array_agg(b: Binder, node: exp.ArrayAgg) -> AggregateCall:
    """All values of a group as a list, a missing one among them."""
    check_args(node, ("this", "nulls_excluded"))
    inner, orders, distinct = _ordered(node.this)
    value, keys = b.bind(inner), [b.bind(o.this) for o in orders]
    tails = [ordering_direction(o) for o in orders]
    # Of equal values with different keys it would be open which key counts.
    if distinct and any(key.sql != value.sql for key in keys):
        raise InvalidQuery("array_agg(DISTINCT x ORDER BY …) is ordered by x itself.")
    render = lambda a: say.as_list(a[0], _decided(a, tails), distinct=distinct)  # noqa: E731
    return AggregateCall(render, (value, *keys), "any", distinct, listed=True)


def _ordered(node: exp.Expr) -> tuple[exp.Expr, list[exp.Ordered], bool]:
    """What is taken together, in which order, and whether each value once."""
    orders: list[exp.Ordered] = []
    if isinstance(node, exp.Order):
        orders, node = node.expressions, node.this
    return (node.expressions[0], orders, True) if isinstance(node, exp.Distinct) else (node, orders, False)


def _decided(args: list[str], tails: list[str]) -> list[tuple[str, str]]:
    """The order, to the value itself: of two that tie, a plan would go by hidden rows too."""
    return [*zip(args[1:], tails, strict=False), (args[0], " NULLS LAST")]
