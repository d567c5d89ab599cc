"""Function calls: the table of functions, the few with a grammar of their own, aggregates and windows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from ..errors import InvalidQuery, NotAllowed, TooComplex
from . import types
from .functions import (
    AGGREGATES,
    ANONYMOUS,
    ANONYMOUS_AGGREGATES,
    DATE_PARTS,
    FUNCTIONS,
    WINDOW_ONLY,
    Aggregate,
    Function,
)  # fmt: skip
from .names import nearest
from .timegrain import truncated
from .values import Bound

if TYPE_CHECKING:
    from .expressions import Binder

__all__ = [
    "AggregateCall",
    "aggregate_call",
    "call",
    "is_aggregate",
    "is_measure",
    "measure_argument",
    "ordering",
    "ordering_direction",
]

_GROWTH_OF_REPLACE = 8


@dataclass(frozen=True, slots=True)
class AggregateCall:
    """An aggregate before it is placed: ``render`` takes the SQL of its arguments."""

    render: Callable[[list[str]], str]
    args: tuple[Bound, ...]
    kind: str
    repeatable: bool = False
    every_row: bool = False  # COUNT(*)


def call(b: Binder, node: exp.Expr) -> Bound:
    """A call that is no rule of the binder's own."""
    special = _SPECIAL.get(type(node))
    if special is not None:
        return special(b, node)
    if is_measure(node):
        raise InvalidQuery("MEASURE(…) stands in SELECT, HAVING or ORDER BY of a query on one cube or view.")
    if is_aggregate(node):
        return b.scope.aggregate(b, node)
    if isinstance(node, exp.Anonymous):
        function = ANONYMOUS.get(node.name.lower())
        if function is not None:
            return _plain(b, node, function, node.expressions)
        raise _unknown(node.name)
    if type(node) in FUNCTIONS:
        function = FUNCTIONS[type(node)]
        _check(node, (*function.args, *function.ignored))
        args = [node.args[name] for name in function.args if node.args.get(name) is not None]
        return _plain(b, node, function, args)
    if type(node) in WINDOW_ONLY:
        raise InvalidQuery(f"{WINDOW_ONLY[type(node)][0]} needs OVER (…).")
    if isinstance(node, exp.Func):
        raise _unknown(node.sql_name())
    from .expressions import refuse

    raise refuse(node)


def _unknown(name: str) -> NotAllowed:
    known = [
        *ANONYMOUS,
        *ANONYMOUS_AGGREGATES,
        *(k.sql_name() for k in (*FUNCTIONS, *AGGREGATES) if issubclass(k, exp.Func)),
    ]
    close = tuple(n.lower() for n in nearest(name, known, 1)) if len(name) < 40 else ()
    hint = f" Did you mean {close[0]}()?" if close else ""
    return NotAllowed(f"The function '{name.lower()[:40]}' is not available.{hint}", suggestions=close)


def _check(node: exp.Expr, allowed: tuple[str, ...]) -> None:
    from .expressions import check_args

    check_args(node, allowed)


def _plain(b: Binder, node: exp.Expr, function: Function, args: list[exp.Expr]) -> Bound:
    if isinstance(node, exp.Round) and len(args) == 1:
        function = _ROUND
    wanted = function.template.count("{1}") + function.template.count("{2}") + 1
    name = function.template.partition("(")[0].lower()
    if len(args) != wanted:
        raise InvalidQuery(f"{name} takes {wanted} argument{'s' if wanted > 1 else ''}, not {len(args)}.")
    bound = [b.bind(a) for a in args]
    for i in function.constants:
        if not bound[i].is_literal:
            raise InvalidQuery(f"{name} wants a constant as its argument {i + 1}.")
    if function.takes:
        bound = [
            types.expect(b, v, function.takes[i] if i < len(function.takes) else "", name) for i, v in enumerate(bound)
        ]
    if function.raises:
        b.risky(*bound)
    text = function.template.format(*(v.sql for v in bound))
    return Bound.of(f"({text})" if text.startswith("CASE") else text, function.kind, *bound)


_ROUND = Function("round({0})", "number", takes=("number",))


