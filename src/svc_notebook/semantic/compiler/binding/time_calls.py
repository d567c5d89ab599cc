"""Functions of times with a grammar of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace
from sqlglot import exp

from ...dialects import duckdb as say
from ...errors import InvalidQuery
from ...intervals import GRANULARITIES
from ..authored.timegrain import calendar_granularity, truncated
from ..names import nearest
from ..refusals import check_args
from ..values import Bound
from . import types
from .binding import Binder
from .held_times import held_for, held_for_part
from .time_making import age, date_bin, dateadd, from_epoch, make_timestamp, time_bucket, timezone, to_char, to_time

__all__ = ["NAMED_TIME_CALLS", "TIME_CALLS"]


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
    value = held_for(b, types.expect(b, value, "time", "date_trunc"), unit.name.lower())
    try:
        sql = truncated(unit.name, value.sql, custom)
    except LookupError:
        known = [*GRANULARITIES, *(g.name for g in custom)]
        close = nearest(unit.name, known, 1)
        hint = f" Did you mean '{close[0]}'?" if close else ""
        raise InvalidQuery(
            f"The granularity '{unit.name.lower()}' is unknown; known are {', '.join(known)}.{hint}"
        ) from None
    b.risky(value)  # at the very edges of the calendar there is no start of the month
    standard = GRANULARITIES.get(unit.name.lower())
    kind = value.kind if standard is not None and standard.native and not standard.length.seconds else "timestamp"
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


def date_trunc_gapfill(b: Binder, node: exp.Anonymous) -> Bound:
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
    # By its SQL: the grouping meets the key as the same text, wherever it was written.
    b.compilation.to_fill.add(bound.sql)
    return bound


def _extract(b: Binder, node: exp.Extract) -> Bound:
    check_args(node, ("this", "expression"))
    part = node.this.name.lower() if isinstance(node.this, (exp.Var, exp.Literal)) else ""
    # Spellings of other dialects, and plurals.
    part = {"years": "year", "months": "month", "days": "day", "hours": "hour", "dayofweek": "dow", "weekday": "dow",
            "dayofyear": "doy", "minutes": "minute", "seconds": "second", "milliseconds": "millisecond",
            "microseconds": "microsecond"}.get(part, part)  # fmt: skip
    if part not in say.DATE_PARTS:
        raise InvalidQuery(f"The date part '{part}' is unknown; known are {', '.join(sorted(say.DATE_PARTS))}.")
    value = b.bind(node.args["expression"])
    if value.kind != "interval":
        value = held_for_part(b, types.expect(b, value, "time", "EXTRACT"), part)
    if part in ("week", "isoyear"):
        b.risky(value)
    fraction = say.fraction_of(part, value.sql)
    if fraction is not None:
        return replace(Bound.of(fraction, "number", value), floating=True)
    return Bound.of(say.date_part(part, value.sql), "number", value)


def _now(b: Binder, node: exp.Expr) -> Bound:
    # CURRENT_TIMESTAMP(3): a precision is not read.
    check_args(node, ("this", "sysdate") if not node.args.get("this") else ())
    # now() of the engine is in the session's zone, and one engine serves queries of many zones.
    moment = say.now(b.compilation.params.add(b.compilation.timezone))
    if isinstance(node, exp.CurrentDate):
        return Bound(say.cast(moment, say.DATE), "date")
    return Bound(moment, "timestamp", zoned=not isinstance(node, exp.Localtimestamp))


def _counted() -> tuple[str, ...]:
    """The units whose boundaries the engine counts."""
    return ("microsecond", "millisecond", *(name for name, standard in GRANULARITIES.items() if standard.native))


def _date_diff(b: Binder, node: exp.Expr) -> Bound:
    """``date_diff('day', a, b)``: boundaries of the unit passed between a and b, in whichever order the unit stands."""
    check_args(node, ("this", "expression", "unit", "big_int", "date_part_boundary"))
    parts = [n for n in (node.this, node.args.get("expression"), node.args.get("unit")) if n is not None]
    # Redshift and Snowflake write the unit first without quotes, BigQuery last, and either in the plural.
    names = [(p.name or "").lower().rstrip("s") for p in parts]
    at = next(
        (
            i
            for i, name in enumerate(names)
            if name in _counted() and not (isinstance(parts[i], exp.Column) and parts[i].args.get("table"))
        ),
        None,
    )
    if at is None or len(parts) != 3:
        raise InvalidQuery("Write date_diff('day', start, end).")
    # In the slot of the unit the parser makes a bare column a Var.
    others = [exp.column(p.name) if isinstance(p, exp.Var) else p for i, p in enumerate(parts) if i != at]
    # The parser keeps the written order of the other two, whichever slot the unit fell into.
    start, end = (types.expect(b, b.bind(p), "time", "date_diff") for p in others)
    b.risky(start, end)
    return Bound.of(say.date_diff(names[at], start.sql, end.sql), "number", start, end)


def _date_add(b: Binder, node: exp.DateAdd | exp.DateSub) -> Bound:
    check_args(node, ("this", "expression"))
    if not isinstance(node.args["expression"], exp.Interval):
        raise InvalidQuery("Write date_add(time, INTERVAL '1 month').")
    kind = exp.Sub if isinstance(node, exp.DateSub) else exp.Add
    return b.bind(kind(this=node.this, expression=node.args["expression"]))


TIME_CALLS: Mapping[type[exp.Expr], Callable[..., Bound]] = {
    exp.TimestampTrunc: _date_trunc,
    exp.DateTrunc: _date_trunc,
    exp.Extract: _extract,
    exp.CurrentDate: _now,
    exp.CurrentTimestamp: _now,
    exp.Localtimestamp: _now,
    exp.DateDiff: _date_diff,
    exp.DateAdd: _date_add,
    exp.DateSub: _date_add,
    exp.TimeToStr: to_char,
    exp.StrToTime: to_time,
    exp.StrToDate: to_time,
    exp.UnixToTime: from_epoch,
    exp.TimestampFromParts: make_timestamp,
    exp.DateBin: date_bin,
}

NAMED_TIME_CALLS: Mapping[str, Callable[[Binder, exp.Anonymous], Bound]] = {
    "date_trunc_gapfill": date_trunc_gapfill,
    "dateadd": dateadd,
    "timezone": timezone,
    "time_bucket": time_bucket,
    "age": age,
    "statement_timestamp": lambda b, n: _now(b, exp.CurrentTimestamp()),
    "transaction_timestamp": lambda b, n: _now(b, exp.CurrentTimestamp()),
}
