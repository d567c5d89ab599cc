"""Function calls: those of the table, and the few with a grammar of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlglot import exp

from ..errors import InvalidQuery, NotAllowed, TooComplex
from . import types
from .aggregate_calls import is_aggregate, is_measure
from .functions import (
    AGGREGATES,
    ANONYMOUS,
    ANONYMOUS_AGGREGATES,
    DATE_PARTS,
    FUNCTIONS,
    WINDOW_ONLY,
    Function,
)  # fmt: skip
from .names import nearest
from .refusals import check_args, refuse
from .timegrain import calendar_granularity, truncated
from .values import Bound
from .windows import window

if TYPE_CHECKING:
    from .expressions import Binder

__all__ = ["call"]

_GROWTH_OF_REPLACE = 8


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
        if node.name.lower() == "date_trunc_gapfill":
            return _gapfill(b, node)
        function = ANONYMOUS.get(node.name.lower())
        if function is not None:
            return _plain(b, node, function, node.expressions)
        raise _unknown(node.name)
    if type(node) in FUNCTIONS:
        function = FUNCTIONS[type(node)]
        check_args(node, (*function.args, *function.ignored))
        args = [node.args[name] for name in function.args if node.args.get(name) is not None]
        return _plain(b, node, function, args)
    if type(node) in WINDOW_ONLY:
        raise InvalidQuery(f"{WINDOW_ONLY[type(node)][0]} needs OVER (…).")
    if isinstance(node, exp.Func):
        raise _unknown(node.sql_name())
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
    check_args(node, ("this", "unit", "zone"))
    if node.args.get("zone") is not None:
        raise InvalidQuery("date_trunc takes no zone; set the time zone of the query instead.")
    unit = node.args.get("unit")
    if not isinstance(unit, (exp.Var, exp.Literal)):
        raise InvalidQuery("date_trunc wants a constant granularity, such as 'month'.")
    value = b.bind(node.this)
    custom = b.scope.granularities(value.member)
    own = calendar_granularity(unit.name, custom)
    if own is not None:
        return _calendar_column(b, value, unit.name.lower(), own)
    value = types.expect(b, value, "time", "date_trunc")
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


def _calendar_column(b: Binder, value: Bound, granularity: str, sql: str) -> Bound:
    """The column in which a calendar keeps this granularity of the date ``value``."""
    for relation in b.scope.relations:
        source = getattr(relation, "source", None)
        if source is None or not any(alias == source.alias for alias, _ in value.uses):
            continue
        for name in relation.names():
            entry = relation.entry(name)
            if entry is not None and entry.label == value.member:
                grained: Bound = source.grain_column(entry, granularity, sql)
                return grained
    raise InvalidQuery(
        f"The {granularity} of '{value.member}' is a column of a calendar; write date_trunc('{granularity}', …) where "
        "the cube or view itself stands in FROM, and in GROUP BY."
    )


def _gapfill(b: Binder, node: exp.Anonymous) -> Bound:
    """``date_trunc``, its periods without a gap; it is for the grouping to fill them."""
    if len(node.expressions) != 2:
        raise InvalidQuery("date_trunc_gapfill takes a granularity and a time, such as ('month', placed_at).")
    unit, value = node.expressions
    custom = b.scope.granularities(b.bind(value).member)
    if calendar_granularity(unit.name, custom) is not None:
        raise InvalidQuery(
            f"The {unit.name.lower()} is a column of a calendar, and is not filled; write date_trunc instead."
        )
    bound = _date_trunc(b, exp.TimestampTrunc(this=value, unit=unit))
    b.compilation.to_fill.add(bound.sql)
    return bound


def _extract(b: Binder, node: exp.Extract) -> Bound:
    check_args(node, ("this", "expression"))
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
    check_args(node, ("this", "expressions", "ignore_nulls", "is_nvl", "is_null"))
    name = {"Coalesce": "COALESCE", "Greatest": "GREATEST", "Least": "LEAST"}[type(node).__name__]
    values = types.unified(b, b.all([node.this, *node.expressions]), name)
    return Bound.of(f"{name}({', '.join(v.sql for v in values)})", types.common(values), *values)


def _nullif(b: Binder, node: exp.Nullif) -> Bound:
    check_args(node, ("this", "expression"))
    left, right = types.comparable(b, b.bind(node.this), b.bind(node.args["expression"]))
    return Bound.of(f"NULLIF({left.sql}, {right.sql})", left.kind, left, right, growth=left.growth)


def _concat(b: Binder, node: exp.Expr) -> Bound:
    check_args(node, ("expressions", "safe", "coalesce"))
    if isinstance(node, exp.Concat):
        return types.concat(b, b.all(node.expressions), "concat")
    parts = [types.expect(b, b.to(p, "string"), "string", "concat_ws") for p in b.all(node.expressions)]
    growth = sum(p.growth for p in parts) + parts[0].growth * len(parts)
    return Bound.of(f"concat_ws({', '.join(p.sql for p in parts)})", "string", *parts, growth=growth)


def _replace(b: Binder, node: exp.Replace) -> Bound:
    check_args(node, ("this", "expression", "replacement"))
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
    check_args(node, ("this", "start", "length", "zero_start"))
    text = types.expect(b, b.to(b.bind(node.this), "string"), "string", "substring")
    numbers = [b.bind(node.args[n]) for n in ("start", "length") if node.args.get(n) is not None]
    whole = [Bound.of(f"TRY_CAST({n.sql} AS BIGINT)", "number", n) for n in numbers]
    return Bound.of(f"substring({', '.join(p.sql for p in (text, *whole))})", "string", text, *whole)


def _trim(b: Binder, node: exp.Trim) -> Bound:
    check_args(node, ("this", "expression", "position"))
    parts = [types.expect(b, b.to(b.bind(node.this), "string"), "string", "trim")]
    if node.args.get("expression") is not None:
        parts.append(types.expect(b, b.to(b.bind(node.args["expression"]), "string"), "string", "trim"))
    name = {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(str(node.args.get("position") or "").upper(), "trim")
    return Bound.of(f"{name}({', '.join(p.sql for p in parts)})", "string", *parts)


def _log(b: Binder, node: exp.Log) -> Bound:
    check_args(node, ("this", "expression"))
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
    check_args(node, ("this", "sysdate") if not node.args.get("this") else ())
    moment = f"timezone({b.compilation.params.add(b.compilation.timezone)}, now())"
    if isinstance(node, exp.CurrentDate):
        return Bound(f"CAST({moment} AS DATE)", "date")
    return Bound(moment, "timestamp")


_UNITS = ("microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year")


def _date_diff(b: Binder, node: exp.Expr) -> Bound:
    """``date_diff('day', a, b)``: boundaries of the unit passed between a and b, in whichever order the unit stands."""
    check_args(node, ("this", "expression", "unit", "big_int", "date_part_boundary"))
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


def _date_add(b: Binder, node: exp.DateAdd) -> Bound:
    check_args(node, ("this", "expression"))
    if not isinstance(node.args["expression"], exp.Interval):
        raise InvalidQuery("Write date_add(time, INTERVAL '1 month').")
    return b.bind(exp.Add(this=node.this, expression=node.args["expression"]))


def _grouping(b: Binder, node: exp.Grouping) -> Bound:
    check_args(node, ("expressions",))
    if not b.scope.plain_aggregates:
        raise InvalidQuery("GROUPING(…) names columns of a GROUP BY with ROLLUP, CUBE or GROUPING SETS.")
    bound = b.all(node.expressions)
    return Bound.of(f"GROUPING({', '.join(k.sql for k in bound)})", "number", *bound)


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
    exp.DateAdd: _date_add,
    exp.Grouping: _grouping,
    exp.Window: window,
}