# --- functions with a grammar of their own ------------------------------------------------------------------------


def _date_trunc(b: Binder, node: exp.Expr) -> Bound:
    _check(node, ("this", "unit", "zone"))
    if node.args.get("zone") is not None:
        raise InvalidQuery("date_trunc takes no zone; set the time zone of the query instead.")
    unit = node.args.get("unit")
    if not isinstance(unit, (exp.Var, exp.Literal)):
        raise InvalidQuery("date_trunc wants a constant granularity, such as 'month'.")
    value = types.expect(b, b.bind(node.this), "time", "date_trunc")
    custom = b.scope.granularities(value.member)
    try:
        sql = truncated(unit.name, value.sql, custom)
    except LookupError:
        from ..intervals import STANDARD_GRANULARITIES

        known = [*STANDARD_GRANULARITIES, *(g.name for g in custom)]
        close = nearest(unit.name, known, 1)
        hint = f" Did you mean '{close[0]}'?" if close else ""
        raise InvalidQuery(
            f"The granularity '{unit.name.lower()}' is unknown; known are {', '.join(known)}.{hint}"
        ) from None
    b.risky(value)  # at the very edges of the calendar there is no start of the month
    kind = value.kind if unit.name.lower() in ("day", "week", "month", "quarter", "year") else "timestamp"
    return Bound.of(sql, kind, value).named(f"{value.member}.{unit.name.lower()}" if value.member else None)


def _extract(b: Binder, node: exp.Extract) -> Bound:
    _check(node, ("this", "expression"))
    part = node.this.name.lower() if isinstance(node.this, (exp.Var, exp.Literal)) else ""
    part = {"years": "year", "months": "month", "days": "day", "hours": "hour", "dayofweek": "dow", "weekday": "dow",
            "dayofyear": "doy", "minutes": "minute", "seconds": "second"}.get(part, part)  # fmt: skip
    if part not in DATE_PARTS:
        raise InvalidQuery(f"The date part '{part}' is unknown; known are {', '.join(sorted(DATE_PARTS))}.")
    value = b.bind(node.args["expression"])
    if value.kind != "interval":
        value = types.expect(b, value, "time", "EXTRACT")
    if part in ("week", "isoyear"):
        b.risky(value)
    return Bound.of(f"date_part('{part}', {value.sql})", "number", value)


def _coalesce(b: Binder, node: exp.Expr) -> Bound:
    _check(node, ("this", "expressions", "ignore_nulls", "is_nvl", "is_null"))
    name = {"Coalesce": "COALESCE", "Greatest": "GREATEST", "Least": "LEAST"}[type(node).__name__]
    values = types.unified(b, b.all([node.this, *node.expressions]), name)
    return Bound.of(f"{name}({', '.join(v.sql for v in values)})", types.common(values), *values)


def _nullif(b: Binder, node: exp.Nullif) -> Bound:
    _check(node, ("this", "expression"))
    left, right = types.comparable(b, b.bind(node.this), b.bind(node.args["expression"]))
    return Bound.of(f"NULLIF({left.sql}, {right.sql})", left.kind, left, right, growth=left.growth)


def _concat(b: Binder, node: exp.Expr) -> Bound:
    _check(node, ("expressions", "safe", "coalesce"))
    if isinstance(node, exp.Concat):
        return types.concat(b, b.all(node.expressions), "concat")
    parts = [types.expect(b, b.to(p, "string"), "string", "concat_ws") for p in b.all(node.expressions)]
    growth = sum(p.growth for p in parts) + parts[0].growth * len(parts)
    return Bound.of(f"concat_ws({', '.join(p.sql for p in parts)})", "string", *parts, growth=growth)


def _replace(b: Binder, node: exp.Replace) -> Bound:
    _check(node, ("this", "expression", "replacement"))
    parts = [
        types.expect(b, b.to(b.bind(n), "string"), "string", "replace") for n in (node.this, node.args["expression"])
    ]
    new = b.bind(node.args["replacement"]) if node.args.get("replacement") is not None else b.literal("")
    if not new.is_literal or not isinstance(new.literal, str):
        raise InvalidQuery("replace wants a constant text as replacement.")
    if len(new.literal) > _GROWTH_OF_REPLACE:
        raise TooComplex(f"The replacement text of replace may have at most {_GROWTH_OF_REPLACE} characters.")
    growth = parts[0].growth * max(1, len(new.literal))
    return Bound.of(f"replace({parts[0].sql}, {parts[1].sql}, {new.sql})", "string", *parts, new, growth=growth)


def _substring(b: Binder, node: exp.Substring) -> Bound:
    _check(node, ("this", "start", "length", "zero_start"))
    text = types.expect(b, b.to(b.bind(node.this), "string"), "string", "substring")
    numbers = [b.bind(node.args[n]) for n in ("start", "length") if node.args.get(n) is not None]
    whole = [Bound.of(f"TRY_CAST({n.sql} AS BIGINT)", "number", n) for n in numbers]
    return Bound.of(f"substring({', '.join(p.sql for p in (text, *whole))})", "string", text, *whole)


def _trim(b: Binder, node: exp.Trim) -> Bound:
    _check(node, ("this", "expression", "position"))
    parts = [types.expect(b, b.to(b.bind(node.this), "string"), "string", "trim")]
    if node.args.get("expression") is not None:
        parts.append(types.expect(b, b.to(b.bind(node.args["expression"]), "string"), "string", "trim"))
    name = {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(str(node.args.get("position") or "").upper(), "trim")
    return Bound.of(f"{name}({', '.join(p.sql for p in parts)})", "string", *parts)


def _log(b: Binder, node: exp.Log) -> Bound:
    _check(node, ("this", "expression"))
    value, base = node.this, None
    if node.args.get("expression") is not None:
        base, value = types.expect(b, b.bind(node.this), "number", "log"), node.args["expression"]
    number = types.expect(b, b.bind(value), "number", "log")
    positive = f"CASE WHEN {number.sql} > 0 THEN "
    if base is None or base.sql == "10":
        return Bound.of(f"({positive}log10({number.sql}) END)", "number", number)
    guard = f"CASE WHEN {number.sql} > 0 AND {base.sql} > 0 AND {base.sql} <> 1 THEN "
    return Bound.of(f"({guard}ln({number.sql}) / ln({base.sql}) END)", "number", number, base)


def _now(b: Binder, node: exp.Expr) -> Bound:
    _check(node, ("this", "sysdate") if not node.args.get("this") else ())
    moment = f"timezone({b.compilation.params.add(b.compilation.timezone)}, now())"
    if isinstance(node, exp.CurrentDate):
        return Bound(f"CAST({moment} AS DATE)", "date")
    return Bound(moment, "timestamp")


_UNITS = ("microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year")


def _date_diff(b: Binder, node: exp.Expr) -> Bound:
    """``date_diff('day', a, b)``: boundaries of the unit passed between a and b, in whichever order the unit stands."""
    _check(node, ("this", "expression", "unit", "big_int", "date_part_boundary"))
    parts = [n for n in (node.this, node.args.get("expression"), node.args.get("unit")) if n is not None]
    names = [(p.name or "").lower().rstrip("s") for p in parts]
    at = next(
        (
            i
            for i, name in enumerate(names)
            if name in _UNITS and not (isinstance(parts[i], exp.Column) and parts[i].args.get("table"))
        ),
        None,
    )
    if at is None or len(parts) != 3:
        raise InvalidQuery("Write date_diff('day', start, end).")
    others = [exp.column(p.name) if isinstance(p, exp.Var) else p for i, p in enumerate(parts) if i != at]
    # The parser keeps the written order of the other two, whichever slot the unit fell into.
    start, end = (types.expect(b, b.bind(p), "time", "date_diff") for p in others)
    b.risky(start, end)
    return Bound.of(f"date_diff('{names[at]}', {start.sql}, {end.sql})", "number", start, end)


# --- aggregates ---------------------------------------------------------------------------------------------------


def is_measure(node: exp.Expr) -> bool:
    """``MEASURE(x)``, or ``AGG(x)`` as other dialects spell it."""
    return isinstance(node, exp.Agg) or (isinstance(node, exp.Anonymous) and node.name.upper() == "MEASURE")


def measure_argument(node: exp.Expr) -> exp.Expr | None:
    """What stands in ``MEASURE(…)``, if it is one thing."""
    inside = [node.this] if isinstance(node, exp.Agg) else node.expressions
    return inside[0] if len(inside) == 1 else None


def is_aggregate(node: exp.Expr) -> bool:
    """Whether a node is an aggregate call as a whole (with its FILTER or WITHIN GROUP)."""
    if isinstance(node, (exp.GroupConcat, exp.WithinGroup, exp.Filter)) or type(node) in AGGREGATES:
        return True
    return isinstance(node, exp.Anonymous) and node.name.lower() in ANONYMOUS_AGGREGATES


def aggregate_call(b: Binder, node: exp.Expr) -> AggregateCall:
    """Bind an aggregate's arguments with ``b`` (which binds row values)."""
    if isinstance(node, exp.Filter):
        return _filtered(b, node)
    if isinstance(node, exp.WithinGroup):
        return _within_group(b, node)
    if isinstance(node, exp.GroupConcat):
        return _string_agg(b, node)
    anonymous = isinstance(node, exp.Anonymous)
    spec = ANONYMOUS_AGGREGATES[node.name.lower()] if anonymous else AGGREGATES[type(node)]
    if not anonymous:
        _check(node, (*spec.args, *spec.ignored, *(("expressions",) if isinstance(node, exp.Count) else ())))
    args = list(node.expressions) if anonymous else [node.args[a] for a in spec.args if node.args.get(a) is not None]
    if isinstance(node, exp.Count) and (not args or isinstance(args[0], (exp.Star, exp.Literal)) or node.expressions):
        if len(args) != 1 or node.expressions:
            raise InvalidQuery("COUNT takes one argument or *.")
        _check(args[0], ("this", "is_string"))
        return AggregateCall(lambda a: "COUNT(*)", (), "number", every_row=True)
    return _ordinary(b, spec, args)


def _ordinary(b: Binder, spec: Aggregate, args: list[exp.Expr]) -> AggregateCall:
    distinct = bool(args) and isinstance(args[0], exp.Distinct)
    if distinct:
        _check(args[0], ("expressions",))
        args = [*args[0].expressions, *args[1:]]
    name = spec.template.partition("(")[0]
    if len(args) != spec.template.count("{1}") + 1:
        raise InvalidQuery(f"{name} takes another number of arguments.")
    bound = b.all(args)
    bound = [types.expect(b, v, spec.takes[i] if i < len(spec.takes) else "", name) for i, v in enumerate(bound)]
    kind = bound[0].kind if spec.kind == "same" else spec.kind
    template = spec.template.replace("({0}", "(DISTINCT {0}") if distinct else spec.template
    if "DISTINCT" in template and "CASE" in template:
        raise InvalidQuery(f"{name} takes no DISTINCT.")
    return AggregateCall(lambda a: template.format(*a), tuple(bound), kind, spec.repeatable or distinct)


def _filtered(b: Binder, node: exp.Filter) -> AggregateCall:
    _check(node, ("this", "expression"))
    inner = aggregate_call(b, node.this) if is_aggregate(node.this) else None
    if inner is None or isinstance(node.this, exp.Filter):
        raise InvalidQuery("FILTER follows an aggregate.")
    test = b.condition(node.args["expression"].this, "FILTER")
    render = lambda a: f"{inner.render(a[:-1])} FILTER (WHERE {a[-1]})"  # noqa: E731
    return AggregateCall(render, (*inner.args, test), inner.kind, inner.repeatable, inner.every_row)


def _within_group(b: Binder, node: exp.WithinGroup) -> AggregateCall:
    _check(node, ("this", "expression"))
    inner, order = node.this, node.args["expression"]
    if not isinstance(inner, (exp.PercentileCont, exp.PercentileDisc)) or len(order.expressions) != 1:
        raise InvalidQuery("WITHIN GROUP is read after PERCENTILE_CONT(p) and PERCENTILE_DISC(p).")
    _check(inner, ("this",))
    share = b.bind(inner.this)
    if not share.is_literal or isinstance(share.literal, str) or not 0 <= float(share.literal) <= 1:
        raise InvalidQuery("A percentile is a constant between 0 and 1.")
    ordered = order.expressions[0]
    value = b.bind(ordered.this)
    name = "QUANTILE_CONT" if isinstance(inner, exp.PercentileCont) else "QUANTILE_DISC"
    part = f"(1 - {share.sql})" if ordered.args.get("desc") else share.sql
    return AggregateCall(lambda a: f"{name}({a[0]}, {part})", (value,), value.kind)


def _string_agg(b: Binder, node: exp.GroupConcat) -> AggregateCall:
    _check(node, ("this", "separator", "on_overflow"))
    inner: exp.Expr = node.this
    orders: list[exp.Ordered] = []
    if isinstance(inner, exp.Order):
        orders, inner = inner.expressions, inner.this
    distinct = isinstance(inner, exp.Distinct)
    if distinct:
        inner = inner.expressions[0]
    text = types.expect(b, b.to(b.bind(inner), "string"), "string", "string_agg")
    separator = b.bind(node.args["separator"]) if node.args.get("separator") is not None else b.literal(",")
    if not separator.is_literal or not isinstance(separator.literal, str):
        raise InvalidQuery("string_agg wants a constant separator.")
    keys = [b.bind(o.this) for o in orders]
    tails = [ordering_direction(o) for o in orders]

    def render(a: list[str]) -> str:
        by = ", ".join(f"{k}{t}" for k, t in zip(a[1:], tails, strict=False)) or f"{a[0]} NULLS LAST"
        return f"STRING_AGG({'DISTINCT ' if distinct else ''}{a[0]}, {separator.sql} ORDER BY {by})"

    return AggregateCall(render, (text, *keys), "string", distinct)


# --- windows ------------------------------------------------------------------------------------------------------


def ordering_direction(node: exp.Ordered) -> str:
    return (
        f"{' DESC' if node.args.get('desc') else ''}{' NULLS FIRST' if node.args.get('nulls_first') else ' NULLS LAST'}"
    )


def ordering(b: Binder, nodes: list[exp.Expr]) -> tuple[str, list[Bound]]:
    """ORDER BY items as text, and what they are made of."""
    texts: list[str] = []
    parts: list[Bound] = []
    for node in nodes:
        if not isinstance(node, exp.Ordered):
            raise InvalidQuery("ORDER BY is not read in this form.")
        _check(node, ("this", "desc", "nulls_first"))
        value = b.bind(node.this)
        parts.append(value)
        texts.append(
            (f"({value.sql} + 0)" if value.is_literal and value.kind == "number" else value.sql)
            + ordering_direction(node)
        )
    return ", ".join(texts), parts


def _window(b: Binder, node: exp.Window) -> Bound:
    _check(node, ("this", "partition_by", "order", "spec", "over", "alias"))
    base = None
    if node.args.get("alias") is not None:
        base = b.windows.get(node.args["alias"].name.lower())
        if base is None:
            raise InvalidQuery(f"The window '{node.args['alias'].name}' is not defined.")
    text, kind, parts = _windowed(b, node.this)
    clauses: list[str] = []
    partition = [*((base.args.get("partition_by") or []) if base else []), *(node.args.get("partition_by") or [])]
    if partition:
        by = b.all(partition)
        parts += by
        clauses.append(
            "PARTITION BY " + ", ".join(f"({v.sql} + 0)" if v.is_literal and v.kind == "number" else v.sql for v in by)
        )
    order = node.args.get("order") or (base.args.get("order") if base else None)
    if order is not None:
        ordered, used = ordering(b, order.expressions)
        parts += used
        clauses.append(f"ORDER BY {ordered}")
    spec = node.args.get("spec") or (base.args.get("spec") if base else None)
    if spec is not None:
        clauses.append(_frame(b, spec))
    row = Bound.of("", kind, *parts) if parts else Bound("", kind)
    return Bound(f"({text} OVER ({' '.join(clauses)}))", kind, row.uses, True, growth=row.growth)


def _windowed(b: Binder, node: exp.Expr) -> tuple[str, str, list[Bound]]:
    nulls = ""
    if isinstance(node, (exp.IgnoreNulls, exp.RespectNulls)):
        nulls = " IGNORE NULLS" if isinstance(node, exp.IgnoreNulls) else ""
        node = node.this
    if type(node) in WINDOW_ONLY:
        name, kind, most = WINDOW_ONLY[type(node)]
        _check(node, ("this", "offset", "default", "expressions", "from_first"))
        args = [node.args[a] for a in ("this", "offset", "default") if isinstance(node.args.get(a), exp.Expr)]
        if len(args) > most or node.args.get("expressions"):
            raise InvalidQuery(f"{name} takes fewer arguments.")
        bound = b.all(args)
        for extra in bound[1:2] if name != "NTILE" else bound[:1]:
            if not extra.is_literal or not isinstance(extra.literal, int):
                raise InvalidQuery(f"{name} wants a constant whole number.")
        if name == "NTILE" and (not bound or bound[0].literal < 1):
            raise InvalidQuery("NTILE wants a number above 0.")
        if len(bound) == 3:
            bound[2] = types.unified(b, [bound[0], bound[2]], name)[1]
        return (
            f"{name}({', '.join(v.sql for v in bound)}{nulls})",
            bound[0].kind if kind == "same" and bound else kind,
            bound,
        )
    if not is_aggregate(node) or isinstance(node, exp.WithinGroup):
        raise InvalidQuery("OVER follows a window function or an aggregate.")
    inner = aggregate_call(b, node)
    return inner.render([a.sql for a in inner.args]), inner.kind, list(inner.args)


def _frame(b: Binder, spec: exp.WindowSpec) -> str:
    _check(spec, ("kind", "start", "start_side", "end", "end_side", "exclude"))
    if spec.args.get("exclude"):
        raise InvalidQuery("EXCLUDE in a window frame is not available.")
    kind = str(spec.args["kind"]).upper()
    if kind not in ("ROWS", "RANGE", "GROUPS"):
        raise InvalidQuery("A window frame is ROWS, RANGE or GROUPS.")
    start = _bound_of_frame(b, spec.args.get("start"), spec.args.get("start_side"))
    end = (
        _bound_of_frame(b, spec.args.get("end"), spec.args.get("end_side"))
        if spec.args.get("end") is not None
        else "CURRENT ROW"
    )
    return f"{kind} BETWEEN {start} AND {end}"


def _bound_of_frame(b: Binder, value: object, side: object) -> str:
    direction = str(side or "").upper()
    if isinstance(value, str):
        word = value.upper()
        if word == "CURRENT ROW":
            return word
        if word == "UNBOUNDED" and direction in ("PRECEDING", "FOLLOWING"):
            return f"UNBOUNDED {direction}"
    elif isinstance(value, exp.Expr) and direction in ("PRECEDING", "FOLLOWING"):
        distance = b.bind(value)
        if distance.kind == "interval" or (distance.is_literal and isinstance(distance.literal, int)):
            return f"{distance.sql} {direction}"
    raise InvalidQuery("A window frame is bounded by UNBOUNDED, CURRENT ROW, or a constant number or interval.")


_SPECIAL: dict[type[exp.Expr], Callable[..., Bound]] = {
    exp.TimestampTrunc: _date_trunc,
    exp.DateTrunc: _date_trunc,
    exp.Extract: _extract,
    exp.Coalesce: _coalesce,
    exp.Greatest: _coalesce,
    exp.Least: _coalesce,
    exp.Nullif: _nullif,
    exp.Concat: _concat,
    exp.ConcatWs: _concat,
    exp.Replace: _replace,
    exp.Substring: _substring,
    exp.Trim: _trim,
    exp.Log: _log,
    exp.CurrentDate: _now,
    exp.CurrentTimestamp: _now,
    exp.Localtimestamp: _now,
    exp.DateDiff: _date_diff,
    exp.Window: _window,
}
